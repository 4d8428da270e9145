//===- InstructionTest.cpp - Instructions against host arithmetic -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each instruction runs over all pairs of edge values and many random ones;
/// what it leaves is compared with host C++ that shares nothing with the
/// handlers.
///
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <bit>
#include <cmath>
#include <random>

using namespace regshare;
using namespace regshare::sim;

namespace {

struct Case {
  const char *Text; ///< With %d, %a, %b, %c.
  const char *In, *Out;
  uint64_t (*Expected)(uint64_t, uint64_t, uint64_t);
};

float f(uint64_t V) { return std::bit_cast<float>(uint32_t(V)); }
double d(uint64_t V) { return std::bit_cast<double>(V); }
uint64_t bits(float V) { return std::bit_cast<uint32_t>(V); }
uint64_t bits(double V) { return std::bit_cast<uint64_t>(V); }
int32_t s(uint64_t V) { return int32_t(V); }
uint32_t u(uint64_t V) { return uint32_t(V); }
using i128 = __int128;
using u128 = unsigned __int128;

#define E(EXPR)                                                                \
  [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {                         \
    (void)a, (void)b, (void)c;                                                 \
    return EXPR;                                                               \
  }

uint32_t reverse(uint32_t V) {
  uint32_t R = 0;
  for (int I = 0; I != 32; ++I)
    R = R << 1 | (V >> I & 1);
  return R;
}

uint32_t permute(uint32_t A, uint32_t B, uint32_t C) {
  uint8_t Bytes[8];
  for (int I = 0; I != 4; ++I)
    Bytes[I] = A >> 8 * I, Bytes[4 + I] = B >> 8 * I;
  uint32_t R = 0;
  for (int I = 3; I >= 0; --I) {
    uint32_t N = C >> 4 * I & 15;
    uint8_t Byte = Bytes[N & 7];
    if (N & 8)
      Byte = Byte & 128 ? 255 : 0;
    R = R << 8 | Byte;
  }
  return R;
}

uint32_t dot(uint32_t A, uint32_t B, uint32_t C) {
  for (int I = 0; I != 4; ++I)
    C += uint32_t(int8_t(A >> 8 * I) * int8_t(B >> 8 * I));
  return C;
}

/// Ones from bit \p Begin on, \p Count of them.
uint32_t bitMask(uint64_t Begin, uint64_t Count) {
  uint32_t Mask = 0;
  for (uint64_t Bit = Begin; Bit < std::min<uint64_t>(Begin + Count, 32); ++Bit)
    Mask |= 1u << Bit;
  return Mask;
}

/// The lowest \p Bits bits with the sign that they have.
uint32_t signExtend(uint32_t Value, uint32_t Bits) {
  uint32_t Low = Value & bitMask(0, Bits);
  bool Negative = Bits && Bits < 32 && Value >> (Bits - 1) & 1;
  return Negative ? Low | bitMask(Bits, 32) : Low;
}

uint32_t extract(uint32_t A, uint32_t Pos, uint32_t Len) {
  uint32_t R = 0;
  Pos &= 255, Len &= 255;
  for (uint32_t I = 0; I != Len && Pos + I < 32; ++I)
    R |= (A >> (Pos + I) & 1) << I;
  return R;
}

template <typename T> uint64_t toInt(double V, double (*Round)(double)) {
  double R = Round(V);
  if (std::isnan(R))
    return 0;
  if (R <= double(std::numeric_limits<T>::min()))
    return uint64_t(std::numeric_limits<T>::min());
  if (R >= double(std::numeric_limits<T>::max()))
    return uint64_t(std::numeric_limits<T>::max());
  return uint64_t(T(R));
}

float lesser(float A, float B) {
  if (A == 0 && B == 0)
    return std::signbit(A) ? A : B;
  // A signalling NaN counts as missing here, which fmin does not do.
  return std::isnan(A) ? B : std::isnan(B) ? A : std::fmin(A, B);
}

const Case Cases[] = {
    {"add.s32 %d, %a, %b;", "b32", "b32", E(u(a) + u(b))},
    {"sub.u32 %d, %a, %b;", "b32", "b32", E(u(a) - u(b))},
    {"add.s64 %d, %a, %b;", "b64", "b64", E(a + b)},
    {"sub.s64 %d, %a, %b;", "b64", "b64", E(a - b)},
    {"add.sat.s32 %d, %a, %b;", "b32", "b32",
     E(u(std::clamp<int64_t>(int64_t(s(a)) + s(b), INT32_MIN, INT32_MAX)))},
    {"mul.lo.s32 %d, %a, %b;", "b32", "b32", E(u(a) * u(b))},
    {"mul.hi.s32 %d, %a, %b;", "b32", "b32",
     E(u(uint64_t(int64_t(s(a)) * s(b)) >> 32))},
    {"mul.hi.u32 %d, %a, %b;", "b32", "b32", E(uint64_t(u(a)) * u(b) >> 32)},
    {"mul.lo.u64 %d, %a, %b;", "b64", "b64", E(a * b)},
    {"mul.hi.u64 %d, %a, %b;", "b64", "b64", E(uint64_t(u128(a) * b >> 64))},
    {"mul.hi.s64 %d, %a, %b;", "b64", "b64",
     E(uint64_t(i128(int64_t(a)) * int64_t(b) >> 64))},
    {"mul.wide.s32 %d, %a, %b;", "b32", "b64",
     E(uint64_t(int64_t(s(a)) * s(b)))},
    {"mul.wide.u32 %d, %a, %b;", "b32", "b64", E(uint64_t(u(a)) * u(b))},
    {"mul.wide.s16 %d, %a, %b;", "b16", "b32",
     E(u(uint64_t(int16_t(a) * int16_t(b))))},
    {"mad.lo.s32 %d, %a, %b, %c;", "b32", "b32", E(u(a) * u(b) + u(c))},
    {"mad.hi.u32 %d, %a, %b, %c;", "b32", "b32",
     E(u((uint64_t(u(a)) * u(b) >> 32) + u(c)))},
    {"div.u32 %d, %a, %b;", "b32", "b32", E(u(b) ? u(a) / u(b) : ~0u)},
    {"div.s64 %d, %a, %b;", "b64", "b64",
     E(b == 0 ? ~uint64_t(0) : uint64_t(i128(int64_t(a)) / int64_t(b)))},
    {"rem.s32 %d, %a, %b;", "b32", "b32",
     E(u(b) ? u(uint64_t(int64_t(s(a)) % s(b))) : ~0u)},
    {"rem.u64 %d, %a, %b;", "b64", "b64", E(b ? a % b : ~uint64_t(0))},
    {"min.s32 %d, %a, %b;", "b32", "b32", E(u(std::min(s(a), s(b))))},
    {"max.u64 %d, %a, %b;", "b64", "b64", E(std::max(a, b))},
    {"abs.s32 %d, %a;", "b32", "b32", E(s(a) < 0 ? 0 - u(a) : u(a))},
    {"neg.s64 %d, %a;", "b64", "b64", E(0 - a)},
    {"sad.s32 %d, %a, %b, %c;", "b32", "b32",
     E(u(uint64_t(std::llabs(int64_t(s(a)) - s(b)))) + u(c))},
    {"shl.b32 %d, %a, %b;", "b32", "b32", E(u(b) > 31 ? 0 : u(a) << u(b))},
    {"shr.s32 %d, %a, %b;", "b32", "b32",
     E(u(uint64_t(s(a) >> std::min(u(b), 31u))))},
    {"shr.u32 %d, %a, %b;", "b32", "b32", E(u(b) > 31 ? 0 : u(a) >> u(b))},
    {"popc.b64 %d, %a;", "b64", "b32", E(std::popcount(a))},
    {"clz.b32 %d, %a;", "b32", "b32", E(std::countl_zero(u(a)))},
    {"brev.b32 %d, %a;", "b32", "b32", E(reverse(u(a)))},
    {"bfind.u32 %d, %a;", "b32", "b32",
     E(u(a) ? 31u - std::countl_zero(u(a)) : ~0u)},
    {"bfe.u32 %d, %a, %b, %c;", "b32", "b32", E(extract(u(a), u(b), u(c)))},
    {"bmsk.wrap.b32 %d, %a, %b;", "b32", "b32",
     E(bitMask(u(a) & 31, u(b) & 31))},
    {"bmsk.clamp.b32 %d, %a, %b;", "b32", "b32", E(bitMask(u(a), u(b)))},
    {"{ .reg .b32 t, n; and.b32 t, %a, 63; and.b32 n, %b, 63; "
     "bmsk.clamp.b32 %d, t, n; }",
     "b32", "b32", E(bitMask(u(a) & 63, u(b) & 63))},
    {"szext.wrap.s32 %d, %a, %b;", "b32", "b32",
     E(signExtend(u(a), u(b) & 31))},
    {"{ .reg .b32 n; and.b32 n, %b, 63; szext.clamp.s32 %d, %a, n; }", "b32",
     "b32", E(signExtend(u(a), u(b) & 63))},
    {"szext.clamp.u32 %d, %a, %b;", "b32", "b32", E(u(a) & bitMask(0, u(b)))},
    {"shf.l.wrap.b32 %d, %a, %b, %c;", "b32", "b32",
     E(u((uint64_t(u(b)) << 32 | u(a)) << (u(c) & 31) >> 32))},
    {"shf.r.clamp.b32 %d, %a, %b, %c;", "b32", "b32",
     E(u((uint64_t(u(b)) << 32 | u(a)) >> std::min(u(c), 32u)))},
    {"prmt.b32 %d, %a, %b, %c;", "b32", "b32", E(permute(u(a), u(b), u(c)))},
    {"lop3.b32 %d, %a, %b, %c, 0xE8;", "b32", "b32",
     E((u(a) & u(b)) | (u(a) & u(c)) | (u(b) & u(c)))},
    {"dp4a.s32.s32 %d, %a, %b, %c;", "b32", "b32", E(dot(u(a), u(b), u(c)))},
    {"{ .reg .pred q; setp.lt.s32 q, %a, %b; selp.b32 %d, %a, %c, q; }", "b32",
     "b32", E(s(a) < s(b) ? u(a) : u(c))},
    {"{ .reg .pred q; setp.ltu.f32 q, %a, %b; selp.b32 %d, 1, 0, q; }", "b32",
     "b32", E(!(f(a) >= f(b)))},
    {"{ .reg .pred q; setp.neu.f64 q, %a, %b; selp.b32 %d, 1, 0, q; }", "b64",
     "b32", E(d(a) != d(b))},
    {"{ .reg .pred q; setp.ne.f64 q, %a, %b; selp.b32 %d, 1, 0, q; }", "b64",
     "b32", E(d(a) < d(b) || d(a) > d(b))},
    {"add.rn.f32 %d, %a, %b;", "b32", "f32", E(bits(f(a) + f(b)))},
    {"sub.f32 %d, %a, %b;", "b32", "f32", E(bits(f(a) - f(b)))},
    {"mul.f32 %d, %a, %b;", "b32", "f32", E(bits(f(a) * f(b)))},
    {"fma.rn.f32 %d, %a, %b, %c;", "b32", "f32",
     E(bits(std::fma(f(a), f(b), f(c))))},
    {"div.rn.f32 %d, %a, %b;", "b32", "f32", E(bits(f(a) / f(b)))},
    {"sqrt.rn.f32 %d, %a;", "b32", "f32", E(bits(std::sqrt(f(a))))},
    {"rcp.rn.f32 %d, %a;", "b32", "f32", E(bits(1.0f / f(a)))},
    {"add.f64 %d, %a, %b;", "b64", "f64", E(bits(d(a) + d(b)))},
    {"fma.rn.f64 %d, %a, %b, %c;", "b64", "f64",
     E(bits(std::fma(d(a), d(b), d(c))))},
    {"div.rn.f64 %d, %a, %b;", "b64", "f64", E(bits(d(a) / d(b)))},
    {"min.f32 %d, %a, %b;", "b32", "f32", E(bits(lesser(f(a), f(b))))},
    {"cvt.rzi.s32.f32 %d, %a;", "b32", "b32",
     E(u(toInt<int32_t>(f(a), std::trunc)))},
    {"cvt.rni.u32.f32 %d, %a;", "b32", "b32",
     E(u(toInt<uint32_t>(f(a), std::nearbyint)))},
    {"cvt.rn.f32.s32 %d, %a;", "b32", "f32", E(bits(float(s(a))))},
    {"cvt.rn.f32.u64 %d, %a;", "b64", "f32", E(bits(float(a)))},
    {"cvt.rn.f32.s64 %d, %a;", "b64", "f32", E(bits(float(int64_t(a))))},
    {"cvt.rn.f64.u64 %d, %a;", "b64", "f64", E(bits(double(a)))},
    {"cvt.rn.f32.f64 %d, %a;", "b64", "f32", E(bits(float(d(a))))},
    {"cvt.f64.f32 %d, %a;", "b32", "f64", E(bits(double(f(a))))},
    {"cvt.rmi.f32.f32 %d, %a;", "b32", "f32", E(bits(std::floor(f(a))))},
    {"cvt.s64.s32 %d, %a;", "b32", "b64", E(uint64_t(int64_t(s(a))))},
    {"cvt.s32.s8 %d, %a;", "b32", "b32", E(u(uint64_t(int8_t(a))))},
    {"cvt.sat.u8.s32 %d, %a;", "b32", "b32", E(std::clamp(s(a), 0, 255))},
    {"vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", "b32", "b32",
     E([](uint32_t A, uint32_t B, uint32_t C) {
       for (int I = 0; I != 32; I += 8)
         C += uint32_t(std::abs(int(A >> I & 255) - int(B >> I & 255)));
       return C;
     }(u(a), u(b), u(c)))},
    {"{ .reg .b32 l, h; add.cc.u32 l, %a, %b; addc.u32 %d, %c, 0; }", "b32",
     "b32", E(u(c) + (u(a) + u(b) < u(a)))},
    {"{ .reg .b32 l; sub.cc.u32 l, %a, %b; subc.u32 %d, %c, 0; }", "b32", "b32",
     E(u(c) - (u(a) < u(b)))},
};

const uint64_t Edges[] = {0,
                          1,
                          2,
                          31,
                          32,
                          33,
                          0x7F,
                          0x80,
                          0xFF,
                          0x7FFF,
                          0x8000,
                          0x7FFFFFFF,
                          0x80000000,
                          0xFFFFFFFF,
                          0x3F800000,
                          0xBF800000,
                          0x7F800000,
                          0xFF800000,
                          0x7FC00000,
                          0x00800000,
                          0x007FFFFF,
                          0x4F000000,
                          0x3F000000,
                          0x7FFFFFFFFFFFFFFF,
                          0x8000000000000000,
                          0xFFFFFFFFFFFFFFFF,
                          0x3FF0000000000000,
                          0x7FF0000000000000,
                          0x7FF8000000000000,
                          0x000FFFFFFFFFFFFF,
                          0x43E0000000000000,
                          0x3FE0000000000000};

unsigned widthOf(const char *Type) { return unsigned(std::atoi(Type + 1)); }

std::string kernelFor(const Case &C) {
  std::string In = C.In, Bits = std::to_string(widthOf(C.Out));
  std::string Text =
      std::string(Header) +
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b" +
      In.substr(1) + " %a, %b, %c;\n.reg .b" + Bits +
      " %d;\n.reg .b32 %r<4>;\n.reg .b64 %rd<8>;\n"
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
      "mad.lo.s32 %r1, %r1, %r2, %r3;\n"
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
      "mad.wide.u32 %rd3, %r1, 24, %rd1; mad.wide.u32 %rd4, %r1, 8, %rd2;\n";
  const char *Names[] = {"%a", "%b", "%c"};
  for (int K = 0; K != 3; ++K)
    Text += "ld.global.b" + In.substr(1) + " " + Names[K] + ", [%rd3+" +
            std::to_string(8 * K) + "];\n";
  return Text + C.Text + "\nst.global.b" + Bits + " [%rd4], %d;\nret;\n}\n";
}

std::vector<uint64_t> inputs() {
  std::vector<uint64_t> Values;
  std::mt19937_64 Random(1);
  for (uint64_t A : Edges)
    for (uint64_t B : Edges)
      Values.insert(Values.end(), {A, B, Edges[Random() % std::size(Edges)]});
  while (Values.size() < 3 * 4096) {
    uint64_t V = Random();
    // Small numbers and nearby exponents, which uniform bits hardly ever are.
    Values.push_back(Random() % 3 ? V : V % 64);
  }
  return Values;
}

std::string nameOf(const testing::TestParamInfo<Case> &Info) {
  std::string Name;
  for (const char *P = Info.param.Text; *P; ++P)
    Name += std::isalnum(*P) ? *P : '_';
  return Name + std::to_string(Info.index);
}

class InstructionTest : public testing::TestWithParam<Case> {};

TEST_P(InstructionTest, MatchesHost) {
  const Case &C = GetParam();
  std::vector<uint64_t> In = inputs();
  size_t Count = In.size() / 3;
  TestProgram M(kernelFor(C));
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t InAt = M.upload(In);
  uint64_t OutAt = M.upload(std::vector<uint64_t>(Count));
  ASSERT_TRUE(M.run("k", {uint32_t(Count / 128)}, {128}, {InAt, OutAt}))
      << M.Error;
  std::vector<uint64_t> Out = M.download<uint64_t>(OutAt, Count);
  unsigned Width = widthOf(C.In);
  uint64_t Mask = Width == 64 ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
  unsigned Bad = 0;
  for (size_t I = 0; I != Count && Bad < 5; ++I) {
    uint64_t A = In[3 * I] & Mask, B = In[3 * I + 1] & Mask,
             D = In[3 * I + 2] & Mask;
    uint64_t Want = C.Expected(A, B, D);
    bool BothNaN =
        C.Out[0] == 'f' &&
        (widthOf(C.Out) == 32 ? std::isnan(f(Want)) && std::isnan(f(Out[I]))
                              : std::isnan(d(Want)) && std::isnan(d(Out[I])));
    if (BothNaN || (widthOf(C.Out) == 32 ? u(Want) : Want) == Out[I])
      continue;
    ++Bad;
    ADD_FAILURE() << C.Text << std::hex << " a=" << A << " b=" << B
                  << " c=" << D << " gives " << Out[I] << ", host " << Want;
  }
}

INSTANTIATE_TEST_SUITE_P(All, InstructionTest, testing::ValuesIn(Cases),
                         nameOf);

} // namespace
