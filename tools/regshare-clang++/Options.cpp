//===- Options.cpp - The options of regshare-clang++ ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regshare;

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

static constexpr opt::OptTable::Info Infos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

namespace {
class Table final : public opt::GenericOptTable {
public:
  Table() : GenericOptTable(OptionStrTable, OptionPrefixesTable, Infos) {}
};
} // namespace

const opt::OptTable &regshare::optionTable() {
  static const Table TheTable;
  return TheTable;
}
