//===- Statements.cpp - Statements without others inside ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include <iterator>

namespace regshare::fuzz {

Statement Generator::assignment() {
  const Name &V = variable();
  return leaf(V.Text + " = " + E.value(V.T, 1 + R.below(3)) + ";");
}

/// An operation on many inputs.
Statement Generator::sweep(uint64_t Number) {
  return leaf("for (u32 i = 0; i < " + std::to_string(8 + R.below(24)) +
              "; ++i) sum = fz_mix(sum, " + E.sweep(Number) + ");");
}

/// An operation of all threads, on values that differ from thread to thread.
Statement Generator::meeting(uint64_t Number) {
  std::string V = "In[(Tid * " + std::to_string(1 + 2 * R.below(8)) + " + " +
                  std::to_string(R.below(256)) + ") & 255]";
  std::string D = std::to_string(1 + R.below(7));
  std::string W = std::to_string(8u << R.below(3));
  const std::string Operations[] = {
      "fz_shfl_idx(m0, " + V + ", Tid * " + D + ")",
      "fz_shfl_up(m0, " + V + ", " + D + ", " + W + ")",
      "fz_shfl_down(m0, " + V + ", " + D + ", " + W + ")",
      "fz_shfl_xor(m0, " + V + ", " + D + ", " + W + ")",
      "fz_ballot(m0, (" + V + " & " + D + ") != 0)",
      "fz_any(m0, (" + V + " >> 28) == " + D + ")",
      "fz_all(m0, (" + V + " & 31) != " + D + ")",
      "fz_uni(m0, (" + V + " & 31) == " + D + ")",
      "fz_match_any(m0, " + V + " & " + D + ")",
      "fz_match_any64(m0, u64(" + V + ") >> 30)",
      "fz_match_all(m0, " + V + " >> 31)",
      "fz_redux<FuzzAdd>(m0, " + V + ")",
      "fz_redux<FuzzMin>(m0, s32(" + V + "))",
      "fz_redux<FuzzMax>(m0, " + V + ")",
      "fz_redux<FuzzXor>(m0, " + V + ")",
      "(fz_barrier_named(1, (NThreads + 31) & ~31u), 1)",
      "fz_barrier_count((" + V + " & " + D + ") != 0)",
      "fz_barrier_and((" + V + " & 63) != " + D + ")",
      "fz_barrier_or((" + V + " & 63) == " + D + ")"};
  return leaf("sum = fz_mix(sum, u32(" +
              Operations[Number % std::size(Operations)] + "));");
}

Statement Generator::localStore() {
  std::string Index = E.value(Type::U32, 1);
  switch (R.below(3)) {
  case 0:
    return leaf("la[" + Index + " & 7] = " + E.value(Type::U32, 2) + ";");
  case 1:
    return leaf("lb[" + Index + " & 15] = " + E.value(Type::U8, 2) + ";");
  default:
    return leaf("lq[" + Index + " & 3] = " + E.value(Type::U64, 2) + ";");
  }
}

Statement Generator::scratchStore() {
  Type T = E.anyInt();
  std::string Name = nameOf(T);
  if (R.chance(25))
    return leaf("*(" + E.condition(1) + " ? &la[" + E.value(Type::U32, 1) +
                " & 7] : &Scratch[" + E.value(Type::U32, 1) +
                " & 15]) = " + E.value(Type::U32, 2) + ";");
  return leaf("((" + Name + " *)Scratch)[" + E.value(Type::U32, 1) + " & " +
              std::to_string(64 / (bitsOf(T) / 8) - 1) +
              "] = " + E.value(T, 2) + ";");
}

Statement Generator::vectorAccess() {
  std::string At = E.value(Type::U32, 1);
  auto Value = [&](Type T) { return E.value(T, 1); };
  switch (R.below(4)) {
  case 0:
    return leaf("{ FuzzV4 v = ((const FuzzV4 *)In)[" + At +
                " & 63]; ((FuzzV4 *)Scratch)[" + Value(Type::U32) +
                " & 3] = {v.W, v.X + " + Value(Type::U32) +
                ", v.Y, v.Z}; u0 ^= v.Y; }");
  case 1:
    return leaf("{ FuzzV2 v = ((const FuzzV2 *)Scratch)[" + At +
                " & 7]; ((FuzzV2 *)Scratch)[" + Value(Type::U32) +
                " & 7] = {v.Y, " + Value(Type::U32) + "}; u1 += v.X; }");
  case 2:
    return leaf("{ FuzzH4 v = ((const FuzzH4 *)In)[" + At +
                " & 127]; ((FuzzH4 *)Scratch)[" + Value(Type::U32) +
                " & 7] = {v.Z, v.W, " + Value(Type::U16) +
                ", v.X}; h0 = v.Y; }");
  default:
    return leaf("{ FuzzD2 v = ((const FuzzD2 *)In)[" + At +
                " & 63]; ((FuzzD2 *)Scratch)[" + Value(Type::U32) +
                " & 3] = {v.Y, " + Value(Type::U64) + "}; q0 -= v.X; }");
  }
}

/// On words that only this thread touches: the old values are defined.
Statement Generator::ownAtomic() {
  std::string At = "&Scratch[" + E.value(Type::U32, 1) + " & 15]";
  std::string Wide = "&((u64 *)Scratch)[" + E.value(Type::U32, 1) + " & 7]";
  std::string U = variableOf(Type::U32), V = E.value(Type::U32, 1);
  switch (R.below(10)) {
  case 0:
    return leaf(U + " = fz_atomic_exch(" + At + ", " + V + ");");
  case 1:
    return leaf("{ u32 *p = " + At + "; " + U + " = fz_atomic_cas(p, " +
                E.condition(1) + " ? *p : " + V + ", " + E.value(Type::U32, 1) +
                "); }");
  case 2:
    return leaf(U + " = fz_atomic_inc(" + At + ", " + V + ");");
  case 3:
    return leaf(U + " = fz_atomic_dec(" + At + ", " + V + ");");
  case 4:
    return leaf(variableOf(Type::S32) + " = fz_atomic_mins32((s32 *)" + At +
                ", " + E.value(Type::S32, 1) + ");");
  case 5:
    return leaf(variableOf(Type::S64) + " = fz_atomic_maxs64((s64 *)" + Wide +
                ", " + E.value(Type::S64, 1) + ");");
  case 6:
    return leaf(variableOf(Type::U64) + " = fz_atomic_add64(" + Wide + ", " +
                E.value(Type::U64, 1) + ");");
  case 7:
    return leaf("{ u64 *p = " + Wide + "; q1 = fz_atomic_cas64(p, " +
                E.condition(1) + " ? *p : q0, " + E.value(Type::U64, 1) +
                "); }");
  case 8:
    return leaf(U + " = fz_atomic_and32(" + At + ", " + V + ");");
  default:
    return leaf(U + " = fz_atomic_maxu32(" + At + ", " + V + ");");
  }
}

/// On words that all threads touch: each word has one operation, whose final
/// result does not depend on the order.
Statement Generator::sharedAtomic() {
  unsigned Kind = R.below(10);
  std::string Slot =
      std::to_string(Kind) + " + 10 * (" + E.value(Type::U32, 1) + " % 3u)";
  // Half of the words are in global memory, half in shared memory.
  std::string Base = R.chance(50) ? "Acc" : "sh_acc";
  std::string At = "&" + Base + "[" + Slot + "]";
  std::string Wide = "&((u64 *)" + Base + ")[16 + " + std::to_string(Kind & 3) +
                     " + 4 * (" + E.value(Type::U32, 1) + " & 3u)]";
  std::string V = E.value(Type::U32, 1);
  switch (Kind) {
  case 0:
    return leaf("fz_red_add32(" + At + ", " + V + ");");
  case 1:
    return leaf("fz_red_and32(" + At + ", " + V + ");");
  case 2:
    return leaf("fz_red_or32(" + At + ", " + V + ");");
  case 3:
    return leaf("fz_red_mins32((s32 *)" + At + ", " + E.value(Type::S32, 1) +
                ");");
  case 4:
    return leaf("fz_red_maxu32(" + At + ", " + V + ");");
  case 5:
    return leaf("fz_atomic_inc(" + At + ", 1000u);");
  case 6:
    return leaf("fz_cas_add(" + At + ", " + V + ");");
  case 7:
    // Small integers: sums are exact in any order.
    return leaf("fz_red_addf((f32 *)" + At + ", f32(" + V + " & 15));");
  case 8:
    return leaf("fz_red_add64(" + Wide + ", " + E.value(Type::U64, 1) + ");");
  default:
    return leaf("fz_red_xor64(" + Wide + ", " + E.value(Type::U64, 1) + ");");
  }
}

Statement Generator::warpOperation(Context &C) {
  const std::string &M = C.Mask;
  std::string U = variableOf(Type::U32), V = E.value(Type::U32, 2);
  std::string W = std::to_string(8u << R.below(3));
  switch (R.below(14)) {
  case 0:
    return leaf(U + " = fz_shfl_idx(" + M + ", " + V + ", " +
                E.value(Type::U32, 1) + ");");
  case 1:
    return leaf(U + " = fz_shfl_up(" + M + ", " + V + ", " +
                std::to_string(R.below(32)) + ", " + W + ");");
  case 2:
    return leaf(U + " += fz_shfl_down(" + M + ", " + V + ", " +
                E.value(Type::U32, 1) + ", " + W + ");");
  case 3:
    return leaf(U + " ^= fz_shfl_xor(" + M + ", " + V + ", " +
                std::to_string(1u << R.below(5)) + ", " + W + ");");
  case 4:
    return leaf("q0 = fz_shfl_idx64(" + M + ", " + E.value(Type::U64, 1) +
                ", " + E.value(Type::U32, 1) + ");");
  case 5:
    return leaf(U + " = fz_ballot(" + M + ", " + E.condition(2) + ");");
  case 6:
    return leaf(variableOf(Type::S32) + " += fz_any(" + M + ", " +
                E.condition(1) + ") + 2 * fz_all(" + M + ", " + E.condition(1) +
                ") + 4 * fz_uni(" + M + ", " + E.condition(1) + ");");
  case 7:
    return leaf(U + " = fz_match_any(" + M + ", " + V + " & 3);");
  case 8:
    return leaf(U + " = fz_match_any64(" + M + ", " + E.value(Type::U64, 1) +
                " >> 62);");
  case 9:
    return leaf(U + " = fz_match_all(" + M + ", " + V + " >> 30);");
  case 10: {
    static const std::vector<std::string> Ops = {"FuzzAdd>(", "FuzzMin>(",
                                                 "FuzzMax>(", "FuzzAnd>(",
                                                 "FuzzOr>(",  "FuzzXor>("};
    return leaf(U + " = fz_redux<" + R.pick(Ops) + M + ", " + V + ");");
  }
  case 11:
    return leaf("s1 = fz_redux<" +
                std::string(R.chance(50) ? "FuzzMin>(" : "FuzzMax>(") + M +
                ", " + E.value(Type::S32, 1) + ");");
  case 12:
    return leaf("fz_warp_barrier(" + M + "); f0 = fz_f32(fz_shfl_idx(" + M +
                ", fz_bits(" + E.value(Type::F32, 1) + "), " +
                E.value(Type::U32, 1) + "));");
  default:
    return leaf(U + " = fz_popc32(fz_ballot(" + M + ", " + E.condition(1) +
                ") & fz_lanemask_lt());");
  }
}

/// Threads pass values to each other through shared memory.
Statement Generator::exchange(Context &) {
  std::string To = R.chance(50) ? "Tid" : "NThreads - 1 - Tid";
  std::string From = "(" + E.value(Type::U32, 1) + ") % NThreads";
  switch (R.below(3)) {
  case 0:
    return leaf("sh_w[" + To + "] = " + E.value(Type::U32, 2) +
                "; fz_barrier(); " + variableOf(Type::U32) + " = sh_w[" + From +
                "]; fz_barrier();");
  case 1:
    return leaf("sh_b[" + To + "] = " + E.value(Type::U8, 2) +
                "; fz_barrier(); b0 = sh_b[" + From + "]; fz_barrier();");
  default:
    return leaf("sh_q[" + To + "] = fz_bits(" + E.value(Type::F64, 2) +
                "); fz_barrier(); d0 = fz_f64(sh_q[" + From +
                "]); fz_barrier();");
  }
}

Statement Generator::barrier(Context &) {
  std::string U = variableOf(Type::U32);
  switch (R.below(5)) {
  case 0:
    return leaf(U + " += fz_barrier_count(" + E.condition(2) + ");");
  case 1:
    return leaf(U + " ^= fz_barrier_and(" + E.condition(2) + ");");
  case 2:
    return leaf(U + " ^= fz_barrier_or(" + E.condition(2) + ") << 4;");
  case 3:
    return leaf("fz_barrier(); " + U +
                " ^= sh_acc_words(sh_acc, Tid); "
                "fz_barrier();");
  default:
    return leaf("fz_barrier();");
  }
}

Statement Generator::indirectCall() {
  std::string A = K.Name + "_pa", B = K.Name + "_pb", U = variableOf(Type::U32);
  return leaf("{ u32 (*volatile fp)(u32, u32) = " + E.condition(1) + " ? " + A +
              " : " + B + "; " + U + " = fp(" + E.value(Type::U32, 1) + ", " +
              E.value(Type::U32, 1) + "); }");
}

} // namespace regshare::fuzz
