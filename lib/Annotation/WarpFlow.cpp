//===- WarpFlow.cpp - Where a warp can go on ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/WarpFlow.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include <numeric>
#include <set>

using namespace llvm;

namespace regshare {

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
enum class Leaving { No, Always, Maybe };
} // namespace

/// Whether lanes end at \p MI, beside what the block's successors say.
static Leaving leaves(const MachineInstr &MI) {
  if (!MI.isInlineAsm()) {
    const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
    StringRef Name = TII.getName(MI.getOpcode());
    return Name == "EXIT" || Name == "trapinst" || Name == "trapexitinst"
               ? Leaving::Always
               : Leaving::No;
  }
  StringRef Text = inlinePTXText(MI).trim();
  if (Text == "exit;" || Text == "trap;" || Text == "ret;")
    return Leaving::Always;
  bool Mentions =
      Text.contains("exit") || Text.contains("trap") || Text.contains("ret;");
  return Mentions && statementVerb(MI).empty() ? Leaving::Maybe : Leaving::No;
}

static YieldKind yieldOf(const MachineInstr &MI) {
  if (InstrFacts::get(*MI.getMF()).isBarrier(MI))
    return YieldKind::Cta;
  if (MI.isInlineAsm())
    return inlinePTXText(MI).contains(".sync") ? YieldKind::Warp
                                               : YieldKind::None;
  return MI.isConvergent() && !MI.isCall() ? YieldKind::Warp : YieldKind::None;
}

static bool isConditional(const MachineInstr &MI) {
  return MI.isBranch() && !MI.isBarrier();
}

/// BRX_START begins a switch, BRX_END is the branch.
static bool startsSwitch(const MachineInstr &MI) {
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  return TII.getName(MI.getOpcode()) == "BRX_START";
}

/// Cuts \p MBB into nodes: around what yields, before a switch, and after what
/// lanes can end at or branch away from while there is more to come.
void WarpFlow::cut(const MachineBasicBlock &MBB, bool Parts) {
  const InstrFacts &Facts = InstrFacts::get(*MBB.getParent());
  auto Begin = MBB.begin(), E = MBB.end();
  auto Close = [&](MachineBasicBlock::const_iterator End) -> FlowNode & {
    FlowNode N;
    N.MBB = &MBB;
    N.Begin = Begin;
    N.End = Begin = End;
    Nodes.push_back(std::move(N));
    return Nodes.back();
  };
  unsigned Conditional = llvm::count_if(MBB, isConditional);
  for (auto I = MBB.begin(); I != E; ++I) {
    Leaving L = leaves(*I);
    YieldKind Yield = yieldOf(*I);
    bool Switch = startsSwitch(*I);
    if ((Switch || Yield != YieldKind::None) && Begin != I)
      Close(I).Parts = Parts && isConditional(*std::prev(I));
    if (Yield != YieldKind::None) {
      FlowNode &N = Close(std::next(I));
      N.Yield = Yield;
      N.IsAligned = Facts.isAlignedBarrier(*N.Begin);
    }
    if (L != Leaving::No) {
      FlowNode &N = Close(std::next(I));
      N.MayEnd = L == Leaving::Maybe;
      if (!N.MayEnd) {
        N.Ends = true;
        return; // The rest is never run.
      }
    }
    if (Switch) {
      FlowNode &N = Close(E);
      N.IsSwitch = true;
      N.Parts = Parts;
      return;
    }
    if (isConditional(*I) && Conditional-- > 1)
      Close(std::next(I)).Parts = Parts;
  }
  Close(E).Parts = Parts;
}

void WarpFlow::makeNodes(const MachineFunction &MF,
                         const DivergenceAnalysis &Divergence) {
  FirstOf.resize(MF.getNumBlockIDs());
  for (const MachineBasicBlock &MBB : MF) {
    FirstOf[MBB.getNumber()] = Nodes.size();
    cut(MBB, Divergence.isDivergentBranch(MBB));
  }
}

/// The last node of a block has all successors but those that conditional
/// branches before it lead to alone.
void WarpFlow::connect(const MachineFunction &MF) {
  for (const MachineBasicBlock &MBB : MF) {
    SmallVector<const MachineBasicBlock *, 4> Rest(MBB.successors());
    unsigned N = FirstOf[MBB.getNumber()];
    for (; N + 1 != Nodes.size() && Nodes[N + 1].MBB == &MBB; ++N) {
      FlowNode &Node = Nodes[N];
      if (Node.Begin != Node.End && isConditional(*std::prev(Node.End)))
        for (const MachineOperand &MO : std::prev(Node.End)->operands())
          if (MO.isMBB()) {
            Node.Succs.push_back(FirstOf[MO.getMBB()->getNumber()]);
            llvm::erase(Rest, MO.getMBB());
          }
      Node.Succs.push_back(N + 1);
    }
    FlowNode &Last = Nodes[N];
    if (Last.Ends)
      continue;
    for (const MachineInstr &MI : make_range(Last.Begin, Last.End))
      for (const MachineOperand &MO : MI.operands())
        if (MO.isMBB() && !is_contained(Rest, MO.getMBB()))
          Rest.push_back(MO.getMBB());
    for (const MachineBasicBlock *Succ : Rest)
      Last.Succs.push_back(FirstOf[Succ->getNumber()]);
    Last.Ends = Last.Succs.empty();
    Last.Parts &= Last.Succs.size() > 1;
  }
}

//===----------------------------------------------------------------------===//
// Where sides meet
//===----------------------------------------------------------------------===//

/// Immediate post-dominators by repeated intersection along the reversed
/// graph; nodes that reach no end have none.
void WarpFlow::findMeetingPoints() {
  const unsigned Exit = Nodes.size();
  std::vector<SmallVector<unsigned, 2>> Preds(Exit + 1);
  for (unsigned N = 0; N != Exit; ++N) {
    for (unsigned S : Nodes[N].Succs)
      Preds[S].push_back(N);
    if (Nodes[N].Ends)
      Preds[Exit].push_back(N);
  }
  std::vector<unsigned> Order, Rank(Exit + 1, 0); // Post-order from the end.
  std::vector<bool> Seen(Exit + 1);
  SmallVector<std::pair<unsigned, unsigned>, 32> Stack = {{Exit, 0}};
  Seen[Exit] = true;
  while (!Stack.empty()) {
    auto &[N, Next] = Stack.back();
    if (Next == Preds[N].size()) {
      Rank[N] = Order.size();
      Order.push_back(N);
      Stack.pop_back();
    } else if (unsigned P = Preds[N][Next++]; !Seen[P]) {
      Seen[P] = true;
      Stack.emplace_back(P, 0);
    }
  }
  Meets.assign(Exit + 1, std::nullopt);
  Meets[Exit] = Exit;
  auto Intersect = [&](unsigned A, unsigned B) {
    while (A != B)
      (Rank[A] < Rank[B] ? A : B) = *Meets[Rank[A] < Rank[B] ? A : B];
    return A;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned N : llvm::reverse(Order)) {
      if (N == Exit)
        continue;
      std::optional<unsigned> New;
      if (Nodes[N].Ends)
        New = Exit;
      for (unsigned S : Nodes[N].Succs)
        if (Meets[S])
          New = New ? Intersect(*New, S) : S;
      Changed |= New != Meets[N];
      Meets[N] = New;
    }
  }
}

/// What the SM makes of \p MI if it is a statement of a scheme's.
static std::optional<StatementKind::Execution>
executionOf(const MachineInstr &MI) {
  StringRef Verb = statementVerb(MI);
  if (Verb.empty())
    return std::nullopt;
  return executionOf({Verb.data(), Verb.size()});
}

/// Whether lanes that come to \p Node run statements that take no issue slot,
/// and then end. They do not wait for others there, so these run after the
/// statements. Without statements it makes no difference, nor with those that
/// become no instruction, as those that say something of the next one.
bool WarpFlow::onlyStatesAndEnds(unsigned Node) const {
  bool States = false;
  for (unsigned Steps = 0; Steps != Nodes.size(); ++Steps) {
    const FlowNode &N = Nodes[Node];
    for (const MachineInstr &MI : make_range(N.Begin, N.End)) {
      auto Runs = executionOf(MI);
      States |= Runs == StatementKind::SteppedOver;
      // What is said of the next instruction is none.
      bool IsInstruction = Runs == StatementKind::Issued ||
                           (statementVerb(MI).empty() && !MI.isDebugInstr() &&
                            !(N.Ends && MI.isReturn()));
      if (IsInstruction)
        return false;
    }
    if (N.Ends || N.Succs.size() != 1)
      return N.Ends && States;
    Node = N.Succs.front();
  }
  return false;
}

std::vector<unsigned> WarpFlow::reach(unsigned From,
                                      std::optional<unsigned> Without) const {
  std::vector<unsigned> Found;
  if (From == Without)
    return Found;
  std::vector<bool> Seen(Nodes.size());
  Found.push_back(From);
  Seen[From] = true;
  for (size_t I = 0; I != Found.size(); ++I)
    for (unsigned S : Nodes[Found[I]].Succs)
      if (S != Without && !Seen[S]) {
        Seen[S] = true;
        Found.push_back(S);
      }
  return Found;
}

std::vector<unsigned> WarpFlow::region(const LaneSwitch &S) const {
  if (!S.Side) {
    std::vector<unsigned> All(Nodes.size());
    std::iota(All.begin(), All.end(), 0u);
    return All;
  }
  return reach(*S.Side, S.Meet);
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

WarpFlow::Side WarpFlow::sideOf(unsigned First,
                                std::optional<unsigned> Meet) const {
  Side S;
  S.First = First;
  S.Region = reach(First, Meet);
  for (unsigned N : S.Region) {
    if (Nodes[N].Yield == YieldKind::Warp)
      S.AtWarp.push_back(N);
    if (Nodes[N].Yield == YieldKind::Cta)
      S.AtCta.push_back(N);
    if (Nodes[N].Ends || (Meet && is_contained(Nodes[N].Succs, *Meet)))
      S.Ends.push_back(N);
  }
  return S;
}

/// Where lanes of \p S can stand while others run, if any wait on it in the
/// middle: there, and where those left others behind.
void WarpFlow::addParked(const Side &S, LaneSwitch &Switch) const {
  if (S.AtWarp.empty())
    return;
  llvm::append_range(Switch.Parked, S.AtWarp);
  for (unsigned N : S.Region)
    if (Nodes[N].Parts) {
      llvm::append_range(Switch.Parked, Nodes[N].Succs);
      if (std::optional<unsigned> Meet = meetingPoint(N))
        Switch.Parked.push_back(*Meet);
      if (Nodes[N].IsSwitch)
        Switch.Parked.push_back(N);
    }
}

/// Where one of \p Sides stops, the warp goes on at the start of another, or
/// where they meet; a switch is executed again.
void WarpFlow::addSwitch(unsigned Branch, ArrayRef<Side> Sides,
                         unsigned Which) {
  LaneSwitch Switch;
  Switch.Side = Sides[Which].First;
  Switch.Meet = meetingPoint(Branch);
  Switch.From = Sides[Which].Ends;
  for (const Side &Other : Sides) {
    if (&Other == &Sides[Which])
      continue;
    Switch.To.push_back(Other.First);
    addParked(Other, Switch);
  }
  if (Switch.Meet)
    Switch.To.push_back(*Switch.Meet);
  if (Nodes[Branch].IsSwitch)
    Switch.To.push_back(Branch);
  Switches.push_back(std::move(Switch));
}

/// Lanes of one of \p Sides wait while others run: lanes of another side, or,
/// for lanes at a barrier, those that waited where the sides meet.
void WarpFlow::addWait(unsigned Branch, ArrayRef<Side> Sides, unsigned Which,
                       YieldKind Yield) {
  LaneWait Wait;
  bool AtCta = Yield == YieldKind::Cta;
  Wait.At = AtCta ? Sides[Which].AtCta : Sides[Which].AtWarp;
  if (Wait.At.empty())
    return;
  Wait.Region.resize(Nodes.size());
  auto AddOthers = [&](const Side &Other) {
    Wait.Starts.push_back(Other.First);
    for (ArrayRef<unsigned> Waiting :
         {ArrayRef<unsigned>(Other.AtWarp), ArrayRef<unsigned>(Other.AtCta)}) {
      llvm::append_range(Wait.Starts, Waiting);
      llvm::append_range(Wait.Ends, Waiting);
    }
    llvm::append_range(Wait.Ends, Other.Ends);
    for (unsigned N : Other.Region)
      Wait.Region[N] = true;
  };
  for (const Side &Other : Sides)
    if (&Other != &Sides[Which])
      AddOthers(Other);
  if (Nodes[Branch].IsSwitch) {
    Wait.Starts.push_back(Branch);
    Wait.Region[Branch] = true;
  }
  if (std::optional<unsigned> Meet = meetingPoint(Branch); Meet && AtCta)
    AddOthers(sideOf(*Meet, std::nullopt));
  if (Wait.Starts.empty())
    return; // There are no others.
  Waits.push_back(std::move(Wait));
}

void WarpFlow::addBranch(unsigned Branch) {
  std::optional<unsigned> Meet = meetingPoint(Branch);
  SmallVector<Side, 2> Sides;
  for (unsigned S : Nodes[Branch].Succs)
    if (S != Meet)
      Sides.push_back(sideOf(S, Meet));
  for (unsigned I = 0; I != Sides.size(); ++I) {
    addSwitch(Branch, Sides, I);
    addWait(Branch, Sides, I, YieldKind::Warp);
    addWait(Branch, Sides, I, YieldKind::Cta);
  }
  noteBarriers(Branch, Sides);
}

/// Lanes that \p Branch parts come to a barrier one after the other if it is on
/// several sides, or on one and after the meeting point.
void WarpFlow::noteBarriers(unsigned Branch, ArrayRef<Side> Sides) {
  std::optional<unsigned> Meet = meetingPoint(Branch);
  std::map<unsigned, unsigned> SidesWith; // by barrier
  for (const Side &S : Sides)
    for (unsigned Barrier : S.AtCta)
      ++SidesWith[Barrier];
  if (SidesWith.empty())
    return;
  if (Meet)
    for (unsigned N : reach(*Meet, std::nullopt))
      if (auto It = SidesWith.find(N); It != SidesWith.end())
        ++It->second;
  for (auto [Barrier, Count] : SidesWith) {
    BarrierFacts &Facts = Barriers[Barrier];
    Facts.IsScattered |= Count > 1 || Nodes[Branch].IsSwitch;
    if (Meet && !is_contained(Facts.MeetingPoints, *Meet))
      Facts.MeetingPoints.push_back(*Meet);
  }
}

/// Lanes that came to \p Barrier one after the other go on after it one after
/// the other too: some run to where they end or meet others, or wait for lanes,
/// while the rest has yet to leave it. They need not come together at any later
/// barrier either.
void WarpFlow::addWaitsBehind(unsigned Barrier,
                              ArrayRef<unsigned> MeetingPoints) {
  Side Rest = sideOf(Barrier + 1, std::nullopt);
  LaneWait Leaving;
  Leaving.At = {Barrier};
  Leaving.IsOpen = true;
  Leaving.Starts = {Rest.First};
  llvm::append_range(Leaving.Starts, Rest.AtWarp);
  Leaving.Region.resize(Nodes.size());
  for (unsigned N : Rest.Region) {
    Leaving.Region[N] = true;
    if (Nodes[N].Ends || Nodes[N].Yield != YieldKind::None ||
        llvm::any_of(Nodes[N].Succs, [&](unsigned S) {
          return is_contained(MeetingPoints, S);
        }))
      Leaving.Ends.push_back(N);
  }
  if (!Rest.AtWarp.empty()) {
    LaneWait AtWarp = Leaving;
    AtWarp.At.assign(Rest.AtWarp.begin(), Rest.AtWarp.end());
    AtWarp.IsOpen = false;
    Waits.push_back(std::move(AtWarp));
  }
  if (!Rest.AtCta.empty()) {
    LaneWait Later = Leaving;
    Later.At.assign(Rest.AtCta.begin(), Rest.AtCta.end());
    Later.IsOpen = false;
    // It opens when the others are there too, or have ended.
    llvm::erase_if(Later.Ends, [&](unsigned N) { return !Nodes[N].Ends; });
    Waits.push_back(std::move(Later));
  }
  Waits.push_back(std::move(Leaving));

  LaneSwitch Stopped;
  Stopped.Side = Rest.First;
  addParked(Rest, Stopped);
  Switches.push_back(std::move(Stopped));
}

/// Lanes that have yet to leave a barrier, or that have left it and wait where
/// they meet others, while the rest runs on.
void WarpFlow::addBarriers() {
  std::set<unsigned> Left, Again; // One lane after the other.
  for (const auto &[Barrier, Facts] : Barriers) {
    if (!Facts.IsScattered)
      continue;
    addWaitsBehind(Barrier, Facts.MeetingPoints);
    Left.insert(Barrier);
    for (unsigned N : reach(Barrier + 1, std::nullopt))
      if (Nodes[N].Yield == YieldKind::Cta)
        Again.insert(N);
  }
  Left.insert(Again.begin(), Again.end());
  bool AnyOrder = llvm::any_of(
      Nodes, [](const FlowNode &N) { return N.Yield == YieldKind::Warp; });
  for (unsigned Barrier : Left) {
    LaneSwitch Leaving;
    Leaving.Side = Barrier + 1;
    Leaving.Parked = {Barrier + 1};
    // Lanes leave in the opposite order of that in which they came. Those that
    // came first meet others last then, unless others had made way for them.
    if (AnyOrder || Again.count(Barrier))
      llvm::append_range(Leaving.Parked, Barriers[Barrier].MeetingPoints);
    Switches.push_back(std::move(Leaving));
  }
}

/// A barrier at which lanes of a warp may arrive one after the other.
static bool isLooseBarrier(const FlowNode &N) {
  return N.Yield == YieldKind::Cta && !N.IsAligned;
}

/// True if lanes that \p Branch parts may come to such a barrier before they
/// meet. They can be anywhere then when it opens.
bool WarpFlow::partsAtLooseBarrier(unsigned Branch) const {
  std::optional<unsigned> Meet = meetingPoint(Branch);
  return llvm::any_of(Nodes[Branch].Succs, [&](unsigned Side) {
    return llvm::any_of(reach(Side, Meet),
                        [&](unsigned N) { return isLooseBarrier(Nodes[N]); });
  });
}

/// Where it is open where lanes meet, they may do so at the start of any node,
/// after any other.
void WarpFlow::addSwitchAnywhere() {
  LaneSwitch Switch;
  for (unsigned N = 0; N != Nodes.size(); ++N) {
    Switch.From.push_back(N);
    Switch.To.push_back(N);
  }
  Switches.push_back(std::move(Switch));
}

bool WarpFlow::canRunForever(unsigned Node) const {
  return llvm::any_of(reach(Node, std::nullopt),
                      [&](unsigned N) { return !Meets[N]; });
}

WarpFlow::WarpFlow(const MachineFunction &MF,
                   const DivergenceAnalysis &Divergence) {
  makeNodes(MF, Divergence);
  connect(MF);
  findMeetingPoints();
  for (std::optional<unsigned> &Meet : MutableArrayRef(Meets).drop_back())
    if (Meet && *Meet != Nodes.size() && onlyStatesAndEnds(*Meet))
      Meet = Nodes.size();
  bool Anywhere = false;
  bool LeavesUnseen =
      llvm::any_of(Nodes, [](const FlowNode &N) { return N.MayEnd; });
  bool Endless = llvm::any_of(ArrayRef(Meets).drop_back(),
                              [](auto &Meet) { return !Meet; });
  bool LooseBarrier = llvm::any_of(Nodes, isLooseBarrier);
  for (unsigned N = 0; N != Nodes.size(); ++N)
    if (Nodes[N].Parts) {
      addBranch(N);
      Anywhere |= LeavesUnseen || (Endless && canRunForever(N)) ||
                  (LooseBarrier && partsAtLooseBarrier(N));
    }
  addBarriers();
  if (Anywhere)
    addSwitchAnywhere();
  SwitchesFrom.resize(Nodes.size());
  WaitsAt.resize(Nodes.size());
  for (unsigned W = 0; W != Waits.size(); ++W)
    for (unsigned N : Waits[W].At)
      WaitsAt[N].push_back(W);
  for (unsigned S = 0; S != Switches.size(); ++S)
    for (unsigned N : Switches[S].From)
      SwitchesFrom[N].push_back(S);
}

} // namespace regshare
