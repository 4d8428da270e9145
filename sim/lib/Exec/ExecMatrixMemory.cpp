//===- ExecMatrixMemory.cpp - Matrices in memory --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecAddress.h"
#include "Matrix/MatrixOp.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

/// ldmatrix and stmatrix move matrices of eight rows of this many bytes.
inline constexpr unsigned RowBytes = 16;

/// Those of lanes 0 to 8 N - 1 are the rows of N matrices; others mean nothing.
static void rowAddresses(ExecContext &C, const Inst &I) {
  u32 Mask = C.Mask;
  C.Mask = FullMask;
  computeAddresses(C, I, I.Ops[I.Count]);
  C.Mask = Mask;
  for (unsigned L = 8u * I.Count; L < WarpSize; ++L)
    C.Addresses[L] = C.Addresses[L % (8 * I.Count)];
  C.TexelBytes = RowBytes;
  C.MoreTexels.clear();
}

/// Pieces of lanes: the first ones, then all lanes' second ones, and so on.
/// Lanes outside of the mask get the address of the first lane inside.
static void pieceAddresses(ExecContext &C, const Inst &I) {
  const auto &Move = matrixOf<MatrixMove>(I);
  Inst Base = I;
  Base.Imm = Move.Offset;
  computeAddresses(C, Base, I.Ops[I.Count]);
  const u32 *Strides = C.row(I.Ops[I.Count + 1]);
  u64 Begins[WarpSize];
  std::memcpy(Begins, C.Addresses, sizeof(Begins));
  C.TexelBytes = u8(Move.PieceBytes);
  C.MoreTexels.resize(size_t(Move.Pieces - 1) * WarpSize);
  unsigned First = std::countr_zero(C.Mask);
  for (unsigned P = 0; P != Move.Pieces; ++P) {
    u64 *To = P ? &C.MoreTexels[size_t(P - 1) * WarpSize] : C.Addresses;
    for (unsigned L = 0; L != WarpSize; ++L) {
      unsigned From = C.Mask >> L & 1 ? L : First;
      To[L] = Begins[From] + Move.bytesTo(From, P, Strides[From]);
    }
  }
}

void matrixAddresses(ExecContext &C, const Inst &I) {
  if (I.Round)
    rowAddresses(C, I);
  else
    pieceAddresses(C, I);
}

/// Calls \p Fn(lane, piece, pointer) for each piece of the mask's lanes; false
/// with a fault recorded.
template <typename Fn>
static bool forEachPiece(ExecContext &C, const Inst &I, bool Writes, Fn Do) {
  pieceAddresses(C, I);
  unsigned Pieces = unsigned(C.MoreTexels.size() / WarpSize) + 1;
  u64 Firsts[WarpSize];
  std::memcpy(Firsts, C.Addresses, sizeof(Firsts));
  Space Accessed = I.Where;
  for (unsigned P = 0; P != Pieces; ++P) {
    if (P)
      std::memcpy(C.Addresses, &C.MoreTexels[size_t(P - 1) * WarpSize],
                  sizeof(Firsts));
    Access A = locate(C, I, C.TexelBytes, Writes);
    if (A.K == Access::Bad)
      return false;
    Accessed = C.Accessed;
    for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
      unsigned L = std::countr_zero(Rest);
      u8 *At = laneAddress(C, I, A, L, C.TexelBytes, Writes);
      if (!At)
        return false;
      if (I.Where == Space::Generic &&
          spaceOf(C.Addresses[L]) == Space::Local) {
        C.fault(FaultKind::Unsupported, L, C.Addresses[L], Space::Local);
        return false;
      }
      Do(L, P, At);
    }
  }
  std::memcpy(C.Addresses, Firsts, sizeof(Firsts));
  C.Accessed = Accessed;
  return true;
}

/// Ops: d0 …, address, stride. Registers beyond those of the fragment repeat
/// them.
static void loadFragment(ExecContext &C, const Inst &I) {
  const auto &Move = matrixOf<MatrixMove>(I);
  unsigned Registers = Move.Layout.registers();
  unsigned PerRegister = Move.Pieces / Registers;
  u64 Words[16][WarpSize] = {};
  auto Read = [&](unsigned Lane, unsigned Piece, const u8 *At) {
    u64 Value = 0;
    std::memcpy(&Value, At, Move.PieceBytes);
    Words[Piece / PerRegister][Lane] |=
        Value << 8 * Move.PieceBytes * (Piece % PerRegister);
  };
  if (!forEachPiece(C, I, false, Read))
    return;
  for (unsigned R = 0; R != I.Count; ++R) {
    RowBuffer Buffer;
    for (unsigned L = 0; L != WarpSize; ++L)
      Buffer.set(L, Words[R % Registers][L]);
    writeRow(C.dest(I.Ops[R]), Buffer.Words, C.Mask);
    if (I.Size == 8)
      writeRow(C.dest(I.Ops[R] + 1), Buffer.Words + WarpSize, C.Mask);
  }
}

/// Ops: a0 …, address, stride.
static void storeFragment(ExecContext &C, const Inst &I) {
  const auto &Move = matrixOf<MatrixMove>(I);
  unsigned PerRegister = Move.Pieces / Move.Layout.registers();
  auto Write = [&](unsigned Lane, unsigned Piece, u8 *At) {
    const u32 *Row = C.row(I.Ops[Piece / PerRegister]);
    u64 Word = I.Size == 8 ? fromRow<u64>(Row, Lane) : Row[Lane];
    Word >>= 8 * Move.PieceBytes * (Piece % PerRegister);
    std::memcpy(At, &Word, Move.PieceBytes);
  };
  forEachPiece(C, I, true, Write);
}

/// Pointers to the rows; false with a fault recorded.
static bool findRows(ExecContext &C, const Inst &I, bool Writes,
                     u8 *Rows[WarpSize]) {
  rowAddresses(C, I);
  C.Accessed = Space::Shared;
  for (unsigned L = 0; L != 8u * I.Count; ++L) {
    bool IsShared =
        I.Where == Space::Shared || spaceOf(C.Addresses[L]) == Space::Shared;
    if (!IsShared)
      C.fault(FaultKind::Unsupported, L, C.Addresses[L],
              spaceOf(C.Addresses[L]));
    Rows[L] = IsShared ? lanePointer(C, I, L, RowBytes, Writes) : nullptr;
    if (!Rows[L])
      return false;
  }
  return true;
}

/// Where the halves of a lane lie in a matrix: in a row, or in a column.
template <bool Transposed>
static u8 *halfOf(u8 *const *Rows, unsigned Lane, unsigned N) {
  unsigned Minor = Lane % 4 * 2 + N, Major = Lane / 4;
  return Transposed ? Rows[Minor] + 2 * Major : Rows[Major] + 2 * Minor;
}

/// Ops: d0 …, address
template <bool Transposed> void loadRows(ExecContext &C, const Inst &I) {
  u8 *Rows[WarpSize];
  if (!findRows(C, I, false, Rows))
    return;
  for (unsigned R = 0; R != I.Count; ++R)
    emit<u32>(C, I.Ops[R], [&](unsigned L) {
      u16 Halves[2];
      for (unsigned N = 0; N != 2; ++N)
        std::memcpy(&Halves[N], halfOf<Transposed>(Rows + 8 * R, L, N), 2);
      return Halves[0] | u32(Halves[1]) << 16;
    });
}

/// Ops: a0 …, address
template <bool Transposed> void storeRows(ExecContext &C, const Inst &I) {
  u8 *Rows[WarpSize];
  if (!findRows(C, I, true, Rows))
    return;
  for (unsigned R = 0; R != I.Count; ++R)
    for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
      unsigned L = std::countr_zero(Rest);
      u32 Word = C.row(I.Ops[R])[L];
      for (unsigned N = 0; N != 2; ++N) {
        auto Half = u16(Word >> 16 * N);
        std::memcpy(halfOf<Transposed>(Rows + 8 * R, L, N), &Half, 2);
      }
    }
}

static const HandlerEntry Entries[] = {
    {"wmma.load", loadFragment},    {"wmma.store", storeFragment},
    {"ldmatrix", loadRows<false>},  {"ldmatrix.trans", loadRows<true>},
    {"stmatrix", storeRows<false>}, {"stmatrix.trans", storeRows<true>},
};

HandlerList matrixMemoryHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
