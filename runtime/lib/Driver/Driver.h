//===- Driver.h - What the driver's calls have in common --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The driver's interface is a second front to the same device: streams,
/// events, memory and kernels are the runtime's, and most calls are one of the
/// runtime's. Of its own it has contexts, which are names for the one device,
/// and modules that a program loads.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_DRIVER_DRIVER_H
#define REGSHARE_RUNTIME_DRIVER_DRIVER_H

#include "Runtime.h"

#include "cuda.h"

namespace regshare::cudart {

/// The driver's code for the runtime's. Their numbers agree, but for what only
/// the runtime has.
CUresult toDriver(cudaError_t Error);

/// CUDA_SUCCESS if the driver has been initialised and the thread has a
/// context: its own, or that of the runtime's calls.
CUresult requireContext();

/// While one of these is there, errors are none of the runtime's last ones:
/// those of the driver's calls are not.
class LastErrorKeeper {
public:
  LastErrorKeeper() = default;
  LastErrorKeeper(const LastErrorKeeper &) = delete;
  LastErrorKeeper &operator=(const LastErrorKeeper &) = delete;
  ~LastErrorKeeper() { exchangeLastError(Kept); }

private:
  cudaError_t Kept = exchangeLastError(cudaSuccess);
};

/// Runs \p Body(), which returns a cudaError_t, where there is a context.
template <typename Fn> CUresult driverCall(Fn &&Body) {
  LastErrorKeeper Keeper;
  if (CUresult Error = requireContext(); Error != CUDA_SUCCESS)
    return Error;
  return toDriver(Body());
}

/// Pointers into the buffer that \p Extra names, an argument each.
cudaError_t unpackExtra(Runtime &R, CUfunction Function, void **Extra,
                        std::vector<void *> &Arguments);

/// A device address as the runtime has it.
inline void *toPointer(CUdeviceptr Address) {
  return reinterpret_cast<void *>(Address);
}

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_DRIVER_DRIVER_H
