//===- SHRF.cpp - A register cache that code manages ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include "SHRFAllocate.h"

#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

namespace {

/// SHRF on one function.
class SHRFTransform {
public:
  SHRFTransform(MachineFunction &MF, const Analyses &A, const StrandCode &Code,
                const MachineBlockFrequencyInfo &MBFI, unsigned Slots)
      : MF(MF), A(A), Code(Code), MBFI(MBFI) {
    R.Slots = Slots;
    R.Strands = Code.strands().size();
  }
  SHRFResult run();

private:
  void allocate(const Strand &S);
  void count(const CachedValue &V, const std::vector<double> &Frequency);
  void note(const CachedValue &V, ArrayRef<const MachineInstr *> Instrs);
  void countAccesses(const MachineInstr &MI, double Frequency);
  void write();

  MachineFunction &MF;
  const Analyses &A;
  const StrandCode &Code;
  const MachineBlockFrequencyInfo &MBFI;
  DenseMap<const MachineInstr *, OperandPlaces> Places;
  SHRFResult R;
};

} // namespace

/// One register that stands in several operands is one access.
void SHRFTransform::countAccesses(const MachineInstr &MI, double Frequency) {
  if (MI.isMetaInstruction())
    return;
  R.InstrsExecuted += Frequency;
  RegEffects E = A.Assignment.effects(MI);
  R.MainReads += E.Uses.countUnits() * Frequency;
  R.MainWrites += E.Defs.countUnits() * Frequency;
}

void SHRFTransform::count(const CachedValue &V,
                          const std::vector<double> &Frequency) {
  double Reads = 0;
  for (unsigned Read : V.Reads)
    Reads += Frequency[Read];
  R.Saved += savedBy(V, Frequency);
  R.CacheReads += Reads;
  R.MainReads -= Reads;
  R.CacheWrites += Frequency[V.Begin];
  if (V.IsResult && !V.NeedsMain)
    R.MainWrites -= Frequency[V.Begin];
  ++(!V.IsResult ? R.Fetched : V.NeedsMain ? R.Both : R.Alone);
}

void SHRFTransform::note(const CachedValue &V,
                         ArrayRef<const MachineInstr *> Instrs) {
  CachePlace Place{V.Unit, *V.Slot};
  OperandPlaces &First = Places[Instrs[V.Begin]];
  (!V.IsResult   ? First.Fetch
   : V.NeedsMain ? First.Both
                 : First.Cache)
      .push_back(Place);
  for (unsigned Read : V.Reads)
    Places[Instrs[Read]].Read.push_back(Place);
}

void SHRFTransform::allocate(const Strand &S) {
  std::vector<const MachineInstr *> Instrs;
  std::vector<double> Frequency;
  for (const StrandPiece &P : S.Pieces)
    for (const MachineInstr *MI : P.Instrs) {
      Instrs.push_back(MI);
      Frequency.push_back(MBFI.getBlockFreqRelativeToEntryBlock(P.MBB));
      countAccesses(*MI, Frequency.back());
    }
  std::vector<CachedValue> Values = valuesOf(S, Code, A);
  allocateSlots(Values, R.Slots, Frequency);
  for (const CachedValue &V : Values)
    if (V.Slot) {
      note(V, Instrs);
      count(V, Frequency);
    }
}

/// Where a statement goes that is to stand before \p MI: nothing comes between
/// a statement that maps temporaries and their block.
static MachineBasicBlock::iterator placeBefore(MachineInstr &MI) {
  MachineBasicBlock::iterator Where = MI.getIterator();
  for (auto Before = Where; Before != MI.getParent()->begin();) {
    --Before;
    if (statementVerb(*Before) == "temps")
      return Before;
    if (!Before->isMetaInstruction())
      break;
  }
  return Where;
}

/// Where the statement goes that begins \p S, in \p MBB.
static MachineBasicBlock::iterator beginOf(const Strand &S,
                                           MachineBasicBlock &MBB) {
  const StrandPiece &Head = S.Pieces.front();
  if (Head.Instrs.empty() || Head.Instrs.front()->isTerminator())
    return firstTerminator(MBB);
  return placeBefore(const_cast<MachineInstr &>(*Head.Instrs.front()));
}

void SHRFTransform::write() {
  for (const Strand &S : Code.strands()) {
    MachineBasicBlock &MBB =
        *MF.getBlockNumbered(S.Pieces.front().MBB->getNumber());
    insertStatement(MBB, beginOf(S, MBB), printStrandPragma());
  }
  for (auto &[MI, P] : Places) {
    for (const OperandPlacesField &F : OperandPlacesFields)
      llvm::sort(P.*F.Places, [](const CachePlace &A, const CachePlace &B) {
        return A.Unit < B.Unit;
      });
    insertStatement(*MF.getBlockNumbered(MI->getParent()->getNumber()),
                    MI->getIterator().getNonConst(), printOperandsPragma(P));
  }
  MachineBasicBlock &Entry = MF.front();
  insertStatement(Entry, Entry.SkipPHIsAndLabels(Entry.begin()),
                  printCachePragma(R.Slots));
}

SHRFResult SHRFTransform::run() {
  for (const Strand &S : Code.strands())
    allocate(S);
  write();
  return R;
}

Expected<SHRFResult> applySHRF(MachineFunction &MF, const FlowFacts &Facts,
                               const CompilerOptions &Options) {
  eraseOldStatements(MF, Options.Scheme, schemes::SHRF);
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  Analyses A(MF, std::move(*Assignment), Facts.PDT);
  StrandCode Code(MF, A);
  unsigned Slots =
      std::min(Options.Settings.get<unsigned>(settings::IntervalRegisters),
               MaxArchUnits);
  return SHRFTransform(MF, A, Code, Facts.MBFI, Slots).run();
}

} // namespace regshare
