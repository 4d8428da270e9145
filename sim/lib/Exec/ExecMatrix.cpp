//===- ExecMatrix.cpp - Products of matrices ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PTX leaves open in which order and how precisely products are added. Here
/// those of 16-bit and tf32 factors, which are exact in double, are added in
/// double in the order of K, then to C, and the sum is rounded once. Those of
/// f64 are a chain of fused multiply-adds on C. Sums of integers are exact.
///
//===----------------------------------------------------------------------===//

#include "ExecRounding.h"
#include "Float16.h"
#include "Matrix/MatrixOp.h"

#include <cmath>
#include <cstring>

namespace regshare::sim::REGSHARE_SIM_ISA {

/// Elements of the largest matrices: 8 by 256 bits of A, twice that with 16
/// rows.
inline constexpr unsigned MaxElements = 16 * 256;

static double toDouble(MatrixType T, u64 Word, unsigned Within) {
  switch (T) {
  case MatrixType::F16:
    return double(halfToFloat(u16(Word >> 16 * Within)));
  case MatrixType::BF16:
    return double(bfloatToFloat(u16(Word >> 16 * Within)));
  case MatrixType::TF32: // What hardware has no bits for is cut off.
    return double(std::bit_cast<float>(u32(Word) & ~u32(0x1FFF)));
  case MatrixType::F32:
    return double(std::bit_cast<float>(u32(Word)));
  default:
    return std::bit_cast<double>(Word);
  }
}

static s32 toInteger(MatrixType T, u64 Word, unsigned Within) {
  switch (T) {
  case MatrixType::S8:
    return s8(Word >> 8 * Within);
  case MatrixType::U8:
    return u8(Word >> 8 * Within);
  case MatrixType::S4:
    return s8(u8(Word >> 4 * Within << 4)) >> 4;
  case MatrixType::U4:
    return s32(Word >> 4 * Within & 15);
  case MatrixType::B1:
    return s32(Word >> Within & 1);
  default:
    return s32(u32(Word));
  }
}

/// Collects the lanes' fragments into a matrix, row by row.
template <typename T, T (*Convert)(MatrixType, u64, unsigned)>
static void gather(const ExecContext &C, const MatrixFragment &F, T *To) {
  unsigned Count = F.Layout.elements(), Together = F.Layout.perRegister();
  bool IsWide = F.Layout.Type == MatrixType::F64;
  for (unsigned E = 0; E != Count; ++E) {
    const u32 *Row = C.row(F.Rows[E / Together]);
    for (unsigned L = 0; L != WarpSize; ++L)
      To[F.Indices[L * Count + E]] = Convert(
          F.Layout.Type, IsWide ? fromRow<u64>(Row, L) : Row[L], E % Together);
  }
}

static u64 fromDouble(MatrixType T, double Value, bool Saturates) {
  if (Saturates) {
    double Largest = T == MatrixType::F16 ? 65504.0 : 0x1.fffffep127;
    Value = isNaN(Value) ? 0.0 : std::fmin(std::fmax(Value, -Largest), Largest);
  }
  if (T == MatrixType::F16)
    return roundToHalf(Value, RN);
  if (T == MatrixType::F64)
    return std::bit_cast<u64>(Value);
  auto Single = float(Value);
  return isNaN(Value) ? 0x7FFFFFFF : std::bit_cast<u32>(Single);
}

static u64 fromInteger(MatrixType, s64 Value, bool Saturates) {
  if (Saturates)
    Value = Value > INT32_MAX   ? INT32_MAX
            : Value < INT32_MIN ? INT32_MIN
                                : Value;
  return u32(Value);
}

/// Deals a matrix out to the lanes.
template <typename T, u64 (*Convert)(MatrixType, T, bool)>
static void scatter(const ExecContext &C, const MatrixFragment &F,
                    bool Saturates, const T *From) {
  unsigned Count = F.Layout.elements(), Together = F.Layout.perRegister();
  for (unsigned R = 0; R * Together != Count; ++R) {
    RowBuffer Buffer;
    for (unsigned L = 0; L != WarpSize; ++L) {
      u64 Word = 0;
      for (unsigned W = 0; W != Together; ++W) {
        T Value = From[F.Indices[L * Count + R * Together + W]];
        Word |= Convert(F.Layout.Type, Value, Saturates) << 16 * W;
      }
      Buffer.set(L, Word);
    }
    writeRow(C.dest(F.Rows[R]), Buffer.Words, C.Mask);
    if (F.Layout.Type == MatrixType::F64)
      writeRow(C.dest(F.Rows[R] + 1), Buffer.Words + WarpSize, C.Mask);
  }
}

/// Sums[j] of row \p Row of A.
template <typename T, typename Sum, typename Fn>
static void addProducts(const MatrixShape &S, const T *Row, const T *B,
                        Sum *Sums, Fn Add) {
  for (unsigned K = 0; K != S.K; ++K)
    for (unsigned J = 0; J != S.N; ++J)
      Sums[J] = Add(Sums[J], Row[K], B[K * S.N + J]);
}

/// Imm: the MatrixOp.
static void multiplyFloats(ExecContext &C, const Inst &I) {
  const MatrixOp &Op = matrixOf<MatrixOp>(I);
  const MatrixShape &S = Op.A.Layout.Shape;
  double A[512], B[512], Sums[512], Start[32];
  gather<double, toDouble>(C, Op.A, A);
  gather<double, toDouble>(C, Op.B, B);
  gather<double, toDouble>(C, Op.C, Sums);
  bool Fuses = Op.A.Layout.Type == MatrixType::F64;
  for (unsigned R = 0; R != Op.A.Layout.rows(); ++R) {
    const double *Row = A + R * S.K, *Of = B + R / S.M * S.K * S.N;
    double *Result = Sums + R * S.N;
    if (Fuses) {
      addProducts(S, Row, Of, Result, [](double Sum, double X, double Y) {
        return std::fma(X, Y, Sum);
      });
      continue;
    }
    for (unsigned J = 0; J != S.N; ++J)
      Start[J] = 0;
    addProducts(S, Row, Of, Start,
                [](double Sum, double X, double Y) { return Sum + X * Y; });
    for (unsigned J = 0; J != S.N; ++J)
      Result[J] = Start[J] + Result[J];
  }
  scatter<double, fromDouble>(C, Op.D, Op.Saturates, Sums);
}

/// The same.
static void multiplyIntegers(ExecContext &C, const Inst &I) {
  const MatrixOp &Op = matrixOf<MatrixOp>(I);
  const MatrixShape &S = Op.A.Layout.Shape;
  s32 A[MaxElements], B[MaxElements], Start[512];
  s64 Sums[512];
  gather<s32, toInteger>(C, Op.A, A);
  gather<s32, toInteger>(C, Op.B, B);
  gather<s32, toInteger>(C, Op.C, Start);
  for (unsigned N = 0; N != unsigned(S.M) * S.N; ++N)
    Sums[N] = Start[N];
  for (unsigned R = 0; R != S.M; ++R) {
    const s32 *Row = A + R * S.K;
    s64 *Result = Sums + R * S.N;
    switch (Op.Product) {
    case MatrixProduct::Multiply:
      addProducts(S, Row, B, Result,
                  [](s64 Sum, s32 X, s32 Y) { return Sum + X * Y; });
      break;
    case MatrixProduct::Xor:
      addProducts(S, Row, B, Result,
                  [](s64 Sum, s32 X, s32 Y) { return Sum + (X ^ Y); });
      break;
    case MatrixProduct::And:
      addProducts(S, Row, B, Result,
                  [](s64 Sum, s32 X, s32 Y) { return Sum + (X & Y); });
      break;
    }
  }
  scatter<s64, fromInteger>(C, Op.D, Op.Saturates, Sums);
}

/// Ops: d, a. Lane L has columns 2 (L % 4) and the next of row L / 4.
static void transpose(ExecContext &C, const Inst &I) {
  // Of other lanes, which are written already if d is a.
  u32 A[WarpSize];
  std::memcpy(A, C.row(I.Ops[1]), sizeof(A));
  emit<u32>(C, I.Ops[0], [&A](unsigned L) {
    auto At = [&A](unsigned Row, unsigned Column) {
      return A[Row * 4 + Column / 2] >> 16 * (Column % 2) & 0xFFFF;
    };
    unsigned Row = L / 4, Column = L % 4 * 2;
    return At(Column, Row) | At(Column + 1, Row) << 16;
  });
}

static const HandlerEntry Entries[] = {{"mma.float", multiplyFloats},
                                       {"mma.integer", multiplyIntegers},
                                       {"movmatrix", transpose}};

HandlerList matrixHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
