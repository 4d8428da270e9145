//===- SpinLocks.cpp - Critical sections inside of their loops ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plug-in of clang for device code in either form; see
/// regshare/Frontend/SpinLocks.h. It runs after LLVM's own passes.
///
/// The lanes of a SpinLoop that try again, those that have given their lock
/// back and those that leave the loop otherwise all come to one new block,
/// which tells them apart by a number. So the sides of the branch that decides
/// who has the lock meet there, after the critical section.
///
//===----------------------------------------------------------------------===//

#include "SpinLoops.h"

#include "regshare/Base/Version.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace regshare;

namespace {

/// Puts the critical sections of one loop into it.
class Enclosure {
public:
  explicit Enclosure(SpinLoop &S) : S(S) {}

  void run();

private:
  /// An edge to the meeting, instead of one to To.
  struct Way {
    BasicBlock *From, *To;
  };

  SmallVector<Edge> edges();
  BasicBlock *shorten(BasicBlock &From, BasicBlock &To);
  void cutAfter(BasicBlock &BB, Instruction &Release, SmallVector<Edge> &Cut);
  void lead(const Edge &E);
  void carry(BasicBlock &To);
  void branch(const DebugLoc &Place);
  void keepValues();
  void keep(Instruction &I, DominatorTree &DT);

  SpinLoop &S;
  BasicBlock *Meeting = nullptr;
  SmallVector<Way> Ways;
  /// Where lanes go from the meeting; the header is the first.
  SmallSetVector<BasicBlock *, 4> Targets;
};

} // namespace

/// Has lanes that hold locks in \p From and try again in \p To come to the
/// header by themselves, not by way of a second meeting. Returns where they go.
BasicBlock *Enclosure::shorten(BasicBlock &From, BasicBlock &To) {
  if (!S.Trying.contains(&To) || &To.front() != To.getTerminator() ||
      To.getSingleSuccessor() != S.Header ||
      is_contained(successors(&From), S.Header))
    return &To;
  From.getTerminator()->replaceSuccessorWith(&To, S.Header);
  for (PHINode &Phi : S.Header->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(&To), &From);
  return S.Header;
}

/// Ends the critical section in \p BB after \p Release.
void Enclosure::cutAfter(BasicBlock &BB, Instruction &Release,
                         SmallVector<Edge> &Cut) {
  Instruction *Next = Release.getNextNode();
  auto *Leaves = dyn_cast<BranchInst>(Next);
  BasicBlock *Rest = Leaves && Leaves->isUnconditional()
                         ? Leaves->getSuccessor(0)
                         : SplitBlock(&BB, Next->getIterator());
  Cut.push_back({&BB, shorten(BB, *Rest)});
}

/// The edges by which lanes begin another attempt, end the critical section or
/// leave otherwise.
SmallVector<Edge> Enclosure::edges() {
  SmallVector<Edge> Cut;
  const auto AddFrom = [&](BasicBlock *BB, bool Holds) {
    SmallSetVector<BasicBlock *, 4> Next(succ_begin(BB), succ_end(BB));
    for (BasicBlock *To : Next)
      if (!S.Holding.contains(To) &&
          (Holds || !S.Trying.contains(To) || To == S.Header))
        Cut.push_back({BB, Holds ? shorten(*BB, *To) : To});
  };
  for (BasicBlock *BB : S.Trying)
    AddFrom(BB, false);
  for (BasicBlock *BB : S.Holding) {
    if (Instruction *Release = S.Ends.lookup(BB))
      cutAfter(*BB, *Release, Cut);
    else
      AddFrom(BB, true);
  }
  return Cut;
}

/// Has the edge \p E lead to the meeting, by a block of its own where others
/// leave from the same.
void Enclosure::lead(const Edge &E) {
  Instruction *Terminator = E.From->getTerminator();
  BasicBlock *From = E.From;
  if (Terminator->getNumSuccessors() != 1) {
    From = BasicBlock::Create(Meeting->getContext(), "", Meeting->getParent(),
                              Meeting);
    BranchInst::Create(Meeting, From)->setDebugLoc(Terminator->getDebugLoc());
    Terminator->replaceSuccessorWith(E.To, From);
    E.To->replacePhiUsesWith(E.From, From);
  } else {
    Terminator->replaceSuccessorWith(E.To, Meeting);
  }
  Ways.push_back({From, E.To});
}

/// Has what \p To distinguishes by where lanes come from decided at the
/// meeting.
void Enclosure::carry(BasicBlock &To) {
  for (PHINode &Phi : To.phis()) {
    auto *Carried =
        PHINode::Create(Phi.getType(), Ways.size(), Phi.getName() + ".met");
    Carried->insertInto(Meeting, Meeting->begin());
    Carried->setDebugLoc(Phi.getDebugLoc());
    for (const Way &W : Ways) {
      Value *V = PoisonValue::get(Phi.getType());
      if (W.To == &To)
        V = Phi.getIncomingValueForBlock(W.From);
      Carried->addIncoming(V, W.From);
    }
    for (const Way &W : Ways)
      while (W.To == &To && Phi.getBasicBlockIndex(W.From) != -1)
        Phi.removeIncomingValue(W.From, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(Carried, Meeting);
  }
}

/// Lets lanes go on from the meeting. The mark keeps passes from copying the
/// block to where the number is known; a number of 32 bits keeps the code
/// generator from it, which copies blocks of two instructions.
void Enclosure::branch(const DebugLoc &Place) {
  IRBuilder<> Builder(Meeting);
  Builder.SetCurrentDebugLocation(Place);
  PHINode *Number =
      Builder.CreatePHI(Builder.getInt32Ty(), Ways.size(), "goes.to");
  for (const Way &W : Ways) {
    auto *At = find(Targets, W.To);
    Number->addIncoming(Builder.getInt32(At - Targets.begin()), W.From);
  }
  CallInst *Mark = Builder.CreateIntrinsic(Intrinsic::sideeffect, {});
  Mark->setConvergent();
  BasicBlock *Header = Targets.front();
  if (Targets.size() == 1) {
    Builder.CreateBr(Header);
    return;
  }
  if (Targets.size() == 2) {
    Value *Again = Builder.CreateICmpEQ(Number, Builder.getInt32(0));
    Builder.CreateCondBr(Again, Header, Targets[1]);
    return;
  }
  SwitchInst *Switch =
      Builder.CreateSwitch(Number, Targets.back(), Targets.size() - 1);
  for (unsigned I = 0; I + 1 != Targets.size(); ++I)
    Switch->addCase(Builder.getInt32(I), Targets[I]);
}

/// Has uses of \p I that are reached by the meeting read what comes there.
void Enclosure::keep(Instruction &I, DominatorTree &DT) {
  SmallVector<Use *> Lost;
  for (Use &U : I.uses())
    if (!DT.dominates(&I, U))
      Lost.push_back(&U);
  if (Lost.empty())
    return;
  auto *Met = PHINode::Create(I.getType(), Ways.size(), I.getName() + ".met");
  Met->insertInto(Meeting, Meeting->begin());
  Met->setDebugLoc(I.getDebugLoc());
  for (const Way &W : Ways) {
    Value *V = PoisonValue::get(I.getType());
    if (DT.dominates(&I, W.From->getTerminator()))
      V = &I;
    Met->addIncoming(V, W.From);
  }
  SSAUpdater Updater;
  Updater.Initialize(I.getType(), I.getName());
  Updater.AddAvailableValue(I.getParent(), &I);
  Updater.AddAvailableValue(Meeting, Met);
  for (Use *U : Lost)
    Updater.RewriteUse(*U);
}

void Enclosure::keepValues() {
  DominatorTree DT(*Meeting->getParent());
  SmallVector<Instruction *> Defined;
  for (const auto &Blocks : {S.Trying, S.Holding})
    for (BasicBlock *BB : Blocks)
      for (Instruction &I : *BB)
        if (!I.getType()->isVoidTy())
          Defined.push_back(&I);
  for (Instruction *I : Defined)
    keep(*I, DT);
}

void Enclosure::run() {
  const DebugLoc Place = S.Header->getTerminator()->getDebugLoc();
  const SmallVector<Edge> Cut = edges();
  Meeting = BasicBlock::Create(S.Header->getContext(),
                               S.Header->getName() + ".meeting",
                               S.Header->getParent());
  Targets.insert(S.Header);
  for (const Edge &E : Cut) {
    lead(E);
    Targets.insert(E.To);
  }
  for (BasicBlock *To : Targets)
    carry(*To);
  branch(Place);
  keepValues();
}

static bool mayHaveLocks(Function &F) {
  return any_of(instructions(F), acquiredAddress);
}

namespace {

struct SpinLocksPass : PassInfoMixin<SpinLocksPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    if (!mayHaveLocks(F))
      return PreservedAnalyses::all();
    SmallPtrSet<BasicBlock *, 4> Done;
    while (std::optional<SpinLoop> S = SpinLoopFinder(F).find(Done)) {
      Done.insert(S->Header);
      Enclosure(*S).run();
    }
    return Done.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  llvm::PassPluginLibraryInfo Info;
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "RegShareSpinLocks";
  Info.PluginVersion = REGSHARE_VERSION;
  Info.RegisterPassBuilderCallbacks = [](PassBuilder &PB) {
    PB.registerOptimizerLastEPCallback(
        [](ModulePassManager &PM, OptimizationLevel, ThinOrFullLTOPhase) {
          PM.addPass(createModuleToFunctionPassAdaptor(SpinLocksPass()));
        });
    PB.registerPipelineParsingCallback(
        [](StringRef Name, FunctionPassManager &PM,
           ArrayRef<PassBuilder::PipelineElement>) {
          if (Name != "regshare-spin-locks")
            return false;
          PM.addPass(SpinLocksPass());
          return true;
        });
  };
  Info.PreCodeGenCallback = nullptr;
  return Info;
}
