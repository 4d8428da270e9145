//===- EXPARS.cpp - PREFs of bundles --------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"

#include "EXPARSRenumber.h"
#include "Transforms/Renumber.h"

#include "regshare/Analysis/EXPARS/BundleCode.h"
#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// Registers that no bundle of the code can do without in the register file.
static unsigned keptFor(const std::vector<RegSet> &Together,
                        const BundleRules &Rules) {
  unsigned Kept = Rules.Kept;
  for (const RegSet &Names : Together)
    Kept = std::max(Kept, leastKept(Names, Rules.Cache));
  return Kept;
}

/// More than references of all others together, and exact when added to them.
static constexpr double ReservedWeight = 0x1p60;

/// The registers that are referenced most first.
static Expected<RegisterAssignment> renumber(MachineFunction &MF,
                                             const FlowFacts &Facts,
                                             const CompilerOptions &Options,
                                             EXPARSResult &R) {
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  BundleRules Rules{R.Cache,
                    keptByTau(Assignment->numUnits(),
                              Options.Settings.get<unsigned>(settings::Tau))};
  std::vector<double> Weights = referenceWeights(
      MF, *Assignment,
      Options.Settings.get<bool>(settings::ExpectedWeights) ? &Facts.MBFI
                                                            : nullptr);
  std::vector<unsigned> Granules = registerGranules(MF, *Assignment);
  std::vector<RegSet> Together = namedTogether(MF, *Assignment);
  R.KeptBefore = keptFor(Together, Rules);
  // What hardware keeps for itself stays where it is.
  for (unsigned Unit = 0; Unit != Assignment->reserved(); ++Unit)
    Weights[Unit] = ReservedWeight;
  std::vector<unsigned> Numbers = orderByWeight(Weights, Granules);
  for (unsigned Unit = 0; Unit != Assignment->reserved(); ++Unit)
    Granules[Unit] = MaxArchUnits;
  avoidCollisions(Numbers, Weights, Granules, Together, Rules);
  renumberRegisters(MF, *Assignment, Numbers);
  // Read again: code can have numbers without registers, and lose copies.
  return RegisterAssignment::fromNames(MF);
}

namespace {

/// Writes the PREFs of one function.
class PrefPlacer {
public:
  PrefPlacer(MachineFunction &MF, const MachineBlockFrequencyInfo &MBFI,
             EXPARSResult &R)
      : MF(MF), MBFI(MBFI), Rules{R.Cache, R.Kept}, R(R) {}
  void place(const BundleBlock &Block);

private:
  void pref(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where,
            const RegSet &Units);

  MachineFunction &MF;
  const MachineBlockFrequencyInfo &MBFI;
  BundleRules Rules;
  EXPARSResult &R;
};

} // namespace

void PrefPlacer::pref(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where,
                      const RegSet &Units) {
  std::vector<unsigned> List;
  Units.forEach([&](unsigned Unit) { List.push_back(Unit); });
  insertStatement(MBB, Where, printPrefPragma(List));
  double Frequency = MBFI.getBlockFreqRelativeToEntryBlock(&MBB);
  ++R.Bundles;
  R.EmptyBundles += List.empty();
  R.PrefsExecuted += Frequency;
  R.BitsExecuted += Frequency * List.size();
}

void PrefPlacer::place(const BundleBlock &Block) {
  MachineBasicBlock &MBB = *MF.getBlockNumbered(Block.MBB->getNumber());
  std::vector<unsigned> Starts = cutIntoBundles(Block.Instrs, Rules);
  for (unsigned I = 0; I != Starts.size(); ++I) {
    unsigned End = I + 1 != Starts.size() ? Starts[I + 1] : Block.Instrs.size();
    RegSet Named;
    for (unsigned Instr = Starts[I]; Instr != End; ++Instr)
      Named |= inScratchpad(Block.Instrs[Instr].Names, Rules);
    pref(MBB, Block.Where[Starts[I]]->getIterator().getNonConst(), Named);
  }
}

static void countReferences(const MachineFunction &MF,
                            const RegisterAssignment &Assignment,
                            const MachineBlockFrequencyInfo &MBFI,
                            EXPARSResult &R) {
  std::vector<double> Weights = referenceWeights(MF, Assignment, &MBFI);
  for (unsigned Unit = 0; Unit != Weights.size(); ++Unit) {
    R.References += Weights[Unit];
    if (Unit >= R.Kept)
      R.ScratchpadReferences += Weights[Unit];
  }
}

Expected<EXPARSResult> applyEXPARS(MachineFunction &MF, const FlowFacts &Facts,
                                   const CompilerOptions &Options) {
  EXPARSResult R;
  R.Cache.Bytes = Options.Settings.get<unsigned>(settings::OperandCacheBytes);
  eraseStatements(MF, schemeVerbs());
  Expected<RegisterAssignment> Assignment = renumber(MF, Facts, Options, R);
  if (!Assignment)
    return Assignment.takeError();
  R.Registers = Assignment->numUnits();
  R.KeptByTau =
      keptByTau(R.Registers, Options.Settings.get<unsigned>(settings::Tau));
  R.Kept = keptFor(namedTogether(MF, *Assignment), {R.Cache, R.KeptByTau});
  Analyses A(MF, std::move(*Assignment), Facts.PDT);
  std::vector<BundleBlock> Blocks = bundleBlocks(MF, A);
  countReferences(MF, A.Assignment, Facts.MBFI, R);
  PrefPlacer Placer(MF, Facts.MBFI, R);
  for (const BundleBlock &Block : Blocks)
    Placer.place(Block);
  MachineBasicBlock &Entry = MF.front();
  insertStatement(Entry, Entry.SkipPHIsAndLabels(Entry.begin()),
                  printBundlesPragma({R.Cache, R.Kept}));
  static_cast<CodeGrowth &>(R) = codeGrowth(MF, Facts.MBFI, R.Bundles);
  return R;
}

} // namespace regshare
