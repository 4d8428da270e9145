//===- SharingStatements.cpp - Statements of resource sharing -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Sharing/SharingStatements.h"

#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Statements.h"

namespace regshare {

std::string printSharingPragma(unsigned PrivateRegs) {
  return statement("sharing private=" + std::to_string(PrivateRegs));
}

std::string printSharedReleasePragma(bool InComposition) {
  return statement(InComposition ? "unlock" : "release");
}

Result<unsigned> parseSharing(const Statement &S) {
  static constexpr const char *Keys[] = {"private"};
  Result<std::vector<std::string>> Values = fieldsOf(S, Keys);
  if (!Values)
    return fail(Values.error());
  return parseNumber(S, Keys[0], (*Values)[0], 0, MaxArchUnits);
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

static Result<void> addPrivate(const Statement &S, const KernelDescriptor &K,
                               SchemeFacts &Facts) {
  Result<unsigned> Parsed = parseSharing(S);
  if (!Parsed)
    return fail(Parsed.error());
  if (Facts.get<PrivateRegisters>())
    return failAt(S, "a function has it once");
  if (*Parsed > K.Regs)
    return failAt(
        S, "private=" + std::to_string(*Parsed) +
               " is beyond the descriptor's regs=" + std::to_string(K.Regs));
  Facts.set(PrivateRegisters{*Parsed});
  return {};
}

static Result<void> addRegisterRelease(const Statement &S,
                                       const KernelDescriptor &,
                                       SchemeFacts &Facts) {
  if (Result<void> Ok = checkNoFields(S); !Ok)
    return Ok;
  if (!Facts.get<PrivateRegisters>())
    return failAt(S, "before the function's regshare.sharing");
  return {};
}

static Result<void> addScratchpadRelease(const Statement &S,
                                         const KernelDescriptor &,
                                         SchemeFacts &) {
  return checkNoFields(S);
}

static constexpr std::string_view ReleaseHelp =
    "the warp needs nothing of what it shares from here on";
static constexpr StatementKind OfRegisters[] = {
    {"sharing", StatementKind::Head, StatementKind::Unexecuted,
     "which registers are a warp's own", addPrivate},
    {"release", StatementKind::Anywhere, StatementKind::Issued, ReleaseHelp,
     addRegisterRelease},
};
static constexpr StatementKind OfScratchpad[] = {
    {"release", StatementKind::Anywhere, StatementKind::Issued, ReleaseHelp,
     addScratchpadRelease},
    {"unlock", StatementKind::Anywhere, StatementKind::Issued,
     "the same, in code of a composition", addScratchpadRelease},
};

//===----------------------------------------------------------------------===//
// The schemes
//===----------------------------------------------------------------------===//

static constexpr SettingChoice Orders[] = {
    {"first-use", int64_t(RegisterOrder::FirstUse),
     "those that the code names first, as published"},
    {"declared", int64_t(RegisterOrder::Declared),
     "those with the lowest numbers, as they are"},
    {"earliest", int64_t(RegisterOrder::Earliest),
     "those that the fewest instructions lead to"},
    {"weight", int64_t(RegisterOrder::Weight),
     "those with which most instructions are expected to run before a shared "
     "one"}};

const Setting settings::PrivateShare = Setting::share(
    "private-share", SettingUse::Both, DefaultPrivatePerMille, 1,
    "t, which part of a thread's registers, or of a CTA's shared memory, is "
    "its own; the rest is shared with the paired CTA");
const Setting settings::Order = Setting::choice(
    "register-order", SettingUse::Compiler, int64_t(RegisterOrder::FirstUse),
    Orders, "which registers are a thread's own");
const Setting settings::EarlyRelease = Setting::flag(
    "early-release", SettingUse::Compiler, false,
    "give back what is shared where a warp no longer needs it, instead of at "
    "its end");
const Setting settings::DynamicWarps = Setting::flag(
    "dynamic-warps", SettingUse::Machine, true,
    "dynamic warp execution: warps that are no owner's access memory less "
    "often where that makes an SM stall");

static const Setting *const RegisterSettings[] = {
    &settings::PrivateShare, &settings::Order, &settings::EarlyRelease,
    &settings::DynamicWarps};
static const Setting *const ScratchpadSettings[] = {&settings::PrivateShare,
                                                    &settings::EarlyRelease};

/// Kernels are left alone whose CTAs would share nothing.
static bool registersDependOnLaunch(const SettingValues &Values) {
  return Values[settings::EarlyRelease] ||
         Values.get<RegisterOrder>(settings::Order) != RegisterOrder::Declared;
}
static bool scratchpadDependsOnLaunch(const SettingValues &Values) {
  return Values[settings::EarlyRelease];
}

/// Scratchpad for as many CTAs as there are with pairs, whatever limits them
/// besides. Registers are the other scheme's.
static void widenScratchpad(DeviceDescription &D, const KernelResources &K,
                            const SettingValues &Values) {
  KernelResources WithoutRegs = K;
  WithoutRegs.RegsPerThread = 0;
  SharingResidency R =
      sharingResidency(SharedResource::Scratchpad, D, WithoutRegs,
                       Values.get<unsigned>(settings::PrivateShare));
  D.SharedMemory =
      std::max(D.SharedMemory, R.ctas() * occupancy(D, K).SharedPerCTA);
}

static constexpr Claim RegisterClaims[] = {
    {Domain::Rows, "has paired CTAs share some of them"},
    {Domain::Operands, "reads shared registers where the paired warp's are"},
    {Domain::Waiting, "has warps wait for a lock of the paired CTA's"}};
static constexpr Claim ScratchpadClaims[] = {
    {Domain::Scratchpad, "has paired CTAs share some of it"},
    {Domain::Waiting, "has CTAs wait for a lock of the paired CTA's"}};

const SchemeDescription schemes::RegisterSharing = {
    .Name = "register-sharing",
    .Summary = "two CTAs share registers that a warp locks on first use",
    .Page = "sharing",
    .Statements = OfRegisters,
    .Settings = RegisterSettings,
    .Required = "sharing",
    .DependsOnLaunch = registersDependOnLaunch,
    .Claims = RegisterClaims};

const SchemeDescription schemes::ScratchpadSharing = {
    .Name = "scratchpad-sharing",
    .Summary = "two CTAs share scratchpad that a CTA locks on first use",
    .Page = "sharing",
    .Statements = OfScratchpad,
    .Settings = ScratchpadSettings,
    .DependsOnLaunch = scratchpadDependsOnLaunch,
    .Claims = ScratchpadClaims,
    .Widen = widenScratchpad};

static const SchemeDescription *const Members[] = {&schemes::RegisterSharing,
                                                   &schemes::ScratchpadSharing};
extern const SchemeFamily SharingFamily;
const SchemeFamily SharingFamily = {Members};

} // namespace regshare
