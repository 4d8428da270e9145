//===- ExecMbarrier.cpp - Barriers in shared memory -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecAddress.h"
#include "MbarrierObject.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

HandlerList mbarrierHandlers();

/// The object of a lane; null with a fault recorded.
static u8 *objectOf(ExecContext &C, const Inst &I, unsigned Lane, bool Write) {
  u64 Address = C.Addresses[Lane];
  Space S = I.Where == Space::Generic ? spaceOf(Address) : I.Where;
  if (S != Space::Shared) {
    C.fault(FaultKind::Unsupported, Lane, Address, S);
    return nullptr;
  }
  return lanePointer(C, I, Lane, 8, Write);
}

/// Ops: state (before), address, count. Lanes take turns from lane 0 up. Round:
/// the MbarrierOp.
static void changeBarrier(ExecContext &C, const Inst &I) {
  auto Op = MbarrierOp(I.Round);
  computeAddresses(C, I, I.Ops[1]);
  const u32 *Counts = C.row(I.Ops[2]);
  RowBuffer Before;
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    u8 *At = objectOf(C, I, L, true);
    if (!At)
      return;
    u64 Word;
    std::memcpy(&Word, At, 8);
    Before.set(L, Word);
    auto Object = MbarrierObject::unpack(Word);
    bool IsThere = Op == MbarrierOp::Init || MbarrierObject::isOne(Word);
    if (!IsThere || !Object.apply(Op, Counts[L])) {
      C.fault(FaultKind::Unsupported, L, C.Addresses[L], Space::Shared);
      return;
    }
    Word = Op == MbarrierOp::Invalidate ? 0 : Object.pack();
    std::memcpy(At, &Word, 8);
  }
  if (I.IsLoad)
    writeBuffer<u64>(C, I.Ops[0], Before);
  C.Accessed = Space::Shared;
}

/// Ops: p, address, state or parity. Whether the phase is over: of the token,
/// or the last one of that parity.
template <bool ByParity> void testBarrier(ExecContext &C, const Inst &I) {
  computeAddresses(C, I, I.Ops[1]);
  const u32 *State = C.row(I.Ops[2]);
  u32 Over = 0;
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    const u8 *At = objectOf(C, I, L, false);
    if (!At)
      return;
    u64 Word;
    std::memcpy(&Word, At, 8);
    if (!MbarrierObject::isOne(Word)) {
      C.fault(FaultKind::Unsupported, L, C.Addresses[L], Space::Shared);
      return;
    }
    bool Waited = ByParity
                      ? State[L] & 1
                      : MbarrierObject::unpack(fromRow<u64>(State, L)).Parity;
    Over |= u32(MbarrierObject::unpack(Word).Parity != Waited) << L;
  }
  C.setPred(I.Ops[0], Over);
  C.Accessed = Space::Shared;
}

/// Ops: d, state.
static void pendingCount(ExecContext &C, const Inst &I) {
  const u32 *State = C.row(I.Ops[1]);
  emit<u32>(C, I.Ops[0], [=](unsigned L) {
    return MbarrierObject::unpack(fromRow<u64>(State, L)).Pending;
  });
}

static const HandlerEntry Entries[] = {
    {"mbarrier.change", changeBarrier},
    {"mbarrier.test", testBarrier<false>},
    {"mbarrier.test.parity", testBarrier<true>},
    {"mbarrier.pending", pendingCount},
};

HandlerList mbarrierHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
