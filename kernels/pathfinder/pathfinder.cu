//===- pathfinder.cu - Cheapest way through a grid -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The cheapest path from the first row of a grid of costs to each cell of the
/// last, going down or diagonally down. A CTA advances a strip by several rows
/// in shared memory before it writes back; its halo shrinks by one cell a row.
///
/// usage: pathfinder [COLUMNS [ROWS]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <utility>

static constexpr int Threads = 256;
static constexpr int RowsPerLaunch = 20;
static constexpr int Output = Threads - 2 * RowsPerLaunch;

/// Advances the sums in \p Source by \p Rows rows, whose costs begin at
/// \p Costs.
__global__ void pathKernel(const int *Costs, const int *Source, int *Target,
                           int Columns, int Rows) {
  __shared__ int Previous[Threads], Next[Threads];
  int T = threadIdx.x;
  int X = blockIdx.x * Output + T - RowsPerLaunch;
  bool Inside = X >= 0 && X < Columns;
  if (Inside)
    Previous[T] = Source[X];
  __syncthreads();

  // At the grid's edge a cell is its own neighbour.
  int West = X == 0 ? T : T - 1;
  int East = X == Columns - 1 ? T : T + 1;
  bool Valid = false;
  for (int Row = 0; Row < Rows; ++Row) {
    Valid = Inside && T > Row && T < Threads - 1 - Row;
    if (Valid)
      Next[T] = min(min(Previous[West], Previous[East]), Previous[T]) +
                Costs[Row * Columns + X];
    __syncthreads();
    if (Row == Rows - 1)
      break;
    if (Valid)
      Previous[T] = Next[T];
    __syncthreads();
  }
  if (Valid && T >= RowsPerLaunch && T < Threads - RowsPerLaunch)
    Target[X] = Next[T];
}

int main(int ArgC, char **ArgV) {
  int Columns = sizeArgument(ArgC, ArgV, 1, "COLUMNS", 2500, 2, 1 << 22);
  int Rows = sizeArgument(ArgC, ArgV, 2, "ROWS", 46, 2, 256);
  Random R(17);
  std::vector<int> Costs((size_t)Rows * Columns);
  for (int &C : Costs)
    C = (int)R.below(10);

  std::vector<int> Expected(Costs.begin(), Costs.begin() + Columns);
  DeviceArray<int> DeviceCosts(Costs), A(Expected), B(Columns);
  DeviceArray<int> *Source = &A, *Target = &B;
  for (int Row = 1; Row < Rows; Row += RowsPerLaunch) {
    pathKernel<<<divideUp(Columns, Output), Threads>>>(
        DeviceCosts.get() + (size_t)Row * Columns, Source->get(), Target->get(),
        Columns, std::min(RowsPerLaunch, Rows - Row));
    std::swap(Source, Target);
  }
  finishKernels();

  std::vector<int> Above(Columns);
  for (int Row = 1; Row < Rows; ++Row) {
    Above.swap(Expected);
    for (int X = 0; X < Columns; ++X) {
      int First = std::max(X - 1, 0), Last = std::min(X + 1, Columns - 1);
      Expected[X] = Costs[(size_t)Row * Columns + X] +
                    *std::min_element(&Above[First], &Above[Last] + 1);
    }
  }
  Verifier V;
  V.compareAll("cost", Source->toHost(), Expected);
  return V.report();
}
