//===- RandomMachineFunction.cpp - Machine functions for tests -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomMachineFunction.h"

#include <algorithm>
#include <random>
#include <set>

namespace regshare::test {

namespace {

constexpr RegKind AllKinds[] = {RegKind::Pred, RegKind::B16, RegKind::B32,
                                RegKind::B64};

using RegNames = std::set<ModelReg>;
using Succs = std::vector<std::vector<unsigned>>;

class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}
  /// Below \p N, the same on every platform.
  unsigned below(unsigned N) { return Engine() % N; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <typename T> const T &pick(const std::vector<T> &From) {
    return From[below(From.size())];
  }

private:
  std::mt19937_64 Engine;
};

/// A tree that reaches every block, and some more edges, backward ones and
/// self loops included.
Succs arbitraryGraph(Random &R, unsigned NumBlocks) {
  Succs Graph(NumBlocks);
  auto Add = [&](unsigned From, unsigned To) {
    if (std::ranges::find(Graph[From], To) == Graph[From].end())
      Graph[From].push_back(To);
  };
  for (unsigned B = 1; B != NumBlocks; ++B) {
    // Near parents make deep graphs.
    unsigned Span = std::min(B, 1 + R.below(4));
    Add(B - 1 - R.below(Span), B);
  }
  for (unsigned B = 0; B != NumBlocks; ++B)
    while (Graph[B].size() < 2 && NumBlocks > 1 && R.chance(60))
      Add(B, 1 + R.below(NumBlocks - 1));
  return Graph;
}

/// Grows nested statements from block to block.
class StructuredGraph {
public:
  StructuredGraph(Random &R, unsigned NumBlocks) : R(R), Budget(NumBlocks) {
    region(newBlock(), 0);
  }
  Succs take() { return std::move(Graph); }

private:
  unsigned newBlock() {
    Budget -= Budget != 0;
    Graph.emplace_back();
    return Graph.size() - 1;
  }
  unsigned after(unsigned Pred) {
    unsigned B = newBlock();
    Graph[Pred].push_back(B);
    return B;
  }
  unsigned region(unsigned At, unsigned Depth);
  unsigned branch(unsigned At, unsigned Sides, unsigned Depth);
  unsigned loop(unsigned At, bool TestFirst, unsigned Depth);

  Random &R;
  unsigned Budget;
  Succs Graph;
};

unsigned StructuredGraph::branch(unsigned At, unsigned Sides, unsigned Depth) {
  std::vector<unsigned> Ends;
  for (unsigned S = 0; S != Sides; ++S)
    Ends.push_back(region(after(At), Depth + 1));
  if (Sides == 1)
    Ends.push_back(At);
  unsigned Join = newBlock();
  for (unsigned End : Ends)
    Graph[End].push_back(Join);
  return Join;
}

unsigned StructuredGraph::loop(unsigned At, bool TestFirst, unsigned Depth) {
  unsigned Header = after(At);
  unsigned BodyEnd = region(TestFirst ? after(Header) : Header, Depth + 1);
  bool Break = TestFirst && R.chance(50);
  Graph[BodyEnd].push_back(Header);
  unsigned Exit = newBlock();
  Graph[TestFirst ? Header : BodyEnd].push_back(Exit);
  if (Break)
    Graph[BodyEnd].push_back(Exit);
  return Exit;
}

unsigned StructuredGraph::region(unsigned At, unsigned Depth) {
  unsigned Statements = Depth == 0 ? Budget : Depth > 4 ? 0 : R.below(3);
  for (; Statements && Budget; --Statements) {
    switch (R.below(7)) {
    case 0:
      At = branch(At, 1, Depth);
      break;
    case 1:
    case 2:
      At = branch(At, 2, Depth);
      break;
    case 3:
      At = branch(At, 3 + R.below(2), Depth);
      break;
    case 4:
      At = loop(At, /*TestFirst=*/false, Depth);
      break;
    case 5:
      At = loop(At, /*TestFirst=*/true, Depth);
      break;
    case 6: { // An early return.
      unsigned Next = after(At);
      after(At);
      At = Next;
      break;
    }
    }
  }
  return At;
}

/// Fills the blocks of a graph with instructions.
class Generator {
public:
  explicit Generator(const RandomFunctionOptions &Options)
      : Options(Options), R(Options.Seed) {}
  ModelFunction run();

private:
  ModelReg anyReg(RegKind K);
  std::vector<ModelReg> anyGroup();
  ModelInstr anyInstr();
  void fill(ModelBlock &Block);
  void repair();
  void repairBlock(ModelBlock &Block, RegNames Written);
  void repairUse(ModelReg &Use, RegNames &Written,
                 std::vector<ModelInstr> &Before);

  const RandomFunctionOptions &Options;
  Random R;
  ModelFunction F;
};

ModelReg Generator::anyReg(RegKind K) {
  if (K == RegKind::Pred)
    return {K, R.below(Options.Preds)};
  if (Options.Virtual)
    return {K, R.below(Options.Registers)};
  unsigned Units = unitsOf(K);
  return {K, R.below(Options.Registers / Units) * Units};
}

/// Two or four 32-bit registers that a vector access may name.
std::vector<ModelReg> Generator::anyGroup() {
  unsigned Size = R.chance(50) && Options.Registers >= 4 ? 4 : 2;
  std::vector<ModelReg> Group;
  unsigned First = R.below(Options.Registers / Size) * Size;
  for (unsigned I = 0; I != Size; ++I)
    Group.push_back({RegKind::B32, First + I});
  return Group;
}

ModelInstr Generator::anyInstr() {
  RegKind K = AllKinds[1 + R.below(3)];
  ModelReg Address = anyReg(RegKind::B64);
  switch (R.below(16)) {
  case 0:
    return {ModelOp::Constant, {anyReg(AllKinds[R.below(4)])}, {}};
  case 1:
    return {ModelOp::LaneId, {anyReg(RegKind::B32)}, {}};
  case 2:
    return {ModelOp::Move, {anyReg(K)}, {anyReg(K)}};
  case 3:
    return {ModelOp::Convert, {anyReg(RegKind::B64)}, {anyReg(RegKind::B32)}};
  case 4:
    return {ModelOp::Convert, {anyReg(RegKind::B32)}, {anyReg(RegKind::B64)}};
  case 5:
  case 6:
    return {ModelOp::Compare, {anyReg(RegKind::Pred)}, {anyReg(K), anyReg(K)}};
  case 7:
    return {ModelOp::Select,
            {anyReg(K)},
            {anyReg(K), anyReg(K), anyReg(RegKind::Pred)}};
  case 8:
    return {ModelOp::Ballot, {anyReg(RegKind::B32)}, {anyReg(RegKind::Pred)}};
  case 9:
    return {ModelOp::LoadLocal, {anyReg(K)}, {Address}};
  case 10:
    return {ModelOp::Load, {anyReg(K)}, {Address}};
  case 11:
    return {ModelOp::LoadGroup, anyGroup(), {Address}};
  case 12: {
    std::vector<ModelReg> Uses = anyGroup();
    Uses.push_back(Address);
    return {ModelOp::StoreGroup, {}, Uses};
  }
  case 13:
    return {ModelOp::Store, {}, {anyReg(K), Address}};
  default: {
    RegKind Any = AllKinds[R.below(4)];
    return {ModelOp::Combine, {anyReg(Any)}, {anyReg(Any), anyReg(Any)}};
  }
  }
}

void Generator::fill(ModelBlock &Block) {
  for (unsigned I = R.below(Options.InstrsPerBlock + 1); I; --I)
    Block.Instrs.push_back(anyInstr());
  if (Block.Succs.size() == 2)
    Block.Condition = anyReg(RegKind::Pred);
  else if (Block.Succs.size() > 2)
    Block.Condition = anyReg(RegKind::B32);
  // Tests beside the branch, often on what differs between lanes or changes
  // with time: else most branches would go one way for good.
  if (Block.Succs.size() == 2 && R.chance(70)) {
    ModelReg Tested = anyReg(RegKind::B32);
    if (R.chance(40))
      Block.Instrs.push_back({ModelOp::LaneId, {Tested}, {}});
    else if (R.chance(50))
      Block.Instrs.push_back({ModelOp::Load, {Tested}, {anyReg(RegKind::B64)}});
    Block.Instrs.push_back(
        {ModelOp::Compare, {*Block.Condition}, {Tested, anyReg(RegKind::B32)}});
  }
}

/// Makes \p Use one of the registers that are written for sure, where there
/// are any of its kind, or writes it.
void Generator::repairUse(ModelReg &Use, RegNames &Written,
                          std::vector<ModelInstr> &Before) {
  auto IsWritten = [&](ModelReg Reg) { return Written.count(Reg) != 0; };
  for (unsigned Try = 0; Try != 8 && !IsWritten(Use); ++Try)
    if (ModelReg Other = anyReg(Use.Kind); IsWritten(Other))
      Use = Other;
  if (IsWritten(Use))
    return;
  ModelOp Op = Use.Kind == RegKind::B32 && R.chance(30) ? ModelOp::LaneId
                                                        : ModelOp::Constant;
  Before.push_back({Op, {Use}, {}});
  Written.insert(Use);
}

void Generator::repairBlock(ModelBlock &Block, RegNames Written) {
  std::vector<ModelInstr> Repaired;
  for (ModelInstr &I : Block.Instrs) {
    bool Grouped = I.Op == ModelOp::StoreGroup;
    for (unsigned U = 0; U != I.Uses.size(); ++U) {
      // The members of a group cannot be replaced one by one.
      if (Grouped && U + 1 != I.Uses.size()) {
        Repaired.push_back({ModelOp::Constant, {I.Uses[U]}, {}});
        Written.insert(I.Uses[U]);
        continue;
      }
      repairUse(I.Uses[U], Written, Repaired);
    }
    Repaired.push_back(I);
    for (ModelReg Def : I.Defs)
      Written.insert(Def);
  }
  if (Block.Condition)
    repairUse(*Block.Condition, Written, Repaired);
  Block.Instrs = std::move(Repaired);
}

/// Sees to it that every path writes what is read. Only adds definitions, so
/// what was written for sure before stays so.
void Generator::repair() {
  unsigned N = F.Blocks.size();
  std::vector<std::optional<RegNames>> In(N);
  In[0].emplace();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned B = 0; B != N; ++B) {
      if (!In[B])
        continue;
      RegNames Out = *In[B];
      for (const ModelInstr &I : F.Blocks[B].Instrs)
        for (ModelReg Def : I.Defs)
          Out.insert(Def);
      for (unsigned S : F.Blocks[B].Succs) {
        RegNames Meet;
        if (In[S])
          std::ranges::set_intersection(*In[S], Out,
                                        std::inserter(Meet, Meet.end()));
        else
          Meet = Out;
        Changed |= In[S] != Meet;
        In[S] = std::move(Meet);
      }
    }
  }
  for (unsigned B = 0; B != N; ++B)
    repairBlock(F.Blocks[B], *In[B]);
}

ModelFunction Generator::run() {
  F.Virtual = Options.Virtual;
  Succs Graph = Options.Structured ? StructuredGraph(R, Options.Blocks).take()
                                   : arbitraryGraph(R, Options.Blocks);
  F.Blocks.resize(Graph.size());
  for (unsigned B = 0; B != Graph.size(); ++B) {
    F.Blocks[B].Succs = Graph[B];
    fill(F.Blocks[B]);
  }
  repair();
  return std::move(F);
}

} // namespace

RandomFunctionOptions variedOptions(uint64_t Seed) {
  RandomFunctionOptions O;
  O.Seed = Seed;
  O.Blocks = 3 + Seed % 17;
  O.Structured = Seed / 17 % 2;
  O.Registers = 4 + Seed / 34 % 3 * 4;
  O.InstrsPerBlock = 1 + Seed % 6;
  return O;
}

ModelFunction makeRandomFunction(const RandomFunctionOptions &Options) {
  return Generator(Options).run();
}

} // namespace regshare::test
