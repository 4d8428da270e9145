//===- Pipeline.cpp - From an input to its output -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/Pipeline.h"

#include "ValueNames.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Pipeline/ReportCollector.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/Passes.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MIRPrinter.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCContext.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"

#include <regex>

using namespace llvm;

namespace regshare {

std::vector<std::string> passesForScheme(StringRef Scheme, OutputKind Output,
                                         CodeForm Code) {
  std::vector<std::string> Passes = schemePasses(Scheme, Code);
  // The register map speaks of the PTX's own register numbers: it is written
  // last, and has no meaning in MIR.
  if (Output != OutputKind::PTX)
    Passes.pop_back();
  return Passes;
}

Expected<std::vector<std::string>> parsePassNames(StringRef Pipeline) {
  std::vector<std::string> Names;
  for (StringRef Name : llvm::split(Pipeline, ',')) {
    const PassInfo *Info = PassRegistry::getPassRegistry()->getPassInfo(Name);
    if (!Info || !Info->getNormalCtor())
      return createStringError("unknown pass '" + Name +
                               "'; --list-passes lists RegShare's own");
    Names.push_back(Name.str());
  }
  return Names;
}

/// Machine code from outside has to be late, and where it is architected, so in
/// a way that hardware can run. The MIR parser has verified it otherwise.
static Error checkMachineFunctions(const Module &M,
                                   const MachineModuleInfo &MMI) {
  for (const Function &F : M) {
    const MachineFunction *MF = MMI.getMachineFunction(F);
    if (!MF)
      continue;
    for (const MachineBasicBlock &MBB : *MF)
      if (!MBB.phis().empty())
        return createStringError(
            MF->getName() +
            ": has PHIs; RegShare takes machine code from the end of code "
            "generation (llc -stop-after=block-placement)");
    if (!hasArchitectedNames(*MF))
      continue;
    Expected<RegisterAssignment> Named = RegisterAssignment::fromNames(*MF);
    if (!Named)
      return Named.takeError();
    if (Error E = checkVectorGroups(*MF, *Named))
      return E;
  }
  return Error::success();
}

/// LLVM prints no class where inline PTX defines a register, and cannot read it
/// again if nothing else defines it; an architected register's name tells.
static void printWithClasses(StringRef MIR, raw_ostream &OS) {
  static const std::regex Defined(
      "(def (?:dead )?(?:early-clobber )?%([PHR])\\d+((?:_\\d+)*))(?![\\w:])");
  while (!MIR.empty()) {
    StringRef Line = MIR.take_front(MIR.find('\n') + 1);
    if (Line.empty())
      Line = MIR;
    MIR = MIR.drop_front(Line.size());
    if (!Line.contains("INLINEASM")) {
      OS << Line;
      continue;
    }
    const char *At = Line.begin();
    for (std::cregex_iterator I(Line.begin(), Line.end(), Defined), E; I != E;
         ++I) {
      OS << StringRef(At, (*I)[0].second - At);
      At = (*I)[0].second;
      char File = *(*I)[2].first;
      size_t More = std::count((*I)[3].first, (*I)[3].second, '_');
      OS << (File == 'P'   ? ":b1"
             : File == 'H' ? ":b16"
             : More == 0   ? ":b32"
             : More == 1   ? ":b64"
                           : ":b128");
    }
    OS << StringRef(At, Line.end() - At);
  }
}

static void addPasses(legacy::PassManager &PM, ArrayRef<std::string> Passes) {
  for (const std::string &Name : Passes)
    PM.add(PassRegistry::getPassRegistry()->getPassInfo(Name)->createPass());
}

/// The same with a report on what comes of them, unless \p Reports is null.
static void addPasses(legacy::PassManager &PM, ArrayRef<std::string> Passes,
                      std::vector<KernelReport> *Reports,
                      const ValueNames::RegisterNames &Registers) {
  if (!Reports)
    return addPasses(PM, Passes);
  // Folding keeps what debug information says of a place; what comes after it
  // moves code, and gives registers to other values.
  size_t First = !Passes.empty() && Passes.front() == "regshare-fold";
  auto Names = std::make_shared<ValueNames>(Registers);
  addPasses(PM, Passes.take_front(First));
  PM.add(createNoteNamesPass(Names));
  addPasses(PM, Passes.drop_front(First));
  PM.add(createCollectReportPass(*Reports, Names));
}

Error runPipeline(LoadedInput &Input, SessionPass *Session,
                  ArrayRef<std::string> Passes, OutputKind Output,
                  raw_pwrite_stream &OS, std::vector<KernelReport> *Reports) {
  legacy::PassManager PM;
  TargetMachine &TM = *Input.TM;
  auto *MMIWP = new MachineModuleInfoWrapperPass(&TM);
  TargetPassConfig *Config = TM.createPassConfig(PM);
  Config->setDisableVerify(true);
  PM.add(Config);
  PM.add(MMIWP);
  PM.add(Session);
  if (Input.Kind != InputKind::IR) {
    if (Error E = Input.parseMachineFunctions(MMIWP->getMMI()))
      return E;
    if (Error E = checkMachineFunctions(*Input.M, MMIWP->getMMI()))
      return E;
  } else {
    Config->insertPass(&FinalizeISelID, &ParameterCopiesID);
    if (Config->addISelPasses())
      return createStringError("LLVM cannot select instructions for " +
                               TM.getTargetTriple().str());
    Config->addMachinePasses();
  }
  Config->setInitialized();
  // The asm printer does this for itself; without one, somebody has to.
  if (Output != OutputKind::PTX)
    TM.getObjFileLowering()->Initialize(MMIWP->getMMI().getContext(), TM);
  // A report is on the code without the register map, which the last pass of
  // those for PTX writes.
  bool HasMap = Output == OutputKind::PTX && !Passes.empty();
  ArrayRef<std::string> Before = HasMap ? Passes.drop_back() : Passes;
  addPasses(PM, Before, Reports, Input.RegisterNames);
  addPasses(PM, Passes.drop_front(Before.size()));
  SmallString<0> MIR;
  raw_svector_ostream MIRStream(MIR);
  switch (Output) {
  case OutputKind::None:
    break;
  case OutputKind::MIR:
    PM.add(createPrintMIRPass(MIRStream));
    break;
  case OutputKind::PTX:
    if (TM.addAsmPrinter(PM, OS, nullptr, CodeGenFileType::AssemblyFile,
                         MMIWP->getMMI().getContext()))
      return createStringError("LLVM cannot print PTX");
    break;
  }
  PM.add(createFreeMachineFunctionPass());
  PM.run(*Input.M);
  printWithClasses(MIR, OS);
  return Input.Diagnostics->take();
}

} // namespace regshare
