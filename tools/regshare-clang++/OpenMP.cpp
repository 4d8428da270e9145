//===- OpenMP.cpp - Which library OpenMP has ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
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

/// Some source includes OpenMP's header itself.
static bool mentionsHeader(const CommandLine &C) {
  return any_of(C.Arguments, [](const Argument &A) {
    if (A.K != Argument::Input)
      return false;
    auto Buffer = MemoryBuffer::getFile(A.Words[0]);
    return Buffer && (*Buffer)->getBuffer().contains("<omp.h>");
  });
}

static void searchLast(CommandLine &C, StringRef Header) {
  // Both halves read the header.
  C.Arguments.push_back({Argument::Both,
                         {"-idirafter", sys::path::parent_path(Header).str()},
                         {},
                         {}});
}

/// gcc finds its header without -fopenmp, too, and so does nvcc.
static Error findHeader(CommandLine &C, const Toolchain &T) {
  if (!mentionsHeader(C))
    return Error::success();
  Expected<std::string> Header = findFile("include/omp.h", T);
  if (!Header)
    return Header.takeError();
  if (!Header->empty())
    searchLast(C, *Header);
  return Error::success();
}

Error chooseOpenMP(CommandLine &C, const Toolchain &T) {
  auto Asks = [](const Argument &A) {
    return A.K != Argument::Input && A.Words[0] == "-fopenmp";
  };
  if (none_of(C.Arguments, Asks))
    return findHeader(C, T);
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
  searchLast(C, *Header);
  WithColor::warning(errs(), "regshare-clang++")
      << "LLVM's libomp is not installed; parallel regions of OpenMP have one "
         "thread\n";
  return Error::success();
}

} // namespace regshare
