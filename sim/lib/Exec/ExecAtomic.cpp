//===- ExecAtomic.cpp - Atomic operations and reductions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecAddress.h"
#include "ExecRounding.h"
#include "Float16.h"

#include <cmath>

namespace regshare::sim::REGSHARE_SIM_ISA {

struct AtomAdd {
  template <typename T> T operator()(T Old, T B, T) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(Old) + std::make_unsigned_t<T>(B));
    else
      return Old + B;
  }
};
/// In global memory subnormal numbers become zeros of their sign; in shared
/// memory they stay.
struct AtomAddFlushed {
  float operator()(float Old, float B, float) const {
    return canonical(flush(flush(Old) + flush(B)));
  }
};
struct AtomAddFloat {
  float operator()(float Old, float B, float) const {
    return canonical(Old + B);
  }
};
struct AtomMin {
  template <typename T> T operator()(T Old, T B, T) const {
    return B < Old ? B : Old;
  }
};
struct AtomMax {
  template <typename T> T operator()(T Old, T B, T) const {
    return B > Old ? B : Old;
  }
};
struct AtomAnd {
  template <typename T> T operator()(T Old, T B, T) const { return Old & B; }
};
struct AtomOr {
  template <typename T> T operator()(T Old, T B, T) const { return Old | B; }
};
struct AtomXor {
  template <typename T> T operator()(T Old, T B, T) const { return Old ^ B; }
};
struct AtomExch {
  template <typename T> T operator()(T, T B, T) const { return B; }
};
struct AtomCas {
  template <typename T> T operator()(T Old, T B, T C) const {
    return Old == B ? C : Old;
  }
};
struct AtomInc {
  u32 operator()(u32 Old, u32 B, u32) const { return Old >= B ? 0 : Old + 1; }
};
struct AtomDec {
  u32 operator()(u32 Old, u32 B, u32) const {
    return Old == 0 || Old > B ? B : Old - 1;
  }
};
struct AtomAddHalf {
  u16 operator()(u16 Old, u16 B, u16) const {
    return roundToHalf(double(halfToFloat(Old)) + halfToFloat(B), RN);
  }
};
struct AtomAddBFloat {
  u16 operator()(u16 Old, u16 B, u16) const {
    return roundToBFloat(double(bfloatToFloat(Old)) + bfloatToFloat(B), RN);
  }
};
/// The lesser or the greater of two numbers in 16 bits, as min and max: -0 is
/// less than +0, and a number comes before a NaN.
template <float ToFloat(u16), bool Least> struct AtomBound16 {
  u16 operator()(u16 Old, u16 B, u16) const {
    float X = ToFloat(Old), Y = ToFloat(B);
    if (std::isnan(X))
      return std::isnan(Y) ? 0x7FFF : B;
    if (std::isnan(Y))
      return Old;
    bool IsLess = X < Y || (X == Y && std::signbit(X));
    return IsLess == Least ? Old : B;
  }
};
template <typename Op> struct AtomPair {
  u32 operator()(u32 Old, u32 B, u32) const {
    return Op()(u16(Old), u16(B), 0) |
           u32(Op()(u16(Old >> 16), u16(B >> 16), 0)) << 16;
  }
};

/// False if it is in shared memory.
inline bool isGlobal(const Inst &I, u64 Address) {
  Space S = I.Where == Space::Generic ? spaceOf(Address) : I.Where;
  return S == Space::Global;
}

/// Calls \p Body with the number of each lane and the host's address of its
/// \p Bytes, which C.Addresses has the device's of. Lanes take their turns in
/// ascending order. False after a fault: local memory has no atomics, and
/// shared memory none if \p OnlyGlobal.
template <typename BodyT>
bool inTurn(ExecContext &C, const Inst &I, unsigned Bytes, bool OnlyGlobal,
            BodyT Body) {
  Access A = locate(C, I, Bytes, true);
  if (A.K == Access::Bad)
    return false;
  unsigned Some = std::countr_zero(C.Mask);
  if (A.K == Access::Local || (OnlyGlobal && !isGlobal(I, C.Addresses[Some]))) {
    C.fault(FaultKind::Unsupported, Some, C.Addresses[Some],
            A.K == Access::Local ? Space::Local : spaceOf(C.Addresses[Some]));
    return false;
  }
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    Body(L, laneAddress(C, I, A, L, Bytes, true));
  }
  return true;
}

/// Ops: d, address, b, c; a reduction has no d (IsLoad is false).
template <typename Op, typename T> void atomic(ExecContext &C, const Inst &I) {
  computeAddresses(C, I, I.Ops[1]);
  const u32 *RB = C.row(I.Ops[2]), *RC = C.row(I.Ops[3]);
  RowBuffer Buffer;
  bool IsDone = inTurn(C, I, sizeof(T), false, [&](unsigned L, u8 *P) {
    T Old;
    std::memcpy(&Old, P, sizeof(T));
    T X = fromRow<T>(RB, L), New;
    if constexpr (std::is_same_v<Op, AtomAddFloat>)
      New = isGlobal(I, C.Addresses[L]) ? AtomAddFlushed()(Old, X, X)
                                        : Op()(Old, X, X);
    else
      New = Op()(Old, X, fromRow<T>(RC, L));
    std::memcpy(P, &New, sizeof(T));
    Buffer.set<T>(L, Old);
  });
  if (IsDone && I.IsLoad)
    writeBuffer<T>(C, I.Ops[0], Buffer);
}

/// Ops: elements of d, address, elements of b; a reduction has no d.
template <typename Op, typename T>
void vectorAtomic(ExecContext &C, const Inst &I) {
  unsigned N = I.Count;
  computeAddresses(C, I, I.Ops[N]);
  RowBuffer Old[4];
  bool IsDone = inTurn(C, I, sizeof(T) * N, true, [&](unsigned L, u8 *P) {
    for (unsigned K = 0; K != N; ++K, P += sizeof(T)) {
      T Before;
      std::memcpy(&Before, P, sizeof(T));
      T B = fromRow<T>(C.row(I.Ops[N + 1 + K]), L);
      T After = Op()(Before, B, B);
      std::memcpy(P, &After, sizeof(T));
      Old[K].set<T>(L, Before);
    }
  });
  // A destination may be the register of an operand.
  for (unsigned K = 0; IsDone && I.IsLoad && K != N; ++K)
    writeBuffer<T>(C, I.Ops[K], Old[K]);
}

/// atom.{exch,cas}.b128. Ops: d, address, b, c; a value of 128 bits is two of
/// 64 bits in adjacent rows.
template <bool Compares> void wideAtomic(ExecContext &C, const Inst &I) {
  struct Wide {
    u64 Low, High;
    bool operator==(const Wide &) const = default;
  };
  computeAddresses(C, I, I.Ops[1]);
  auto Value = [&](unsigned Op, unsigned L) {
    return Wide{fromRow<u64>(C.row(I.Ops[Op]), L),
                fromRow<u64>(C.row(I.Ops[Op] + 2), L)};
  };
  RowBuffer Low, High;
  bool IsDone = inTurn(C, I, sizeof(Wide), false, [&](unsigned L, u8 *P) {
    Wide Old;
    std::memcpy(&Old, P, sizeof(Wide));
    Wide New = Value(2, L);
    if constexpr (Compares)
      New = Old == New ? Value(3, L) : Old;
    std::memcpy(P, &New, sizeof(Wide));
    Low.set<u64>(L, Old.Low);
    High.set<u64>(L, Old.High);
  });
  if (!IsDone)
    return;
  writeBuffer<u64>(C, I.Ops[0], Low);
  writeBuffer<u64>(C, I.Ops[0] + 2, High);
}

#define BITS(NAME, OP)                                                         \
  {"atom." NAME ".32", atomic<OP, u32>}, { "atom." NAME ".64", atomic<OP, u64> }

#define BOUNDS16(NAME, LEAST)                                                  \
  {"atom.vector." NAME ".f16",                                                 \
   vectorAtomic<AtomBound16<halfToFloat, LEAST>, u16>},                        \
      {"atom.vector." NAME ".bf16",                                            \
       vectorAtomic<AtomBound16<bfloatToFloat, LEAST>, u16>},                  \
      {"atom.vector." NAME ".f16x2",                                           \
       vectorAtomic<AtomPair<AtomBound16<halfToFloat, LEAST>>, u32>},          \
  {                                                                            \
    "atom.vector." NAME ".bf16x2",                                             \
        vectorAtomic<AtomPair<AtomBound16<bfloatToFloat, LEAST>>, u32>         \
  }

static const HandlerEntry Entries[] = {
    BITS("add", AtomAdd),
    BITS("and", AtomAnd),
    BITS("or", AtomOr),
    BITS("xor", AtomXor),
    BITS("exch", AtomExch),
    BITS("cas", AtomCas),
    {"atom.cas.16", atomic<AtomCas, u16>},
    {"atom.add.f32", atomic<AtomAddFloat, float>},
    {"atom.add.f64", atomic<AtomAdd, double>},
    {"atom.add.f16", atomic<AtomAddHalf, u16>},
    {"atom.add.bf16", atomic<AtomAddBFloat, u16>},
    {"atom.add.f16x2", atomic<AtomPair<AtomAddHalf>, u32>},
    {"atom.add.bf16x2", atomic<AtomPair<AtomAddBFloat>, u32>},
    {"atom.vector.add.f32", vectorAtomic<AtomAddFlushed, float>},
    {"atom.vector.add.f16", vectorAtomic<AtomAddHalf, u16>},
    {"atom.vector.add.bf16", vectorAtomic<AtomAddBFloat, u16>},
    {"atom.vector.add.f16x2", vectorAtomic<AtomPair<AtomAddHalf>, u32>},
    {"atom.vector.add.bf16x2", vectorAtomic<AtomPair<AtomAddBFloat>, u32>},
    BOUNDS16("min", true),
    BOUNDS16("max", false),
    {"atom.exch.128", wideAtomic<false>},
    {"atom.cas.128", wideAtomic<true>},
    {"atom.min.u32", atomic<AtomMin, u32>},
    {"atom.min.s32", atomic<AtomMin, s32>},
    {"atom.min.u64", atomic<AtomMin, u64>},
    {"atom.min.s64", atomic<AtomMin, s64>},
    {"atom.max.u32", atomic<AtomMax, u32>},
    {"atom.max.s32", atomic<AtomMax, s32>},
    {"atom.max.u64", atomic<AtomMax, u64>},
    {"atom.max.s64", atomic<AtomMax, s64>},
    {"atom.inc.u32", atomic<AtomInc, u32>},
    {"atom.dec.u32", atomic<AtomDec, u32>},
};

HandlerList atomicHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
