//===- MatrixOp.cpp - Fragments of matrices -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOp.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>

namespace regshare::sim {

namespace {
struct TypeRow {
  std::string_view Name;
  unsigned Bits;
};
} // namespace

/// In the order of MatrixType.
static constexpr TypeRow Types[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32},
                                    {"f32", 32}, {"f64", 64},  {"s32", 32},
                                    {"s8", 8},   {"u8", 8},    {"s4", 4},
                                    {"u4", 4},   {"b1", 1}};

std::optional<MatrixType> parseMatrixType(std::string_view Name) {
  for (unsigned N = 0; N != std::size(Types); ++N)
    if (Types[N].Name == Name)
      return MatrixType(N);
  return std::nullopt;
}

unsigned bitsOf(MatrixType T) { return Types[unsigned(T)].Bits; }

std::optional<MatrixShape> parseMatrixShape(std::string_view Name) {
  MatrixShape S;
  const char *At = Name.data(), *End = At + Name.size();
  for (auto [Letter, To] :
       {std::pair{'m', &S.M}, std::pair{'n', &S.N}, std::pair{'k', &S.K}}) {
    if (At == End || *At != Letter)
      return std::nullopt;
    auto [Next, Bad] = std::from_chars(At + 1, End, *To);
    if (Bad != std::errc())
      return std::nullopt;
    At = Next;
  }
  return At == End ? std::optional(S) : std::nullopt;
}

unsigned MatrixLayout::registers() const {
  return std::max(1u, elements() / perRegister());
}

/// Of m8n8k4 with f16: lanes 4 Q to 4 Q + 3 and those 16 above are quad pair Q.
static MatrixLayout::Place placeInQuads(const MatrixLayout &L, unsigned Lane,
                                        unsigned Element) {
  unsigned Quad = Lane / 4 % 4, InQuad = Lane % 4;
  unsigned Upper = Lane < 16 ? 0 : 4;
  unsigned Row = 0, Column = 0;
  if (L.Part == MatrixPart::A) {
    Row = L.RowMajor ? InQuad + Upper : Element + Upper;
    Column = L.RowMajor ? Element : InQuad;
  } else if (L.Part == MatrixPart::B) {
    Row = L.RowMajor ? InQuad : Element;
    Column = (L.RowMajor ? Element : InQuad) + Upper;
  } else if (L.Type == MatrixType::F16) {
    Row = InQuad + Upper;
    Column = Element;
  } else {
    Row = (Lane & 1) + (Element & 2) + Upper;
    Column = (Element & 4) + (Lane & 2) + (Element & 1);
  }
  return {uint16_t(Row + Quad * L.rows() / 4), uint16_t(Column)};
}

MatrixLayout::Place MatrixLayout::placeOf(unsigned Lane,
                                          unsigned Element) const {
  if (Quads)
    return placeInQuads(*this, Lane, Element);
  // Blocks of eight rows of A, or columns of B and C, four lanes to each.
  unsigned Group = Lane / 4, InGroup = Lane % 4;
  if (Part == MatrixPart::C) {
    unsigned Pair = Element / 2, RowBlocks = Shape.M / 8;
    return {uint16_t(Pair % RowBlocks * 8 + Group),
            uint16_t(Pair / RowBlocks * 8 + InGroup * 2 + Element % 2)};
  }
  unsigned Together = perRegister();
  unsigned Unit = Element / Together, Within = Element % Together;
  unsigned KBlocks = Shape.K / (4 * Together);
  auto InK = [&](unsigned Block) {
    return uint16_t((Block * 4 + InGroup) * Together + Within);
  };
  if (Part == MatrixPart::B)
    return {InK(Unit % KBlocks), uint16_t(Unit / KBlocks * 8 + Group)};
  unsigned RowBlocks = std::min(Shape.M / 8u, 2u);
  unsigned Tile = Unit / (RowBlocks * KBlocks);
  Unit %= RowBlocks * KBlocks;
  return {uint16_t((Tile * 2 + Unit % RowBlocks) * 8 + Group),
          InK(Unit / RowBlocks)};
}

void MatrixFragment::indexElements() {
  unsigned Count = Layout.elements();
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    for (unsigned E = 0; E != Count; ++E) {
      MatrixLayout::Place P = Layout.placeOf(Lane, E);
      Indices.push_back(uint16_t(P.Row * Layout.columns() + P.Column));
    }
}

/// Registers hold neighbours in K of A and B, and in N of C.
static bool liesTogether(const MatrixLayout &L) {
  return L.RowMajor == (L.Part != MatrixPart::B);
}

MatrixMove::MatrixMove(const MatrixLayout &Layout, int64_t Offset)
    : Layout(Layout), Offset(Offset),
      PieceElements(liesTogether(Layout) ? Layout.perRegister() : 1),
      Pieces(Layout.elements() / PieceElements) {
  PieceBytes = PieceElements * bitsOf(Layout.Type) / 8;
  assert(PieceBytes && "elements of less than a byte lie together");
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    for (unsigned P = 0; P != Pieces; ++P)
      Places.push_back(Layout.placeOf(Lane, P * PieceElements));
}

} // namespace regshare::sim
