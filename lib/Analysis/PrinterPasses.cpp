//===- PrinterPasses.cpp - Machine passes that look -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/Passes.h"
#include "regshare/Analysis/Pressure.h"
#include "regshare/Analysis/References.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

static cl::opt<bool> EveryBranch(
    "regshare-every-branch-divergent",
    cl::desc("Treat every branch with two targets as one that parts the warp"));

namespace {

/// One pass class for every view; the view is a function.
using ViewFn = void (*)(raw_ostream &, const MachineFunction &,
                        const Analyses &, const MachineBlockFrequencyInfo &);

template <ViewFn View> class AnalysisPass : public MachineFunctionPass {
public:
  static char ID;
  AnalysisPass() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
    if (!Assignment) {
      MF.getFunction().getContext().emitError("regshare: " +
                                              toString(Assignment.takeError()));
      return false;
    }
    const MachinePostDominatorTree &PDT =
        getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree();
    DivergenceOptions Options;
    Options.EveryBranch = EveryBranch;
    Analyses A(MF, std::move(*Assignment), PDT, Options);
    View(outs(), MF, A,
         getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI());
    return false;
  }
};
template <ViewFn View> char AnalysisPass<View>::ID = 0;

} // namespace

static void printInstr(raw_ostream &OS, const MachineInstr &MI) {
  MI.print(OS, /*IsStandalone=*/false, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
}

/// The live set before each instruction, and at the end of the block.
template <typename Liveness>
static void printLiveness(raw_ostream &OS, const MachineFunction &MF,
                          StringRef What, const Liveness &L) {
  OS << What << " liveness of " << MF.getName() << "\n";
  for (const MachineBasicBlock &MBB : MF) {
    OS << "bb." << MBB.getNumber() << ":\n";
    std::vector<std::string> Lines;
    L.forEachBackward(
        MBB, [&](const MachineInstr &MI, const RegSet &Before, const RegSet &) {
          std::string Line;
          raw_string_ostream LS(Line);
          LS << "  {" << Before.str() << "}  ";
          printInstr(LS, MI);
          Lines.push_back(Line);
        });
    for (const std::string &Line : llvm::reverse(Lines))
      OS << Line << "\n";
    OS << "  {" << L.liveOut(MBB).str() << "}\n";
  }
}

static void viewThreadLiveness(raw_ostream &OS, const MachineFunction &MF,
                               const Analyses &A,
                               const MachineBlockFrequencyInfo &) {
  printLiveness(OS, MF, "thread", A.Thread);
}

static void viewWarpLiveness(raw_ostream &OS, const MachineFunction &MF,
                             const Analyses &A,
                             const MachineBlockFrequencyInfo &) {
  printLiveness(OS, MF, "warp", A.Warp);
}

/// Of the registers, those that a thread still reads.
static void viewDivergence(raw_ostream &OS, const MachineFunction &MF,
                           const Analyses &A,
                           const MachineBlockFrequencyInfo &) {
  OS << "divergence of " << MF.getName() << ": "
     << A.Divergence.numDivergentBranches() << " of "
     << A.Divergence.numBranches() << " branches\n";
  for (const MachineBasicBlock &MBB : MF) {
    OS << "bb." << MBB.getNumber() << ": {"
       << (A.Divergence.divergentIn(MBB) & A.Thread.liveIn(MBB)).str() << "}";
    if (MBB.succ_size() > 1)
      OS << (A.Divergence.isDivergentBranch(MBB) ? " divergent" : " uniform")
         << " branch";
    OS << "\n";
  }
}

static void viewPressure(raw_ostream &OS, const MachineFunction &MF,
                         const Analyses &A, const MachineBlockFrequencyInfo &) {
  Pressure P = measurePressure(MF, A.Warp);
  auto PrintPeaks = [&](const BlockPressure &Peaks) {
    OS << "thread peak " << Peaks.Thread.Units << ", warp peak "
       << Peaks.Warp.Units << ", predicates " << Peaks.Thread.Preds << "\n";
  };
  OS << "pressure of " << MF.getName() << ": ";
  PrintPeaks(P.Peak);
  const MachineBasicBlock *Block = nullptr;
  for (const PressurePoint &Point : P.Points) {
    if (Point.MI->getParent() != Block) {
      Block = Point.MI->getParent();
      OS << "bb." << Block->getNumber() << ": ";
      PrintPeaks(P.Blocks[Block->getNumber()]);
    }
    OS << format("  %3u %3u %s%s ", Point.Thread.Units, Point.Warp.Units,
                 Point.MI == P.ThreadPeakAt ? "T" : " ",
                 Point.MI == P.WarpPeakAt ? "W" : " ");
    printInstr(OS, *Point.MI);
    OS << "\n";
  }
}

static void viewWeights(raw_ostream &OS, const MachineFunction &MF,
                        const Analyses &A,
                        const MachineBlockFrequencyInfo &MBFI) {
  OS << "reference weights of " << MF.getName() << "\n";
  std::vector<ReferenceWeight> W = referenceWeights(MF, A.Assignment, MBFI);
  for (unsigned U = 0; U != W.size(); ++U)
    OS << format("  R%-3u %6u %12.2f\n", U, W[U].Static, W[U].Expected);
}

static void viewFirstUse(raw_ostream &OS, const MachineFunction &MF,
                         const Analyses &A, const MachineBlockFrequencyInfo &) {
  OS << "first-use order of " << MF.getName() << "\n";
  auto Print = [&](StringRef What, BlockOrder Order) {
    OS << "  " << What << ":";
    for (unsigned Unit : firstUseOrder(MF, A.Assignment, Order))
      OS << " R" << Unit;
    OS << "\n";
  };
  Print("layout", BlockOrder::Layout);
  Print("reverse post-order", BlockOrder::ReversePostOrder);
}

/// For measurements: the weights on top of what every view is given.
static void computeAll(raw_ostream &, const MachineFunction &MF,
                       const Analyses &A,
                       const MachineBlockFrequencyInfo &MBFI) {
  referenceWeights(MF, A.Assignment, MBFI);
}

template <ViewFn View>
static void registerView(const char *Name, const char *Summary) {
  using P = AnalysisPass<View>;
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  if (Registry.getPassInfo(StringRef(Name)))
    return;
  Registry.registerPass(*new PassInfo(
                            Summary, Name, &P::ID,
                            [] { return static_cast<Pass *>(new P()); },
                            /*isCFGOnly=*/false, /*is_analysis=*/true),
                        /*ShouldFree=*/true);
}

void initializeAnalysisPasses() {
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeMachinePostDominatorTreeWrapperPassPass(Registry);
  initializeMachineBlockFrequencyInfoWrapperPassPass(Registry);
  registerView<viewThreadLiveness>(
      "regshare-print-thread-liveness",
      "Print what a thread still reads, before each instruction");
  registerView<viewWarpLiveness>(
      "regshare-print-warp-liveness",
      "Print what any lane of a warp still reads, before each instruction");
  registerView<viewDivergence>("regshare-print-divergence",
                               "Print divergent registers and branches");
  registerView<viewPressure>(
      "regshare-print-pressure",
      "Print the live registers of thread and warp at each instruction");
  registerView<viewWeights>(
      "regshare-print-weights",
      "Print static and expected references of each register");
  registerView<viewFirstUse>("regshare-print-first-use",
                             "Print the registers in order of first use");
  registerView<computeAll>("regshare-compute-analyses",
                           "Compute divergence, liveness and weights, "
                           "printing nothing");
}

} // namespace regshare
