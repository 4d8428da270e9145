//===- SchemeInterface.cpp - The number of the headers --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeInterface.h"
#include "regshare/Base/SchemeLoader.h"

namespace regshare {

const char *schemeInterface() { return REGSHARE_SCHEME_INTERFACE; }

} // namespace regshare
