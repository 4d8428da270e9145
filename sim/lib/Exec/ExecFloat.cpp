//===- ExecFloat.cpp - Single and double precision arithmetic -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecRounding.h"

#include <cmath>

namespace regshare::sim::REGSHARE_SIM_ISA {

struct FAdd {
  template <typename T> T operator()(T A, T B) const { return A + B; }
};
struct FSub {
  template <typename T> T operator()(T A, T B) const { return A - B; }
};
struct FMul {
  template <typename T> T operator()(T A, T B) const { return A * B; }
};
struct FDiv {
  template <typename T> T operator()(T A, T B) const { return A / B; }
};
struct FFma {
  template <typename T> T operator()(T A, T B, T C) const {
    return std::fma(A, B, C);
  }
};
struct FRcp {
  template <typename T> T operator()(T A) const { return T(1) / A; }
};
struct FSqrt {
  template <typename T> T operator()(T A) const { return std::sqrt(A); }
};
/// One of the operands if the other is a NaN; +0 is above -0.
struct FMin {
  template <typename T> T operator()(T A, T B) const {
    T Less = A < B ? A : (B < A ? B : (std::signbit(A) ? A : B));
    return isNaN(A) ? B : (isNaN(B) ? A : Less);
  }
};
struct FMax {
  template <typename T> T operator()(T A, T B) const {
    T More = A > B ? A : (B > A ? B : (std::signbit(A) ? B : A));
    return isNaN(A) ? B : (isNaN(B) ? A : More);
  }
};
struct FRsqrt {
  template <typename T> T operator()(T A) const {
    return T(1.0 / std::sqrt(double(A)));
  }
};
struct FSin {
  float operator()(float A) const { return std::sin(A); }
};
struct FCos {
  float operator()(float A) const { return std::cos(A); }
};
struct FLg2 {
  float operator()(float A) const { return std::log2(A); }
};
struct FEx2 {
  float operator()(float A) const { return std::exp2(A); }
};
struct FTanh {
  float operator()(float A) const { return std::tanh(A); }
};
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper 32 bits and
/// deliver those.
inline double upperHalf(double Value) {
  return std::bit_cast<double>(std::bit_cast<u64>(Value) & ~u64(0xFFFFFFFF));
}
struct FRcpGross {
  double operator()(double A) const { return upperHalf(1.0 / upperHalf(A)); }
};
struct FRsqrtGross {
  double operator()(double A) const {
    return upperHalf(1.0 / std::sqrt(upperHalf(A)));
  }
};

template <typename T> inline T finish(T Value, bool Ftz, bool Sat) {
  Value = Ftz ? flush(Value) : Value;
  return Sat ? saturate(Value) : canonical(Value);
}

template <unsigned N, typename Op, typename T>
inline T apply(const u32 *const *Rows, unsigned L, bool Ftz) {
  auto Operand = [&](unsigned K) {
    T Value = fromRow<T>(Rows[K], L);
    return Ftz ? flush(Value) : Value;
  };
  if constexpr (N == 1)
    return Op()(Operand(0));
  else if constexpr (N == 2)
    return Op()(Operand(0), Operand(1));
  else
    return Op()(Operand(0), Operand(1), Operand(2));
}

template <unsigned N, typename Op, typename T>
[[gnu::noinline]] void computeLanes(RowBuffer &Buffer, const u32 *const *Rows,
                                    bool Ftz, bool Sat) {
  for (unsigned L = 0; L != WarpSize; ++L)
    Buffer.set<T>(L, finish(apply<N, Op, T>(Rows, L, Ftz), Ftz, Sat));
}

/// N operands, all modifiers. Ops: d, a, b, c
template <unsigned N, typename Op, typename T>
void arithmetic(ExecContext &C, const Inst &I) {
  const u32 *Rows[3] = {};
  for (unsigned K = 0; K != N; ++K)
    Rows[K] = C.row(I.Ops[1 + K]);
  if (I.Round == RN && !(I.Flags & (FlagFtz | FlagSat)))
    return emit<T>(C, I.Ops[0], [&](unsigned L) {
      return canonical(apply<N, Op, T>(Rows, L, false));
    });
  RowBuffer Buffer;
  withRounding(I.Round, [&] {
    computeLanes<N, Op, T>(Buffer, Rows, I.Flags & FlagFtz, I.Flags & FlagSat);
  });
  writeBuffer<T>(C, I.Ops[0], Buffer);
}

/// min and max with .NaN and .xorsign.abs
template <typename Op, typename T> void minMax(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  bool Ftz = I.Flags & FlagFtz, NaN = I.Flags & FlagNaN,
       Abs = I.Flags & FlagAbs;
  emit<T>(C, I.Ops[0], [=](unsigned L) {
    T X = fromRow<T>(A, L), Y = fromRow<T>(B, L);
    if (Ftz)
      X = flush(X), Y = flush(Y);
    bool Negative = std::signbit(X) != std::signbit(Y);
    if (Abs)
      X = std::fabs(X), Y = std::fabs(Y);
    T Result = NaN && (isNaN(X) || isNaN(Y)) ? X + Y : Op()(X, Y);
    if (Abs && !isNaN(Result))
      Result = std::copysign(Result, Negative ? T(-1) : T(1));
    return canonical(Result);
  });
}

/// neg and abs change the sign bit and nothing else.
template <bool Negate, typename T> void sign(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  bool Ftz = I.Flags & FlagFtz;
  emit<T>(C, I.Ops[0], [=](unsigned L) {
    T X = fromRow<T>(A, L);
    X = Ftz ? flush(X) : X;
    return Negate ? -X : std::fabs(X);
  });
}

/// The sign of a on the value of b.
template <typename T> void copySign(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  emit<T>(C, I.Ops[0], [=](unsigned L) {
    return std::copysign(fromRow<T>(B, L), fromRow<T>(A, L));
  });
}

enum class Relation : u8 {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  NaN,
};

template <Relation R, typename T> inline bool holds(T A, T B) {
  switch (R) {
  case Relation::Eq:
    return A == B;
  case Relation::Ne:
    return A < B || A > B;
  case Relation::Lt:
    return A < B;
  case Relation::Le:
    return A <= B;
  case Relation::Gt:
    return A > B;
  case Relation::Ge:
    return A >= B;
  case Relation::Equ:
    return !(A < B || A > B);
  case Relation::Neu:
    return A != B;
  case Relation::Ltu:
    return !(A >= B);
  case Relation::Leu:
    return !(A > B);
  case Relation::Gtu:
    return !(A <= B);
  case Relation::Geu:
    return !(A < B);
  case Relation::Num:
    return !isNaN(A) && !isNaN(B);
  case Relation::NaN:
    return isNaN(A) || isNaN(B);
  }
  return false;
}

template <Relation R, typename T> void setp(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[2]), *B = C.row(I.Ops[3]);
  bool Ftz = I.Flags & FlagFtz;
  compare(C, I, [=](unsigned L) {
    T X = fromRow<T>(A, L), Y = fromRow<T>(B, L);
    return holds<R>(Ftz ? flush(X) : X, Ftz ? flush(Y) : Y);
  });
}

enum class Property : u8 {
  Finite,
  Infinite,
  Number,
  NotANumber,
  Normal,
  Subnormal,
};

/// Ops: p, a
template <Property P, typename T> void testp(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  C.setPred(I.Ops[0], maskOf([=](unsigned L) {
              T X = fromRow<T>(A, L);
              int Class = std::fpclassify(X);
              switch (P) {
              case Property::Finite:
                return Class != FP_NAN && Class != FP_INFINITE;
              case Property::Infinite:
                return Class == FP_INFINITE;
              case Property::Number:
                return Class != FP_NAN;
              case Property::NotANumber:
                return Class == FP_NAN;
              case Property::Normal:
                // PTX counts zeros as normal numbers.
                return Class == FP_NORMAL || Class == FP_ZERO;
              case Property::Subnormal:
                return Class == FP_SUBNORMAL;
              }
              return false;
            }));
}

#define BOTH(NAME, N, OP)                                                      \
  {NAME ".f32", arithmetic<N, OP, float>}, {                                   \
    NAME ".f64", arithmetic<N, OP, double>                                     \
  }
#define SETP(NAME, R)                                                          \
  {"setp." NAME ".f32", setp<Relation::R, float>}, {                           \
    "setp." NAME ".f64", setp<Relation::R, double>                             \
  }
#define TESTP(NAME, P)                                                         \
  {"testp." NAME ".f32", testp<Property::P, float>}, {                         \
    "testp." NAME ".f64", testp<Property::P, double>                           \
  }

static const HandlerEntry Entries[] = {
    BOTH("add", 2, FAdd),
    BOTH("sub", 2, FSub),
    BOTH("mul", 2, FMul),
    BOTH("div", 2, FDiv),
    BOTH("fma", 3, FFma),
    BOTH("rcp", 1, FRcp),
    BOTH("sqrt", 1, FSqrt),
    BOTH("rsqrt", 1, FRsqrt),
    {"rcp.approx.f64", arithmetic<1, FRcpGross, double>},
    {"rsqrt.approx.ftz.f64", arithmetic<1, FRsqrtGross, double>},
    {"sin.f32", arithmetic<1, FSin, float>},
    {"cos.f32", arithmetic<1, FCos, float>},
    {"lg2.f32", arithmetic<1, FLg2, float>},
    {"ex2.f32", arithmetic<1, FEx2, float>},
    {"tanh.f32", arithmetic<1, FTanh, float>},
    {"min.f32", minMax<FMin, float>},
    {"min.f64", minMax<FMin, double>},
    {"max.f32", minMax<FMax, float>},
    {"max.f64", minMax<FMax, double>},
    {"neg.f32", sign<true, float>},
    {"neg.f64", sign<true, double>},
    {"abs.f32", sign<false, float>},
    {"abs.f64", sign<false, double>},
    {"copysign.f32", copySign<float>},
    {"copysign.f64", copySign<double>},
    SETP("eq", Eq),
    SETP("ne", Ne),
    SETP("lt", Lt),
    SETP("le", Le),
    SETP("gt", Gt),
    SETP("ge", Ge),
    SETP("equ", Equ),
    SETP("neu", Neu),
    SETP("ltu", Ltu),
    SETP("leu", Leu),
    SETP("gtu", Gtu),
    SETP("geu", Geu),
    SETP("num", Num),
    SETP("nan", NaN),
    TESTP("finite", Finite),
    TESTP("infinite", Infinite),
    TESTP("number", Number),
    TESTP("notanumber", NotANumber),
    TESTP("normal", Normal),
    TESTP("subnormal", Subnormal),
};

HandlerList floatHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
