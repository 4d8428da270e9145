//===- FuzzIterations.h - How many random cases a test runs -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_FUZZITERATIONS_H
#define REGSHARE_UNITTESTS_SUPPORT_FUZZITERATIONS_H

#include <cstdlib>

namespace regshare::test {

#ifdef REGSHARE_SANITIZED
/// A case takes ten times as long, and what sanitizers look for is in most.
inline constexpr unsigned CasesOfOne = 8;
#else
inline constexpr unsigned CasesOfOne = 1;
#endif

/// \p Default random cases; with sanitizers an eighth of them.
constexpr unsigned randomCases(unsigned Default) {
  return (Default + CasesOfOne - 1) / CasesOfOne;
}

/// How often something has to happen in all of a test's cases: \p Default
/// times; with sanitizers, in an eighth of them, so much less often, and half
/// of that, as few cases differ more from the mean.
constexpr unsigned atLeast(unsigned Default) {
  return CasesOfOne == 1 ? Default : Default / CasesOfOne / 2;
}

/// randomCases() of a property test whose long form has more of them:
/// REGSHARE_FUZZ_ITERATIONS where it is set.
inline unsigned fuzzIterations(unsigned Default) {
  const char *Set = std::getenv("REGSHARE_FUZZ_ITERATIONS");
  return Set ? std::strtoul(Set, nullptr, 10) : randomCases(Default);
}

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_FUZZITERATIONS_H
