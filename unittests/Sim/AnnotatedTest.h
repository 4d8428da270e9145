//===- AnnotatedTest.h - Annotated PTX in tests -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_ANNOTATEDTEST_H
#define REGSHARE_UNITTESTS_SIM_ANNOTATEDTEST_H

#include "Timing/TimingTest.h"

#include <regex>

namespace regshare::sim {

/// `.pragma "regshare.acquire";` and so on.
inline std::string pragma(const std::string &Text) {
  return ".pragma \"regshare." + Text + "\";\n";
}

inline const std::string Acquire = pragma("acquire");
inline const std::string Release = pragma("release");

/// Lanes 16 to 31 run second, with what the first left of their registers.
inline const std::string Sides = "setp.gt.u32 %p1, %r2, 15;\n@%p1 bra OTHER;\n";

struct AnnotatedKernel {
  const char *Scheme = "regmutex";
  unsigned Regs = 12;
  unsigned Base = 8, Extended = 4; ///< Of RegMutex; 0 base: no split.
  std::string ModuleScope;
  std::string Begin = {}; ///< Statements before the first instruction.

  /// Of the module's variables, all of which the kernel names.
  uint64_t sharedBytes() const {
    static const std::regex Variable(
        "\\.shared[^;]*\\.[bufs](\\d+) \\w+(\\[(\\d+)\\])?;");
    uint64_t Bytes = 0;
    for (std::sregex_iterator
             I(ModuleScope.begin(), ModuleScope.end(), Variable),
         End;
         I != End; ++I)
      Bytes +=
          std::stoul((*I)[1]) / 8 * ((*I)[3].matched ? std::stoul((*I)[3]) : 1);
    return Bytes;
  }

  /// A kernel `k(.u64 out)` whose register %rN is RN and whose %rdN is the pair
  /// R2N and R2N+1. When \p Body begins %rd0 is the address of the thread's own
  /// word of `out`, %r2 its number in the CTA, and %r3 its CTA's number.
  std::string around(const std::string &Body) const {
    std::string Map, Pairs;
    for (unsigned N = 0; N != Regs; ++N)
      Map += pragma("map %r" + std::to_string(N) + "=R" + std::to_string(N));
    for (unsigned N = 0; 2 * N + 1 < Regs; ++N)
      Map += pragma("map %rd" + std::to_string(N) + "=R" +
                    std::to_string(2 * N) + "_" + std::to_string(2 * N + 1));
    for (unsigned N = 0; N != 4; ++N)
      Map += pragma("map %p" + std::to_string(N) + "=P" + std::to_string(N));
    std::string Count = std::to_string(Regs);
    std::string Split = Base ? pragma("regmutex base=" + std::to_string(Base) +
                                      " extended=" + std::to_string(Extended))
                             : "";
    return Header + ModuleScope +
           ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>;\n"
           ".reg .b32 %r<" +
           Count + ">;\n.reg .b64 %rd<" + std::to_string(Regs / 2) + ">;\n" +
           pragma("kernel v1 name=k scheme=" + std::string(Scheme) +
                  " regs=" + Count + " preds=4 peak=" + Count + " shared=" +
                  std::to_string(sharedBytes()) + " local=0 target=sm_80") +
           Map + Split + Begin +
           "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\n"
           "mov.u32 %r4, %ntid.x;\nmad.lo.u32 %r4, %r3, %r4, %r2;\n"
           "mul.wide.u32 %rd2, %r4, 4;\nld.param.u64 %rd0, [out];\n"
           "add.s64 %rd0, %rd0, %rd2;\n" +
           Body + "\nret;\n}\n";
  }
};

/// A kernel of RFV, which has no split.
inline AnnotatedKernel virtualised(unsigned Regs = 12) {
  return {"rfv", Regs, 0, 0, {}};
}

/// "R4,R5,R6" for 4 and 3.
inline std::string unitList(unsigned First, unsigned Count) {
  std::string List;
  for (unsigned N = First; N != First + Count; ++N)
    List += (N == First ? "R" : ",R") + std::to_string(N);
  return List;
}

inline std::string prefetch(unsigned Interval, const std::string &Units) {
  return pragma("prefetch interval=" + std::to_string(Interval) +
                " regs=" + Units);
}

/// A kernel of LTRF with intervals of at most \p Most registers. Interval 0,
/// which has the prologue's R0 to R5, has begun when the body does.
inline AnnotatedKernel divided(const char *Scheme = "ltrf", unsigned Regs = 24,
                               unsigned Most = 16) {
  return {Scheme,
          Regs,
          0,
          0,
          {},
          pragma("intervals count=6 registers=" + std::to_string(Most)) +
              prefetch(0, unitList(0, 6))};
}

/// The first line of what the launch of a kernel fails with; of a whole SM when
/// \p Warps are more than one.
inline std::string launchError(const AnnotatedKernel &K,
                               const std::string &Body, unsigned Threads = 32) {
  TestProgram T(K.around(Body));
  if (!T.P)
    return T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(Threads));
  EXPECT_FALSE(T.run("k", {1}, {Threads}, {Out}));
  return T.Error;
}

/// What each thread of one CTA leaves at its word.
inline std::vector<uint32_t> launchWords(const AnnotatedKernel &K,
                                         const std::string &Body,
                                         unsigned Threads = 32) {
  TestProgram T(K.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  if (!T.P)
    return {};
  uint64_t Out = T.upload(std::vector<uint32_t>(Threads, 0xAAAAAAAA));
  EXPECT_TRUE(T.run("k", {1}, {Threads}, {Out})) << T.Error;
  return T.download<uint32_t>(Out, Threads);
}

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_ANNOTATEDTEST_H
