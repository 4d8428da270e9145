//===- AnnotatePTX.cpp - Write annotations into the code ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/AnnotatePTX.h"

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/Pressure.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/SharedMemory.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/IssueSlots.h"
#include "regshare/Transforms/Passes.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

static StringRef ptxPrefix(RegKind Kind) {
  switch (Kind) {
  case RegKind::Pred:
    return "%p";
  case RegKind::B16:
    return "%rs";
  case RegKind::B32:
    return "%r";
  case RegKind::B64:
    return "%rd";
  case RegKind::B128:
    return "%rq";
  }
  llvm_unreachable("covered switch");
}

std::vector<std::string> ptxRegisterNames(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  unsigned Count[5] = {};
  std::vector<std::string> Names(MRI.getNumVirtRegs());
  for (unsigned I = 0; I != Names.size(); ++I) {
    const TargetRegisterClass *RC =
        MRI.getRegClassOrNull(Register::index2VirtReg(I));
    std::optional<RegKind> Kind = RC ? kindOf(*RC, TRI) : std::nullopt;
    if (Kind)
      Names[I] = (ptxPrefix(*Kind) + Twine(++Count[unsigned(*Kind)])).str();
  }
  return Names;
}

} // namespace regshare

using namespace regshare;

namespace {
class AnnotatePass : public MachineFunctionPass {
public:
  static char ID;
  AnnotatePass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare annotate PTX"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

/// Puts \p VReg into \p Map, under \p Name.
static void placeRegister(const MachineRegisterInfo &MRI,
                          const RegisterAssignment &Assignment, Register VReg,
                          const std::string &Name, RegisterMap &Map) {
  if (ArchReg R = Assignment.lookup(VReg); R.isValid())
    Map.Entries.emplace_back(Name, R);
  else if (NativePlace Place = nativePlace(MRI, VReg);
           Place == NativePlace::Constant)
    Map.Constants.push_back(Name);
  else if (Place == NativePlace::Folded)
    Map.Folded.push_back(Name);
  else if (Place == NativePlace::Uniform)
    if (std::optional<unsigned> Unit = uniformUnit(MRI.getVRegName(VReg).str()))
      Map.Uniform.emplace_back(Name, *Unit);
}

/// The statements of \p MF: its descriptor, then its map.
static std::vector<std::string>
annotationsOf(const MachineFunction &MF, const Analyses &A, StringRef Scheme) {
  const RegisterAssignment &Assignment = A.Assignment;
  KernelDescriptor K;
  K.Kernel = MF.getName().str();
  K.Scheme = Scheme.str();
  K.Target = MF.getTarget().getTargetCPU().str();
  K.Regs = Assignment.numUnits();
  K.Preds = Assignment.numPreds();
  K.Peak = measurePressure(MF, A.Warp).Peak.Warp.Units;
  K.SharedBytes = sharedMemory(MF.getFunction()).StaticBytes;
  K.LocalBytes = MF.getFrameInfo().getStackSize();
  RegisterMap Map;
  std::vector<std::string> Names = ptxRegisterNames(MF);
  for (unsigned I = 0; I != Names.size(); ++I)
    placeRegister(MF.getRegInfo(), Assignment, Register::index2VirtReg(I),
                  Names[I], Map);
  std::vector<std::string> Pragmas = printPragmas(K, Map);
  return Pragmas;
}

/// Code that went through MIR may bring those it was given before; the new ones
/// replace them. What a scheme's passes wrote means nothing under a scheme that
/// has none.
static void dropAnnotations(MachineFunction &MF, StringRef Name) {
  eraseStatements(MF, {"kernel", "map", "native", "issue"});
  if (Result<Scheme> S = parseScheme(Name.str());
      S && !!(*S)->Statements.empty())
    eraseStatements(MF, schemeVerbs());
}

bool AnnotatePass::runOnMachineFunction(MachineFunction &MF) {
  if (MF.getFunction().getCallingConv() != CallingConv::PTX_Kernel)
    return false;
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment) {
    reportUnlessFailed(MF.getFunction().getContext(), Assignment.takeError());
    return false;
  }
  const std::string &Asked = getAnalysis<SessionPass>().options().Scheme;
  // Of a composition, whose parts may be named in either order, the one name.
  Result<regshare::Scheme> Parsed = parseScheme(Asked);
  const std::string Scheme(Parsed ? Parsed->name() : Asked);
  dropAnnotations(MF, Scheme);
  MachineBasicBlock &Entry = MF.front();
  auto Where = Entry.begin();
  Analyses A(
      MF, std::move(*Assignment),
      getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
  std::vector<std::string> Pragmas = annotationsOf(MF, A, Scheme);
  if (isNative(MF)) {
    NativeCosts Costs(MF);
    Costs.noteBranches(MF, A.Meetings, A.Divergence);
    Pragmas.insert(Pragmas.begin() + 1,
                   printNativePragma({Costs.count(MF), reservedUnits(MF)}));
    Costs.annotate(MF);
  }
  for (const std::string &Pragma : Pragmas)
    insertStatement(Entry, Where, Pragma);
  return true;
}

char AnnotatePass::ID = 0;
INITIALIZE_PASS_BEGIN(AnnotatePass, "regshare-annotate",
                      "Write descriptor and register map as statements", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(AnnotatePass, "regshare-annotate",
                    "Write descriptor and register map as statements", false,
                    false)
