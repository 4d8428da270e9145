//===- IssueStage.h - The schedulers of an SM ----------------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each scheduler has the warps of every n-th slot and issues an instruction a
/// cycle, of a warp that is active, ready, has a pipe with room, and that the
/// scheme lets go.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_ISSUESTAGE_H
#define REGSHARE_SIM_TIMING_CORE_ISSUESTAGE_H

#include "WarpClasses.h"
#include "WarpScheduler.h"

#include "Timing/Memory/MemoryPort.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace regshare::sim {

/// What became of a warp that was picked.
enum class Attempt : uint8_t {
  Issued,
  TookNoSlot, ///< It has executed something that needs none, and goes on.
  Refused,    ///< It has left its class of ready ones; others may issue.
  Failed,     ///< The launch ends.
};

class IssueStage {
public:
  explicit IssueStage(const CoreConfig &Core);

  unsigned numSchedulers() const { return unsigned(Schedulers.size()); }
  WarpScheduler &schedulerOf(unsigned Slot) {
    return Schedulers[Slot % Schedulers.size()];
  }
  /// What became of the last slot of each scheduler.
  std::span<const SlotUse> lastUse() const { return LastUse; }
  /// The next cycle may be another one though no event is due: a warp has
  /// issued, or a pipe may have room again.
  bool goesOn() const {
    return std::ranges::any_of(LastUse, [](SlotUse U) {
      return U == SlotUse::Issued || U == SlotUse::Operands ||
             U == SlotUse::Pipe;
    });
  }

  /// Issues from a scheduler. Asks \p HasRoom(Pipe), \p Preferred(Mask) for
  /// those to choose from, which are none if the launch ends, \p Try(Slot) with
  /// each that is picked, and, if none issues, \p Refusal(Pipe) why a pipe has
  /// no room.
  template <typename HasRoom, typename Preferred, typename Try,
            typename Refusal>
  Attempt issueFrom(unsigned Scheduler, WarpClasses &Classes, HasRoom Room,
                    Preferred Prefers, Try Tries, Refusal Refuses);

  /// Whether the scheduler's slot is lost as its last one: all of its warps
  /// wait, and none has moved since.
  bool waitsOn(unsigned Scheduler, const WarpClasses &Classes) const {
    return (AllWait >> Scheduler & 1) &&
           !(Classes.moved() & WarpsOf[Scheduler]);
  }

  /// The scheduler issues nothing in this cycle, since what it issued last is
  /// in the way.
  void hold(unsigned Scheduler, const WarpClasses &Classes) {
    LastUse[Scheduler] =
        lostFor(Scheduler, Classes, [](Pipe) { return SlotUse::Operands; });
  }

  /// Whether warps that wait make room for others.
  bool hasActiveSets() const { return IsTwoLevel; }
  uint64_t active() const;
  /// Lets warps of \p Waiting leave the active sets and others enter; calls
  /// \p Leave(Slot) and then \p Enter(Slot) for those of each scheduler.
  template <typename Leave, typename Enter>
  void updateActiveSets(uint64_t Waiting, Leave Leaves, Enter Enters);
  /// In each active set whose turn is over one warp of \p MayLeave makes room
  /// for a parked one that is not \p Waiting.
  template <typename Leave, typename Enter>
  void takeTurns(Cycle Now, uint64_t Waiting, uint64_t MayLeave, Leave Leaves,
                 Enter Enters);
  /// How many warps of the SM are active from the next update on.
  void limitActiveWarps(unsigned Limit);

private:
  /// How long an active set stays as it is if warps take turns.
  static constexpr Cycle TurnCycles = 256;

  template <typename HasRoom>
  uint64_t candidates(unsigned Scheduler, const WarpClasses &Classes,
                      HasRoom Room) const;
  template <typename Refusal>
  SlotUse lostFor(unsigned Scheduler, const WarpClasses &Classes,
                  Refusal Refuses) const;
  void noteWaits(unsigned Scheduler, WarpClasses &Classes);

  bool IsTwoLevel;
  std::vector<WarpScheduler> Schedulers;
  std::vector<uint64_t> WarpsOf; ///< Slots of each scheduler.
  std::vector<SlotUse> LastUse;
  uint64_t AllWait = 0; ///< Schedulers without ready warps when they last lost.
  std::vector<Cycle> TurnEnds; ///< Of each scheduler, if warps take turns.
};

inline IssueStage::IssueStage(const CoreConfig &Core)
    : IsTwoLevel(isTwoLevel(Core.Policy)),
      LastUse(Core.Schedulers, SlotUse::NoWarp), TurnEnds(Core.Schedulers) {
  for (unsigned S = 0; S != Core.Schedulers; ++S) {
    Schedulers.emplace_back(Core.Policy,
                            std::max(1u, Core.ActiveWarps / Core.Schedulers));
    uint64_t Warps = 0;
    for (unsigned Slot = S; Slot < MaxWarpSlots; Slot += Core.Schedulers)
      Warps |= uint64_t(1) << Slot;
    WarpsOf.push_back(Warps);
  }
}

inline uint64_t IssueStage::active() const {
  uint64_t All = 0;
  for (const WarpScheduler &S : Schedulers)
    All |= S.active();
  return All;
}

inline void IssueStage::limitActiveWarps(unsigned Limit) {
  unsigned Count = numSchedulers();
  for (unsigned S = 0; S != Count; ++S)
    Schedulers[S].setActiveLimit(Limit / Count + (S < Limit % Count));
}

template <typename Leave, typename Enter>
void IssueStage::updateActiveSets(uint64_t Waiting, Leave Leaves,
                                  Enter Enters) {
  for (WarpScheduler &S : Schedulers) {
    uint64_t Entered = 0, Left = 0;
    S.update(Waiting, Entered, Left);
    for (; Left; Left &= Left - 1)
      Leaves(unsigned(std::countr_zero(Left)));
    for (; Entered; Entered &= Entered - 1)
      Enters(unsigned(std::countr_zero(Entered)));
  }
}

template <typename Leave, typename Enter>
void IssueStage::takeTurns(Cycle Now, uint64_t Waiting, uint64_t MayLeave,
                           Leave Leaves, Enter Enters) {
  for (size_t S = 0; S != Schedulers.size(); ++S) {
    unsigned Entered, Left;
    if (Now < TurnEnds[S] ||
        !Schedulers[S].exchange(Waiting, MayLeave, Entered, Left))
      continue;
    TurnEnds[S] = Now + TurnCycles;
    Leaves(Left);
    Enters(Entered);
  }
}

/// The warps of a scheduler that could issue into their pipe.
template <typename HasRoom>
uint64_t IssueStage::candidates(unsigned Scheduler, const WarpClasses &Classes,
                                HasRoom Room) const {
  uint64_t Active = Schedulers[Scheduler].active();
  uint64_t Found = 0;
  for (uint32_t Left = Classes.readyPipes(); Left; Left &= Left - 1) {
    unsigned P = unsigned(std::countr_zero(Left));
    uint64_t Ready = Classes.ready(P) & Active;
    if (Ready && (P == NumPipes || Room(Pipe(P))))
      Found |= Ready;
  }
  return Found;
}

/// Why a scheduler did not issue: of the causes that hold for its warps, the
/// first in the order of SlotUse.
template <typename Refusal>
SlotUse IssueStage::lostFor(unsigned Scheduler, const WarpClasses &Classes,
                            Refusal Refuses) const {
  uint64_t Mine = WarpsOf[Scheduler], Active = Schedulers[Scheduler].active();
  SlotUse First =
      Classes.heldBack() & Mine ? SlotUse::SchemeGate : SlotUse::Count;
  for (uint32_t Left = Classes.readyPipes(); Left; Left &= Left - 1) {
    unsigned P = unsigned(std::countr_zero(Left));
    if (uint64_t Ready = Classes.ready(P) & Mine)
      First =
          std::min(First, Ready & Active ? Refuses(Pipe(P)) : SlotUse::Parked);
  }
  if (First != SlotUse::Count)
    return First;
  for (uint32_t Left = Classes.waits(); Left; Left &= Left - 1) {
    SlotUse U = SlotUse(std::countr_zero(Left));
    if (Classes.waiting(U) & Mine)
      return U;
  }
  return SlotUse::NoWarp;
}

/// The slot of a scheduler that has just lost it is lost for the same cause
/// until a warp moves, if none is ready.
inline void IssueStage::noteWaits(unsigned Scheduler, WarpClasses &Classes) {
  uint64_t Mine = WarpsOf[Scheduler];
  for (uint32_t Left = Classes.readyPipes(); Left; Left &= Left - 1)
    if (Classes.ready(unsigned(std::countr_zero(Left))) & Mine)
      return;
  AllWait |= uint64_t(1) << Scheduler;
  Classes.forgetMoves(Mine);
}

template <typename HasRoom, typename Preferred, typename Try, typename Refusal>
Attempt IssueStage::issueFrom(unsigned Scheduler, WarpClasses &Classes,
                              HasRoom Room, Preferred Prefers, Try Tries,
                              Refusal Refuses) {
  AllWait &= ~(uint64_t(1) << Scheduler);
  uint64_t Candidates = candidates(Scheduler, Classes, Room);
  while (Candidates) {
    uint64_t From = Prefers(Candidates);
    if (!From) [[unlikely]]
      return Attempt::Failed;
    unsigned Slot = Schedulers[Scheduler].pick(From);
    Candidates &= ~(uint64_t(1) << Slot);
    Attempt Of = Tries(Slot);
    if (Of == Attempt::Refused)
      continue;
    if (Of == Attempt::TookNoSlot) [[unlikely]] {
      Candidates = candidates(Scheduler, Classes, Room);
      continue;
    }
    if (Of == Attempt::Issued) {
      Schedulers[Scheduler].issued(Slot);
      LastUse[Scheduler] = SlotUse::Issued;
    }
    return Of;
  }
  LastUse[Scheduler] = lostFor(Scheduler, Classes, Refuses);
  noteWaits(Scheduler, Classes);
  return Attempt::Refused;
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_ISSUESTAGE_H
