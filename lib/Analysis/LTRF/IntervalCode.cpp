//===- IntervalCode.cpp - Machine code to divide --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/LTRF/IntervalCode.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

static void addUnits(SmallVectorImpl<uint8_t> &Units, ArchReg R) {
  if (!R.isValid())
    return;
  for (unsigned I = 0; I != R.units(); ++I)
    Units.push_back(R.Index + I);
}

/// The units that the PTX of \p MI names.
static void namedUnits(const MachineInstr &MI,
                       const RegisterAssignment &Assignment,
                       SmallVectorImpl<uint8_t> &Units) {
  if (MI.isMetaInstruction() || isFolded(MI))
    return;
  for (const MachineInstr *Part : groupOf(MI))
    for (const MachineOperand &MO : Part->operands())
      if (MO.isReg() && MO.getReg().isVirtual())
        addUnits(Units, Assignment.lookup(MO.getReg()));
  for (ArchReg Temp : Assignment.temps(MI))
    addUnits(Units, Temp);
}

static InstrRole roleOf(const MachineInstr &MI, const InstrFacts &Facts) {
  if (MI.isCall())
    return InstrRole::Call;
  return Facts.isLongLatency(MI) ? InstrRole::LongLatency : InstrRole::Plain;
}

void IntervalCode::addBlock(const MachineBasicBlock &MBB,
                            const RegisterAssignment &Assignment,
                            const WarpLiveness &Warp) {
  const InstrFacts &Facts = InstrFacts::get(*MBB.getParent());
  SmallVector<std::pair<const MachineInstr *, unsigned>, 32> Live;
  Warp.forEachBackward(
      MBB, [&](const MachineInstr &MI, const RegSet &Before, const RegSet &) {
        Live.emplace_back(&MI, Before.countUnits());
      });
  SmallVector<uint8_t, 16> Units;
  // A statement that maps temporaries stands right before their block.
  const MachineInstr *TempsStatement = nullptr;
  const MachineInstr *FirstTerminator = nullptr;
  unsigned LiveAtTerminators = 0;
  for (const MachineInstr &MI : MBB) {
    unsigned LiveBefore = 0;
    if (!Live.empty() && Live.back().first == &MI)
      LiveBefore = Live.pop_back_val().second;
    if (StringRef Verb = statementVerb(MI); !Verb.empty()) {
      TempsStatement = Verb == "temps" ? &MI : nullptr;
      continue;
    }
    if (MI.isMetaInstruction())
      continue;
    if (MI.isTerminator() && !FirstTerminator) {
      FirstTerminator = &MI;
      LiveAtTerminators = LiveBefore;
    }
    namedUnits(MI, Assignment, Units);
    if (FirstTerminator)
      continue;
    Graph.addInstr(Units, roleOf(MI, Facts), LiveBefore);
    Instrs.push_back(TempsStatement ? TempsStatement : &MI);
    Units.clear();
    TempsStatement = nullptr;
  }
  if (!FirstTerminator)
    return;
  Graph.addInstr(Units, InstrRole::Plain, LiveAtTerminators);
  Instrs.push_back(FirstTerminator);
}

IntervalCode::IntervalCode(const MachineFunction &MF,
                           const RegisterAssignment &Assignment,
                           const WarpLiveness &Warp,
                           const MachineBlockFrequencyInfo &MBFI,
                           const MachineBranchProbabilityInfo &MBPI) {
  std::vector<unsigned> Number(MF.getNumBlockIDs());
  for (const MachineBasicBlock &MBB : MF) {
    Number[MBB.getNumber()] =
        Graph.addBlock(MBFI.getBlockFreqRelativeToEntryBlock(&MBB));
    Blocks.push_back(&MBB);
    addBlock(MBB, Assignment, Warp);
  }
  for (const MachineBasicBlock &MBB : MF)
    for (auto *S = MBB.succ_begin(); S != MBB.succ_end(); ++S) {
      BranchProbability P = MBPI.getEdgeProbability(&MBB, S);
      unsigned From = Number[MBB.getNumber()];
      Graph.addEdge(From, Number[(*S)->getNumber()],
                    Graph.frequency(From) * P.getNumerator() /
                        P.getDenominator());
    }
}

static void printPart(raw_ostream &OS, const IntervalCode &Code,
                      const BlockPart &Part) {
  unsigned Base = Code.graph().blockBegin(Part.Block);
  OS << " bb." << Code.block(Part.Block).getNumber();
  bool IsWhole =
      Part.Begin == Base && Part.End == Code.graph().blockEnd(Part.Block);
  if (!IsWhole)
    OS << '[' << Part.Begin - Base << '-' << Part.End - Base - 1 << ']';
}

void printIntervals(raw_ostream &OS, const IntervalCode &Code,
                    const IntervalPartition &P) {
  std::vector<std::vector<const BlockPart *>> Parts(P.Intervals.size());
  std::vector<unsigned> Sizes(P.Intervals.size());
  for (const BlockPart &Part : P.Parts) {
    Parts[Part.Interval].push_back(&Part);
    Sizes[Part.Interval] += Part.End - Part.Begin;
  }
  for (unsigned I = 0; I != P.Intervals.size(); ++I) {
    const RegSet &Regs = P.Intervals[I].Regs;
    OS << "  " << I << ": " << Sizes[I] << " instructions, "
       << Regs.countUnits() << " registers {" << Regs.str() << "}";
    for (const BlockPart *Part : Parts[I])
      printPart(OS, Code, *Part);
    OS << "\n";
  }
  PrefetchCost Cost = prefetchCost(Code.graph(), P);
  OS << format("  %u prefetches, %.2f expected for each warp, of %.2f "
               "registers\n",
               Cost.Prefetches, Cost.Executed, Cost.Fetched);
}

} // namespace regshare
