//===- AnnotatedModel.cpp - Annotations in model functions ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedModel.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RFV/RFVStatements.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include "LivenessOracle.h"

#include <algorithm>
#include <random>
#include <sstream>

namespace regshare::test {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string statement(std::string Pragma) {
  for (size_t At = 0; (At = Pragma.find('"', At)) != std::string::npos;)
    Pragma.replace(At, 1, "\\22");
  return "    INLINEASM &\"" + Pragma + "\", 1\n";
}

static std::string text(const ModelItem &I) {
  switch (I.K) {
  case ModelItem::Acquire:
    return statement(printAcquirePragma());
  case ModelItem::Release:
    return statement(printReleasePragma());
  case ModelItem::Free:
    return statement(printFreePragma(I.Units));
  case ModelItem::Prefetch:
    return statement(printPrefetchPragma(I.Index, I.Units));
  case ModelItem::Interval:
    return statement(printIntervalPragma(
        I.Index == NoModelInterval ? std::nullopt : std::optional(I.Index)));
  case ModelItem::Dead:
    return statement(printDeadPragma(I.Units));
  case ModelItem::Barrier:
    return "    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0\n";
  case ModelItem::WarpBarrier:
    return "    INT_BAR_WARP_SYNC_I -1\n";
  case ModelItem::Instr:
    break;
  }
  return {};
}

std::string AnnotatedModel::mir() const {
  std::istringstream Lines(F.mir());
  std::string Text, Line;
  for (unsigned B = 0; B != F.Blocks.size(); ++B) {
    std::getline(Lines, Line); // The label.
    Text += Line + "\n";
    if (!F.Blocks[B].Succs.empty()) {
      std::getline(Lines, Line);
      Text += Line + "\n";
    }
    if (B == 0 && Split)
      Text += statement(printSplitPragma(*Split));
    if (B == 0 && Bounds)
      Text += statement(printIntervalsPragma(*Bounds));
    for (const ModelItem &I : Items[B]) {
      if (I.K == ModelItem::Instr) {
        std::getline(Lines, Line);
        Text += Line + "\n";
      }
      Text += text(I);
    }
    size_t Succs = F.Blocks[B].Succs.size();
    for (size_t T = Succs > 2 ? Succs + 1 : std::max<size_t>(Succs, 1); T;
         --T) {
      std::getline(Lines, Line);
      Text += Line + "\n";
    }
  }
  return Text;
}

unsigned AnnotatedModel::itemAt(unsigned Block, unsigned Instr) const {
  if (Block == 0 && (Split || Bounds))
    --Instr;
  return std::min<unsigned>(Instr, Items[Block].size());
}

//===----------------------------------------------------------------------===//
// Random annotations
//===----------------------------------------------------------------------===//

namespace {

class Annotator {
public:
  Annotator(const ModelFunction &F, const std::vector<bool> &Divergent,
            const RandomAnnotationOptions &Options)
      : F(F), Oracle(F, Divergent), Options(Options), Engine(Options.Seed) {}
  AnnotatedModel run();

private:
  unsigned below(unsigned N) { return Engine() % N; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  void findUnits();
  RegSet live(unsigned B, unsigned I) const {
    return Oracle.threadLive(B, I) | Oracle.parked(B);
  }
  void block(unsigned B);
  void point(unsigned B, unsigned I);
  void regMutexPoint(unsigned B, unsigned I);
  void freePoint(unsigned B, unsigned I);
  void divide();
  void joinBlocks();
  void findVectors();
  void writeInterval(unsigned B, unsigned I);
  void deadPoint(unsigned B, unsigned I);
  void waitPoint(unsigned B);
  void mistake();
  void add(unsigned B, ModelItem::Kind K) { M.Items[B].push_back({K, 0, {}}); }

  const ModelFunction &F;
  LivenessOracle Oracle;
  RandomAnnotationOptions Options;
  std::mt19937_64 Engine;
  AnnotatedModel M;
  unsigned Care = 0;    ///< Percent of what is needed that is done.
  unsigned Density = 0; ///< Percent of what can be done that is done.
  RegSet Extended, AllUnits;
  /// By block: the intervals that its instructions and its terminator are in.
  std::vector<std::vector<unsigned>> IntervalOf;
  std::vector<std::vector<unsigned>> Vectors; ///< By interval.
  /// By interval: where it has its PREFETCH.
  std::vector<std::pair<unsigned, unsigned>> Heads;
  std::optional<unsigned> Written; ///< The interval that the text is in.
};

} // namespace

void Annotator::findUnits() {
  for (const ModelBlock &B : F.Blocks)
    for (const ModelInstr &I : B.Instrs)
      AllUnits |= unitsOf(I.Defs) | unitsOf(I.Uses);
  for (unsigned P = 0; P != NumPredicates; ++P)
    AllUnits.reset(RegSet::PredBase + P);
}

void Annotator::regMutexPoint(unsigned B, unsigned I) {
  const ModelBlock &Block = F.Blocks[B];
  RegSet Named = unitsOf(I < Block.Instrs.size() ? Block.Instrs[I].Uses
                                                 : Block.terminatorUses());
  if (I < Block.Instrs.size())
    Named |= unitsOf(Block.Instrs[I].Defs);
  bool Names = !(Named & Extended).empty();
  bool Live = !(live(B, I) & Extended).empty();
  if (!Live && chance(I == 0 ? 90 : Density))
    add(B, ModelItem::Release);
  if (chance(Options.Barriers)) {
    if (!Live && chance(Care))
      add(B, ModelItem::Release);
    add(B, chance(50) ? ModelItem::Barrier : ModelItem::WarpBarrier);
  }
  if (Names ? chance(Care) : Live && (I == 0 || chance(5)))
    add(B, ModelItem::Acquire);
}

void Annotator::freePoint(unsigned B, unsigned I) {
  std::vector<unsigned> Units;
  RegSet Dead = AllUnits - live(B, I);
  AllUnits.forEach([&](unsigned Unit) {
    if (Dead.test(Unit) ? chance(Density)
                        : !chance(Care + (100 - Care) * 9 / 10))
      Units.push_back(Unit);
  });
  if (!Units.empty())
    M.Items[B].push_back({ModelItem::Free, 0, Units});
  waitPoint(B);
}

void Annotator::waitPoint(unsigned B) {
  if (chance(Options.Barriers))
    add(B, chance(50) ? ModelItem::Barrier : ModelItem::WarpBarrier);
}

//===----------------------------------------------------------------------===//
// Random intervals
//===----------------------------------------------------------------------===//

/// Cuts blocks anywhere, and lets some go on in the interval that they are
/// entered from, if it is one from all sides that come earlier in the text.
void Annotator::joinBlocks() {
  std::vector<std::vector<unsigned>> Preds(F.Blocks.size());
  for (unsigned B = 0; B != F.Blocks.size(); ++B)
    for (unsigned S : F.Blocks[B].Succs)
      Preds[S].push_back(B);
  unsigned Joining = chance(50) ? 30 : 80, Cutting = chance(50) ? 5 : 30;
  for (unsigned B = 0; B != F.Blocks.size(); ++B) {
    unsigned Now = NoModelInterval;
    bool Joins = B && chance(Joining);
    for (unsigned P : Preds[B]) {
      if (IntervalOf[P].empty())
        continue;
      if (Now != NoModelInterval && Now != IntervalOf[P].back())
        Joins = false;
      Now = IntervalOf[P].back();
    }
    // What leads back there may come from another one. It is a mistake then.
    Joins &= Now != NoModelInterval;
    for (unsigned I = 0; I <= F.Blocks[B].Instrs.size(); ++I) {
      if (I ? chance(Cutting) : !Joins) {
        Now = Heads.size();
        Heads.emplace_back(B, I);
      }
      IntervalOf[B].push_back(Now);
    }
  }
}

/// An interval whose registers are none has no number.
void Annotator::findVectors() {
  std::vector<RegSet> Named(Heads.size());
  for (unsigned B = 0; B != F.Blocks.size(); ++B)
    for (unsigned I = 0; I != IntervalOf[B].size(); ++I) {
      const ModelBlock &Block = F.Blocks[B];
      RegSet &Set = Named[IntervalOf[B][I]];
      if (I == Block.Instrs.size())
        Set |= unitsOf(Block.terminatorUses());
      else
        Set |= unitsOf(Block.Instrs[I].Defs) | unitsOf(Block.Instrs[I].Uses);
    }
  Vectors.resize(Heads.size());
  unsigned Size = 1;
  for (unsigned I = 0; I != Heads.size(); ++I) {
    AllUnits.forEach([&](unsigned Unit) {
      if (Named[I].test(Unit) ? chance(Care + (100 - Care) * 4 / 5) : chance(5))
        Vectors[I].push_back(Unit);
    });
    Size = std::max<unsigned>(Size, Vectors[I].size());
  }
  M.Bounds = {unsigned(Heads.size()), Size};
}

void Annotator::divide() {
  IntervalOf.resize(F.Blocks.size());
  joinBlocks();
  findVectors();
}

void Annotator::writeInterval(unsigned B, unsigned I) {
  unsigned Here = IntervalOf[B][I];
  bool IsHead = Heads[Here] == std::pair(B, I);
  bool IsNone = Vectors[Here].empty();
  if (IsHead && !IsNone && chance(Care + (100 - Care) / 2)) {
    M.Items[B].push_back({ModelItem::Prefetch, Here, Vectors[Here]});
    Written = Here;
    return;
  }
  unsigned Id = IsNone ? NoModelInterval : Here;
  if (Written == Id)
    return;
  Written = Id;
  M.Items[B].push_back({ModelItem::Interval, Id, {}});
}

/// Marks operands of the instruction before.
void Annotator::deadPoint(unsigned B, unsigned I) {
  RegSet Live = live(B, I);
  RegSet Marked;
  for (ModelReg R : F.Blocks[B].Instrs[I - 1].Uses) {
    RegSet Units = unitsOf({R});
    if ((Units & AllUnits).empty())
      continue;
    bool Dead = (Units & Live).empty();
    if (Dead ? chance(Density) : !chance(Care + (100 - Care) * 4 / 5))
      Marked |= Units;
  }
  std::vector<unsigned> Units;
  Marked.forEach([&](unsigned Unit) { Units.push_back(Unit); });
  if (!Units.empty())
    M.Items[B].push_back({ModelItem::Dead, 0, Units});
}

void Annotator::block(unsigned B) {
  for (unsigned I = 0; I <= F.Blocks[B].Instrs.size(); ++I) {
    switch (Options.Scheme) {
    case ModelScheme::RegMutex:
      regMutexPoint(B, I);
      break;
    case ModelScheme::Frees:
      freePoint(B, I);
      break;
    case ModelScheme::Intervals:
      if (I)
        deadPoint(B, I);
      writeInterval(B, I);
      waitPoint(B);
      break;
    }
    if (I != F.Blocks[B].Instrs.size())
      M.Items[B].push_back({ModelItem::Instr, I, {}});
  }
}

/// Drops an annotation, or swaps it with what follows. The first one says what
/// the code before any other belongs to.
void Annotator::mistake() {
  std::vector<ModelItem> &Items = M.Items[below(M.Items.size())];
  if (Items.empty())
    return;
  unsigned I = below(Items.size());
  bool IsFirst = &Items == &M.Items[0] && I == 0;
  if (Items[I].K == ModelItem::Instr || Items[I].K == ModelItem::Dead ||
      (IsFirst && Options.Scheme == ModelScheme::Intervals))
    return;
  if (chance(50))
    Items.erase(Items.begin() + I);
  else if (I + 1 != Items.size())
    std::swap(Items[I], Items[I + 1]);
}

AnnotatedModel Annotator::run() {
  M.F = F;
  M.Items.resize(F.Blocks.size());
  Care = chance(60) ? 100 : 90;
  Density = chance(50) ? 20 : 70;
  findUnits();
  unsigned Regs = AllUnits.countUnits() ? 0 : 1;
  AllUnits.forEach([&](unsigned Unit) { Regs = std::max(Regs, Unit + 1); });
  if (Options.Scheme == ModelScheme::RegMutex) {
    unsigned Base = 1 + below(std::max(Regs, 2u) - 1);
    M.Split = {Base, std::max(Regs, Base + 1) - Base};
    for (unsigned Unit = Base; Unit != RegSet::PredBase; ++Unit)
      Extended.set(Unit);
  }
  if (Options.Scheme == ModelScheme::Intervals)
    divide();
  for (unsigned B = 0; B != F.Blocks.size(); ++B)
    block(B);
  if (Care == 100 && chance(50))
    mistake();
  return std::move(M);
}

AnnotatedModel annotateAtRandom(const ModelFunction &F,
                                const std::vector<bool> &Divergent,
                                const RandomAnnotationOptions &Options) {
  return Annotator(F, Divergent, Options).run();
}

} // namespace regshare::test
