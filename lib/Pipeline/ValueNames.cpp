//===- ValueNames.cpp - What the source calls values ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueNames.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace regshare {

/// Without typedefs and qualifiers.
static const DIType *plain(const DIType *T) {
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    if (!is_contained({dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type,
                       dwarf::DW_TAG_volatile_type},
                      D->getTag()))
      break;
    T = D->getBaseType();
  }
  return T;
}

static std::string memberAt(const DIType *T, uint64_t Offset, uint64_t Bits);

/// The same for an array, of one or several dimensions.
static std::string elementAt(const DICompositeType &Array, uint64_t Offset,
                             uint64_t Bits) {
  const DIType *Element = plain(Array.getBaseType());
  uint64_t Size = Element ? Element->getSizeInBits() : 0;
  if (!Size)
    return "[bit " + std::to_string(Offset) + "]";
  uint64_t Index = Offset / Size;
  std::string Text;
  ArrayRef<MDOperand> Ranges = Array.getElements()->operands();
  for (const MDOperand &Operand : reverse(Ranges)) {
    const auto *Range = dyn_cast<DISubrange>(Operand.get());
    auto *Count =
        Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
    // The first dimension may have any length.
    bool IsFirst = &Operand == Ranges.begin();
    uint64_t Length = Count ? Count->getZExtValue() : 0;
    if (!IsFirst && !Length)
      return "[bit " + std::to_string(Offset) + "]";
    uint64_t Own = IsFirst ? Index : Index % Length;
    Text = "[" + std::to_string(Own) + "]" + Text;
    Index = IsFirst ? 0 : Index / Length;
  }
  return Text + memberAt(Element, Offset % Size, Bits);
}

/// ".Ambient", "[3].X": what has the bits from \p Offset on of a value of type
/// \p T. Empty for the value itself.
static std::string memberAt(const DIType *T, uint64_t Offset, uint64_t Bits) {
  T = plain(T);
  if (T && Offset == 0 && T->getSizeInBits() == Bits)
    return "";
  const auto *C = dyn_cast_or_null<DICompositeType>(T);
  if (!C)
    return "[bit " + std::to_string(Offset) + "]";
  if (C->getTag() == dwarf::DW_TAG_array_type)
    return elementAt(*C, Offset, Bits);
  for (const DINode *N : C->getElements()) {
    const auto *M = dyn_cast<DIDerivedType>(N);
    if (!M || M->isStaticMember() || Offset < M->getOffsetInBits() ||
        Offset >= M->getOffsetInBits() + M->getSizeInBits())
      continue;
    std::string Rest =
        memberAt(M->getBaseType(), Offset - M->getOffsetInBits(), Bits);
    // A base class has no name.
    return M->getName().empty() ? Rest : "." + M->getName().str() + Rest;
  }
  return "[bit " + std::to_string(Offset) + "]";
}

/// Whether the variable is the register's value, but for its width.
static bool isWhole(const DIExpression &E) {
  return all_of(E.expr_ops(), [](const DIExpression::ExprOperand &Op) {
    return is_contained({uint64_t(dwarf::DW_OP_LLVM_convert),
                         uint64_t(dwarf::DW_OP_LLVM_fragment),
                         uint64_t(dwarf::DW_OP_stack_value),
                         uint64_t(dwarf::DW_OP_LLVM_arg)},
                        Op.getOp());
  });
}

static ValueName nameOf(const MachineInstr &Debug) {
  const DILocalVariable &V = *Debug.getDebugVariable();
  const DIExpression &E = *Debug.getDebugExpression();
  ValueName N;
  N.Variable = V.getName().str();
  if (std::optional<DIExpression::FragmentInfo> F = E.getFragmentInfo())
    N.Variable += memberAt(V.getType(), F->OffsetInBits, F->SizeInBits);
  const DISubprogram *Own = Debug.getMF()->getFunction().getSubprogram();
  const DISubprogram *Of = V.getScope()->getSubprogram();
  if (Of && Own && Of->getName() != Own->getName())
    N.Function = Of->getName().str();
  N.IsWhole = isWhole(E) && !Debug.isIndirectDebugValue() &&
              Debug.getNumDebugOperands() == 1;
  return N;
}

/// The definitions of a virtual register that reach \p At.
static SmallVector<MachineOperand *, 2> definitionsAt(MachineInstr &At,
                                                      Register R) {
  MachineRegisterInfo &MRI = At.getMF()->getRegInfo();
  SmallVector<MachineOperand *, 2> Found;
  if (MRI.hasOneDef(R)) {
    Found.push_back(&*MRI.def_begin(R));
    return Found;
  }
  SmallPtrSet<MachineBasicBlock *, 8> Seen;
  SmallVector<std::pair<MachineBasicBlock *, MachineInstr *>, 8> Open{
      {At.getParent(), At.getPrevNode()}};
  while (!Open.empty()) {
    auto [Block, Last] = Open.pop_back_val();
    MachineOperand *Def = nullptr;
    for (MachineInstr *MI = Last; MI && !Def; MI = MI->getPrevNode())
      for (MachineOperand &MO : MI->all_defs())
        if (MO.getReg() == R)
          Def = &MO;
    if (Def) {
      Found.push_back(Def);
      continue;
    }
    for (MachineBasicBlock *Pred : Block->predecessors())
      if (Seen.insert(Pred).second)
        Open.push_back({Pred, Pred->empty() ? nullptr : &Pred->back()});
  }
  return Found;
}

/// Of a register that the input names, each definition has that name.
void ValueNames::noteRegisters(MachineFunction &MF, Table &T) const {
  auto It = Registers.find(MF.getName());
  if (It == Registers.end())
    return;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      for (const MachineOperand &MO : MI.all_defs()) {
        unsigned N = MO.getReg().isVirtual() ? MO.getReg().virtRegIndex() : ~0u;
        if (N < It->second.size() && !It->second[N].empty())
          T[{MI.getDebugInstrNum(), MO.getOperandNo()}].push_back(
              {It->second[N], "", true});
      }
}

void ValueNames::note(MachineFunction &MF) {
  Table &T = ByFunction[MF.getName()];
  noteRegisters(MF, T);
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      if (!MI.isDebugValue())
        continue;
      ValueName Name = nameOf(MI);
      for (const MachineOperand &MO : MI.debug_operands()) {
        if (!MO.isReg() || !MO.getReg().isVirtual())
          continue;
        for (MachineOperand *Def : definitionsAt(MI, MO.getReg())) {
          MachineInstr &By = *Def->getParent();
          Names &All = T[{By.getDebugInstrNum(), By.getOperandNo(Def)}];
          if (!is_contained(All, Name))
            All.push_back(Name);
        }
      }
    }
}

ArrayRef<ValueName> ValueNames::of(const MachineInstr &MI,
                                   unsigned Operand) const {
  auto Found = ByFunction.find(MI.getMF()->getName());
  if (Found == ByFunction.end() || !MI.peekDebugInstrNum())
    return {};
  auto It = Found->second.find({MI.peekDebugInstrNum(), Operand});
  return It == Found->second.end() ? ArrayRef<ValueName>() : It->second;
}

std::string nameOfParameter(const Argument &A, uint64_t Offset,
                            uint64_t Bytes) {
  const DISubprogram *SP = A.getParent()->getSubprogram();
  if (!SP)
    return "";
  for (const DINode *N : SP->getRetainedNodes())
    if (const auto *V = dyn_cast<DILocalVariable>(N);
        V && V->getArg() == A.getArgNo() + 1)
      return V->getName().str() + memberAt(V->getType(), 8 * Offset, 8 * Bytes);
  return "";
}

namespace {
class NoteNamesPass : public MachineFunctionPass {
public:
  static char ID;
  explicit NoteNamesPass(std::shared_ptr<ValueNames> Names)
      : MachineFunctionPass(ID), Names(std::move(Names)) {}

  StringRef getPassName() const override { return "RegShare note names"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    Names->note(MF);
    return false;
  }

private:
  std::shared_ptr<ValueNames> Names;
};
char NoteNamesPass::ID = 0;
} // namespace

FunctionPass *createNoteNamesPass(std::shared_ptr<ValueNames> Names) {
  return new NoteNamesPass(std::move(Names));
}

} // namespace regshare
