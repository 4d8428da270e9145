//===- SchemeModelOf.h - Makes the SMs of a scheme --------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Includes the whole pipeline, which is compiled for the scheme where this
/// template is used: in one source of the scheme's.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SCHEMEMODELOF_H
#define REGSHARE_SIM_SCHEMES_SCHEMEMODELOF_H

#include "SchemeModel.h"
#include "Timing/Core/SmCore.h"

namespace regshare::sim {

/// A scheme whose SMs have \p SchemeT, and which otherwise is as \p ModelT
/// says.
template <typename SchemeT, typename ModelT = SchemeModel>
class SchemeModelOf final : public ModelT {
public:
  constexpr SchemeModelOf() = default;
  using ModelT::ModelT;

  HooksOfPart createHooks(const SchemeContext &C) const override {
    return {std::make_unique<SchemeT>(C),
            Overrides<decltype(&SchemeT::resultBanks)>};
  }

  std::unique_ptr<Sm> createSm(const SmContext &Context,
                               unsigned Id) const override {
    switch (Context.Setup.Core.Organisation) {
    case OperandOrganisation::Modern:
      return std::make_unique<SmCore<SchemeT, ModernPath>>(Context, Id);
    case OperandOrganisation::SubCores:
      return std::make_unique<SmCore<SchemeT, SubCorePath>>(Context, Id);
    case OperandOrganisation::Collectors:
      break;
    }
    return std::make_unique<SmCore<SchemeT, CollectorPath>>(Context, Id);
  }
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SCHEMEMODELOF_H
