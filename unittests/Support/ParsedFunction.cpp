//===- ParsedFunction.cpp - A machine function from text -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParsedFunction.h"

#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regshare::test {

static const TargetMachine &targetMachine() {
  static const std::unique_ptr<TargetMachine> TM = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    Triple T("nvptx64-nvidia-cuda");
    std::string Error;
    const Target *Target = TargetRegistry::lookupTarget(T, Error);
    if (!Target)
      report_fatal_error(StringRef(Error));
    return std::unique_ptr<TargetMachine>(Target->createTargetMachine(
        T, "sm_75", "+ptx88", TargetOptions(), std::nullopt));
  }();
  return *TM;
}

ParsedFunction::ParsedFunction(StringRef Body) {
  std::string Text = "--- |\n"
                     "  target triple = \"nvptx64-nvidia-cuda\"\n"
                     "  define ptx_kernel void @k() {\n    ret void\n  }\n"
                     "...\n---\nname: k\ntracksRegLiveness: true\n"
                     "body: |\n" +
                     Body.str() + "\n...\n";
  std::unique_ptr<MIRParser> Parser = createMIRParser(
      MemoryBuffer::getMemBufferCopy(Text, "test.mir"), Context);
  const TargetMachine &TM = targetMachine();
  if (Parser)
    M = Parser->parseIRModule();
  if (!M)
    report_fatal_error("the test's MIR does not parse");
  M->setDataLayout(TM.createDataLayout());
  MMI = std::make_unique<MachineModuleInfo>(&TM);
  if (Parser->parseMachineFunctions(*M, *MMI))
    report_fatal_error(StringRef("the test's MIR does not parse:\n" + Text));
  MF = MMI->getMachineFunction(*M->getFunction("k"));
  PDT.recalculate(*MF);
}

const MachineInstr &ParsedFunction::instr(unsigned Number,
                                          unsigned Index) const {
  return *std::next(block(Number).begin(), Index);
}

} // namespace regshare::test
