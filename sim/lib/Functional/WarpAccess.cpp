//===- WarpAccess.cpp - Accesses that are carried out after their issue ---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include "Exec/MbarrierObject.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

namespace regshare::sim {

static void computeAddresses(ExecContext &C, const Inst &I) {
  static const Handler AddressesOf = findHandler("addresses");
  AddressesOf(C, I);
}

/// cp.async as a store to the shared memory that it writes.
static Inst storeOf(const Inst &Copy) {
  Inst Store = Copy;
  Store.IsLoad = false;
  Store.Where = Space::Shared;
  Store.Imm = Copy.Target;
  return Store;
}

/// Of the addresses in the context, which are those of \p I.
uint32_t Warp::scratchpadEnd(const Inst &I) const {
  if (I.Where != Space::Shared && I.Where != Space::Generic)
    return 0;
  uint64_t End = 0;
  uint64_t Bytes =
      I.Op == OpClass::Matrix ? C.TexelBytes : uint64_t(I.Size) * I.Count;
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    uint64_t Address = C.Addresses[std::countr_zero(Rest)];
    if (I.Where == Space::Generic) {
      if ((Address & ~(WindowSize - 1)) != SharedWindow)
        continue;
      Address &= WindowSize - 1;
    }
    End = std::max(End, Address + Bytes);
  }
  // Pieces of a matrix beyond the lanes' first ones.
  if (I.Op == OpClass::Matrix)
    for (uint64_t Address : C.MoreTexels)
      if (I.Where == Space::Shared ||
          (Address & ~(WindowSize - 1)) == SharedWindow)
        End = std::max(End, (Address & (WindowSize - 1)) + C.TexelBytes);
  // What lies beyond is an error that the access reports.
  return uint32_t(std::min<uint64_t>(End, C.SharedBytes));
}

bool Warp::reachesScratchpad(const Inst &I) {
  const Inst Access = I.isCopy() ? storeOf(I) : I;
  if (!C.Mask ||
      (Access.Where != Space::Shared && Access.Where != Space::Generic))
    return false;
  computeAddresses(C, Access);
  return scratchpadEnd(Access);
}

uint32_t Warp::nextScratchpadEnd() {
  const StackEntry &Top = Stack.back();
  const Inst &I = function().Code[Top.Pc];
  uint32_t Mask = C.Mask;
  C.Mask = I.Attention & AttendNative ? computeFolded(I)
                                      : Top.Mask & C.pred(I.Guard);
  uint32_t End = 0;
  if (C.Mask) {
    const Inst Access = I.isCopy() ? storeOf(I) : I;
    if (Access.Where == Space::Shared || Access.Where == Space::Generic) {
      computeAddresses(C, Access);
      End = scratchpadEnd(Access);
    }
  }
  C.Mask = Mask;
  return End;
}

uint32_t Warp::lastScratchpadEnd() {
  if (!Last->isCopy())
    return C.Mask ? scratchpadEnd(*Last) : 0;
  if (!C.Mask)
    return 0;
  // It changes no register, so that its addresses can be computed again. Those
  // in the context stay what it reads from.
  uint64_t Sources[WarpSize];
  std::copy_n(C.Addresses, WarpSize, Sources);
  const Inst Store = storeOf(*Last);
  computeAddresses(C, Store);
  uint32_t End = scratchpadEnd(Store);
  std::copy_n(Sources, WarpSize, C.Addresses);
  return End;
}

/// Fills the addresses; true if any lane's is in global memory. Constants do
/// not change while a kernel runs and are read at once.
bool Warp::goesToGlobal(const Inst &I) {
  if (!I.isCopy() && I.Where != Space::Global && I.Where != Space::Generic)
    return false;
  computeAddresses(C, I);
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
  unsigned AddressRows = I.Flags & FlagAddress32 ? 1 : 2;
  unsigned ValueRows = (I.Size + 3) / 4;
  if (I.Flags & FlagTexture) {
    for (unsigned K = 0; I.IsStore && K != I.Count; ++K)
      Copy.take(K, ValueRows);
    Copy.take(I.Count, 2);
    for (unsigned K = 1; K <= I.Target; ++K)
      Copy.take(I.Count + K, 1);
  } else if (I.isCopy()) {
    Copy.take(0, AddressRows);
    Copy.take(1, 2);
    Copy.take(2, 1);
    if (I.isBulkCopy())
      Copy.take(3, 1);
  } else if (I.IsAtomic) {
    unsigned Values = I.Count == 1 ? 2 : I.Count;
    Copy.take(I.Count, AddressRows);
    for (unsigned K = 1; K <= Values; ++K)
      Copy.take(I.Count + K, ValueRows);
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
  Bytes.clear();
  if (I.Where == Space::Local)
    return;
  computeAddresses(C, I);
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

/// Executes a memory instruction; \p Place is where it is in the code.
void Warp::perform(const Inst &I, const CodePlace &Place) {
  I.Fn(C, I);
  if (C.F.Kind != FaultKind::None) [[unlikely]]
    letPass(I, Place);
}

/// The same, and notes whether memory changes if somebody wants to know.
void Warp::carryOut(const Inst &I, const CodePlace &Place) {
  bool Writes = I.IsStore || I.IsAtomic;
  if (!L.Watch || !Writes || L.Watch->Changed) [[likely]] {
    perform(I, Place);
    return;
  }
  // It is not looked at what copies and matrices write.
  bool IsCopy = (I.IsLoad && !I.IsAtomic) || I.Op == OpClass::Matrix;
  std::vector<uint8_t> Before, After;
  if (!IsCopy)
    gather(I, Before);
  perform(I, Place);
  if (!IsCopy)
    gather(I, After);
  L.Watch->Changed = IsCopy || Before != After;
}

bool Warp::tell(const ExecContext::BulkArrival &Arrival) {
  return tellBarrier(C.Shared, C.SharedBytes, Arrival.Barrier, Arrival.Bytes);
}

StepStatus Warp::finish(PendingAccess &Access) {
  C.Bases[3] = Access.Operands;
  C.Mask = Access.Mask;
  // Another frame's lanes may run by now.
  uint32_t *Current = C.Bases[0];
  C.Bases[0] = Registers.data() + size_t(Access.FirstRow) * WarpSize;
  C.TellsLater = true;
  carryOut(Access.I, {Access.In, Access.Original});
  C.Bases[0] = Current;
  for (const auto &[Family, Of] : Rules)
    Of->arrived(Access);
  if (C.F.Kind == FaultKind::None) [[likely]]
    return StepStatus::Ran;
  Last = Access.Original;
  LastFunction = Access.In;
  return failAccess(Access.I);
}

} // namespace regshare::sim
