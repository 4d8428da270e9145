//===- regshare/Base/Baseline/Baseline.h - Points of comparison -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_BASELINE_BASELINE_H
#define REGSHARE_BASE_BASELINE_BASELINE_H

#include "regshare/Base/Scheme.h"

namespace regshare::settings {
extern const Setting IdealCapacity;
} // namespace regshare::settings

#endif // REGSHARE_BASE_BASELINE_BASELINE_H
