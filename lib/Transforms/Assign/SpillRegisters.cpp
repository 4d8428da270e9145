//===- SpillRegisters.cpp - Lower register pressure -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpillRegisters.h"

#include "Transforms/PredicatedSides.h"
#include "Transforms/SharedSpilling/SharedSlots.h"
#include "UsePlace.h"

#include "regshare/Analysis/RegisterCode.h"
#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include <cmath>
#include <limits>

using namespace llvm;

namespace regshare {

/// A value that needs more instructions than this to be computed again is
/// cheaper to load.
constexpr unsigned MaxRematerialization = 3;

Spiller::Spiller(MachineFunction &MF, LazyIntervals &LIS,
                 const MachineBlockFrequencyInfo &MBFI,
                 const NVPTXOpcodes &Opcodes, AssignStats &Stats)
    : MF(MF), MRI(MF.getRegInfo()), LIS(LIS), MBFI(MBFI), Opcodes(Opcodes),
      TII(*MF.getSubtarget().getInstrInfo()), Stats(Stats),
      Slots(MF, LIS, Opcodes, Stats) {}

Spiller::~Spiller() = default;

void Spiller::useShared(const SharedSpillRoom &Room) {
  Shared = std::make_unique<SharedSlots>(MF, LIS, MBFI, Opcodes, Room,
                                         Slots.frameRegister());
}

MachineInstr *Spiller::soleDef(Register VReg) const {
  MachineInstr *Def = nullptr;
  for (MachineInstr &MI : MRI.def_instructions(VReg)) {
    if (Def)
      return nullptr;
    Def = &MI;
  }
  return Def;
}

/// The instructions that compute \p VReg from nothing, in order; false if there
/// are none or too many.
bool Spiller::rematerialization(Register VReg, Chain &Defs) const {
  MachineInstr *Def = soleDef(VReg);
  if (!Def || !Opcodes.isRematerializable(*Def) ||
      Defs.size() == MaxRematerialization)
    return false;
  for (const MachineOperand &MO : Def->uses())
    if (MO.isReg() && MO.getReg().isVirtual() &&
        !rematerialization(MO.getReg(), Defs))
      return false;
  if (Defs.size() == MaxRematerialization)
    return false;
  Defs.push_back(Def);
  return true;
}

/// The comparison that computes \p VReg in native code, if computing it again
/// takes no more than keeping it in a register would: its sources have one
/// value each, so that they are the same wherever it is used, and at most one
/// of them takes a register. Null otherwise.
MachineInstr *Spiller::comparisonOf(Register VReg) const {
  MachineInstr *Def = isNative(MF) ? soleDef(VReg) : nullptr;
  if (!Def || !isLoneComputation(*Def))
    return nullptr;
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  unsigned Units = 0;
  for (const MachineOperand &MO : Def->uses()) {
    if (!MO.isReg())
      continue;
    Register Source = MO.getReg();
    const MachineInstr *Value = Source.isVirtual() ? soleDef(Source) : nullptr;
    if (!Value || uniformUnit(MRI.getVRegName(Source).str()))
      return nullptr;
    std::optional<RegKind> Kind = kindOf(*MRI.getRegClass(Source), TRI);
    if (!Kind || *Kind == RegKind::Pred)
      return nullptr;
    Units += definesConstant(*Value) ? 0 : unitsOf(*Kind);
  }
  return Units <= 1 ? Def : nullptr;
}

bool Spiller::isSpillable(const LiveValue &V) const {
  if (V.Asm || Unspillable.contains(V.VReg))
    return false;
  if (Shared && Shared->owns(V.VReg))
    return Shared->stepsOf(V.VReg) != 0;
  Chain Defs;
  return V.Kind != RegKind::B128 || rematerialization(V.VReg, Defs);
}

/// What spilling each of \p Candidates would cost, over the length it is live:
/// expected executions of the spill code, halved for a recomputation, which
/// touches no memory. Infinite for all other values.
std::vector<float> Spiller::spillWeights(const LiveValues &Live,
                                         const BitVector &Candidates) const {
  std::vector<float> Weights(Live.Values.size(),
                             std::numeric_limits<float>::infinity());
  std::vector<unsigned> Lengths(Live.Values.size(), 1);
  for (const LiveStretch &S : Live.Stretches)
    Lengths[S.Value] += S.End - S.Start;
  for (uint32_t V : Candidates.set_bits()) {
    const LiveValue &Value = Live.Values[V];
    if (!isSpillable(Value))
      continue;
    float Cost = 0;
    for (const MachineInstr &MI : MRI.reg_nodbg_instructions(Value.VReg))
      Cost += MBFI.getBlockFreqRelativeToEntryBlock(MI.getParent());
    Chain Defs;
    if (rematerialization(Value.VReg, Defs) ||
        (Value.Kind == RegKind::Pred && comparisonOf(Value.VReg)))
      Cost *= 0.5f;
    if (unsigned Steps = Shared ? Shared->stepsOf(Value.VReg) : 0)
      Cost *= 0.5f * Steps;
    Weights[V] = Cost * std::max(1u, unitsOf(Value.Kind)) / Lengths[V];
  }
  return Weights;
}

namespace {
/// Walks the code and, wherever too much is live, gives up what is cheapest.
class VictimChooser {
public:
  VictimChooser(const LiveValues &Live, ArrayRef<float> Weights, bool Preds)
      : Live(Live), Weights(Weights), Preds(Preds),
        IsVictim(Live.Values.size()) {}

  /// Where nothing is left to give up, asks \p MayStay(the stretch that starts
  /// there); stops if not.
  bool run(unsigned Target, function_ref<bool(const LiveStretch &)> MayStay);

  SmallVector<Register, 16> Victims;

private:
  static unsigned units(const LiveStretch &S) {
    return std::max(1u, unitsOf(S.Kind));
  }
  void enter(const LiveStretch &S);

  const LiveValues &Live;
  ArrayRef<float> Weights;
  bool Preds;
  std::vector<bool> IsVictim;
  std::vector<LiveStretch> Active;
  unsigned Pressure = 0;
};
} // namespace

void VictimChooser::enter(const LiveStretch &S) {
  llvm::erase_if(Active, [&](const LiveStretch &O) {
    if (O.End > S.Start)
      return false;
    Pressure -= units(O);
    return true;
  });
  Active.push_back(S);
  Pressure += units(S);
}

bool VictimChooser::run(unsigned Target,
                        function_ref<bool(const LiveStretch &)> MayStay) {
  for (const LiveStretch &S : Live.Stretches) {
    if ((S.Kind == RegKind::Pred) != Preds || IsVictim[S.Value])
      continue;
    enter(S);
    while (Pressure > Target) {
      auto Cheapest = llvm::min_element(Active, [&](auto &A, auto &B) {
        return Weights[A.Value] < Weights[B.Value];
      });
      if (Cheapest == Active.end() || std::isinf(Weights[Cheapest->Value])) {
        if (!MayStay(S))
          return false;
        break;
      }
      Pressure -= units(*Cheapest);
      IsVictim[Cheapest->Value] = true;
      Victims.push_back(Live.Values[Cheapest->Value].VReg);
      Active.erase(Cheapest);
    }
  }
  return true;
}

Expected<SmallVector<Register, 16>> Spiller::chooseVictims(bool Preds,
                                                           unsigned Target) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  std::vector<float> Weights =
      spillWeights(*Live, BitVector(Live->Values.size(), true));
  VictimChooser Chooser(*Live, Weights, Preds);
  const MachineInstr *Stuck = nullptr;
  if (Chooser.run(Target, [&](const LiveStretch &S) {
        Stuck = Live->Code.instrAt(S.Start);
        return false;
      }))
    return std::move(Chooser.Victims);
  std::string Where;
  if (Stuck) {
    raw_string_ostream OS(Where);
    Stuck->print(OS, /*IsStandalone=*/true, false, false, false);
  }
  return createStringError(
      MF.getName() + ": " + Twine(Target) +
      (Preds ? " predicates" : " registers") +
      " are too few for the operands of one instruction" +
      (Where.empty() ? "" : ": " + StringRef(Where).trim()));
}

bool Spiller::isFree(const LiveValue &V) const {
  Chain Defs;
  return !V.Asm && V.Kind != RegKind::Pred && rematerialization(V.VReg, Defs) &&
         llvm::all_of(Defs, [&](const MachineInstr *MI) {
           return Opcodes.isFreeToRecompute(*MI);
         });
}

/// The stretches of \p Live, by start, as they would be with the values in
/// \p Free held at their uses only.
std::vector<LiveStretch> Spiller::withoutFree(const LiveValues &Live,
                                              const BitVector &Free) const {
  std::vector<LiveStretch> AtUses;
  const OperandTable &Code = Live.Code;
  for (uint32_t B = 0; B != Code.numBlocks(); ++B)
    for (uint32_t I = Code.beginOf(B); I != Code.beginOf(B + 1); ++I)
      for (OperandTable::Operand O : Code.operands(I)) {
        uint32_t V = Live.ValueOf[O.vreg()], At = Code.slotOf(I, B);
        if (!O.reads() || V == ~0u || !Free[V])
          continue;
        auto Here = llvm::make_range(
            llvm::partition_point(
                AtUses, [&](const LiveStretch &S) { return S.Start < At; }),
            AtUses.end());
        if (llvm::none_of(Here,
                          [&](const LiveStretch &S) { return S.Value == V; }))
          AtUses.push_back({At, At + slot::Register, V, Live.Values[V].Kind});
      }
  std::vector<LiveStretch> Without;
  Without.reserve(Live.Stretches.size() + AtUses.size());
  auto AtUse = AtUses.begin();
  for (const LiveStretch &S : Live.Stretches) {
    if (Free[S.Value])
      continue;
    while (AtUse != AtUses.end() && AtUse->Start < S.Start)
      Without.push_back(*AtUse++);
    Without.push_back(S);
  }
  Without.insert(Without.end(), AtUse, AtUses.end());
  return Without;
}

bool Spiller::lowerPeak(const LiveValues &Live, unsigned Peak,
                        ArrayRef<const MachineInstr *> Constants) {
  BitVector Free(Live.Values.size());
  for (const MachineInstr *MI : Constants) {
    Register VReg = MI->getOperand(0).getReg();
    uint32_t V = VReg.isVirtual() ? Live.valueOf(VReg) : ~0u;
    if (V != ~0u && isFree(Live.Values[V]))
      Free.set(V);
  }
  if (Free.none())
    return false;
  unsigned Target = peakPressure(withoutFree(Live, Free)).Units;
  if (Target >= Peak)
    return false;
  std::vector<float> Weights = spillWeights(Live, Free);
  VictimChooser Chooser(Live, Weights, /*Preds=*/false);
  Chooser.run(Target, [](const LiveStretch &) { return true; });
  for (Register VReg : Chooser.Victims)
    // A value that another one was computed from may be gone with it.
    if (!MRI.reg_nodbg_empty(VReg))
      spill(VReg);
  return !Chooser.Victims.empty();
}

Error Spiller::limit(bool Preds, unsigned Target) {
  while (true) {
    auto Victims = chooseVictims(Preds, Target);
    if (!Victims)
      return Victims.takeError();
    if (Victims->empty())
      return Error::success();
    for (Register VReg : *Victims)
      spill(VReg);
  }
}

Error Spiller::limitUnits(unsigned Target) {
  if (!Shared)
    return limit(false, Target);
  do {
    Error E = limit(false, Target);
    if (E && !Shared->giveUp(Slots.all()))
      return E;
    // Without addresses to hold, there may be enough.
    if (E) {
      consumeError(std::move(E));
      if (Error Again = limit(false, Target))
        return Again;
    }
  } while (Shared->settle(Slots.all()));
  Slots.layOutFrame();
  Shared->finish(Slots.all(), Stats);
  return Error::success();
}
Error Spiller::limitPreds(unsigned Target) { return limit(true, Target); }

void Spiller::spill(Register VReg) {
  if (Shared && Shared->stepsOf(VReg))
    return Shared->recompute(VReg, Slots.all());
  Chain Defs;
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  if (rematerialization(VReg, Defs)) {
    ++Stats.Rematerialized;
    rematerialize(VReg, Defs);
  } else if (kindOf(*MRI.getRegClass(VReg), TRI) != RegKind::Pred) {
    spillToLocal(VReg);
  } else if (MachineInstr *Comparison = comparisonOf(VReg)) {
    ++Stats.Rematerialized;
    compareAgain(VReg, *Comparison);
  } else {
    spillPred(VReg);
  }
  forget(VReg);
}

/// A register of its own for one use or definition of \p VReg.
Register Spiller::freshCopyOf(Register VReg) {
  Register New = MRI.createVirtualRegister(MRI.getRegClass(VReg));
  Unspillable.insert(New);
  return New;
}

MachineInstr *Spiller::track(MachineInstr *MI) {
  LIS.inserted(*MI);
  return MI;
}

/// Drops the interval, and debug uses, of a register that is gone.
void Spiller::forget(Register VReg) {
  for (MachineOperand &MO : llvm::make_early_inc_range(MRI.reg_operands(VReg)))
    MO.setReg(Register());
  LIS.removed(VReg);
}

/// The instructions that name \p VReg, each once, debug instructions left out.
static SmallVector<MachineInstr *, 16> users(MachineRegisterInfo &MRI,
                                             Register VReg) {
  SmallSetVector<MachineInstr *, 16> Users;
  for (MachineInstr &MI : MRI.reg_nodbg_instructions(VReg))
    Users.insert(&MI);
  return Users.takeVector();
}

/// Computes \p VReg again before each of its uses, and no longer where it was.
void Spiller::rematerialize(Register VReg, const Chain &Defs) {
  for (MachineInstr *User : users(MRI, VReg)) {
    if (User == Defs.back())
      continue;
    DenseMap<Register, Register> Renamed;
    SmallVector<Register, 4> Made;
    for (MachineInstr *Def : Defs) {
      MachineInstr *Clone = MF.CloneMachineInstr(Def);
      Register Old = Def->getOperand(0).getReg();
      Made.push_back(Renamed[Old] = freshCopyOf(Old));
      for (MachineOperand &MO : Clone->operands())
        if (MO.isReg() && MO.getReg().isVirtual()) {
          MO.setReg(Renamed[MO.getReg()]);
          MO.isDef() ? MO.setIsDead(false) : MO.setIsKill(false);
        }
      User->getParent()->insert(placeFor(*User), Clone);
      track(Clone);
    }
    for (MachineOperand &MO : User->all_uses())
      if (MO.getReg() == VReg)
        MO.setReg(Made.back());
    for (Register New : Made)
      LIS.added(New);
  }
  MachineInstr *Def = Defs.back();
  SmallVector<Register, 2> Inputs;
  for (const MachineOperand &MO : Def->uses())
    if (MO.isReg() && MO.getReg().isVirtual())
      Inputs.push_back(MO.getReg());
  LIS.removing(*Def);
  Def->eraseFromParent();
  for (Register Input : Inputs)
    inputLost(Input);
}

/// An instruction that read \p VReg is gone: shrinks its interval, or removes
/// what computes it if nobody else needs it.
void Spiller::inputLost(Register VReg) {
  Chain Defs;
  if (MRI.use_nodbg_empty(VReg) && rematerialization(VReg, Defs)) {
    rematerialize(VReg, Defs);
    return forget(VReg);
  }
  LIS.changed(VReg);
}

/// Rewrites every instruction that names a register to a register of its own:
/// Before(instruction, register) fills it for a use, After takes it from a
/// definition.
template <typename BeforeFn, typename AfterFn>
static void rewriteUsers(ArrayRef<MachineInstr *> Users, Register VReg,
                         LazyIntervals &LIS, function_ref<Register()> Fresh,
                         BeforeFn Before, AfterFn After) {
  for (MachineInstr *MI : Users) {
    Register New = Fresh();
    bool Reads = false, Writes = false;
    for (MachineOperand &MO : MI->operands()) {
      if (!MO.isReg() || MO.getReg() != VReg)
        continue;
      Reads |= MO.readsReg();
      Writes |= MO.isDef();
      MO.setReg(New);
      MO.isDef() ? MO.setIsDead(false) : MO.setIsKill(false);
    }
    if (Reads)
      Before(*MI, New);
    if (Writes)
      After(*MI, New);
    LIS.added(New);
  }
}

/// Compares again before each use of \p VReg, or before the sides that come
/// before it, and no longer where it was.
void Spiller::compareAgain(Register VReg, MachineInstr &Comparison) {
  if (!Costs)
    Costs = std::make_unique<NativeCosts>(MF);
  SmallVector<Register, 2> Sources;
  for (MachineOperand &MO : Comparison.all_uses()) {
    MO.setIsKill(false);
    Sources.push_back(MO.getReg());
  }
  for (MachineInstr *User : users(MRI, VReg)) {
    if (User == &Comparison)
      continue;
    MachineInstr *Again = MF.CloneMachineInstr(&Comparison);
    Register New = freshCopyOf(VReg);
    Again->getOperand(0).setReg(New);
    Again->getOperand(0).setIsDead(false);
    User->getParent()->insert(placeFor(*User), Again);
    if (User->isConditionalBranch())
      hoistGuard(*Again, *Costs);
    track(Again);
    for (MachineOperand &MO : User->all_uses())
      if (MO.getReg() == VReg) {
        MO.setReg(New);
        MO.setIsKill(false);
      }
    LIS.added(New);
  }
  LIS.removing(Comparison);
  Comparison.eraseFromParent();
  for (Register Source : Sources)
    LIS.changed(Source);
}

void Spiller::spillPred(Register VReg) {
  ++Stats.SpilledPreds;
  const TargetRegisterClass *WordClass =
      TII.getRegClass(TII.get(Opcodes.selectOpcode()), 0);
  Register Word = MRI.createVirtualRegister(WordClass);
  constexpr int64_t NotEqual = 1; // PTX comparison .ne
  rewriteUsers(
      users(MRI, VReg), VReg, LIS, [&] { return freshCopyOf(VReg); },
      [&](MachineInstr &MI, Register New) {
        track(BuildMI(*MI.getParent(), placeFor(MI), MI.getDebugLoc(),
                      TII.get(Opcodes.compareOpcode()), New)
                  .addReg(Word)
                  .addImm(0)
                  .addImm(NotEqual));
      },
      [&](MachineInstr &MI, Register New) {
        track(BuildMI(*MI.getParent(), std::next(MI.getIterator()),
                      MI.getDebugLoc(), TII.get(Opcodes.selectOpcode()), Word)
                  .addImm(1)
                  .addImm(0)
                  .addReg(New));
      });
  LIS.added(Word);
}

void Spiller::spillToLocal(Register VReg) {
  ++Stats.Spilled;
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  RegKind Kind = *kindOf(*MRI.getRegClass(VReg), TRI);
  unsigned Bytes = 4 * unitsOf(Kind);
  unsigned Bits = Kind == RegKind::B16 ? 16 : 8 * Bytes;
  SpillSlot &Slot = Slots.slotFor(LIS.get().getInterval(VReg), Bytes);
  auto Memory = [&](MachineMemOperand::Flags Flags) {
    return MF.getMachineMemOperand(MachinePointerInfo(LocalAddressSpace), Flags,
                                   LLT::scalar(Bits), Align(Bytes));
  };
  auto Access = [&](MachineInstr *MI) {
    Slot.Accesses.emplace_back(track(MI));
  };
  // Operands of NVPTX's loads and stores: ordering, scope, address space,
  // (loads) type and bytes used, width, base, offset.
  rewriteUsers(
      users(MRI, VReg), VReg, LIS, [&] { return freshCopyOf(VReg); },
      [&](MachineInstr &MI, Register New) {
        ++Stats.SpillLoads;
        Access(BuildMI(*MI.getParent(), placeFor(MI), MI.getDebugLoc(),
                       TII.get(Opcodes.loadOpcode(Kind)), New)
                   .addImm(0)
                   .addImm(0)
                   .addImm(LocalAddressSpace)
                   .addImm(3)
                   .addImm(Bits)
                   .addImm(-1)
                   .addReg(Slots.frameRegister())
                   .addImm(Slot.Offset)
                   .addMemOperand(Memory(MachineMemOperand::MOLoad))
                   .setMIFlag(RegisterCode::SpillSlotAccess));
      },
      [&](MachineInstr &MI, Register New) {
        ++Stats.SpillStores;
        Access(BuildMI(*MI.getParent(), std::next(MI.getIterator()),
                       MI.getDebugLoc(), TII.get(Opcodes.storeOpcode(Kind)))
                   .addReg(New)
                   .addImm(0)
                   .addImm(0)
                   .addImm(LocalAddressSpace)
                   .addImm(Bits)
                   .addReg(Slots.frameRegister())
                   .addImm(Slot.Offset)
                   .addMemOperand(Memory(MachineMemOperand::MOStore))
                   .setMIFlag(RegisterCode::SpillSlotAccess));
      });
}

} // namespace regshare
