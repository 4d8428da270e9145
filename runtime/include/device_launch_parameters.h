//===- device_launch_parameters.h - threadIdx and its like -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang declares the built-in variables before any header of the program; the
// file exists because programs include it.
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define REGSHARE_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#endif // REGSHARE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
