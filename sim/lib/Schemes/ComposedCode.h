//===- ComposedCode.h - Code of two schemes at the same time ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code with the statements of both parts of a composition. Each part's rules
/// see their own statements alone, by the numbers that they gave them; the SM
/// sees all, with the part in the number.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_COMPOSEDCODE_H
#define REGSHARE_SIM_SCHEMES_COMPOSEDCODE_H

#include "Rules/CodeRules.h"
#include "Timing/Core/CoreConfig.h"

#include <array>

namespace regshare::sim {

inline constexpr unsigned NumParts = 2;

/// IssueInfo::Statement of statement \p Number of a part.
constexpr uint8_t statementOfPart(unsigned Part, uint8_t Number) {
  return uint8_t(Part << 6 | Number);
}
/// What the part makes of it; 0 stays 0.
constexpr uint8_t statementForPart(unsigned Part, uint8_t Statement) {
  if (!Statement || Statement == OtherStatement)
    return Statement;
  return unsigned(Statement >> 6) == Part ? Statement & 0x3F : OtherStatement;
}

/// Either may be null: the part's code has no statements.
using PartFamilies = std::array<const CodeFamily *, NumParts>;

/// The rules of a function whose statements are those of two schemes.
class ComposedCode final : public CodeRules {
public:
  /// Null: the part has none for the function.
  using PartRules = std::array<std::shared_ptr<const CodeRules>, NumParts>;

  /// \p Owners: by instruction, the part whose statement it is.
  ComposedCode(const CodeFamily &Own, const PartFamilies &Families,
               const Function &F, PartRules Parts, std::vector<uint8_t> Owners);

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override;
  uint8_t attentionTo(size_t Number) const override {
    return Attention[0][Number] | Attention[1][Number];
  }
  std::optional<uint8_t> statementUnder(const CodeFamily *Running,
                                        size_t Number) const override;
  std::vector<uint32_t> awaitedBy(const Inst &Statement) const override;
  void noteGroups(std::span<IssueInfo> Insts) const override;
  uint32_t addGroups(std::any &All) const override;

  /// Null: the part has no rules for this function.
  const CodeRules *part(unsigned Part) const { return Parts[Part].get(); }
  uint8_t attentionOf(unsigned Part, const Inst &I) const {
    return Attention[Part][numberOf(I)];
  }
  unsigned ownerOf(const Inst &Statement) const {
    return Owners[numberOf(Statement)];
  }

private:
  const CodeRules *partUnder(const CodeFamily *Running) const override;
  size_t numberOf(const Inst &I) const { return size_t(&I - F.Code.data()); }

  const PartFamilies Families;
  const PartRules Parts;
  const std::vector<uint8_t> Owners;
  std::array<std::vector<uint8_t>, NumParts> Attention; ///< By instruction.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_COMPOSEDCODE_H
