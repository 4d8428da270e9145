//===- GroupedCode.h - Code in groups of instructions -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_GROUPEDCODE_H
#define REGSHARE_SIM_SCHEMES_GROUPEDCODE_H

#include "Rules/CodeRules.h"

namespace regshare::sim {

/// A group of instructions has the registers at hand that a statement brings,
/// and may name no others.
class GroupedCode : public CodeRules {
public:
  using CodeRules::CodeRules;

  uint8_t attentionTo(size_t Number) const override;
  uint32_t addGroups(std::any &All) const override;

  /// The first register that an instruction names and that is not at hand.
  std::optional<uint32_t> firstMissing(const Inst &I) const;

  /// By group, what its statement brings, ascending; empty without one.
  std::vector<std::vector<unsigned>> Brought;
  /// By instruction, its group or NoGroup.
  std::vector<uint32_t> GroupOf;
  /// Registers below it are always at hand.
  unsigned Kept = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_GROUPEDCODE_H
