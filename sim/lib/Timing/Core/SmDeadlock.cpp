//===- SmDeadlock.cpp - Who waits for whom --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

uint64_t Sm::waitsFor(const Slot &S) const {
  if (S.Class == WarpClasses::Held)
    return heldBackBy(S.Ref.Slot).Holders;
  if (S.Class != uint8_t(SlotUse::Barrier))
    return 0;
  uint64_t For = 0;
  std::vector<unsigned> Missing = Ctas[S.Ref.CtaSlot].C->missingFor(*S.W);
  for (const Slot &Other : Slots)
    if (Other.Class != WarpClasses::None &&
        Other.Ref.CtaSlot == S.Ref.CtaSlot &&
        std::ranges::find(Missing, Other.Ref.Index) != Missing.end())
      For |= uint64_t(1) << Other.Ref.Slot;
  return For;
}

/// Goes on from the last warp of \p Path. True once it meets itself: the path
/// then is the round.
bool Sm::extendRound(std::vector<unsigned> &Path, uint64_t &Seen) const {
  for (uint64_t Rest = waitsFor(Slots[Path.back()]); Rest; Rest &= Rest - 1) {
    unsigned Next = std::countr_zero(Rest);
    if (auto It = std::ranges::find(Path, Next); It != Path.end()) {
      Path.erase(Path.begin(), It);
      return true;
    }
    if (Seen >> Next & 1)
      continue;
    Seen |= uint64_t(1) << Next;
    Path.push_back(Next);
    if (extendRound(Path, Seen))
      return true;
    Path.pop_back();
  }
  return false;
}

/// Warps each of which waits for the next and the last for the first; empty if
/// there are none.
std::vector<unsigned> Sm::findRound() const {
  uint64_t Seen = 0;
  for (uint64_t Rest = Classes.heldBack(); Rest; Rest &= Rest - 1) {
    std::vector<unsigned> Path = {unsigned(std::countr_zero(Rest))};
    Seen |= uint64_t(1) << Path[0];
    if (extendRound(Path, Seen))
      return Path;
  }
  return {};
}

std::string Sm::nameOf(const Slot &S) const {
  Dim3 I = Ctas[S.Ref.CtaSlot].C->index();
  return "CTA (" + std::to_string(I.X) + "," + std::to_string(I.Y) + "," +
         std::to_string(I.Z) + ") warp " + std::to_string(S.Ref.Index);
}

/// What a warp waits for, among others from the warp in the slot \p For.
std::string Sm::describeWait(const Slot &S, unsigned For) const {
  unsigned Others = unsigned(std::popcount(waitsFor(S))) - 1;
  std::string Whom = nameOf(Slots[For]);
  if (Others)
    Whom += " and " + std::to_string(Others) +
            (Others == 1 ? " other warp" : " other warps");
  if (S.Class == WarpClasses::Held)
    return nameOf(S) + " waits for " + heldBackBy(S.Ref.Slot).Wants + " at " +
           S.W->whereNext() + ", held by " + Whom;
  return nameOf(S) + " waits at " + barrierName(S.W->barrierNumber()) + " at " +
         S.W->where() + " for " + Whom;
}

void Sm::reportRunning(const std::string &Rule, ErrorKind Kind) {
  L.KindOfError = Kind;
  for (const Slot &S : Slots) {
    if (S.Class == WarpClasses::None || S.W->isFinished())
      continue;
    Dim3 I = Ctas[S.Ref.CtaSlot].C->index();
    L.Error = Rule + "\n  kernel '" + L.Kernel.Name + "', SM " +
              std::to_string(Id) + ", CTA (" + std::to_string(I.X) + "," +
              std::to_string(I.Y) + "," + std::to_string(I.Z) + "), warp " +
              std::to_string(S.Ref.Index) + ": " +
              (S.Class < WarpClasses::Ready   ? slotUseHelp(SlotUse(S.Class))
               : S.Class == WarpClasses::Held ? slotUseHelp(SlotUse::SchemeGate)
                                              : "ready to issue") +
              "\n  at " + S.W->where();
    L.ErrorLine = S.W->line();
    return;
  }
}

void Sm::reportDeadlock() {
  if (!keepsHolders())
    return;
  std::vector<unsigned> Round = findRound();
  if (!Round.empty()) {
    L.KindOfError = ErrorKind::Deadlock;
    L.Error = "deadlock: warps wait for each other\n  kernel '" +
              L.Kernel.Name + "', SM " + std::to_string(Id);
    for (size_t K = 0; K != Round.size(); ++K)
      L.Error +=
          "\n  " + describeWait(Slots[Round[K]], Round[(K + 1) % Round.size()]);
    const Slot &First = Slots[Round[0]];
    L.ErrorLine = First.Class == WarpClasses::Held ? First.W->nextLine()
                                                   : First.W->line();
    return;
  }
  if (uint64_t Waiting = Classes.waiting(SlotUse::Barrier)) {
    // Not who waits for warps that would come once the others go on.
    if (Incomplete && Waiting & ~Ctas[*Incomplete].Warps)
      Waiting &= ~Ctas[*Incomplete].Warps;
    const Slot &S = Slots[std::countr_zero(Waiting)];
    Ctas[S.Ref.CtaSlot].C->reportDeadlock();
    return;
  }
  reportRunning("deadlock: no warp can go on", ErrorKind::Deadlock);
}

} // namespace regshare::sim
