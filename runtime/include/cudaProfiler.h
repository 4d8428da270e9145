//===- cudaProfiler.h - The driver's profiling windows ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_PROFILER_H
#define REGSHARE_CUDA_PROFILER_H
// By which programs tell that CUDA's header is there.
#define cuda_profiler_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

// They change nothing: a report has every launch.
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif // REGSHARE_CUDA_PROFILER_H
