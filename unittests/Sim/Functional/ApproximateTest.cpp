//===- ApproximateTest.cpp - Errors of approximate instructions -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The largest error over a quarter million operands of each instruction,
/// against the host's long double. The bounds are those that the PTX ISA
/// manual, version 8.8, states with each instruction.
///
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <bit>
#include <cmath>
#include <functional>

namespace regshare::sim {
namespace {

constexpr unsigned NumSamples = 1 << 18;
constexpr long double Pi = 3.14159265358979323846264338327950288L;

enum class ErrorKind { Absolute, Relative, Ulp };

struct Approximate {
  const char *Name; ///< Of one operand; a division's is a / b.
  std::function<long double(long double, long double)> Exact;
  ErrorKind Kind;
  double Bound;
  /// Operands are these limits' and all between them, evenly spaced as bit
  /// patterns or as numbers.
  float Low, High;
  bool ByPattern = true;
};

/// A unit in the last place of a single-precision number.
long double ulpOf(long double X) {
  int Exponent = std::max(std::ilogb(X), -126);
  return std::ldexp(1.0L, Exponent - 23);
}

std::vector<float> samples(float Low, float High, bool ByPattern) {
  std::vector<float> All;
  uint32_t First = std::bit_cast<uint32_t>(Low);
  uint64_t Span = std::bit_cast<uint32_t>(High) - First;
  for (unsigned N = 0; N != NumSamples; ++N)
    All.push_back(
        ByPattern ? std::bit_cast<float>(
                        uint32_t(First + Span * N / (NumSamples - 1)))
                  : float(Low + (double(High) - Low) * N / (NumSamples - 1)));
  return All;
}

std::vector<float> run(const std::string &Form, const std::vector<float> &A,
                       const std::vector<float> &B) {
  TestProgram M(std::string(Header) +
                ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 "
                "d)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
                "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                "mov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
                "mul.wide.u32 %rd1, %r4, 4;\nld.param.u64 %rd2, [a];\n"
                "add.s64 %rd2, %rd2, %rd1;\nld.global.b32 %r5, [%rd2];\n"
                "ld.param.u64 %rd3, [b];\nadd.s64 %rd3, %rd3, %rd1;\n"
                "ld.global.b32 %r6, [%rd3];\n" +
                Form +
                "\nld.param.u64 %rd4, [d];\nadd.s64 %rd4, %rd4, %rd1;\n"
                "st.global.b32 [%rd4], %r7;\nret;\n}\n");
  EXPECT_TRUE(M.P) << M.Error;
  uint64_t PA = M.upload(A), PB = M.upload(B), PD = M.upload(A);
  EXPECT_TRUE(M.run("k", {uint32_t(A.size() / 256)}, {256}, {PA, PB, PD}))
      << M.Error;
  return M.download<float>(PD, A.size());
}

class ApproximateTest : public testing::TestWithParam<Approximate> {};

TEST_P(ApproximateTest, IsWithinItsBound) {
  const Approximate &I = GetParam();
  std::vector<float> A = samples(I.Low, I.High, I.ByPattern), B = A;
  bool Divides = std::string_view(I.Name).starts_with("div");
  // Any other order: operands that have nothing to do with each other.
  if (Divides)
    for (unsigned N = 0; N != NumSamples; ++N)
      B[N] = A[uint64_t(N) * 77773 % NumSamples];
  std::vector<float> Got =
      run(std::string(I.Name) + " %r7, %r5" + (Divides ? ", %r6;" : ";"), A, B);
  long double Worst = 0;
  float At = 0;
  for (unsigned N = 0; N != NumSamples; ++N) {
    long double Exact = I.Exact(A[N], B[N]);
    // Results that single precision cannot hold have no error to speak of.
    if (std::fabs(Exact) > std::numeric_limits<float>::max() ||
        std::fabs(Exact) < std::numeric_limits<float>::min())
      continue;
    long double Error = std::fabs(Got[N] - Exact);
    if (I.Kind == ErrorKind::Relative)
      Error /= std::fabs(Exact);
    else if (I.Kind == ErrorKind::Ulp)
      Error /= ulpOf(Exact);
    if (!(Error <= Worst)) {
      Worst = Error;
      At = A[N];
    }
  }
  RecordProperty("worst", std::to_string(double(Worst)));
  EXPECT_LE(Worst, I.Bound) << I.Name << " of " << At;
}

using E = ErrorKind;
const float Tiny = std::ldexp(1.0f, -126), Huge = std::ldexp(1.0f, 126);

std::vector<Approximate> instructions() {
  auto Divide = [](long double X, long double Y) { return X / Y; };
  auto Sqrt = [](long double X, long double) { return std::sqrt(X); };
  auto Rsqrt = [](long double X, long double) { return 1 / std::sqrt(X); };
  auto Rcp = [](long double X, long double) { return 1 / X; };
  auto Sin = [](long double X, long double) { return std::sin(X); };
  auto Cos = [](long double X, long double) { return std::cos(X); };
  auto Lg2 = [](long double X, long double) { return std::log2(X); };
  auto Ex2 = [](long double X, long double) { return std::exp2(X); };
  auto Tanh = [](long double X, long double) { return std::tanh(X); };
  const float TwoPi = float(2 * Pi), Far = float(100 * Pi);
  const double P20 = std::exp2(-20.5), P14 = std::exp2(-14.7);
  const double P22 = std::exp2(-22);
  return {
      {"div.approx.f32", Divide, E::Ulp, 2, Tiny, Huge},
      {"div.full.f32", Divide, E::Ulp, 2, Tiny, Huge},
      {"rcp.approx.f32", Rcp, E::Ulp, 1, Tiny, 3e38f},
      {"rcp.approx.ftz.f32", Rcp, E::Ulp, 1, -Tiny, -3e38f},
      {"sqrt.approx.f32", Sqrt, E::Relative, std::exp2(-23), 1e-45f, 3e38f},
      {"sqrt.approx.ftz.f32", Sqrt, E::Relative, std::exp2(-23), Tiny, 3e38f},
      {"rsqrt.approx.f32", Rsqrt, E::Relative, std::exp2(-22.9), 1e-45f, 3e38f},
      {"sin.approx.f32", Sin, E::Absolute, P20, -TwoPi, TwoPi, false},
      {"sin.approx.ftz.f32", Sin, E::Absolute, P14, -Far, Far, false},
      {"cos.approx.f32", Cos, E::Absolute, P20, -TwoPi, TwoPi, false},
      {"cos.approx.ftz.f32", Cos, E::Absolute, P14, -Far, Far, false},
      {"lg2.approx.f32", Lg2, E::Absolute, P22, 0.5f, 2.0f},
      {"lg2.approx.f32", Lg2, E::Relative, P22, 2.0f, 3e38f},
      {"lg2.approx.f32", Lg2, E::Relative, P22, 1e-45f, 0.5f},
      {"ex2.approx.f32", Ex2, E::Relative, P22, -126.0f, 127.9f, false},
      {"ex2.approx.ftz.f32", Ex2, E::Relative, P22, -1.0f, 1.0f, false},
      {"tanh.approx.f32", Tanh, E::Relative, std::exp2(-11), -9.0f, 9.0f,
       false}};
}

INSTANTIATE_TEST_SUITE_P(Sim, ApproximateTest,
                         testing::ValuesIn(instructions()));

/// The two that look at 20 bits of the fraction and deliver as many.
TEST(SimApproximate, UpperHalfOfDoubles) {
  for (const char *Form : {"rcp.approx.ftz.f64 %rd10, %rd11;",
                           "rsqrt.approx.ftz.f64 %rd10, %rd11;"}) {
    for (double X : {1.0, 3.0, 0.1, 123456.789, 1e-300, 1e300}) {
      TestProgram M(kernelAround("mov.b64 %rd11, " +
                                 std::to_string(std::bit_cast<uint64_t>(X)) +
                                 ";\n" + Form +
                                 "\nst.global.u64 [%rd1], "
                                 "%rd10;"));
      uint64_t Out = M.upload(std::vector<uint64_t>(1));
      ASSERT_TRUE(M.run("k", {1}, {1}, {Out})) << M.Error;
      uint64_t Bits = M.download<uint64_t>(Out, 1)[0];
      EXPECT_EQ(uint32_t(Bits), 0u);
      double Exact = Form[1] == 'c' ? 1 / X : 1 / std::sqrt(X);
      EXPECT_NEAR(std::bit_cast<double>(Bits) / Exact, 1, std::exp2(-19));
    }
  }
}

} // namespace
} // namespace regshare::sim
