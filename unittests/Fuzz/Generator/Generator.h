//===- Generator.h - Makes one kernel -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_GENERATOR_GENERATOR_H
#define REGSHARE_UNITTESTS_FUZZ_GENERATOR_GENERATOR_H

#include "Expressions.h"

namespace regshare::fuzz {

/// What statements may do where they stand.
struct Context {
  /// Variable with the lanes that come here together; empty if unknown.
  std::string Mask;
  bool Uniform = true;   ///< All threads of the CTA that still run come here.
  bool InLoop = false;   ///< break and continue lead somewhere...
  bool InSwitch = false; ///< ... but break would only leave a switch.
  bool TopLevel = false;
  /// Lanes may not leave: a loop around this counts on them.
  bool Stay = false;
  unsigned Depth = 0;
};

class Generator {
public:
  Generator(uint64_t Seed, const GeneratorOptions &Options)
      : Options(Options), R(Seed), E(R, S) {
    K.Seed = Seed;
    K.Name = "k" + std::to_string(Seed);
    K.HasCalls = R.chance(25);
  }
  Kernel run();

private:
  void shape();
  void functions();
  void plainFunction(unsigned N);
  void recursiveFunction();
  void kernelScope();

  std::vector<Statement> statements(Context &C, unsigned Count);
  Statement statement(Context &C);
  Statement leaf(std::string Text) { return {std::move(Text), "", {}, 0}; }
  Statement block(std::string Open, Context &Inner, unsigned Count,
                  std::string Close = "}");
  Statement assignment();
  Statement sweep(uint64_t Number);
  Statement meeting(uint64_t Number);
  Statement localStore();
  Statement scratchStore();
  Statement vectorAccess();
  Statement ownAtomic();
  Statement sharedAtomic();
  Statement ifElse(Context &C);
  Statement maskedIf(Context &C);
  Statement loop(Context &C);
  Statement uniformLoop(Context &C);
  Statement maskedLoop(Context &C);
  Statement switchOver(Context &C);
  Statement jump(Context &C);
  Statement warpOperation(Context &C);
  Statement exchange(Context &C);
  Statement barrier(Context &C);
  Statement indirectCall();
  std::string fresh(const char *Stem) {
    return Stem + std::to_string(++NumNames);
  }
  const Name &variable() { return R.pick(S.Variables); }
  std::string variableOf(Type T);
  void number(std::vector<Statement> &List);

  const GeneratorOptions &Options;
  Kernel K;
  Random R;
  Scope S;
  Expressions E;
  unsigned NumNames = 0, Budget = 60;
};

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_GENERATOR_GENERATOR_H
