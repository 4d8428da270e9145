//===- NativeOptions.h - How clang compiles native code -*- C++ -*---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What clang is told for the device half of native code, after the user's own
/// options. Header only: regshare-clang++ has no front end linked in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_NATIVEOPTIONS_H
#define REGSHARE_FRONTEND_NATIVEOPTIONS_H

#include <string>
#include <vector>

namespace regshare {

/// The level at which native code is optimised, whatever the host's.
inline constexpr unsigned NativeOptLevel = 3;

/// The optimisation level is not among them: -G asks for another.
inline std::vector<std::string> nativeClangOptions() {
  return {// Addresses of shared, constant and local memory in 32 bits.
          "-fcuda-short-ptr",
          // Loops are unrolled about as nvcc does, which brings the arrays of
          // a thread that they index into registers; docs/native-code.md has
          // the figures.
          "-mllvm", "-unroll-threshold=600", "-mllvm",
          "-unroll-partial-threshold=200", "-mllvm", "-unroll-max-count=4"};
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_NATIVEOPTIONS_H
