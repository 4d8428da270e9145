//===- ReadControlCode.cpp - Code as dependences see it -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Analyses.h"
#include "regshare/Base/IssueClass.h"
#include "regshare/Base/Reuse.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Native/LatencyClass.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Native/PTXMnemonics.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/Control/Control.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

namespace {

class Reader {
public:
  Reader(const MachineFunction &MF, const Analyses &A)
      : MF(MF), A(A), Costs(MF), Mnemonics(MF.getTarget()),
        Latencies(expectedOf(MF)),
        Classes(LatencyClasses::get(*MF.getSubtarget().getInstrInfo())),
        DoubleIsShared(sharesDoubleUnit(architectureOf(MF))),
        ConvertsOnAlu(convertsOnAlu(architectureOf(MF))) {
    Costs.noteBranches(MF, A.Meetings, A.Divergence);
  }

  Expected<ControlCode> read();

private:
  static std::string_view architectureOf(const MachineFunction &MF) {
    return MF.getTarget().getTargetCPU();
  }
  static LatencyTable expectedOf(const MachineFunction &MF);
  bool isOfTable(const MachineInstr &MI) const;
  Error readStatement(const MachineInstr &MI);
  ControlUnit unitOf(const MachineInstr &MI);
  void classify(ControlUnit &U, const MachineInstr &MI);
  void addAccesses(ControlUnit &U, const MachineInstr &MI);
  void addOperands(ControlUnit &U, const MachineInstr &MI);
  void addSlots(ControlUnit &U, const MachineInstr &MI);
  std::string nameOf(const MachineInstr &MI);
  std::string specialOf(const MachineInstr &MI) const;

  const MachineFunction &MF;
  const Analyses &A;
  NativeCosts Costs;
  PTXMnemonics Mnemonics;
  LatencyTable Latencies;
  const LatencyClasses &Classes;
  bool DoubleIsShared, ConvertsOnAlu;
  Control Pending;           ///< Of the unit that comes next.
  unsigned PendingReuse = 0; ///< The same.
};

} // namespace

/// All 0 for an architecture without a table.
LatencyTable Reader::expectedOf(const MachineFunction &MF) {
  Expected<LatencyTable> Known = latenciesOf(MF.getTarget().getTargetCPU());
  if (Known)
    return *Known;
  consumeError(Known.takeError());
  return {};
}

std::string Reader::nameOf(const MachineInstr &MI) {
  if (!MI.isInlineAsm())
    return Mnemonics.get(MI).str();
  std::vector<StringRef> All = inlinePTXInstructions(inlinePTXText(MI));
  return All.empty() ? "" : PTXMnemonics::ofText(All.front());
}

/// The special register that a mov reads, or something like one.
std::string Reader::specialOf(const MachineInstr &MI) const {
  if (MI.isInlineAsm()) {
    StringRef Text = inlinePTXText(MI);
    size_t At = Text.rfind('%');
    return At == StringRef::npos ? "" : Text.substr(At).str();
  }
  if (MI.isCopy())
    return "";
  StringRef Name = MF.getSubtarget().getInstrInfo()->getName(MI.getOpcode());
  if (Name.contains("SREG") && Name.contains("CLOCK"))
    return "%clock";
  return Name.contains("SREG") || Name.contains("TIMER") ? "%special" : "";
}

void Reader::classify(ControlUnit &U, const MachineInstr &MI) {
  std::string Text = nameOf(MI);
  IssueName Name = IssueName::parse(Text);
  std::string Special = specialOf(MI);
  std::vector<std::string> Texts;
  for (const MachineInstr *Each : groupOf(MI))
    if (Each != &MI)
      Texts.push_back(nameOf(*Each));
  std::vector<IssueName> Folded;
  Folded.reserve(Texts.size());
  for (const std::string &Each : Texts)
    Folded.push_back(IssueName::parse(Each));
  U.Class = issueClass(Name, {Special, Folded, U.Slots > 1, definesUniform(MI),
                              DoubleIsShared, ConvertsOnAlu});
  U.Expected = Latencies[unsigned(Classes.of(MI))];
  U.MeetsLanes =
      U.Class == IssueClass::Vote || StringRef(Text).contains(".sync");
  U.HasPipe = U.Slots && issueKind(Name) != IssueKind::None;
  U.IsGuarded =
      MI.isBranch() ||
      (MI.isInlineAsm() && inlinePTXText(MI).ltrim(" \t\n{").starts_with("@"));
}

void Reader::addOperands(ControlUnit &U, const MachineInstr &MI) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  for (const MachineOperand &MO : MI.operands()) {
    if (!MO.isReg() || !MO.getReg() || (!MO.isDef() && MO.isUndef()))
      continue;
    auto Add = [&](unsigned First, unsigned Units) {
      std::vector<Access> &To = MO.isDef() ? U.Writes : U.Reads;
      for (unsigned K = 0; K != Units; ++K)
        if (!is_contained(To, First + K))
          To.push_back(Access(First + K));
    };
    if (MO.getReg().isPhysical()) {
      Add(FrameAddress, 1);
      continue;
    }
    if (ArchReg R = A.Assignment.lookup(MO.getReg()); R.isValid()) {
      if (R.isPred())
        Add(FirstPredicate + R.Index, 1);
      else
        Add(R.Index, R.units());
    } else if (std::optional<unsigned> Unit =
                   uniformUnit(MRI.getVRegName(MO.getReg()).str())) {
      unsigned Bits = TRI.getRegSizeInBits(*MRI.getRegClass(MO.getReg()));
      Add(FirstUniform + *Unit, Bits > 32 ? 2 : 1);
    }
  }
}

/// Operands that PTX names take their slots in the order of its text.
void Reader::addSlots(ControlUnit &U, const MachineInstr &MI) {
  SmallVector<const MachineInstr *, 4> Group = groupOf(MI);
  std::reverse(Group.begin() + 1, Group.end());
  OperandSlots Slots;
  for (const MachineInstr *Each : Group)
    for (const MachineOperand &MO : Each->uses()) {
      if (!MO.isReg() || !MO.getReg().isVirtual())
        continue;
      ArchReg R = A.Assignment.lookup(MO.getReg());
      if (!R.isValid() || R.isPred())
        continue;
      std::optional<unsigned> Slot = Slots.add(R.Index);
      for (unsigned K = 0; Slot && K != R.units(); ++K)
        if (none_of(U.Operands, [&](const OperandRead &Of) {
              return Of.Row == R.Index + K;
            }))
          U.Operands.push_back({Access(R.Index + K), *Slot});
    }
}

/// Of the instruction and those that are folded into it.
void Reader::addAccesses(ControlUnit &U, const MachineInstr &MI) {
  for (const MachineInstr *Each : groupOf(MI))
    addOperands(U, *Each);
  for (ArchReg R : A.Assignment.temps(MI))
    for (unsigned K = 0; K != std::max(R.units(), 1u); ++K)
      U.Writes.push_back(
          Access((R.isPred() ? FirstPredicate : Access(0)) + R.Index + K));
}

ControlUnit Reader::unitOf(const MachineInstr &MI) {
  ControlUnit U;
  U.At = &MI;
  U.Says = std::exchange(Pending, {});
  U.Reuse = std::exchange(PendingReuse, 0);
  U.Slots = Costs.of(MI).Executed;
  addAccesses(U, MI);
  U.IsInline = MI.isInlineAsm();
  if (!U.IsInline && !MI.isCall())
    addSlots(U, MI);
  if (MI.isInlineAsm())
    U.Instructions = inlinePTXInstructions(inlinePTXText(MI)).size();
  if (MI.isCall())
    U.Is = ControlUnit::Drains;
  else if (U.Instructions > 1)
    U.Is = ControlUnit::Serial;
  else
    classify(U, MI);
  return U;
}

Error Reader::readStatement(const MachineInstr &MI) {
  StringRef Verb = statementVerb(MI);
  if (Verb != "control" && Verb != "reuse")
    return Error::success();
  Result<Statement> S = parseStatement(statementString(MI));
  Result<void> Read;
  if (!S)
    Read = tl::make_unexpected(S.error());
  else if (Verb == "control")
    Read = parseControl(*S).map([&](const Control &C) { Pending = C; });
  else
    Read = parseReuse(*S).map([&](unsigned Slots) { PendingReuse = Slots; });
  if (!Read)
    return createStringError(MF.getName() + ": " + Read.error().Message);
  return Error::success();
}

/// The table of a switch stands in the text between what comes before its
/// branch and the branch, and is no instruction.
bool Reader::isOfTable(const MachineInstr &MI) const {
  StringRef Name = MF.getSubtarget().getInstrInfo()->getName(MI.getOpcode());
  return Name == "BRX_START" || Name == "BRX_ITEM";
}

Expected<ControlCode> Reader::read() {
  DenseMap<const MachineBasicBlock *, unsigned> Numbers;
  for (const MachineBasicBlock &MBB : MF)
    Numbers.try_emplace(&MBB, Numbers.size());
  ControlCode Code;
  for (const MachineBasicBlock &MBB : MF) {
    ControlBlock &B = Code.emplace_back();
    for (const MachineBasicBlock *Next : MBB.successors())
      B.Successors.push_back(Numbers.lookup(Next));
    const MachineInstr *Table = nullptr;
    for (const MachineInstr &MI : MBB) {
      if (!statementVerb(MI).empty()) {
        if (Error E = readStatement(MI))
          return std::move(E);
      } else if (isOfTable(MI)) {
        Table = Table ? Table : &MI;
      } else if (!MI.isMetaInstruction() && !isFolded(MI) &&
                 !definesConstant(MI) && !isEmptyInlinePTX(MI)) {
        B.Units.push_back(unitOf(MI));
        // What is said of the branch stands before its table.
        if (Table)
          B.Units.back().At = Table;
      }
    }
  }
  return Code;
}

Expected<ControlCode> readControlCode(const MachineFunction &MF,
                                      const MachinePostDominatorTree &PDT) {
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  Analyses A(MF, std::move(*Assignment), PDT);
  return Reader(MF, A).read();
}

} // namespace regshare
