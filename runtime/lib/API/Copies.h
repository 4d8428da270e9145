//===- Copies.h - Moving bytes between host and device -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every copy and fill comes down to: a block of rows in layers, checked
/// against the memory it touches.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LIB_API_COPIES_H
#define REGSHARE_RUNTIME_LIB_API_COPIES_H

#include "Runtime.h"

namespace regshare::cudart {

/// Bytes at Start, in Height rows that are Pitch bytes apart, in layers of
/// LayerRows rows.
struct Region {
  const void *Start = nullptr;
  size_t Pitch = 0, LayerRows = 1;
};

/// Width in bytes, Height in rows, Depth in layers.
struct Extent {
  size_t Width = 0, Height = 1, Depth = 1;
  bool empty() const { return !Width || !Height || !Depth; }
  uint64_t bytes() const { return uint64_t(Width) * Height * Depth; }
};

/// Copies between what \p Kind says is where, as work of \p S. An address that
/// does not fit the kind, and device memory that is not allocated, is
/// cudaErrorInvalidValue.
cudaError_t copyRegion(Runtime &R, Stream &S, const Region &To,
                       const Region &From, const Extent &E,
                       cudaMemcpyKind Kind);
/// A copy or fill as a call in a stream: \p Body(Runtime &, Stream &) returns a
/// cudaError_t. The host may wait until it is done.
template <typename Fn>
cudaError_t streamCall(cudaStream_t Handle, bool HostWaits, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    Stream *S = R.Clock.find(Handle);
    if (!S)
      return cudaErrorInvalidResourceHandle;
    cudaError_t Error = Body(R, *S);
    if (HostWaits)
      R.Clock.advanceHost(R.Clock.readyTime(*S));
    return Error;
  });
}
/// Sets every byte of device memory to \p Value, as work of \p S.
cudaError_t fillRegion(Runtime &R, Stream &S, const Region &To, const Extent &E,
                       int Value);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LIB_API_COPIES_H
