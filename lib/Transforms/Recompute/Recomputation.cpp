//===- Recomputation.cpp - Values computed again at their uses ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recomputation.h"

#include "Transforms/Assign/UsePlace.h"

#include "regshare/Analysis/WaitPoints.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// Instructions for one use of a value at most.
static constexpr unsigned MaxChain = 4;
/// Within so many instructions a value is not computed again.
static constexpr uint32_t Near = 6;
/// Operands of a load: its address space, its address before the offset, all.
static constexpr unsigned LoadSpace = 3, LoadAddress = 7, LoadOperands = 9;

/// Integer arithmetic that takes a cycle or two of an ordinary unit.
static bool isCheapArithmetic(StringRef Name) {
  return StringSwitch<bool>(Name)
      .StartsWith("ADD32", true)
      .StartsWith("ADD64", true)
      .StartsWith("SUB32", true)
      .StartsWith("SUB64", true)
      .StartsWith("MUL_WIDE", true)
      .StartsWith("MUL_LO_S32", true)
      .StartsWith("MAD_LO_S32", true)
      .StartsWith("MAD_WIDE", true)
      .StartsWith("SHL32", true)
      .StartsWith("SHL64", true)
      .StartsWith("SRA32", true)
      .StartsWith("SRA64", true)
      .StartsWith("SRL32", true)
      .StartsWith("SRL64", true)
      .StartsWith("AND_b", true)
      .StartsWith("OR_b", true)
      .StartsWith("XOR_b", true)
      .StartsWith("SMAX32", true)
      .StartsWith("SMIN32", true)
      .StartsWith("UMAX32", true)
      .StartsWith("UMIN32", true)
      .StartsWith("SELP_b", true)
      .StartsWith("CVT_s64_s32", true)
      .StartsWith("CVT_u64_u32", true)
      .StartsWith("CVT_u32_u64", true)
      .Default(false);
}

MachineInstr *Recomputation::soleDef(Register VReg) const {
  MachineInstr *Def = nullptr;
  for (MachineInstr &MI : MF.getRegInfo().def_instructions(VReg)) {
    if (Def)
      return nullptr;
    Def = &MI;
  }
  return Def;
}

/// The symbol of the parameter that \p Load reads at an address in a register,
/// as of a member of a struct; null for anything else.
const char *Recomputation::paramOf(const MachineInstr &Load) const {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  StringRef Name = TII.getName(Load.getOpcode());
  if ((Name != "LD_i32" && Name != "LD_i64") ||
      Load.getNumExplicitOperands() != LoadOperands ||
      !Load.getOperand(LoadSpace).isImm() ||
      Load.getOperand(LoadSpace).getImm() != ParamAddressSpace ||
      !Load.getOperand(LoadAddress).isReg())
    return nullptr;
  const MachineInstr *Address = soleDef(Load.getOperand(LoadAddress).getReg());
  if (!Address || TII.getName(Address->getOpcode()) != "MOV_B64_sym" ||
      !Address->getOperand(1).isSymbol())
    return nullptr;
  return Address->getOperand(1).getSymbolName();
}

RegKind Recomputation::kindOfValue(const MachineInstr &MI) const {
  return *kindOf(*MF.getRegInfo().getRegClass(MI.getOperand(0).getReg()),
                 *MF.getSubtarget().getRegisterInfo());
}

/// Predicates are few, and nobody is short of them. What regshare-schedule has
/// guarded has operands beyond its own.
bool Recomputation::isCheap(const MachineInstr &MI) const {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  if (MI.getNumExplicitDefs() != 1 || !MI.getOperand(0).isReg() ||
      MI.getNumOperands() != MI.getNumExplicitOperands() ||
      kindOfValue(MI) == RegKind::Pred)
    return false;
  if (NVPTXOpcodes::get(MF).isRematerializable(MI))
    return true;
  return !MI.mayLoadOrStore() && !MI.isConvergent() && !MI.isInlineAsm() &&
         isCheapArithmetic(TII.getName(MI.getOpcode()));
}

bool Recomputation::dominates(const MachineInstr &Def, uint32_t At) const {
  uint32_t From = IndexOf.lookup(&Def);
  const MachineBasicBlock *To = Blocks[At];
  return Def.getParent() == To ? From < At
                               : MDT->dominates(Def.getParent(), To);
}

/// True if what the only definition of \p VReg wrote before \p Reader is still
/// there at instruction \p At, which Reader dominates. Where each dominates the
/// next, no path leads from Reader to At through another visit of the first.
bool Recomputation::isAvailable(Register VReg, uint32_t Reader, uint32_t At,
                                const ValueRanges &Ranges) const {
  if (nativePlace(MF.getRegInfo(), VReg) == NativePlace::Constant)
    return true;
  uint32_t V = Ranges.Live.valueOf(VReg);
  if (V == ~0u || Chosen.contains(V) || !isLive(Ranges.ThreadPoints[V], 2 * At))
    return false;
  const MachineInstr *Def = soleDef(VReg);
  return Def && dominates(*Def, Reader);
}

/// Adds to \p Defs what computes \p VReg at instruction \p At as its only
/// definition did, which dominates \p Reader.
bool Recomputation::chainFor(Register VReg, uint32_t Reader, uint32_t At,
                             const ValueRanges &Ranges, Chain &Defs) const {
  MachineInstr *Def = soleDef(VReg);
  if (!Def || Defs.size() >= MaxChain || !dominates(*Def, Reader))
    return false;
  if (Defs.contains(Def))
    return true;
  if (!paramOf(*Def)) {
    if (!isCheap(*Def))
      return false;
    uint32_t Here = IndexOf.lookup(Def);
    for (const MachineOperand &MO : Def->uses())
      if (MO.isReg() && MO.getReg().isVirtual() &&
          !isAvailable(MO.getReg(), Here, At, Ranges) &&
          !chainFor(MO.getReg(), Here, At, Ranges, Defs))
        return false;
  }
  Defs.insert(Def);
  return Defs.size() <= MaxChain;
}

void Recomputation::look(const ValueRanges &Ranges, const WaitPoints *Waits) {
  MDT.emplace(MF);
  WaitsBefore.assign(1, 0);
  for (const MachineInstr *MI : Ranges.Instrs) {
    IndexOf[MI] = Blocks.size();
    Blocks.push_back(MI->getParent());
    WaitsBefore.push_back(WaitsBefore.back() + (Waits && Waits->isWait(*MI)));
  }
}

/// True if a value had at \p From may as well stay until \p To.
bool Recomputation::isNear(uint32_t From, uint32_t To) const {
  return From <= To && To - From <= Near && Blocks[From] == Blocks[To] &&
         WaitsBefore[From] == WaitsBefore[To];
}

/// In the order of the code. What was added counts as its anchor.
std::vector<Recomputation::Site> Recomputation::sitesOf(Register VReg) const {
  SmallSetVector<MachineInstr *, 16> Users;
  for (MachineInstr &MI : MF.getRegInfo().use_nodbg_instructions(VReg))
    Users.insert(&MI);
  std::vector<Site> Sites;
  for (MachineInstr *MI : Users) {
    const MachineInstr &At = *placeFor(*MI);
    Sites.push_back({MI, IndexOf.lookup(&At), OrderOf.lookup(MI)});
  }
  llvm::sort(Sites, [](const Site &A, const Site &B) {
    return std::tie(A.Anchor, A.Within) < std::tie(B.Anchor, B.Within);
  });
  return Sites;
}

/// Calls \p Fn(first of the sites, its chain, all sites that share it) for what
/// would be computed again for \p VReg; false if it cannot be everywhere.
bool Recomputation::forEachChain(
    Register VReg, const ValueRanges &Ranges,
    function_ref<void(const Chain &, ArrayRef<Site>)> Fn) const {
  MachineInstr *Def = soleDef(VReg);
  std::vector<Site> Sites = sitesOf(VReg);
  for (size_t I = 0, End; I != Sites.size(); I = End) {
    for (End = I + 1;
         End != Sites.size() && isNear(Sites[I].Anchor, Sites[End].Anchor);)
      ++End;
    // What an inline-PTX block reads has its statement right before it.
    if (Sites[I].User->isInlineAsm())
      return false;
    if (isNear(IndexOf.lookup(Def), Sites[I].Anchor))
      continue;
    Chain Defs;
    if (!chainFor(VReg, Sites[I].Anchor, Sites[I].Anchor, Ranges, Defs))
      return false;
    Fn(Defs, ArrayRef(Sites).slice(I, End - I));
  }
  return true;
}

/// Executions of instructions that computing \p Value again would add; nothing
/// if that is not possible or of no use.
std::optional<double> Recomputation::cost(uint32_t Value,
                                          const ValueRanges &Ranges,
                                          BlockFrequency Freq) const {
  const LiveValue &V = Ranges.Live.Values[Value];
  if (V.Asm || V.Kind == RegKind::Pred || V.Kind == RegKind::B128 ||
      !soleDef(V.VReg))
    return std::nullopt;
  bool Any = false;
  double Cost = 0;
  bool Possible =
      forEachChain(V.VReg, Ranges, [&](const Chain &Defs, ArrayRef<Site> Of) {
        Any = true;
        Cost += Defs.size() * Freq(*Blocks[Of.front().Anchor]);
      });
  return Possible && Any ? std::optional(Cost) : std::nullopt;
}

/// By point, the units of values that \p Goal counts.
std::vector<int> Recomputation::pressure(const ValueRanges &Ranges,
                                         const RecomputeGoal &Goal) {
  std::vector<int> Pressure(2 * Ranges.Instrs.size(), int(Ranges.Reserved));
  Counts.assign(Ranges.Live.Values.size(), false);
  for (uint32_t V = 0; V != Counts.size(); ++V) {
    Counts[V] =
        Ranges.Live.Values[V].Kind != RegKind::Pred &&
        (!Goal.AtWaits || llvm::any_of(Ranges.WarpInstrs[V], [&](IndexRange R) {
          return WaitsBefore[R.First] != WaitsBefore[R.End];
        }));
    if (Counts[V])
      change(Pressure, V, Ranges, 1);
  }
  return Pressure;
}

void Recomputation::change(std::vector<int> &Pressure, uint32_t Value,
                           const ValueRanges &Ranges, int Sign) const {
  int Units = Sign * int(unitsOf(Ranges.Live.Values[Value].Kind));
  for (IndexRange R : Ranges.ThreadPoints[Value])
    for (uint32_t P = R.First; P != R.End; ++P)
      Pressure[P] += Units;
}

/// The value to compute again for the sake of \p Point; ~0: there is none.
uint32_t Recomputation::best(uint32_t Point, ArrayRef<int> Pressure,
                             ArrayRef<std::optional<double>> Costs,
                             const ValueRanges &Ranges,
                             const RecomputeGoal &Goal) const {
  uint32_t Best = ~0u;
  double BestPrice = 0;
  for (uint32_t V = 0; V != Counts.size(); ++V) {
    unsigned Units = unitsOf(Ranges.Live.Values[V].Kind);
    if (!Counts[V] || Chosen.contains(V) || !Costs[V] ||
        *Costs[V] > Goal.MostCost * Units ||
        !isLive(Ranges.ThreadPoints[V], Point))
      continue;
    unsigned Relief = 0;
    for (IndexRange R : Ranges.ThreadPoints[V])
      for (uint32_t P = R.First; P != R.End; ++P)
        Relief += Pressure[P] > int(Goal.Target) ? Units : 0;
    constexpr double Nothing = 1e-6; // Of two for nothing, what relieves more.
    double Price = (*Costs[V] + Nothing) / std::max(Relief, 1u);
    if (Best == ~0u || Price < BestPrice) {
      Best = V;
      BestPrice = Price;
    }
  }
  return Best;
}

unsigned Recomputation::choose(const ValueRanges &Ranges,
                               const WaitPoints *Waits, BlockFrequency Freq,
                               const RecomputeGoal &Goal) {
  look(Ranges, Waits);
  std::vector<int> Pressure = pressure(Ranges, Goal);
  if (Pressure.empty())
    return 0;
  while (true) {
    auto Peak = std::ranges::max_element(Pressure);
    if (*Peak <= int(Goal.Target) || Chosen.size() == Goal.MostValues)
      return *Peak;
    // What is chosen changes what the others cost.
    std::vector<std::optional<double>> Costs(Counts.size());
    for (uint32_t V = 0; V != Counts.size(); ++V)
      if (Counts[V] && !Chosen.contains(V) &&
          isLive(Ranges.ThreadPoints[V], Peak - Pressure.begin()))
        Costs[V] = cost(V, Ranges, Freq);
    uint32_t V = best(Peak - Pressure.begin(), Pressure, Costs, Ranges, Goal);
    if (V == ~0u)
      return *Peak;
    change(Pressure, V, Ranges, -1);
    // For a moment it is live at its uses.
    if (!Goal.AtWaits)
      for (const Site &S : sitesOf(Ranges.Live.Values[V].VReg))
        Pressure[2 * S.Anchor] += unitsOf(Ranges.Live.Values[V].Kind);
    Chosen.insert(V);
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// True if the results on the way to the value find units that nobody has.
bool Recomputation::hasPlaces(const Chain &Defs) const {
  if (!Places)
    return true;
  unsigned Free = FirstFree;
  for (const MachineInstr *Def : llvm::drop_end(Defs)) {
    unsigned Units = unitsOf(kindOfValue(*Def));
    Free = alignTo(Free, Units) + Units;
  }
  return Free <= MaxArchUnits;
}

/// Copies of \p Defs before the first user; the last one's result has the place
/// of the value that it is.
Register Recomputation::insertChain(const Chain &Defs, const Site &Of) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MachineBasicBlock::iterator Before = placeFor(*Of.User);
  DenseMap<Register, Register> Renamed;
  unsigned Free = FirstFree;
  Register New;
  for (MachineInstr *Def : Defs) {
    MachineInstr *Clone = MF.CloneMachineInstr(Def);
    if (const char *Param = paramOf(*Def))
      Clone->getOperand(LoadAddress).ChangeToES(Param);
    Register Old = Def->getOperand(0).getReg();
    for (MachineOperand &MO : Clone->operands())
      if (MO.isReg() && MO.getReg().isVirtual()) {
        if (auto It = Renamed.find(MO.getReg());
            It != Renamed.end() && MO.isUse())
          MO.setReg(It->second);
        MO.isDef() ? MO.setIsDead(false) : MO.setIsKill(false);
      }
    New = MRI.createVirtualRegister(MRI.getRegClass(Old));
    Clone->getOperand(0).setReg(New);
    Renamed[Old] = New;
    if (Places) {
      RegKind Kind = kindOfValue(*Clone);
      Free = alignTo(Free, unitsOf(Kind));
      Places->assign(New, Def == Defs.back() ? Places->lookup(Old)
                                             : ArchReg{Kind, uint8_t(Free)});
      Free += unitsOf(Kind);
    }
    Of.User->getParent()->insert(Before, Clone);
    IndexOf[Clone] = Of.Anchor;
    Added.push_back(Clone);
  }
  return New;
}

void Recomputation::number() {
  OrderOf.clear();
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      OrderOf[&MI] = OrderOf.size();
}

/// Removes \p MI, what is folded into it, and what only those read.
void Recomputation::remove(MachineInstr &MI) {
  MachineBasicBlock &MBB = *MI.getParent();
  auto First = groupBegin(MBB, MI.getIterator());
  SmallSetVector<Register, 4> Read;
  for (MachineInstr &Member : make_early_inc_range(
           make_range(First, std::next(MachineBasicBlock::iterator(MI))))) {
    for (const MachineOperand &MO : Member.all_uses())
      if (MO.getReg().isVirtual())
        Read.insert(MO.getReg());
    Removed.push_back({&Member, &MBB, Member.getNextNode()});
    Member.removeFromParent();
  }
  for (Register VReg : Read)
    if (MachineInstr *Def = soleDef(VReg);
        Def && isCheap(*Def) && MF.getRegInfo().use_nodbg_empty(VReg))
      remove(*Def);
}

void Recomputation::recompute(Register VReg, const ValueRanges &Ranges) {
  if (!soleDef(VReg))
    return; // Nobody reads it any more.
  number();
  std::vector<std::pair<Chain, std::vector<Site>>> All;
  bool Fit = true;
  if (!forEachChain(VReg, Ranges,
                    [&](const Chain &Defs, ArrayRef<Site> Of) {
                      Fit &= hasPlaces(Defs);
                      All.emplace_back(Defs, Of.vec());
                    }) ||
      !Fit)
    return;
  MachineRegisterInfo &MRI = MF.getRegInfo();
  for (auto &[Defs, Sites] : All) {
    Register New = insertChain(Defs, Sites.front());
    for (const Site &S : Sites)
      for (MachineOperand &MO : S.User->all_uses())
        if (MO.getReg() == VReg) {
          // With places, both mean the same register.
          if (!Places)
            Replaced.emplace_back(&MO, VReg);
          MO.setReg(New);
        }
    // What they are computed from lives longer now.
    for (MachineInstr *Def : Defs)
      for (const MachineOperand &MO : Def->all_uses())
        if (MO.getReg().isVirtual())
          MRI.clearKillFlags(MO.getReg());
  }
  MRI.clearKillFlags(VReg);
  if (MRI.use_nodbg_empty(VReg))
    remove(*soleDef(VReg));
}

void Recomputation::apply(const ValueRanges &Ranges) {
  for (uint32_t V : Chosen)
    recompute(Ranges.Live.Values[V].VReg, Ranges);
}

void Recomputation::undo() {
  for (const Gone &G : llvm::reverse(Removed)) {
    G.MBB->insert(G.Next ? G.Next->getIterator() : G.MBB->end(), G.MI);
    // Who looked at the code meanwhile has marked what only it reads.
    for (const MachineOperand &MO : G.MI->all_uses())
      if (MachineInstr *Def =
              MO.getReg().isVirtual() ? soleDef(MO.getReg()) : nullptr)
        Def->getOperand(0).setIsDead(false);
  }
  for (auto [Operand, Read] : llvm::reverse(Replaced))
    Operand->setReg(Read);
  for (MachineInstr *MI : Added)
    MI->eraseFromParent();
  Removed.clear();
  Added.clear();
  Replaced.clear();
}

void Recomputation::commit() {
  llvm::erase_if(Added,
                 [](const MachineInstr *MI) { return !MI->getParent(); });
  for (const Gone &G : Removed)
    MF.deleteMachineInstr(G.MI);
  Removed.clear();
  Replaced.clear();
}

double Recomputation::addedExecutions(BlockFrequency Freq) const {
  double Sum = 0;
  for (const MachineInstr *MI : Added)
    if (MI->getParent())
      Sum += Freq(*MI->getParent());
  for (const Gone &G : Removed)
    if (nativePlace(MF.getRegInfo(), G.MI->getOperand(0).getReg()) !=
            NativePlace::Folded &&
        !llvm::is_contained(Added, G.MI))
      Sum -= Freq(*G.MBB);
  return Sum;
}

} // namespace regshare
