//===- DramChannel.h - A channel's scheduler and banks -------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One DRAM channel: a queue of reads and one of writes, banks with an open row
/// each, and a first-ready, first-come-first-served scheduler (Rixner et al.,
/// ISCA 2000) that issues at most one row and one column command in a cycle of
/// the DRAM's clock, under the constraints of DramConfig. Banks form groups,
/// whose columns take longer to follow each other; all banks are refreshed
/// together, which closes their rows.
///
/// Writes wait until many have gathered; where the device says so, as in
/// GPGPU-Sim's separate write queue with its watermarks, for nothing else, and
/// otherwise until one is old or there is no read. Unlike there, either
/// direction keeps the bus for no more accesses than waited at its turn, so
/// that neither starves.
///
/// What the next row command and the next column command are, and when they
/// can be issued, is known at any time: a command or a new access changes it
/// for one bank, or for all candidates of a kind.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_DRAMCHANNEL_H
#define REGSHARE_SIM_TIMING_MEMORY_DRAMCHANNEL_H

#include "MemoryConfig.h"
#include "MemoryPort.h"

#include <algorithm>
#include <vector>

namespace regshare::sim {

/// Bursts of one line, hence of one row, that a slice of the L2 wants to be
/// read or written. Between them are at most those of other groups of banks.
struct DramAccess {
  uint64_t Row = 0;
  uint32_t Fetch = 0; ///< The slice's name for it; of reads.
  uint16_t Slice = 0; ///< In the channel.
  uint8_t Bank = 0;
  uint8_t Bursts = 1;
  bool IsWrite = false;
};

/// Time is counted in cycles of the DRAM's clock throughout.
class DramChannel {
public:
  DramChannel(const DramConfig &Config, MemoryStats &Stats);

  bool canAccept(bool IsWrite) const {
    return IsWrite ? NumWrites < Config.WriteQueue : NumReads < Config.Queue;
  }
  /// Queues an access in \p Now, which is later than what issue() has reached.
  void accept(const DramAccess &Access, Cycle Now);

  /// A read whose last data are there at the end of cycle When - 1.
  struct Delivery {
    Cycle When = 0;
    uint32_t Fetch = 0;
    uint16_t Slice = 0;
  };
  /// Issues the commands of all cycles up to \p Now, and appends the reads
  /// among them.
  void issue(Cycle Now, std::vector<Delivery> &Done);
  /// The next cycle with a command, if nothing is accepted; Never if there is
  /// none. A refresh while there is nothing to do is none.
  Cycle nextCommand() const {
    if (isIdle())
      return Never;
    return std::min({NextColumnCommand.When, NextRowCommand.When, NextRefresh});
  }
  /// Writes that still gather are no work.
  bool isIdle() const { return !NumReads && !(Writing && NumWrites); }

private:
  static constexpr int32_t None = -1;
  static constexpr uint64_t NoRow = ~uint64_t(0), NoOrder = ~uint64_t(0);

  struct Entry {
    DramAccess Access;
    Cycle Arrival = 0;
    uint64_t Order = 0;
    int32_t Before = None, After = None; ///< In its list.
  };
  struct List {
    int32_t First = None, Last = None;
  };
  /// What is asked of a bank again and again; a cache line of the host.
  struct alignas(64) Bank {
    uint64_t OpenRow = NoRow;
    /// Not before then: an activation or a precharge, whichever the bank needs
    /// for another row; a column command; an activation.
    Cycle NextRow = 0, Column = 0, Activate = 0;
    /// Of the entry that its next command is for.
    uint64_t Row = 0, Order = 0;
    int32_t Chosen = None;
    bool Fresh = false; ///< No column command since the activation.
  };
  struct Waiting {
    List Of[2]; ///< Reads and writes, by age.
  };
  /// The command that is due first; of those due together, the oldest entry's.
  struct Command {
    Cycle When = Never;
    uint64_t Order = 0;
    int32_t Bank = None;

    void improve(Cycle OtherWhen, uint64_t OtherOrder, int32_t OtherBank) {
      // Of two tests, one would be mispredicted all the time.
      bool Earlier =
          (OtherWhen < When) | ((OtherWhen == When) & (OtherOrder < Order));
      When = Earlier ? OtherWhen : When;
      Order = Earlier ? OtherOrder : Order;
      Bank = Earlier ? OtherBank : Bank;
    }
  };

  void append(List &To, int32_t Id);
  void remove(List &From, int32_t Id);
  bool isAged(int32_t Id, Cycle Now) const;
  int32_t best(unsigned Number, Cycle Now) const;
  void choose(Bank &B, int32_t Id);
  void place(unsigned Number, Cycle From);
  void planColumn(Cycle From);
  void planRow(Cycle From);
  void replan(Cycle From);
  void refresh();
  unsigned groupOf(unsigned Bank) const { return Bank % Config.BankGroups; }
  Cycle columnReady(const Bank &B) const;
  Cycle rowReady(const Bank &B) const;
  void improveRow(uint64_t Among, Cycle From);
  bool turn(Cycle Now);
  bool wantsWrites(Cycle Now) const;
  void beginTurn(Cycle Now);
  void issueColumn(Cycle Now, std::vector<Delivery> &Done);
  void issueRow(Cycle Now);
  void retire(unsigned Number, Cycle Now);

  DramConfig Config;
  MemoryStats &Stats;
  std::vector<Entry> Entries;
  int32_t FirstFree = None;
  std::vector<Bank> Banks;
  std::vector<Waiting> Queues;            ///< Of the banks.
  uint64_t ClosedBanks = 0;               ///< Without an open row.
  uint64_t ColumnBanks = 0, RowBanks = 0; ///< By the command they need next.
  Command NextColumnCommand, NextRowCommand;
  unsigned NumReads = 0, NumWrites = 0;
  Cycle OldestWrite = 0; ///< Its arrival, if there is any.
  bool Writing = false;
  unsigned Budget = 0; ///< Accesses that this turn is meant for.
  /// Of the oldest entry of the turn, if the turn may not end without it.
  uint64_t Must = NoOrder;
  uint64_t Accepted = 0;
  /// Not before then: any column command, reads, writes; any row command,
  /// activations.
  Cycle NextColumn = 0, NextRead = 0, NextWrite = 0;
  Cycle NextRow = 0, NextActivate = 0;
  std::vector<Cycle> GroupColumn; ///< A column command, by group of banks.
  /// After all column commands so far, the bursts of an access one by one.
  Cycle AfterLastColumn = 0;
  Cycle NextRefresh = Never;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_DRAMCHANNEL_H
