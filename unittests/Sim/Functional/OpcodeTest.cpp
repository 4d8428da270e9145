//===- OpcodeTest.cpp - Every opcode that public kernels use --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One kernel for each line of data/opcodes.txt. Thread (5,1,1) of CTA (2,1,1)
/// reports what its registers and memory hold afterwards; all threads run the
/// same.
///
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

struct Opcode {
  std::string Name, Results, Form;
  uint64_t Count = 0, Kernels = 0;

  bool isRefused() const { return Results.starts_with("refused="); }
  bool fails() const { return Results.starts_with("fails="); }
  bool isExecuted() const { return !isRefused() && !fails(); }
};

std::vector<Opcode> readOpcodes() {
  std::ifstream File(REGSHARE_TEST_DATA "/opcodes.txt");
  std::vector<Opcode> All;
  for (std::string Line; std::getline(File, Line);) {
    if (Line.empty() || Line[0] == '#')
      continue;
    std::vector<std::string> Columns;
    for (size_t Bar; Columns.size() != 4; Line.erase(0, Bar + 3)) {
      Bar = Line.find(" | ");
      Columns.push_back(Line.substr(0, Bar));
    }
    Columns.push_back(Line);
    for (size_t At; (At = Columns[4].find("\\n")) != std::string::npos;)
      Columns[4].replace(At, 2, "\n");
    All.push_back({Columns[0], Columns[3], Columns[4], std::stoull(Columns[1]),
                   std::stoull(Columns[2])});
  }
  return All;
}

/// Functions and variables that forms name.
const char *const ModuleScope =
    ".global .align 4 .b32 table[4] = {1, 0x2BAD, 3, 4};\n"
    ".shared .align 64 .b8 shared[8192];\n"
    ".func (.param .b32 result) twice(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
    "ld.param.b32 %r1, [x];\nadd.s32 %r2, %r1, %r1;\n"
    "st.param.b32 [result], %r2;\nret;\n}\n"
    ".func (.param .b64 result) sum_of(.param .align 8 .b8 x[16])\n{\n"
    ".reg .b64 %rd<4>;\nld.param.v2.b64 {%rd1, %rd2}, [x];\n"
    "add.s64 %rd3, %rd1, %rd2;\nst.param.b64 [result], %rd3;\nret;\n}\n";

/// %rd8 and %rd9 are the thread's own 64 bytes of global and shared memory,
/// `loc` is local. %r20 differs from lane to lane, %p3 holds in lanes 0 to 6.
const char *const Preamble =
    ".reg .pred %p<20>;\n.reg .b16 %rs<20>;\n.reg .b32 %r<60>;\n"
    ".reg .b64 %rd<60>;\n.local .align 8 .b8 loc[64];\n"
    "mov.b32 %r1, 0x80000003;\nmov.b32 %r2, 29;\nmov.b32 %r3, -10;\n"
    "mov.b32 %r4, 3;\nmov.b32 %r5, 0f40300000;\nmov.b32 %r6, 0fBFC00000;\n"
    "mov.b32 %r7, 0f3DCCCCCD;\nmov.b64 %rd1, 0x8000000000000005;\n"
    "mov.b64 %rd2, 0x1FFFFFFF9;\nmov.b64 %rd3, -100;\nmov.b64 %rd4, 11;\n"
    "mov.b64 %rd5, 0d4006000000000000;\nmov.b64 %rd6, 0dBFF8000000000000;\n"
    "mov.b64 %rd7, 0d3FB999999999999A;\nmov.b16 %rs1, 0x8005;\n"
    "mov.b16 %rs2, 9;\nmov.b16 %rs3, 0xFFF0;\nmov.b16 %rs4, 3;\n"
    "setp.eq.s32 %p1, %r4, 3;\nsetp.ne.s32 %p2, %r4, 3;\n"
    "mov.u32 %r21, %laneid;\nsetp.lt.u32 %p3, %r21, 7;\n"
    "mad.lo.s32 %r20, %r21, 3, 1;\nmov.b32 %r22, 31;\nmov.b32 %r23, -1;\n"
    "and.b32 %r24, %r21, 3;\ncvt.u64.u32 %rd20, %r24;\nmov.b32 %r26, 0;\n"
    "mov.u32 %r40, %tid.x;\nmov.u32 %r41, %tid.y;\nmov.u32 %r42, %tid.z;\n"
    "mad.lo.s32 %r43, %r42, 2, %r41;\nmad.lo.s32 %r25, %r43, 32, %r40;\n"
    "mov.u32 %r44, %ctaid.x;\nmov.u32 %r45, %ctaid.y;\n"
    "mov.u32 %r46, %ctaid.z;\nmad.lo.s32 %r47, %r46, 2, %r45;\n"
    "mad.lo.s32 %r47, %r47, 3, %r44;\nmad.lo.s32 %r48, %r47, 128, %r25;\n"
    "mov.b64 %rd21, shared;\nmul.wide.u32 %rd30, %r25, 64;\n"
    "add.s64 %rd9, %rd21, %rd30;\nld.param.u64 %rd31, [k_param_0];\n"
    "mul.wide.u32 %rd32, %r48, 64;\nadd.s64 %rd8, %rd31, %rd32;\n";

/// What the three memories of a thread hold.
constexpr uint32_t Words[16] = {0x11223344, 0x55667788, 0x99AABBCC, 0xDDEEFF00,
                                0x3FC00000, 0,          0,          0x3FE00000};
constexpr Dim3 Grid{3, 2, 2}, Block{32, 2, 2};
constexpr unsigned Observed = ((1 * 2 + 1) * 3 + 2) * 128 + 5 + 32 + 64;

std::string kernelFor(const Opcode &O) {
  std::string Text = std::string(Header) + ModuleScope +
                     ".visible .entry k(.param .u64 k_param_0, .param .u32 "
                     "k_param_1, .param .u64 k_param_2)\n{\n" +
                     Preamble;
  for (unsigned W = 0; W != 16; ++W) {
    std::string At = "+" + std::to_string(4 * W) + "], ";
    std::string Word = std::to_string(Words[W]) + ";\n";
    Text += "st.global.b32 [%rd8" + At + Word + "st.shared.b32 [%rd9" + At +
            Word + "st.local.b32 [loc" + At + Word;
  }
  Text += "bar.sync 0;\n" + O.Form + "\nsetp.ne.u32 %p19, %r48, " +
          std::to_string(Observed) +
          ";\n@%p19 ret;\nld.param.u64 %rd50, [k_param_2];\n";
  std::istringstream Results(O.isExecuted() ? O.Results : "");
  for (std::string R; Results >> R;) {
    std::string Place = R.substr(0, R.find('='));
    if (Place[0] == 'm' || Place[0] == 's')
      Text += "ld." + std::string(Place[0] == 'm' ? "global" : "shared") +
              ".u32 %rd51, [%rd" + (Place[0] == 'm' ? "8" : "9") + "+" +
              Place.substr(1) + "];\n";
    else if (Place[0] == 'p')
      Text += "selp.b64 %rd51, 1, 0, %" + Place + ";\n";
    else
      Text += "cvt.u64.u" +
              std::string(Place[1] == 'd'   ? "64"
                          : Place[1] == 's' ? "16"
                                            : "32") +
              " %rd51, %" + Place + ";\n";
    Text += "st.global.u64 [%rd50], %rd51;\nadd.s64 %rd50, %rd50, 8;\n";
  }
  return Text + "ret;\n}\n";
}

void checkOpcode(const Opcode &O) {
  TestProgram M(kernelFor(O));
  if (O.isRefused()) {
    ASSERT_FALSE(M.P);
    EXPECT_THAT(M.Error, HasSubstr(O.Results.substr(8)));
    return;
  }
  ASSERT_TRUE(M.P) << M.Error << "\n" << O.Form;
  uint64_t Own = M.Memory.allocate(Grid.count() * Block.count() * 64);
  uint64_t Out = M.Memory.allocate(64);
  bool Ran = M.run("k", Grid, Block, {Own, 0xCAFE, Out});
  if (O.fails()) {
    EXPECT_FALSE(Ran);
    EXPECT_THAT(M.Error, HasSubstr(O.Results.substr(6)));
    return;
  }
  ASSERT_TRUE(Ran) << M.Error << "\n" << O.Form;
  std::vector<uint64_t> Values = M.download<uint64_t>(Out, 8);
  std::istringstream Results(O.Results);
  size_t N = 0;
  for (std::string R; Results >> R; ++N) {
    std::ostringstream Got;
    Got << R.substr(0, R.find('=') + 1) << std::hex << Values[N];
    EXPECT_EQ(Got.str(), R) << O.Form;
  }
}

TEST(SimOpcodes, OfPublicKernels) {
  unsigned Rows = 0, Refused = 0;
  for (const Opcode &O : readOpcodes()) {
    SCOPED_TRACE(O.Name);
    checkOpcode(O);
    ++Rows;
    Refused += O.isRefused();
  }
  // docs/reference-sm.md has these figures.
  EXPECT_EQ(Rows, 468u);
  EXPECT_EQ(Refused, 0u);
}

} // namespace
} // namespace regshare::sim
