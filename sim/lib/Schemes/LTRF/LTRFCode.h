//===- LTRFCode.h - Code in register-intervals ------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_LTRF_LTRFCODE_H
#define REGSHARE_SIM_SCHEMES_LTRF_LTRFCODE_H

#include "Schemes/GroupedCode.h"

namespace regshare::sim {

/// Code divided into intervals, which are its groups.
class LTRFCode final : public GroupedCode {
public:
  enum Statement : uint8_t { Prefetch = 1, Dead };

  explicit LTRFCode(const Function &F);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  void noteGroups(std::span<IssueInfo> Insts) const override;
};

extern const CodeFamily LTRFCodeFamily;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_LTRF_LTRFCODE_H
