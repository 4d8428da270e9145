//===- LostValues.cpp - Values that were given back -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/LostValues.h"

#include "regshare/Annotation/WarpState.h"

#include <deque>

using namespace llvm;

namespace regshare {

RegSet LostValues::givenIn(unsigned Node) const {
  RegSet All;
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : make_range(N.Begin, N.End))
    if (auto It = Given.find(&MI); It != Given.end())
      All |= It->second;
  return All;
}

/// Where the sides of a branch meet, or one of them starts, lanes come that
/// waited while another side ran, and lost what that gave back. Lanes lose
/// nothing before a barrier opens (AtBarriers::Kept). They do once it is open,
/// while they have yet to leave it.
void LostValues::injectLosses() {
  for (const LaneSwitch &S : Flow.switches()) {
    RegSet Lost;
    for (unsigned N : Flow.region(S))
      Lost |= givenIn(N);
    for (unsigned N : S.To)
      Injected[N] |= Lost;
    for (unsigned N : S.Parked)
      Injected[N] |= Lost;
  }
}

/// Where lanes stand at a barrier, others run ahead of where they meet. What
/// they give back is lost to those too where nothing says that it is not.
void LostValues::injectLossesAtBarriers() {
  for (const LaneWait &W : Flow.waits()) {
    RegSet Lost;
    for (unsigned N = 0; N != W.Region.size(); ++N)
      if (W.Region[N])
        Lost |= givenIn(N);
    for (unsigned N : W.At)
      Injected[W.resumedAt(N)] |= Lost;
  }
}

/// What is lost at the end of \p Node.
RegSet LostValues::after(unsigned Node) const {
  RegSet Lost = In[Node];
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : make_range(N.Begin, N.End)) {
    RegEffects E = Assignment.effects(MI);
    Lost -= E.Defs | E.Temps;
    if (auto It = Given.find(&MI); It != Given.end())
      Lost |= It->second;
  }
  return Lost;
}

LostValues::LostValues(const WarpFlow &Flow,
                       const RegisterAssignment &Assignment,
                       const GivenBack &Given, AtBarriers Waiting)
    : Flow(Flow), Assignment(Assignment), Given(Given), In(Flow.nodes().size()),
      Injected(Flow.nodes().size()), Preds(Flow.nodes().size()) {
  if (Given.empty())
    return;
  injectLosses();
  if (Waiting == AtBarriers::Lost)
    injectLossesAtBarriers();
  std::deque<unsigned> Worklist;
  std::vector<bool> Queued(In.size(), true);
  for (unsigned N = 0; N != In.size(); ++N) {
    In[N] = Injected[N];
    Worklist.push_back(N);
    for (unsigned S : Flow.nodes()[N].Succs)
      Preds[S].push_back(N);
  }
  while (!Worklist.empty()) {
    unsigned N = Worklist.front();
    Worklist.pop_front();
    Queued[N] = false;
    RegSet Out = after(N);
    for (unsigned S : Flow.nodes()[N].Succs) {
      if ((Out - In[S]).empty())
        continue;
      In[S] |= Out;
      if (!Queued[S])
        Worklist.push_back(S);
      Queued[S] = true;
    }
  }
}

void LostValues::forEachBadRead(
    function_ref<void(unsigned, const MachineInstr &, const RegSet &)> F)
    const {
  for (unsigned N = 0; N != In.size(); ++N) {
    RegSet Lost = In[N];
    const FlowNode &Node = Flow.nodes()[N];
    for (const MachineInstr &MI : make_range(Node.Begin, Node.End)) {
      RegEffects E = Assignment.effects(MI);
      if (RegSet Bad = E.Uses & Lost; !Bad.empty())
        F(N, MI, Bad);
      Lost -= E.Defs | E.Temps;
      if (auto It = Given.find(&MI); It != Given.end())
        Lost |= It->second;
    }
  }
}

/// What gives \p Unit back in \p Node, before \p Until if that is set, without
/// a write after it; \p Written if there is a write and nothing after that.
const MachineInstr *LostValues::lastGiver(unsigned Node, unsigned Unit,
                                          const MachineInstr *Until,
                                          bool &Written) const {
  const MachineInstr *Giver = nullptr;
  Written = false;
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : make_range(N.Begin, N.End)) {
    if (&MI == Until)
      break;
    RegEffects E = Assignment.effects(MI);
    if ((E.Defs | E.Temps).test(Unit)) {
      Giver = nullptr;
      Written = true;
    }
    if (auto It = Given.find(&MI); It != Given.end() && It->second.test(Unit))
      Giver = &MI;
  }
  return Giver;
}

/// The first that gives \p Unit back in \p Node.
const MachineInstr *LostValues::giverIn(unsigned Node, unsigned Unit) const {
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : make_range(N.Begin, N.End))
    if (auto It = Given.find(&MI); It != Given.end() && It->second.test(Unit))
      return &MI;
  return nullptr;
}

const MachineInstr *LostValues::giverOnOtherSide(unsigned Node,
                                                 unsigned Unit) const {
  for (const LaneSwitch &S : Flow.switches()) {
    if (!is_contained(S.To, Node) && !is_contained(S.Parked, Node))
      continue;
    for (unsigned N : Flow.region(S))
      if (const MachineInstr *Giver = giverIn(N, Unit))
        return Giver;
  }
  for (const LaneWait &W : Flow.waits()) {
    if (llvm::none_of(W.At, [&](unsigned N) { return W.resumedAt(N) == Node; }))
      continue;
    for (unsigned N = 0; N != W.Region.size(); ++N)
      if (W.Region[N])
        if (const MachineInstr *Giver = giverIn(N, Unit))
          return Giver;
  }
  return nullptr;
}

LostValues::Example LostValues::explain(unsigned Node, const MachineInstr &Read,
                                        unsigned Unit) const {
  // Backwards from the read; each entry knows the one that it leads to.
  struct Entry {
    unsigned Node, Next;
  };
  std::vector<Entry> Entries = {{Node, ~0u}};
  std::vector<bool> Seen(In.size());
  Example Result;
  for (unsigned I = 0; I != Entries.size(); ++I) {
    unsigned N = Entries[I].Node;
    bool Written = false;
    Result.Culprit = lastGiver(N, Unit, I ? nullptr : &Read, Written);
    if (!Result.Culprit && !Written && Injected[N].test(Unit)) {
      Result.Culprit = giverOnOtherSide(N, Unit);
      Result.WhileWaiting = true;
    }
    if (Result.Culprit) {
      SmallVector<unsigned, 16> Nodes;
      for (unsigned J = I; J != ~0u; J = Entries[J].Next)
        Nodes.push_back(Entries[J].Node);
      Result.Path =
          describePath(Flow, Nodes, SmallVector<bool, 16>(Nodes.size()));
      if (Result.WhileWaiting)
        Result.Path = "bb." +
                      std::to_string(Result.Culprit->getParent()->getNumber()) +
                      " ~> " + Result.Path;
      return Result;
    }
    for (unsigned P : Preds[N])
      if (!Written && !Seen[P]) {
        Seen[P] = true;
        Entries.push_back({P, I});
      }
  }
  return Result;
}

} // namespace regshare
