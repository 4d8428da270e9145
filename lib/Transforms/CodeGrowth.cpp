//===- CodeGrowth.cpp - What vectors add ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/CodeGrowth.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

CodeFormat codeFormat(unsigned Target) {
  return {Target < 70 ? 8u : 16u, Target < 30 ? 64u : 256u};
}

uint64_t vectorBytes(VectorEncoding Encoding, unsigned Vectors,
                     const CodeFormat &Format) {
  unsigned Each = Format.VectorBits / 8;
  if (Encoding == VectorEncoding::Instruction)
    Each += Format.InstructionBytes;
  return uint64_t(Vectors) * Each;
}

/// 75 of "sm_75" and "sm_90a".
static unsigned targetNumber(const MachineFunction &MF) {
  StringRef CPU = MF.getTarget().getTargetCPU();
  unsigned Number = 0;
  CPU.consume_front("sm_");
  CPU.consumeInteger(10, Number);
  return Number;
}

CodeGrowth codeGrowth(const MachineFunction &MF,
                      const MachineBlockFrequencyInfo &MBFI, unsigned Vectors) {
  CodeGrowth G;
  for (const MachineBasicBlock &MBB : MF) {
    unsigned Here = llvm::count_if(MBB, [](const MachineInstr &MI) {
      return !MI.isMetaInstruction() && statementVerb(MI).empty();
    });
    G.Instrs += Here;
    G.InstrsExecuted += Here * MBFI.getBlockFreqRelativeToEntryBlock(&MBB);
  }
  CodeFormat Format = codeFormat(targetNumber(MF));
  G.CodeBytes = uint64_t(G.Instrs) * Format.InstructionBytes;
  G.EmbeddedBytes = vectorBytes(VectorEncoding::EmbeddedBit, Vectors, Format);
  G.ExplicitBytes = vectorBytes(VectorEncoding::Instruction, Vectors, Format);
  return G;
}

} // namespace regshare
