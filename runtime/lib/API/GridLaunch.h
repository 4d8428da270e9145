//===- GridLaunch.h - Grids, whoever launches them -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGSHARE_RUNTIME_API_GRIDLAUNCH_H
#define REGSHARE_RUNTIME_API_GRIDLAUNCH_H

#include "KernelFacts.h"
#include "Runtime.h"

namespace regshare::cudart {

/// A grid that the host, or a thread of another grid, asks for.
struct GridRequest {
  Kernel *Which;
  dim3 Grid, Block;
  size_t Shared; ///< Dynamic, in bytes.
  bool Cooperative = false;
};

/// Why a grid cannot be.
struct Refusal {
  cudaError_t Code;
  std::string Why; ///< Empty if that has been printed.
  ErrorKind Kind = ErrorKind::DoesNotFit;
};

/// A grid that is known to fit.
struct CheckedGrid {
  GridRequest Request = {};
  const LoadedCode *Code = nullptr;
  std::optional<KernelFacts> Facts;
};

/// Loads the code of the grid's kernel for its shape into \p Checked. Nothing
/// if it can be run.
std::optional<Refusal> checkGrid(Runtime &R, const GridRequest &G,
                                 CheckedGrid &Checked);

/// The launch whose thread has launched a grid.
struct GridParent {
  unsigned Launch = 0; ///< Its number in the report; 0: the host launches it.
  unsigned Depth = 0;  ///< Grids between the host and this one.
};

/// Runs \p G with \p Arguments as they lie in its kernel's parameter space, and
/// then the grids that its threads launch. A fault shows at later calls, as it
/// does where kernels run on their own.
cudaError_t runGrid(Runtime &R, const CheckedGrid &G,
                    std::vector<uint8_t> Arguments, Stream &S,
                    GridParent Parent = {});

/// "4x1x1".
std::string extent(const dim3 &D);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_API_GRIDLAUNCH_H
