//===- regshare/Sim/GridBarrier.h - What a grid's CTAs meet at ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A driver's part in cooperative_groups::this_grid().sync(). The code that
/// nvcc makes of it finds the address of a workspace in %envreg1 (the upper
/// half) and %envreg2: two words, of which the second counts who has come, as
/// cooperative_groups/details/driver_abi.h and sync.h of CUDA have it. Our own
/// cooperative_groups.h has a variable, regshare_grid_barrier.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_GRIDBARRIER_H
#define REGSHARE_SIM_GRIDBARRIER_H

#include "regshare/Sim/Launch.h"

namespace regshare::sim {

/// The memory of a program's grid barriers, as long as it lives.
class GridBarrier {
public:
  GridBarrier(const Program &P, GlobalMemory &Memory);
  ~GridBarrier();
  GridBarrier(const GridBarrier &) = delete;
  GridBarrier &operator=(const GridBarrier &) = delete;

  /// Before each launch. Where CTAs need not be resident together, grids have
  /// no barrier, and kernels that ask are told so.
  void prepare(LaunchConfig &Config, bool IsCooperative);

private:
  const Program &P;
  GlobalMemory &Memory;
  uint64_t Workspace = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_GRIDBARRIER_H
