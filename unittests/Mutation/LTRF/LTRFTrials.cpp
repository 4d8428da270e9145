//===- LTRFTrials.cpp - Mistakes in code of LTRF --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/CodeGen/Statements.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

using namespace llvm;

namespace regshare::mutation {

namespace {
struct PrefetchAccess {
  static std::optional<std::vector<unsigned>> read(const MachineInstr &MI) {
    if (statementVerb(MI) != "prefetch")
      return std::nullopt;
    return parsePrefetch(statementOf(MI))->Units;
  }
  static Outcome write(MachineInstr &MI, const std::vector<unsigned> &Units) {
    if (Units.empty())
      return Outcome::None; // Which cannot be said.
    return replaceStatement(
        MI,
        printPrefetchPragma(parsePrefetch(statementOf(MI))->Interval, Units));
  }
};
using PrefetchChanges = VectorChanges<PrefetchAccess>;
} // namespace

/// The registers that the operands of \p MI are, without those that the
/// statement after it marks.
static std::vector<ArchReg>
unmarkedOperands(const MachineInstr &MI, const RegisterAssignment &Assignment) {
  std::vector<ArchReg> Operands;
  if (MI.isMetaInstruction() || MI.isTerminator() || !statementVerb(MI).empty())
    return Operands;
  RegSet Marked;
  auto Next = std::next(MI.getIterator());
  if (Next != MI.getParent()->end() && statementVerb(*Next) == "dead") {
    const std::vector<unsigned> Units = *parseDead(statementOf(*Next));
    for (unsigned Unit : Units)
      Marked.set(Unit);
  }
  Assignment.forEachOperand(
      MI, [](ArchReg) {},
      [&](ArchReg R) {
        if (!R.isPred() && !Marked.contains(R) && !is_contained(Operands, R))
          Operands.push_back(R);
      });
  return Operands;
}

static unsigned waysToMark(const MachineInstr &MI,
                           const RegisterAssignment &Assignment) {
  return unmarkedOperands(MI, Assignment).size();
}

static Outcome markDead(MachineInstr &MI, const RegisterAssignment &Assignment,
                        unsigned Which) {
  ArchReg R = unmarkedOperands(MI, Assignment)[Which];
  std::vector<unsigned> Units;
  for (unsigned Unit = R.Index; Unit != R.Index + R.units(); ++Unit)
    Units.push_back(Unit);
  insertStatement(*MI.getParent(), std::next(MI.getIterator()),
                  printDeadPragma(Units));
  return Outcome::Made;
}

namespace {

constexpr OwnChange WithDead[] = {
    {"mark as dead", "proved sound: nobody reads it before it is written",
     waysToMark, markDead},
    PrefetchChanges::Drop,
    PrefetchChanges::Add};
constexpr std::span WithoutDead = std::span(WithDead).subspan<1>();

/// The size is that of intervals.
class IntervalsTrial final : public SchemeTrial {
public:
  constexpr explicit IntervalsTrial(std::span<const OwnChange> Changes)
      : Changes(Changes) {}

private:
  SettingValues settings(unsigned Size) const override {
    return Size ? SettingValues().set(settings::IntervalRegisters, Size)
                : SettingValues();
  }
  unsigned randomSize(uint64_t Seed) const override { return 4 + Seed % 4 * 4; }
  std::vector<unsigned> programSizes() const override { return {8, 16, 32}; }
  std::span<const OwnChange> ownChanges() const override { return Changes; }
  const char *reasonWithout(StringRef Verb) const override {
    return Verb == "interval" ? "proved sound: what follows names no register"
                              : SchemeTrial::reasonWithout(Verb);
  }

  std::span<const OwnChange> Changes;
};

constexpr IntervalsTrial Plain(WithoutDead), Plus(WithDead);

constexpr TrialFamily::Member Members[] = {{schemes::LTRF, Plain},
                                           {schemes::LTRFPlus, Plus},
                                           {schemes::LTRFStrand, Plain}};

} // namespace

extern const TrialFamily LTRFTrials;
const TrialFamily LTRFTrials = {Members};

} // namespace regshare::mutation
