//===- SharedSlots.cpp - Spilled values in shared memory ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedSlots.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// What a register more to hold saves of an access: shared memory answers in
/// about half the time of an L1 that hits.
static constexpr float Saved = 0.5F;

SharedSlots::SharedSlots(MachineFunction &MF, LazyIntervals &LIS,
                         const MachineBlockFrequencyInfo &MBFI,
                         const NVPTXOpcodes &Opcodes,
                         const SharedSpillRoom &Room, Register Frame)
    : MF(MF), MRI(MF.getRegInfo()), LIS(LIS), MBFI(MBFI), Opcodes(Opcodes),
      TII(*MF.getSubtarget().getInstrInfo()), Room(Room), Frame(Frame),
      Arrays{{4, "regshare_spill"}, {WideBytes, "regshare_spill_wide"}} {}

//===----------------------------------------------------------------------===//
// Which slots
//===----------------------------------------------------------------------===//

bool SharedSlots::fits(const SpillSlot &S) const {
  uint64_t PerThread = S.Bytes;
  for (const Array &A : Arrays)
    PerThread += uint64_t(A.Count) * A.Bytes;
  return PerThread * Room.Threads <= Room.Bytes;
}

/// Accesses in one run of the kernel, as is expected.
float SharedSlots::weightOf(const SpillSlot &S) const {
  float Weight = 0;
  for (const SpillAccess &A : S.Accesses)
    Weight += MBFI.getBlockFreqRelativeToEntryBlock(A.MI->getParent());
  return Weight;
}

/// Those with the most accesses for their bytes. The address of each size is a
/// register, which pushes a value out: the slots of a size have to save more
/// than one value costs in the mean.
void SharedSlots::choose(MutableArrayRef<SpillSlot> Slots) {
  struct Candidate {
    SpillSlot *Slot;
    float Weight;
  };
  SmallVector<Candidate, 32> Order;
  float OfArray[2] = {}, Values = 0;
  for (SpillSlot &S : Slots) {
    Order.push_back({&S, weightOf(S)});
    OfArray[&arrayOf(S) - Arrays] += Order.back().Weight;
    Values += S.Values;
  }
  float Mean = (OfArray[0] + OfArray[1]) / std::max(Values, 1.0F);
  llvm::sort(Order, [](const Candidate &A, const Candidate &B) {
    float OfA = A.Weight * B.Slot->Bytes, OfB = B.Weight * A.Slot->Bytes;
    return OfA != OfB ? OfA > OfB : A.Slot < B.Slot;
  });
  for (Array &A : Arrays)
    A.Count = 0;
  for (const Candidate &C : Order) {
    Array &A = arrayOf(*C.Slot);
    unsigned N = &A - Arrays;
    bool IsWorth = Saved * OfArray[N] > Mean;
    C.Slot->IsShared = IsWorth && fits(*C.Slot);
    if (C.Slot->IsShared)
      C.Slot->Offset = int64_t(A.Count++) * A.Bytes * Room.Threads;
  }
}

bool SharedSlots::settle(MutableArrayRef<SpillSlot> Slots) {
  if (HasGivenUp)
    return false;
  choose(Slots);
  bool Changed = false;
  for (SpillSlot &S : Slots)
    for (SpillAccess &Access : S.Accesses) {
      Changed |= S.IsShared && !Access.IsShared;
      if (S.IsShared)
        move(Access, S);
      else
        moveBack(Access);
    }
  for (Array &A : Arrays)
    if (A.Count && A.Address) {
      LIS.changed(A.Address);
    } else if (!A.Count) {
      eraseCode(A.Held);
      eraseSymbol(A);
      A.Address = Register();
    }
  return Changed;
}

/// Has \p Access, of \p S, go to shared memory, or stay there and go to where
/// the slot is now.
void SharedSlots::move(SpillAccess &Access, const SpillSlot &S) {
  Array &A = arrayOf(S);
  Register Address = A.Address;
  if (A.Recomputes && Access.Address.empty()) {
    Address = addressOf(
        A, {*Access.MI->getParent(), Access.MI->getIterator(), Access.Address});
  } else if (A.Recomputes) {
    Address = Access.Address.back()->getOperand(0).getReg();
  } else if (!Address) {
    hold(A);
    Address = A.Address;
  }
  Access.IsShared = true;
  setPlace(*Access.MI, SharedAddressSpace, Address, S.Offset);
  for (MachineInstr *MI : Access.Address)
    LIS.changed(MI->getOperand(0).getReg());
}

/// Has \p Access go to the thread's frame, at an offset that is still to come.
void SharedSlots::moveBack(SpillAccess &Access) {
  if (Access.IsShared)
    setPlace(*Access.MI, LocalAddressSpace, Frame, 0);
  Access.IsShared = false;
  eraseCode(Access.Address);
}

/// Computes the address once, before all else.
void SharedSlots::hold(Array &A) {
  MachineBasicBlock &Entry = MF.front();
  A.Address = addressOf(A, {Entry, Entry.begin(), A.Held});
  for (MachineInstr *MI : ArrayRef(A.Held).drop_back())
    LIS.added(MI->getOperand(0).getReg());
}

unsigned SharedSlots::stepsOf(Register VReg) const {
  bool InLine = Room.Block[0] && Room.Block[1] == 1 && Room.Block[2] == 1;
  for (const Array &A : Arrays)
    if (A.Address == VReg && VReg && InLine)
      // A folded instruction is part of the next one.
      return llvm::count_if(
          A.Held, [](const MachineInstr *MI) { return !isFolded(*MI); });
  return 0;
}

void SharedSlots::recompute(Register VReg, MutableArrayRef<SpillSlot> Slots) {
  Array &A = VReg == Arrays[0].Address ? Arrays[0] : Arrays[1];
  A.Recomputes = true;
  for (SpillSlot &S : Slots)
    if (S.IsShared && &arrayOf(S) == &A)
      for (SpillAccess &Access : S.Accesses)
        move(Access, S);
  eraseCode(A.Held);
  A.Address = Register();
}

void SharedSlots::erase(MachineInstr *&MI) {
  if (!MI)
    return;
  LIS.removing(*MI);
  MI->eraseFromParent();
  MI = nullptr;
}

/// Removes what computes an address that nobody reads any more.
void SharedSlots::eraseCode(Code &Made) {
  for (MachineInstr *MI : llvm::reverse(Made)) {
    Register Result = MI->getOperand(0).getReg();
    erase(MI);
    LIS.removed(Result);
  }
  Made.clear();
}

void SharedSlots::eraseSymbol(Array &A) {
  if (!A.Symbol)
    return;
  SmallVector<MachineInstr *, 1> Made = {A.Symbol};
  eraseCode(Made);
  A.Symbol = nullptr;
}

bool SharedSlots::giveUp(MutableArrayRef<SpillSlot> Slots) {
  if (HasGivenUp || (!Arrays[0].Count && !Arrays[1].Count))
    return false;
  HasGivenUp = true;
  for (SpillSlot &S : Slots) {
    S.IsShared = false;
    for (SpillAccess &Access : S.Accesses)
      moveBack(Access);
  }
  for (Array &A : Arrays) {
    eraseCode(A.Held);
    eraseSymbol(A);
    erase(A.Declaration);
    A = Array(A.Bytes, A.Name);
  }
  return true;
}

void SharedSlots::finish(ArrayRef<SpillSlot> Slots, AssignStats &Stats) {
  Stats.SharedSpilled = Stats.SharedSpillLoads = Stats.SharedSpillStores = 0;
  Stats.SharedSpillBytes = 0;
  for (const SpillSlot &S : Slots) {
    if (!S.IsShared)
      continue;
    Stats.SharedSpilled += S.Values;
    for (const SpillAccess &A : S.Accesses)
      ++(A.MI->mayLoad() ? Stats.SharedSpillLoads : Stats.SharedSpillStores);
  }
  MachineBasicBlock &Entry = MF.front();
  // The wider ones come first, where they are aligned.
  for (Array &A : Arrays) {
    unsigned Bytes = A.Count * A.Bytes * Room.Threads;
    Stats.SharedSpillBytes += Bytes;
    erase(A.Declaration);
    if (!Bytes)
      continue;
    A.Declaration =
        insertStatement(Entry, Entry.begin(),
                        (".shared .align " + Twine(A.Bytes) + " .b8 " + A.Name +
                         "[" + Twine(Bytes) + "];")
                            .str());
    LIS.inserted(*A.Declaration);
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

MachineInstrBuilder SharedSlots::build(const Place &At, unsigned Opcode,
                                       const Twine &Name) {
  const MCInstrDesc &Desc = TII.get(Opcode);
  Register Result =
      MRI.createVirtualRegister(TII.getRegClass(Desc, 0), Name.str());
  Own.insert(Result);
  MachineInstrBuilder MI = BuildMI(At.MBB, At.Where, DebugLoc(), Desc, Result);
  LIS.inserted(*MI);
  At.Made.push_back(MI);
  return MI;
}

/// The place of a thread in its CTA, x varying fastest.
Register SharedSlots::threadNumber(const Place &At) {
  auto PlaceAlong = [&](unsigned Dim) {
    return build(At, Opcodes.placeOpcode(Dim)).getReg(0);
  };
  auto ScaledBy = [&](Register Number, unsigned Dim, Register Plus) {
    if (unsigned Extent = Room.Block[Dim])
      return build(At, Opcodes.scaleAddOpcode())
          .addReg(Number)
          .addImm(Extent)
          .addReg(Plus)
          .getReg(0);
    Register Extent = build(At, Opcodes.extentOpcode(Dim)).getReg(0);
    return build(At, Opcodes.multiplyAddOpcode())
        .addReg(Number)
        .addReg(Extent)
        .addReg(Plus)
        .getReg(0);
  };
  // Along a dimension of extent 1 every place is 0.
  Register Number;
  for (unsigned Dim : {2, 1, 0}) {
    if (Room.Block[Dim] == 1 && Dim)
      continue;
    Register Along = PlaceAlong(Dim);
    Number = Number ? ScaledBy(Number, Dim, Along) : Along;
  }
  return Number;
}

/// The address of the array. Native code has constants as operands: there it is
/// one for the whole kernel, without a register.
Register SharedSlots::symbolOf(Array &A, const Place &At) {
  auto Named = [&](const MachineInstrBuilder &MI) {
    return MI.addExternalSymbol(A.Name.data()).getReg(0);
  };
  if (!isNative(MF))
    return Named(build(At, Opcodes.symbolOpcode()));
  if (!A.Symbol) {
    SmallVector<MachineInstr *, 1> Made;
    MachineBasicBlock &Entry = MF.front();
    Named(build({Entry, Entry.begin(), Made}, Opcodes.symbolOpcode(),
                "C" + Twine(MRI.getNumVirtRegs())));
    A.Symbol = Made.front();
  }
  return A.Symbol->getOperand(0).getReg();
}

Register SharedSlots::addressOf(Array &A, const Place &At) {
  Register Symbol = symbolOf(A, At);
  Register Number = threadNumber(At);
  if (!isNative(MF))
    return build(At, Opcodes.scaleAddOpcode())
        .addReg(Number)
        .addImm(A.Bytes)
        .addReg(Symbol)
        .getReg(0);
  // LEA.
  Register Scaled =
      build(At, Opcodes.shiftOpcode(), "F" + Twine(MRI.getNumVirtRegs()))
          .addReg(Number)
          .addImm(Log2_32(A.Bytes))
          .getReg(0);
  return build(At, Opcodes.addOpcode()).addReg(Scaled).addReg(Symbol).getReg(0);
}

} // namespace regshare
