//===- LiveValues.cpp - Where values are live -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveValues.h"

#include "RadixSort.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

namespace {

/// A virtual register, by its index, and a block, by its place in the layout.
struct VRegInBlock {
  uint32_t VReg, Block;
};

/// Finds the blocks at whose ends each register is live, register by register,
/// and takes down only where that changes along the layout: most are live
/// through a run of blocks.
class BlockLiveness {
public:
  BlockLiveness(const MachineFunction &MF, const OperandTable &Code,
                unsigned NumVRegs);

  /// Registers that are live at the end of a block but not at the start of the
  /// next, and at the start of a block but not at the end of the one before.
  /// By block, then by register.
  std::vector<VRegInBlock> EndOnly, StartOnly;

private:
  void findEffects(unsigned NumVRegs);
  void findPredecessors(const MachineFunction &MF);
  void explore(uint32_t VReg, ArrayRef<VRegInBlock> Readers,
               ArrayRef<VRegInBlock> Writers);
  void enter(uint32_t Block, uint32_t Stamp);

  const OperandTable &Code;
  std::vector<VRegInBlock> Reads;  // of what an earlier block wrote
  std::vector<VRegInBlock> Writes; // of what is in Reads
  std::vector<uint32_t> Preds, PredsBegin;
  /// The registers (one more than the index) last seen to be written in the
  /// block, and live at its start and its end.
  struct Mark {
    uint32_t Written = 0, In = 0, Out = 0;
  };
  std::vector<Mark> Marks;
  std::vector<uint32_t> In, Out; // blocks that one register is live at
};

} // namespace

BlockLiveness::BlockLiveness(const MachineFunction &MF,
                             const OperandTable &Code, unsigned NumVRegs)
    : Code(Code), Marks(Code.numBlocks()) {
  findEffects(NumVRegs);
  if (Reads.empty())
    return;
  findPredecessors(MF);
  ArrayRef<VRegInBlock> Readers = Reads, Writers = Writes;
  while (!Readers.empty()) {
    uint32_t VReg = Readers.front().VReg;
    auto IsOfVReg = [&](VRegInBlock E) { return E.VReg == VReg; };
    ArrayRef<VRegInBlock> Its = Readers.take_while(IsOfVReg);
    ArrayRef<VRegInBlock> ItsWriters = Writers.take_while(IsOfVReg);
    explore(VReg, Its, ItsWriters);
    Readers = Readers.drop_front(Its.size());
    Writers = Writers.drop_front(ItsWriters.size());
  }
  auto Block = [](VRegInBlock E) { return E.Block; };
  sortByNumber(EndOnly, Block);
  sortByNumber(StartOnly, Block);
}

void BlockLiveness::findEffects(unsigned NumVRegs) {
  // By register, the block (one more) that last wrote and last asked for it.
  struct Last {
    uint32_t Written = 0, Read = 0;
  };
  std::vector<Last> Lasts(NumVRegs);
  std::vector<VRegInBlock> AllWrites;
  AllWrites.reserve(NumVRegs);
  for (uint32_t B = 0; B != Code.numBlocks(); ++B)
    for (uint32_t I = Code.beginOf(B); I != Code.beginOf(B + 1); ++I) {
      for (OperandTable::Operand O : Code.operands(I))
        if (Last &L = Lasts[O.vreg()];
            O.reads() && L.Written != B + 1 && L.Read != B + 1) {
          L.Read = B + 1;
          Reads.push_back({O.vreg(), B});
        }
      for (OperandTable::Operand O : Code.operands(I))
        if (Last &L = Lasts[O.vreg()]; O.writes() && L.Written != B + 1) {
          L.Written = B + 1;
          AllWrites.push_back({O.vreg(), B});
        }
    }
  for (VRegInBlock W : AllWrites)
    if (Lasts[W.VReg].Read)
      Writes.push_back(W);
  auto VReg = [](VRegInBlock E) { return E.VReg; };
  sortByNumber(Reads, VReg);
  sortByNumber(Writes, VReg);
}

void BlockLiveness::findPredecessors(const MachineFunction &MF) {
  std::vector<uint32_t> PlaceOf(MF.getNumBlockIDs());
  uint32_t Place = 0;
  for (const MachineBasicBlock &MBB : MF)
    PlaceOf[MBB.getNumber()] = Place++;
  PredsBegin.reserve(MF.size() + 1);
  for (const MachineBasicBlock &MBB : MF) {
    PredsBegin.push_back(Preds.size());
    for (const MachineBasicBlock *Pred : MBB.predecessors())
      Preds.push_back(PlaceOf[Pred->getNumber()]);
  }
  PredsBegin.push_back(Preds.size());
}

void BlockLiveness::enter(uint32_t Block, uint32_t Stamp) {
  if (std::exchange(Marks[Block].In, Stamp) != Stamp)
    In.push_back(Block);
}

void BlockLiveness::explore(uint32_t VReg, ArrayRef<VRegInBlock> Readers,
                            ArrayRef<VRegInBlock> Writers) {
  uint32_t Stamp = VReg + 1;
  In.clear();
  Out.clear();
  for (VRegInBlock W : Writers)
    Marks[W.Block].Written = Stamp;
  for (VRegInBlock R : Readers)
    enter(R.Block, Stamp);
  for (size_t Next = 0; Next != In.size(); ++Next)
    for (uint32_t P = PredsBegin[In[Next]]; P != PredsBegin[In[Next] + 1];
         ++P) {
      Mark &Pred = Marks[Preds[P]];
      if (std::exchange(Pred.Out, Stamp) == Stamp)
        continue;
      Out.push_back(Preds[P]);
      if (Pred.Written != Stamp)
        enter(Preds[P], Stamp);
    }
  for (uint32_t B : In)
    if (B == 0 || Marks[B - 1].Out != Stamp)
      StartOnly.push_back({VReg, B});
  for (uint32_t B : Out)
    if (B + 1 == Marks.size() || Marks[B + 1].In != Stamp)
      EndOnly.push_back({VReg, B});
}

namespace {

/// Walks the code backwards and takes down the stretches, the last first.
class StretchFinder {
public:
  StretchFinder(LiveValues &Live) : Live(Live), Ends(Live.ValueOf.size()) {}

  void run(const BlockLiveness &Blocks);

private:
  void visit(uint32_t Instr, uint32_t Slot);
  void endAt(uint32_t VReg, uint32_t End) {
    if (!Ends[VReg])
      Ends[VReg] = End;
  }
  void startAt(uint32_t VReg, uint32_t Start) {
    uint32_t End = std::exchange(Ends[VReg], 0), Value = Live.ValueOf[VReg];
    if (Value != ~0u)
      Live.Stretches.push_back({Start, End, Value, Live.Values[Value].Kind});
  }
  void putInOrder();

  LiveValues &Live;
  /// By register: where the stretch that is being walked ends; 0: none is.
  std::vector<uint32_t> Ends;
  DenseSet<uint32_t> WithDeadResult;
};

} // namespace

/// Code changes: what nobody read may have readers now.
static void unmark(MachineInstr &MI, uint32_t VReg) {
  for (MachineOperand &MO : MI.all_defs())
    if (MO.getReg() == Register::index2VirtReg(VReg))
      MO.setIsDead(false);
}

void StretchFinder::visit(uint32_t Instr, uint32_t Slot) {
  ArrayRef<OperandTable::Operand> Operands = Live.Code.operands(Instr);
  auto IsRead = [&](uint32_t VReg) {
    return llvm::any_of(Operands, [&](OperandTable::Operand O) {
      return O.reads() && O.vreg() == VReg;
    });
  };
  bool AnyEarly = false;
  for (OperandTable::Operand O : Operands) {
    if (!O.writes())
      continue;
    if (Ends[O.vreg()]) {
      if (O.isMarkedDead() && Ends[O.vreg()] != Slot + slot::Dead)
        unmark(Live.Code.instr(Instr), O.vreg());
      continue;
    }
    Ends[O.vreg()] = Slot + slot::Dead;
    Live.MayComeApart |= !WithDeadResult.insert(O.vreg()).second;
    if (!O.isMarkedDead())
      Live.Code.instr(Instr).addRegisterDead(Register::index2VirtReg(O.vreg()),
                                             nullptr);
  }
  for (OperandTable::Operand O : Operands) {
    AnyEarly |= O.isEarly();
    if (O.writes() && !O.isEarly() && Ends[O.vreg()] && !IsRead(O.vreg()))
      startAt(O.vreg(), Slot + slot::Register);
  }
  for (OperandTable::Operand O : Operands)
    if (O.reads())
      endAt(O.vreg(), Slot + slot::Register);
  if (!AnyEarly)
    return;
  for (OperandTable::Operand O : Operands)
    if (O.isEarly() && Ends[O.vreg()] && !IsRead(O.vreg()))
      startAt(O.vreg(), Slot + slot::Early);
}

void StretchFinder::run(const BlockLiveness &Blocks) {
  const OperandTable &Code = Live.Code;
  auto End = Blocks.EndOnly.rbegin();
  auto Start = Blocks.StartOnly.rbegin();
  for (uint32_t B = Code.numBlocks(); B-- != 0;) {
    for (; End != Blocks.EndOnly.rend() && End->Block == B; ++End)
      endAt(End->VReg, Code.startOf(B + 1));
    for (uint32_t I = Code.beginOf(B + 1); I-- != Code.beginOf(B);)
      visit(I, Code.slotOf(I, B));
    for (; Start != Blocks.StartOnly.rend() && Start->Block == B; ++Start)
      startAt(Start->VReg, Code.startOf(B));
  }
  putInOrder();
}

void StretchFinder::putInOrder() {
  std::vector<LiveStretch> &All = Live.Stretches;
  std::reverse(All.begin(), All.end());
  for (auto I = All.begin(); I != All.end();) {
    auto First = I++;
    while (I != All.end() && I->Start == First->Start)
      ++I;
    if (I - First > 1)
      std::sort(First, I, [](const LiveStretch &A, const LiveStretch &B) {
        return A.Value < B.Value;
      });
  }
}

/// Gives the registers that the code names, other than in debug instructions,
/// their numbers as values.
static void numberValues(const MachineFunction &MF, LiveValues &Live) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const RegKinds KindOf(*MF.getSubtarget().getRegisterInfo());
  unsigned NumVRegs = MRI.getNumVirtRegs();
  std::vector<uint8_t> IsNamed(NumVRegs);
  for (uint32_t I = 0; I != Live.Code.numInstrs(); ++I)
    for (OperandTable::Operand O : Live.Code.operands(I))
      IsNamed[O.vreg()] = true;
  Live.ValueOf.assign(NumVRegs, ~0u);
  Live.Values.reserve(NumVRegs);
  for (unsigned I = 0; I != NumVRegs; ++I) {
    if (!IsNamed[I])
      continue;
    Register VReg = Register::index2VirtReg(I);
    if (std::optional<RegKind> Kind = KindOf(*MRI.getRegClass(VReg))) {
      Live.ValueOf[I] = Live.Values.size();
      Live.Values.push_back({VReg, *Kind});
    }
  }
}

/// Registers that the hardware's instructions for \p MI need for themselves.
static unsigned countScratch(const MachineInstr &MI, NativeCosts &Costs) {
  if (MI.isInlineAsm() || MI.isMetaInstruction() || isFolded(MI))
    return 0;
  return Costs.of(MI).Temps;
}

/// Those of native code that take several instructions.
static void collectScratch(const MachineFunction &MF, LiveValues &Live) {
  const OperandTable &Code = Live.Code;
  NativeCosts Costs(MF);
  for (uint32_t B = 0; B != Code.numBlocks(); ++B)
    for (uint32_t I = Code.beginOf(B); I != Code.beginOf(B + 1); ++I) {
      const MachineInstr &MI = Code.instr(I);
      uint32_t At = Code.slotOf(I, B);
      for (unsigned N = countScratch(MI, Costs); N != 0; --N) {
        Live.Stretches.push_back({At + slot::Early, At + slot::Dead,
                                  uint32_t(Live.Values.size()), RegKind::B32});
        Live.Values.push_back({Register(), RegKind::B32, &MI});
      }
    }
}

/// Restores the order after temporaries were added.
static void putInOrder(LiveValues &Live) {
  sortByNumber(Live.Stretches, [](const LiveStretch &S) { return S.Start; });
}

/// Temporaries of inline PTX. They are written while the block's inputs are
/// still to be read and perhaps after its first output was: they overlap both.
static Error collectTemps(const MachineFunction &MF, LiveValues &Live) {
  if (isNative(MF))
    collectScratch(MF, Live);
  if (!MF.hasInlineAsm()) {
    if (isNative(MF))
      putInOrder(Live);
    return Error::success();
  }
  const OperandTable &Code = Live.Code;
  for (uint32_t B = 0; B != Code.numBlocks(); ++B)
    for (uint32_t I = Code.beginOf(B); I != Code.beginOf(B + 1); ++I) {
      const MachineInstr &MI = Code.instr(I);
      if (!MI.isInlineAsm())
        continue;
      Expected<std::vector<InlinePTXTemp>> Temps =
          parseInlinePTXTemps(inlinePTXText(MI));
      if (!Temps)
        return Temps.takeError();
      uint32_t At = Code.slotOf(I, B);
      for (const InlinePTXTemp &T : *Temps) {
        uint32_t Start = T.FunctionScope ? 0 : At + slot::Early;
        uint32_t End =
            T.FunctionScope ? Code.startOf(Code.numBlocks()) : At + slot::Dead;
        Live.Stretches.push_back(
            {Start, End, uint32_t(Live.Values.size()), T.Kind});
        Live.Values.push_back({Register(), T.Kind, &MI});
      }
    }
  putInOrder(Live);
  return Error::success();
}

Expected<LiveValues>
LiveValues::collect(MachineFunction &MF,
                    function_ref<void(MachineInstr &)> Visit) {
  LiveValues Live;
  Live.Code.build(MF, Visit);
  numberValues(MF, Live);
  Live.Stretches.reserve(2 * Live.Values.size());
  StretchFinder(Live).run(BlockLiveness(MF, Live.Code, Live.ValueOf.size()));
  if (Error E = collectTemps(MF, Live))
    return std::move(E);
  return Live;
}

PeakPressure peakPressure(ArrayRef<LiveStretch> Stretches) {
  struct EndOf {
    uint32_t At;
    RegKind Kind;
  };
  std::vector<EndOf> Ends;
  Ends.reserve(Stretches.size());
  for (const LiveStretch &S : Stretches)
    Ends.push_back({S.End, S.Kind});
  sortByNumber(Ends, [](EndOf E) { return E.At; });
  auto Ended = Ends.begin();
  unsigned Units = 0, Preds = 0, UnitStretches = 0;
  PeakPressure Peak;
  for (const LiveStretch &S : Stretches) {
    for (; Ended->At <= S.Start; ++Ended) {
      bool IsPred = Ended->Kind == RegKind::Pred;
      Units -= unitsOf(Ended->Kind);
      Preds -= IsPred;
      UnitStretches -= !IsPred;
    }
    bool IsPred = S.Kind == RegKind::Pred;
    Peak.UnitPairs += IsPred ? 0 : UnitStretches;
    Peak.PredPairs += IsPred ? Preds : 0;
    Units += unitsOf(S.Kind);
    Preds += IsPred;
    UnitStretches += !IsPred;
    Peak.Units = std::max(Peak.Units, Units);
    Peak.Preds = std::max(Peak.Preds, Preds);
  }
  return Peak;
}

} // namespace regshare
