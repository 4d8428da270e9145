//===- BaselineScheme.h - Points of comparison ------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_BASELINE_BASELINESCHEME_H
#define REGSHARE_SIM_SCHEMES_BASELINE_BASELINESCHEME_H

#include "Schemes/Scheme.h"

namespace regshare::sim {

class BaselineScheme final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
};

/// The capacity of the register file is multiplied, at no cost in time: what a
/// scheme can gain at most.
class IdealScheme final : public SchemeHooks {
public:
  explicit IdealScheme(const SchemeContext &C) : SchemeHooks(C) { Delay = 0; }
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_BASELINE_BASELINESCHEME_H
