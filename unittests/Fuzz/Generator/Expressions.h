//===- Expressions.h - Random expressions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_GENERATOR_EXPRESSIONS_H
#define REGSHARE_UNITTESTS_FUZZ_GENERATOR_EXPRESSIONS_H

#include "KernelGenerator.h"

namespace regshare::fuzz {

/// The same choices on every platform.
class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed * 0x9E3779B97F4A7C15ull + 1) {}
  /// Below \p N.
  unsigned below(unsigned N) { return unsigned(Engine() % N); }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  uint64_t bits() { return Engine(); }
  template <typename T> const T &pick(const std::vector<T> &From) {
    return From[below(unsigned(From.size()))];
  }

private:
  std::mt19937_64 Engine;
};

struct Name {
  Type T;
  std::string Text;
};

struct DeviceFunction {
  std::string Name;
  Type Result;
  std::vector<Type> Arguments;
};

/// What an expression may name.
struct Scope {
  std::vector<Name> Variables;
  std::vector<Name> ReadOnly;
  std::vector<DeviceFunction> Functions;
  /// The arrays, parameters and tables of kernels are visible.
  bool InKernel = false;
};

class Expressions {
public:
  Expressions(Random &R, Scope &S) : R(R), S(S) {}

  /// A value of type \p T, in parentheses where it needs them.
  std::string value(Type T, unsigned Depth);
  std::string condition(unsigned Depth);
  /// The same in all threads of the grid.
  std::string uniformCondition();
  std::string uniformCount();
  /// An operation, conversion or comparison on values of the input that the
  /// variable `i` chooses: the one with that number, modulo how many there are.
  std::string sweep(uint64_t Number);
  Type anyType() { return Type(R.below(NumTypes)); }
  Type anyInt() { return Type(R.below(8)); }
  std::string call(const DeviceFunction &F, unsigned Depth);

private:
  std::string constant(Type T);
  std::string leaf(Type T);
  std::string memory(Type T, unsigned Depth);
  std::string intValue(Type T, unsigned Depth);
  std::string floatValue(Type T, unsigned Depth);
  std::string conversion(Type T, unsigned Depth);
  std::string operation(Type T, unsigned Depth);
  std::string address(unsigned Depth);
  std::string input(Type T);

  Random &R;
  Scope &S;
};

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_GENERATOR_EXPRESSIONS_H
