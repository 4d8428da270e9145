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

static void registerThrowAway() {
  for (const sim::ModelEntry &Each : sim::ThrowAwayModels.Members)
    sim::registerModel(Each.Of, Each.Model);
}

REGSHARE_SCHEME_LIBRARY(Schemes, registerThrowAway)
