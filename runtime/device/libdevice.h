//===- libdevice.h - What the device math sources share -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The __nv_* functions are the interface between clang's CUDA headers and a
/// device math library; clang's own header declares them, so a wrong signature
/// does not compile. Their results are CUDA's within CUDA's documented error
/// bounds, as far as libclc's functions keep to OpenCL's tighter or equal ones.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_DEVICE_LIBDEVICE_H
#define REGSHARE_DEVICE_LIBDEVICE_H

#define __DEVICE__
#include <__clang_cuda_libdevice_declares.h>

// CUDA's suffix of a rounding mode and the PTX name of the same mode, where
// the two differ in letters: to nearest, to zero, down, up.
#define FOR_EACH_ROUNDING(DEFINE)                                              \
  DEFINE(rn, rn)                                                               \
  DEFINE(rz, rz)                                                               \
  DEFINE(rd, rm)                                                               \
  DEFINE(ru, rp)

#endif // REGSHARE_DEVICE_LIBDEVICE_H
