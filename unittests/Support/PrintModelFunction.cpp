//===- PrintModelFunction.cpp - Model functions as MIR -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomMachineFunction.h"

#include <cassert>

namespace regshare::test {

namespace {

/// Spells one function in MIR.
class Printer {
public:
  explicit Printer(const ModelFunction &F) : F(F) {}
  std::string run();

private:
  std::string reg(ModelReg R) const;
  std::string regs(const std::vector<ModelReg> &List) const;
  std::string instr(const ModelInstr &I);
  std::string access(const ModelInstr &I) const;
  void terminators(const ModelBlock &B);

  const ModelFunction &F;
  std::string Text;
  unsigned NextConstant = 0;
};

/// The part of an opcode's name that says how wide its values are.
const char *bits(RegKind K) {
  switch (K) {
  case RegKind::Pred:
    return "1";
  case RegKind::B16:
    return "16";
  case RegKind::B32:
    return "32";
  default:
    return "64";
  }
}

std::string block(unsigned B) { return "%bb." + std::to_string(B); }

std::string Printer::reg(ModelReg R) const {
  std::string Class = std::string(":b") + bits(R.Kind);
  // Kinds have their own ranges of virtual register numbers.
  if (F.Virtual)
    return "%" + std::to_string(unsigned(R.Kind) * 1000 + R.Index) + Class;
  return "%" + ArchReg{R.Kind, uint8_t(R.Index)}.name() + Class;
}

std::string Printer::regs(const std::vector<ModelReg> &List) const {
  std::string All;
  for (ModelReg R : List)
    All += (All.empty() ? "" : ", ") + reg(R);
  return All;
}

/// Loads and stores: ordering, scope, address space, and so on, stand between
/// the values and the address.
std::string Printer::access(const ModelInstr &I) const {
  bool IsLoad = !I.Defs.empty();
  std::vector<ModelReg> Values = IsLoad ? I.Defs : I.Uses;
  if (!IsLoad)
    Values.pop_back();
  std::string Width = bits(Values.front().Kind);
  std::string Name = IsLoad ? "LD" : "ST";
  if (Values.size() > 1)
    Name += "V_i32_v" + std::to_string(Values.size());
  else
    Name += "_i" + Width;
  std::string Space = I.Op == ModelOp::LoadLocal ? "5" : "1";
  std::string Rest = "0, 0, " + Space + ", " +
                     (IsLoad ? "3, " + Width + ", -1" : Width) + ", " +
                     reg(I.Uses.back()) + ", 0";
  if (IsLoad)
    return regs(Values) + " = " + Name + " " + Rest;
  return Name + " " + regs(Values) + ", " + Rest;
}

std::string Printer::instr(const ModelInstr &I) {
  std::string Result = I.Defs.empty() ? "" : reg(I.Defs.front()) + " = ";
  std::string Bits = bits((I.Defs.empty() ? I.Uses : I.Defs).front().Kind);
  switch (I.Op) {
  case ModelOp::Constant:
    return Result + "MOV_B" + Bits + "_i " +
           (Bits == "1" ? "0" : std::to_string(NextConstant++));
  case ModelOp::LaneId:
    return Result + "SREG_LANEID";
  case ModelOp::Move:
    return Result + "MOV_B" + Bits + "_r " + regs(I.Uses);
  case ModelOp::Combine:
    return Result + (Bits == "1" ? "XOR_predrr " : "ADD" + Bits + "rr ") +
           regs(I.Uses);
  case ModelOp::Convert:
    return Result + "CVT_u" + Bits + "_u" + bits(I.Uses.front().Kind) + " " +
           regs(I.Uses) + ", 0";
  case ModelOp::Compare:
    return Result + "SETP_i" + bits(I.Uses.front().Kind) + "rr " +
           regs(I.Uses) + ", 2";
  case ModelOp::Select:
    return Result + "SELP_b" + Bits + "rr " + regs(I.Uses);
  case ModelOp::Ballot:
    return Result + "VOTE_SYNC_BALLOTi " + regs(I.Uses) + ", -1";
  case ModelOp::Load:
  case ModelOp::LoadLocal:
  case ModelOp::LoadGroup:
  case ModelOp::Store:
  case ModelOp::StoreGroup:
    return access(I);
  }
  assert(false && "covered switch");
  return {};
}

void Printer::terminators(const ModelBlock &B) {
  auto Line = [&](const std::string &Code) { Text += "    " + Code + "\n"; };
  switch (B.Succs.size()) {
  case 0:
    return Line("Return");
  case 1:
    return Line("GOTO " + block(B.Succs[0]));
  case 2:
    Line("CBranch " + reg(*B.Condition) + ", " + block(B.Succs[0]));
    return Line("GOTO " + block(B.Succs[1]));
  default:
    Line("BRX_START 0");
    for (unsigned S = 0; S + 1 != B.Succs.size(); ++S)
      Line("BRX_ITEM " + block(B.Succs[S]));
    Line("BRX_END " + block(B.Succs.back()) + ", " + reg(*B.Condition) + ", 0");
  }
}

std::string Printer::run() {
  for (unsigned N = 0; N != F.Blocks.size(); ++N) {
    const ModelBlock &B = F.Blocks[N];
    Text += "  bb." + std::to_string(N) + ":\n";
    std::string Targets;
    for (unsigned S : B.Succs)
      Targets += (Targets.empty() ? "" : ", ") + block(S);
    if (!Targets.empty())
      Text += "    successors: " + Targets + "\n";
    for (const ModelInstr &I : B.Instrs)
      Text += "    " + instr(I) + "\n";
    terminators(B);
  }
  return std::move(Text);
}

} // namespace

std::string ModelFunction::mir() const { return Printer(*this).run(); }

} // namespace regshare::test
