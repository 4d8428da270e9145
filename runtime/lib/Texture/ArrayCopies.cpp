//===- ArrayCopies.cpp - Moving texels between arrays and memory ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include <algorithm>

namespace regshare::cudart {

namespace {
/// Rows of an array; X in bytes.
struct ArrayRows {
  const cudaArray *Array;
  size_t X, Y;
};
/// The program's side of the copy.
struct Plain {
  const void *Start;
  size_t Pitch;
};
} // namespace

static cudaError_t copyRows(Runtime &R, Stream &S, const ArrayRows &Rows,
                            const Plain &Other, const Extent &E, bool ToArray,
                            cudaMemcpyKind Kind) {
  if (!R.Arrays.count(Rows.Array))
    return cudaErrorInvalidValue;
  size_t Bytes = Rows.Array->Format.bytes();
  if (Rows.X % Bytes || E.Width % Bytes ||
      !regionOf(R, Rows.Array, {Rows.X / Bytes, Rows.Y, 0}, E))
    return cudaErrorInvalidValue;
  auto *Array = const_cast<cudaArray_t>(Rows.Array);
  cudaPos At = {Rows.X / Bytes, Rows.Y, 0};
  cudaPitchedPtr Here = {const_cast<void *>(Other.Start), Other.Pitch, E.Width,
                         E.Height};
  cudaMemcpy3DParms P = {};
  (ToArray ? P.dstArray : P.srcArray) = Array;
  (ToArray ? P.dstPos : P.srcPos) = At;
  (ToArray ? P.srcPtr : P.dstPtr) = Here;
  P.extent = {E.Width / Bytes, E.Height, E.Depth};
  P.kind = Kind;
  return issue(R, S, CopyWork{P});
}

/// \p Count bytes that go on from the end of a row to the next one.
static cudaError_t copyBytes(Runtime &R, Stream &S, ArrayRows Rows,
                             const void *Other, size_t Count, bool ToArray,
                             cudaMemcpyKind Kind) {
  if (!R.Arrays.count(Rows.Array))
    return cudaErrorInvalidValue;
  size_t Width = Rows.Array->Width * Rows.Array->Format.bytes();
  const char *Next = static_cast<const char *>(Other);
  while (Count) {
    if (Rows.X >= Width)
      return cudaErrorInvalidValue;
    size_t Whole = Rows.X ? 0 : Count / Width;
    Extent E{Whole ? Width : std::min(Count, Width - Rows.X),
             Whole ? Whole : 1};
    if (cudaError_t Error =
            copyRows(R, S, Rows, {Next, E.Width}, E, ToArray, Kind);
        Error != cudaSuccess)
      return Error;
    Rows = {Rows.Array, 0, Rows.Y + E.Height};
    Next += E.bytes();
    Count -= E.bytes();
  }
  return cudaSuccess;
}

static cudaError_t rowsCall(const ArrayRows &Rows, const Plain &Other,
                            const Extent &E, bool ToArray, cudaMemcpyKind Kind,
                            cudaStream_t Handle, bool HostWaits) {
  return streamCall(Handle, HostWaits, [&](Runtime &R, Stream &S) {
    return copyRows(R, S, Rows, Other, E, ToArray, Kind);
  });
}

static cudaError_t bytesCall(const ArrayRows &Rows, const void *Other,
                             size_t Count, bool ToArray, cudaMemcpyKind Kind,
                             cudaStream_t Handle, bool HostWaits) {
  return streamCall(Handle, HostWaits, [&](Runtime &R, Stream &S) {
    return copyBytes(R, S, Rows, Other, Count, ToArray, Kind);
  });
}

} // namespace regshare::cudart

using namespace regshare::cudart;

cudaError_t cudaMemcpy2DToArray(cudaArray_t Dst, size_t WOffset, size_t HOffset,
                                const void *Src, size_t SrcPitch, size_t Width,
                                size_t Height, enum cudaMemcpyKind Kind) {
  return rowsCall({Dst, WOffset, HOffset}, {Src, SrcPitch}, {Width, Height},
                  true, Kind, nullptr, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t Dst, size_t WOffset,
                                     size_t HOffset, const void *Src,
                                     size_t SrcPitch, size_t Width,
                                     size_t Height, enum cudaMemcpyKind Kind,
                                     cudaStream_t Stream) {
  return rowsCall({Dst, WOffset, HOffset}, {Src, SrcPitch}, {Width, Height},
                  true, Kind, Stream, false);
}

cudaError_t cudaMemcpy2DFromArray(void *Dst, size_t DstPitch,
                                  cudaArray_const_t Src, size_t WOffset,
                                  size_t HOffset, size_t Width, size_t Height,
                                  enum cudaMemcpyKind Kind) {
  return rowsCall({Src, WOffset, HOffset}, {Dst, DstPitch}, {Width, Height},
                  false, Kind, nullptr, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *Dst, size_t DstPitch,
                                       cudaArray_const_t Src, size_t WOffset,
                                       size_t HOffset, size_t Width,
                                       size_t Height, enum cudaMemcpyKind Kind,
                                       cudaStream_t Stream) {
  return rowsCall({Src, WOffset, HOffset}, {Dst, DstPitch}, {Width, Height},
                  false, Kind, Stream, false);
}

cudaError_t cudaMemcpyToArray(cudaArray_t Dst, size_t WOffset, size_t HOffset,
                              const void *Src, size_t Count,
                              enum cudaMemcpyKind Kind) {
  return bytesCall({Dst, WOffset, HOffset}, Src, Count, true, Kind, nullptr,
                   true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t Dst, size_t WOffset,
                                   size_t HOffset, const void *Src,
                                   size_t Count, enum cudaMemcpyKind Kind,
                                   cudaStream_t Stream) {
  return bytesCall({Dst, WOffset, HOffset}, Src, Count, true, Kind, Stream,
                   false);
}

cudaError_t cudaMemcpyFromArray(void *Dst, cudaArray_const_t Src,
                                size_t WOffset, size_t HOffset, size_t Count,
                                enum cudaMemcpyKind Kind) {
  return bytesCall({Src, WOffset, HOffset}, Dst, Count, false, Kind, nullptr,
                   true);
}

cudaError_t cudaMemcpyFromArrayAsync(void *Dst, cudaArray_const_t Src,
                                     size_t WOffset, size_t HOffset,
                                     size_t Count, enum cudaMemcpyKind Kind,
                                     cudaStream_t Stream) {
  return bytesCall({Src, WOffset, HOffset}, Dst, Count, false, Kind, Stream,
                   false);
}
