//===- SharingTrials.cpp - Mistakes in code of CTAs that share ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "Transforms/Renumber.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Sharing/SharingStatements.h"
#include "regshare/CodeGen/Statements.h"
#include "llvm/CodeGen/MachineFunction.h"

#include <bit>
#include <numeric>

using namespace llvm;

namespace regshare::mutation {

/// Registers that are private; nothing for other statements.
static std::optional<unsigned> privateOf(const MachineInstr &MI) {
  if (statementVerb(MI) != "sharing")
    return std::nullopt;
  return *parseSharing(statementOf(MI));
}

static Outcome changePrivate(MachineInstr &MI,
                             const RegisterAssignment &Assignment, int By) {
  int Private = int(*privateOf(MI)) + By;
  if (Private < 0 || Private > int(Assignment.numUnits()))
    return Outcome::None;
  return replaceStatement(MI, printSharingPragma(Private));
}

/// 1, 2, 4, … registers fewer.
static unsigned waysToTake(const MachineInstr &MI, const RegisterAssignment &) {
  return unsigned(std::bit_width(privateOf(MI).value_or(0)));
}
static Outcome fewerPrivate(MachineInstr &MI,
                            const RegisterAssignment &Assignment,
                            unsigned Which) {
  return changePrivate(MI, Assignment, -(1 << Which));
}

static unsigned isHeader(const MachineInstr &MI, const RegisterAssignment &) {
  return privateOf(MI).has_value();
}
static Outcome morePrivate(MachineInstr &MI,
                           const RegisterAssignment &Assignment, unsigned) {
  return changePrivate(MI, Assignment, 1);
}

static unsigned waysToSwap(const MachineInstr &MI, const RegisterAssignment &) {
  return privateOf(MI).value_or(0);
}
/// A private register that holds values and the first shared one, if both
/// belong to no group.
static Outcome swapNumbers(MachineInstr &MI,
                           const RegisterAssignment &Assignment, unsigned Own) {
  MachineFunction &MF = *MI.getMF();
  std::vector<unsigned> Granules = registerGranules(MF, Assignment);
  unsigned Shared = std::max(*privateOf(MI), Assignment.reserved());
  std::vector<unsigned> Numbers(Granules.size());
  std::iota(Numbers.begin(), Numbers.end(), 0);
  while (Shared < Granules.size() && Granules[Shared] != 1)
    ++Shared;
  if (Own < Assignment.reserved() || Granules[Own] != 1 ||
      Shared >= Granules.size())
    return Outcome::None;
  std::swap(Numbers[Own], Numbers[Shared]);
  renumberRegisters(MF, Assignment, Numbers);
  return Outcome::Made;
}

static Outcome dropHeader(MachineInstr &MI, const RegisterAssignment &,
                          unsigned) {
  MI.eraseFromParent();
  return Outcome::Made;
}

namespace {

constexpr char NotUsed[] =
    "proved sound: what changes sides is not used after a release";
constexpr OwnChange Changes[] = {
    {"private registers fewer", NotUsed, waysToTake, fewerPrivate},
    {"numbers swapped", NotUsed, waysToSwap, swapNumbers},
    {"a private register more", NotUsed, isHeader, morePrivate},
    {"drop", "proved sound: only kept longer", isHeader, dropHeader}};

/// The size is thousandths that are private, which also decide over the order.
/// There are releases.
class PairsTrial final : public SchemeTrial {
  SettingValues settings(unsigned Size) const override {
    return SettingValues()
        .set(settings::PrivateShare, Size)
        .set(settings::Order, Size / 100 % settings::Order.Choices.size())
        .set(settings::EarlyRelease, true);
  }
  unsigned randomSize(uint64_t Seed) const override {
    return 50 + Seed * 370 % 951;
  }
  std::vector<unsigned> programSizes() const override {
    return {100, 500, 900};
  }
  std::span<const OwnChange> ownChanges() const override { return Changes; }
  bool triesBlockBefore() const override { return true; }
  const char *reasonWithout(StringRef) const override {
    return "proved sound: released already, or only held longer";
  }
};

constexpr PairsTrial Trial;

constexpr TrialFamily::Member Members[] = {{schemes::RegisterSharing, Trial},
                                           {schemes::ScratchpadSharing, Trial}};

} // namespace

extern const TrialFamily SharingTrials;
const TrialFamily SharingTrials = {Members};

} // namespace regshare::mutation
