//===- ExecTexture.cpp - Texture fetches ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecCommon.h"
#include "Texture/TextureFetch.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

/// What a lane names. Ops: d0 … d3, handle, coordinates. Null if it is no
/// texture of the instruction's shape.
static const TextureDescription *textureOf(const ExecContext &C, const Inst &I,
                                           TextureOp Op, unsigned Lane,
                                           u32 *Coordinates) {
  u64 Handle = fromRow<u64>(C.row(I.Ops[I.Count]), Lane);
  const TextureDescription *T = C.Global->textures().find(Handle);
  if (!T || !canFetch(*T, Op))
    return nullptr;
  for (unsigned K = 0; K != I.Target; ++K)
    Coordinates[K] = C.row(I.Ops[I.Count + 1 + K])[Lane];
  return T;
}

static void surfaceAddresses(ExecContext &C, const Inst &I, TextureOp Op) {
  C.TexelBytes = u8(I.Size * I.Count);
  C.MoreTexels.clear();
  for (unsigned L = 0; L != WarpSize; ++L) {
    u32 Coordinates[4];
    unsigned From = C.Mask >> L & 1 ? L : std::countr_zero(C.Mask);
    const TextureDescription *T = textureOf(C, I, Op, From, Coordinates);
    C.Addresses[L] =
        T ? addressInBlocks(
                *T, findBytes(*T, Op, Coordinates, C.TexelBytes).Address)
          : 0;
  }
}

/// A handle that is none shows when the access is carried out.
void textureAddresses(ExecContext &C, const Inst &I) {
  auto Op = TextureOp::unpack(I.Imm);
  if (Op.IsSurface)
    return surfaceAddresses(C, I, Op);
  C.TexelBytes = 1;
  C.MoreTexels.clear();
  u64 First = 0;
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    u32 Coordinates[4];
    const TextureDescription *T = textureOf(C, I, Op, L, Coordinates);
    C.Addresses[L] = 0;
    if (!T)
      continue;
    u8 Bytes = u8(T->Format.bytes());
    C.TexelBytes = Bytes > C.TexelBytes ? Bytes : C.TexelBytes;
    TexelTaps Taps = findTexels(*T, Op, Coordinates);
    for (unsigned K = 0; K != Taps.Count; ++K) {
      // The border is no memory; a fetch of nothing else costs its first texel.
      u64 Address = addressInBlocks(
          *T, Taps.Taps[K].Address ? Taps.Taps[K].Address : T->Base);
      if (!C.Addresses[L])
        C.Addresses[L] = Address;
      else if (Taps.Taps[K].Address)
        C.MoreTexels.push_back(Address);
    }
    First = First ? First : C.Addresses[L];
  }
  for (unsigned L = 0; L != WarpSize; ++L)
    C.Addresses[L] = C.Mask >> L & 1 ? C.Addresses[L] : First;
}

/// False with the fault recorded.
static bool fetch(ExecContext &C, const Inst &I, TextureOp Op, unsigned Lane,
                  u32 *To) {
  u32 Coordinates[4];
  const TextureDescription *T = textureOf(C, I, Op, Lane, Coordinates);
  if (!T) {
    C.fault(FaultKind::NoTexture, Lane,
            fromRow<u64>(C.row(I.Ops[I.Count]), Lane), Space::Global);
    return false;
  }
  TexelTaps Taps = findTexels(*T, Op, Coordinates);
  const GlobalMemory::Range *R = C.Global->find(T->Base);
  for (unsigned K = 0; K != Taps.Count; ++K) {
    u64 Address = Taps.Taps[K].Address;
    if (Address && (!R || !R->contains(Address, Address + T->Format.bytes()))) {
      C.fault(FaultKind::OutOfBounds, Lane, Address, Space::Global);
      return false;
    }
  }
  blendTexels(*T, Op, Taps, R ? R->Delta : 0, To);
  return true;
}

static void texture(ExecContext &C, const Inst &I) {
  auto Op = TextureOp::unpack(I.Imm);
  RowBuffer Results[4];
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    u32 Components[4];
    if (!fetch(C, I, Op, L, Components))
      return;
    for (unsigned K = 0; K != 4; ++K)
      Results[K].Words[L] = Components[K];
  }
  for (unsigned K = 0; K != I.Count; ++K)
    writeRow(C.dest(I.Ops[K]), Results[K].Words, C.Mask);
  C.Accessed = Space::Global;
}

/// Where a lane's bytes are; null beyond an edge where zeros are read, or with
/// the fault recorded.
static u8 *surfaceBytes(ExecContext &C, const Inst &I, TextureOp Op,
                        unsigned Lane) {
  u32 Coordinates[4];
  unsigned Bytes = unsigned(I.Size) * I.Count;
  u64 Handle = fromRow<u64>(C.row(I.Ops[I.Count]), Lane);
  const TextureDescription *T = textureOf(C, I, Op, Lane, Coordinates);
  if (!T) {
    C.fault(FaultKind::NoTexture, Lane, Handle, Space::Global);
    return nullptr;
  }
  SurfacePlace Place = findBytes(*T, Op, Coordinates, Bytes);
  if (!Place.IsInside) {
    if (Op.Edge != SurfaceEdge::Zero)
      C.fault(FaultKind::BeyondSurface, Lane, Handle, Space::Global);
    return nullptr;
  }
  if (Place.Address & (Bytes - 1)) {
    C.fault(FaultKind::Misaligned, Lane, Place.Address, Space::Global);
    return nullptr;
  }
  const GlobalMemory::Range *R = C.Global->find(Place.Address);
  if (!R || !R->contains(Place.Address, Place.Address + Bytes)) {
    C.fault(FaultKind::OutOfBounds, Lane, Place.Address, Space::Global);
    return nullptr;
  }
  return R->host(Place.Address);
}

/// Ops: d0 …, handle, coordinates.
static void surfaceLoad(ExecContext &C, const Inst &I) {
  auto Op = TextureOp::unpack(I.Imm);
  RowBuffer Results[4];
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    const u8 *P = surfaceBytes(C, I, Op, L);
    if (C.F.Kind != FaultKind::None)
      return;
    for (unsigned K = 0; K != I.Count; ++K) {
      u64 Value = 0;
      if (P)
        std::memcpy(&Value, P + K * I.Size, I.Size);
      Results[K].set<u64>(L, Value);
    }
  }
  for (unsigned K = 0; K != I.Count; ++K) {
    writeRow(C.dest(I.Ops[K]), Results[K].Words, C.Mask);
    if (I.Size == 8)
      writeRow(C.dest(I.Ops[K] + 1), Results[K].Words + WarpSize, C.Mask);
  }
  C.Accessed = Space::Global;
}

/// Ops: a0 …, handle, coordinates. Nothing is written beyond an edge.
static void surfaceStore(ExecContext &C, const Inst &I) {
  auto Op = TextureOp::unpack(I.Imm);
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    u8 *P = surfaceBytes(C, I, Op, L);
    if (C.F.Kind != FaultKind::None)
      return;
    for (unsigned K = 0; P && K != I.Count; ++K) {
      const u32 *Row = C.row(I.Ops[K]);
      u64 Value = I.Size == 8 ? fromRow<u64>(Row, L) : Row[L];
      std::memcpy(P + K * I.Size, &Value, I.Size);
    }
  }
  C.Accessed = Space::Global;
}

static const HandlerEntry Entries[] = {
    {"tex", texture}, {"suld", surfaceLoad}, {"sust", surfaceStore}};

HandlerList textureHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
