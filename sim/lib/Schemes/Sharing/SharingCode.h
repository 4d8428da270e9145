//===- SharingCode.h - Code that gives back what it shares ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHARING_SHARINGCODE_H
#define REGSHARE_SIM_SCHEMES_SHARING_SHARINGCODE_H

#include "Rules/CodeRules.h"

namespace regshare::sim {

/// Code with a release, after which a warp needs nothing any more of what it
/// shares with the paired CTA.
class SharingCode final : public CodeRules {
public:
  enum Statement : uint8_t { Release = 1 };

  explicit SharingCode(const Function &F);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  uint8_t attentionTo(size_t Number) const override;
  std::vector<uint32_t> awaitedBy(const Inst &Statement) const override;

  bool isShared(uint32_t Access) const {
    return Private && Access >= *Private && Access < F.RegsPerThread;
  }
  std::vector<uint32_t> sharedRows() const;

  /// Registers below it are a warp's own; nothing where CTAs share scratchpad.
  const std::optional<unsigned> Private;
};

extern const CodeFamily SharingCodeFamily;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHARING_SHARINGCODE_H
