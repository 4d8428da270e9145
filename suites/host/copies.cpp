//===- copies.cpp - What a program copies to and from the device ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that print and write none of their results. Linked with
// -Wl,--wrap=cudaMemcpy, each copy is in the file copies.bin as well: the kind
// and the bytes as 64-bit numbers, and what was copied.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

extern "C" cudaError_t __real_cudaMemcpy(void *To, const void *From,
                                         size_t Bytes, cudaMemcpyKind Kind);

extern "C" cudaError_t __wrap_cudaMemcpy(void *To, const void *From,
                                         size_t Bytes, cudaMemcpyKind Kind) {
  static std::FILE *File = std::fopen("copies.bin", "wb");
  cudaError_t Error = __real_cudaMemcpy(To, From, Bytes, Kind);
  bool ToHost = Kind == cudaMemcpyDeviceToHost;
  if (File && !Error && (ToHost || Kind == cudaMemcpyHostToDevice)) {
    const std::uint64_t Head[] = {std::uint64_t(Kind), Bytes};
    std::fwrite(Head, sizeof(Head), 1, File);
    std::fwrite(ToHost ? To : From, 1, Bytes, File);
    std::fflush(File);
  }
  return Error;
}
