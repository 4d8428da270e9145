//===- Steps.h - Running clang for each half -*- C++ -*--------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What regshare-clang++ has clang do: device code to bitcode, once for each
/// form of code, the host half with that embedded, and a link with the runtime
/// library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_CLANG_STEPS_H
#define REGSHARE_TOOLS_REGSHARE_CLANG_STEPS_H

#include "CommandLine.h"

namespace regshare {

/// Where clang and our own files are.
struct Toolchain {
  std::string Clang;
  std::string LibraryDir; ///< With libregshare_cudart.so.
  std::string CudaPath;   ///< With CUDA's headers and device math.
};

/// \p Argv0 is the name that the program was called by. Fails on what is
/// missing, naming it.
llvm::Expected<Toolchain> findToolchain(const char *Argv0,
                                        const CommandLine &C);

/// What clang prints when it is started with these words.
llvm::Expected<std::string> askClang(llvm::ArrayRef<llvm::StringRef> Words,
                                     const Toolchain &T);

/// Where -fopenmp is asked for and LLVM's library for it is not installed, has
/// the host half use gcc's header and library, with a warning: clang compiles
/// parallel regions for LLVM's alone, so that a thread executes them.
llvm::Error chooseOpenMP(CommandLine &C, const Toolchain &T);

/// Fails on an option that neither RegShare nor clang knows, with the nearest
/// one that somebody does.
llvm::Error checkUnknownOptions(const CommandLine &C, const Toolchain &T);

/// Does what \p C asks for and returns the exit code of the first step that
/// fails, which has said why, or 0.
llvm::Expected<int> runSteps(const CommandLine &C, const Toolchain &T);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_CLANG_STEPS_H
