//===- OneName.cpp - A library whose scheme the environment names ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLibrary.h"

#include <cstdlib>
#include <utility>

using namespace regshare;

/// What the variable says, or \p Otherwise.
static const char *named(const char *Variable, const char *Otherwise) {
  const char *Value = std::getenv(Variable);
  return Value ? Value : Otherwise;
}

/// When it is loaded it is asked first, and then for each launch, which may
/// show something else.
static ShownFacts show(const SchemeFacts &) {
  static bool WasAsked = false;
  const char *Key = named("SHOWN_KEY", "");
  if (std::exchange(WasAsked, true))
    Key = named("KEY_OF_LAUNCH", Key);
  return {Key, "what a test asks for", {{"figure", 1}}};
}

static const SchemeDescription Description = {
    .Name = named("SCHEME_NAME", "one-name"),
    .Summary = "only tests have it",
    .Page = "",
    .Show = show};
static const SchemeDescription *const Schemes[] = {&Description};

static Result<void> registerNothing() { return {}; }
REGSHARE_SCHEME_LIBRARY(Schemes, registerNothing)
