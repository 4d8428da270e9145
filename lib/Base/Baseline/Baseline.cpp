//===- Baseline.cpp - The points of comparison ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Baseline/Baseline.h"

namespace regshare {

const Setting settings::IdealCapacity = Setting::number(
    "ideal-capacity", SettingUse::Machine, 8, 1, 64,
    "how many times as large the register file is (Sadrosadati et "
    "al., ASPLOS 2018, §5, have 8)");

static const Setting *const IdealSettings[] = {&settings::IdealCapacity};

static constexpr Claim IdealClaims[] = {
    {Domain::Rows, "gives all that they name from a larger file"}};

const SchemeDescription schemes::Baseline = {
    .Name = "baseline",
    .Summary = "registers of all threads stay allocated as long as their CTA",
    .Page = "reference-sm"};

const SchemeDescription schemes::Ideal = {
    .Name = "ideal",
    .Summary = "a register file eight times as large, at no cost",
    .Page = "reference-sm",
    .Settings = IdealSettings,
    .Claims = IdealClaims};

static const SchemeDescription *const Members[] = {&schemes::Baseline,
                                                   &schemes::Ideal};
extern const SchemeFamily BaselineFamily;
const SchemeFamily BaselineFamily = {Members};

} // namespace regshare
