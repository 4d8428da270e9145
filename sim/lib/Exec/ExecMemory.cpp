//===- ExecMemory.cpp - Loads and stores -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecPattern.h"
#include "MbarrierObject.h"

#include <algorithm>

namespace regshare::sim::REGSHARE_SIM_ISA {

template <typename T> inline T readAs(const u8 *P) {
  T Value;
  std::memcpy(&Value, P, sizeof(T));
  return Value;
}

/// Element \p K of a lane in local memory: 64-bit values lie in two words.
template <typename T>
inline T readLocal(const ExecContext &C, unsigned Lane, u64 Offset) {
  if constexpr (sizeof(T) == 8) {
    u64 Lo = readAs<u32>(localAddress(C, Lane, Offset));
    u64 Hi = readAs<u32>(localAddress(C, Lane, Offset + 4));
    return T(Lo | Hi << 32);
  } else {
    return readAs<T>(localAddress(C, Lane, Offset));
  }
}

template <typename T>
inline void writeLocal(const ExecContext &C, unsigned Lane, u64 Offset,
                       T Value) {
  if constexpr (sizeof(T) == 8) {
    u32 Words[2];
    std::memcpy(Words, &Value, 8);
    std::memcpy(localAddress(C, Lane, Offset), &Words[0], 4);
    std::memcpy(localAddress(C, Lane, Offset + 4), &Words[1], 4);
  } else {
    std::memcpy(localAddress(C, Lane, Offset), &Value, sizeof(T));
  }
}

inline u64 localOffset(const Inst &I, u64 Address) {
  return I.Where == Space::Generic ? Address - LocalWindow : Address;
}

template <typename T>
inline T readMixed(const ExecContext &C, const Inst &I, unsigned Lane,
                   unsigned K) {
  u64 Address = C.Addresses[Lane] + K * sizeof(T);
  Space S = I.Where == Space::Generic ? spaceOf(Address) : I.Where;
  if (S == Space::Local)
    return readLocal<T>(C, Lane, localOffset(I, Address));
  if (S == Space::Shared)
    return readAs<T>(C.Shared + (Address - SharedWindow));
  if (S == Space::Param)
    return readAs<T>(C.Params + (Address - ParamWindow));
  return readAs<T>(C.Global->find(Address)->host(Address));
}

template <typename T>
inline void writeMixed(const ExecContext &C, const Inst &I, unsigned Lane,
                       unsigned K, T Value) {
  u64 Address = C.Addresses[Lane] + K * sizeof(T);
  Space S = I.Where == Space::Generic ? spaceOf(Address) : I.Where;
  if (S == Space::Local)
    return writeLocal<T>(C, Lane, localOffset(I, Address), Value);
  u8 *P = S == Space::Shared ? C.Shared + (Address - SharedWindow)
                             : C.Global->find(Address)->host(Address);
  std::memcpy(P, &Value, sizeof(T));
}

template <typename T>
inline void putLoaded(const ExecContext &C, const Inst &I, RowRef Dest,
                      const RowBuffer &Buffer) {
  writeBuffer<T>(C, Dest, Buffer);
  if (sizeof(T) == 8 || !(I.Flags & FlagWide))
    return;
  RowBuffer High;
  for (unsigned L = 0; L != WarpSize; ++L)
    High.Words[L] = std::is_signed_v<T> ? u32(s32(Buffer.Words[L]) >> 31) : 0;
  writeRow(C.dest(Dest + 1), High.Words, C.Mask);
}

/// Lane by lane, wherever they are.
template <typename T>
[[gnu::noinline]] void loadAnywhere(ExecContext &C, const Inst &I) {
  unsigned Count = I.Count;
  computeAddresses(C, I, I.Ops[Count]);
  if (I.Where == Space::Local && I.Flags & FlagConstBase)
    for (unsigned L = 0; L != WarpSize; ++L)
      C.Addresses[L] += C.FrameBase;
  Access A = locate(C, I, sizeof(T) * Count, false);
  for (unsigned K = 0; K != Count; ++K) {
    RowBuffer Buffer;
    switch (A.K) {
    case Access::Bad:
      return;
    case Access::Flat:
      for (unsigned L = 0; L != WarpSize; ++L)
        Buffer.set<T>(
            L, readAs<T>(flatAddress(A, C.Addresses[L] + K * sizeof(T))));
      break;
    case Access::Local:
      for (unsigned L = 0; L != WarpSize; ++L)
        Buffer.set<T>(
            L,
            readLocal<T>(C, L, localOffset(I, C.Addresses[L]) + K * sizeof(T)));
      break;
    case Access::Mixed:
      for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
        unsigned L = std::countr_zero(Rest);
        Buffer.set<T>(L, readMixed<T>(C, I, L, K));
      }
      break;
    }
    putLoaded<T>(C, I, I.Ops[K], Buffer);
  }
}

/// Lanes store in ascending order, so the highest one wins where several write
/// to one place.
template <typename T>
[[gnu::noinline]] void storeAnywhere(ExecContext &C, const Inst &I) {
  unsigned Count = I.Count;
  computeAddresses(C, I, I.Ops[0]);
  if (I.Where == Space::Local && I.Flags & FlagConstBase)
    for (unsigned L = 0; L != WarpSize; ++L)
      C.Addresses[L] += C.FrameBase;
  Access A = locate(C, I, sizeof(T) * Count, true);
  for (unsigned K = 0; K != Count; ++K) {
    const u32 *Row = C.row(I.Ops[1 + K]);
    switch (A.K) {
    case Access::Bad:
      return;
    case Access::Flat:
      for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
        unsigned L = std::countr_zero(Rest);
        T Value = fromRow<T>(Row, L);
        std::memcpy(flatAddress(A, C.Addresses[L] + K * sizeof(T)), &Value,
                    sizeof(T));
      }
      break;
    case Access::Local:
      for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
        unsigned L = std::countr_zero(Rest);
        writeLocal<T>(C, L, localOffset(I, C.Addresses[L]) + K * sizeof(T),
                      fromRow<T>(Row, L));
      }
      break;
    case Access::Mixed:
      for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
        unsigned L = std::countr_zero(Rest);
        writeMixed<T>(C, I, L, K, fromRow<T>(Row, L));
      }
      break;
    }
  }
}

/// Words that lie together. The compiler would call a function for it.
inline void copyHalf(void *To, const void *From) {
  Lanes Words[HalfSize / VectorLanes];
  std::memcpy(Words, From, sizeof(Words));
  std::memcpy(To, Words, sizeof(Words));
}

/// Lanes \p First and on, which lie \p Stride bytes apart.
template <typename T, unsigned Stride>
inline void loadRow(RowBuffer &To, unsigned First, const u8 *From) {
  if constexpr (sizeof(T) == 4 && Stride == 4)
    return copyHalf(&To.Words[First], From);
  for (unsigned L = 0; L != HalfSize; ++L)
    To.set<T>(First + L, readAs<T>(From + L * Stride));
}

template <typename T, unsigned Stride>
inline void storeRow(u8 *To, const u32 *Row, unsigned First) {
  if constexpr (sizeof(T) == 4 && Stride == 4)
    return copyHalf(To, Row + First);
  for (unsigned L = 0; L != HalfSize; ++L) {
    T Value = fromRow<T>(Row, First + L);
    std::memcpy(To + L * Stride, &Value, sizeof(T));
  }
}

/// Calls \p F with the bytes of a lane's access as a constant.
template <typename T, typename Fn>
[[gnu::always_inline]] inline void withStride(unsigned Count, Fn F) {
  if (Count == 1)
    F(std::integral_constant<unsigned, sizeof(T)>());
  else if (Count == 2)
    F(std::integral_constant<unsigned, 2 * sizeof(T)>());
  else if (Count == 4)
    F(std::integral_constant<unsigned, 4 * sizeof(T)>());
  else
    F(std::integral_constant<unsigned, 8 * sizeof(T)>());
}

/// Element \p K of half a warp's lanes.
template <typename T>
[[gnu::always_inline]] inline void loadHalf(RowBuffer &To, const Pattern &P,
                                            const Located &At, unsigned First,
                                            unsigned Count, unsigned K) {
  const HalfPattern &H = P.Halves[First != 0];
  unsigned Offset = K * sizeof(T), Bytes = sizeof(T) * Count;
  if (H.K == HalfPattern::Same) {
    T Value = readAs<T>(At.of(H.Lowest) + Offset);
    for (unsigned L = 0; L != HalfSize; ++L)
      To.set<T>(First + L, Value);
    return;
  }
  if (H.K == HalfPattern::Row) {
    s64 LaneZero = s64(std::countr_zero(H.Active)) * Bytes;
    if (At.holds(s64(H.Lowest - P.Lowest) - LaneZero, HalfSize * Bytes))
      return withStride<T>(
          Count, [&](auto Stride) __attribute__((always_inline)) {
            loadRow<T, Stride>(To, First, At.of(H.Lowest) - LaneZero + Offset);
          });
    for (u32 Rest = H.Active; Rest; Rest &= Rest - 1) {
      unsigned L = First + std::countr_zero(Rest);
      To.set<T>(L, readAs<T>(At.of(P.Low[L]) + Offset));
    }
    return;
  }
  if (H.K == HalfPattern::Scattered)
    for (unsigned L = First; L != First + HalfSize; ++L)
      To.set<T>(L, readAs<T>(At.of(P.Low[L]) + Offset));
}

template <typename T>
[[gnu::always_inline]] inline void storeHalf(const u32 *Row, const Pattern &P,
                                             const Located &At, unsigned First,
                                             unsigned Count, unsigned K) {
  const HalfPattern &H = P.Halves[First != 0];
  unsigned Offset = K * sizeof(T);
  if (H.K == HalfPattern::Row && H.Active == 0xFFFF)
    return withStride<T>(
        Count, [&](auto Stride) __attribute__((always_inline)) {
          storeRow<T, Stride>(At.of(H.Lowest) + Offset, Row, First);
        });
  u32 Active = H.Active;
  if (H.K == HalfPattern::Same)
    Active = std::bit_floor(Active);
  for (u32 Rest = Active; Rest; Rest &= Rest - 1) {
    unsigned L = First + std::countr_zero(Rest);
    T Value = fromRow<T>(Row, L);
    std::memcpy(At.of(P.Low[L]) + Offset, &Value, sizeof(T));
  }
}

/// The rows of a frame's memory that an access at a fixed place in it is to, or
/// null: a word of all lanes lies together.
template <typename T> inline u32 *frameRows(ExecContext &C, const Inst &I) {
  if (sizeof(T) < 4 || I.Where != Space::Local || !(I.Flags & FlagConstBase))
    return nullptr;
  u64 Offset = C.FrameBase + u64(I.Imm), Bytes = sizeof(T) * I.Count;
  if (Offset & (Bytes - 1) || Offset + Bytes > C.Local.Bytes ||
      Offset + Bytes < Offset)
    return nullptr;
  if (C.KeepsAddresses)
    std::fill_n(C.Addresses, WarpSize, Offset);
  C.Accessed = Space::Local;
  return reinterpret_cast<u32 *>(C.Local.Data + Offset * WarpSize);
}

/// Ops: d0 … d(Count-1), address. The values of a lane lie together.
template <typename T> void load(ExecContext &C, const Inst &I) {
  unsigned Count = I.Count;
  RowBuffer Buffer;
  if (const u32 *Rows = frameRows<T>(C, I)) {
    for (unsigned K = 0; K != Count; ++K, Rows += sizeof(T) / 4 * WarpSize) {
      std::memcpy(Buffer.Words, Rows, sizeof(T) * WarpSize);
      putLoaded<T>(C, I, I.Ops[K], Buffer);
    }
    return;
  }
  Pattern P;
  Located At;
  if (!findPattern(C, I, I.Ops[Count], sizeof(T) * Count, P) ||
      !locatePattern(C, I, P, sizeof(T) * Count, false, At))
    return loadAnywhere<T>(C, I);
  if (C.KeepsAddresses)
    keepAddresses(C, P);
  for (unsigned K = 0; K != Count; ++K) {
    loadHalf<T>(Buffer, P, At, 0, Count, K);
    loadHalf<T>(Buffer, P, At, HalfSize, Count, K);
    putLoaded<T>(C, I, I.Ops[K], Buffer);
  }
}

/// Ops: address, a0 … a(Count-1)
template <typename T> void store(ExecContext &C, const Inst &I) {
  unsigned Count = I.Count;
  if (u32 *Rows = frameRows<T>(C, I)) {
    for (unsigned K = 0; K != Count; ++K)
      for (unsigned Word = 0; Word != sizeof(T) / 4; ++Word, Rows += WarpSize)
        writeRow(Rows, C.row(I.Ops[1 + K]) + Word * WarpSize, C.Mask);
    return;
  }
  Pattern P;
  Located At;
  if (!findPattern(C, I, I.Ops[0], sizeof(T) * Count, P) ||
      !locatePattern(C, I, P, sizeof(T) * Count, true, At))
    return storeAnywhere<T>(C, I);
  if (C.KeepsAddresses)
    keepAddresses(C, P);
  for (unsigned K = 0; K != Count; ++K) {
    const u32 *Row = C.row(I.Ops[1 + K]);
    storeHalf<T>(Row, P, At, 0, Count, K);
    storeHalf<T>(Row, P, At, HalfSize, Count, K);
  }
}

/// Of a bulk copy, whose first 16 bytes C.Addresses has: all others, and what
/// it tells.
static void noteBulk(ExecContext &C, const Inst &I) {
  C.TexelBytes = I.Size;
  C.MoreTexels.clear();
  C.Arrivals.clear();
  const u32 *Bytes = C.row(I.Ops[2]), *Barrier = C.row(I.Ops[3]);
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    for (u32 At = I.Size; At < Bytes[L]; At += I.Size)
      C.MoreTexels.push_back(C.Addresses[L] + At);
    C.Arrivals.push_back({Barrier[L], Bytes[L]});
  }
}

/// Fills the addresses alone; of cp.async, those it reads from.
static void addressesOf(ExecContext &C, const Inst &I) {
  if (I.Op == OpClass::Matrix)
    return matrixAddresses(C, I);
  if (I.Flags & FlagTexture)
    return textureAddresses(C, I);
  unsigned Op = I.isCopy() ? 1 : I.IsStore && !I.IsAtomic ? 0 : I.Count;
  if (!I.isCopy())
    return computeAddresses(C, I, I.Ops[Op]);
  Inst From = I;
  From.Flags = 0;
  computeAddresses(C, From, I.Ops[Op]);
  if (I.isBulkCopy())
    noteBulk(C, I);
}

/// ld.param of a kernel argument at a fixed offset: the same for all lanes.
template <typename T> void loadParam(ExecContext &C, const Inst &I) {
  for (unsigned K = 0; K != I.Count; ++K) {
    T Value = readAs<T>(C.Params + I.Imm + K * sizeof(T));
    RowBuffer Buffer;
    for (unsigned L = 0; L != WarpSize; ++L)
      Buffer.set<T>(L, Value);
    putLoaded<T>(C, I, I.Ops[K], Buffer);
  }
}

/// The address of a .local variable: its frame's place is known only now.
static void localAddressOf(ExecContext &C, const Inst &I) {
  u64 Address = C.FrameBase + u64(I.Imm);
  emit<u64>(C, I.Ops[0], [=](unsigned) { return Address; });
}

/// Ops: d, a. Imm is what to add: a window, or minus one.
static void convertAddress(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  u64 Offset = u64(I.Imm);
  emit<u64>(C, I.Ops[0],
            [=](unsigned L) { return fromRow<u64>(A, L) + Offset; });
}

/// The same from constant memory, where an address may be one of 32 bits.
static void convertConstantAddress(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  emit<u64>(C, I.Ops[0],
            [=](unsigned L) { return fromRow<u64>(A, L) | DeviceBase; });
}

/// Ops: p, a. Where: the space asked for.
static void isSpace(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  C.setPred(I.Ops[0], maskOf([&](unsigned L) {
              u64 Address = fromRow<u64>(A, L);
              if (spaceOf(Address) != Space::Global)
                return I.Where == spaceOf(Address);
              const GlobalMemory::Range *R = C.Global->find(Address);
              bool Constant = R && R->ReadOnly;
              return I.Where == (Constant ? Space::Const : Space::Global);
            }));
}

/// cp.async, executed at once. Ops: shared address, global address, bytes to
/// read (or Zero). Size: bytes to write; what is not read is zero.
static void copyAsync(ExecContext &C, const Inst &I) {
  Inst From = I, To = I;
  From.Where = Space::Global;
  From.Imm = I.Imm;
  From.Flags = 0;
  To.Where = Space::Shared;
  To.Imm = I.Target;
  computeAddresses(C, From, I.Ops[1]);
  u8 Data[WarpSize][16] = {};
  const u32 *Wanted = C.row(I.Ops[2]);
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    u32 Bytes = I.Round ? Wanted[L] : I.Size;
    if (Bytes == 0)
      continue;
    const u8 *P = lanePointer(C, From, L, I.Size, false);
    if (!P)
      return;
    std::memcpy(Data[L], P, Bytes < I.Size ? Bytes : I.Size);
  }
  computeAddresses(C, To, I.Ops[0]);
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    u8 *P = lanePointer(C, To, L, I.Size, true);
    if (!P)
      return;
    std::memcpy(P, Data[L], I.Size);
  }
  C.Accessed = Space::Shared;
}

/// cp.async.bulk: the same in pieces of Size bytes, as many as an operand says;
/// the last one tells the barrier.
static void copyBulk(ExecContext &C, const Inst &I) {
  Inst From = I, To = I;
  From.Where = Space::Global;
  From.Flags = 0;
  To.Where = Space::Shared;
  To.Imm = I.Target;
  u64 Target[WarpSize], Origin[WarpSize];
  computeAddresses(C, To, I.Ops[0]);
  std::copy_n(C.Addresses, WarpSize, Target);
  computeAddresses(C, From, I.Ops[1]);
  std::copy_n(C.Addresses, WarpSize, Origin);
  const u32 *Bytes = C.row(I.Ops[2]);
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    if (Bytes[L] % I.Size) {
      C.fault(FaultKind::Misaligned, L, Origin[L] + Bytes[L], Space::Global);
      return;
    }
    for (u32 At = 0; At != Bytes[L]; At += I.Size) {
      C.Addresses[L] = Origin[L] + At;
      const u8 *P = lanePointer(C, From, L, I.Size, false);
      C.Addresses[L] = Target[L] + At;
      u8 *Q = P ? lanePointer(C, To, L, I.Size, true) : nullptr;
      if (!Q)
        return;
      std::memcpy(Q, P, I.Size);
    }
  }
  std::copy_n(Origin, WarpSize, C.Addresses);
  C.Accessed = Space::Shared;
  if (C.TellsLater)
    return;
  noteBulk(C, I);
  for (ExecContext::BulkArrival A : C.Arrivals)
    if (!tellBarrier(C.Shared, C.SharedBytes, A.Barrier, A.Bytes)) {
      C.fault(FaultKind::Unsupported, std::countr_zero(C.Mask), A.Barrier,
              Space::Shared);
      return;
    }
}

static const HandlerEntry Entries[] = {
    {"ld.u8", load<u8>},
    {"ld.s8", load<s8>},
    {"ld.u16", load<u16>},
    {"ld.s16", load<s16>},
    {"ld.u32", load<u32>},
    {"ld.s32", load<s32>},
    {"ld.u64", load<u64>},
    {"st.u8", store<u8>},
    {"st.u16", store<u16>},
    {"st.u32", store<u32>},
    {"st.u64", store<u64>},
    {"ldparam.u8", loadParam<u8>},
    {"ldparam.s8", loadParam<s8>},
    {"ldparam.u16", loadParam<u16>},
    {"ldparam.s16", loadParam<s16>},
    {"ldparam.u32", loadParam<u32>},
    {"ldparam.s32", loadParam<s32>},
    {"ldparam.u64", loadParam<u64>},
    {"addresses", addressesOf},
    {"localaddr", localAddressOf},
    {"cvta", convertAddress},
    {"cvta.const", convertConstantAddress},
    {"isspacep", isSpace},
    {"cp.async", copyAsync},
    {"cp.async.bulk", copyBulk},
};

HandlerList memoryHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
