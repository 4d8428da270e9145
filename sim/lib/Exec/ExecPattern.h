//===- ExecPattern.h - Accesses whose lanes lie in a pattern -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The fast path of loads and stores. Most warps access one place, or places
/// that lie one after the other, or one of these in each half: blocks of
/// threads are often 16 wide. Bounds and alignment then follow from two
/// addresses, and data move a vector at a time. Whatever cannot be shown to be
/// right here is left to the slow path, which finds out which lane is wrong.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_EXECPATTERN_H
#define REGSHARE_SIM_EXEC_EXECPATTERN_H

#include "ExecAddress.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

inline constexpr unsigned HalfSize = WarpSize / 2;

/// How the active lanes of half a warp access memory.
struct HalfPattern {
  enum Kind : u8 {
    Idle,      ///< There are none.
    Same,      ///< All at one address.
    Row,       ///< One after the other, in the order of lanes.
    Scattered, ///< In another way.
  };
  Kind K = Idle;
  u32 Active = 0; ///< A bit for each of its lanes.
  /// Of the low words of the active lanes' addresses; a row's first lane has
  /// the lowest.
  u32 Lowest = 0, Highest = 0;
};

/// The addresses of a warp that lie within 4 GB: Base plus a word each.
struct Pattern {
  alignas(64) u32 Low[WarpSize];
  u64 Base = 0;
  HalfPattern Halves[2];
  u32 Lowest = ~0u, Highest = 0; ///< Of Low, active lanes.
  u32 LowBits = 0;               ///< Of Low, all that are set in any.

  void widen(const HalfPattern &H) {
    Lowest = H.Lowest < Lowest ? H.Lowest : Lowest;
    Highest = H.Highest > Highest ? H.Highest : Highest;
    LowBits |= H.Lowest | H.Highest;
  }
};

/// All lanes of \p Mask hold what \p Expected says for the lane.
template <typename Fn>
inline bool allLanes(const u32 *Values, u32 Mask, unsigned First, Fn Expected) {
  Lanes Differ{};
  for (unsigned L = First; L != First + HalfSize; L += VectorLanes)
    Differ |= (loadLanes(Values + L) ^ Expected(L)) & expandMask(Mask, L);
  return isZero(Differ);
}

inline bool isUniform(const u32 *Values, u32 Mask, u32 Value) {
  Lanes Differ{};
  for (unsigned L = 0; L != WarpSize; L += VectorLanes)
    Differ |= (loadLanes(Values + L) ^ Value) & expandMask(Mask, L);
  return isZero(Differ);
}

/// Takes what the lanes of half a warp have in common; inactive ones get the
/// address of an active one, so that loads may run over all.
inline void findScattered(Pattern &P, HalfPattern &H, unsigned First) {
  H.K = HalfPattern::Scattered;
  u32 Any = P.Low[First + std::countr_zero(H.Active)];
  u32 Lowest = Any, Highest = Any, Bits = 0;
  for (unsigned L = 0; L != HalfSize; ++L) {
    u32 Each = H.Active >> L & 1 ? P.Low[First + L] : Any;
    P.Low[First + L] = Each;
    Lowest = Each < Lowest ? Each : Lowest;
    Highest = Each > Highest ? Each : Highest;
    Bits |= Each;
  }
  H.Lowest = Lowest;
  H.Highest = Highest;
  P.LowBits |= Bits;
}

/// Finds the pattern of lanes \p First and on.
[[gnu::always_inline]] inline void findHalf(Pattern &P, u32 Mask,
                                            unsigned First, unsigned Bytes) {
  HalfPattern &H = P.Halves[First != 0];
  H.Active = Mask >> First & 0xFFFF;
  if (!H.Active)
    return;
  unsigned Begin = std::countr_zero(H.Active);
  u32 Value = P.Low[First + Begin];
  u32 LaneZero = Value - (First + Begin) * Bytes;
  if (allLanes(P.Low, Mask, First, [=](unsigned) { return Lanes{} + Value; })) {
    H.K = HalfPattern::Same;
    H.Lowest = H.Highest = Value;
  } else if (allLanes(P.Low, Mask, First, [=](unsigned L) {
               return (laneNumbers() + L) * Bytes + LaneZero;
             })) {
    H.K = HalfPattern::Row;
    unsigned Last = 31 - std::countl_zero(H.Active);
    H.Lowest = Value;
    H.Highest = Value + (Last - Begin) * Bytes;
  } else {
    findScattered(P, H, First);
  }
  P.widen(H);
}

/// Of the addresses that \p Op says. False if they do not lie within 4 GB.
[[gnu::always_inline]] inline bool findPattern(const ExecContext &C,
                                               const Inst &I, RowRef Op,
                                               unsigned Bytes, Pattern &P) {
  if (I.Flags & FlagConstBase) {
    P.Base = u64(I.Imm);
    for (unsigned L = 0; L != WarpSize; ++L)
      P.Low[L] = 0;
    for (unsigned H = 0; H != 2; ++H)
      if (u32 Active = C.Mask >> H * HalfSize & 0xFFFF)
        P.Halves[H] = {HalfPattern::Same, Active, 0, 0};
    P.Lowest = 0;
    return true;
  }
  const u32 *Row = C.row(Op);
  u32 Shift = 0;
  if (I.Flags & FlagAddress32) {
    P.Base = I.Where == Space::Const ? DeviceBase : 0;
    Shift = u32(I.Imm);
  } else {
    u32 High = Row[WarpSize + std::countr_zero(C.Mask)];
    if (!isUniform(Row + WarpSize, C.Mask, High))
      return false;
    P.Base = (u64(High) << 32) + u64(I.Imm);
  }
  for (unsigned L = 0; L != WarpSize; L += VectorLanes)
    storeLanes(P.Low + L, loadLanes(Row + L) + Shift);
  findHalf(P, C.Mask, 0, Bytes);
  findHalf(P, C.Mask, HalfSize, Bytes);
  // A row may go round the end of the words.
  return P.Halves[0].Highest >= P.Halves[0].Lowest &&
         P.Halves[1].Highest >= P.Halves[1].Lowest;
}

/// Where a pattern lies on the host: addresses with their low words.
struct Located {
  u64 Host = 0; ///< Of the low word 0.
  /// What is there before the lowest address, and from it on, in bytes.
  u64 Before = 0, After = 0;

  u8 *of(u32 Low) const { return reinterpret_cast<u8 *>(Host + Low); }
  /// Bytes from \p From on can be read; a negative number of bytes lies before
  /// the lowest address.
  bool holds(s64 From, u64 Bytes) const {
    return From + s64(Before) >= 0 && u64(From + s64(Bytes)) <= After;
  }
};

/// Checks the bounds and the alignment of all lanes. False where a lane is
/// wrong, and in local memory.
[[gnu::always_inline]] inline bool locatePattern(ExecContext &C, const Inst &I,
                                                 const Pattern &P,
                                                 unsigned Bytes, bool Write,
                                                 Located &At) {
  u64 First = P.Base + P.Lowest, Last = P.Base + P.Highest;
  u64 End = Last + Bytes;
  // Base is as aligned as all of its bits say.
  if (Last < First || End < Last || (P.LowBits | u32(P.Base)) & (Bytes - 1))
    return false;
  Space S = I.Where;
  u64 Window = 0;
  if (S == Space::Generic) {
    S = spaceOf(First);
    if (S != spaceOf(Last))
      return false;
    Window = windowOf(S);
  }
  u64 Host = 0, Begin = 0, Limit = 0;
  if (S == Space::Global || S == Space::Const) {
    const GlobalMemory::Range *R = findRange(C, I, First, End);
    if (!R || (Write && R->ReadOnly))
      return false;
    Host = R->Delta;
    Begin = R->Begin;
    Limit = R->End;
  } else if (S == Space::Local) {
    return false;
  } else {
    u8 *Base;
    u64 Size;
    flatSpace(C, S, Base, Size);
    if (End < Window || End - Window > Size || (Write && S == Space::Param))
      return false;
    Host = reinterpret_cast<u64>(Base) - Window;
    Begin = Window;
    Limit = Window + Size;
  }
  C.Accessed = S;
  At.Host = Host + P.Base;
  At.Before = First - Begin;
  At.After = Limit - First;
  return true;
}

/// Fills the addresses as computeAddresses() does.
inline void keepAddresses(ExecContext &C, const Pattern &P) {
  u32 First = P.Low[std::countr_zero(C.Mask)];
  for (unsigned L = 0; L != WarpSize; ++L)
    C.Addresses[L] = P.Base + (C.Mask >> L & 1 ? P.Low[L] : First);
}

} // namespace regshare::sim::REGSHARE_SIM_ISA

#endif // REGSHARE_SIM_EXEC_EXECPATTERN_H
