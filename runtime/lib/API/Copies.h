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

#include "Graph/Capture.h"
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
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
      return Error;
    if (HostWaits)
      if (cudaError_t Error = R.Captures.allowUnsafeCall();
          Error != cudaSuccess)
        return Error;
    cudaError_t Error = Body(R, *S);
    if (HostWaits)
      R.Clock.advanceHost(R.Clock.readyTime(*S));
    return Error;
  });
}
/// Sets every byte of device memory to \p Value, as work of \p S.
cudaError_t fillRegion(Runtime &R, Stream &S, const Region &To, const Extent &E,
                       int Value);

/// Both sides of a copy in general form, as work of \p S.
cudaError_t copy(Runtime &R, Stream &S, const cudaMemcpy3DParms &P);
/// Elements of 1, 2 or 4 bytes, as work of \p S.
cudaError_t fill(Runtime &R, Stream &S, const cudaMemsetParams &P);
/// What is wrong with them whatever memory there is.
cudaError_t checkCopy(Runtime &R, const cudaMemcpy3DParms &P);
cudaError_t checkFill(const cudaMemsetParams &P);
/// A copy of \p Size bytes in general form.
cudaMemcpy3DParms flatCopy(void *To, const void *From, size_t Size,
                           cudaMemcpyKind Kind);
/// The same for one side in a variable of the program; \p ToSymbol: the
/// target's.
cudaError_t symbolCopy(Runtime &R, const void *Symbol, const void *Other,
                       size_t Size, size_t Offset, cudaMemcpyKind Kind,
                       bool ToSymbol, cudaMemcpy3DParms &P);
/// What may not change when an executable graph is updated.
struct CopySides {
  bool ToDevice, FromDevice, ToArray, FromArray;
  friend bool operator==(const CopySides &, const CopySides &) = default;
};
CopySides sidesOf(Runtime &R, const cudaMemcpy3DParms &P);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LIB_API_COPIES_H
