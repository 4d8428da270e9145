//===- ExecHalf.cpp - f16, bf16 and their packed pairs -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every operation is done in double, where sums and products of 16-bit
/// formats are exact or are rounded to odd, and rounded once.
///
//===----------------------------------------------------------------------===//

#include "ExecRounding.h"
#include "Float16.h"

#include <cmath>

namespace regshare::sim::REGSHARE_SIM_ISA {

struct F16 {
  static float toFloat(u16 V) { return halfToFloat(V); }
  static u16 round(double V) { return roundToHalf(V, RN); }
  static constexpr u16 ExponentMask = 0x7C00;
  static constexpr double SmallestNormal = 0x1p-14;
};
struct BF16 {
  static float toFloat(u16 V) { return bfloatToFloat(V); }
  static u16 round(double V) { return roundToBFloat(V, RN); }
  static constexpr u16 ExponentMask = 0x7F80;
  static constexpr double SmallestNormal = 0x1p-126;
};

/// A + B so that rounding the result once more is as good as rounding the
/// exact sum: the last bit is set when the sum was inexact.
inline double addToOdd(double A, double B) {
  double Sum = A + B;
  double BPart = Sum - A;
  double Error = (A - (Sum - BPart)) + (B - BPart);
  if (Error == 0 || isNaN(Error) || std::isinf(Sum))
    return Sum;
  u64 Bits = std::bit_cast<u64>(Sum);
  if ((Error < 0) != (Sum < 0))
    --Bits;
  return std::bit_cast<double>(Bits | 1);
}

struct HAdd {
  double operator()(double A, double B, double) const { return A + B; }
};
struct HSub {
  double operator()(double A, double B, double) const { return A - B; }
};
struct HMul {
  double operator()(double A, double B, double) const { return A * B; }
};
struct HFma {
  double operator()(double A, double B, double C) const {
    return addToOdd(A * B, C);
  }
};
struct HMin {
  double operator()(double A, double B, double) const {
    double Less = A < B ? A : (B < A ? B : (std::signbit(A) ? A : B));
    return isNaN(A) ? B : (isNaN(B) ? A : Less);
  }
};
struct HMax {
  double operator()(double A, double B, double) const {
    double More = A > B ? A : (B > A ? B : (std::signbit(A) ? B : A));
    return isNaN(A) ? B : (isNaN(B) ? A : More);
  }
};
struct HEx2 {
  double operator()(double A, double, double) const { return std::exp2(A); }
};
struct HTanh {
  double operator()(double A, double, double) const { return std::tanh(A); }
};

template <typename Format> inline u16 flush16(u16 V) {
  return V & Format::ExponentMask ? V : V & 0x8000;
}

/// A product is flushed for what it is before it is rounded.
template <typename Op> constexpr bool FlushesUnrounded = false;
template <> constexpr bool FlushesUnrounded<HMul> = true;

template <typename Format, typename Op>
inline u16 operate(const Inst &I, u16 A, u16 B, u16 C) {
  bool Ftz = I.Flags & FlagFtz;
  auto Wide = [=](u16 V) {
    return double(Format::toFloat(Ftz ? flush16<Format>(V) : V));
  };
  double X = Wide(A), Y = Wide(B), Z = Wide(C);
  // .xorsign.abs: the result has the product's sign.
  bool Negative = std::signbit(X) != std::signbit(Y);
  if (I.Flags & FlagAbs)
    X = std::fabs(X), Y = std::fabs(Y);
  double Result = Op()(X, Y, Z);
  if (I.Flags & FlagNaN && (isNaN(X) || isNaN(Y)))
    return 0x7FFF;
  if (I.Flags & FlagAbs && !isNaN(Result))
    Result = std::copysign(Result, Negative ? -1.0 : 1.0);
  if (I.Flags & FlagSat)
    Result = saturate(Result);
  if (I.Flags & FlagRelu)
    Result = isNaN(Result) ? Result : (Result > 0 ? Result : 0.0);
  if (FlushesUnrounded<Op> && Ftz && std::fabs(Result) < Format::SmallestNormal)
    Result = std::copysign(0.0, Result);
  u16 Rounded = Format::round(Result);
  return Ftz ? flush16<Format>(Rounded) : Rounded;
}

/// Ops: d, a, b, c; missing operands are zero rows.
template <typename Format, typename Op>
void scalar(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) -> u32 {
    return operate<Format, Op>(I, u16(A[L]), u16(B[L]), u16(D[L]));
  });
}

template <typename Format, typename Op>
void packed(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 Lo = operate<Format, Op>(I, u16(A[L]), u16(B[L]), u16(D[L]));
    u32 Hi = operate<Format, Op>(I, u16(A[L] >> 16), u16(B[L] >> 16),
                                 u16(D[L] >> 16));
    return Lo | Hi << 16;
  });
}

/// neg and abs on sign bits. Imm: the bits to flip or to clear; only f16 has
/// .ftz.
template <bool Negate> void sign16(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  u32 Signs = u32(I.Imm);
  bool Ftz = I.Flags & FlagFtz;
  emit<u32>(C, I.Ops[0], [=](unsigned L) {
    u32 Bits = A[L];
    if (Ftz)
      Bits = flush16<F16>(u16(Bits)) | u32(flush16<F16>(u16(Bits >> 16))) << 16;
    return Negate ? Bits ^ Signs : Bits & ~Signs;
  });
}

/// A comparison's operand.
template <typename Format> inline float wideHalf(const Inst &I, u32 Word) {
  return Format::toFloat(I.Flags & FlagFtz ? flush16<Format>(u16(Word))
                                           : u16(Word));
}

/// Comparison of one half; Imm >> 8 is the relation in PTX's order: bit 0 is
/// "less", bit 1 "equal", bit 2 "greater", bit 3 "unordered".
inline bool compare16(float A, float B, u32 Accepted) {
  u32 Outcome = A < B ? 1 : A == B ? 2 : A > B ? 4 : 8;
  return Accepted & Outcome;
}

template <typename Format> void setp16(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[2]), *B = C.row(I.Ops[3]);
  u32 Accepted = u32(I.Imm >> 8);
  bool Ftz = I.Flags & FlagFtz;
  auto Wide = [=](u32 V) {
    return Format::toFloat(Ftz ? flush16<Format>(u16(V)) : u16(V));
  };
  compare(C, I, [=](unsigned L) {
    return compare16(Wide(A[L]), Wide(B[L]), Accepted);
  });
}

/// p gets the low halves' comparison, q the high halves'.
template <typename Format> void setp16x2(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[2]), *B = C.row(I.Ops[3]);
  u32 Accepted = u32(I.Imm >> 8);
  auto Half = [=, &I](unsigned Shift) {
    return maskOf([=, &I](unsigned L) {
      return compare16(wideHalf<Format>(I, A[L] >> Shift),
                       wideHalf<Format>(I, B[L] >> Shift), Accepted);
    });
  };
  u32 Lo = Half(0), Hi = Half(16), Third = C.pred(I.Ops[4]);
  auto Op = BoolOp(I.Imm & 0xFF);
  C.setPred(I.Ops[0], combine(Lo, Third, Op));
  if (I.Ops[1])
    C.setPred(I.Ops[1], combine(Hi, Third, Op));
}

/// set.cmp.{f16x2,bf16x2}.T: Size says which result: 0 for 1.0 in each half of
/// the format, 1 for all ones.
template <typename Format> void set16x2(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[2]), *B = C.row(I.Ops[3]);
  u32 Accepted = u32(I.Imm >> 8);
  u32 True = I.Size ? 0xFFFFu : Format::round(1.0);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 Word = 0;
    for (unsigned Shift = 0; Shift != 32; Shift += 16)
      if (compare16(wideHalf<Format>(I, A[L] >> Shift),
                    wideHalf<Format>(I, B[L] >> Shift), Accepted))
        Word |= True << Shift;
    return Word;
  });
}

#define FORMATS(NAME, OP)                                                      \
  {NAME ".f16", scalar<F16, OP>}, {NAME ".f16x2", packed<F16, OP>},            \
      {NAME ".bf16", scalar<BF16, OP>}, {                                      \
    NAME ".bf16x2", packed<BF16, OP>                                           \
  }

static const HandlerEntry Entries[] = {
    FORMATS("add", HAdd),          FORMATS("sub", HSub),
    FORMATS("mul", HMul),          FORMATS("fma", HFma),
    FORMATS("min", HMin),          FORMATS("max", HMax),
    FORMATS("ex2", HEx2),          FORMATS("tanh", HTanh),
    {"neg.16", sign16<true>},      {"abs.16", sign16<false>},
    {"setp.f16", setp16<F16>},     {"setp.bf16", setp16<BF16>},
    {"setp.f16x2", setp16x2<F16>}, {"setp.bf16x2", setp16x2<BF16>},
    {"set.f16x2", set16x2<F16>},   {"set.bf16x2", set16x2<BF16>},
};

HandlerList halfHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
