//===- EXPARSPass.cpp - Pass wrapper of EXPARS ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Transforms/EXPARS/EXPARS.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regshare;

static void remark(MachineFunction &MF, const EXPARSResult &R) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  using NV = DiagnosticInfoOptimizationBase::Argument;
  DiagnosticLocation Where = locationOf(MF);
  ORE.emit([&] {
    MachineOptimizationRemark M("regshare", "EXPARS", Where, &MF.front());
    M << NV("Bundles", R.Bundles) << " bundles for an operand cache of "
      << NV("CacheBytes", R.Cache.Bytes) << " bytes, the first "
      << NV("Kept", R.Kept) << " of " << NV("Registers", R.Registers)
      << " registers always in the register file; PREFs expected to execute "
      << NV("PrefsExecuted", decimal(R.PrefsExecuted)) << " times for "
      << NV("InstructionsExecuted", decimal(R.InstrsExecuted))
      << " instructions; code grows by "
      << NV("EmbeddedBytes", unsigned(R.EmbeddedBytes)) << " of "
      << NV("CodeBytes", unsigned(R.CodeBytes)) << " bytes, "
      << NV("ExplicitBytes", unsigned(R.ExplicitBytes))
      << " with an instruction for each PREF";
    return M;
  });
}

namespace {

class EXPARSPass : public SchemePass<EXPARSResult> {
public:
  static char ID;
  EXPARSPass() : SchemePass(ID, "RegShare EXPARS", applyEXPARS, remark) {}
};

char EXPARSPass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(EXPARSPass, "regshare-expars",
                              "Prefetch the registers of each bundle (EXPARS)",
                              false)

namespace {

constexpr StringRef Passes[] = {"regshare-expars"};
constexpr SchemeCompiler Compiler = {Passes, initializeEXPARSPassPass};
constexpr CompilerFamily::Member Members[] = {{schemes::EXPARS, Compiler}};

} // namespace

namespace regshare {
extern const CompilerFamily EXPARSCompilers;
const CompilerFamily EXPARSCompilers = {Members};
} // namespace regshare
