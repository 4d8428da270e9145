//===- VerifySHRF.cpp - The rules of SHRF ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A forward dataflow along the paths of one thread: which register's value
/// each slot of the cache holds, and which registers' values the main file may
/// not have. The cache is taken to be lost wherever the warp may leave the
/// active set and wherever its other lanes may run in between, whether a strand
/// is said to end there or not.
///
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/SHRF/SHRFRules.h"
#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

namespace {

/// Where a thread's values are.
struct CacheState {
  std::vector<std::optional<unsigned>> Slots; ///< The unit that each holds.
  RegSet NotInMain; ///< Units whose value was written to the cache alone.
  RegSet Late;      ///< Units whose value may be on its way from memory.

  void lose() { llvm::fill(Slots, std::nullopt); }
  void forgetUnit(unsigned Unit) {
    for (std::optional<unsigned> &Slot : Slots)
      if (Slot == Unit)
        Slot.reset();
  }
  /// What holds on this path and on that of \p Other. True if it is less.
  bool meet(const CacheState &Other);
  friend bool operator==(const CacheState &, const CacheState &) = default;
};

class CacheVerifier {
public:
  explicit CacheVerifier(VerifierRun &Run);
  void run();

private:
  void readStatements();
  void findResumed();
  bool mayLeave(const MachineInstr &MI, const CacheState &State) const;
  void checkOperands(const MachineInstr &Statement, const MachineInstr *MI,
                     const OperandPlaces &P);
  void checkReads(const MachineInstr &MI, const CacheState &State);
  void step(const MachineInstr &MI, CacheState &State, bool Report);
  CacheState across(unsigned Node, bool Report);

  VerifierRun &Run;
  const InstrFacts &Facts;
  const unsigned NumSlots; ///< That the function has.
  DenseMap<const MachineInstr *, OperandPlaces> Places;
  SmallPtrSet<const MachineInstr *, 16> StrandStarts;
  RegSet EverLate;
  std::vector<bool> Resumed; ///< By node: other lanes may have run before it.
  std::vector<std::optional<CacheState>> In; ///< By node.
};

} // namespace

bool CacheState::meet(const CacheState &Other) {
  CacheState Before = *this;
  for (unsigned Slot = 0; Slot != Slots.size(); ++Slot)
    if (Slots[Slot] != Other.Slots[Slot])
      Slots[Slot].reset();
  NotInMain |= Other.NotInMain;
  Late |= Other.Late;
  return !(*this == Before);
}

CacheVerifier::CacheVerifier(VerifierRun &Run)
    : Run(Run), Facts(InstrFacts::get(Run.MF)),
      NumSlots(Run.Facts.get<CacheSlots>()->Slots),
      Resumed(Run.Flow.nodes().size()), In(Run.Flow.nodes().size()) {
  readStatements();
  findResumed();
}

/// Waits for something, and may leave the active set for that long.
bool CacheVerifier::mayLeave(const MachineInstr &MI,
                             const CacheState &State) const {
  return Facts.mayPark(MI) || !(Run.Assignment.named(MI) & State.Late).empty();
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

static RegSet unitsOf(ArrayRef<CachePlace> Places) {
  RegSet Units;
  for (const CachePlace &P : Places)
    Units.set(P.Unit);
  return Units;
}

void CacheVerifier::checkOperands(const MachineInstr &Statement,
                                  const MachineInstr *MI,
                                  const OperandPlaces &P) {
  auto Complain = [&](const RegSet &Units, const std::string &What) {
    Run.report(rules::CachedOperand, Statement, Units, What);
  };
  if (!MI || MI->isInlineAsm() || MI->isMetaInstruction() || MI->isCall())
    return Complain({}, "stands before no instruction whose operands can be "
                        "in the cache");
  RegEffects E = Run.Assignment.effects(*MI);
  RegSet Others = (unitsOf(P.Read) | unitsOf(P.Fetch)) - E.Uses;
  if (!Others.empty())
    Complain(Others, Others.str() + " is not read by the instruction after it");
  RegSet Results = unitsOf(P.Cache) | unitsOf(P.Both);
  Others = Results - E.Defs;
  if (!Others.empty())
    Complain(Others,
             Others.str() + " is not written by the instruction after it");
  if (!Results.empty() && (Facts.comesLate(*MI) || Facts.mayPark(*MI)))
    Complain(Results, Results.str() + " may come when the strand is over");
  Places[MI] = P;
}

void CacheVerifier::readStatements() {
  const SettingValues &Settings = Run.Options.Settings;
  unsigned Most = Settings.has(settings::IntervalRegisters)
                      ? Settings.get<unsigned>(settings::IntervalRegisters)
                      : NumSlots;
  for (const PlacedStatement &S : Run.Statements) {
    if (S.Verb == "strand")
      StrandStarts.insert(S.MI);
    if (S.Verb == "cache" && NumSlots > Most)
      Run.report(rules::CacheSize, *S.MI, {},
                 std::to_string(NumSlots) +
                     " registers are asked for, where there are " +
                     std::to_string(Most));
    if (S.Verb != "operands")
      continue;
    checkOperands(*S.MI, instrAfterStatement(*S.MI), *parseOperands(S));
  }
  for (const MachineBasicBlock &MBB : Run.MF)
    for (const MachineInstr &MI : MBB)
      if (statementVerb(MI).empty() && Facts.comesLate(MI)) {
        RegEffects E = Run.Assignment.effects(MI);
        EverLate |= E.Defs | E.Temps;
      }
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// Where lanes go on that waited while others ran.
void CacheVerifier::findResumed() {
  ArrayRef<FlowNode> Nodes = Run.Flow.nodes();
  auto Mark = [&](ArrayRef<unsigned> Which) {
    for (unsigned Node : Which)
      Resumed[Node] = true;
  };
  for (const FlowNode &N : Nodes)
    if (N.Parts || N.Yield != YieldKind::None)
      Mark(N.Succs);
  for (const LaneSwitch &S : Run.Flow.switches()) {
    Mark(S.To);
    Mark(S.Parked);
    if (S.Meet)
      Mark(*S.Meet);
  }
  for (const LaneWait &W : Run.Flow.waits()) {
    Mark(W.Starts);
    for (unsigned Node : W.At)
      if (W.resumedAt(Node) < Nodes.size())
        Mark(W.resumedAt(Node));
  }
}

void CacheVerifier::checkReads(const MachineInstr &MI,
                               const CacheState &State) {
  RegSet FromMain = Run.Assignment.effects(MI).Uses;
  auto It = Places.find(&MI);
  if (It != Places.end())
    for (const CachePlace &P : It->second.Read) {
      FromMain.reset(P.Unit);
      const std::optional<unsigned> &Held = State.Slots[P.Slot];
      if (Held == P.Unit)
        continue;
      RegSet Unit;
      Unit.set(P.Unit);
      std::string Why = Held ? "holds R" + std::to_string(*Held)
                             : "may hold something else or nothing";
      Run.report(rules::InCache, MI, Unit,
                 "reads R" + std::to_string(P.Unit) + " from slot " +
                     std::to_string(P.Slot) + ", which " + Why);
    }
  RegSet Missing = FromMain & State.NotInMain;
  if (!Missing.empty())
    Run.report(rules::InMain, MI, Missing,
               "reads " + Missing.str() +
                   " from the main register file, where the cache alone may "
                   "have had it");
}

void CacheVerifier::step(const MachineInstr &MI, CacheState &State,
                         bool Report) {
  if (StrandStarts.count(&MI))
    State.lose();
  if (!statementVerb(MI).empty() ||
      (MI.isMetaInstruction() && !MI.isImplicitDef()))
    return;
  if (!MI.isImplicitDef() && mayLeave(MI, State))
    State.lose();
  if (Report)
    checkReads(MI, State);
  RegEffects E = Run.Assignment.effects(MI);
  RegSet Written = E.Defs | E.Temps;
  Written.forEach([&](unsigned Unit) { State.forgetUnit(Unit); });
  State.NotInMain -= Written;
  if (auto It = Places.find(&MI); It != Places.end()) {
    for (const auto *Filled :
         {&It->second.Fetch, &It->second.Cache, &It->second.Both})
      for (const CachePlace &P : *Filled)
        State.Slots[P.Slot] = P.Unit;
    State.NotInMain |= unitsOf(It->second.Cache);
  }
  if (MI.isImplicitDef())
    return;
  State.Late -= Run.Assignment.named(MI);
  if (Facts.comesLate(MI))
    State.Late |= Written;
  if (Facts.mayPark(MI)) {
    State.lose();
    State.Late |= EverLate;
  }
}

CacheState CacheVerifier::across(unsigned Node, bool Report) {
  CacheState State = *In[Node];
  if (Resumed[Node]) {
    State.lose();
    State.Late |= EverLate;
  }
  const FlowNode &N = Run.Flow.nodes()[Node];
  for (const MachineInstr &MI : llvm::make_range(N.Begin, N.End))
    step(MI, State, Report);
  return State;
}

void CacheVerifier::run() {
  In[0] = CacheState();
  In[0]->Slots.resize(NumSlots);
  std::vector<unsigned> Worklist = {0};
  while (!Worklist.empty()) {
    unsigned Node = Worklist.back();
    Worklist.pop_back();
    CacheState Out = across(Node, /*Report=*/false);
    for (unsigned Succ : Run.Flow.nodes()[Node].Succs) {
      bool Changed = !In[Succ];
      if (Changed)
        In[Succ] = Out;
      else
        Changed = In[Succ]->meet(Out);
      if (Changed)
        Worklist.push_back(Succ);
    }
  }
  for (unsigned Node = 0; Node != In.size(); ++Node)
    if (In[Node])
      across(Node, /*Report=*/true);
}

namespace {

class CacheRules final : public SchemeRules {
  void verify(VerifierRun &Run) const override { CacheVerifier(Run).run(); }
};

constexpr CacheRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::SHRF, Rules}};

} // namespace

extern const RulesFamily SHRFRules;
const RulesFamily SHRFRules = {Members};

} // namespace regshare
