//===- Options.h - The options of regshare-clang++ -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_CLANG_OPTIONS_H
#define REGSHARE_TOOLS_REGSHARE_CLANG_OPTIONS_H

#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

#include <string>

namespace regshare {

/// Of Options.td.
enum OptionID {
  OPT_INVALID,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

const llvm::opt::OptTable &optionTable();

/// For --help: the options that are ours to understand, a line each.
std::string optionHelp();

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_CLANG_OPTIONS_H
