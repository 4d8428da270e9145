//===- DriverStreams.cpp - Streams and events of the driver ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// They are the runtime's: programs pass those of one interface to the other.
///
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace regshare::cudart;

CUresult cuStreamCreate(CUstream *Stream, unsigned int Flags) {
  return driverCall([&] { return cudaStreamCreateWithFlags(Stream, Flags); });
}

CUresult cuStreamCreateWithPriority(CUstream *Stream, unsigned int Flags,
                                    int Priority) {
  return driverCall(
      [&] { return cudaStreamCreateWithPriority(Stream, Flags, Priority); });
}

CUresult cuStreamDestroy(CUstream Stream) {
  return driverCall([&] { return cudaStreamDestroy(Stream); });
}

CUresult cuStreamSynchronize(CUstream Stream) {
  return driverCall([&] { return cudaStreamSynchronize(Stream); });
}

CUresult cuStreamQuery(CUstream Stream) {
  return driverCall([&] { return cudaStreamQuery(Stream); });
}

CUresult cuStreamWaitEvent(CUstream Stream, CUevent Event, unsigned int Flags) {
  return driverCall([&] { return cudaStreamWaitEvent(Stream, Event, Flags); });
}

CUresult cuStreamGetFlags(CUstream Stream, unsigned int *Flags) {
  return driverCall([&] { return cudaStreamGetFlags(Stream, Flags); });
}

CUresult cuStreamGetPriority(CUstream Stream, int *Priority) {
  return driverCall([&] { return cudaStreamGetPriority(Stream, Priority); });
}

CUresult cuStreamSetAttribute(CUstream Stream, CUstreamAttrID Attribute,
                              const CUstreamAttrValue *Value) {
  return driverCall([&] {
    return cudaStreamSetAttribute(
        Stream, cudaStreamAttrID(Attribute),
        reinterpret_cast<const cudaStreamAttrValue *>(Value));
  });
}

CUresult cuStreamGetAttribute(CUstream Stream, CUstreamAttrID Attribute,
                              CUstreamAttrValue *Value) {
  return driverCall([&] {
    return cudaStreamGetAttribute(
        Stream, cudaStreamAttrID(Attribute),
        reinterpret_cast<cudaStreamAttrValue *>(Value));
  });
}

CUresult cuStreamCopyAttributes(CUstream To, CUstream From) {
  return driverCall([&] { return cudaStreamCopyAttributes(To, From); });
}

CUresult cuStreamAddCallback(CUstream Stream, CUstreamCallback Callback,
                             void *UserData, unsigned int Flags) {
  if (!Callback || Flags)
    return CUDA_ERROR_INVALID_VALUE;
  // All work is done when its call returns.
  if (CUresult Error = cuStreamSynchronize(Stream); Error != CUDA_SUCCESS)
    return Error;
  Callback(Stream, CUDA_SUCCESS, UserData);
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *Event, unsigned int Flags) {
  return driverCall([&] { return cudaEventCreateWithFlags(Event, Flags); });
}

CUresult cuEventRecord(CUevent Event, CUstream Stream) {
  return driverCall([&] { return cudaEventRecord(Event, Stream); });
}

CUresult cuEventSynchronize(CUevent Event) {
  return driverCall([&] { return cudaEventSynchronize(Event); });
}

CUresult cuEventQuery(CUevent Event) {
  return driverCall([&] { return cudaEventQuery(Event); });
}

CUresult cuEventElapsedTime(float *Milliseconds, CUevent Start, CUevent End) {
  return driverCall(
      [&] { return cudaEventElapsedTime(Milliseconds, Start, End); });
}

CUresult cuEventDestroy(CUevent Event) {
  return driverCall([&] { return cudaEventDestroy(Event); });
}
