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

#include "llvm/Support/FileSystem.h"

#include <string>
#include <vector>

namespace regshare {

/// The level at which native code is optimised, whatever the host's.
inline constexpr unsigned NativeOptLevel = 3;

/// The device math of native code in \p Toolkit, a directory in the shape of a
/// CUDA toolkit. Our own has it; where there is none, libdevice serves both
/// forms.
inline std::string nativeMath(const std::string &Toolkit) {
  std::string Path = Toolkit + "/nvvm/libdevice/regshare-native.bc";
  return llvm::sys::fs::exists(Path) ? Path : std::string();
}

/// The optimisation level is not among them: -G asks for another. \p Toolkit is
/// as above; empty, there is no device math.
inline std::vector<std::string> nativeClangOptions(const std::string &Toolkit) {
  std::vector<std::string> Options = {
      // Addresses of shared, constant and local memory in 32 bits.
      "-fcuda-short-ptr",
      // nvcc lets a function be given a variable that only some lanes have set.
      // clang would take it for set, and leave out the condition under which
      // they do. For the form of PTX see UnsetArguments.h.
      "-Xclang", "-no-enable-noundef-analysis",
      // Loops are unrolled about as nvcc does, which brings the arrays of
      // a thread that they index into registers; docs/native-code.md has
      // the figures.
      "-mllvm", "-unroll-threshold=600", "-mllvm",
      "-unroll-partial-threshold=200", "-mllvm", "-unroll-max-count=4"};
  if (std::string Math = Toolkit.empty() ? "" : nativeMath(Toolkit);
      !Math.empty())
    // Without its own library clang does not say which CUDA the headers are of
    // (CUDA_VERSION in our cuda.h), which decides how kernels are launched.
    Options.insert(Options.end(),
                   {"--no-offloadlib", "-Xclang", "-target-sdk-version=12.8",
                    "-Xclang", "-mlink-builtin-bitcode", "-Xclang", Math});
  return Options;
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_NATIVEOPTIONS_H
