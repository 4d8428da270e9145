//===- VectorGroups.cpp - Contiguous registers for vector accesses --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorGroups.h"

#include "UsePlace.h"

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

namespace {

class GroupFormer {
public:
  GroupFormer(MachineFunction &MF, LazyIntervals &LIS,
              const NVPTXOpcodes &Opcodes)
      : MRI(MF.getRegInfo()), LIS(LIS), Opcodes(Opcodes),
        TRI(*MF.getSubtarget().getRegisterInfo()),
        TII(*MF.getSubtarget().getInstrInfo()) {}

  void add(MachineInstr &MI, unsigned Elements, bool MayCopy);
  std::vector<VectorGroup> take();
  unsigned CopiesInserted = 0;

private:
  RegKind kind(Register VReg) const {
    return *kindOf(*MRI.getRegClass(VReg), TRI);
  }
  VectorGroup groupOf(const MachineInstr &MI, unsigned Elements) const;
  bool tryMerge(const VectorGroup &G);
  bool tryMergeInto(VectorGroup &Into, const VectorGroup &G) const;
  bool fits(const VectorGroup &G) const;
  void isolate(MachineInstr &MI, unsigned Elements);
  void copyOperand(MachineInstr &MI, unsigned OpNo);

  MachineRegisterInfo &MRI;
  LazyIntervals &LIS;
  const NVPTXOpcodes &Opcodes;
  const TargetRegisterInfo &TRI;
  const TargetInstrInfo &TII;
  std::vector<VectorGroup> Groups;
  DenseMap<Register, unsigned> GroupIndex;
};

/// More units than this in one group leave the colouring too little room.
constexpr unsigned MaxGroupUnits = 16;

} // namespace

VectorGroup GroupFormer::groupOf(const MachineInstr &MI,
                                 unsigned Elements) const {
  VectorGroup G;
  unsigned Width = 0;
  for (unsigned I = 0; I != Elements; ++I) {
    const MachineOperand &MO = MI.getOperand(I);
    if (MO.isReg() && MO.getReg().isVirtual())
      Width = unitsOf(kind(MO.getReg()));
  }
  for (unsigned I = 0; I != Elements; ++I) {
    const MachineOperand &MO = MI.getOperand(I);
    if (MO.isReg() && MO.getReg().isVirtual() && !MO.isUndef())
      G.Members.push_back({MO.getReg(), I * Width, Width});
  }
  G.Align = Elements * Width;
  return G;
}

/// True if no register of \p G is in two places, and registers in the same
/// place are not live at once.
bool GroupFormer::fits(const VectorGroup &G) const {
  for (unsigned I = 0; I != G.Members.size(); ++I)
    for (unsigned J = I + 1; J != G.Members.size(); ++J) {
      const VectorGroup::Member &A = G.Members[I], &B = G.Members[J];
      if (A.VReg == B.VReg)
        return false;
      if (A.Offset + A.Width <= B.Offset || B.Offset + B.Width <= A.Offset)
        continue;
      LiveIntervals &All = LIS.get();
      if (All.getInterval(A.VReg).overlaps(All.getInterval(B.VReg)))
        return false;
    }
  return true;
}

/// Ties \p G to \p Into, with which it has a register in common, if one base
/// serves both.
bool GroupFormer::tryMergeInto(VectorGroup &Into, const VectorGroup &G) const {
  std::optional<int> Shift; // of G's offsets against Into's
  for (const VectorGroup::Member &M : G.Members)
    for (const VectorGroup::Member &Old : Into.Members)
      if (M.VReg == Old.VReg) {
        int S = int(Old.Offset) - int(M.Offset);
        if (Shift && *Shift != S)
          return false;
        Shift = S;
      }
  assert(Shift && "nothing in common");
  VectorGroup Merged = Into;
  // G's base is at Into's base + Shift.
  int Down = std::max(0, -*Shift);
  for (VectorGroup::Member &M : Merged.Members)
    M.Offset += Down;
  for (const VectorGroup::Member &M : G.Members)
    if (llvm::none_of(Into.Members,
                      [&](auto &Old) { return Old.VReg == M.VReg; }))
      Merged.Members.push_back({M.VReg, M.Offset + *Shift + Down, M.Width});
  unsigned Small = std::min(Into.Align, G.Align);
  auto Mod = [](int A, unsigned M) { return unsigned(A) & (M - 1); };
  // Bases: merged + Down ≡ Into.Phase (Into.Align),
  //        merged + Down + Shift ≡ G.Phase (G.Align).
  unsigned PhaseA = Mod(int(Into.Phase) - Down, Into.Align);
  unsigned PhaseB = Mod(int(G.Phase) - Down - *Shift, G.Align);
  if (Mod(PhaseA, Small) != Mod(PhaseB, Small))
    return false;
  Merged.Align = std::max(Into.Align, G.Align);
  Merged.Phase = Into.Align >= G.Align ? PhaseA : PhaseB;
  unsigned Span = 0;
  for (const VectorGroup::Member &M : Merged.Members)
    Span = std::max(Span, M.Offset + M.Width);
  if (Span > MaxGroupUnits || !fits(Merged))
    return false;
  Into = std::move(Merged);
  return true;
}

bool GroupFormer::tryMerge(const VectorGroup &G) {
  if (!fits(G))
    return false;
  SmallSetVector<unsigned, 4> Touched;
  for (const VectorGroup::Member &M : G.Members)
    if (auto It = GroupIndex.find(M.VReg); It != GroupIndex.end())
      Touched.insert(It->second);
  VectorGroup Merged = G;
  for (unsigned I : Touched)
    if (!tryMergeInto(Merged, Groups[I]))
      return false;
  for (unsigned I : Touched)
    Groups[I].Members.clear();
  for (const VectorGroup::Member &M : Merged.Members)
    GroupIndex[M.VReg] = Groups.size();
  Groups.push_back(std::move(Merged));
  return true;
}

/// Puts a copy between operand \p OpNo of the vector access \p MI and the rest
/// of the function.
void GroupFormer::copyOperand(MachineInstr &MI, unsigned OpNo) {
  MachineOperand &MO = MI.getOperand(OpNo);
  Register Old = MO.getReg();
  Register New = MRI.createVirtualRegister(MRI.getRegClass(Old));
  const MCInstrDesc &Desc = TII.get(Opcodes.copyOpcode(kind(Old)));
  MachineBasicBlock &MBB = *MI.getParent();
  MachineInstr *Copy =
      MO.isDef() ? BuildMI(MBB, std::next(MI.getIterator()), MI.getDebugLoc(),
                           Desc, Old)
                       .addReg(New)
                       .getInstr()
                 : BuildMI(MBB, placeFor(MI), MI.getDebugLoc(), Desc, New)
                       .addReg(Old)
                       .getInstr();
  MO.setReg(New);
  MO.isDef() ? MO.setIsDead(false) : MO.setIsKill(false);
  LIS.inserted(*Copy);
  LIS.added(New);
  LIS.changed(Old);
  ++CopiesInserted;
}

/// Gives \p MI operands of its own, copied in or out, which are free to be
/// tied.
void GroupFormer::isolate(MachineInstr &MI, unsigned Elements) {
  // A register that no other group holds can stay, once.
  SmallSet<Register, 8> Kept;
  for (unsigned I = 0; I != Elements; ++I) {
    MachineOperand &MO = MI.getOperand(I);
    if (!MO.isReg() || !MO.getReg().isVirtual() || MO.isUndef())
      continue;
    bool Free = !GroupIndex.contains(MO.getReg());
    if (!Free || !Kept.insert(MO.getReg()).second)
      copyOperand(MI, I);
  }
}

void GroupFormer::add(MachineInstr &MI, unsigned Elements, bool MayCopy) {
  VectorGroup G = groupOf(MI, Elements);
  if (G.Members.size() < 2 || tryMerge(G) || !MayCopy)
    return;
  isolate(MI, Elements);
  [[maybe_unused]] bool Merged = tryMerge(groupOf(MI, Elements));
  assert(Merged && "operands of their own can be tied");
}

std::vector<VectorGroup> GroupFormer::take() {
  llvm::erase_if(Groups,
                 [](const VectorGroup &G) { return G.Members.empty(); });
  return std::move(Groups);
}

std::vector<VectorGroup>
formVectorGroups(MachineFunction &MF, ArrayRef<MachineInstr *> Accesses,
                 LazyIntervals &LIS, const MachineBlockFrequencyInfo &MBFI,
                 const NVPTXOpcodes &Opcodes, bool MayCopy,
                 unsigned &CopiesInserted) {
  struct Access {
    MachineInstr *MI;
    uint64_t Frequency;
    unsigned Order;
  };
  std::vector<Access> ByFrequency;
  for (MachineInstr *MI : Accesses)
    ByFrequency.push_back({MI,
                           MBFI.getBlockFreq(MI->getParent()).getFrequency(),
                           unsigned(ByFrequency.size())});
  // Hot accesses get their wish first.
  llvm::sort(ByFrequency, [](const Access &A, const Access &B) {
    return std::tie(B.Frequency, A.Order) < std::tie(A.Frequency, B.Order);
  });
  GroupFormer Former(MF, LIS, Opcodes);
  for (const Access &A : ByFrequency)
    Former.add(*A.MI, Opcodes.vectorElements(*A.MI), MayCopy);
  CopiesInserted += Former.CopiesInserted;
  return Former.take();
}

} // namespace regshare
