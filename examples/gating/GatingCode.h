//===- GatingCode.h - Code that switches registers off ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GATING_GATINGCODE_H
#define GATING_GATINGCODE_H

#include "Gating.h"

#include "Rules/CodeRules.h"

namespace gating {

/// A function with `regshare.gating`, as the SM executes it.
class GatingCode final : public regshare::sim::CodeRules {
public:
  enum Statement : uint8_t { Off = 1, On };

  explicit GatingCode(const regshare::sim::Function &F);

  std::unique_ptr<regshare::sim::WarpRules>
  forWarp(regshare::sim::WarpView W) const override;
  uint8_t attentionTo(size_t Number) const override;
  std::vector<uint32_t>
  awaitedBy(const regshare::sim::Inst &Statement) const override;

  bool isGated(uint32_t Access) const {
    return Access >= Gated.Bound && Access < F.RegsPerThread;
  }
  std::vector<uint32_t> gatedRows() const;

  const GatedRegisters Gated;
};

extern const regshare::sim::CodeFamily CodeOfGating;

} // namespace gating

#endif // GATING_GATINGCODE_H
