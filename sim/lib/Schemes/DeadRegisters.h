//===- DeadRegisters.h - Registers that code gives back ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_DEADREGISTERS_H
#define REGSHARE_SIM_SCHEMES_DEADREGISTERS_H

#include "Rules/CodeRules.h"

namespace regshare::sim {

/// Statements say which registers are dead (DecodedStatement::Dead), and the
/// warp loses what these hold.
class DeadRegisterRules : public WarpRules {
public:
  using WarpRules::WarpRules;

  void execute(const Inst &I) override;
  void arrived(const PendingAccess &Late) override;

private:
  bool HasLost = false; ///< The warp has come to such a statement.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_DEADREGISTERS_H
