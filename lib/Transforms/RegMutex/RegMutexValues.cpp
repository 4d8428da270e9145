//===- RegMutexValues.cpp - The values of architected code ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexValues.h"

#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regshare {

namespace {
/// Gives what is split off the place of what it was part of.
class KeepPlaces : MachineRegisterInfo::Delegate {
public:
  KeepPlaces(MachineRegisterInfo &MRI, RegisterAssignment &Places)
      : MRI(MRI), Places(Places) {
    MRI.addDelegate(this);
  }
  ~KeepPlaces() override { MRI.resetDelegate(this); }

private:
  void MRI_NoteNewVirtualRegister(Register) override {}
  void MRI_NoteCloneVirtualRegister(Register New, Register Source) override {
    Places.assign(New, Places.lookup(Source));
  }

  MachineRegisterInfo &MRI;
  RegisterAssignment &Places;
};
} // namespace

void separateValues(MachineFunction &MF, LazyIntervals &LIS,
                    RegisterAssignment &Places) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  // LiveIntervals itself takes registers with dead definitions apart.
  KeepPlaces Keep(MRI, Places);
  LiveIntervals &Intervals = LIS.get();
  SmallVector<LiveInterval *, 8> Parts;
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(VReg) || !Intervals.hasInterval(VReg))
      continue;
    Parts.clear();
    Intervals.splitSeparateComponents(Intervals.getInterval(VReg), Parts);
  }
}

} // namespace regshare
