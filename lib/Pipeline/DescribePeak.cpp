//===- DescribePeak.cpp - Find who holds registers ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribePeak.h"
#include "SourceText.h"
#include "ValueNames.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Pressure.h"
#include "regshare/Analysis/ThreadLiveness.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <queue>

using namespace llvm;

namespace regshare {

namespace {

/// An operand that defines a value. Without an operand: a temporary of inline
/// PTX.
using Definition = std::pair<const MachineInstr *, unsigned>;
using Definitions = SmallVector<Definition, 2>;
constexpr unsigned NoOperand = ~0u;

class PeakSearch {
public:
  PeakSearch(ArrayRef<const PressurePoint *> Points, unsigned Index,
             const ThreadLiveness &Liveness, const ValueNames &Names)
      : At(*Points[Index]->MI), MF(*At.getMF()),
        Assignment(Liveness.assignment()), Opcodes(NVPTXOpcodes::get(MF)),
        Names(Names) {
    readSets(Liveness);
    for (auto [N, P] : enumerate(Points))
      Order[P->MI] = N;
  }

  std::vector<PeakValue> values();

private:
  void readSets(const ThreadLiveness &Liveness);
  std::optional<Definition> definitionIn(const MachineInstr &MI,
                                         unsigned Unit) const;
  Definitions definitionsOf(const MachineInstr &From, unsigned Unit,
                            bool Including) const;
  const MachineInstr *findUse(unsigned Unit, unsigned &Distance) const;
  void addNames(const Definition &D, unsigned Unit, bool ThroughCopies,
                PeakValue &V, SmallSet<const MachineInstr *, 8> &Seen) const;
  void addNames(const Definitions &Defs, unsigned Unit, PeakValue &V) const;
  const MachineOperand *parameterOperand(const MachineInstr &MI) const;
  std::string parameterName(const MachineInstr &MI) const;
  const MachineOperand *convertedAddress(const MachineInstr &MI) const;
  std::string expressionAt(const SourcePlace &P);
  std::string purposeOf(const MachineInstr &User, unsigned Unit);
  void describeUse(ArrayRef<unsigned> Units, PeakValue &V);
  void judge(const Definitions &Defs, PeakValue &V) const;
  void judgeSources(const MachineInstr &MI, PeakValue &V) const;
  PeakValue describe(const Definitions &Defs, ArrayRef<unsigned> Units);

  const MachineInstr &At;
  const MachineFunction &MF;
  const RegisterAssignment &Assignment;
  const NVPTXOpcodes &Opcodes;
  const ValueNames &Names;
  RegSet Held, Before;
  bool IsAfter = false; ///< What is held after the instruction is what counts.
  DenseMap<const MachineInstr *, unsigned> Order; ///< Among the points.
  SourceText Source;
};

} // namespace

/// The larger of what is held before and after; both where inline PTX has
/// temporaries.
void PeakSearch::readSets(const ThreadLiveness &Liveness) {
  RegSet After;
  Liveness.forEachBackward(
      *At.getParent(),
      [&](const MachineInstr &MI, const RegSet &In, const RegSet &Out) {
        if (&MI == &At) {
          Before = In;
          After = Out;
        }
      });
  RegEffects E = effectsHeld(At, Assignment);
  After |= E.Defs;
  IsAfter = After.countUnits() > Before.countUnits();
  Held = IsAfter ? After : Before;
  if (!E.Temps.empty())
    Held = Before | After | E.Temps;
}

/// The operand of \p MI that writes the unit last.
std::optional<Definition> PeakSearch::definitionIn(const MachineInstr &MI,
                                                   unsigned Unit) const {
  std::optional<Definition> Found;
  for (const MachineOperand &MO : MI.all_defs()) {
    if (!MO.getReg().isVirtual())
      continue;
    RegSet Written;
    if (ArchReg R = Assignment.lookup(MO.getReg()); R.isValid())
      Written.insert(R);
    if (Written.test(Unit))
      Found = {&MI, MO.getOperandNo()};
  }
  if (!Found && Assignment.effects(MI).Temps.test(Unit))
    Found = {&MI, NoOperand};
  return Found;
}

/// The definitions of a unit that reach \p From; \p Including its own.
Definitions PeakSearch::definitionsOf(const MachineInstr &From, unsigned Unit,
                                      bool Including) const {
  Definitions Found;
  SmallSet<const MachineBasicBlock *, 8> Seen;
  SmallVector<std::pair<const MachineBasicBlock *, const MachineInstr *>, 8>
      Open{{From.getParent(), Including ? &From : From.getPrevNode()}};
  while (!Open.empty()) {
    auto [Block, Last] = Open.pop_back_val();
    std::optional<Definition> D;
    for (const MachineInstr *MI = Last; MI && !D; MI = MI->getPrevNode())
      D = definitionIn(*MI, Unit);
    if (D) {
      Found.push_back(*D);
      continue;
    }
    for (const MachineBasicBlock *Pred : Block->predecessors())
      if (Seen.insert(Pred).second)
        Open.push_back({Pred, Pred->empty() ? nullptr : &Pred->back()});
  }
  llvm::sort(Found, [&](const Definition &A, const Definition &B) {
    return std::pair(Order.lookup(A.first), A.second) <
           std::pair(Order.lookup(B.first), B.second);
  });
  Found.erase(llvm::unique(Found), Found.end());
  return Found;
}

static bool isCounted(const MachineInstr &MI) {
  return !MI.isDebugInstr() && statementVerb(MI).empty();
}

/// The nearest instruction that reads a unit before it is written, and how many
/// instructions come before it on the way.
const MachineInstr *PeakSearch::findUse(unsigned Unit,
                                        unsigned &Distance) const {
  struct Way {
    unsigned Length;
    unsigned Number; ///< So that ways of equal length have an order.
    const MachineBasicBlock *Block;
    const MachineInstr *First;
    bool operator<(const Way &W) const {
      return std::pair(Length, Number) > std::pair(W.Length, W.Number);
    }
  };
  std::priority_queue<Way> Open;
  bool Skips = IsAfter || !Before.test(Unit);
  Open.push({0, 0, At.getParent(), Skips ? At.getNextNode() : &At});
  SmallSet<const MachineBasicBlock *, 8> Seen;
  const MachineInstr *Nearest = nullptr;
  while (!Open.empty() && (!Nearest || Open.top().Length < Distance)) {
    Way W = Open.top();
    Open.pop();
    bool Ends = false;
    for (const MachineInstr *MI = W.First; MI && !Ends;
         MI = MI->getNextNode()) {
      RegEffects E = Assignment.effects(*MI);
      if (E.Uses.test(Unit) && (!Nearest || W.Length < Distance)) {
        Nearest = MI;
        Distance = W.Length;
      }
      Ends = E.Uses.test(Unit) || E.Defs.test(Unit);
      W.Length += isCounted(*MI);
    }
    for (const MachineBasicBlock *Succ : W.Block->successors())
      if (!Ends && Seen.insert(Succ).second)
        Open.push({W.Length, unsigned(Succ->getNumber()), Succ,
                   Succ->empty() ? nullptr : &Succ->front()});
  }
  return Nearest;
}

/// The operand that names one of the kernel's parameters: that of \p MI, or of
/// what made the address that it reads; null if there is none.
const MachineOperand *
PeakSearch::parameterOperand(const MachineInstr &MI) const {
  for (const MachineOperand &MO : MI.operands())
    if (MO.isSymbol() &&
        StringRef(MO.getSymbolName()).rsplit("_param_").first == MF.getName())
      return &MO;
  if (!MI.mayLoad() || MI.memoperands_empty() ||
      (*MI.memoperands_begin())->getAddrSpace() != ParamAddressSpace)
    return nullptr;
  for (const MachineOperand &MO : MI.all_uses()) {
    ArchReg Base =
        MO.getReg().isVirtual() ? Assignment.lookup(MO.getReg()) : ArchReg();
    if (!Base.isValid() || Base.isPred())
      continue;
    Definitions Made = definitionsOf(MI, Base.Index, /*Including=*/false);
    return Made.size() == 1 ? parameterOperand(*Made.front().first) : nullptr;
  }
  return nullptr;
}

/// What the source calls the parameter that \p MI loads.
std::string PeakSearch::parameterName(const MachineInstr &MI) const {
  const MachineOperand *Symbol = MI.mayLoad() ? parameterOperand(MI) : nullptr;
  unsigned N = 0;
  if (!Symbol ||
      StringRef(Symbol->getSymbolName())
          .rsplit("_param_")
          .second.getAsInteger(10, N) ||
      N >= MF.getFunction().arg_size())
    return "";
  // The offset is the load's last operand.
  const MachineOperand &Last = MI.getOperand(MI.getNumExplicitOperands() - 1);
  LocationSize Size = MI.memoperands_empty()
                          ? LocationSize::beforeOrAfterPointer()
                          : (*MI.memoperands_begin())->getSize();
  return nameOfParameter(*MF.getFunction().getArg(N),
                         Last.isImm() ? uint64_t(Last.getImm()) : 0,
                         Size.hasValue() ? Size.getValue().getFixedValue() : 0);
}

/// What \p MI makes an address for another space of; null if it does not.
const MachineOperand *
PeakSearch::convertedAddress(const MachineInstr &MI) const {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  if (!TII.getName(MI.getOpcode()).starts_with("cvta_"))
    return nullptr;
  const MachineOperand &From = MI.getOperand(1);
  return From.isReg() && From.getReg().isVirtual() &&
                 Assignment.lookup(From.getReg()).isValid()
             ? &From
             : nullptr;
}

/// Those that debug information has for the definition. \p ThroughCopies: for a
/// copy, or an address for another space, those of what it is made of.
void PeakSearch::addNames(const Definition &D, unsigned Unit,
                          bool ThroughCopies, PeakValue &V,
                          SmallSet<const MachineInstr *, 8> &Seen) const {
  const auto &[MI, Operand] = D;
  if (Operand == NoOperand || !Seen.insert(MI).second)
    return;
  for (const ValueName &N : Names.of(*MI, Operand))
    if (!is_contained(V.Names, N))
      V.Names.push_back(N);
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  bool IsCopy =
      Opcodes.isCopy(*MI) || TII.getName(MI->getOpcode()).starts_with("cvta_");
  if (!ThroughCopies || !IsCopy || !MI->getOperand(1).isReg())
    return;
  ArchReg From = Assignment.lookup(MI->getOperand(1).getReg());
  ArchReg To = Assignment.lookup(MI->getOperand(0).getReg());
  if (!From.isValid() || !To.isValid() || From.isPred() != To.isPred())
    return;
  unsigned Source = Unit - To.Index + From.Index;
  for (const Definition &Of : definitionsOf(*MI, Source, /*Including=*/false))
    addNames(Of, Source, ThroughCopies, V, Seen);
}

/// Names of a value with the definitions \p Defs; where it has none of its own,
/// those of what it is a copy of.
void PeakSearch::addNames(const Definitions &Defs, unsigned Unit,
                          PeakValue &V) const {
  for (bool ThroughCopies : {false, true}) {
    SmallSet<const MachineInstr *, 8> Seen;
    for (const Definition &D : Defs)
      if (V.Names.empty() || !ThroughCopies)
        addNames(D, Unit, ThroughCopies, V, Seen);
  }
}

std::string PeakSearch::expressionAt(const SourcePlace &P) {
  return P.isKnown()
             ? regshare::expressionAt(Source.line(P.File, P.Line), P.Column)
             : "";
}

/// What \p User does with a value.
std::string PeakSearch::purposeOf(const MachineInstr &User, unsigned Unit) {
  std::string Text = expressionAt(placeOf(User));
  if (Text.empty())
    return "";
  if (!User.mayLoadOrStore())
    return "for " + Text;
  // A store has what it stores before its address.
  bool IsStored = any_of(User.operands(), [&](const MachineOperand &MO) {
    if (User.mayLoad() || !MO.isReg() || !MO.getReg().isVirtual())
      return false;
    RegSet Read;
    if (ArchReg R = Assignment.lookup(MO.getReg()); R.isValid())
      Read.insert(R);
    return Read.test(Unit) && MO.getOperandNo() == 0;
  });
  return (IsStored ? "for " : "address of ") + Text;
}

/// The space that a load reads, as far as it says so.
static std::string spaceOf(const MachineInstr &MI) {
  if (MI.memoperands_empty())
    return "";
  switch ((*MI.memoperands_begin())->getAddrSpace()) {
  case GlobalAddressSpace:
    return "global";
  case SharedAddressSpace:
    return "shared";
  case ConstantAddressSpace:
    return "constant";
  case LocalAddressSpace:
    return "local";
  }
  return "";
}

static ComputeAgain kindOfConstant(StringRef Opcode) {
  return StringSwitch<ComputeAgain>(Opcode)
      .StartsWith("INT_PTX_SREG", ComputeAgain::SpecialRegister)
      .StartsWith("LD", ComputeAgain::Parameter)
      .Default(ComputeAgain::Constant);
}

void PeakSearch::judge(const Definitions &Defs, PeakValue &V) const {
  if (Defs.size() != 1) {
    V.Again = ComputeAgain::SeveralPlaces;
    return;
  }
  const MachineInstr &MI = *Defs.front().first;
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  if (const MachineOperand *Address = convertedAddress(MI)) {
    // As easily as what is converted.
    ArchReg From = Assignment.lookup(Address->getReg());
    judge(definitionsOf(MI, From.Index, /*Including=*/false), V);
  } else if (Opcodes.isRematerializable(MI)) {
    V.Again = kindOfConstant(TII.getName(MI.getOpcode()));
  } else if (MI.mayLoad() && parameterOperand(MI)) {
    V.Again = ComputeAgain::Parameter;
  } else if (MI.isInlineAsm() && InstrFacts::get(MF).isPlainArithmetic(MI)) {
    judgeSources(MI, V);
  } else if (MI.isInlineAsm() || MI.isCall() || MI.mayStore() ||
             MI.hasUnmodeledSideEffects()) {
    V.Again = ComputeAgain::Opaque;
  } else if (MI.mayLoad()) {
    V.Again = ComputeAgain::Memory;
    V.Cause = spaceOf(MI);
  } else {
    judgeSources(MI, V);
  }
}

/// Whether everything that \p MI reads is held here as it was there.
void PeakSearch::judgeSources(const MachineInstr &MI, PeakValue &V) const {
  V.Again = ComputeAgain::FromOthers;
  RegSet Uses = Assignment.effects(MI).Uses;
  for (unsigned Unit = 0; Unit != RegSet::PredBase + NumPredicates; ++Unit) {
    if (!Uses.test(Unit))
      continue;
    Definitions There = definitionsOf(MI, Unit, /*Including=*/false);
    bool Including = IsAfter || !Before.test(Unit);
    if (Held.test(Unit) && definitionsOf(At, Unit, Including) == There)
      continue;
    V.Again = ComputeAgain::SourcesGone;
    PeakValue Gone;
    addNames(There, Unit, Gone);
    // That a variable needs what it was before says nothing.
    for (const ValueName &N : Gone.Names)
      if (N.IsWhole && V.Cause.empty() && !is_contained(V.Names, N))
        V.Cause = N.Variable;
  }
}

/// "R4_5", "H3".
static std::string spell(const Definition &D, ArrayRef<unsigned> Units,
                         const RegisterAssignment &Assignment) {
  if (D.first && D.second != NoOperand)
    if (ArchReg R = Assignment.lookup(D.first->getOperand(D.second).getReg());
        R.units() == Units.size())
      return R.name();
  std::string Name = "R";
  ListSeparator Between("_");
  raw_string_ostream OS(Name);
  for (unsigned U : Units)
    OS << Between << U;
  return Name;
}

PeakValue PeakSearch::describe(const Definitions &Defs,
                               ArrayRef<unsigned> Units) {
  PeakValue V;
  V.Units = Units.size();
  V.Register =
      spell(Defs.empty() ? Definition() : Defs.front(), Units, Assignment);
  addNames(Defs, Units.front(), V);
  for (const Definition &D : Defs)
    V.DefinedBy.push_back(Order.lookup(D.first));
  for (const Definition &D : Defs)
    if (SourcePlace P = placeOf(*D.first);
        P.isKnown() && !is_contained(V.Definitions, P))
      V.Definitions.push_back(P);
  if (!V.Definitions.empty())
    V.Expression = expressionAt(V.Definitions.front());
  if (!Defs.empty()) {
    const MachineInstr &First = *Defs.front().first;
    V.Instruction =
        MF.getSubtarget().getInstrInfo()->getName(First.getOpcode()).str();
    if (std::string Name = parameterName(First);
        !Name.empty() && V.Names.empty())
      V.Names.push_back({Name, "", true});
  }
  judge(Defs, V);
  describeUse(Units, V);
  // What a statement says of itself is better than nothing.
  if (V.Names.empty() && V.Expression.empty() && V.Purpose.empty() &&
      !V.Definitions.empty()) {
    const SourcePlace &P = V.Definitions.front();
    V.Expression = Source.line(P.File, P.Line).trim().str();
  }
  return V;
}

void PeakSearch::describeUse(ArrayRef<unsigned> Units, PeakValue &V) {
  for (unsigned U : Units) {
    unsigned Distance = 0;
    const MachineInstr *Use = findUse(U, Distance);
    if (!Use || (V.ReadBy && V.Distance <= Distance))
      continue;
    V.Distance = Distance;
    V.ReadBy = Order.lookup(Use);
    V.NextUse = placeOf(*Use);
    V.Purpose = purposeOf(*Use, U);
  }
}

std::vector<PeakValue> PeakSearch::values() {
  std::map<std::vector<std::pair<unsigned, unsigned>>,
           std::pair<Definitions, SmallVector<unsigned, 2>>>
      ByDefinitions;
  for (unsigned Unit = 0; Unit != MaxArchUnits; ++Unit) {
    if (!Held.test(Unit))
      continue;
    bool Including = IsAfter || !Before.test(Unit);
    Definitions Defs = definitionsOf(At, Unit, Including);
    std::vector<std::pair<unsigned, unsigned>> Key;
    for (const Definition &D : Defs)
      Key.push_back({Order.lookup(D.first), D.second});
    auto &[Of, Units] = ByDefinitions[Key];
    Of = Defs;
    Units.push_back(Unit);
  }
  std::vector<PeakValue> Values;
  Values.reserve(ByDefinitions.size());
  for (const auto &[Key, Value] : ByDefinitions)
    Values.push_back(describe(Value.first, Value.second));
  auto Key = [](const PeakValue &V) { return V.ReadBy ? V.Distance : ~0u; };
  llvm::sort(Values, [&](const PeakValue &A, const PeakValue &B) {
    return std::tuple(Key(B), A.Register) < std::tuple(Key(A), B.Register);
  });
  return Values;
}

std::vector<PeakValue> describePeak(ArrayRef<const PressurePoint *> Points,
                                    unsigned At, const ThreadLiveness &Liveness,
                                    const ValueNames &Names) {
  return PeakSearch(Points, At, Liveness, Names).values();
}

} // namespace regshare
