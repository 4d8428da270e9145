//===- builtin_types.h - CUDA's types of data -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
