//===- EXPARSTrials.cpp - Mistakes in code of EXPARS ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/CodeGen/Statements.h"

using namespace llvm;

namespace regshare::mutation {

namespace {

struct PrefAccess {
  static std::optional<std::vector<unsigned>> read(const MachineInstr &MI) {
    if (statementVerb(MI) != "pref")
      return std::nullopt;
    return *parsePref(statementOf(MI));
  }
  static Outcome write(MachineInstr &MI, const std::vector<unsigned> &Units) {
    return replaceStatement(MI, printPrefPragma(Units));
  }
};

constexpr OwnChange Changes[] = {VectorChanges<PrefAccess>::Drop,
                                 VectorChanges<PrefAccess>::Add};

/// The size is the lines of the operand cache.
class BundlesTrial final : public SchemeTrial {
  SettingValues settings(unsigned Size) const override {
    return Size ? SettingValues().set(settings::OperandCacheBytes,
                                      Size * OperandCache::LineBytes)
                : SettingValues();
  }
  unsigned randomSize(uint64_t Seed) const override { return 8u << Seed % 3; }
  std::vector<unsigned> programSizes() const override { return {8, 16, 32}; }
  /// Grids have more CTAs than fit with all of theirs in the register file.
  std::string programDevice() const override {
    return ",sms=1,registers=16384";
  }
  std::span<const OwnChange> ownChanges() const override { return Changes; }
};

constexpr BundlesTrial Trial;

constexpr TrialFamily::Member Members[] = {{schemes::EXPARS, Trial}};

} // namespace

extern const TrialFamily EXPARSTrials;
const TrialFamily EXPARSTrials = {Members};

} // namespace regshare::mutation
