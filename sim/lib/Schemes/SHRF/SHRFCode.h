//===- SHRFCode.h - Code that manages a register cache ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHRF_SHRFCODE_H
#define REGSHARE_SIM_SCHEMES_SHRF_SHRFCODE_H

#include "Rules/CodeRules.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

namespace regshare::sim {

/// Code that says which operands are in the register cache. Each instruction
/// with such operands is a group of its own.
class SHRFCode final : public CodeRules {
public:
  enum Statement : uint8_t { Strand = 1 };

  explicit SHRFCode(const Function &F);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  uint8_t attentionTo(size_t Number) const override;
  void noteGroups(std::span<IssueInfo> Insts) const override;
  uint32_t addGroups(std::any &All) const override;

  /// Whether \p I ends a strand without a statement: other lanes may come to
  /// run there, or the warp may wait for others.
  static bool endsStrand(const Inst &I);
  /// The operands of \p I that are in the register cache, or null.
  const OperandPlaces *cachedOperands(const Inst &I) const {
    uint32_t Group = GroupOf[size_t(&I - F.Code.data())];
    return Group == NoGroup ? nullptr : &Operands[Group];
  }

  const unsigned Slots; ///< That a warp has in the register cache.
  /// Operands that are there, by rows,
  std::vector<OperandPlaces> Operands;
  /// and by instruction which of these it has, or NoGroup.
  std::vector<uint32_t> GroupOf;
};

extern const CodeFamily SHRFCodeFamily;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHRF_SHRFCODE_H
