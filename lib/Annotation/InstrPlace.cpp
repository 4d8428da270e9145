//===- InstrPlace.cpp - Where a mistake is --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstrPlace.h"

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

std::string atInstr(const std::string &What, const MachineInstr &MI) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "bb." << MI.getParent()->getNumber() << ": " << What << ", at: ";
  std::string Instr;
  raw_string_ostream IS(Instr);
  MI.print(IS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  OS << StringRef(Instr).trim();
  return Text;
}

} // namespace regshare
