//===- Options.cpp - The options of regshare-clang++ ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

/// "-G, --device-debug": the names that an option has, with those of its
/// aliases.
static std::string namesOf(unsigned ID) {
  const opt::OptTable &Options = optionTable();
  std::string Names;
  for (unsigned Other = 1; Other <= Options.getNumOptions(); ++Other)
    if (opt::Option Of = Options.getOption(Other).getAlias();
        Of.isValid() && Of.getID() == ID &&
        !Options.getOptionName(Other).ends_with("="))
      Names += ("-" + Options.getOptionName(Other) + ", ").str();
  SmallVector<StringRef> Prefixes;
  Options.appendOptionPrefixes(ID, Prefixes);
  return (Names + (is_contained(Prefixes, "--") ? "--" : "-") +
          Options.getOptionName(ID))
      .str();
}

std::string regshare::optionHelp() {
  std::string Text;
  const opt::OptTable &Options = optionTable();
  for (unsigned ID = 1; ID <= Options.getNumOptions(); ++ID) {
    opt::Option O = Options.getOption(ID);
    const char *Help = Options.getOptionHelpText(ID);
    if (Help && !O.getAlias().isValid() && !O.hasFlag(opt::HelpHidden))
      Text += formatv("  {0,-32} {1}\n", namesOf(ID), Help);
  }
  return Text;
}
