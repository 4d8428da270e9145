//===- ProgramTest.cpp - Programs that clang made, and annotated ones -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

static std::string readData(const std::string &Name) {
  std::ifstream File(std::string(REGSHARE_TEST_DATA) + "/" + Name);
  std::stringstream Text;
  Text << File.rdbuf();
  EXPECT_TRUE(File) << Name;
  return Text.str();
}

namespace {

class MixedTest : public testing::TestWithParam<const char *> {};

struct ByValue {
  float A;
  double B;
  char C[5];
};

} // namespace

static float expectedMixed(int I, const std::vector<float> &In) {
  auto Staged = [&](int T) {
    int J = I / 32 * 32 + T;
    return In[J] * float((J & 3) + 1) + 1;
  };
  const int Fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
  float V = In[I];
  switch (I % 8) {
  case 0:
    V = Staged(31 - I % 32);
    break;
  case 1:
    V = std::sqrt(Staged(0));
    break;
  case 2:
    V = 2;
    break;
  case 3:
    V = V * V * V;
    break;
  case 4:
    V = float(Fib[I & 7]);
    break;
  case 7:
    V = 'a';
    break;
  default:
    break;
  }
  V = float(V + (double(unsigned(I) * unsigned(I) + 1) + (I & 1 ? 4.0 : 2.5)));
  auto H = _Float16(V);
  return float(_Float16(H + H)) + float(I);
}

TEST_P(MixedTest, MatchesHost) {
  constexpr int N = 64;
  TestProgram M(readData(GetParam()));
  ASSERT_TRUE(M.P) << M.Error;
  std::vector<float> In(N);
  std::vector<int> Cases(N);
  for (int I = 0; I != N; ++I) {
    In[I] = float(I) / 4;
    Cases[I] = I % 8;
  }
  uint64_t InAt = M.upload(In), CasesAt = M.upload(Cases);
  const std::string Kernel = "_Z1kPfPKi1Si";
  LaunchConfig Config{{2}, {32}, 128, {}};
  Config.Arguments.resize(M.P->findKernel(Kernel)->ParamBytes);
  ByValue S{1, 2, "abc"};
  int Count = N;
  std::memcpy(&Config.Arguments[0], &InAt, 8);
  std::memcpy(&Config.Arguments[8], &CasesAt, 8);
  std::memcpy(&Config.Arguments[16], &S, sizeof(S));
  std::memcpy(&Config.Arguments[40], &Count, 4);
  std::string Printed;
  M.Options.Output = [&](std::string_view Text) { Printed += Text; };
  Result<LaunchStats> R = runKernel(*M.P, M.Memory, Kernel, Config, M.Options);
  ASSERT_TRUE(R) << R.error().str();
  std::vector<float> Out = M.download<float>(InAt, N);
  for (int I = 0; I != N; ++I)
    EXPECT_FLOAT_EQ(Out[I], expectedMixed(I, In)) << I;
  EXPECT_THAT(Printed, HasSubstr("hello 5 1.250000\nhello 13 3.250000\n"));
  auto Counter = M.download<int>(M.P->Symbols.at("counter").Address, 1);
  EXPECT_EQ(Counter[0], 5 + N);
  auto Pointer = M.download<uint64_t>(M.P->Symbols.at("ptr").Address, 1);
  EXPECT_EQ(Pointer[0], M.P->Symbols.at("counter").Address);
}

INSTANTIATE_TEST_SUITE_P(Levels, MixedTest,
                         testing::Values("mixed-O0.ptx", "mixed-O2.ptx",
                                         "mixed-O2-g.ptx"));

TEST(SimProgram, ErrorsNameTheSourceLine) {
  TestProgram M(readData("mixed-O2-g.ptx"));
  ASSERT_TRUE(M.P) << M.Error;
  LaunchConfig Config{{1}, {32}, 128, {}};
  Config.Arguments.resize(44);
  int Count = 32;
  std::memcpy(&Config.Arguments[40], &Count, 4);
  Result<LaunchStats> R =
      runKernel(*M.P, M.Memory, "_Z1kPfPKi1Si", Config, M.Options);
  ASSERT_FALSE(R);
  EXPECT_THAT(R.error().str(), HasSubstr("(mixed.cu:"));
}

static const char *const Annotated = R"(
.visible .entry scale(.param .u64 p0, .param .f32 p1, .param .u32 p2)
{
  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  .pragma "regshare.kernel v1 name=scale scheme=baseline regs=4 preds=1 peak=4 shared=0 local=0 target=sm_75";
  .pragma "regshare.map %p1=P0 %r1=R0 %r2=R1 %r3=R2 %r4=R0 %r5=R1 %r6=R0 %r7=R1 %r8=R0";
  .pragma "regshare.map %rd1=R2_3 %rd2=R2_3 %rd3=R0_1 %rd4=R2_3";
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.b32 %r5, [p2];
  setp.ge.s32 %p1, %r4, %r5;
  @%p1 bra DONE;
  ld.param.b64 %rd1, [p0];
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r4, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.b32 %r6, [%rd4];
  ld.param.b32 %r7, [p1];
  .pragma "regshare.temps t=R0";
  { .reg .b32 t; mul.f32 t, %r6, %r7; mov.b32 %r8, t; }
  st.global.b32 [%rd4], %r8;
DONE:
  ret;
}
)";

TEST(SimProgram, RunsOnArchitectedRegisters) {
  TestProgram M(std::string(Header) + Annotated);
  ASSERT_TRUE(M.P) << M.Error;
  const Function *F = M.P->findKernel("scale");
  EXPECT_TRUE(F->IsArchitected);
  EXPECT_LE(F->NumRows, 4u + 2); // Two more for results nobody wants.
  uint64_t At = M.upload(std::vector<float>(100, 3.0f));
  ASSERT_TRUE(M.run("scale", {2}, {64}, {At, 0x40000000, 100})) << M.Error;
  for (float V : M.download<float>(At, 100))
    EXPECT_EQ(V, 6.0f);
}

TEST(SimProgram, ClobberedRegisterChangesTheResult) {
  // %r7 on top of the loaded value: the annotation is unsound.
  std::string Text = std::string(Header) + Annotated;
  Text.replace(Text.find("%r7=R1"), 6, "%r7=R0");
  TestProgram M(Text);
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<float>(64, 3.0f));
  ASSERT_TRUE(M.run("scale", {1}, {64}, {At, 0x40000000, 64})) << M.Error;
  EXPECT_EQ(M.download<float>(At, 1)[0], 4.0f);
}

TEST(SimProgram, UnmappedRegister) {
  std::string Text = std::string(Header) + Annotated;
  Text.erase(Text.find(" %r7=R1"), 7);
  EXPECT_THAT(TestProgram(Text).Error,
              HasSubstr("register '%r7' has no architected register"));
}

/// Templates of one source put their shared variables into the module's scope;
/// a kernel has those it names.
TEST(SimProgram, KernelsHaveTheSharedVariablesTheyName) {
  std::string Text = std::string(Header) + R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.shared .align 4 .b8 first[100];
.shared .align 16 .b8 second[64];
.visible .entry one(.param .u64 p) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  .shared .align 4 .b8 own[8];
  mov.b64 %rd1, second;
  mov.b64 %rd2, own;
  ret;
}
.visible .entry both() {
  .reg .b64 %rd<3>;
  mov.b64 %rd1, first;
  mov.b64 %rd2, second;
  ret;
}
.visible .entry prints() {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  mov.b64 %rd1, 0;
  { .param .b64 f; .param .b64 a; .param .b32 v;
    st.param.b64 [f], %rd1; st.param.b64 [a], %rd1;
    call (v), vprintf, (f, a);
    ld.param.b32 %r1, [v]; }
  ret;
}
)";
  TestProgram M(Text);
  ASSERT_TRUE(M.P) << M.Error;
  EXPECT_EQ(M.P->findKernel("one")->SharedBytes, 64u + 8);
  EXPECT_EQ(M.P->findKernel("both")->SharedBytes, 112u + 64);
  EXPECT_EQ(M.P->findKernel("prints")->SharedBytes, 0u);
}

/// What a function uses is every caller's, at one address.
TEST(SimProgram, CallersShareTheLayoutOfTheModule) {
  std::string Text = std::string(Header) + R"(
.shared .align 4 .b8 first[100];
.shared .align 16 .b8 second[64];
.func helper() {
  .reg .b64 %rd<2>;
  mov.b64 %rd1, second;
  ret;
}
.visible .entry caller() {
  { call helper; }
  ret;
}
)";
  TestProgram M(Text);
  ASSERT_TRUE(M.P) << M.Error;
  EXPECT_EQ(M.P->findKernel("caller")->SharedBytes, 112u + 64);
}

/// What is not supported keeps those from being used that come to it.
TEST(SimProgram, GoesOnWithoutKernelsThatAreRefused) {
  const std::string Bad = ".func bad() {\n  tcgen05.fence;\n  ret;\n}\n",
                    Good = ".visible .entry good() {\n  ret;\n}\n";
  auto Load = [](const std::string &Text, bool GoOn) {
    static GlobalMemory Memory;
    DecodeOptions Options;
    Options.GoOn = GoOn;
    return loadProgram(Header + Text, "test.ptx", Memory, std::move(Options));
  };
  const std::string All = Bad + Good + R"(
.func between() {
  { call bad; }
  ret;
}
.visible .entry callsIt() {
  { call between; }
  ret;
}
.visible .entry mayCallIt() {
  .reg .b64 %rd<2>;
  mov.b64 %rd1, bad;
  { prototype : .callprototype () _ ();
    call %rd1, (), prototype; }
  ret;
}
.visible .entry usesIt() {
  tcgen05.fence;
  ret;
}
)";
  auto P = Load(All, true);
  ASSERT_TRUE(P) << P.error().str();
  EXPECT_THAT((*P)->kernelNames(), testing::ElementsAre("good"));
  EXPECT_EQ((*P)->findKernel("callsIt"), nullptr);
  std::vector<std::string> Names;
  for (const auto &[Name, Why] : (*P)->Refused) {
    Names.push_back(Name);
    EXPECT_THAT(Why, HasSubstr("instruction 'tcgen05' is not supported"));
  }
  EXPECT_THAT(Names, testing::ElementsAre("bad", "between", "callsIt",
                                          "mayCallIt", "usesIt"));
  // Unless nothing is left, and where nobody asks for it.
  EXPECT_FALSE(
      Load(".visible .entry k() {\n  tcgen05.fence;\n  ret;\n}\n", true));
  EXPECT_FALSE(Load(All, false));
}
