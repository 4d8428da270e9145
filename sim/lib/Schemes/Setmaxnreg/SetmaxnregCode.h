//===- SetmaxnregCode.h - Code that changes its counts -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SETMAXNREG_SETMAXNREGCODE_H
#define REGSHARE_SIM_SCHEMES_SETMAXNREG_SETMAXNREGCODE_H

#include "Rules/CodeRules.h"
#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

#include <map>

namespace regshare::sim {

/// Code with setmaxnreg instructions and a `regshare.pool`.
class SetmaxnregCode final : public CodeRules {
public:
  SetmaxnregCode(const Function &F, std::map<size_t, CountChange> Changes);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  uint8_t attentionTo(size_t Number) const override;
  void noteGroups(std::span<IssueInfo> Insts) const override;
  uint32_t addGroups(std::any &All) const override;

  /// The change that \p I makes; null: none.
  const CountChange *changeOf(const Inst &I) const;
  LaunchRegisters launch() const { return Launch; }

private:
  LaunchRegisters Launch;
  std::map<size_t, CountChange> Changes; ///< By instruction.
  unsigned Fewest;                       ///< Registers that a thread ever has.
};

extern const CodeFamily SetmaxnregCodeFamily;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SETMAXNREG_SETMAXNREGCODE_H
