//===- WarpCache.cpp - Values in a register cache that code manages -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SHRF: a value is in the main register file, in a slot of the warp's register
/// cache, or in both, for each lane. There is one storage for both, with a note
/// of where the value is: Written says that the main file has it. What neither
/// has any more is poisoned.
///
//===----------------------------------------------------------------------===//

#include "Warp.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include <bit>

namespace regshare::sim {

/// The kernel's registers are the first frame's.
void Warp::loseSlot(CacheSlot &S) {
  if (!S.Lanes)
    return;
  for (uint32_t Lost = S.Lanes & ~WrittenLanes[S.Row]; Lost; Lost &= Lost - 1)
    Registers.data()[size_t(S.Row) * WarpSize + std::countr_zero(Lost)] =
        Poison;
  S.Lanes = 0;
}

void Warp::loseCache() {
  for (CacheSlot &S : Cache)
    loseSlot(S);
}

/// Other lanes may come to run there, or the warp may wait for others.
bool Warp::endsStrand(const Inst &I) const {
  return I.MemberOp || I.Kind == InstKind::Barrier ||
         I.Kind == InstKind::WarpBarrier || I.Kind == InstKind::Call;
}

bool Warp::readsCache(const Inst &I, uint32_t Access) const {
  const OperandPlaces *Places = Frames.back().Fn->cachedOperands(I);
  if (!Places)
    return false;
  for (const CachePlace &P : Places->Read)
    if (P.Unit == Access)
      return true;
  return false;
}

/// Fails if the cache has not what \p I reads there.
StepStatus Warp::readCache(const Inst &I) {
  if (endsStrand(I))
    loseCache();
  const Function &Fn = *Frames.back().Fn;
  const OperandPlaces *Places = Fn.cachedOperands(I);
  if (!Places)
    return StepStatus::Ran;
  for (const CachePlace &P : Places->Read) {
    const CacheSlot &S = Cache[P.Slot];
    uint32_t Missing = C.Mask & ~(S.Row == P.Unit ? S.Lanes : 0);
    if (Missing)
      return fail("read of R" + std::to_string(P.Unit) + " from slot " +
                      std::to_string(P.Slot) +
                      " of the register cache, which does not hold it (" +
                      Fn.nameOf(P.Unit) + ")",
                  std::countr_zero(Missing));
  }
  return StepStatus::Ran;
}

/// Lanes that do not write keep what they have of the same register.
void Warp::fillSlot(const CachePlace &Place, uint32_t Mask) {
  CacheSlot &S = Cache[Place.Slot];
  if (S.Row != Place.Unit) {
    loseSlot(S);
    S.Row = Place.Unit;
  }
  S.Lanes |= Mask;
}

/// What \p I writes and fetches, for the lanes of \p Mask. Its results are
/// noted as written to the main file.
void Warp::writeCache(const Inst &I, uint32_t Mask) {
  const Function &Fn = *Frames.back().Fn;
  if (!Fn.Facts.get<CacheSlots>())
    return;
  const uint32_t *Writes = Fn.Accesses.data() + I.FirstAccess + I.NumReads;
  for (CacheSlot &S : Cache)
    for (unsigned K = 0; K != I.NumWrites; ++K)
      if (S.Row == Writes[K])
        S.Lanes &= ~Mask;
  const OperandPlaces *Places = Fn.cachedOperands(I);
  if (!Places)
    return;
  for (const CachePlace &P : Places->Fetch)
    fillSlot(P, Mask & Written[P.Unit]);
  for (const CachePlace &P : Places->Both)
    fillSlot(P, Mask);
  for (const CachePlace &P : Places->Cache) {
    fillSlot(P, Mask);
    Written[P.Unit] &= ~Mask;
  }
}

} // namespace regshare::sim
