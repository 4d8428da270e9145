//===- MatrixOp.h - What matrix instructions do with fragments --*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A matrix instruction computes D = A B + C, where A has M rows and K columns,
/// B K rows and N columns. Each lane holds a part of each matrix, its fragment.
/// Fragments of mma are those of the PTX ISA, sections "Matrix Fragments for
/// mma"; PTX leaves those of wmma open, and RegShare lays them out as a
/// sequence of mma's.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_MATRIX_MATRIXOP_H
#define REGSHARE_SIM_MATRIX_MATRIXOP_H

#include "regshare/Sim/Program.h"

#include <optional>
#include <string_view>
#include <vector>

namespace regshare::sim {

enum class MatrixType : uint8_t {
  F16,
  BF16,
  TF32,
  F32,
  F64,
  S32,
  S8,
  U8,
  S4,
  U4,
  B1,
};

/// The type that a modifier names.
std::optional<MatrixType> parseMatrixType(std::string_view Name);
/// Bits of an element.
unsigned bitsOf(MatrixType T);
inline bool isFloatingPoint(MatrixType T) { return T <= MatrixType::F64; }
/// Of a register of a fragment: two words for f64, one for others.
inline unsigned wordsOf(MatrixType T) { return T == MatrixType::F64 ? 2 : 1; }

struct MatrixShape {
  uint16_t M = 0, N = 0, K = 0;
  bool operator==(const MatrixShape &) const = default;
};

/// "m16n8k16"; nothing if it is no shape.
std::optional<MatrixShape> parseMatrixShape(std::string_view Name);

enum class MatrixPart : uint8_t { A, B, C };

/// The fragments of one matrix.
struct MatrixLayout {
  MatrixPart Part = MatrixPart::A;
  MatrixShape Shape;
  MatrixType Type = MatrixType::F16;
  /// m8n8k4 of f16: four products, each of eight lanes; the matrices lie below
  /// each other.
  bool Quads = false;
  bool RowMajor = true; ///< Of Quads, or of the matrix in memory.

  unsigned rows() const {
    return (Part == MatrixPart::B ? Shape.K : Shape.M) * (Quads ? 4 : 1);
  }
  unsigned columns() const { return Part == MatrixPart::A ? Shape.K : Shape.N; }
  /// Elements that a lane holds, each once.
  unsigned elements() const { return rows() * columns() / WarpSize; }
  /// Registers that these take.
  unsigned registers() const;
  /// Elements in a register.
  unsigned perRegister() const {
    unsigned Bits = bitsOf(Type);
    return Bits < 32 ? 32 / Bits : 1;
  }
  struct Place {
    uint16_t Row, Column;
  };
  Place placeOf(unsigned Lane, unsigned Element) const;
};

/// How elements of A and B meet.
enum class MatrixProduct : uint8_t { Multiply, Xor, And };

/// A fragment in registers.
struct MatrixFragment {
  MatrixLayout Layout;
  std::vector<RowRef> Rows; ///< Of each register, its first.
  /// Where elements lie in the matrix, row by row: those of lane 0, of lane 1…
  std::vector<uint16_t> Indices;

  void indexElements();
};

/// D = A B + C.
struct MatrixOp {
  MatrixFragment A, B, C, D;
  MatrixProduct Product = MatrixProduct::Multiply;
  bool Saturates = false;

  /// Multiplications of the whole warp.
  unsigned multiplications() const {
    const MatrixShape &S = A.Layout.Shape;
    return S.M * S.N * S.K * (A.Layout.Quads ? 4 : 1);
  }
};

/// Of wmma.load and wmma.store: a fragment between registers and memory, in
/// pieces that lie together in both.
struct MatrixMove {
  MatrixMove(const MatrixLayout &Layout, int64_t Offset);

  MatrixLayout Layout;
  int64_t Offset;      ///< Of the address.
  unsigned PieceBytes; ///< 1, 2, 4 or 8.
  unsigned PieceElements;
  unsigned Pieces; ///< Of a lane.
  /// Where pieces begin: those of lane 0, of lane 1…
  std::vector<MatrixLayout::Place> Places;

  /// From the matrix's begin, with \p Stride elements from row to row, or from
  /// column to column.
  uint64_t bytesTo(unsigned Lane, unsigned Piece, uint32_t Stride) const {
    MatrixLayout::Place P = Places[Lane * Pieces + Piece];
    uint64_t Major = Layout.RowMajor ? P.Row : P.Column;
    uint64_t Minor = Layout.RowMajor ? P.Column : P.Row;
    return (Major * Stride + Minor) * bitsOf(Layout.Type) / 8;
  }
};

/// Inst::Imm of an instruction that multiplies, or moves a fragment: what a
/// Function holds.
template <typename T> int64_t matrixToImm(const T *Of) {
  return int64_t(reinterpret_cast<uintptr_t>(Of));
}
template <typename T> const T &matrixOf(const Inst &I) {
  return *reinterpret_cast<const T *>(uintptr_t(I.Imm));
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_MATRIX_MATRIXOP_H
