//===- GridBarrier.cpp - What a grid's CTAs meet at -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/GridBarrier.h"

#include <array>

namespace regshare::sim {

using Words = std::array<uint32_t, 2>;

GridBarrier::GridBarrier(const Program &P, GlobalMemory &Memory)
    : P(P), Memory(Memory) {
  if (P.ReadsGridWorkspace)
    Workspace = Memory.allocate(sizeof(Words), "workspace of a grid's barrier");
}

GridBarrier::~GridBarrier() {
  if (Workspace)
    Memory.free(Workspace);
}

void GridBarrier::prepare(LaunchConfig &Config, bool IsCooperative) {
  Config.GridWorkspace = IsCooperative ? Workspace : 0;
  if (Workspace) {
    const Words Values = {sizeof(Words), 0};
    Memory.write(Workspace, Values.data(), sizeof(Values));
  }
  auto It = P.Symbols.find("regshare_grid_barrier");
  if (It == P.Symbols.end() || It->second.Size != sizeof(Words))
    return;
  const Words Values = {IsCooperative ? uint32_t(Config.Grid.count()) : 0, 0};
  Memory.write(It->second.Address, Values.data(), sizeof(Values));
}

} // namespace regshare::sim
