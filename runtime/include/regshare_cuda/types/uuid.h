//===- uuid.h - What names a device -*- C++ -*-----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TYPES_UUID_H
#define REGSHARE_CUDA_TYPES_UUID_H

struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st CUuuid;
typedef struct CUuuid_st cudaUUID_t;

#endif // REGSHARE_CUDA_TYPES_UUID_H
