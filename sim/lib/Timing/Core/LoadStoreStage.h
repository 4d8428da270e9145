//===- LoadStoreStage.h - The load/store unit in the cycle ---- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The load/store unit, which is left alone in cycles in which it has nothing
/// to do.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_LOADSTORESTAGE_H
#define REGSHARE_SIM_TIMING_CORE_LOADSTORESTAGE_H

#include "Timing/Memory/LoadStore/LoadStoreUnit.h"
#include "regshare/Sim/CpiStack.h"

#include <algorithm>

namespace regshare::sim {

class LoadStoreStage {
public:
  LoadStoreStage(const MemoryConfig &Config, unsigned SmId, bool EveryCycle)
      : Unit(Config, SmId), EveryCycle(EveryCycle) {}

  bool canAccept() const { return Unit.canAccept(); }
  MemoryStall stall() const { return Unit.stall(); }
  /// After the tick() of the cycle.
  void accept(const MemoryAccess &Access, Cycle Now) {
    Unit.accept(Access, Now);
    Next = std::min(Next, Now + 1);
  }
  /// As LoadStoreUnit::receive.
  void receive(const MemoryReply &Reply) {
    Unit.receive(Reply);
    Next = std::min(Next, Reply.When);
  }

  /// A cycle. Appends requests, and calls \p Complete(Token, When) for
  /// instructions whose data come then. Whether the unit was at work.
  template <typename Complete>
  bool tick(Cycle Now, std::vector<MemoryRequest> &Requests,
            Complete Completes) {
    if (Next > Now && !EveryCycle)
      return false;
    bool WasAtWork = !Unit.isIdle();
    Done.clear();
    Unit.tick(Now, Done, Requests);
    for (const LoadStoreUnit::Completion &C : Done)
      Completes(C.Token, std::max(C.When, Now));
    Next = Unit.nextEvent(Now);
    return WasAtWork;
  }

  /// When the unit needs its next tick.
  Cycle nextEvent() const { return Next; }
  bool isIdle() const { return Unit.isIdle(); }
  const LoadStoreStats &stats() const { return Unit.stats(); }
  ScratchpadPort &scratchpad() { return Unit.scratchpad(); }
  /// What keeps instructions out of it; only if it cannot accept one.
  SlotUse refusal() const;

private:
  LoadStoreUnit Unit;
  bool EveryCycle; ///< For tests: ticks that change nothing, too.
  Cycle Next = Never;
  std::vector<LoadStoreUnit::Completion> Done;
};

inline SlotUse LoadStoreStage::refusal() const {
  switch (Unit.stall()) {
  case MemoryStall::BankConflict:
    return SlotUse::MemBankConflict;
  case MemoryStall::Transactions:
    return SlotUse::MemTransactions;
  case MemoryStall::Mshr:
    return SlotUse::MemMshr;
  case MemoryStall::Reservation:
    return SlotUse::MemReservation;
  case MemoryStall::StoreCredits:
    return SlotUse::MemStoreCredits;
  case MemoryStall::None:
    break;
  }
  return SlotUse::MemQueue;
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_LOADSTORESTAGE_H
