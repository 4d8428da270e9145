//===- TestedRegistry.h - Something that schemes have -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_BASE_SCHEMELIBRARY_TESTEDREGISTRY_H
#define REGSHARE_UNITTESTS_BASE_SCHEMELIBRARY_TESTEDREGISTRY_H

#include "regshare/Base/SchemeRegistry.h"

/// Of the program that loads the libraries.
regshare::SchemeRegistry<int> &testedRegistry();

#endif // REGSHARE_UNITTESTS_BASE_SCHEMELIBRARY_TESTEDREGISTRY_H
