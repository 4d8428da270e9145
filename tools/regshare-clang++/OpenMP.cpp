//===- OpenMP.cpp - Which library OpenMP has ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace regshare {

/// The whole path of a file that comes with clang or gcc; empty: it is nowhere.
static Expected<std::string> findFile(StringRef Name, const Toolchain &T) {
  std::string Question = ("-print-file-name=" + Name).str();
  Expected<std::string> Answer = askClang({Question}, T);
  if (!Answer)
    return Answer.takeError();
  StringRef Path = StringRef(*Answer).trim();
  return sys::path::is_absolute(Path) ? Path.str() : std::string();
}

Error chooseOpenMP(CommandLine &C, const Toolchain &T) {
  auto Asks = [](const Argument &A) {
    return A.K != Argument::Input && A.Words[0] == "-fopenmp";
  };
  if (none_of(C.Arguments, Asks))
    return Error::success();
  Expected<std::string> Library = findFile("libomp.so", T);
  if (!Library)
    return Library.takeError();
  if (!Library->empty())
    return Error::success();
  Expected<std::string> Header = findFile("include/omp.h", T);
  if (!Header)
    return Header.takeError();
  if (Header->empty())
    return createStringError("-fopenmp: neither LLVM's libomp nor gcc's omp.h "
                             "is installed");
  for (Argument &A : C.Arguments)
    if (Asks(A))
      A.Words = {"-fopenmp=libgomp"};
  // Both halves read the header.
  C.Arguments.push_back({Argument::Both,
                         {"-idirafter", sys::path::parent_path(*Header).str()},
                         {},
                         {}});
  WithColor::warning(errs(), "regshare-clang++")
      << "LLVM's libomp is not installed; parallel regions of OpenMP have one "
         "thread\n";
  return Error::success();
}

} // namespace regshare
