//===- BundleCode.cpp - Machine code in bundles ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/EXPARS/BundleCode.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

/// A statement of ours, or what prints nothing.
static bool isNoInstr(const MachineInstr &MI) {
  return MI.isMetaInstruction() || !statementVerb(MI).empty();
}

static BundleInstr bundleInstr(const MachineInstr &MI,
                               const RegisterAssignment &Assignment,
                               const InstrFacts &Facts) {
  BundleInstr I;
  I.Names = Assignment.named(MI);
  if (Facts.comesLate(MI)) {
    RegEffects E = Assignment.effects(MI);
    I.Late = E.Defs | E.Temps;
  }
  I.Ends = Facts.mayWait(MI);
  return I;
}

static BundleBlock bundleBlock(const MachineBasicBlock &MBB, const Analyses &A,
                               const InstrFacts &Facts) {
  BundleBlock Block;
  Block.MBB = &MBB;
  std::vector<RegSet> Live; // The last instruction's first.
  A.Warp.forEachBackward(MBB, [&](const MachineInstr &, const RegSet &Before,
                                  const RegSet &) { Live.push_back(Before); });
  // A statement that maps temporaries stands right before their block.
  const MachineInstr *Temps = nullptr;
  const MachineInstr *FirstTerminator = nullptr;
  for (const MachineInstr &MI : MBB) {
    if (MI.isDebugInstr())
      continue;
    RegSet Before = Live.back();
    Live.pop_back();
    if (isNoInstr(MI)) {
      Temps = statementVerb(MI) == "temps" ? &MI : nullptr;
      continue;
    }
    BundleInstr I = bundleInstr(MI, A.Assignment, Facts);
    if (FirstTerminator) {
      Block.Instrs.back().Names |= I.Names;
      continue;
    }
    if (MI.isTerminator())
      FirstTerminator = &MI;
    I.Live = Before;
    Block.Instrs.push_back(I);
    Block.Where.push_back(Temps ? Temps : &MI);
    Temps = nullptr;
  }
  return Block;
}

std::vector<BundleBlock> bundleBlocks(const MachineFunction &MF,
                                      const Analyses &A) {
  const InstrFacts &Facts = InstrFacts::get(MF);
  std::vector<BundleBlock> Blocks;
  for (const MachineBasicBlock &MBB : MF)
    Blocks.push_back(bundleBlock(MBB, A, Facts));
  return Blocks;
}

} // namespace regshare
