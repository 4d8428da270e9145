//===- Library.cpp - Libraries that load, and some that do not ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One source, compiled once for each kind of library: the macro says which.
///
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLibrary.h"

#include "TestedRegistry.h"

#include <cstdlib>
#include <pthread.h>
#include <stdexcept>

#ifdef OTHER_INTERFACE
#undef REGSHARE_SCHEME_INTERFACE
#define REGSHARE_SCHEME_INTERFACE "0.0.7-3"
#endif

using namespace regshare;

#ifdef SOUND
static const Setting Loudness = Setting::number(
    "loudness", SettingUse::Both, 3, 1, 11, "how loud the scheme is");
static const Setting *const Settings[] = {&Loudness};
#elif defined(TAKES_NAME)
static const Setting Threads = Setting::flag("threads", SettingUse::Machine,
                                             false, "of the runtime's own");
static const Setting *const Settings[] = {&Threads};
#else
static constexpr std::span<const Setting *const> Settings;
#endif
[[maybe_unused]] static const SchemeDescription Loud = {
    .Name = LOUD_NAME,
    .Summary = "a scheme from outside",
    .Page = "loud",
    .Settings = Settings};
#ifdef REPEATS
// The first one is sound, and has to go with the second.
static const SchemeDescription Second = {
    .Name = "rfv", .Summary = "taken", .Page = ""};
[[maybe_unused]] static const SchemeDescription *const Schemes[] = {&Loud,
                                                                    &Second};
#elif defined(NULL_SCHEME)
static const SchemeDescription *const Schemes[] = {&Loud, nullptr};
#elif !defined(EMPTY)
[[maybe_unused]] static const SchemeDescription *const Schemes[] = {&Loud};
#endif

#ifdef THROWS_AT_ONCE
static int fails() { throw std::runtime_error("at once"); }
[[maybe_unused]] static const int Value = fails();
#endif

#ifdef EXITS_AT_ONCE
[[maybe_unused]] static const int Ended = (std::exit(0), 0);
#endif

#ifdef ENDS_THREAD
[[maybe_unused]] static const int Ended = (pthread_exit(nullptr), 0);
#endif

#ifdef MISSES_SYMBOL
namespace regshare {
void nobodyDefinesThis();
} // namespace regshare
#endif

#ifdef REGISTERS_UNDESCRIBED
static const SchemeDescription Undescribed = {
    .Name = "undescribed", .Summary = "nobody knows it", .Page = ""};
#endif
static const int Registered = 7;

/// What it registers goes with a library that is refused.
[[maybe_unused]] static Result<void> registerAll() {
#ifdef REFUSED_COMPILERS
  static const Scheme Others[] = {*parseScheme("baseline"),
                                  *parseScheme("rfv")};
  for (Scheme S : Others)
    if (Result<void> Ok = testedRegistry().add(S, Registered); !Ok)
      return Ok;
#endif
  if (Result<void> Ok = testedRegistry().add(Loud, Registered); !Ok)
    return Ok;
#ifdef THROWS
  throw std::runtime_error("not today");
#endif
#ifdef THROWS_LINES
  throw std::runtime_error("\nfirst\n  second\n");
#endif
#ifdef THROWS_NOTHING
  throw std::runtime_error("");
#endif
#ifdef FAILS_WITH_LINES
  return fail("first\nsecond");
#endif
#ifdef FAILS_WITH_NOTHING
  return fail("");
#endif
#ifdef REGISTERS_AND_ENDS
  pthread_exit(nullptr);
#endif
#ifdef THROWS_NUMBER
  throw 7;
#endif
#ifdef MISSES_SYMBOL
  nobodyDefinesThis();
#endif
#ifdef REGISTERS_TWICE
  return testedRegistry().add(Loud, Registered);
#endif
#ifdef REGISTERS_UNDESCRIBED
  return testedRegistry().add(Undescribed, Registered);
#endif
  return {};
}

#ifdef REFUSED_COMPILERS
REGSHARE_SCHEME_COMPILERS(registerAll)
#elif defined(UNDESCRIBED)
REGSHARE_SCHEME_INTERFACE_NOTE
#elif defined(EMPTY)
REGSHARE_SCHEME_LIBRARY({}, registerAll)
#elif !defined(NO_LIBRARY)
REGSHARE_SCHEME_LIBRARY(Schemes, registerAll)
#endif
