//===- Setmaxnreg.cpp - A CTA's registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

#include "regshare/Base/Statements.h"

#include <cassert>
#include <charconv>

namespace regshare {

std::string printChange(const CountChange &C) {
  return std::string("setmaxnreg.") + (C.Increases ? "inc " : "dec ") +
         std::to_string(C.Count);
}

std::string whyNoCount(unsigned Count) {
  using namespace register_count;
  if (Count % Unit == 0 && Count >= Least && Count <= Most)
    return {};
  return "expected a multiple of " + std::to_string(Unit) + " from " +
         std::to_string(Least) + " to " + std::to_string(Most) + ", found " +
         std::to_string(Count);
}

std::string whyNoChange(const CountChange &C, unsigned Before) {
  if (C.Increases ? C.Count >= Before : C.Count <= Before)
    return {};
  return printChange(C) + " where a thread has " + std::to_string(Before) +
         " registers: expected " + std::to_string(Before) + " or " +
         (C.Increases ? "more" : "fewer");
}

std::string whyNotOn(const DeviceDescription &D) {
  constexpr unsigned First = 90; // PTX ISA, setmaxnreg.
  std::string_view Target = D.Target;
  unsigned Number = 0;
  const char *Begin = Target.data() + Target.find('_') + 1;
  std::from_chars(Begin, Target.data() + Target.size(), Number);
  if (Number >= First)
    return {};
  return "setmaxnreg is of sm_90a and later: expected such a device, '" +
         D.Name + "' is of " + D.Target;
}

void RegisterPool::change(unsigned Warp, unsigned Count) {
  assert(has(Warp, Count) && "rows that nobody has given up");
  Left = Left + Counts[Warp] - Count;
  Counts[Warp] = Count;
}

//===----------------------------------------------------------------------===//
// The statement
//===----------------------------------------------------------------------===//

std::string printPoolPragma(LaunchRegisters Launch) {
  return statement("pool launch=" + std::to_string(Launch.PerThread));
}

Result<LaunchRegisters> parsePool(const Statement &S) {
  static constexpr const char *Keys[] = {"launch"};
  Result<std::vector<std::string>> Values = fieldsOf(S, Keys);
  if (!Values)
    return fail(Values.error());
  Result<unsigned> Launch = parseNumber(
      S, Keys[0], (*Values)[0], register_count::Unit, register_count::Most);
  if (!Launch)
    return fail(Launch.error());
  if (*Launch % register_count::Unit)
    return failAt(S, "launch is a multiple of " +
                         std::to_string(register_count::Unit) + ", not " +
                         std::to_string(*Launch));
  return LaunchRegisters{*Launch};
}

static Result<void> addPool(const Statement &S, const KernelDescriptor &,
                            SchemeFacts &Facts) {
  Result<LaunchRegisters> Launch = parsePool(S);
  if (!Launch)
    return fail(Launch.error());
  if (Facts.get<LaunchRegisters>())
    return failAt(S, "a function has it once");
  Facts.set(*Launch);
  return {};
}

static constexpr StatementKind Statements[] = {
    {"pool", StatementKind::Head, StatementKind::Unexecuted,
     "registers of a thread at launch, which its CTA's warps share", addPool}};

//===----------------------------------------------------------------------===//
// The scheme
//===----------------------------------------------------------------------===//

KernelResources atLaunch(KernelResources K, const SchemeFacts &Facts) {
  if (const auto *Launch = Facts.get<LaunchRegisters>())
    K.RegsPerThread = Launch->PerThread;
  return K;
}

static unsigned residentCTAs(const DeviceDescription &D,
                             const KernelResources &K, const SchemeFacts &Facts,
                             const SettingValues &) {
  return occupancy(D, atLaunch(K, Facts)).CTAs;
}

static ShownFacts show(const SchemeFacts &Facts) {
  const auto *Launch = Facts.get<LaunchRegisters>();
  if (!Launch)
    return {"pool", "none: the kernel is as under baseline", {}};
  return {"pool",
          std::to_string(Launch->PerThread) + " registers a thread at launch",
          {{"launch", Launch->PerThread}}};
}

const SchemeDescription schemes::Setmaxnreg = {
    .Name = "setmaxnreg",
    .Summary = "registers that the warps of a CTA hand to each other, as "
               "hardware does from sm_90a on",
    .Page = "setmaxnreg",
    .Statements = Statements,
    .ResidentCTAs = residentCTAs,
    .Show = show};

static const SchemeDescription *const Members[] = {&schemes::Setmaxnreg};
extern const SchemeFamily SetmaxnregFamily;
const SchemeFamily SetmaxnregFamily = {Members};

} // namespace regshare
