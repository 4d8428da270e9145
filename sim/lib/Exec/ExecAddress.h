//===- ExecAddress.h - Address computation and checks -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How memory handlers get from operands to host addresses: one check for the
/// whole warp where all lanes fall into one allocation, which is nearly
/// always, and a lane by lane path for the rest.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_EXECADDRESS_H
#define REGSHARE_SIM_EXEC_EXECADDRESS_H

#include "ExecCommon.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

/// Where the lanes of one access are.
struct Access {
  enum Kind : u8 {
    Bad,   ///< A fault is recorded.
    Flat,  ///< Host address is Base + Addresses[lane].
    Local, ///< Interleaved local memory at offset Addresses[lane].
    Mixed, ///< Lanes are in different spaces or allocations.
  };
  Kind K = Bad;
  u8 *Base = nullptr;
};

/// Fills C.Addresses. Lanes outside of the mask get the address of the first
/// lane inside, so that loads may run over all 32.
inline void computeAddresses(ExecContext &C, const Inst &I, RowRef Op) {
  u64 Offset = u64(I.Imm);
  if (I.Flags & FlagConstBase) {
    for (unsigned L = 0; L != WarpSize; ++L)
      C.Addresses[L] = Offset;
    return;
  }
  const u32 *Row = C.row(Op);
  if (I.Flags & FlagAddress32) {
    u64 Begin = I.Where == Space::Const ? DeviceBase : 0;
    for (unsigned L = 0; L != WarpSize; ++L)
      C.Addresses[L] = Begin | u32(Row[L] + u32(Offset));
  } else
    for (unsigned L = 0; L != WarpSize; ++L)
      C.Addresses[L] = fromRow<u64>(Row, L) + Offset;
  if (C.Mask != FullMask) {
    u64 First = C.Addresses[std::countr_zero(C.Mask)];
    for (unsigned L = 0; L != WarpSize; ++L)
      C.Addresses[L] = C.Mask >> L & 1 ? C.Addresses[L] : First;
  }
}

inline Space spaceOf(u64 Address) {
  switch (Address & ~(WindowSize - 1)) {
  case SharedWindow:
    return Space::Shared;
  case LocalWindow:
    return Space::Local;
  case ParamWindow:
    return Space::Param;
  default:
    return Space::Global;
  }
}

/// Looks up the allocation of [Lo, Hi), remembering it for the instruction.
inline const GlobalMemory::Range *findRange(ExecContext &C, const Inst &I,
                                            u64 Lo, u64 Hi) {
  CachedRange &Cached = C.Ranges[I.Source % NumCachedRanges];
  if (Cached.Epoch != C.Global->epoch() || !Cached.R.contains(Lo, Hi)) {
    const GlobalMemory::Range *R = C.Global->find(Lo);
    if (!R || !R->contains(Lo, Hi))
      return nullptr;
    Cached.R = *R;
    Cached.Epoch = C.Global->epoch();
  }
  return &Cached.R;
}

struct Bounds {
  u64 Lo, Hi, Bits;
};

inline Bounds boundsOf(const ExecContext &C) {
  u64 Lo = C.Addresses[0], Hi = Lo, Bits = 0;
  for (unsigned L = 0; L != WarpSize; ++L) {
    u64 A = C.Addresses[L];
    Lo = A < Lo ? A : Lo;
    Hi = A > Hi ? A : Hi;
    Bits |= A;
  }
  return {Lo, Hi, Bits};
}

/// Size and storage of a space that is one piece of memory.
inline void flatSpace(ExecContext &C, Space S, u8 *&Base, u64 &Bytes) {
  if (S == Space::Shared) {
    Base = C.Shared;
    Bytes = C.SharedBytes;
  } else if (S == Space::Param) {
    Base = const_cast<u8 *>(C.Params);
    Bytes = C.ParamBytes;
  } else {
    Base = C.Local.Data;
    Bytes = C.Local.Bytes;
  }
}

inline u64 windowOf(Space S) {
  return S == Space::Shared  ? SharedWindow
         : S == Space::Local ? LocalWindow
         : S == Space::Param ? ParamWindow
                             : 0;
}

/// The slow path for one lane: a host pointer for \p Bytes bytes that lie
/// together, or null with the fault recorded.
inline u8 *lanePointer(ExecContext &C, const Inst &I, unsigned Lane,
                       unsigned Bytes, bool Write) {
  u64 Address = C.Addresses[Lane];
  Space S = I.Where == Space::Generic ? spaceOf(Address) : I.Where;
  if (Address & (Bytes - 1)) {
    C.fault(FaultKind::Misaligned, Lane, Address, S);
    return nullptr;
  }
  if (S == Space::Global || S == Space::Const) {
    const GlobalMemory::Range *R = C.Global->find(Address);
    if (!R || !R->contains(Address, Address + Bytes)) {
      C.fault(FaultKind::OutOfBounds, Lane, Address, S);
      return nullptr;
    }
    if (Write && R->ReadOnly) {
      C.fault(FaultKind::ReadOnlyWrite, Lane, Address, S);
      return nullptr;
    }
    return R->host(Address);
  }
  u64 Offset = I.Where == Space::Generic ? Address - windowOf(S) : Address;
  u8 *Base;
  u64 Size;
  flatSpace(C, S, Base, Size);
  if (Offset + Bytes > Size || Offset + Bytes < Offset) {
    C.fault(FaultKind::OutOfBounds, Lane, Address, S);
    return nullptr;
  }
  if (Write && S == Space::Param) {
    C.fault(FaultKind::ReadOnlyWrite, Lane, Address, S);
    return nullptr;
  }
  if (S == Space::Local)
    return Base + Offset / 4 * (4 * WarpSize) + Lane * 4 + Offset % 4;
  return Base + Offset;
}

/// Records the fault of the first lane that has one.
inline Access findFault(ExecContext &C, const Inst &I, unsigned Bytes,
                        bool Write) {
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1)
    if (!lanePointer(C, I, std::countr_zero(Rest), Bytes, Write))
      return {};
  C.Accessed = Space::Generic;
  return {Access::Mixed, nullptr};
}

/// Checks the access of all lanes of the mask; \p Bytes is a power of two.
inline Access locate(ExecContext &C, const Inst &I, unsigned Bytes,
                     bool Write) {
  Bounds B = boundsOf(C);
  Space S = I.Where;
  u64 Window = 0;
  if (S == Space::Generic) {
    S = spaceOf(B.Lo);
    if (S != spaceOf(B.Hi))
      return findFault(C, I, Bytes, Write);
    Window = windowOf(S);
  }
  if (B.Bits & (Bytes - 1))
    return findFault(C, I, Bytes, Write);
  C.Accessed = S;
  if (S == Space::Global || S == Space::Const) {
    const GlobalMemory::Range *R = findRange(C, I, B.Lo, B.Hi + Bytes);
    if (!R || (Write && R->ReadOnly))
      return findFault(C, I, Bytes, Write);
    return {Access::Flat, reinterpret_cast<u8 *>(R->Delta)};
  }
  u8 *Base;
  u64 Size;
  flatSpace(C, S, Base, Size);
  if (B.Hi - Window + Bytes > Size || B.Hi - Window + Bytes < Bytes ||
      (Write && S == Space::Param))
    return findFault(C, I, Bytes, Write);
  return {S == Space::Local ? Access::Local : Access::Flat,
          reinterpret_cast<u8 *>(reinterpret_cast<u64>(Base) -
                                 (S == Space::Local ? 0 : Window))};
}

inline u8 *flatAddress(const Access &A, u64 Address) {
  return reinterpret_cast<u8 *>(reinterpret_cast<u64>(A.Base) + Address);
}

/// The host's address of the bytes of \p Lane, none of them in local memory.
inline u8 *laneAddress(ExecContext &C, const Inst &I, const Access &A,
                       unsigned Lane, unsigned Bytes, bool Write) {
  return A.K == Access::Flat ? flatAddress(A, C.Addresses[Lane])
                             : lanePointer(C, I, Lane, Bytes, Write);
}

/// Address of the 32-bit word (or part of one) at \p Offset of \p Lane.
inline u8 *localAddress(const ExecContext &C, unsigned Lane, u64 Offset) {
  return C.Local.Data + Offset / 4 * (4 * WarpSize) + Lane * 4 + Offset % 4;
}

} // namespace regshare::sim::REGSHARE_SIM_ISA

#endif // REGSHARE_SIM_EXEC_EXECADDRESS_H
