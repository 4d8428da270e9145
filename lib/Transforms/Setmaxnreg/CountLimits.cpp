//===- CountLimits.cpp - Registers that a region leaves -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountLimits.h"

#include "regshare/Analysis/Setmaxnreg/RegisterCounts.h"

#include "llvm/CodeGen/MachineFunction.h"

#include <map>

using namespace llvm;

namespace regshare {

std::vector<LimitedStretch> countLimits(const MachineFunction &MF,
                                        const OperandTable &Code,
                                        LaunchRegisters Launch) {
  RegisterCounts Counts(MF, Launch);
  std::vector<LimitedStretch> Limits;
  uint32_t Block = 0;
  for (const MachineBasicBlock &MBB : MF) {
    CountSet Now = Counts.atEntry(MBB);
    uint32_t Begin = Code.startOf(Block);
    auto Close = [&](uint32_t End) {
      if (!Now.isEmpty() && Begin != End)
        Limits.push_back({Begin, End, Now.least()});
      Begin = End;
    };
    for (uint32_t I = Code.beginOf(Block); I != Code.beginOf(Block + 1); ++I) {
      if (!countChangeOf(Code.instr(I)))
        continue;
      // What is live across it has to be in registers of both sides.
      Close(Code.slotOf(I, Block));
      Now = RegisterCounts::after(Code.instr(I), Now);
    }
    Close(Code.startOf(++Block));
  }
  return Limits;
}

/// The first of \p Limits, which are in order, that ends after \p Start.
static ArrayRef<LimitedStretch> from(ArrayRef<LimitedStretch> Limits,
                                     uint32_t Start) {
  return Limits.drop_front(size_t(
      partition_point(Limits,
                      [=](const LimitedStretch &L) { return L.End <= Start; }) -
      Limits.begin()));
}

Error checkLimits(const MachineFunction &MF, const LiveValues &Live,
                  ArrayRef<LimitedStretch> Limits, unsigned Reserved) {
  std::map<unsigned, std::vector<LiveStretch>> In;
  for (const LiveStretch &S : Live.Stretches)
    for (const LimitedStretch &L : from(Limits, S.Start)) {
      if (L.Start >= S.End)
        break;
      In[L.Limit].push_back({std::max(S.Start, L.Start), std::min(S.End, L.End),
                             S.Value, S.Kind});
    }
  for (auto &[Limit, Stretches] : In) {
    llvm::sort(Stretches, [](const LiveStretch &A, const LiveStretch &B) {
      return std::pair(A.Start, A.Value) < std::pair(B.Start, B.Value);
    });
    unsigned Units = peakPressure(Stretches).Units + Reserved;
    if (Units > Limit)
      return createStringError(
          MF.getName() + ": " + Twine(Units) +
          " registers are live at once where setmaxnreg leaves a thread " +
          Twine(Limit) + "; what is live there is not spilled");
  }
  return Error::success();
}

void boundByLimits(const LiveValues &Live, ArrayRef<LimitedStretch> Limits,
                   Interference &Graph) {
  for (const LiveStretch &S : Live.Stretches) {
    if (S.Kind == RegKind::Pred)
      continue;
    uint32_t Node = Graph.NodeOf[S.Value];
    unsigned Bound = Graph.Units.bound(Node);
    for (const LimitedStretch &L : from(Limits, S.Start)) {
      if (L.Start >= S.End)
        break;
      Bound = std::min(Bound, L.Limit);
    }
    Graph.Units.boundNode(Node, Bound);
  }
}

} // namespace regshare
