//===- ExecBit.cpp - Bit operations, moves and selection -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecRounding.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

struct And {
  template <typename T> T operator()(T A, T B) const { return T(A & B); }
};
struct Or {
  template <typename T> T operator()(T A, T B) const { return T(A | B); }
};
struct Xor {
  template <typename T> T operator()(T A, T B) const { return T(A ^ B); }
};
struct Not {
  template <typename T> T operator()(T A) const { return T(~A); }
};
struct CNot {
  template <typename T> T operator()(T A) const { return A == 0; }
};
struct Copy {
  template <typename T> T operator()(T A) const { return A; }
};
/// Shift amounts beyond the width clamp.
struct Shl {
  template <typename T> T operator()(T A, u32 N) const {
    using W = std::conditional_t<sizeof(T) == 8, u64, u32>;
    return N >= 8 * sizeof(T) ? T(0) : T(W(A) << (N & (8 * sizeof(T) - 1)));
  }
};
struct Shr {
  template <typename T> T operator()(T A, u32 N) const {
    constexpr u32 Width = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return T(A >> (N >= Width ? Width - 1 : N));
    else
      return N >= Width ? T(0) : T(A >> (N & (Width - 1)));
  }
};
struct Popc {
  template <typename T> u32 operator()(T A) const { return std::popcount(A); }
};
struct Clz {
  template <typename T> u32 operator()(T A) const {
    return std::countl_zero(A);
  }
};
struct Brev {
  template <typename T> T operator()(T A) const {
    T R = 0;
    for (unsigned I = 0; I != 8 * sizeof(T); ++I)
      R |= T(A >> I & 1) << (8 * sizeof(T) - 1 - I);
    return R;
  }
};
template <bool ShiftAmount> struct BFind {
  template <typename T> u32 operator()(T A) const {
    using U = std::make_unsigned_t<T>;
    U Bits = U(std::is_signed_v<T> && A < T(0) ? ~A : A);
    if (!Bits)
      return ~0u;
    u32 Zeros = std::countl_zero(Bits);
    return ShiftAmount ? Zeros : u32(8 * sizeof(T) - 1 - Zeros);
  }
};
/// A field's position or length, which PTX restricts to 0..255. Of other values
/// hardware takes the lowest eight bits where fields have up to 32 bits; the
/// routines for 64 bits look at all of them.
template <u32 Width> inline u32 fieldBound(u32 Value) {
  if constexpr (Width == 64)
    return Value < 255 ? Value : 255;
  return Value & 0xFF;
}
struct Bfe {
  template <typename T> T operator()(T A, u32 B, u32 C) const {
    constexpr u32 Width = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    u32 Pos = fieldBound<Width>(B), Len = fieldBound<Width>(C);
    if (Len == 0)
      return 0;
    u32 Last = Pos + Len - 1 < Width - 1 ? Pos + Len - 1 : Width - 1;
    bool Sign = std::is_signed_v<T> && (U(A) >> Last & 1);
    U Field = Pos >= Width ? U(0) : U(U(A) >> Pos);
    u32 Kept = Pos >= Width ? 0 : (Len < Width - Pos ? Len : Width - Pos);
    U Mask = Kept >= Width ? ~U(0) : U((U(1) << Kept) - 1);
    return T((Field & Mask) | (Sign ? U(~Mask) : U(0)));
  }
};
struct Bfi {
  template <typename T> T operator()(T A, T B, u32 C, u32 D) const {
    constexpr u32 Width = 8 * sizeof(T);
    u32 Pos = fieldBound<Width>(C), Len = fieldBound<Width>(D);
    if (Pos >= Width || Len == 0)
      return B;
    u32 Kept = Len < Width - Pos ? Len : Width - Pos;
    T Mask = T((Kept >= Width ? ~T(0) : T((T(1) << Kept) - 1)) << Pos);
    return T((B & ~Mask) | ((A << Pos) & Mask));
  }
};
/// The \p N-th set bit, counted from bit \p Base up (N > 0) or down.
struct Fns {
  u32 operator()(u32 Mask, u32 Base, s32 N) const {
    if (Base > 31)
      return ~0u;
    if (N == 0)
      return Mask >> Base & 1 ? Base : ~0u;
    s32 Step = N > 0 ? 1 : -1;
    u32 Left = N > 0 ? u32(N) : 0u - u32(N);
    for (s32 Bit = s32(Base); Bit >= 0 && Bit < 32; Bit += Step)
      if (Mask >> Bit & 1 && --Left == 0)
        return u32(Bit);
    return ~0u;
  }
};
/// Ones from bit \p Begin on, \p Count of them.
template <bool Wrap> struct Bmsk {
  u32 operator()(u32 Begin, u32 Count) const {
    u64 B = Wrap ? Begin & 31 : Begin, N = Wrap ? Count & 31 : Count;
    u64 End = B + N;
    u64 From = B < 32 ? ~u64(0) << B : 0,
        Behind = End < 32 ? ~u64(0) << End : 0;
    return u32(From & ~Behind);
  }
};
/// The lowest \p Bits bits, extended as T is.
template <typename T, bool Wrap> struct Szext {
  T operator()(T A, u32 Bits) const {
    u32 N = Wrap ? Bits & 31 : Bits;
    if (N == 0)
      return 0;
    u32 Unused = N < 32 ? 32 - N : 0;
    return T(T(u32(A) << Unused) >> Unused);
  }
};
template <bool Wrap> struct ShfL {
  u32 operator()(u32 A, u32 B, u32 C) const {
    u32 N = Wrap ? C & 31 : (C < 32 ? C : 32);
    return u32((u64(B) << 32 | A) << N >> 32);
  }
};
template <bool Wrap> struct ShfR {
  u32 operator()(u32 A, u32 B, u32 C) const {
    u32 N = Wrap ? C & 31 : (C < 32 ? C : 32);
    return u32((u64(B) << 32 | A) >> N);
  }
};

enum class PrmtMode : u8 { Bytes, F4e, B4e, Rc8, Ecl, Ecr, Rc16 };

template <PrmtMode Mode> struct Prmt {
  u32 operator()(u32 A, u32 B, u32 C) const {
    u64 Bytes = u64(B) << 32 | A;
    u32 Result = 0;
    for (u32 I = 0; I != 4; ++I) {
      u32 S = C & 3, Select = 0;
      switch (Mode) {
      case PrmtMode::Bytes:
        Select = C >> 4 * I & 0xF;
        break;
      case PrmtMode::F4e:
        Select = S + I;
        break;
      case PrmtMode::B4e:
        Select = (S - I) & 7;
        break;
      case PrmtMode::Rc8:
        Select = S;
        break;
      case PrmtMode::Ecl:
        Select = I > S ? I : S;
        break;
      case PrmtMode::Ecr:
        Select = I < S ? I : S;
        break;
      case PrmtMode::Rc16:
        Select = (S & 1) * 2 + (I & 1);
        break;
      }
      u32 Byte = u32(Bytes >> 8 * (Select & 7) & 0xFF);
      // Bit 3 of a selector replicates the byte's sign.
      if (Mode == PrmtMode::Bytes && Select & 8)
        Byte = Byte & 0x80 ? 0xFF : 0;
      Result |= Byte << 8 * I;
    }
    return Result;
  }
};

/// Imm is the truth table.
static void lop3(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  u32 Terms[8];
  for (unsigned T = 0; T != 8; ++T)
    Terms[T] = I.Imm >> T & 1 ? FullMask : 0;
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 X = A[L], Y = B[L], Z = D[L];
    return (Terms[7] & X & Y & Z) | (Terms[6] & X & Y & ~Z) |
           (Terms[5] & X & ~Y & Z) | (Terms[4] & X & ~Y & ~Z) |
           (Terms[3] & ~X & Y & Z) | (Terms[2] & ~X & Y & ~Z) |
           (Terms[1] & ~X & ~Y & Z) | (Terms[0] & ~X & ~Y & ~Z);
  });
}

template <typename T> void bfi(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *P = C.row(I.Ops[3]),
            *N = C.row(I.Ops[4]);
  emit<T>(C, I.Ops[0], [=](unsigned L) {
    return Bfi()(fromRow<T>(A, L), fromRow<T>(B, L), P[L], N[L]);
  });
}

/// dp4a and dp2a (Imm: 0 four bytes; 1 lower, 2 upper byte pair of b).
template <bool SignedA, bool SignedB>
void dotProduct(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 Sum = D[L];
    unsigned Terms = I.Imm ? 2 : 4;
    for (unsigned K = 0; K != Terms; ++K) {
      u32 Wide = I.Imm ? A[L] >> 16 * K : A[L] >> 8 * K;
      u32 X = I.Imm ? (SignedA ? u32(s32(s16(Wide))) : u32(u16(Wide)))
                    : (SignedA ? u32(s32(s8(Wide))) : u32(u8(Wide)));
      unsigned Byte = I.Imm == 2 ? K + 2 : K;
      u32 Y = B[L] >> 8 * Byte;
      Y = SignedB ? u32(s32(s8(Y))) : u32(u8(Y));
      Sum += X * Y;
    }
    return Sum;
  });
}

/// selp: d, a, b, p
template <typename T> void selp(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  u32 P = C.pred(I.Ops[3]);
  emit<T>(C, I.Ops[0], [=](unsigned L) {
    return P >> L & 1 ? fromRow<T>(A, L) : fromRow<T>(B, L);
  });
}

/// slct: d, a, b, c; a where c >= 0. A NaN selects b.
/// .ftz takes negative subnormal numbers for zero.
template <typename T, typename S> void slct(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  if constexpr (std::is_same_v<S, float>)
    if (I.Flags & FlagFtz)
      return emit<T>(C, I.Ops[0], [=](unsigned L) {
        return flush(fromRow<S>(D, L)) >= S(0) ? fromRow<T>(A, L)
                                               : fromRow<T>(B, L);
      });
  emit<T>(C, I.Ops[0], [=](unsigned L) {
    return fromRow<S>(D, L) >= S(0) ? fromRow<T>(A, L) : fromRow<T>(B, L);
  });
}

/// The register that set writes from the predicate setp computed: Imm is the
/// value of true. Ops: d, p
static void fromPred(ExecContext &C, const Inst &I) {
  u32 P = C.pred(I.Ops[1]);
  u32 True = u32(I.Imm);
  emit<u32>(C, I.Ops[0], [=](unsigned L) { return P >> L & 1 ? True : 0; });
}

enum class PredOp : u8 { And, Or, Xor, Not, Mov };

template <PredOp Op> void predicate(ExecContext &C, const Inst &I) {
  u32 A = C.pred(I.Ops[1]), B = C.pred(I.Ops[2]);
  C.setPred(I.Ops[0], Op == PredOp::And   ? A & B
                      : Op == PredOp::Or  ? A | B
                      : Op == PredOp::Xor ? A ^ B
                      : Op == PredOp::Not ? ~A
                                          : A);
}

/// Moves of Count rows that may overlap: Ops d0…, then a0….
static void moveRows(ExecContext &C, const Inst &I) {
  RowBuffer Buffers[4];
  for (unsigned K = 0; K != I.Count; ++K)
    std::memcpy(Buffers[K].Words, C.row(I.Ops[I.Count + K]), WarpSize * 4);
  for (unsigned K = 0; K != I.Count; ++K)
    writeRow(C.dest(I.Ops[K]), Buffers[K].Words, C.Mask);
}

/// mov.b32 d, {a, b} from 16-bit registers.
static void pack16(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  emit<u32>(C, I.Ops[0],
            [=](unsigned L) { return (A[L] & 0xFFFF) | B[L] << 16; });
}

/// mov.b64 d, {a, b, c, e} from 16-bit registers.
static void pack16x4(ExecContext &C, const Inst &I) {
  const u32 *R[4];
  for (unsigned K = 0; K != 4; ++K)
    R[K] = C.row(I.Ops[1 + K]);
  emit<u64>(C, I.Ops[0], [&](unsigned L) {
    u64 Lo = (R[0][L] & 0xFFFF) | R[1][L] << 16;
    u64 Hi = (R[2][L] & 0xFFFF) | R[3][L] << 16;
    return Lo | Hi << 32;
  });
}

/// mov.b32 {a, b}, d and mov.b64 {a, b, c, e}, d into 16-bit registers.
static void unpack16(ExecContext &C, const Inst &I) {
  alignas(64) u32 Source[2 * WarpSize];
  std::memcpy(Source, C.row(I.Ops[I.Count]), WarpSize * 4);
  if (I.Count == 4)
    std::memcpy(Source + WarpSize, C.row(I.Ops[I.Count] + 1), WarpSize * 4);
  for (unsigned K = 0; K != I.Count; ++K)
    emit<u32>(C, I.Ops[K], [&](unsigned L) {
      return Source[L + K / 2 * WarpSize] >> 16 * (K & 1) & 0xFFFF;
    });
}

/// mov.b32 d, {a, b, c, e} and the reverse, for bytes (mov.b16 too).
static void packBytes(ExecContext &C, const Inst &I) {
  const u32 *R[4] = {};
  for (unsigned K = 0; K != I.Count; ++K)
    R[K] = C.row(I.Ops[1 + K]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 Word = 0;
    for (unsigned K = 0; K != I.Count; ++K)
      Word |= (R[K][L] & 0xFF) << 8 * K;
    return Word;
  });
}

static void unpackBytes(ExecContext &C, const Inst &I) {
  alignas(64) u32 Source[WarpSize];
  std::memcpy(Source, C.row(I.Ops[I.Count]), WarpSize * 4);
  for (unsigned K = 0; K != I.Count; ++K)
    emit<u32>(C, I.Ops[K],
              [&](unsigned L) { return Source[L] >> 8 * K & 0xFF; });
}

static void readClock(ExecContext &C, const Inst &I) {
  u64 Value = I.Imm ? C.Nanoseconds : C.Clock;
  C.ClockRead = Value;
  if (I.Size == 8)
    emit<u64>(C, I.Ops[0], [=](unsigned) { return Value; });
  else
    emit<u32>(C, I.Ops[0], [=](unsigned) { return u32(Value); });
}

static void nop(ExecContext &, const Inst &) {}

#define BIT_TYPES(NAME, SHAPE, OP)                                             \
  {NAME ".b16", SHAPE<OP, u16, u16>}, {NAME ".b32", SHAPE<OP, u32, u32>}, {    \
    NAME ".b64", SHAPE<OP, u64, u64>                                           \
  }

static const HandlerEntry Entries[] = {
    BIT_TYPES("and", binary, And),
    BIT_TYPES("or", binary, Or),
    BIT_TYPES("xor", binary, Xor),
    BIT_TYPES("not", unary, Not),
    BIT_TYPES("cnot", unary, CNot),
    {"and.pred", predicate<PredOp::And>},
    {"or.pred", predicate<PredOp::Or>},
    {"xor.pred", predicate<PredOp::Xor>},
    {"not.pred", predicate<PredOp::Not>},
    {"mov.pred", predicate<PredOp::Mov>},
    {"shl.b16", binary<Shl, u16, u16, u32>},
    {"shl.b32", binary<Shl, u32, u32, u32>},
    {"shl.b64", binary<Shl, u64, u64, u32>},
    {"shr.u16", binary<Shr, u16, u16, u32>},
    {"shr.u32", binary<Shr, u32, u32, u32>},
    {"shr.u64", binary<Shr, u64, u64, u32>},
    {"shr.s16", binary<Shr, s16, s16, u32>},
    {"shr.s32", binary<Shr, s32, s32, u32>},
    {"shr.s64", binary<Shr, s64, s64, u32>},
    {"popc.b32", unary<Popc, u32, u32>},
    {"popc.b64", unary<Popc, u32, u64>},
    {"clz.b32", unary<Clz, u32, u32>},
    {"clz.b64", unary<Clz, u32, u64>},
    {"brev.b32", unary<Brev, u32, u32>},
    {"brev.b64", unary<Brev, u64, u64>},
    {"bfind.u32", unary<BFind<false>, u32, u32>},
    {"bfind.s32", unary<BFind<false>, u32, s32>},
    {"bfind.u64", unary<BFind<false>, u32, u64>},
    {"bfind.s64", unary<BFind<false>, u32, s64>},
    {"bfind.shiftamt.u32", unary<BFind<true>, u32, u32>},
    {"bfind.shiftamt.s32", unary<BFind<true>, u32, s32>},
    {"bfind.shiftamt.u64", unary<BFind<true>, u32, u64>},
    {"bfind.shiftamt.s64", unary<BFind<true>, u32, s64>},
    {"bfe.u32", ternary<Bfe, u32, u32, u32, u32>},
    {"bfe.s32", ternary<Bfe, s32, s32, u32, u32>},
    {"bfe.u64", ternary<Bfe, u64, u64, u32, u32>},
    {"bfe.s64", ternary<Bfe, s64, s64, u32, u32>},
    {"bfi.b32", bfi<u32>},
    {"bfi.b64", bfi<u64>},
    {"fns.b32", ternary<Fns, u32, u32, u32, s32>},
    {"bmsk.wrap.b32", binary<Bmsk<true>, u32, u32>},
    {"bmsk.clamp.b32", binary<Bmsk<false>, u32, u32>},
    {"szext.wrap.u32", binary<Szext<u32, true>, u32, u32, u32>},
    {"szext.wrap.s32", binary<Szext<s32, true>, s32, s32, u32>},
    {"szext.clamp.u32", binary<Szext<u32, false>, u32, u32, u32>},
    {"szext.clamp.s32", binary<Szext<s32, false>, s32, s32, u32>},
    {"shf.l.wrap", ternary<ShfL<true>, u32, u32>},
    {"shf.l.clamp", ternary<ShfL<false>, u32, u32>},
    {"shf.r.wrap", ternary<ShfR<true>, u32, u32>},
    {"shf.r.clamp", ternary<ShfR<false>, u32, u32>},
    {"prmt", ternary<Prmt<PrmtMode::Bytes>, u32, u32>},
    {"prmt.f4e", ternary<Prmt<PrmtMode::F4e>, u32, u32>},
    {"prmt.b4e", ternary<Prmt<PrmtMode::B4e>, u32, u32>},
    {"prmt.rc8", ternary<Prmt<PrmtMode::Rc8>, u32, u32>},
    {"prmt.ecl", ternary<Prmt<PrmtMode::Ecl>, u32, u32>},
    {"prmt.ecr", ternary<Prmt<PrmtMode::Ecr>, u32, u32>},
    {"prmt.rc16", ternary<Prmt<PrmtMode::Rc16>, u32, u32>},
    {"lop3.b32", lop3},
    {"dpa.ss", dotProduct<true, true>},
    {"dpa.su", dotProduct<true, false>},
    {"dpa.us", dotProduct<false, true>},
    {"dpa.uu", dotProduct<false, false>},
    {"selp.b16", selp<u16>},
    {"selp.b32", selp<u32>},
    {"selp.b64", selp<u64>},
    {"slct.b16.s32", slct<u16, s32>},
    {"slct.b32.s32", slct<u32, s32>},
    {"slct.b64.s32", slct<u64, s32>},
    {"slct.b16.f32", slct<u16, float>},
    {"slct.b32.f32", slct<u32, float>},
    {"slct.b64.f32", slct<u64, float>},
    {"frompred", fromPred},
    {"mov.b16", unary<Copy, u16, u16>},
    {"mov.b32", unary<Copy, u32, u32>},
    {"mov.b64", unary<Copy, u64, u64>},
    {"mov.rows", moveRows},
    {"mov.pack16", pack16},
    {"mov.pack16x4", pack16x4},
    {"mov.unpack16", unpack16},
    {"mov.packbytes", packBytes},
    {"mov.unpackbytes", unpackBytes},
    {"clock", readClock},
    {"nop", nop},
};

HandlerList bitHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
