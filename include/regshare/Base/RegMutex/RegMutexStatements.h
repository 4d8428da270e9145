//===- regshare/Base/RegMutex/RegMutexStatements.h - Its statements - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of RegMutex says: the split, acquires and releases.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_REGMUTEX_REGMUTEXSTATEMENTS_H
#define REGSHARE_BASE_REGMUTEX_REGMUTEXSTATEMENTS_H

#include "regshare/Base/Annotation.h"

namespace regshare {

/// How RegMutex divides a thread's registers: `regshare.regmutex`. R0 to
/// R<Base-1> are the base set, the Extended ones after them the extended set
/// (RegMutex §III). A kernel of that scheme without it has no extended set.
struct RegMutexSplit {
  unsigned Base = 0;     ///< |Bs|, 32-bit units.
  unsigned Extended = 0; ///< |Es|, 32-bit units.

  friend bool operator==(const RegMutexSplit &,
                         const RegMutexSplit &) = default;
};

/// `.pragma "regshare.regmutex base=18 extended=6";`
std::string printSplitPragma(const RegMutexSplit &Split);
/// `.pragma "regshare.acquire";`: the warp has its extended set from here on.
std::string printAcquirePragma();
/// `.pragma "regshare.release";`: the warp has no extended set from here on.
std::string printReleasePragma();
/// Fails unless both sets are given and neither is empty.
Result<RegMutexSplit> parseSplit(const Statement &D);

} // namespace regshare

#endif // REGSHARE_BASE_REGMUTEX_REGMUTEXSTATEMENTS_H
