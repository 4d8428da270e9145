//===- regshare/Transforms/FlowPass.h - Passes of schemes -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the machine passes of schemes have in common: what they ask of LLVM,
/// and where their remarks point.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_FLOWPASS_H
#define REGSHARE_TRANSFORMS_FLOWPASS_H

#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace regshare {

/// A machine pass that looks at how often the code of a function executes, and
/// where its lanes meet.
class FlowPass : public llvm::MachineFunctionPass {
public:
  explicit FlowPass(char &ID) : MachineFunctionPass(ID) {}

  void getAnalysisUsage(llvm::AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<llvm::MachinePostDominatorTreeWrapperPass>();
    AU.addRequired<llvm::MachineBlockFrequencyInfoWrapperPass>();
    AU.addRequired<llvm::MachineBranchProbabilityInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

protected:
  FlowFacts facts() {
    using namespace llvm;
    return {getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree(),
            getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
            getAnalysis<MachineBranchProbabilityInfoWrapperPass>().getMBPI()};
  }
};

/// Whether a host launches \p MF; others are functions that kernels call.
inline bool isKernel(const llvm::MachineFunction &MF) {
  return MF.getFunction().getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// Where remarks about all of \p MF point; nowhere without debug information.
inline llvm::DiagnosticLocation locationOf(const llvm::MachineFunction &MF) {
  const llvm::DISubprogram *SP = MF.getFunction().getSubprogram();
  return SP ? llvm::DiagnosticLocation(SP) : llvm::DiagnosticLocation();
}

/// The pass of a scheme: does something to kernels and keeps what that came to,
/// a \p ResultT, for the report.
template <typename ResultT> class SchemePass : public FlowPass {
public:
  /// Fails where the code cannot be read.
  using Apply = llvm::Expected<ResultT>(llvm::MachineFunction &MF,
                                        const FlowFacts &Facts,
                                        const CompilerOptions &Options);
  /// Emits remarks.
  using Remark = void(llvm::MachineFunction &MF, const ResultT &R);

  /// \p Emit may be null.
  SchemePass(char &ID, llvm::StringRef Name, Apply *Do, Remark *Emit)
      : FlowPass(ID), Name(Name), Do(Do), Emit(Emit) {}

  llvm::StringRef getPassName() const override { return Name; }

  bool runOnMachineFunction(llvm::MachineFunction &MF) override {
    if (!isKernel(MF))
      return false;
    SessionPass &Session = getAnalysis<SessionPass>();
    llvm::Expected<ResultT> R = Do(MF, facts(), Session.options());
    if (!R) {
      reportUnlessFailed(MF.getFunction().getContext(), R.takeError());
      return true;
    }
    if (Emit)
      Emit(MF, *R);
    KernelResult &Result = Session.Results[MF.getName().str()];
    if (std::optional<unsigned> Units = R->renumbered())
      Result.Stats.Units = *Units;
    Result.OfScheme.push_back(std::make_shared<ResultT>(std::move(*R)));
    return true;
  }

private:
  llvm::StringRef Name;
  Apply *Do;
  Remark *Emit;
};

/// "0.7": an expectation, in a remark.
inline std::string decimal(double Number) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.1f", Number);
  return Text;
}

} // namespace regshare

/// Defines llvm::initialize<Class>Pass, which makes \p Class, a FlowPass, known
/// as pass \p Name.
#define REGSHARE_INITIALIZE_FLOW_PASS(Class, Name, Description, IsAnalysis)    \
  namespace llvm {                                                             \
  void initialize##Class##Pass(PassRegistry &);                                \
  }                                                                            \
  INITIALIZE_PASS_BEGIN(Class, Name, Description, false, IsAnalysis)           \
  INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)              \
  INITIALIZE_PASS_DEPENDENCY(MachineBlockFrequencyInfoWrapperPass)             \
  INITIALIZE_PASS_DEPENDENCY(MachineBranchProbabilityInfoWrapperPass)          \
  INITIALIZE_PASS_END(Class, Name, Description, false, IsAnalysis)

#endif // REGSHARE_TRANSFORMS_FLOWPASS_H
