//===- HardwareCost.cpp - Cost of PTX -------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/HardwareCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace llvm;

namespace regshare {
namespace {

struct Row {
  const char *Mnemonic;
  std::optional<HardwareCost> Costs[4]; // by column
};

struct Architecture {
  StringRef Name;
  unsigned Column;
};

} // namespace

#define COST(Slots, Executed, Once, Temps)                                     \
  HardwareCost { Slots, Executed, Once, Temps }
#define ONE HardwareCost()
#define NONE std::nullopt
#define HARDWARE_COST(Mnemonic, SM75, SM80, SM86, SM90)                        \
  {Mnemonic, {SM75, SM80, SM86, SM90}},

static const Row Table[] = {
#include "HardwareCosts.def"
};

#undef COST
#undef ONE
#undef NONE

static constexpr Architecture Architectures[] = {
    {"sm_70", 0}, {"sm_75", 0}, {"sm_80", 1}, {"sm_86", 2},
    {"sm_87", 2}, {"sm_89", 2}, {"sm_90", 3}, {"sm_90a", 3}};

HardwareCosts::HardwareCosts(unsigned Column) {
  for (const Row &R : Table)
    if (R.Costs[Column])
      Rows[R.Mnemonic] = *R.Costs[Column];
}

std::string HardwareCosts::architectures() {
  return join(map_range(Architectures,
                        [](const Architecture &A) { return A.Name.str(); }),
              ", ");
}

Result<const HardwareCosts *> HardwareCosts::get(StringRef Arch) {
  static const HardwareCosts Tables[] = {HardwareCosts(0), HardwareCosts(1),
                                         HardwareCosts(2), HardwareCosts(3)};
  for (const Architecture &A : Architectures)
    if (A.Name == Arch)
      return &Tables[A.Column];
  return fail("it is not known what hardware code for '" + Arch.str() +
                  "' costs; there are figures for " + architectures(),
              ErrorKind::Unsupported);
}

const HardwareCost *HardwareCosts::find(StringRef Mnemonic) const {
  auto Found = Rows.find(Mnemonic);
  return Found == Rows.end() ? nullptr : &Found->second;
}

HardwareCost HardwareCosts::cost(StringRef Mnemonic) const {
  const HardwareCost *Found = find(Mnemonic);
  return Found ? *Found : HardwareCost();
}

} // namespace regshare
