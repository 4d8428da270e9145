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

#include "llvm/Support/FileSystem.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace regshare {

/// \p OwnCuda: the directory with our headers, in `include`.
inline std::vector<std::string> nvccHabits(const std::string &OwnCuda) {
  // What -imacros names comes before all that is included.
  return {"-imacros", OwnCuda + "/include/regshare_cuda/before.h", "-include",
          OwnCuda + "/include/regshare_cuda/nvcc.h",
          // A header of clang's that ours corrects.
          "-isystem", OwnCuda + "/include/regshare_cuda/clang",
          // C++17 has no `register`, and no conversion that may lose something
          // between braces, and wants a space between a string and a macro's
          // name; with nvcc the first is ignored, the others are a warning.
          "-Wno-register", "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal"};
}

/// Where clang finds the libraries that are headers (Thrust, CUB, libcu++): in
/// \p Given, a folder with them or a checkout of CCCL, before all other
/// headers; else in the toolkit \p CudaPath, where CUDA 13 has moved them into
/// a folder of their own; else in an installed toolkit, after all other
/// headers, so that ours stay. No words if they are nowhere.
inline std::vector<std::string> libraryHeaders(const std::string &Given,
                                               const std::string &CudaPath) {
  auto Has = [](const std::string &Folder) {
    return llvm::sys::fs::is_directory(Folder);
  };
  if (!Given.empty()) {
    if (Has(Given + "/libcudacxx/include"))
      return {"-isystem",        Given + "/cub", "-isystem",
              Given + "/thrust", "-isystem",     Given + "/libcudacxx/include"};
    return {"-isystem", Given};
  }
  if (Has(CudaPath + "/include/cccl"))
    return {"-isystem", CudaPath + "/include/cccl"};
  if (Has(CudaPath + "/include/thrust"))
    return {};
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *Path = std::getenv(Variable))
      if (std::string Folder = std::string(Path) + "/include/cccl"; Has(Folder))
        return {"-idirafter", Folder};
  if (std::string Folder = "/usr/local/cuda/include/cccl"; Has(Folder))
    return {"-idirafter", Folder};
  return {};
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_NVCCHABITS_H
