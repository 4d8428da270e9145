//===- sm_61_intrinsics.hpp - Empty, for clang -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's CUDA wrapper includes a header of this name. What the toolkit keeps
// in it is in regshare_cuda/device_functions.h and atomics.h, or is not
// offered.
//
//===----------------------------------------------------------------------===//
