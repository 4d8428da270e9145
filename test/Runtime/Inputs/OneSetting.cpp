//===- OneSetting.cpp - A library with one setting ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLibrary.h"

#include <cstdlib>
#include <pthread.h>
#include <stdexcept>

using namespace regshare;

#ifdef ENDS_PROCESS
[[maybe_unused]] static const int Ended = (std::exit(0), 0);
#endif
#ifdef ENDS_THREAD
[[maybe_unused]] static const int Ended = (pthread_exit(nullptr), 0);
#endif

static const Setting Own = Setting::flag(SETTING, SettingUse::Machine, false,
                                         "a setting that a test names");
static const Setting *const Settings[] = {&Own};
#ifdef STATEMENT
static const StatementKind Statements[] = {
    {"marked", StatementKind::Anywhere, StatementKind::Unexecuted,
     "a place that a test marks",
     [](const Statement &, const KernelDescriptor &,
        SchemeFacts &) -> Result<void> { return {}; }}};
#else
static constexpr std::span<const StatementKind> Statements;
#endif
static const SchemeDescription Description = {.Name = "one-setting",
                                              .Summary = "only tests have it",
                                              .Page = "",
                                              .Statements = Statements,
                                              .Settings = Settings};
static const SchemeDescription *const Schemes[] = {&Description};

#ifdef COMPILERS
static Result<void> throws() { throw std::runtime_error("no passes today"); }
REGSHARE_SCHEME_COMPILERS(throws)
#else
static Result<void> registerNothing() { return {}; }
REGSHARE_SCHEME_LIBRARY(Schemes, registerNothing)
#endif
