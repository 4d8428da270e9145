//===- ExecConvert.cpp - Conversions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecRounding.h"
#include "Float16.h"

#include <cmath>
#include <limits>

namespace regshare::sim::REGSHARE_SIM_ISA {

/// Integer to integer. .sat clamps to the range of the destination.
template <typename D, typename A> inline D convertInt(A Value, bool Sat) {
  if (Sat) {
    using Limits = std::numeric_limits<D>;
    __int128 Wide = Value;
    if (Wide < __int128(Limits::min()))
      return Limits::min();
    if (Wide > __int128(Limits::max()))
      return Limits::max();
  }
  return D(Value);
}

/// Registers may have 64 bits where the destination type has fewer: the upper
/// ones extend the value.
template <typename D> inline void extendToWide(ExecContext &C, const Inst &I) {
  if (sizeof(D) == 8 || !(I.Flags & FlagWide))
    return;
  const u32 *Low = C.dest(I.Ops[0]);
  RowBuffer High;
  for (unsigned L = 0; L != WarpSize; ++L)
    High.Words[L] = std::is_signed_v<D> ? u32(s32(Low[L]) >> 31) : 0;
  writeRow(C.dest(I.Ops[0] + 1), High.Words, C.Mask);
}

template <typename D, typename A> void intToInt(ExecContext &C, const Inst &I) {
  const u32 *Row = C.row(I.Ops[1]);
  // Registers may be wider than the destination type: extend.
  using Written =
      std::conditional_t<sizeof(D) == 8, D,
                         std::conditional_t<std::is_signed_v<D>, s32, u32>>;
  bool Sat = I.Flags & FlagSat;
  if (Sat)
    emit<Written>(C, I.Ops[0], [=](unsigned L) {
      return Written(convertInt<D>(fromRow<A>(Row, L), true));
    });
  else
    emit<Written>(C, I.Ops[0],
                  [=](unsigned L) { return Written(D(fromRow<A>(Row, L))); });
  extendToWide<D>(C, I);
}

template <typename F> inline double widen(const u32 *Row, unsigned L) {
  if constexpr (std::is_same_v<F, Half>)
    return halfToFloat(u16(Row[L]));
  else if constexpr (std::is_same_v<F, BFloat>)
    return bfloatToFloat(u16(Row[L]));
  else
    return fromRow<F>(Row, L);
}

/// To an integral value, by the rounding mode.
inline double roundToIntegral(double Value, u8 Mode) {
  switch (Mode) {
  case RZ:
    return std::trunc(Value);
  case RM:
    return std::floor(Value);
  case RP:
    return std::ceil(Value);
  default:
    return std::nearbyint(Value);
  }
}

/// Out-of-range values clamp. NaN becomes 0, or the sign bit alone if either
/// type has 64 bits.
template <typename D, typename F>
void floatToInt(ExecContext &C, const Inst &I) {
  const u32 *Row = C.row(I.Ops[1]);
  using Limits = std::numeric_limits<D>;
  constexpr bool Wide = sizeof(D) == 8 || std::is_same_v<F, double>;
  constexpr D NaNResult =
      Wide ? D(std::make_unsigned_t<D>(1) << (8 * sizeof(D) - 1)) : D(0);
  // 2^(bits) or 2^(bits-1): the first value that does not fit.
  const double Above = std::ldexp(1.0, 8 * sizeof(D) - std::is_signed_v<D>);
  bool Ftz = I.Flags & FlagFtz;
  using Written =
      std::conditional_t<sizeof(D) == 8, D,
                         std::conditional_t<std::is_signed_v<D>, s32, u32>>;
  emit<Written>(C, I.Ops[0], [=](unsigned L) {
    double Value = widen<F>(Row, L);
    if constexpr (std::is_same_v<F, float>)
      Value = Ftz ? double(flush(float(Value))) : Value;
    double Rounded = roundToIntegral(Value, I.Round);
    if (isNaN(Rounded))
      return Written(NaNResult);
    if (Rounded >= Above)
      return Written(Limits::max());
    if (Rounded < double(Limits::min()))
      return Written(Limits::min());
    return Written(D(Rounded));
  });
  extendToWide<D>(C, I);
}

/// An integer of up to 64 bits to a double-width intermediate that rounds to
/// any narrower format as the exact value would: 54 bits, the last one sticky.
template <typename A> inline double toOddDouble(A Value) {
  bool Negative = Value < A(0);
  u64 Magnitude = Negative ? 0 - u64(Value) : u64(Value);
  int Shift = 0;
  if (Magnitude >> 53) {
    Shift = 11 - std::countl_zero(Magnitude);
    u64 Lost = Magnitude & ((u64(1) << Shift) - 1);
    Magnitude = Magnitude >> Shift | (Lost != 0);
  }
  double Result = std::ldexp(double(Magnitude), Shift);
  return Negative ? -Result : Result;
}

template <typename F, typename A>
[[gnu::noinline]] void intToFloatLanes(RowBuffer &Buffer, const u32 *Row,
                                       bool Sat) {
  for (unsigned L = 0; L != WarpSize; ++L) {
    A Value = fromRow<A>(Row, L);
    F Result;
    if constexpr (std::is_same_v<F, float> && sizeof(A) == 8)
      Result = F(toOddDouble(Value));
    else if constexpr (std::is_same_v<A, u64>)
      // Two exact halves and one rounding, in whatever mode is set.
      Result = F(double(u32(Value >> 32)) * 4294967296.0 + double(u32(Value)));
    else
      Result = F(Value);
    Buffer.set<F>(L, Sat ? saturate(Result) : Result);
  }
}

template <typename F, typename A>
void intToFloat(ExecContext &C, const Inst &I) {
  const u32 *Row = C.row(I.Ops[1]);
  RowBuffer Buffer;
  withRounding(I.Round,
               [&] { intToFloatLanes<F, A>(Buffer, Row, I.Flags & FlagSat); });
  // The host subtracts to convert, and rounded down a difference of 0 is -0.
  // Compilers take it that there is no such zero: it has to be replaced here.
  if (I.Round == RM)
    for (unsigned L = 0; L != WarpSize; ++L)
      if (fromRow<A>(Row, L) == A(0))
        Buffer.set<F>(L, F(0));
  writeBuffer<F>(C, I.Ops[0], Buffer);
}

template <typename F> inline u32 narrow16(double Value, u8 Mode) {
  return std::is_same_v<F, Half> ? roundToHalf(Value, Mode)
                                 : roundToBFloat(Value, Mode);
}

template <typename F, typename A>
void intToFloat16(ExecContext &C, const Inst &I) {
  const u32 *Row = C.row(I.Ops[1]);
  emit<u32>(C, I.Ops[0], [=](unsigned L) {
    return narrow16<F>(toOddDouble(fromRow<A>(Row, L)), I.Round);
  });
}

template <typename D, typename A>
[[gnu::noinline]] void floatToFloatLanes(RowBuffer &Buffer, const u32 *Row,
                                         const Inst &I) {
  bool Ftz = I.Flags & FlagFtz;
  bool ToIntegral = I.Imm;
  for (unsigned L = 0; L != WarpSize; ++L) {
    double Value = widen<A>(Row, L);
    if (std::is_same_v<A, float> && Ftz)
      Value = flush(float(Value));
    if (ToIntegral)
      Value = roundToIntegral(Value, I.Round);
    D Result = D(Value);
    if (std::is_same_v<D, float> && Ftz)
      Result = flush(Result);
    Buffer.set<D>(L, canonical(Result));
  }
}

/// Imm: round to an integral value.
template <typename D, typename A>
void floatToFloat(ExecContext &C, const Inst &I) {
  const u32 *Row = C.row(I.Ops[1]);
  RowBuffer Buffer;
  withRounding(I.Imm ? u8(RN) : I.Round,
               [&] { floatToFloatLanes<D, A>(Buffer, Row, I); });
  // Not beside the conversion: compilers compare what is not yet rounded, as if
  // that were always to nearest.
  if (I.Flags & FlagSat)
    for (unsigned L = 0; L != WarpSize; ++L)
      Buffer.set<D>(L, saturate(fromRow<D>(Buffer.Words, L)));
  writeBuffer<D>(C, I.Ops[0], Buffer);
}

template <typename D, typename A>
inline u32 toFloat16(const Inst &I, const u32 *Row, unsigned L) {
  double Value = widen<A>(Row, L);
  // Hardware does not flush for f16, which shows where rounding is directed.
  if (std::is_same_v<A, float> && !std::is_same_v<D, Half> && I.Flags & FlagFtz)
    Value = flush(float(Value));
  if (I.Imm)
    Value = roundToIntegral(Value, I.Round);
  if (I.Flags & FlagSat)
    Value = saturate(Value);
  if (I.Flags & FlagRelu)
    Value = Value <= 0 ? 0.0 : Value;
  return narrow16<D>(Value, I.Imm ? u8(RN) : I.Round);
}

template <typename D, typename A>
void floatToFloat16(ExecContext &C, const Inst &I) {
  const u32 *Row = C.row(I.Ops[1]);
  emit<u32>(C, I.Ops[0],
            [&](unsigned L) { return toFloat16<D, A>(I, Row, L); });
}

/// cvt.f16x2.f32 d, a, b: a is the upper half.
template <typename D> void packFloats(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    return toFloat16<D, float>(I, A, L) << 16 | toFloat16<D, float>(I, B, L);
  });
}

/// cvt.rna.tf32.f32: ten explicit mantissa bits, ties away from zero.
static void toTF32(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  bool Nearest = I.Round == RN;
  emit<u32>(C, I.Ops[0], [=](unsigned L) {
    u32 Bits = A[L];
    if ((Bits & 0x7FFFFFFFu) > 0x7F800000u)
      return 0x7FFFFFFFu;
    u32 Half = I.Imm ? 0x1000u : Nearest ? 0xFFFu + (Bits >> 13 & 1) : 0;
    return (Bits & 0x7F800000u) == 0x7F800000u ? Bits
                                               : (Bits + Half) & ~0x1FFFu;
  });
}

#define FROM_INTS(NAME, SHAPE, D)                                              \
  {"cvt." NAME ".u8", SHAPE<D, u8>}, {"cvt." NAME ".s8", SHAPE<D, s8>},        \
      {"cvt." NAME ".u16", SHAPE<D, u16>},                                     \
      {"cvt." NAME ".s16", SHAPE<D, s16>},                                     \
      {"cvt." NAME ".u32", SHAPE<D, u32>},                                     \
      {"cvt." NAME ".s32", SHAPE<D, s32>},                                     \
      {"cvt." NAME ".u64", SHAPE<D, u64>}, {                                   \
    "cvt." NAME ".s64", SHAPE<D, s64>                                          \
  }
#define FROM_FLOATS(NAME, SHAPE, D)                                            \
  {"cvt." NAME ".f16", SHAPE<D, Half>},                                        \
      {"cvt." NAME ".bf16", SHAPE<D, BFloat>},                                 \
      {"cvt." NAME ".f32", SHAPE<D, float>}, {                                 \
    "cvt." NAME ".f64", SHAPE<D, double>                                       \
  }
#define TO_INT(NAME, D)                                                        \
  FROM_INTS(NAME, intToInt, D), FROM_FLOATS(NAME, floatToInt, D)

static const HandlerEntry Entries[] = {
    TO_INT("u8", u8),
    TO_INT("s8", s8),
    TO_INT("u16", u16),
    TO_INT("s16", s16),
    TO_INT("u32", u32),
    TO_INT("s32", s32),
    TO_INT("u64", u64),
    TO_INT("s64", s64),
    FROM_INTS("f32", intToFloat, float),
    FROM_INTS("f64", intToFloat, double),
    FROM_INTS("f16", intToFloat16, Half),
    FROM_INTS("bf16", intToFloat16, BFloat),
    FROM_FLOATS("f32", floatToFloat, float),
    FROM_FLOATS("f64", floatToFloat, double),
    FROM_FLOATS("f16", floatToFloat16, Half),
    FROM_FLOATS("bf16", floatToFloat16, BFloat),
    {"cvt.f16x2.f32", packFloats<Half>},
    {"cvt.bf16x2.f32", packFloats<BFloat>},
    {"cvt.tf32.f32", toTF32},
};

HandlerList convertHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
