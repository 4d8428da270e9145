//===- device_errors.h - Errors in device code -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The runtime's calls about errors, for functions that check errors on both
/// sides. On the device no call of the runtime can fail where there is none; in
/// relocatable device code there are launches (device_launches.h).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_DEVICE_ERRORS_H
#define REGSHARE_CUDA_DEVICE_ERRORS_H

static inline __device__ const char *cudaGetErrorString(cudaError_t Error) {
  switch (Error) {
#define CUDA_SUCCESS(VALUE, TEXT)                                              \
  case VALUE:                                                                  \
    return TEXT;
#define CUDA_ERROR(NAME, VALUE, TEXT)                                          \
  case VALUE:                                                                  \
    return TEXT;
#include "errors.def"
  }
  return "unrecognized error code";
}

static inline __device__ const char *cudaGetErrorName(cudaError_t Error) {
  switch (Error) {
#define CUDA_SUCCESS(VALUE, TEXT)                                              \
  case VALUE:                                                                  \
    return "cudaSuccess";
#define CUDA_ERROR(NAME, VALUE, TEXT)                                          \
  case VALUE:                                                                  \
    return "cudaError" #NAME;
#include "errors.def"
  }
  return "unrecognized error code";
}

#ifndef __CLANG_RDC__
static inline __device__ cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline __device__ cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}
#endif

#endif // REGSHARE_CUDA_DEVICE_ERRORS_H
