//===- curand_mtgp32_kernel.h - A toolkit's, if there is one -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's CUDA wrapper includes a header of this name, with names redefined so
// that the toolkit's declares blockDim and threadIdx as clang has them.
// Programs that include curand_kernel.h come too late for that. curand_kernel.h
// says where it is.
//
//===----------------------------------------------------------------------===//

#if __has_include(<../curand_mtgp32_kernel.h>)
#include <../curand_mtgp32_kernel.h>
#endif
