//===- RegMutexCode.h - Code that acquires registers ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_REGMUTEX_REGMUTEXCODE_H
#define REGSHARE_SIM_SCHEMES_REGMUTEX_REGMUTEXCODE_H

#include "Rules/CodeRules.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

namespace regshare::sim {

/// Code with an extended set: rows from the base set's end up to RegsPerThread.
class RegMutexCode final : public CodeRules {
public:
  enum Statement : uint8_t { Acquire = 1, Release };

  explicit RegMutexCode(const Function &F);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  uint8_t attentionTo(size_t Number) const override;
  std::vector<uint32_t> awaitedBy(const Inst &Statement) const override;

  bool isExtended(uint32_t Access) const {
    return Access >= Split.Base && Access < F.RegsPerThread;
  }
  std::vector<uint32_t> extendedRows() const;

  const RegMutexSplit Split;
};

extern const CodeFamily RegMutexCodeFamily;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_REGMUTEX_REGMUTEXCODE_H
