//===- DeadRegisters.cpp - Registers that code gives back -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadRegisters.h"

namespace regshare::sim {

/// Lanes that run ahead of others to a barrier come to the statement before
/// those have read what they need.
void DeadRegisterRules::execute(const Inst &I) {
  std::span<const uint32_t> Dead = deadRegisters(W.function(), I);
  if (Dead.empty() || W.lanesWait())
    return;
  W.forget(W.frame(), Dead);
  HasLost = true;
}

void DeadRegisterRules::arrived(const PendingAccess &Late) {
  if (HasLost)
    W.forgetLate(Late);
}

} // namespace regshare::sim
