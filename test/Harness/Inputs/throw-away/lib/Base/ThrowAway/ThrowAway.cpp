//===- ThrowAway.cpp - A scheme that only tests have ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Scheme.h"

namespace regshare {

namespace settings {
extern const Setting Pause;
const Setting Pause =
    Setting::number("throw-away-pause", SettingUse::Both, 3, 0, 9,
                    "cycles that pass between two instructions of a warp");
} // namespace settings

static const Setting *const Settings[] = {&settings::Pause};

namespace schemes {
extern const SchemeDescription ThrowAway;
const SchemeDescription ThrowAway = {.Name = "throw-away",
                                     .Summary = "a scheme that only tests have",
                                     .Page = "throw-away",
                                     .Settings = Settings};
} // namespace schemes

static const SchemeDescription *const Members[] = {&schemes::ThrowAway};
extern const SchemeFamily ThrowAwayFamily;
const SchemeFamily ThrowAwayFamily = {Members};

} // namespace regshare
