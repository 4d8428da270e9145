//===- NvccHabits.h - What nvcc lets pass, for clang -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What clang is told for CUDA sources before the user's own options, so that
/// what compiles with nvcc does with clang. Header only: regshare-clang++ has
/// no front end linked in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_NVCCHABITS_H
#define REGSHARE_FRONTEND_NVCCHABITS_H

#include <string>
#include <vector>

namespace regshare {

/// \p OwnCuda: the directory with our headers, in `include`.
inline std::vector<std::string> nvccHabits(const std::string &OwnCuda) {
  // What -imacros names comes before all that is included.
  return {"-imacros", OwnCuda + "/include/regshare_cuda/before.h", "-include",
          OwnCuda + "/include/regshare_cuda/nvcc.h",
          // C++17 has no `register`, and no conversion that may lose something
          // between braces, and wants a space between a string and a macro's
          // name; with nvcc the first is ignored, the others are a warning.
          "-Wno-register", "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal"};
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_NVCCHABITS_H
