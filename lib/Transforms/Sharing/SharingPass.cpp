//===- SharingPass.cpp - Pass wrappers of resource sharing ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Transforms/Sharing/Sharing.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace regshare;

static void remark(MachineFunction &MF, const SharingResult &R) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  using NV = DiagnosticInfoOptimizationBase::Argument;
  StringRef Name = R.PrivateRegs ? "RegisterSharing" : "ScratchpadSharing";
  ORE.emit([&] {
    MachineOptimizationRemark M("regshare", Name, locationOf(MF), &MF.front());
    if (R.PrivateRegs)
      M << NV("Private", *R.PrivateRegs) << " of "
        << NV("Registers", R.Registers) << " registers are private, by order "
        << NV("Order", registerOrderName(R.Order).data()) << "; ";
    M << NV("Expected", decimal(R.Before.Expected)) << " of "
      << NV("InstructionsExecuted", decimal(R.InstrsExecuted))
      << " instructions are expected to run before the first that needs what "
         "is shared";
    if (R.Before.Least)
      M << ", " << NV("Least", *R.Before.Least) << " at least";
    M << "; releases: " << NV("Releases", R.Releases);
    return M;
  });
}

namespace {

using ApplySharing = Expected<SharingResult>(MachineFunction &,
                                             const FlowFacts &,
                                             const CompilerOptions &);

/// Of the two schemes; \p Apply does the work.
template <ApplySharing Apply> class SharingPass : public FlowPass {
public:
  static char ID;
  SharingPass() : FlowPass(ID) {}

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!isKernel(MF))
      return false;
    SessionPass &Session = getAnalysis<SessionPass>();
    Expected<SharingResult> R = Apply(MF, facts(), Session.options());
    if (!R) {
      reportUnlessFailed(MF.getFunction().getContext(), R.takeError());
      return true;
    }
    remark(MF, *R);
    KernelResult &Result = Session.Results[MF.getName().str()];
    // Numbers that no operand had are not left out again.
    Result.Stats.Units = R->Registers;
    Result.OfScheme = std::make_shared<SharingResult>(std::move(*R));
    return true;
  }
};

template <ApplySharing Apply> char SharingPass<Apply>::ID = 0;

class RegisterSharingPass : public SharingPass<applyRegisterSharing> {
public:
  StringRef getPassName() const override { return "RegShare register sharing"; }
};

class ScratchpadSharingPass : public SharingPass<applyScratchpadSharing> {
public:
  StringRef getPassName() const override {
    return "RegShare scratchpad sharing";
  }
};

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(RegisterSharingPass, "regshare-register-sharing",
                              "Say which registers a warp has of its own",
                              false)
REGSHARE_INITIALIZE_FLOW_PASS(ScratchpadSharingPass,
                              "regshare-scratchpad-sharing",
                              "Say where a warp is done with its scratchpad",
                              false)

namespace {

class RegisterSharingCompiler final : public SchemeCompiler {
  std::vector<StringRef> passes() const override {
    return {"regshare-register-sharing"};
  }
  void initializePasses(PassRegistry &Registry) const override {
    initializeRegisterSharingPassPass(Registry);
  }
};

class ScratchpadSharingCompiler final : public SchemeCompiler {
  std::vector<StringRef> passes() const override {
    return {"regshare-scratchpad-sharing"};
  }
  void initializePasses(PassRegistry &Registry) const override {
    initializeScratchpadSharingPassPass(Registry);
  }
};

constexpr RegisterSharingCompiler TheRegisterSharingCompiler;
constexpr ScratchpadSharingCompiler TheScratchpadSharingCompiler;
constexpr CompilerFamily::Member Members[] = {
    {schemes::RegisterSharing, TheRegisterSharingCompiler},
    {schemes::ScratchpadSharing, TheScratchpadSharingCompiler}};

} // namespace

namespace regshare {
extern const CompilerFamily SharingCompilers;
const CompilerFamily SharingCompilers = {Members};
} // namespace regshare
