//===- ExecWarp.cpp - Shuffles, votes, matches and warp reductions -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecCommon.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

enum class ShuffleMode : u8 { Up, Down, Bfly, Idx };

/// Ops: d, a, b, c, members, p (or 0)
template <ShuffleMode Mode> void shuffle(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]), *D = C.row(I.Ops[3]);
  u32 InRange = 0;
  RowBuffer Buffer, Heard;
  if (C.Silent) {
    for (unsigned L = 0; L != WarpSize; ++L)
      Heard.Words[L] = C.Silent >> L & 1 ? 0 : A[L];
    A = Heard.Words;
  }
  for (unsigned L = 0; L != WarpSize; ++L) {
    u32 Amount = B[L] & 31, Clamp = D[L] & 31, Segment = D[L] >> 8 & 31;
    u32 Max = (L & Segment) | (Clamp & ~Segment), Min = L & Segment;
    s32 From = 0;
    bool Valid = false;
    switch (Mode) {
    case ShuffleMode::Up:
      From = s32(L) - s32(Amount);
      Valid = From >= s32(Max);
      break;
    case ShuffleMode::Down:
      From = s32(L + Amount);
      Valid = From <= s32(Max);
      break;
    case ShuffleMode::Bfly:
      From = s32(L ^ Amount);
      Valid = From <= s32(Max);
      break;
    case ShuffleMode::Idx:
      From = s32(Min | (Amount & ~Segment));
      Valid = From <= s32(Max);
      break;
    }
    Buffer.Words[L] = A[Valid ? From : s32(L)];
    InRange |= u32(Valid) << L;
  }
  writeRow(C.dest(I.Ops[0]), Buffer.Words, C.Mask);
  if (I.Ops[5])
    C.setPred(I.Ops[5], InRange);
}

enum class VoteMode : u8 { All, Any, Uni, Ballot };

/// Ops: d (row or predicate), p, -, -, members
template <VoteMode Mode> void vote(ExecContext &C, const Inst &I) {
  u32 P = C.pred(I.Ops[1]) & C.Mask;
  bool Result = Mode == VoteMode::All   ? P == C.Mask
                : Mode == VoteMode::Any ? P != 0
                                        : P == C.Mask || P == 0;
  if (Mode == VoteMode::Ballot)
    emit<u32>(C, I.Ops[0], [=](unsigned) { return P; });
  else
    C.setPred(I.Ops[0], Result ? FullMask : 0);
}

/// Ops: d, a, -, -, members, p (or 0)
template <typename T, bool All> void match(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  u32 Equal[WarpSize] = {};
  bool AllEqual = true;
  for (u32 Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned L = std::countr_zero(Rest);
    T Value = fromRow<T>(A, L);
    Equal[L] =
        maskOf([=](unsigned O) { return fromRow<T>(A, O) == Value; }) & C.Mask;
    AllEqual &= Equal[L] == C.Mask;
  }
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    return All ? (AllEqual ? C.Mask : 0u) : Equal[L];
  });
  if (I.Ops[5])
    C.setPred(I.Ops[5], AllEqual ? FullMask : 0);
}

struct RAdd {
  u32 operator()(u32 A, u32 B) const { return A + B; }
};
struct RMin {
  template <typename T> T operator()(T A, T B) const { return A < B ? A : B; }
};
struct RMax {
  template <typename T> T operator()(T A, T B) const { return A > B ? A : B; }
};
struct RAnd {
  u32 operator()(u32 A, u32 B) const { return A & B; }
};
struct ROr {
  u32 operator()(u32 A, u32 B) const { return A | B; }
};
struct RXor {
  u32 operator()(u32 A, u32 B) const { return A ^ B; }
};

/// Ops: d, a, -, -, members
template <typename Op, typename T> void redux(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  unsigned First = std::countr_zero(C.Mask);
  T Value = fromRow<T>(A, First);
  for (u32 Rest = C.Mask & (C.Mask - 1); Rest; Rest &= Rest - 1)
    Value = Op()(Value, fromRow<T>(A, std::countr_zero(Rest)));
  emit<T>(C, I.Ops[0], [=](unsigned) { return Value; });
}

static void activeMask(ExecContext &C, const Inst &I) {
  u32 Mask = C.Mask;
  emit<u32>(C, I.Ops[0], [=](unsigned) { return Mask; });
}

/// Ops: d, -, -, -, members, p: the lowest lane is elected.
static void elect(ExecContext &C, const Inst &I) {
  u32 Leader = std::countr_zero(C.Mask);
  emit<u32>(C, I.Ops[0], [=](unsigned) { return Leader; });
  C.setPred(I.Ops[5], 1u << Leader);
}

static const HandlerEntry Entries[] = {
    {"shfl.up", shuffle<ShuffleMode::Up>},
    {"shfl.down", shuffle<ShuffleMode::Down>},
    {"shfl.bfly", shuffle<ShuffleMode::Bfly>},
    {"shfl.idx", shuffle<ShuffleMode::Idx>},
    {"vote.all", vote<VoteMode::All>},
    {"vote.any", vote<VoteMode::Any>},
    {"vote.uni", vote<VoteMode::Uni>},
    {"vote.ballot", vote<VoteMode::Ballot>},
    {"match.any.b32", match<u32, false>},
    {"match.any.b64", match<u64, false>},
    {"match.all.b32", match<u32, true>},
    {"match.all.b64", match<u64, true>},
    {"redux.add.u32", redux<RAdd, u32>},
    {"redux.add.s32", redux<RAdd, u32>},
    {"redux.min.u32", redux<RMin, u32>},
    {"redux.min.s32", redux<RMin, s32>},
    {"redux.max.u32", redux<RMax, u32>},
    {"redux.max.s32", redux<RMax, s32>},
    {"redux.and.b32", redux<RAnd, u32>},
    {"redux.or.b32", redux<ROr, u32>},
    {"redux.xor.b32", redux<RXor, u32>},
    {"activemask", activeMask},
    {"elect.sync", elect},
};

HandlerList warpHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
