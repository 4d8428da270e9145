//===- unsupported_runtime.h - Calls that fail by name ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls of the runtime on memory and events of other processes, which
/// libregshare_cudart.so answers with their name and cudaErrorNotSupported.
/// They are not in cuda_runtime_api.h, since the library defines them without
/// their parameters.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TYPES_UNSUPPORTED_RUNTIME_H
#define REGSHARE_CUDA_TYPES_UNSUPPORTED_RUNTIME_H

#define CUDA_IPC_HANDLE_SIZE 64
#define cudaIpcMemLazyEnablePeerAccess 0x01
typedef struct cudaIpcEventHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;
typedef struct cudaIpcMemHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *Handle,
                                  cudaEvent_t Event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *Event,
                                   cudaIpcEventHandle_t Handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *Handle, void *Memory);
cudaError_t cudaIpcOpenMemHandle(void **Memory, cudaIpcMemHandle_t Handle,
                                 unsigned int Flags);
cudaError_t cudaIpcCloseMemHandle(void *Memory);

#ifdef __cplusplus
}
#endif

#endif // REGSHARE_CUDA_TYPES_UNSUPPORTED_RUNTIME_H
