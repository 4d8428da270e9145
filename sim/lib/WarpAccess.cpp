//===- WarpAccess.cpp - Accesses that are carried out after their issue ---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include <bit>
#include <cassert>
#include <cstring>

namespace regshare::sim {

/// Fills the addresses; true if any lane's is in global memory. Constants do
/// not change while a kernel runs and are read at once.
bool Warp::goesToGlobal(const Inst &I) {
  bool IsCopy = I.IsLoad && I.IsStore && !I.IsAtomic;
  if (!IsCopy && I.Where != Space::Global && I.Where != Space::Generic)
    return false;
  static const Handler AddressesOf = findHandler("addresses");
  AddressesOf(C, I);
  C.Accessed = Space::Global;
  if (I.Where != Space::Generic)
    return true;
  uint32_t InWindows = 0;
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    uint64_t Window = C.Addresses[Lane] & ~(WindowSize - 1);
    if (Window == SharedWindow || Window == LocalWindow ||
        Window == ParamWindow)
      InWindows |= 1u << Lane;
  }
  if (InWindows)
    C.Accessed = Space::Generic;
  return InWindows != C.Mask;
}

namespace {
/// Copies the registers that an instruction reads, and renames them in it.
class OperandCopier {
public:
  OperandCopier(PendingAccess &To, const ExecContext &C) : To(To), C(C) {}
  void take(unsigned Op, unsigned Rows) {
    RowRef &Ref = To.I.Ops[Op];
    if (Ref & ~RowIndexMask)
      return;
    assert(Next + Rows <= PendingAccess::MaxRows && "too many operands");
    std::memcpy(To.Operands + size_t(Next) * WarpSize, C.row(Ref),
                Rows * WarpSize * sizeof(uint32_t));
    Ref = OperandRow | Next;
    Next += Rows;
  }

private:
  PendingAccess &To;
  const ExecContext &C;
  unsigned Next = 0;
};
} // namespace

void Warp::defer(const Inst &I, PendingQueue &Pending) {
  PendingAccess &P = Pending.push();
  P.W = this;
  P.Original = &I;
  P.In = LastFunction;
  P.I = I;
  P.Mask = C.Mask;
  P.FirstRow = Frames[Frames.back().Storage].FirstRow;
  P.FirstWritten = Frames[Frames.back().Storage].FirstWritten;
  OperandCopier Copy(P, C);
  bool IsCopy = I.IsLoad && I.IsStore && !I.IsAtomic;
  unsigned AddressRows = I.Flags & FlagAddress32 ? 1 : 2;
  unsigned ValueRows = (I.Size + 3) / 4;
  if (IsCopy) {
    Copy.take(0, AddressRows);
    Copy.take(1, 2);
    Copy.take(2, 1);
  } else if (I.IsAtomic) {
    Copy.take(1, AddressRows);
    Copy.take(2, ValueRows);
    Copy.take(3, ValueRows);
  } else if (I.IsStore) {
    Copy.take(0, AddressRows);
    for (unsigned K = 1; K <= I.Count; ++K)
      Copy.take(K, ValueRows);
  } else {
    Copy.take(I.Count, AddressRows);
  }
}

/// What memory holds where \p I accesses it, lane by lane; nothing for local
/// memory, which is the warp's own.
void Warp::gather(const Inst &I, std::vector<uint8_t> &Bytes) {
  static const Handler AddressesOf = findHandler("addresses");
  Bytes.clear();
  if (I.Where == Space::Local)
    return;
  AddressesOf(C, I);
  unsigned Size = unsigned(I.Size) * I.Count;
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    uint64_t Address = C.Addresses[Lane];
    if (I.Where == Space::Shared)
      Address |= SharedWindow;
    Bytes.resize(Bytes.size() + Size);
    readGeneric(Address, Lane, Bytes.data() + Bytes.size() - Size, Size);
  }
}

/// Executes a memory instruction, and notes whether memory changes if somebody
/// wants to know.
void Warp::carryOut(const Inst &I) {
  bool Writes = I.IsStore || I.IsAtomic;
  if (!L.Watch || !Writes || L.Watch->Changed) [[likely]] {
    I.Fn(C, I);
    return;
  }
  bool IsCopy = I.IsLoad && !I.IsAtomic;
  std::vector<uint8_t> Before, After;
  if (!IsCopy)
    gather(I, Before);
  I.Fn(C, I);
  if (!IsCopy)
    gather(I, After);
  L.Watch->Changed = IsCopy || Before != After;
}

StepStatus Warp::finish(PendingAccess &Access) {
  C.Bases[3] = Access.Operands;
  C.Mask = Access.Mask;
  // Another frame's lanes may run by now.
  uint32_t *Current = C.Bases[0];
  C.Bases[0] = Registers.data() + size_t(Access.FirstRow) * WarpSize;
  carryOut(Access.I);
  C.Bases[0] = Current;
  if (HasFreed)
    forgetLate(Access);
  if (C.F.Kind == FaultKind::None) [[likely]]
    return StepStatus::Ran;
  Last = Access.Original;
  LastFunction = Access.In;
  return failAccess(Access.I);
}

} // namespace regshare::sim
