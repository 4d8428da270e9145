//===- Library.cpp - The same scheme from outside -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModel.h"
#include "regshare/Base/SchemeLibrary.h"

namespace regshare {
extern const SchemeFamily ThrowAwayFamily;
namespace sim {
extern const ModelFamily ThrowAwayModels;
} // namespace sim
} // namespace regshare

using namespace regshare;

static const SchemeDescription *const Schemes[] = {
    ThrowAwayFamily.Members.front()};

static Result<void> registerThrowAway() {
  for (const auto &Each : sim::ThrowAwayModels.Members)
    if (Result<void> Ok = sim::registerModel(Each.Of, Each.Value); !Ok)
      return Ok;
  return {};
}

REGSHARE_SCHEME_LIBRARY(Schemes, registerThrowAway)
