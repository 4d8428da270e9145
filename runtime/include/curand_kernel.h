//===- curand_kernel.h - cuRAND's device functions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Those of an installed toolkit, which are all in headers. The compiler has
/// the toolkit's folder with CCCL on its path, not the one above, whose other
/// libraries need a GPU.
///
//===----------------------------------------------------------------------===//

#if __has_include(<../curand_kernel.h>)
#include <../curand_kernel.h>
#else
#error curand_kernel.h comes with CUDA 13, which is not in CUDA_PATH, CUDA_HOME or /usr/local/cuda; for another toolkit use --cuda-path
#endif
