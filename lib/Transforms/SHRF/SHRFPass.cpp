//===- SHRFPass.cpp - Pass wrapper of SHRF --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Transforms/SHRF/SHRF.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regshare;

static void remark(MachineFunction &MF, const SHRFResult &R) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  using NV = DiagnosticInfoOptimizationBase::Argument;
  DiagnosticLocation Where = locationOf(MF);
  ORE.emit([&] {
    MachineOptimizationRemark M("regshare", "SHRF", Where, &MF.front());
    M << NV("Strands", R.Strands) << " strands with " << NV("Slots", R.Slots)
      << " cache registers: " << NV("Alone", R.Alone)
      << " results in the cache alone, " << NV("Both", R.Both)
      << " in both files, " << NV("Fetched", R.Fetched)
      << " sources fetched; expected accesses to the main register file "
      << NV("MainAccesses", decimal(R.mainAccesses())) << " of "
      << NV("Accesses", decimal(R.accesses()));
    return M;
  });
}

namespace {

class SHRFPass : public SchemePass<SHRFResult> {
public:
  static char ID;
  SHRFPass() : SchemePass(ID, "RegShare SHRF", applySHRF, remark) {}
};

char SHRFPass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(SHRFPass, "regshare-shrf",
                              "Say which operands are in the register cache "
                              "(SHRF)",
                              false)

namespace {

constexpr StringRef Passes[] = {"regshare-shrf"};
constexpr SchemeCompiler Compiler = {Passes, initializeSHRFPassPass};
constexpr CompilerFamily::Member Members[] = {{schemes::SHRF, Compiler}};

} // namespace

namespace regshare {
extern const CompilerFamily SHRFCompilers;
const CompilerFamily SHRFCompilers = {Members};
} // namespace regshare
