//===- WarpScheduler.cpp - Which warp issues next -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpScheduler.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

unsigned lazyActiveWarps(uint64_t All, uint64_t First, unsigned Schedulers,
                         unsigned MaxWarps) {
  return unsigned(std::clamp<uint64_t>(All / First, Schedulers, MaxWarps));
}

void WarpScheduler::arrive(unsigned Slot) {
  Age[Slot] = ++NextAge;
  if (isTwoLevel())
    Parked.push_back(uint8_t(Slot));
  else
    Active |= uint64_t(1) << Slot;
}

void WarpScheduler::leave(unsigned Slot) {
  Active &= ~(uint64_t(1) << Slot);
  std::erase(Parked, uint8_t(Slot));
}

unsigned WarpScheduler::oldest(uint64_t Candidates) const {
  unsigned Best = std::countr_zero(Candidates);
  for (uint64_t Rest = Candidates & (Candidates - 1); Rest; Rest &= Rest - 1) {
    unsigned Slot = std::countr_zero(Rest);
    if (Age[Slot] < Age[Best])
      Best = Slot;
  }
  return Best;
}

unsigned WarpScheduler::youngest(uint64_t Candidates) const {
  unsigned Best = std::countr_zero(Candidates);
  for (uint64_t Rest = Candidates & (Candidates - 1); Rest; Rest &= Rest - 1) {
    unsigned Slot = std::countr_zero(Rest);
    if (Age[Slot] > Age[Best])
      Best = Slot;
  }
  return Best;
}

unsigned WarpScheduler::pick(uint64_t Candidates) const {
  if (Policy == SchedulerPolicy::OWF)
    return oldest(Candidates);
  if (Policy == SchedulerPolicy::GTO || Policy == SchedulerPolicy::LazyGTO)
    return Candidates >> Last & 1 ? Last : oldest(Candidates);
  if (Policy == SchedulerPolicy::CGGTY)
    return Candidates >> Last & 1 ? Last : youngest(Candidates);
  uint64_t After = Last == 63 ? 0 : Candidates & (~uint64_t(0) << (Last + 1));
  return std::countr_zero(After ? After : Candidates);
}

/// Which of several active warps that wait makes room: the one that issued
/// last, if it is among them, since its wait has just begun.
unsigned WarpScheduler::whoLeaves(uint64_t Waiting) const {
  return Waiting >> Last & 1 ? Last : std::countr_zero(Waiting);
}

void WarpScheduler::update(uint64_t Waiting, uint64_t &Entered,
                           uint64_t &Left) {
  Entered = Left = 0;
  while (unsigned(std::popcount(Active)) > ActiveLimit) {
    // Of those that can go on one has to stay, or nothing may change any more.
    uint64_t Idle = Active & Waiting;
    uint64_t Bit = uint64_t(1) << youngest(Idle ? Idle : Active);
    Active &= ~Bit;
    Left |= Bit;
  }
  for (auto It = Parked.begin(); It != Parked.end();) {
    uint64_t Bit = uint64_t(1) << *It;
    uint64_t Replaceable = Active & Waiting;
    bool IsFull = unsigned(std::popcount(Active)) >= ActiveLimit;
    if (IsFull && !Replaceable)
      break;
    if (Waiting & Bit) {
      ++It;
      continue;
    }
    if (IsFull)
      Left |= uint64_t(1) << whoLeaves(Replaceable);
    Active &= ~Left;
    activate(*It);
    Entered |= Bit;
    It = Parked.erase(It);
  }
  for (uint64_t Rest = Left; Rest; Rest &= Rest - 1)
    Parked.push_back(uint8_t(std::countr_zero(Rest)));
}

void WarpScheduler::activate(unsigned Slot) {
  Active |= uint64_t(1) << Slot;
  Entry[Slot] = ++Entries;
}

bool WarpScheduler::exchange(uint64_t Waiting, uint64_t MayLeave,
                             unsigned &Entered, unsigned &Left) {
  auto First = std::ranges::find_if(
      Parked, [&](uint8_t Slot) { return !(Waiting >> Slot & 1); });
  uint64_t Leaving = Active & MayLeave;
  if (First == Parked.end() || !Leaving)
    return false;
  Left = std::countr_zero(Leaving);
  for (uint64_t Rest = Leaving; Rest; Rest &= Rest - 1)
    if (unsigned Slot = std::countr_zero(Rest); Entry[Slot] < Entry[Left])
      Left = Slot;
  Entered = *First;
  Parked.erase(First);
  Parked.push_back(uint8_t(Left));
  Active &= ~(uint64_t(1) << Left);
  activate(Entered);
  return true;
}

} // namespace regshare::sim
