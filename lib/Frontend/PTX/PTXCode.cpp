//===- PTXCode.cpp - The blocks of a PTX function -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXCode.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace regshare;
namespace ptx = regshare::sim::ptx;
using ptx::Operand;

namespace {
class BlockMaker {
public:
  BlockMaker(const PTXInput &Input, const ptx::Function &F)
      : Input(Input), F(F), Leads(F.Body.size() + 1) {}
  Expected<std::vector<PTXBlock>> run();

private:
  static bool endsBlock(const ptx::Instruction &I);
  bool touchesCall(const ptx::Instruction &I) const;
  Error findLeaders();
  Error checkCall(const ptx::Instruction &I) const;
  Expected<std::vector<unsigned>> targets(const ptx::Instruction &I) const;
  Expected<PTXStep> step(unsigned At, unsigned Limit) const;
  Error addRegisters(const ptx::Instruction &I, PTXStep &S) const;
  Error end(PTXBlock &B, unsigned Last);
  Expected<PTXBlock> block(unsigned Begin, unsigned End);
  void reach(std::vector<PTXBlock> &Blocks) const;

  const PTXInput &Input;
  const ptx::Function &F;
  std::vector<bool> Leads;
  std::vector<unsigned> BlockAt; ///< By instruction that leads one.
};
} // namespace

bool BlockMaker::endsBlock(const ptx::Instruction &I) {
  return I.Opcode == "bra" || I.Opcode == "brx" || I.Opcode == "ret" ||
         I.Opcode == "exit" || I.Opcode == "trap";
}

/// The table that a brx.idx names; null if there is none.
static const ptx::TargetTable *tableOf(const ptx::Function &F,
                                       const ptx::Instruction &I) {
  if (I.Operands.size() == 2)
    for (const ptx::TargetTable &T : F.Tables)
      if (T.Name == I.Operands[1].Name)
        return &T;
  return nullptr;
}

Expected<std::vector<unsigned>>
BlockMaker::targets(const ptx::Instruction &I) const {
  auto Bad = [&](const char *Why) {
    return ptxError(Input, I.Line, "'" + StringRef(I.Text) + "': " + Why);
  };
  if (I.Opcode == "bra") {
    if (I.Operands.size() != 1 || I.Operands[0].K != Operand::Label)
      return Bad("expected a label of this function");
    return std::vector<unsigned>{unsigned(I.Operands[0].Index)};
  }
  if (I.Opcode != "brx")
    return std::vector<unsigned>();
  const ptx::TargetTable *Table = tableOf(F, I);
  if (!Table || Table->Targets.empty() || I.Operands[0].K != Operand::Reg)
    return Bad("expected a register and a list of targets");
  if (I.Guard >= 0)
    return Bad("a guard is not supported here");
  return std::vector<unsigned>(Table->Targets.begin(), Table->Targets.end());
}

Error BlockMaker::findLeaders() {
  Leads[0] = true;
  Leads[F.Body.size()] = true;
  for (auto [N, I] : enumerate(F.Body)) {
    if (!endsBlock(I))
      continue;
    Expected<std::vector<unsigned>> Targets = targets(I);
    if (!Targets)
      return Targets.takeError();
    for (unsigned T : *Targets)
      Leads[T] = true;
    Leads[N + 1] = true;
  }
  return Error::success();
}

/// A parameter of a call is stored or loaded.
bool BlockMaker::touchesCall(const ptx::Instruction &I) const {
  if (I.Opcode == "call")
    return true;
  auto IsParam = [&](const Operand &O) {
    return O.K == Operand::Symbol && O.Index >= 0 &&
           F.Locals[O.Index].Where == sim::Space::Param;
  };
  return any_of(I.Operands, [&](const Operand &O) {
    return IsParam(O) || any_of(O.Elements, IsParam);
  });
}

Error BlockMaker::checkCall(const ptx::Instruction &I) const {
  auto Bad = [&](const Twine &Why) {
    return ptxError(Input, I.Line, "'" + StringRef(I.Text) + "': " + Why);
  };
  if (I.Guard >= 0)
    return Bad("a guarded call is not supported");
  const Operand *Callee = nullptr;
  for (const Operand &O : I.Operands)
    if (O.K != Operand::List && !Callee)
      Callee = &O;
  if (!Callee || Callee->K != Operand::Symbol)
    return Bad("a call through a pointer is not supported in PTX");
  const ptx::Function *To = Input.Module.find(Callee->Name);
  if (!To)
    return Bad("no such function");
  if (To->HasBody)
    return Bad("a function of the module is called; RegShare gives registers "
               "to whole kernels and takes PTX whose functions are inlined");
  return Error::success();
}

/// Adds the registers of \p O to \p List. What is in brackets is read.
static void collect(const Operand &O, SmallVectorImpl<int> &Writes,
                    SmallVectorImpl<int> &Reads, bool IsResult) {
  if (O.K == Operand::Reg) {
    SmallVectorImpl<int> &List = IsResult ? Writes : Reads;
    if (!is_contained(List, O.Index))
      List.push_back(O.Index);
  }
  for (const Operand &E : O.Elements)
    collect(E, Writes, Reads, IsResult && O.K != Operand::Address);
}

Error BlockMaker::addRegisters(const ptx::Instruction &I, PTXStep &S) const {
  if (I.Opcode.starts_with("regshare."))
    return ptxError(Input, I.Line,
                    "'" + StringRef(I.Opcode) +
                        "': annotated PTX has its registers; take it with "
                        "--simulate");
  bool Writes = false;
  if (I.Opcode == "implicit-def") {
    Writes = true;
  } else if (I.Opcode == "call") {
    if (Error E = checkCall(I))
      return E;
  } else {
    PTXResult R = ptxResultOf(I);
    if (R == PTXResult::Unknown)
      return ptxError(Input, I.Line,
                      "instruction '" + StringRef(I.Opcode) +
                          "' is not supported: " + StringRef(I.Text));
    Writes = R == PTXResult::Writes;
  }
  if (I.Guard >= 0) {
    S.Reads.push_back(I.Guard);
    S.IsGuarded = true;
  }
  for (auto [N, O] : enumerate(I.Operands))
    collect(O, S.Writes, S.Reads, Writes && N == 0);
  return Error::success();
}

Expected<PTXStep> BlockMaker::step(unsigned At, unsigned Limit) const {
  PTXStep S;
  S.Begin = At;
  S.End = At + 1;
  if (touchesCall(F.Body[At])) {
    while (S.End < Limit &&
           (touchesCall(F.Body[S.End]) ||
            (F.Body[At].Block && F.Body[S.End].Block == F.Body[At].Block)))
      ++S.End;
    auto IsCall = [](const ptx::Instruction &I) { return I.Opcode == "call"; };
    auto All = ArrayRef(F.Body).slice(At, S.End - At);
    if (none_of(All, IsCall))
      return ptxError(Input, F.Body[At].Line,
                      "'" + StringRef(F.Body[At].Text) +
                          "': expected a call next to it");
  }
  for (unsigned I = S.Begin; I != S.End; ++I)
    if (Error E = addRegisters(F.Body[I], S))
      return std::move(E);
  // What may keep its old value depends on it.
  if (S.IsGuarded)
    for (int R : S.Writes)
      if (!is_contained(S.Reads, R))
        S.Reads.push_back(R);
  return S;
}

Error BlockMaker::end(PTXBlock &B, unsigned Last) {
  const ptx::Instruction &I = F.Body[Last];
  Expected<std::vector<unsigned>> Targets = targets(I);
  if (!Targets)
    return Targets.takeError();
  for (unsigned T : *Targets)
    B.Targets.push_back(BlockAt[T]);
  B.Last = Last;
  B.Reads = I.Opcode == "brx" ? I.Operands[0].Index : I.Guard;
  B.GoesOn = I.Guard >= 0;
  B.Exit = I.Opcode == "bra"    ? PTXExit::Branches
           : I.Opcode == "brx"  ? PTXExit::Switches
           : I.Opcode == "trap" ? PTXExit::Traps
                                : PTXExit::Returns;
  return Error::success();
}

Expected<PTXBlock> BlockMaker::block(unsigned Begin, unsigned End) {
  PTXBlock B;
  B.GoesOn = true;
  if (Begin != End && endsBlock(F.Body[End - 1])) {
    --End;
    if (Error E = end(B, End))
      return std::move(E);
  }
  while (Begin != End) {
    Expected<PTXStep> S = step(Begin, End);
    if (!S)
      return S.takeError();
    Begin = S->End;
    B.Steps.push_back(std::move(*S));
  }
  return B;
}

void BlockMaker::reach(std::vector<PTXBlock> &Blocks) const {
  std::vector<unsigned> Work{0};
  while (!Work.empty()) {
    unsigned N = Work.back();
    Work.pop_back();
    if (std::exchange(Blocks[N].IsReachable, true))
      continue;
    Work.insert(Work.end(), Blocks[N].Targets.begin(), Blocks[N].Targets.end());
    if (Blocks[N].GoesOn)
      Work.push_back(N + 1);
  }
}

Expected<std::vector<PTXBlock>> BlockMaker::run() {
  if (Error E = findLeaders())
    return std::move(E);
  std::vector<unsigned> Starts;
  BlockAt.resize(Leads.size());
  for (unsigned I = 0; I != Leads.size(); ++I)
    if (Leads[I]) {
      BlockAt[I] = Starts.size();
      Starts.push_back(I);
    }
  std::vector<PTXBlock> Blocks;
  for (unsigned N = 0; N + 1 < Starts.size(); ++N) {
    Expected<PTXBlock> B = block(Starts[N], Starts[N + 1]);
    if (!B)
      return B.takeError();
    Blocks.push_back(std::move(*B));
  }
  Blocks.emplace_back().Exit = PTXExit::Returns;
  reach(Blocks);
  return Blocks;
}

Expected<std::vector<PTXBlock>> regshare::blocksOf(const PTXInput &Input,
                                                   const ptx::Function &F) {
  return BlockMaker(Input, F).run();
}

PTXUnwritten regshare::findUnwritten(const std::vector<PTXBlock> &Blocks,
                                     size_t NumRegisters) {
  // What is written on some path, and on all, before a block.
  std::vector<BitVector> Some(Blocks.size(), BitVector(NumRegisters));
  std::vector<BitVector> All(Blocks.size(), BitVector(NumRegisters, true));
  std::vector<BitVector> Writes(Blocks.size(), BitVector(NumRegisters));
  All[0].reset();
  for (auto [N, B] : enumerate(Blocks))
    for (const PTXStep &S : B.Steps)
      for (int R : S.Writes)
        Writes[N].set(R);
  for (bool Changed = true; std::exchange(Changed, false);)
    for (unsigned N = 0; N != Blocks.size(); ++N) {
      if (!Blocks[N].IsReachable)
        continue;
      auto Pass = [&](unsigned To) {
        BitVector S = Some[To], A = All[N];
        S |= Some[N];
        S |= Writes[N];
        A |= Writes[N];
        A &= All[To];
        Changed |= S != Some[To] || A != All[To];
        Some[To] = std::move(S);
        All[To] = std::move(A);
      };
      for (unsigned T : Blocks[N].Targets)
        Pass(T);
      if (Blocks[N].GoesOn)
        Pass(N + 1);
    }
  PTXUnwritten Result;
  Result.Sometimes.resize(NumRegisters);
  for (unsigned N = 0; N != Blocks.size(); ++N) {
    if (!Blocks[N].IsReachable)
      continue;
    for (const PTXStep &S : Blocks[N].Steps) {
      for (int R : S.Reads)
        if (!Some[N].test(R))
          Result.Never.emplace_back(S.Begin, R);
        else if (!All[N].test(R))
          Result.Sometimes[R] = true;
      for (int R : S.Writes) {
        Some[N].set(R);
        All[N].set(R);
      }
    }
    if (int R = Blocks[N].Reads; R >= 0 && !All[N].test(R))
      Result.Sometimes[R] = true;
  }
  return Result;
}

bool regshare::namesFrame(const ptx::Function &F,
                          const std::map<int, uint64_t> &Offsets) {
  auto IsNamed = [&](const Operand &O, std::string_view Name) {
    return O.K == Operand::Reg && F.Registers[O.Index].Name == Name;
  };
  return all_of(F.Body, [&](const ptx::Instruction &I) {
    if (I.Operands.empty() || ptxResultOf(I) != PTXResult::Writes)
      return true;
    const Operand &To = I.Operands.front(), &From = I.Operands.back();
    if (IsNamed(To, "%SP"))
      return I.Opcode == "cvta" && I.Guard < 0 && IsNamed(From, "%SPL");
    if (!IsNamed(To, "%SPL"))
      return true;
    auto Variable = Offsets.find(From.Index);
    return I.Opcode == "mov" && I.Guard < 0 && From.K == Operand::Symbol &&
           !From.Value && Variable != Offsets.end() && !Variable->second;
  });
}
