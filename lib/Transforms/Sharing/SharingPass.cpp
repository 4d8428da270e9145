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
        << NV("Order", settings::Order.print(int64_t(R.Order))) << "; ";
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

class RegisterSharingPass : public SchemePass<SharingResult> {
public:
  static char ID;
  RegisterSharingPass()
      : SchemePass(ID, "RegShare register sharing", applyRegisterSharing,
                   remark) {}
};

class ScratchpadSharingPass : public SchemePass<SharingResult> {
public:
  static char ID;
  ScratchpadSharingPass()
      : SchemePass(ID, "RegShare scratchpad sharing", applyScratchpadSharing,
                   remark) {}
};

char RegisterSharingPass::ID = 0;
char ScratchpadSharingPass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(RegisterSharingPass, "regshare-register-sharing",
                              "Say which registers a warp has of its own",
                              false)
REGSHARE_INITIALIZE_FLOW_PASS(ScratchpadSharingPass,
                              "regshare-scratchpad-sharing",
                              "Say where a warp is done with its scratchpad",
                              false)

namespace {

constexpr StringRef RegisterSharingPasses[] = {"regshare-register-sharing"};
constexpr SchemeCompiler RegisterSharingCompiler = {
    RegisterSharingPasses, initializeRegisterSharingPassPass};
constexpr StringRef ScratchpadSharingPasses[] = {"regshare-scratchpad-sharing"};
constexpr SchemeCompiler ScratchpadSharingCompiler = {
    ScratchpadSharingPasses, initializeScratchpadSharingPassPass};
constexpr CompilerFamily::Member Members[] = {
    {schemes::RegisterSharing, RegisterSharingCompiler},
    {schemes::ScratchpadSharing, ScratchpadSharingCompiler}};

} // namespace

namespace regshare {
extern const CompilerFamily SharingCompilers;
const CompilerFamily SharingCompilers = {Members};
} // namespace regshare
