//===- VerifySetmaxnreg.cpp - The rules of setmaxnreg -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Setmaxnreg/RegisterCounts.h"
#include "regshare/Annotation/Setmaxnreg/SetmaxnregRules.h"
#include "regshare/Annotation/VerifierRun.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// Units from \p Begin up to \p End.
static RegSet unitsBetween(unsigned Begin, unsigned End) {
  RegSet Units;
  for (unsigned U = Begin; U < std::min(End, MaxArchUnits + 1); ++U)
    Units.set(U);
  return Units;
}

namespace {

class CountVerifier {
public:
  CountVerifier(VerifierRun &Run, LaunchRegisters Launch)
      : Run(Run), Launch(Launch), Counts(Run.MF, Launch) {}

  void run();

private:
  void visit(const MachineInstr &MI, const CountSet &Before);
  void checkUse(const MachineInstr &MI, unsigned Count);
  void checkPool();
  void pass(const MachineInstr &MI, RegSet &Lost) const;
  void checkReads();

  VerifierRun &Run;
  const LaunchRegisters Launch;
  RegisterCounts Counts;
  GivenBack Given;
  SmallVector<std::pair<const MachineInstr *, unsigned>, 4> Increases;
  unsigned Fewest = register_count::Most; ///< That a warp can come to have.
};

} // namespace

void CountVerifier::checkUse(const MachineInstr &MI, unsigned Count) {
  RegSet Named =
      Run.Assignment.named(MI) & unitsBetween(Count, MaxArchUnits + 1);
  if (!Named.empty())
    Run.report(rules::BelowCount, MI, Named,
               "names " + Named.str() +
                   " where a thread may have no more than " +
                   std::to_string(Count) + " registers, R0 to R" +
                   std::to_string(Count - 1));
}

void CountVerifier::visit(const MachineInstr &MI, const CountSet &Before) {
  Fewest = std::min(Fewest, Before.least());
  std::optional<CountChange> Change = countChangeOf(MI);
  if (!Change)
    return checkUse(MI, Before.least());
  if (std::string Why = whyNoCount(Change->Count); !Why.empty())
    return Run.report(rules::CountReachable, MI, {},
                      printChange(*Change) + ": " + Why);
  Before.forEach([&](unsigned Count) {
    if (std::string Why = whyNoChange(*Change, Count); !Why.empty())
      Run.report(rules::CountReachable, MI, {}, Why);
  });
  Given[&MI] = Change->Increases
                   ? unitsBetween(Before.least(), Change->Count)
                   : unitsBetween(Change->Count, MaxArchUnits + 1);
  Fewest = std::min(Fewest, Change->Count);
  if (Change->Increases)
    Increases.emplace_back(&MI, Change->Count);
}

/// The pool at its fullest: all other warps have as few as any ever has.
void CountVerifier::checkPool() {
  unsigned Warps = Run.Options.Resources.ThreadsPerCTA / 32;
  if (!Warps)
    return;
  unsigned Pool = Warps * Launch.PerThread;
  unsigned OfOthers = (Warps - WarpsOfGroup) * Fewest;
  for (auto [MI, Count] : Increases)
    if (WarpsOfGroup * Count + OfOthers > Pool)
      Run.report(
          rules::PoolSuffices, *MI, {},
          "waits for ever: " + std::to_string(WarpsOfGroup) + " warps with " +
              std::to_string(Count) + " registers a thread and " +
              std::to_string(Warps - WarpsOfGroup) +
              " with the fewest that any has, " + std::to_string(Fewest) +
              ", need " + std::to_string(WarpsOfGroup * Count + OfOthers) +
              " rows, the CTA's pool has " + std::to_string(Pool));
}

/// What of \p Lost is lost after \p MI as well, and what it loses.
void CountVerifier::pass(const MachineInstr &MI, RegSet &Lost) const {
  RegEffects E = Run.Assignment.effects(MI);
  Lost -= E.Defs | E.Temps;
  if (auto It = Given.find(&MI); It != Given.end())
    Lost |= It->second;
}

/// All threads of a warp change its count together, so that none loses what
/// another gives up: what a thread has lost depends on its own path alone.
void CountVerifier::checkReads() {
  std::vector<RegSet> In(Run.MF.getNumBlockIDs());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock &MBB : Run.MF) {
      RegSet Lost = In[unsigned(MBB.getNumber())];
      for (const MachineInstr &MI : MBB)
        pass(MI, Lost);
      for (const MachineBasicBlock *Succ : MBB.successors()) {
        RegSet &Into = In[unsigned(Succ->getNumber())];
        Changed |= !(Lost - Into).empty();
        Into |= Lost;
      }
    }
  }
  for (const MachineBasicBlock &MBB : Run.MF) {
    RegSet Lost = In[unsigned(MBB.getNumber())];
    for (const MachineInstr &MI : MBB) {
      if (RegSet Bad = Run.Assignment.effects(MI).Uses & Lost; !Bad.empty())
        Run.report(rules::LostByCount, MI, Bad,
                   "reads " + Bad.str() +
                       ", which setmaxnreg has given up or got since it was "
                       "written: expected a write first");
      pass(MI, Lost);
    }
  }
}

void CountVerifier::run() {
  for (const MachineBasicBlock &MBB : Run.MF) {
    CountSet Now = Counts.atEntry(MBB);
    if (Now.isEmpty())
      continue;
    for (const MachineInstr &MI : MBB) {
      if (!MI.isDebugInstr())
        visit(MI, Now);
      Now = RegisterCounts::after(MI, Now);
    }
  }
  checkPool();
  checkReads();
}

namespace {

class PoolRules final : public SchemeRules {
  Refusal refusalOf(const Statement &, const SchemeFacts &) const override {
    return {rules::CountAtLaunch};
  }
  void verify(VerifierRun &Run) const override {
    if (const auto *Launch = Run.Facts.get<LaunchRegisters>())
      return CountVerifier(Run, *Launch).run();
    for (const MachineBasicBlock &MBB : Run.MF)
      for (const MachineInstr &MI : MBB)
        if (std::optional<CountChange> Change = countChangeOf(MI))
          return Run.report(rules::CountAtLaunch, MI, {},
                            printChange(*Change) +
                                ", which hardware ignores: nothing says how "
                                "many registers a thread starts with "
                                "(regshare.pool, from .maxnreg)");
  }
};

constexpr PoolRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::Setmaxnreg, Rules}};

} // namespace

extern const RulesFamily SetmaxnregRules;
const RulesFamily SetmaxnregRules = {Members};

} // namespace regshare
