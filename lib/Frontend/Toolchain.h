//===- Toolchain.h - Programs and files the front ends need -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM's own programs, the CUDA toolkit, and the headers and libdevice that
/// stand in for the toolkit where it is missing: where each of them is.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_TOOLCHAIN_H
#define REGSHARE_LIB_FRONTEND_TOOLCHAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"

#include <string>

namespace regshare {

struct InputOptions;

/// Where our own libraries are.
std::string libraryDirectory();

/// Our own headers and libdevice, in a toolkit's shape; perhaps not there.
std::string ownDirectory();

/// The directory of the CUDA toolkit, or of our own headers and libdevice in
/// the same shape where there is no toolkit or it is not to be used. A
/// directory that the user names and that holds none is an error.
llvm::Expected<std::string> findCuda(const InputOptions &Options);

/// The bitcode of __nv_expf and its like for the form of code that is asked
/// for, in the directory findCuda finds.
llvm::Expected<std::string> findLibdevice(const InputOptions &Options);

/// A file that goes away with the object.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef Suffix);
  const std::string &path() const { return Path; }

private:
  explicit TemporaryFile(llvm::StringRef Path)
      : Path(Path), Remover(this->Path) {}
  std::string Path;
  llvm::FileRemover Remover;
};

/// Runs LLVM's program \p Name ("mlir-opt") from the installation we were built
/// with, else from PATH; our standard input, output and error are its own. On
/// failure the program has said why on stderr, and the error returned says that
/// \p Name could not \p Verb \p Input.
llvm::Error runTool(llvm::StringRef Name, llvm::ArrayRef<std::string> Args,
                    llvm::StringRef Input, llvm::StringRef Verb);

/// The same for clang++ and a CUDA source: \p Options decide what headers come
/// to, \p Rest names files. Standard error goes to \p Said where that is given.
llvm::Error compileByClang(llvm::ArrayRef<std::string> Options,
                           llvm::ArrayRef<std::string> Rest,
                           llvm::StringRef Input, std::string *Said = nullptr);

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_TOOLCHAIN_H
