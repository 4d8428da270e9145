//===- WarpState.cpp - The states that a warp may be in -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/WarpState.h"

#include "llvm/CodeGen/MachineBasicBlock.h"

#include <algorithm>
#include <deque>

using namespace llvm;

namespace regshare {

TwoState WarpState::after(unsigned Node, TwoState Before) const {
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : make_range(N.Begin, N.End))
    Before = AfterInstr(MI, Before);
  return Before;
}

static constexpr TwoState BothStates[] = {TwoState::AsAtStart, TwoState::Other};

/// Runs the lanes that others wait for, from all their starts.
WarpState::States WarpState::statesAfterWait(unsigned Wait,
                                             TwoState Before) const {
  const LaneWait &W = Flow.waits()[Wait];
  States AtEnd = bit(Before);
  std::vector<States> Seen(W.Region.size());
  std::deque<std::pair<unsigned, TwoState>> Worklist;
  auto Enter = [&](unsigned Node, TwoState S) {
    if (!W.Region[Node] || Seen[Node] & bit(S))
      return;
    Seen[Node] |= bit(S);
    Worklist.emplace_back(Node, S);
  };
  for (unsigned Start : W.Starts)
    Enter(Start, Before);
  while (!Worklist.empty()) {
    auto [N, S] = Worklist.front();
    Worklist.pop_front();
    TwoState Now = after(N, S);
    if (is_contained(W.Ends, N))
      AtEnd |= bit(Now);
    for (unsigned Succ : Flow.nodes()[N].Succs)
      Enter(Succ, Now);
    for (unsigned I : Flow.switchesFrom(N))
      for (unsigned To : Flow.switches()[I].To)
        Enter(To, Now);
    for (unsigned I : Flow.waitsAt(N)) {
      for (unsigned Start : Flow.waits()[I].Starts)
        Enter(Start, Now);
      for (TwoState Ended : BothStates)
        if (AfterWait[I][unsigned(Now)] & bit(Ended))
          Enter(Flow.waits()[I].resumedAt(N), Ended);
    }
  }
  return AtEnd;
}

/// Lanes that are waited for may wait themselves: repeats until nothing
/// changes.
void WarpState::solveWaits() {
  AfterWait.assign(Flow.waits().size(),
                   {bit(TwoState::AsAtStart), bit(TwoState::Other)});
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned W = 0; W != AfterWait.size(); ++W)
      for (TwoState S : BothStates) {
        States New = statesAfterWait(W, S);
        Changed |= New != AfterWait[W][unsigned(S)];
        AfterWait[W][unsigned(S)] = New;
      }
  }
}

WarpState::WarpState(const WarpFlow &Flow, Transition After)
    : Flow(Flow), AfterInstr(std::move(After)), Came(Flow.nodes().size()) {
  solveWaits();
  std::deque<std::pair<unsigned, TwoState>> Worklist;
  auto Enter = [&](unsigned Node, TwoState S, Step From) {
    Step &Here = Came[Node][unsigned(S)];
    if (Here.Reached)
      return;
    Here = From;
    Here.Reached = true;
    Worklist.emplace_back(Node, S);
  };
  Enter(0, TwoState::AsAtStart, Step());
  while (!Worklist.empty()) {
    auto [N, Before] = Worklist.front();
    Worklist.pop_front();
    TwoState After = after(N, Before);
    for (unsigned S : Flow.nodes()[N].Succs)
      Enter(S, After, {true, false, N, Before});
    for (unsigned I : Flow.switchesFrom(N))
      for (unsigned T : Flow.switches()[I].To)
        Enter(T, After, {true, true, N, Before});
    for (unsigned I : Flow.waitsAt(N)) {
      for (unsigned T : Flow.waits()[I].Starts)
        Enter(T, After, {true, true, N, Before});
      for (TwoState Ended : BothStates)
        if (AfterWait[I][unsigned(After)] & bit(Ended))
          Enter(Flow.waits()[I].resumedAt(N), Ended, {true, true, N, Before});
    }
  }
}

std::string WarpState::path(unsigned Node, TwoState S) const {
  SmallVector<unsigned, 16> Nodes;
  SmallVector<bool, 16> Switched;
  while (Node != ~0u) {
    const Step &Here = Came[Node][unsigned(S)];
    Nodes.push_back(Node);
    Switched.push_back(Here.ByOtherLanes);
    Node = Here.FromNode;
    S = Here.FromState;
  }
  std::ranges::reverse(Nodes);
  std::ranges::reverse(Switched);
  return describePath(Flow, Nodes, Switched);
}

std::string describePath(const WarpFlow &Flow, ArrayRef<unsigned> Nodes,
                         ArrayRef<bool> Switched) {
  std::string Text;
  const MachineBasicBlock *Last = nullptr;
  for (size_t I = 0; I != Nodes.size(); ++I) {
    const MachineBasicBlock *MBB = Flow.nodes()[Nodes[I]].MBB;
    bool IsStart = Flow.nodes()[Nodes[I]].Begin == MBB->begin();
    if (MBB == Last && !Switched[I] && !IsStart)
      continue;
    if (I)
      Text += Switched[I] ? " ~> " : " -> ";
    Text += "bb." + std::to_string(MBB->getNumber());
    Last = MBB;
  }
  return Text;
}

} // namespace regshare
