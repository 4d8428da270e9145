//===- nvcc.h - What nvcc brings unasked -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Comes after clang's own header for CUDA and before every CUDA source:
/// macros that nvcc defines, and the headers of the C and C++ libraries that
/// its own headers include, on which programs rely without knowing it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_NVCC_H
#define REGSHARE_CUDA_NVCC_H

#pragma GCC system_header

#if defined(__CUDA__) && defined(__cplusplus)
// clang's has no value, which `#if __CUDACC__` wants.
#undef __CUDACC__
#define __CUDACC__ 1
// As the CUDA headers in use have it.
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#ifdef REGSHARE_CUDA_RUNTIME_H
// Our cuda_fp8.h has not all that CCCL's functions for it want.
#define CCCL_DISABLE_NVFP8_SUPPORT 1
#endif

// nvcc puts a type of its own, whose calls the host knows nothing of, in the
// place of a lambda for devices. clang keeps the lambda.
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#endif

// CCCL asks for nvcc's macro before it asks for clang's. Here it has its answer
// before there is one, so that it uses nothing that only nvcc has.
#if __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#endif
#if __has_include(<nv/target>)
#include <nv/target>
#endif
// Headers for hosts and devices ask for it before they write __device__.
#if !defined(__NVCC__) && !defined(REGSHARE_COMPILER_IDENTIFICATION)
#define __NVCC__ 1
#endif

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// clang leaves its attribute of the first name out of code for NVPTX, and has
// none of the second: RegShare has the kernel say what these say
// (KernelAnnotations.h).
#undef __cluster_dims__
#define __cluster_dims__(...)                                                  \
  __attribute__((annotate("regshare.cluster_dims", __VA_ARGS__)))
#undef __maxnreg__
#define __maxnreg__(Registers)                                                 \
  __attribute__((annotate("regshare.maxnreg", Registers)))

// clang knows managed variables for HIP alone. Here the host's shadow of a
// device variable is the variable, for kernels too; the compiler finds it by
// the section (tools/regshare-clang++/ManagedVariables.h).
#undef __managed__
#if defined(__CLANG_RDC__)
#define __managed__                                                            \
  __attribute__((                                                              \
      device,                                                                  \
      unavailable("relocatable device code has no __managed__ variables; "     \
                  "use cudaMallocManaged")))
#elif defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, used, section("regshare.managed")))
#else
#define __managed__ __attribute__((device, used, aligned(16)))
#endif

// nvcc's own, as built-in functions.
#include "hinted_accesses.h"
#include "scoped_atomics.h"
#include "types/texels.h"
#include "vector_atomics.h"
#include "wide_atomics.h"

/// A variable in shared memory whose constructor nvcc would leave out.
template <typename T> union regshare_unconstructed {
  T Value;
  __attribute__((device)) regshare_unconstructed() {}
  __attribute__((device)) ~regshare_unconstructed() {}
};
#endif

// What regshare_cuda/before.h has put aside.
#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("C")
#pragma pop_macro("D")
#pragma pop_macro("E")
#pragma pop_macro("F")
#pragma pop_macro("G")
#pragma pop_macro("H")
#pragma pop_macro("I")
#pragma pop_macro("J")
#pragma pop_macro("K")
#pragma pop_macro("L")
#pragma pop_macro("M")
#pragma pop_macro("N")
#pragma pop_macro("O")
#pragma pop_macro("P")
#pragma pop_macro("Q")
#pragma pop_macro("R")
#pragma pop_macro("S")
#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")
#pragma pop_macro("W")
#pragma pop_macro("X")
#pragma pop_macro("Y")
#pragma pop_macro("Z")

#endif // REGSHARE_CUDA_NVCC_H
