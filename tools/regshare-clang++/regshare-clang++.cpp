//===- regshare-clang++.cpp - CUDA programs for the reference SM ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes the place of nvcc or clang++ in the build of a CUDA program: what it
/// makes runs on the reference SM.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Options.h"
#include "Steps.h"

#include "regshare/Base/SchemeLoader.h"
#include "regshare/Base/Variables.h"
#include "regshare/Base/Version.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regshare;

static int failed(Error E) {
  errs() << "regshare-clang++: error: " << toString(std::move(E)) << "\n";
  return 1;
}

static void printHelp() {
  outs() << "regshare-clang++: compiles CUDA programs to run on the reference "
            "SM\n\n"
            "usage: regshare-clang++ [options] <inputs>\n\n"
            "Takes clang++'s options, and of nvcc's those that have a meaning "
            "here. Its own:\n\n"
         << optionHelp()
         << "\nThe program runs as any other; REGSHARE_DEVICE, "
            "REGSHARE_SCHEME and other variables\nsay on what.\n";
}

/// Programs read the variables when they run; who compiles one with a name that
/// means nothing learns it here. Libraries bring names of their own: unless
/// they load, which programs tell of, no name can be said to be none.
static void warnOfVariables() {
  if (!loadSchemesOfEnvironment())
    return;
  for (const std::string &Doubt : doubtsAboutVariables())
    errs() << "regshare-clang++: warning: " << Doubt << "\n";
}

/// In the words by which CMake finds nvcc's version.
static void printOwnVersion(StringRef CudaPath) {
  auto Header = MemoryBuffer::getFile(CudaPath + "/include/cuda.h");
  unsigned Version = 0;
  if (!Header || (*Header)
                     ->getBuffer()
                     .split("#define CUDA_VERSION ")
                     .second.consumeInteger(10, Version))
    return;
  outs() << "RegShare " REGSHARE_VERSION ", with CUDA's headers V"
         << Version / 1000 << "." << Version % 1000 / 10 << "." << Version % 10
         << "\n";
}

int main(int argc, char **argv) {
  InitLLVM X(argc, argv);
  setErrorStart("regshare-clang++: error: ");
  Expected<CommandLine> C =
      parseCommandLine(ArrayRef<const char *>(argv + 1, argv + argc));
  if (!C)
    return failed(C.takeError());
  if (C->Help) {
    printHelp();
    return 0;
  }
  Expected<Toolchain> T = findToolchain(argv[0], *C);
  if (!T)
    return failed(T.takeError());
  if (!C->Question.empty()) {
    SmallVector<StringRef, 16> Words{T->Clang};
    Words.append(C->Question.begin(), C->Question.end());
    int Status = sys::ExecuteAndWait(T->Clang, Words);
    if (C->Question[0] == "--version")
      printOwnVersion(T->CudaPath);
    return Status;
  }
  if (Error E = checkUnknownOptions(*C, *T))
    return failed(std::move(E));
  if (Error E = chooseOpenMP(*C, *T))
    return failed(std::move(E));
  warnOfVariables();
  Expected<int> Status = runSteps(*C, *T);
  return Status ? *Status : failed(Status.takeError());
}
