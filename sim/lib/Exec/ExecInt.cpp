//===- ExecInt.cpp - Integer arithmetic and comparison -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecCommon.h"

#include <limits>

namespace regshare::sim::REGSHARE_SIM_ISA {

template <typename T> constexpr T MaxOf = std::numeric_limits<T>::max();
template <typename T> constexpr T MinOf = std::numeric_limits<T>::min();

/// Arithmetic wraps: compute in unsigned, at least 32 bits wide.
template <typename T> using Wrap = std::conditional_t<sizeof(T) == 8, u64, u32>;

struct Add {
  template <typename T> T operator()(T A, T B) const {
    return T(Wrap<T>(A) + Wrap<T>(B));
  }
};
struct Sub {
  template <typename T> T operator()(T A, T B) const {
    return T(Wrap<T>(A) - Wrap<T>(B));
  }
};
struct Mul {
  template <typename T> T operator()(T A, T B) const {
    return T(Wrap<T>(A) * Wrap<T>(B));
  }
};
struct AddSat {
  s32 operator()(s32 A, s32 B) const {
    s64 R = s64(A) + B;
    return R > MaxOf<s32> ? MaxOf<s32> : R < MinOf<s32> ? MinOf<s32> : s32(R);
  }
};
struct SubSat {
  s32 operator()(s32 A, s32 B) const {
    s64 R = s64(A) - B;
    return R > MaxOf<s32> ? MaxOf<s32> : R < MinOf<s32> ? MinOf<s32> : s32(R);
  }
};
struct MulHi {
  template <typename T> T operator()(T A, T B) const {
    if constexpr (sizeof(T) == 8) {
      using W =
          std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return T(W(A) * W(B) >> 64);
    } else {
      using W = std::conditional_t<std::is_signed_v<T>, s64, u64>;
      return T(W(A) * W(B) >> (8 * sizeof(T)));
    }
  }
};
template <typename D> struct MulWide {
  template <typename T> D operator()(T A, T B) const {
    return D(std::make_unsigned_t<D>(D(A)) * std::make_unsigned_t<D>(D(B)));
  }
};
struct Mad {
  template <typename T> T operator()(T A, T B, T C) const {
    return T(Wrap<T>(A) * Wrap<T>(B) + Wrap<T>(C));
  }
};
struct MadHi {
  template <typename T> T operator()(T A, T B, T C) const {
    return T(Wrap<T>(MulHi()(A, B)) + Wrap<T>(C));
  }
};
struct MadHiSat {
  s32 operator()(s32 A, s32 B, s32 C) const {
    return AddSat()(MulHi()(A, B), C);
  }
};
template <typename D> struct MadWide {
  template <typename T> D operator()(T A, T B, D C) const {
    return D(Wrap<D>(MulWide<D>()(A, B)) + Wrap<D>(C));
  }
};
template <bool Hi> struct Mul24 {
  template <typename T> T operator()(T A, T B) const {
    using W = std::conditional_t<std::is_signed_v<T>, s64, u64>;
    W X = W(T(u32(A) << 8) >> 8), Y = W(T(u32(B) << 8) >> 8);
    return T(Hi ? X * Y >> 16 : X * Y);
  }
};
template <bool Hi> struct Mad24 {
  template <typename T> T operator()(T A, T B, T C) const {
    return T(u32(Mul24<Hi>()(A, B)) + u32(C));
  }
};
struct Mad24HiSat {
  s32 operator()(s32 A, s32 B, s32 C) const {
    return AddSat()(Mul24<true>()(A, B), C);
  }
};
/// Quotient and remainder of a division by zero are all ones, as the hardware's
/// routine gives.
struct Div {
  template <typename T> T operator()(T A, T B) const {
    if (B == 0)
      return T(~T(0));
    if constexpr (std::is_signed_v<T>)
      if (B == T(-1))
        return T(-Wrap<T>(A));
    return T(A / B);
  }
};
struct Rem {
  template <typename T> T operator()(T A, T B) const {
    if (B == 0)
      return T(~T(0));
    if constexpr (std::is_signed_v<T>)
      if (B == T(-1))
        return 0;
    return T(A % B);
  }
};
struct Min {
  template <typename T> T operator()(T A, T B) const { return A < B ? A : B; }
};
struct Max {
  template <typename T> T operator()(T A, T B) const { return A > B ? A : B; }
};
/// .relu: no result is below zero.
template <typename Op> struct Relu {
  template <typename T> T operator()(T A, T B) const {
    return Max()(Op()(A, B), T(0));
  }
};
struct Neg {
  template <typename T> T operator()(T A) const { return T(-Wrap<T>(A)); }
};
struct Abs {
  template <typename T> T operator()(T A) const {
    return A < 0 ? T(-Wrap<T>(A)) : A;
  }
};
struct Sad {
  template <typename T> T operator()(T A, T B, T C) const {
    Wrap<T> D = A < B ? Wrap<T>(B) - Wrap<T>(A) : Wrap<T>(A) - Wrap<T>(B);
    return T(Wrap<T>(C) + D);
  }
};

/// Two 16-bit operations in one register.
template <typename Op, typename T> struct Packed {
  u32 operator()(u32 A, u32 B) const {
    u16 Lo = u16(Op()(T(A), T(B)));
    u16 Hi = u16(Op()(T(A >> 16), T(B >> 16)));
    return Lo | u32(Hi) << 16;
  }
};

/// add.cc, addc, sub.cc, subc. Imm is 1 to subtract: a + ~b + carry, with the
/// borrow kept inverted in CC.CF as PTX does not say and nobody can see.
template <typename T> void addCarry(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  bool Subtract = I.Imm;
  u32 In = I.Flags & FlagCarryIn ? C.Carry : (Subtract ? FullMask : 0);
  u32 Out = 0;
  emit<T>(C, I.Ops[0], [&](unsigned L) {
    T X = fromRow<T>(A, L), Y = fromRow<T>(B, L);
    if (Subtract)
      Y = T(~Y);
    T Partial = T(X + Y), Sum = T(Partial + (In >> L & 1));
    Out |= u32(Partial < X || Sum < Partial) << L;
    return Sum;
  });
  if (I.Flags & FlagCarryOut)
    C.Carry = (C.Carry & ~C.Mask) | (Out & C.Mask);
}

/// mad{c}.{lo,hi}{.cc}. Imm is 1 for hi.
template <typename T> void madCarry(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  u32 In = I.Flags & FlagCarryIn ? C.Carry : 0;
  u32 Out = 0;
  emit<T>(C, I.Ops[0], [&](unsigned L) {
    using U = std::make_unsigned_t<T>;
    T X = fromRow<T>(A, L), Y = fromRow<T>(B, L);
    U Product = U(I.Imm ? MulHi()(X, Y) : Mul()(X, Y));
    U Partial = U(Product + fromRow<U>(D, L));
    U Sum = U(Partial + (In >> L & 1));
    Out |= u32(Partial < Product || Sum < Partial) << L;
    return T(Sum);
  });
  if (I.Flags & FlagCarryOut)
    C.Carry = (C.Carry & ~C.Mask) | (Out & C.Mask);
}

/// vadd2, vadd4 and their kin. Imm is a VideoCode; Size the bits of a lane.
template <unsigned Bits> void video(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  auto Op = VideoOp(I.Imm & 0xF);
  u32 Accepted = u32(I.Imm >> 4 & 0xF);
  bool SignedResult = I.Imm >> 8 & 1, Accumulate = I.Imm >> 9 & 1;
  constexpr u32 LaneMask = (1u << Bits) - 1;
  auto Part = [](u32 Word, unsigned Shift, bool Signed) {
    u32 Field = Word >> Shift & LaneMask;
    return Signed && Field >> (Bits - 1) ? s32(Field | ~LaneMask) : s32(Field);
  };
  s32 Lowest = SignedResult ? -(1 << (Bits - 1)) : 0;
  s32 Highest = SignedResult ? (1 << (Bits - 1)) - 1 : s32(LaneMask);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 Word = 0, Sum = D[L];
    for (unsigned Shift = 0; Shift != 32; Shift += Bits) {
      s32 X = Part(A[L], Shift, I.Flags & FlagSignedA);
      s32 Y = Part(B[L], Shift, I.Flags & FlagSignedB);
      s32 R = 0;
      switch (Op) {
      case VideoOp::Add:
        R = X + Y;
        break;
      case VideoOp::Sub:
        R = X - Y;
        break;
      case VideoOp::Average:
        R = (X + Y + (X + Y >= 0)) >> 1;
        break;
      case VideoOp::Min:
        R = X < Y ? X : Y;
        break;
      case VideoOp::Max:
        R = X > Y ? X : Y;
        break;
      case VideoOp::AbsDiff:
        R = X > Y ? X - Y : Y - X;
        break;
      case VideoOp::Set:
        R = (X < Y ? 1u : X == Y ? 2u : 4u) & Accepted ? 1 : 0;
        break;
      }
      if (I.Flags & FlagSat)
        R = R < Lowest ? Lowest : R > Highest ? Highest : R;
      Word |= (u32(R) & LaneMask) << Shift;
      Sum += u32(R);
    }
    return Accumulate ? Sum : Word;
  });
}

struct Eq {
  template <typename T> bool operator()(T A, T B) const { return A == B; }
};
struct Ne {
  template <typename T> bool operator()(T A, T B) const { return A != B; }
};
struct Lt {
  template <typename T> bool operator()(T A, T B) const { return A < B; }
};
struct Le {
  template <typename T> bool operator()(T A, T B) const { return A <= B; }
};
struct Gt {
  template <typename T> bool operator()(T A, T B) const { return A > B; }
};
struct Ge {
  template <typename T> bool operator()(T A, T B) const { return A >= B; }
};

template <typename Op, typename T> void setp(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[2]), *B = C.row(I.Ops[3]);
  compare(C, I,
          [=](unsigned L) { return Op()(fromRow<T>(A, L), fromRow<T>(B, L)); });
}

#define INT_TYPES(NAME, OP)                                                    \
  {NAME ".u16", binary<OP, u16, u16>}, {NAME ".s16", binary<OP, s16, s16>},    \
      {NAME ".u32", binary<OP, u32, u32>},                                     \
      {NAME ".s32", binary<OP, s32, s32>},                                     \
      {NAME ".u64", binary<OP, u64, u64>}, {                                   \
    NAME ".s64", binary<OP, s64, s64>                                          \
  }
#define WRAP_TYPES(NAME, SHAPE, OP)                                            \
  {NAME ".i16", SHAPE<OP, u16, u16>}, {NAME ".i32", SHAPE<OP, u32, u32>}, {    \
    NAME ".i64", SHAPE<OP, u64, u64>                                           \
  }
#define SETP_WRAP(NAME, OP)                                                    \
  {"setp." NAME ".i16", setp<OP, u16>}, {"setp." NAME ".i32", setp<OP, u32>},  \
  {                                                                            \
    "setp." NAME ".i64", setp<OP, u64>                                         \
  }
#define SETP_SIGNS(NAME, OP)                                                   \
  {"setp." NAME ".u16", setp<OP, u16>}, {"setp." NAME ".s16", setp<OP, s16>},  \
      {"setp." NAME ".u32", setp<OP, u32>},                                    \
      {"setp." NAME ".s32", setp<OP, s32>},                                    \
      {"setp." NAME ".u64", setp<OP, u64>}, {                                  \
    "setp." NAME ".s64", setp<OP, s64>                                         \
  }

static const HandlerEntry Entries[] = {
    WRAP_TYPES("add", binary, Add),
    WRAP_TYPES("sub", binary, Sub),
    WRAP_TYPES("mul.lo", binary, Mul),
    WRAP_TYPES("mad.lo", ternary, Mad),
    WRAP_TYPES("neg", unary, Neg),
    INT_TYPES("mul.hi", MulHi),
    INT_TYPES("div", Div),
    INT_TYPES("rem", Rem),
    INT_TYPES("min", Min),
    INT_TYPES("max", Max),
    {"add.sat.s32", binary<AddSat, s32, s32>},
    {"sub.sat.s32", binary<SubSat, s32, s32>},
    {"mul.wide.u16", binary<MulWide<u32>, u32, u16>},
    {"mul.wide.s16", binary<MulWide<s32>, s32, s16>},
    {"mul.wide.u32", binary<MulWide<u64>, u64, u32>},
    {"mul.wide.s32", binary<MulWide<s64>, s64, s32>},
    {"mad.wide.u16", ternary<MadWide<u32>, u32, u16, u16, u32>},
    {"mad.wide.s16", ternary<MadWide<s32>, s32, s16, s16, s32>},
    {"mad.wide.u32", ternary<MadWide<u64>, u64, u32, u32, u64>},
    {"mad.wide.s32", ternary<MadWide<s64>, s64, s32, s32, s64>},
    {"mad.hi.u16", ternary<MadHi, u16, u16>},
    {"mad.hi.s16", ternary<MadHi, s16, s16>},
    {"mad.hi.u32", ternary<MadHi, u32, u32>},
    {"mad.hi.s32", ternary<MadHi, s32, s32>},
    {"mad.hi.u64", ternary<MadHi, u64, u64>},
    {"mad.hi.s64", ternary<MadHi, s64, s64>},
    {"mad.hi.sat.s32", ternary<MadHiSat, s32, s32>},
    {"mul24.lo.u32", binary<Mul24<false>, u32, u32>},
    {"mul24.lo.s32", binary<Mul24<false>, s32, s32>},
    {"mul24.hi.u32", binary<Mul24<true>, u32, u32>},
    {"mul24.hi.s32", binary<Mul24<true>, s32, s32>},
    {"mad24.lo.u32", ternary<Mad24<false>, u32, u32>},
    {"mad24.lo.s32", ternary<Mad24<false>, s32, s32>},
    {"mad24.hi.u32", ternary<Mad24<true>, u32, u32>},
    {"mad24.hi.s32", ternary<Mad24<true>, s32, s32>},
    {"mad24.hi.sat.s32", ternary<Mad24HiSat, s32, s32>},
    {"abs.s16", unary<Abs, s16, s16>},
    {"abs.s32", unary<Abs, s32, s32>},
    {"abs.s64", unary<Abs, s64, s64>},
    {"sad.u16", ternary<Sad, u16, u16>},
    {"sad.s16", ternary<Sad, s16, s16>},
    {"sad.u32", ternary<Sad, u32, u32>},
    {"sad.s32", ternary<Sad, s32, s32>},
    {"sad.u64", ternary<Sad, u64, u64>},
    {"sad.s64", ternary<Sad, s64, s64>},
    {"add.x2", binary<Packed<Add, u16>, u32, u32>},
    {"min.u16x2", binary<Packed<Min, u16>, u32, u32>},
    {"min.s16x2", binary<Packed<Min, s16>, u32, u32>},
    {"max.u16x2", binary<Packed<Max, u16>, u32, u32>},
    {"max.s16x2", binary<Packed<Max, s16>, u32, u32>},
    {"min.relu.s32", binary<Relu<Min>, s32, s32>},
    {"max.relu.s32", binary<Relu<Max>, s32, s32>},
    {"min.relu.s16x2", binary<Packed<Relu<Min>, s16>, u32, u32>},
    {"max.relu.s16x2", binary<Packed<Relu<Max>, s16>, u32, u32>},
    {"addc.i32", addCarry<u32>},
    {"addc.i64", addCarry<u64>},
    {"video2", video<16>},
    {"video4", video<8>},
    {"madc.u32", madCarry<u32>},
    {"madc.s32", madCarry<s32>},
    {"madc.u64", madCarry<u64>},
    {"madc.s64", madCarry<s64>},
    SETP_WRAP("eq", Eq),
    SETP_WRAP("ne", Ne),
    SETP_SIGNS("lt", Lt),
    SETP_SIGNS("le", Le),
    SETP_SIGNS("gt", Gt),
    SETP_SIGNS("ge", Ge),
};

HandlerList intHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
