//===- cuda.h - CUDA version and driver-level types -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names of CUDA's driver interface that runtime programs see, and the
/// toolkit version these headers present themselves as. Clang reads
/// CUDA_VERSION from this file's text to choose the launch protocol and the
/// PTX version, so it stays a plain number.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_H
#define REGSHARE_CUDA_H

#include <stddef.h>
#include <stdint.h>

#define CUDA_VERSION 12080

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;

#endif // REGSHARE_CUDA_H
