//===- MutantCode.cpp - A device compiler that hands out mutants ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stands in for the runtime's device compiler: whatever it is asked to
/// compile, the code is the PTX in the file that REGSHARE_MUTANT names.
///
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace regshare;
using namespace regshare::cudart;

static Result<CompiledCode> readMutant(const CompileRequest &Request) {
  const char *Path = std::getenv("REGSHARE_MUTANT");
  std::ifstream File(Path ? Path : "");
  if (!File)
    return fail("REGSHARE_MUTANT names no file");
  std::ostringstream Text;
  Text << File.rdbuf();
  CompiledCode Code;
  Code.PTX = Text.str();
  return Code;
}

static Result<std::string> unpackNothing(std::string_view, size_t) {
  return fail("programs with mutants have bitcode");
}

static Result<void> loadNothing(Scheme) { return {}; }

extern "C" __attribute__((visibility("default")))
const DeviceCompiler RegShareDeviceCompiler = {readMutant, unpackNothing,
                                               loadNothing};
