//===- WarpInterpreter.cpp - Runs a model function on a warp -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpInterpreter.h"

#include <algorithm>
#include <map>

namespace regshare::test {

static uint64_t mix(uint64_t A, uint64_t B) {
  uint64_t H = (A ^ (B + 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
  return H ^ H >> 29;
}

WarpInterpreter::WarpInterpreter(const ModelFunction &F, uint64_t Seed)
    : F(F), Random(Seed), Seed(Seed) {}

uint64_t WarpInterpreter::value(unsigned Lane, ModelReg Use) const {
  uint64_t Value = 0;
  unitsOf({Use}).forEach(
      [&](unsigned Unit) { Value = mix(Value, Regs[Lane][Unit]); });
  return Value;
}

/// The number in the first unit of \p Use, or the predicate: what decides.
uint64_t WarpInterpreter::choice(unsigned Lane, ModelReg Use) const {
  bool IsPred = Use.Kind == RegKind::Pred;
  return Regs[Lane][(IsPred ? RegSet::PredBase : 0) + Use.Index];
}

WarpInterpreter::LaneMask WarpInterpreter::ballot(ModelReg Pred,
                                                  LaneMask Lanes) const {
  LaneMask Votes = 0;
  for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
    if (Lanes >> Lane & 1 && choice(Lane, Pred))
      Votes |= 1u << Lane;
  return Votes;
}

/// What every result of \p I is made of.
uint64_t WarpInterpreter::result(const ModelInstr &I, unsigned Lane,
                                 LaneMask Lanes) const {
  uint64_t H = mix(Seed, unsigned(I.Op));
  switch (I.Op) {
  case ModelOp::LaneId:
    return mix(H, Lane);
  case ModelOp::Ballot:
    return mix(H, ballot(I.Uses[0], Lanes));
  case ModelOp::Select:
    return value(Lane, I.Uses[choice(Lane, I.Uses[2])]);
  case ModelOp::Load:
  case ModelOp::LoadGroup:
    H = mix(H, Steps.size());
    break;
  case ModelOp::LoadLocal:
    H = mix(mix(H, Steps.size()), Lane);
    break;
  default:
    break;
  }
  for (ModelReg Use : I.Uses)
    H = mix(H, value(Lane, Use));
  return H;
}

/// Values up to now are needed since they were written.
void WarpInterpreter::read(unsigned Lane, const RegSet &Units) {
  Units.forEach([&](unsigned Unit) {
    for (uint64_t S = Since[Lane][Unit]; S != Steps.size(); ++S)
      Steps[S].Needed.set(Unit);
    Since[Lane][Unit] = Steps.size();
  });
}

void WarpInterpreter::write(unsigned Lane, ModelReg Def, uint64_t Value) {
  unitsOf({Def}).forEach([&](unsigned Unit) {
    // Few values, so that lanes agree by chance as well.
    Regs[Lane][Unit] =
        mix(Value, Unit) >> 7 & (Def.Kind == RegKind::Pred ? 1 : 3);
    Since[Lane][Unit] = Steps.size();
  });
}

void WarpInterpreter::step(unsigned Block, unsigned Instr, LaneMask Lanes) {
  const ModelBlock &B = F.Blocks[Block];
  Steps.push_back({Block, Instr, {}, {}, false, false});
  unsigned First = std::countr_zero(Lanes);
  for (unsigned Unit = 0; Unit != Regs[0].size(); ++Unit)
    for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
      if (Lanes >> Lane & 1 && Regs[Lane][Unit] != Regs[First][Unit])
        Steps.back().Differ.set(Unit);
  RegSet Reads = unitsOf(Instr < B.Instrs.size() ? B.Instrs[Instr].Uses
                                                 : B.terminatorUses());
  std::array<uint64_t, NumLanes> Results{};
  for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
    if (Lanes >> Lane & 1) {
      read(Lane, Reads);
      if (Instr < B.Instrs.size())
        Results[Lane] = result(B.Instrs[Instr], Lane, Lanes);
    }
  if (Instr == B.Instrs.size())
    return;
  for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
    if (Lanes >> Lane & 1)
      for (unsigned D = 0; D != B.Instrs[Instr].Defs.size(); ++D)
        write(Lane, B.Instrs[Instr].Defs[D], mix(Results[Lane], D));
}

unsigned WarpInterpreter::target(const ModelBlock &Block, unsigned Lane) const {
  if (Block.Succs.size() == 1)
    return Block.Succs[0];
  return Block.Succs[choice(Lane, *Block.Condition) % Block.Succs.size()];
}

/// The immediate post-dominator; where endless loops leave it open, any block.
std::optional<unsigned> WarpInterpreter::meetingPoint(unsigned Block) const {
  std::optional<unsigned> Meet = immediatePostDominator(F, Block);
  if (!Meet && canRunForever(F))
    if (unsigned Any = mix(Seed, Block) % (F.Blocks.size() + 1))
      Meet = Any - 1;
  return Meet;
}

/// The lanes on top of the stack go on from the end of \p Block.
void WarpInterpreter::leave(unsigned Block) {
  StackEntry &Top = Stack.back();
  std::map<unsigned, LaneMask> Sides;
  for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
    if (Top.Lanes >> Lane & 1 && !F.Blocks[Block].Succs.empty())
      Sides[target(F.Blocks[Block], Lane)] |= 1u << Lane;
  if (Sides.size() == 1) {
    Top.At = Sides.begin()->first;
    return;
  }
  Steps.back().Parted = Sides.size() > 1;
  std::optional<unsigned> Meet;
  if (!Sides.empty())
    Meet = meetingPoint(Block);
  std::vector<StackEntry> Entries;
  Entries.reserve(Sides.size());
  for (auto [At, Lanes] : Sides)
    if (Meet)
      Entries.push_back({At, Lanes, Meet, Stack.size() - 1, {}});
    else
      Entries.push_back({At, Lanes, Top.Meet, Top.Joins, {}});
  // A switch takes one target at a time.
  if (F.Blocks[Block].Succs.size() > 2)
    for (StackEntry &E : Entries)
      E.Again = Block;
  if (Meet)
    Top = {*Meet, 0, Top.Meet, Top.Joins, {}};
  else
    Stack.pop_back();
  std::ranges::shuffle(Entries, Random);
  Stack.insert(Stack.end(), Entries.begin(), Entries.end());
}

const std::vector<WarpStep> &WarpInterpreter::run(unsigned MaxSteps) {
  Stack.push_back({0, (1u << NumLanes) - 1, std::nullopt, 0, {}});
  while (!Stack.empty() && Steps.size() < MaxSteps) {
    StackEntry Top = Stack.back();
    if (Top.Again && Top.Lanes) {
      step(*Top.Again, F.Blocks[*Top.Again].Instrs.size(), Top.Lanes);
      Steps.back().Again = true;
      Stack.back().Again.reset();
      continue;
    }
    if (Top.Meet == Top.At || !Top.Lanes) {
      Stack.pop_back();
      if (Top.Lanes)
        Stack[Top.Joins].Lanes |= Top.Lanes;
      continue;
    }
    for (unsigned I = 0; I <= F.Blocks[Top.At].Instrs.size(); ++I)
      step(Top.At, I, Top.Lanes);
    leave(Top.At);
  }
  return Steps;
}

} // namespace regshare::test
