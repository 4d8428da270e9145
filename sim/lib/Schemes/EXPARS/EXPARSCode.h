//===- EXPARSCode.h - Code in bundles ---------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_EXPARS_EXPARSCODE_H
#define REGSHARE_SIM_SCHEMES_EXPARS_EXPARSCODE_H

#include "Schemes/GroupedCode.h"

namespace regshare::sim {

/// Code divided into bundles, which are its groups, numbered by their PREFs in
/// the text.
class EXPARSCode final : public GroupedCode {
public:
  enum Statement : uint8_t { Pref = 1 };

  explicit EXPARSCode(const Function &F);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  void noteGroups(std::span<IssueInfo> Insts) const override;
};

extern const CodeFamily EXPARSCodeFamily;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_EXPARS_EXPARSCODE_H
