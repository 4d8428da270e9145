//===- KernelGenerator.h - Random kernels -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes kernels in the language of FuzzKernel.h whose result is defined:
/// operations that C++ or CUDA leaves open are guarded, threads meet only
/// where all of a mask's lanes come, and what several threads write at once
/// does not depend on their order.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_GENERATOR_KERNELGENERATOR_H
#define REGSHARE_UNITTESTS_FUZZ_GENERATOR_KERNELGENERATOR_H

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace regshare::fuzz {

enum class Type : uint8_t {
  U8,
  S8,
  U16,
  S16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64
};
inline constexpr unsigned NumTypes = 11;

const char *nameOf(Type T);
constexpr bool isFloat(Type T) { return T >= Type::F16; }
constexpr unsigned bitsOf(Type T) {
  constexpr unsigned Bits[] = {8, 8, 16, 16, 32, 32, 64, 64, 16, 32, 64};
  return Bits[unsigned(T)];
}

/// A statement, with the statements inside of it. Any statement can be left
/// out and the rest still compiles and is still defined.
struct Statement {
  std::string Open, Close;
  std::vector<Statement> Body;
  unsigned Id = 0; ///< Counts from 1, outer ones first.
};

struct Kernel {
  uint64_t Seed = 0;
  std::string Name;
  unsigned Grid = 1, BlockX = 32, BlockY = 1;
  /// Device functions, each complete.
  std::string Functions;
  std::vector<Statement> Body;
  unsigned NumStatements = 0;
  /// It has recursive functions and calls through pointers.
  bool HasCalls = false;
  /// Statements to leave out, by Id.
  std::set<unsigned> Deleted;

  /// C++ text.
  std::string text() const;
};

struct GeneratorOptions {
  /// Statements at the kernel's top level, at most.
  unsigned MaxStatements = 14;
  /// Operations to try on many inputs at the kernel's begin.
  unsigned Sweeps = 9;
  /// Operations of a warp or CTA to try after them.
  unsigned Meetings = 4;
};

/// The kernel is a function of the seed and the options. One kernel in four has
/// what Kernel::HasCalls is about.
Kernel generateKernel(uint64_t Seed, const GeneratorOptions &Options = {});

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_GENERATOR_KERNELGENERATOR_H
