//===- ExecCommon.h - Lane loops that all handlers share -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Included by the Exec*.cpp files, which are compiled once per instruction
/// set of the host; REGSHARE_SIM_ISA names the namespace of the build.
/// Handlers compute all lanes, a host's vector of them at a time, and then
/// write those of the mask: that vectorises, whatever the mask. Operations
/// therefore must be defined for every operand value.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_EXECCOMMON_H
#define REGSHARE_SIM_EXEC_EXECCOMMON_H

#include "ExecVector.h"

#include <bit>
#include <type_traits>

namespace regshare::sim::REGSHARE_SIM_ISA {

/// 16-bit floating-point formats; arithmetic on them goes through float.
struct Half {
  u16 Bits;
};
struct BFloat {
  u16 Bits;
};

template <typename T> inline T fromRow(const u32 *Row, unsigned Lane) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(u64(Row[Lane]) | u64(Row[Lane + WarpSize]) << 32);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(Row[Lane]);
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(u16(Row[Lane]));
  else
    return T(Row[Lane]);
}

/// A value as registers hold it: a short integer extended as its type is.
struct ValueWords {
  u32 Low, High;
};

template <typename T> inline ValueWords wordsOf(T Value) {
  if constexpr (sizeof(T) == 8) {
    u64 Bits = std::bit_cast<u64>(Value);
    return {u32(Bits), u32(Bits >> 32)};
  } else if constexpr (sizeof(T) == 4) {
    return {std::bit_cast<u32>(Value), 0};
  } else if constexpr (std::is_integral_v<T>) {
    return {u32(s32(Value)), 0};
  } else {
    return {std::bit_cast<u16>(Value), 0};
  }
}

/// A value of one or two rows before it is written.
struct RowBuffer {
  alignas(64) u32 Words[2 * WarpSize];

  template <typename T> void set(unsigned Lane, T Value) {
    ValueWords W = wordsOf(Value);
    Words[Lane] = W.Low;
    if constexpr (sizeof(T) == 8)
      Words[Lane + WarpSize] = W.High;
  }
};

inline void writeRow(u32 *__restrict Dest, const u32 *__restrict From,
                     u32 Mask) {
  for (unsigned L = 0; L != WarpSize; L += VectorLanes)
    writeLanes(Dest + L, loadLanes(From + L), Mask, L);
}

template <typename T>
inline void writeBuffer(const ExecContext &C, RowRef Dest,
                        const RowBuffer &Buffer) {
  writeRow(C.dest(Dest), Buffer.Words, C.Mask);
  if constexpr (sizeof(T) == 8)
    writeRow(C.dest(Dest + 1), Buffer.Words + WarpSize, C.Mask);
}

/// Writes what \p F delivers for each lane. A lane's operands are read before
/// any register of the lane is written, and after registers of lower lanes may
/// have been: \p F reads no other lane's registers.
template <typename T, typename Fn>
inline void emit(const ExecContext &C, RowRef Dest, Fn F) {
  u32 *To = C.dest(Dest);
  const u32 Mask = C.Mask;
  for (unsigned First = 0; First != WarpSize; First += VectorLanes) {
    alignas(64) u32 Low[VectorLanes], High[VectorLanes];
    for (unsigned L = 0; L != VectorLanes; ++L) {
      auto Words = wordsOf<T>(F(First + L));
      Low[L] = Words.Low;
      if constexpr (sizeof(T) == 8)
        High[L] = Words.High;
    }
    writeLanes(To + First, loadLanes(Low), Mask, First);
    if constexpr (sizeof(T) == 8)
      writeLanes(To + WarpSize + First, loadLanes(High), Mask, First);
  }
}

/// Ops: d, a
template <typename Op, typename D, typename A>
void unary(ExecContext &C, const Inst &I) {
  const u32 *RA = C.row(I.Ops[1]);
  emit<D>(C, I.Ops[0], [=](unsigned L) { return Op()(fromRow<A>(RA, L)); });
}

/// Ops: d, a, b
template <typename Op, typename D, typename A, typename B = A>
void binary(ExecContext &C, const Inst &I) {
  const u32 *RA = C.row(I.Ops[1]), *RB = C.row(I.Ops[2]);
  emit<D>(C, I.Ops[0], [=](unsigned L) {
    return Op()(fromRow<A>(RA, L), fromRow<B>(RB, L));
  });
}

/// Ops: d, a, b, c
template <typename Op, typename D, typename A, typename B = A, typename T = A>
void ternary(ExecContext &C, const Inst &I) {
  const u32 *RA = C.row(I.Ops[1]), *RB = C.row(I.Ops[2]), *RC = C.row(I.Ops[3]);
  emit<D>(C, I.Ops[0], [=](unsigned L) {
    return Op()(fromRow<A>(RA, L), fromRow<B>(RB, L), fromRow<T>(RC, L));
  });
}

/// One bit a lane.
template <typename Fn> inline u32 maskOf(Fn F) {
  u32 Mask = 0;
  for (unsigned First = 0; First != WarpSize; First += VectorLanes) {
    alignas(64) u32 Holds[VectorLanes];
    for (unsigned L = 0; L != VectorLanes; ++L)
      Holds[L] = F(First + L) ? ~0u : 0;
    Mask |= signBits(loadLanes(Holds)) << First;
  }
  return Mask;
}

/// How setp and set combine the comparison with a predicate.
enum class BoolOp : u8 { None, And, Or, Xor };

inline u32 combine(u32 A, u32 B, BoolOp Op) {
  switch (Op) {
  case BoolOp::And:
    return A & B;
  case BoolOp::Or:
    return A | B;
  case BoolOp::Xor:
    return A ^ B;
  case BoolOp::None:
    break;
  }
  return A;
}

/// Ops of setp: p, q (or 0), a, b, c (predicate). Imm: BoolOp.
template <typename Fn>
inline void compare(ExecContext &C, const Inst &I, Fn F) {
  u32 Result = maskOf(F);
  auto Op = BoolOp(I.Imm & 0xFF);
  u32 Third = C.pred(I.Ops[4]);
  C.setPred(I.Ops[0], combine(Result, Third, Op));
  if (I.Ops[1])
    C.setPred(I.Ops[1], combine(~Result, Third, Op));
}

HandlerList intHandlers();
HandlerList bitHandlers();
HandlerList floatHandlers();
HandlerList halfHandlers();
HandlerList convertHandlers();
HandlerList narrowHandlers();
HandlerList memoryHandlers();
HandlerList atomicHandlers();
HandlerList warpHandlers();
HandlerList textureHandlers();
HandlerList matrixHandlers();
HandlerList matrixMemoryHandlers();

/// Where the lanes of a fetch read: the context's Addresses and MoreTexels.
void textureAddresses(ExecContext &C, const Inst &I);
/// The same of the pieces of fragments.
void matrixAddresses(ExecContext &C, const Inst &I);

} // namespace regshare::sim::REGSHARE_SIM_ISA

#endif // REGSHARE_SIM_EXEC_EXECCOMMON_H
