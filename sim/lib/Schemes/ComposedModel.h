//===- ComposedModel.h - What a composition decides -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_COMPOSEDMODEL_H
#define REGSHARE_SIM_SCHEMES_COMPOSEDMODEL_H

#include "SchemeModel.h"

namespace regshare::sim {

/// Null if a part has none.
const SchemeModel *composedModel(Scheme S);

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_COMPOSEDMODEL_H
