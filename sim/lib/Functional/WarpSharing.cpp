//===- WarpSharing.cpp - Registers that a warp gives back -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"
#include "regshare/Base/Sharing/Sharing.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace regshare::sim {

/// What some instructions need before they execute. False if this one does not
/// execute now; \p Status says why.
bool Warp::attend(const Inst &I, StepStatus &Status) {
  if (I.Attention & AttendExtended && !Extended) {
    Status = failReleased(I);
    return false;
  }
  // Whether memory is the CTA's scratchpad shows when it is accessed.
  if (I.Attention & AttendShared && Released &&
      (I.Kind != InstKind::Memory ||
       Frames.back().Fn->Facts.get<PrivateRegisters>())) {
    Status = failShared(I);
    return false;
  }
  if (I.Attention & AttendUncached) {
    Status = failUncached(I);
    return false;
  }
  if (I.Attention & AttendCache &&
      (Status = readCache(I)) == StepStatus::Failed)
    return false;
  if (!I.MemberOp || !C.Mask)
    return true;
  bool Proceed = false;
  Status = warpSync(I, Proceed);
  Yielded = !Proceed;
  L.Stats.WarpInstructions += Yielded;
  return Proceed;
}

/// The rows' values are lost, those of parked lanes too.
void Warp::forget(const Frame &F, const uint32_t *Rows, size_t Count) {
  uint32_t *WrittenOf = WrittenLanes.data() + F.FirstWritten;
  for (size_t K = 0; K != Count; ++K) {
    std::fill_n(Registers.data() + size_t(F.FirstRow + Rows[K]) * WarpSize,
                WarpSize, Poison);
    WrittenOf[Rows[K]] = 0;
  }
}

void Warp::releaseExtended() {
  if (!Extended)
    return;
  Extended = false;
  std::vector<uint32_t> Rows;
  for (size_t N = 0; N != Frames.size(); ++N) {
    const Frame &F = Frames[N];
    const auto *Split = F.Fn->Facts.get<RegMutexSplit>();
    if (!Split || F.Storage != N || Split->Base >= F.Fn->RegsPerThread)
      continue;
    Rows.resize(F.Fn->RegsPerThread - Split->Base);
    std::iota(Rows.begin(), Rows.end(), Split->Base);
    forget(F, Rows.data(), Rows.size());
  }
}

/// Under register or scratchpad sharing. What the warp had in shared registers
/// is the other CTA's from now on.
void Warp::releaseShared() {
  const Function &Fn = *Frames.back().Fn;
  const auto *Private = Fn.Facts.get<PrivateRegisters>();
  if (Released || !(Private || Fn.Scheme == schemes::ScratchpadSharing.Name))
    return;
  Released = true;
  if (!Private || Private->Registers >= Fn.RegsPerThread)
    return;
  std::vector<uint32_t> Rows(Fn.RegsPerThread - Private->Registers);
  std::iota(Rows.begin(), Rows.end(), Private->Registers);
  forget(Frames[Frames.back().Storage], Rows.data(), Rows.size());
}

StepStatus Warp::stepOverFree() {
  StackEntry &Top = Stack.back();
  const Frame &F = Frames.back();
  const Inst &I = F.Fn->Code[Top.Pc];
  Last = &I;
  LastFunction = F.Fn;
  if (I.Kind == InstKind::Strand) {
    loseCache();
  } else if (I.Kind == InstKind::Free && freesNow()) {
    forget(Frames[F.Storage], F.Fn->Accesses.data() + I.FirstAccess,
           size_t(I.Imm));
    HasFreed = true;
  }
  ++Top.Pc;
  return Top.Pc == Top.Reconverge ? afterStep() : StepStatus::Ran;
}

/// The value came for a register that had been freed since the access issued:
/// no other instruction can have written it, because it waits for this one.
void Warp::forgetLate(const PendingAccess &Late) {
  const Inst &I = *Late.Original;
  const uint32_t *Writes =
      Late.In->Accesses.data() + I.FirstAccess + I.NumReads;
  for (unsigned K = 0; K != I.NumWrites; ++K)
    if (!(WrittenLanes[Late.FirstWritten + Writes[K]] & Late.Mask))
      std::fill_n(Registers.data() +
                      size_t(Late.FirstRow + Writes[K]) * WarpSize,
                  WarpSize, Poison);
}

/// The first register that \p I names and the warp does not hold.
StepStatus Warp::failReleased(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  const uint32_t *Accesses = Fn.Accesses.data() + I.FirstAccess;
  const uint32_t *Named =
      std::find_if(Accesses, Accesses + I.NumReads + I.NumWrites,
                   [&](uint32_t Access) { return Fn.isExtended(Access); });
  return fail("use of a register of the extended set, which the warp has not "
              "acquired (" +
                  Fn.nameOf(*Named) + "); the base set is R0 to R" +
                  std::to_string(Fn.Facts.get<RegMutexSplit>()->Base - 1),
              std::countr_zero(Stack.back().Mask));
}

/// What \p I uses although the warp has said that it is done with it.
StepStatus Warp::failShared(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  unsigned Lane = std::countr_zero(Stack.back().Mask);
  if (I.Kind == InstKind::Call)
    return fail("call of a function behind a release: it may use what the warp "
                "shares with the paired CTA",
                Lane);
  if (Fn.Scheme == schemes::ScratchpadSharing.Name)
    return fail("access to shared memory behind a release", Lane);
  const uint32_t *Accesses = Fn.Accesses.data() + I.FirstAccess;
  const uint32_t *Named =
      std::find_if(Accesses, Accesses + I.NumReads + I.NumWrites,
                   [&](uint32_t Access) { return Fn.isShared(Access); });
  return fail("use of a shared register behind a release (" +
                  Fn.nameOf(*Named) + "); registers from R" +
                  std::to_string(Fn.Facts.get<PrivateRegisters>()->Registers) +
                  " on are shared with the paired CTA",
              Lane);
}

/// The first register that \p I names and the PREFETCH of its interval, or the
/// PREF of its bundle, does not.
StepStatus Warp::failUncached(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  uint32_t Id = Fn.IntervalOf[size_t(&I - Fn.Code.data())];
  const uint32_t *Accesses = Fn.Accesses.data() + I.FirstAccess;
  const uint32_t *Named =
      std::find_if(Accesses, Accesses + I.NumReads + I.NumWrites,
                   [&](uint32_t Access) { return !Fn.isCached(Access, Id); });
  if (const auto *Bundles = Fn.Facts.get<BundleBounds>()) {
    std::string Kept =
        Bundles->Kept ? "R0 to R" + std::to_string(Bundles->Kept - 1) + " are"
                      : "none is";
    return fail("use of a register that may be in scratchpad and that " +
                    std::string(Id == NoInterval
                                    ? "no bundle brings"
                                    : "its bundle does not bring") +
                    " (" + Fn.nameOf(*Named) + "); " + Kept +
                    " always in the register file",
                std::countr_zero(Stack.back().Mask));
  }
  std::string Where = Id == NoInterval ? "an interval without registers"
                                       : "interval " + std::to_string(Id) +
                                             ", whose working set it is not in";
  return fail("use of a register that is not in the register cache (" +
                  Fn.nameOf(*Named) + ") in " + Where,
              std::countr_zero(Stack.back().Mask));
}

StepStatus Warp::failHolding() {
  return fail("a barrier while the warp holds its extended set: the warps that "
              "it waits for may wait for that set",
              std::countr_zero(C.Mask));
}

} // namespace regshare::sim
