//===- SpillSlots.cpp - Where spilled values are --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpillSlots.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

void setPlace(MachineInstr &Access, unsigned Space, Register Base,
              int64_t Offset) {
  // Both kinds of access: the value, ordering, scope, address space, …, base,
  // offset.
  unsigned Last = Access.getNumExplicitOperands() - 1;
  Access.getOperand(3).setImm(Space);
  Access.getOperand(Last - 1).setReg(Base);
  Access.getOperand(Last).setImm(Offset);
  MachineFunction &MF = *Access.getMF();
  const MachineMemOperand &Old = **Access.memoperands_begin();
  Access.setMemRefs(
      MF, {MF.getMachineMemOperand(MachinePointerInfo(Space), Old.getFlags(),
                                   Old.getMemoryType(), Old.getAlign())});
}

static Register registerByName(const TargetRegisterInfo &TRI, StringRef Name) {
  for (unsigned R = 1; R != TRI.getNumRegs(); ++R)
    if (TRI.getName(R) == Name)
      return R;
  return Register();
}

SpillSlots::SpillSlots(MachineFunction &MF, LazyIntervals &LIS,
                       const NVPTXOpcodes &Opcodes, AssignStats &Stats)
    : MF(MF), LIS(LIS), Opcodes(Opcodes), Stats(Stats),
      FrameRegister(registerByName(*MF.getSubtarget().getRegisterInfo(),
                                   "VRFrameLocal64")),
      SizeBefore(MF.getFrameInfo().getStackSize()) {}

SpillSlot &SpillSlots::slotFor(const LiveRange &Live, unsigned Bytes) {
  auto Free = llvm::find_if(Slots, [&](const SpillSlot &S) {
    return S.Bytes == Bytes && !S.Occupied->overlaps(Live);
  });
  if (Free == Slots.end()) {
    Slots.emplace_back(Bytes);
    Free = std::prev(Slots.end());
    addToFrame(*Free);
    nameFrameAtEntry();
  }
  occupy(*Free->Occupied, Live);
  ++Free->Values;
  return *Free;
}

void SpillSlots::occupy(LiveRange &Occupied, const LiveRange &Live) {
  if (Occupied.valnos.empty())
    Occupied.getNextValue(SlotIndex(), SlotAllocator);
  for (const LiveRange::Segment &S : Live)
    Occupied.addSegment({S.start, S.end, Occupied.valnos.front()});
}

/// Has the frame's address computed before all else. The frame was laid out
/// before: a function that had none has no address of it yet, and in one that
/// had, the scheduler may have put it after what is spilled now.
void SpillSlots::nameFrameAtEntry() {
  MachineBasicBlock &Entry = MF.front();
  auto Depot = llvm::find_if(Entry, [&](const MachineInstr &MI) {
    return MI.getOpcode() == Opcodes.depotOpcode();
  });
  if (Depot == Entry.end()) {
    const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
    MadeDepot = BuildMI(Entry, Entry.begin(), DebugLoc(),
                        TII.get(Opcodes.depotOpcode()), FrameRegister)
                    .addImm(MF.getFunctionNumber());
    LIS.inserted(*MadeDepot);
  } else if (Depot != Entry.begin()) {
    LIS.removing(*Depot);
    Entry.splice(Entry.begin(), &Entry, Depot);
    LIS.inserted(*Depot);
  }
}

/// Gives \p S the next place in the thread's frame.
void SpillSlots::addToFrame(SpillSlot &S) {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  S.Offset = alignTo(MFI.getStackSize(), S.Bytes);
  S.FrameIndex = MFI.CreateStackObject(S.Bytes, Align(S.Bytes),
                                       /*isSpillSlot=*/true);
  MFI.setObjectOffset(*S.FrameIndex, S.Offset);
  MFI.setStackSize(S.Offset + S.Bytes);
  Stats.SpillBytes += S.Bytes;
}

void SpillSlots::layOutFrame() {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  MFI.setStackSize(SizeBefore);
  Stats.SpillBytes = 0;
  for (SpillSlot &S : Slots) {
    if (S.FrameIndex)
      MFI.RemoveStackObject(*S.FrameIndex);
    S.FrameIndex.reset();
    if (S.IsShared)
      continue;
    addToFrame(S);
    for (SpillAccess &A : S.Accesses)
      setPlace(*A.MI, LocalAddressSpace, FrameRegister, S.Offset);
  }
  if (Stats.SpillBytes)
    return nameFrameAtEntry();
  if (MadeDepot) {
    LIS.removing(*MadeDepot);
    MadeDepot->eraseFromParent();
    MadeDepot = nullptr;
  }
}

} // namespace regshare
