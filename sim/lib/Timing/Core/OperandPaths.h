//===- OperandPaths.h - From the registers to the pipes ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two of the organisations of operand delivery; Modern/ModernPath.h has the
/// third. They take issued instructions, read their operands out of banks, and
/// say when execution begins:
///
///     bool hasRoom(Pipe, unsigned Scheduler, Cycle Now) const;
///     SlotUse refusal(Pipe, unsigned Scheduler, Cycle Now) const;
///     void take(const OperandRequest &, Cycle Now);
///     template <typename Begin>
///     void tick(Cycle Now, uint32_t WriteBanks, bool MemoryRoom, Begin);
///     Cycle nextEvent(Cycle Now, bool MemoryRoom) const;
///
/// tick() calls Begin(Token, Start) for each instruction that leaves; memory
/// instructions leave one a cycle, while the load/store unit has room. Where
/// MemoryWaitsForRoom, one that cannot be taken for lack of that room cannot be
/// taken until there is some.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_OPERANDPATHS_H
#define REGSHARE_SIM_TIMING_CORE_OPERANDPATHS_H

#include "CoreConfig.h"
#include "Timing/Memory/MemoryPort.h"
#include "regshare/Sim/CpiStack.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace regshare::sim {

/// Where an operand comes from.
struct OperandPlace {
  uint8_t Bank = 0;
  uint16_t Delay = 0; ///< Cycles beyond those of the bank.
};

struct OperandRequest {
  static constexpr unsigned MaxReads = MaxMatrixReadRows;
  /// Of a pipe's work without operands and results: nothing begins.
  static constexpr uint32_t NoToken = ~uint32_t(0);
  uint32_t Token = 0;
  Pipe Target = Pipe::Main;
  uint16_t Interval = 1;
  uint8_t Scheduler = 0;
  uint8_t NumReads = 0;
  /// Modern cores: cycles from the issue of a memory instruction until it has
  /// read its sources.
  uint8_t SourceCycles = 0;
  bool HasFixedLatency = false;
  bool IsConstant = false; ///< Modern cores: reads constants or parameters.
  OperandPlace Reads[MaxReads];
};

/// Operand collectors behind an arbiter. A bank serves one access a cycle,
/// writes first; reads of a bank are served in the order of their arrival.
class CollectorPath {
public:
  /// Results take their banks from reads.
  static constexpr bool WritesTakeBanks = true;
  static constexpr bool IsModern = false;
  static constexpr bool MemoryWaitsForRoom = true;
  explicit CollectorPath(const CoreConfig &Config);

  bool hasRoom(Pipe P, unsigned /*Scheduler*/, Cycle /*Now*/) const {
    const Station &S = Stations[unsigned(P)];
    return S.Latched.size() < S.Config.Latch;
  }
  SlotUse refusal(Pipe, unsigned, Cycle) const { return SlotUse::Operands; }
  void take(const OperandRequest &R, Cycle Now);
  template <typename Begin>
  void tick(Cycle Now, uint32_t WriteBanks, bool MemoryRoom, Begin Start);
  Cycle nextEvent(Cycle Now, bool MemoryRoom) const {
    bool Moves = InPath && (MemoryRoom || movesWithoutMemory());
    return Moves ? Now + 1 : Never;
  }

private:
  struct Collector {
    uint32_t Token = 0;
    uint16_t Interval = 1;
    uint8_t Pending = 0; ///< Reads that no bank has served.
    uint16_t Delay = 0;
    Cycle Ready = 0;
  };
  struct Station {
    PipeConfig Config;
    std::vector<OperandRequest> Latched;
    std::vector<Collector> Units;
    std::vector<uint8_t> Order; ///< Units in use, oldest first.
    uint32_t Free = 0;          ///< Units.
    uint32_t Served = 0;        ///< Units in use none of whose reads waits.
    std::array<Cycle, 8> PipeFree = {};
  };
  /// Reads that wait for a bank: the collector's station and unit.
  struct BankQueue {
    static constexpr unsigned Capacity = 512;
    std::array<uint16_t, Capacity> Ring;
    uint16_t Head = 0, Count = 0;
  };

  /// Something may change although no memory instruction leaves.
  bool movesWithoutMemory() const;
  template <typename Begin> void begin(Station &S, Cycle Now, Begin &Start);
  void readBanks(Cycle Now, uint32_t WriteBanks);
  void allocate(Station &S, unsigned Number);

  const CoreConfig &Config;
  std::array<Station, NumPipes> Stations;
  std::vector<BankQueue> Banks;
  uint32_t BusyBanks = 0;
  unsigned InPath = 0;
};

/// Begins the execution of instructions of a station whose operands are there,
/// the oldest first.
template <typename Begin>
void CollectorPath::begin(Station &S, Cycle Now, Begin &Start) {
  unsigned Width = S.Config.Count;
  for (auto It = S.Order.begin(); It != S.Order.end() && Width;) {
    const Collector &C = S.Units[*It];
    uint32_t Bit = uint32_t(1) << *It;
    if (!(S.Served & Bit) || C.Ready > Now) {
      ++It;
      continue;
    }
    auto *Unit =
        std::find_if(S.PipeFree.begin(), S.PipeFree.begin() + S.Config.Count,
                     [&](Cycle Free) { return Free <= Now; });
    if (Unit == S.PipeFree.begin() + S.Config.Count)
      break;
    *Unit = Now + C.Interval;
    S.Free |= Bit;
    S.Served &= ~Bit;
    It = S.Order.erase(It);
    --Width;
    --InPath;
    Start(C.Token, Now + Config.FrontCycles);
  }
}

template <typename Begin>
void CollectorPath::tick(Cycle Now, uint32_t WriteBanks, bool MemoryRoom,
                         Begin Start) {
  if (!InPath)
    return;
  for (unsigned P = 0; P != NumPipes; ++P)
    if (Stations[P].Served && (P != unsigned(Pipe::Memory) || MemoryRoom))
      begin(Stations[P], Now, Start);
  if (BusyBanks & ~WriteBanks)
    readBanks(Now, WriteBanks);
  for (unsigned P = 0; P != NumPipes; ++P)
    if (!Stations[P].Latched.empty() && Stations[P].Free)
      allocate(Stations[P], P);
}

/// Sub-cores: each scheduler has its own banks and pipes and no collectors. An
/// instruction reserves its banks' read ports right after issue, and the next
/// one waits until that is done.
class SubCorePath {
public:
  static constexpr bool WritesTakeBanks = false;
  static constexpr bool IsModern = false;
  static constexpr bool MemoryWaitsForRoom = false;
  explicit SubCorePath(const CoreConfig &Config);

  bool hasRoom(Pipe P, unsigned Scheduler, Cycle Now) const {
    return refusal(P, Scheduler, Now) == SlotUse::Issued;
  }
  /// SlotUse::Issued if nothing is in the way.
  SlotUse refusal(Pipe P, unsigned Scheduler, Cycle Now) const {
    const SubCore &S = Cores[Scheduler];
    if (S.Reserved > Now)
      return SlotUse::Operands;
    if (P == Pipe::Memory)
      return MemoryQueue.size() < Config.Pipes[unsigned(P)].Latch
                 ? SlotUse::Issued
                 : SlotUse::MemQueue;
    return S.PipeFree[unsigned(P)] <= Now ? SlotUse::Issued : SlotUse::Pipe;
  }
  void take(const OperandRequest &R, Cycle Now);
  template <typename Begin>
  void tick(Cycle Now, uint32_t WriteBanks, bool MemoryRoom, Begin Start);
  Cycle nextEvent(Cycle Now, bool /*MemoryRoom*/) const {
    Cycle Next = Started.empty() ? Never : Now + 1;
    if (!MemoryQueue.empty())
      Next = std::min(Next, std::max(Now + 1, MemoryQueue.front().Ready));
    return Next;
  }

private:
  struct SubCore {
    /// By bank, in reads: as many to a cycle as the bank has ports.
    std::array<Cycle, 32> PortFree = {};
    std::array<Cycle, NumPipes> PipeFree = {};
    Cycle Reserved = 0; ///< The allocation stage is taken until then.
  };
  struct Entry {
    uint32_t Token;
    Cycle Ready;
  };

  const CoreConfig &Config;
  std::vector<SubCore> Cores;
  std::vector<Entry> Started;     ///< Leave with the next tick.
  std::vector<Entry> MemoryQueue; ///< In the order of issue.
};

template <typename Begin>
void SubCorePath::tick(Cycle Now, uint32_t, bool MemoryRoom, Begin Start) {
  for (const Entry &E : Started)
    Start(E.Token, E.Ready);
  Started.clear();
  if (MemoryRoom && !MemoryQueue.empty() && MemoryQueue.front().Ready <= Now) {
    Start(MemoryQueue.front().Token, Now);
    MemoryQueue.erase(MemoryQueue.begin());
  }
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_OPERANDPATHS_H
