//===- VerifyIntervalFlow.cpp - How intervals and strands are run ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows the paths of the control-flow graph. Where lanes go on that waited,
/// the machine sees to it that the interval there is cached; so what has to be
/// shown is that wherever an interval is cached at an instruction of it, it is
/// at the next one too.
///
//===----------------------------------------------------------------------===//

#include "VerifyLTRF.h"
#include "regshare/Annotation/WarpState.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Base/LTRF/LTRFStatements.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunction.h"

#include <deque>

using namespace llvm;

namespace regshare {

std::vector<SmallVector<unsigned, 2>> predecessors(const WarpFlow &Flow) {
  std::vector<SmallVector<unsigned, 2>> Preds(Flow.nodes().size());
  for (unsigned N = 0; N != Preds.size(); ++N)
    for (unsigned S : Flow.nodes()[N].Succs)
      Preds[S].push_back(N);
  return Preds;
}

std::vector<bool> reachable(const WarpFlow &Flow) {
  std::vector<bool> Seen(Flow.nodes().size());
  std::vector<unsigned> Worklist = {0};
  Seen[0] = true;
  while (!Worklist.empty()) {
    unsigned N = Worklist.back();
    Worklist.pop_back();
    for (unsigned S : Flow.nodes()[N].Succs)
      if (!Seen[S]) {
        Seen[S] = true;
        Worklist.push_back(S);
      }
  }
  return Seen;
}

/// The blocks of \p Nodes, a path.
static std::string pathOf(const WarpFlow &Flow,
                          const SmallVectorImpl<unsigned> &Nodes) {
  return describePath(Flow, Nodes, SmallVector<bool, 16>(Nodes.size()));
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {

/// What a warp executed last: a PREFETCH, or an instruction of an interval or
/// of none.
struct LastStep {
  const MachineInstr *MI = nullptr; ///< Null where the function starts.
  unsigned Interval = NoInterval;   ///< Which is cached then.
};

class EntryVerifier {
public:
  EntryVerifier(VerifierRun &Run, const IntervalText &Text)
      : Run(Run), Flow(Run.Flow), Text(Text), Preds(predecessors(Flow)),
        Reached(reachable(Flow)) {}
  void run();

private:
  std::optional<LastStep> stepOf(const MachineInstr &MI) const;
  std::optional<LastStep> lastStep(unsigned Node) const;
  std::optional<LastStep> wrongArrival(unsigned Node, unsigned Interval,
                                       SmallVectorImpl<unsigned> &Path) const;
  void visit(unsigned Node);
  void report(const MachineInstr &MI, unsigned Interval, const LastStep &Last,
              const std::string &Path);

  VerifierRun &Run;
  const WarpFlow &Flow;
  const IntervalText &Text;
  std::vector<SmallVector<unsigned, 2>> Preds;
  std::vector<bool> Reached;
  std::vector<std::optional<LastStep>> Last; ///< By node, of what it has.
};

} // namespace

/// Nothing for what changes nothing.
std::optional<LastStep> EntryVerifier::stepOf(const MachineInstr &MI) const {
  if (unsigned Interval = Text.prefetchAt(MI); Interval != NoInterval)
    return LastStep{&MI, Interval};
  if (Text.isInstr(MI))
    return LastStep{&MI, Text.intervalOf(MI)};
  return std::nullopt;
}

std::optional<LastStep> EntryVerifier::lastStep(unsigned Node) const {
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : reverse(make_range(N.Begin, N.End)))
    if (std::optional<LastStep> Step = stepOf(MI))
      return Step;
  return std::nullopt;
}

/// Looks for a way to the start of \p Node at whose end another interval than
/// \p Interval is cached, or none for sure. The ways go back to the last step.
std::optional<LastStep>
EntryVerifier::wrongArrival(unsigned Node, unsigned Interval,
                            SmallVectorImpl<unsigned> &Path) const {
  struct Entry {
    unsigned Node;
    size_t Next;
  };
  std::vector<Entry> Entries = {{Node, ~size_t(0)}};
  SmallDenseSet<unsigned, 8> Seen;
  auto Found = [&](size_t I, LastStep Step) {
    for (; I != ~size_t(0); I = Entries[I].Next)
      Path.push_back(Entries[I].Node);
    return Step;
  };
  for (size_t I = 0; I != Entries.size(); ++I) {
    unsigned N = Entries[I].Node;
    if (I && Last[N]) {
      if (Last[N]->Interval != Interval)
        return Found(I, *Last[N]);
      continue;
    }
    if (N == 0)
      return Found(I, LastStep());
    for (unsigned P : Preds[N])
      if (Reached[P] && Seen.insert(P).second)
        Entries.push_back({P, I});
  }
  return std::nullopt;
}

void EntryVerifier::report(const MachineInstr &MI, unsigned Interval,
                           const LastStep &Before, const std::string &Path) {
  std::string What = "belongs to interval " + std::to_string(Interval) +
                     ", whose PREFETCH is not executed on the way from ";
  if (!Before.MI)
    What += "the function's start";
  else if (Text.prefetchAt(*Before.MI) != NoInterval)
    What += "that of interval " + std::to_string(Before.Interval) + " in " +
            instrPlace(*Before.MI);
  else if (Before.Interval != NoInterval)
    What += "interval " + std::to_string(Before.Interval);
  else
    What += "code that belongs to none";
  Run.report(rules::Prefetched, MI, {}, What, Path);
}

/// After a violation the interval counts as cached: what follows from it is not
/// told again.
void EntryVerifier::visit(unsigned Node) {
  const FlowNode &N = Flow.nodes()[Node];
  std::optional<LastStep> Before;
  for (const MachineInstr &MI : make_range(N.Begin, N.End)) {
    std::optional<LastStep> Step = stepOf(MI);
    if (!Step)
      continue;
    SmallVector<unsigned, 8> Path;
    std::optional<LastStep> Wrong;
    if (Text.isInstr(MI) && Step->Interval != NoInterval) {
      if (!Before)
        Wrong = wrongArrival(Node, Step->Interval, Path);
      else if (Before->Interval != Step->Interval)
        Wrong = Before;
    }
    if (Path.empty())
      Path.push_back(Node);
    if (Wrong)
      report(MI, Step->Interval, *Wrong, pathOf(Flow, Path));
    Before = Step;
  }
}

void EntryVerifier::run() {
  for (unsigned N = 0; N != Flow.nodes().size(); ++N)
    Last.push_back(lastStep(N));
  for (unsigned N = 0; N != Flow.nodes().size(); ++N)
    if (Reached[N])
      visit(N);
}

void verifyEntries(VerifierRun &Run, const IntervalText &Text) {
  EntryVerifier(Run, Text).run();
}

//===----------------------------------------------------------------------===//
// Strands
//===----------------------------------------------------------------------===//

namespace {

class StrandVerifier {
public:
  StrandVerifier(VerifierRun &Run, const IntervalText &Text)
      : Run(Run), Flow(Run.Flow), Text(Text), Facts(InstrFacts::get(Run.MF)),
        Reached(reachable(Flow)) {}
  void run() {
    verifyLatencies();
    verifyLoops();
  }

private:
  const MachineInstr *after(const MachineInstr &MI,
                            const MachineInstr *Long) const;
  void verifyLatencies();
  void verifyLoops();
  const MachineInstr *firstInStrand(unsigned Node) const;
  bool cycleThrough(unsigned Node, const std::vector<bool> &Plain,
                    SmallVectorImpl<unsigned> &Path) const;

  VerifierRun &Run;
  const WarpFlow &Flow;
  const IntervalText &Text;
  const InstrFacts &Facts;
  std::vector<bool> Reached;
};

} // namespace

/// What took long since the last PREFETCH, once \p MI is executed too.
const MachineInstr *StrandVerifier::after(const MachineInstr &MI,
                                          const MachineInstr *Long) const {
  if (Text.prefetchAt(MI) != NoInterval)
    return nullptr;
  return Text.isInstr(MI) && Facts.isLongLatency(MI) ? &MI : Long;
}

void StrandVerifier::verifyLatencies() {
  std::vector<const MachineInstr *> In(Flow.nodes().size());
  std::deque<unsigned> Worklist;
  for (unsigned N = 0; N != In.size(); ++N)
    if (Reached[N])
      Worklist.push_back(N);
  while (!Worklist.empty()) {
    const FlowNode &N = Flow.nodes()[Worklist.front()];
    const MachineInstr *Long = In[Worklist.front()];
    Worklist.pop_front();
    for (const MachineInstr &MI : make_range(N.Begin, N.End))
      Long = after(MI, Long);
    for (unsigned S : N.Succs)
      if (Long && !In[S]) {
        In[S] = Long;
        Worklist.push_back(S);
      }
  }
  SmallPtrSet<const MachineInstr *, 8> Told;
  for (unsigned Node = 0; Node != In.size(); ++Node) {
    const FlowNode &N = Flow.nodes()[Node];
    const MachineInstr *Long = In[Node];
    for (const MachineInstr &MI : make_range(N.Begin, N.End)) {
      if (Long && Text.isInstr(MI) && Text.intervalOf(MI) != NoInterval &&
          Told.insert(Long).second)
        Run.report(rules::Strand, MI, {},
                   "in strand " + std::to_string(Text.intervalOf(MI)) +
                       ", which ends with " + instrPlace(*Long) +
                       ", whose latency is long",
                   pathOf(Flow, SmallVector<unsigned, 2>{Node}));
      Long = after(MI, Long);
    }
  }
}

const MachineInstr *StrandVerifier::firstInStrand(unsigned Node) const {
  const FlowNode &N = Flow.nodes()[Node];
  for (const MachineInstr &MI : make_range(N.Begin, N.End))
    if (Text.isInstr(MI) && Text.intervalOf(MI) != NoInterval)
      return &MI;
  return nullptr;
}

/// True if a way leads from \p Node back to it over \p Plain nodes.
bool StrandVerifier::cycleThrough(unsigned Node, const std::vector<bool> &Plain,
                                  SmallVectorImpl<unsigned> &Path) const {
  constexpr unsigned Unseen = ~0u;
  std::vector<unsigned> From(Plain.size(), Unseen);
  std::deque<unsigned> Worklist = {Node};
  while (!Worklist.empty()) {
    unsigned N = Worklist.front();
    Worklist.pop_front();
    for (unsigned S : Flow.nodes()[N].Succs) {
      if (!Plain[S] || From[S] != Unseen)
        continue;
      From[S] = N;
      Worklist.push_back(S);
    }
  }
  if (From[Node] == Unseen)
    return false;
  Path.push_back(Node);
  for (unsigned N = From[Node]; N != Node; N = From[N])
    Path.push_back(N);
  Path.push_back(Node);
  std::reverse(Path.begin(), Path.end());
  return true;
}

/// Nodes without a PREFETCH that lie on no way from one to itself are taken
/// away until none is left.
void StrandVerifier::verifyLoops() {
  std::vector<SmallVector<unsigned, 2>> Preds = predecessors(Flow);
  std::vector<bool> Plain = Reached;
  for (unsigned Node = 0; Node != Plain.size(); ++Node) {
    const FlowNode &N = Flow.nodes()[Node];
    if (llvm::any_of(make_range(N.Begin, N.End), [&](const MachineInstr &MI) {
          return Text.prefetchAt(MI) != NoInterval;
        }))
      Plain[Node] = false;
  }
  std::vector<unsigned> Incoming(Plain.size()), Worklist;
  for (unsigned N = 0; N != Plain.size(); ++N) {
    Incoming[N] =
        llvm::count_if(Preds[N], [&](unsigned P) { return Plain[P]; });
    if (Plain[N] && !Incoming[N])
      Worklist.push_back(N);
  }
  while (!Worklist.empty()) {
    unsigned N = Worklist.back();
    Worklist.pop_back();
    Plain[N] = false;
    for (unsigned S : Flow.nodes()[N].Succs)
      if (!--Incoming[S] && Plain[S])
        Worklist.push_back(S);
  }
  std::vector<bool> Told(Run.Facts.get<IntervalBounds>()->Count);
  for (unsigned N = 0; N != Plain.size(); ++N) {
    const MachineInstr *MI = Plain[N] ? firstInStrand(N) : nullptr;
    SmallVector<unsigned, 8> Path;
    if (!MI || Told[Text.intervalOf(*MI)] || !cycleThrough(N, Plain, Path))
      continue;
    Told[Text.intervalOf(*MI)] = true;
    Run.report(rules::Strand, *MI, {},
               "in strand " + std::to_string(Text.intervalOf(*MI)) +
                   ", which a branch repeats without a PREFETCH",
               pathOf(Flow, Path));
  }
}

void verifyStrands(VerifierRun &Run, const IntervalText &Text) {
  StrandVerifier(Run, Text).run();
}

} // namespace regshare
