//===- SimTest.h - Running PTX in tests -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_SIMTEST_H
#define REGSHARE_UNITTESTS_SIM_SIMTEST_H

#include "regshare/Sim/Launch.h"

#include <gtest/gtest.h>

namespace regshare::sim {

inline const char *const Header =
    ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A program with its memory.
struct TestProgram {
  GlobalMemory Memory;
  std::unique_ptr<Program> P;
  std::string Error;
  LaunchStats Stats;
  LaunchOptions Options;

  explicit TestProgram(const std::string &Text) {
    Options.InstructionLimit = 10'000'000;
    Result<std::unique_ptr<Program>> Loaded =
        loadProgram(Text, "test.ptx", Memory);
    if (Loaded)
      P = std::move(*Loaded);
    else
      Error = Loaded.error().str();
  }

  template <typename T> uint64_t upload(const std::vector<T> &Values) {
    uint64_t Address = Memory.allocate(Values.size() * sizeof(T));
    Memory.write(Address, Values.data(), Values.size() * sizeof(T));
    return Address;
  }

  template <typename T>
  std::vector<T> download(uint64_t Address, size_t Count) {
    std::vector<T> Values(Count);
    EXPECT_TRUE(Memory.read(Address, Values.data(), Count * sizeof(T)));
    return Values;
  }

  /// True if the kernel ran; else Error says why not.
  bool run(const std::string &Kernel, Dim3 Grid, Dim3 Block,
           const std::vector<uint64_t> &Arguments, uint32_t Dynamic = 0) {
    if (!P)
      return false;
    const Function *F = P->findKernel(Kernel);
    Result<std::vector<uint8_t>> Bytes = packArguments(*F, Arguments);
    if (!Bytes) {
      Error = Bytes.error().str();
      return false;
    }
    Result<LaunchStats> R =
        runKernel(*P, Memory, Kernel, {Grid, Block, Dynamic, *Bytes}, Options);
    if (R)
      Stats = *R;
    else
      Error = R.error().str();
    return R.has_value();
  }
};

/// A kernel `k(.u64 out)` around \p Body, in which %rd1 is out and %r1 the
/// thread's number in the CTA; `store %r2` style helpers are the body's own.
inline std::string kernelAround(const std::string &Body,
                                const std::string &ModuleScope = "") {
  return Header + ModuleScope +
         ".visible .entry k(.param .u64 out)\n{\n"
         ".reg .pred %p<20>;\n.reg .b16 %rs<20>;\n.reg .b32 %r<40>;\n"
         ".reg .b64 %rd<40>;\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n" +
         Body + "\nret;\n}\n";
}

/// Runs kernelAround(Body) with \p Threads threads, each of which leaves a
/// word at [%rd2].
inline std::vector<uint32_t> runWords(const std::string &Body, unsigned Threads,
                                      const std::string &ModuleScope = "") {
  TestProgram M(kernelAround(Body, ModuleScope));
  EXPECT_TRUE(M.P) << M.Error;
  uint64_t Out = M.upload(std::vector<uint32_t>(Threads, 0xAAAAAAAA));
  EXPECT_TRUE(M.run("k", {1}, {Threads}, {Out})) << M.Error;
  return M.download<uint32_t>(Out, Threads);
}

/// The message of a launch that must fail.
inline std::string runError(const std::string &Body, unsigned Threads = 32,
                            const std::string &ModuleScope = "") {
  TestProgram M(kernelAround(Body, ModuleScope));
  if (!M.P)
    return M.Error;
  uint64_t Out = M.upload(std::vector<uint32_t>(Threads));
  EXPECT_FALSE(M.run("k", {1}, {Threads}, {Out}));
  return M.Error;
}

/// Thread by thread, what \p Op leaves in %r5 of the 32-bit operands %r2, %r3
/// and %r4; \p In has three of each thread, of whole warps.
inline std::vector<uint32_t> evaluate(const std::string &Op,
                                      const std::vector<uint32_t> &In) {
  size_t Count = In.size() / 3;
  TestProgram M(
      kernelAround("ld.param.u64 %rd1, [out];\n"
                   "mov.u32 %r7, %ctaid.x; mad.lo.u32 %r1, %r7, 32, %r1;"
                   "mad.wide.u32 %rd3, %r1, 12, %rd1;\n"
                   "ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, "
                   "[%rd3+4]; ld.global.u32 %r4, [%rd3+8];\n" +
                   Op + "\nst.global.u32 [%rd3], %r5;"));
  EXPECT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(In);
  EXPECT_TRUE(M.run("k", {uint32_t(Count / 32)}, {32}, {At})) << M.Error;
  std::vector<uint32_t> All = M.download<uint32_t>(At, In.size()), Out;
  for (size_t I = 0; I != Count; ++I)
    Out.push_back(All[3 * I]);
  return Out;
}

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_SIMTEST_H
