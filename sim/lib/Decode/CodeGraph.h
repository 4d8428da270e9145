//===- CodeGraph.h - Basic blocks of decoded code ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DECODE_CODEGRAPH_H
#define REGSHARE_SIM_DECODE_CODEGRAPH_H

#include "regshare/Sim/Program.h"

namespace regshare::sim {

/// Basic blocks of a function, with a virtual exit as the last one.
struct CodeGraph {
  explicit CodeGraph(const Function &F);

  std::vector<uint32_t> Starts; ///< First instruction of each block.
  std::vector<uint32_t> BlockOf;
  std::vector<std::vector<uint32_t>> Successors, Predecessors;
  uint32_t Exit = 0;

  uint32_t endOf(uint32_t Block) const {
    return Block + 1 == Exit ? uint32_t(BlockOf.size()) : Starts[Block + 1];
  }
};

/// No thread goes on after \p I.
bool leavesFunction(const Inst &I);

} // namespace regshare::sim

#endif // REGSHARE_SIM_DECODE_CODEGRAPH_H
