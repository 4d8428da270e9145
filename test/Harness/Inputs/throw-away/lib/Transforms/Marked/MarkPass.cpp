//===- MarkPass.cpp - Marks kernels ---------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Statements.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"

using namespace llvm;
using namespace regshare;

namespace {
class MarkPass : public MachineFunctionPass {
public:
  static char ID;
  MarkPass() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!isKernel(MF))
      return false;
    MachineBasicBlock &First = MF.front();
    insertStatement(First, First.SkipPHIsAndLabels(First.begin()),
                    statement("marked"));
    return true;
  }
};
} // namespace

char MarkPass::ID = 0;

namespace llvm {
void initializeMarkPassPass(PassRegistry &);
} // namespace llvm

INITIALIZE_PASS(MarkPass, "regshare-mark", "Mark kernels", false, false)

namespace regshare {

namespace schemes {
extern const SchemeDescription Marked;
} // namespace schemes

static constexpr StringRef Passes[] = {"regshare-mark"};
static constexpr SchemeCompiler Compiler = {Passes, initializeMarkPassPass};
static constexpr CompilerFamily::Member Members[] = {
    {schemes::Marked, Compiler}};
extern const CompilerFamily MarkedCompilers;
const CompilerFamily MarkedCompilers = {Members};

} // namespace regshare
