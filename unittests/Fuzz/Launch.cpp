//===- Launch.cpp - One random kernel's launch ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "Generator/Expressions.h"

#include <cstdio>
#include <iterator>

namespace regshare::fuzz {

/// Limits of integers, and floats that are zero, subnormal, huge or no number.
static constexpr u32 EdgeValues[] = {
    0,          1,          0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x0000FFFF,
    0x00008000, 0x000000FF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
    0x7FC00000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF,
    0x4B000000, 0x4F000000, 0xCF000000, 0x5F000000, 0x3F000000, 0x3C003C00,
    0x7C007BFF, 0x04000001, 0x7FF00000, 0x3FF00000, 0x43E00000, 0xC3E00000};

static u32 inputWord(Random &R) {
  switch (R.below(4)) {
  case 0:
    return EdgeValues[R.below(unsigned(std::size(EdgeValues)))];
  case 1:
    return R.below(64) - 16;
  case 2: // A float of ordinary size.
    return u32(R.bits()) % 0x0A000000 + 0x3A000000 + (R.below(2) << 31);
  default:
    return u32(R.bits());
  }
}

Launch launchOf(const Kernel &K) {
  Random R(K.Seed + 0x5EED);
  Launch L;
  L.Name = K.Name;
  L.Grid = K.Grid;
  L.BlockX = K.BlockX;
  L.BlockY = K.BlockY;
  for (u32 N = 0; N != FuzzInputs; ++N)
    L.In.push_back(inputWord(R));
  L.P.B = u8(R.bits());
  L.P.T = s16(R.bits());
  L.P.U = inputWord(R);
  L.P.F = f32(s32(R.below(2000)) - 1000) / 8;
  L.P.Q = R.bits() >> R.below(64);
  L.P.D = f64(s64(R.bits())) / f64(1 + R.below(1000));
  for (s8 &C : L.P.C)
    C = s8(R.bits());
  for (u16 &H : L.P.H)
    H = u16(R.bits());
  return L;
}

Image Launch::before() const {
  Image I;
  // A thread that ends early leaves this.
  I.Out.assign(numThreads() * FuzzStride, 0xA5A5A5A5);
  for (u32 N = 0; N != FuzzAccumulators; ++N)
    I.Acc.push_back(fz_acc_start(N));
  return I;
}

static std::string nameOfWord(u32 Word) {
  static const char *const Names[FuzzResults] = {
      "u0", "u1",      "u2",     "s0",
      "s1", "s2",      "q0",     "q0 high",
      "q1", "q1 high", "t0",     "t0 high",
      "t1", "t1 high", "b0",     "b1",
      "c0", "h0",      "h1",     "i0",
      "f0", "f1",      "d0",     "d0 high",
      "d1", "d1 high", "e0",     "la",
      "lb", "lq",      "la, lq", "m0 + sum + shared memory"};
  return Word < FuzzResults ? Names[Word]
                            : "scratch " + std::to_string(Word - FuzzResults);
}

static std::string hex(u32 V) {
  char Text[16];
  std::snprintf(Text, sizeof(Text), "0x%08x", V);
  return Text;
}

std::string describeDifference(const Launch &L, const Image &Host,
                               const Image &Device) {
  constexpr unsigned Most = 6;
  std::string Text;
  unsigned Count = 0;
  auto Add = [&](const std::string &Where, u32 H, u32 D) {
    if (H != D && Count++ < Most)
      Text += "  " + Where + ": host " + hex(H) + ", device " + hex(D) + "\n";
  };
  for (u32 N = 0; N != Host.Out.size(); ++N)
    Add("thread " + std::to_string(N / FuzzStride % (L.BlockX * L.BlockY)) +
            " of CTA " +
            std::to_string(N / FuzzStride / (L.BlockX * L.BlockY)) + ", " +
            nameOfWord(N % FuzzStride),
        Host.Out[N], Device.Out[N]);
  for (u32 N = 0; N != Host.Acc.size(); ++N)
    Add("accumulator " + std::to_string(N), Host.Acc[N], Device.Acc[N]);
  if (Count > Most)
    Text += "  and " + std::to_string(Count - Most) + " more words\n";
  return Text;
}

} // namespace regshare::fuzz
