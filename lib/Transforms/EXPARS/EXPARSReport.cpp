//===- EXPARSReport.cpp - What reports say about EXPARS -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/EXPARS/EXPARS.h"

#include "llvm/Support/Format.h"

using namespace llvm;

namespace regshare {

/// Of a kernel whose code needs R0 to R<Kept-1> in the register file. That is
/// at least what τ leaves there.
static Result<EXPARSResidency> residencyOf(const ReportedLaunch &Launch,
                                           unsigned Kept) {
  constexpr unsigned All = 1000;
  return exparsResidency(*Launch.Device, Launch.Resources, All, Kept);
}

static json::Object residencyObject(const ReportedLaunch &Launch,
                                    unsigned Kept) {
  Result<EXPARSResidency> R = residencyOf(Launch, Kept);
  if (!R)
    return json::Object{{"error", R.error().str()}};
  EXPARSUtilisation U = R->utilisation(*Launch.Device);
  return json::Object{{"whole_ctas", R->WholeCTAs},
                      {"mixed_ctas", R->MixedCTAs},
                      {"start_register", R->StartReg},
                      {"register_utilisation", U.Registers},
                      {"scratchpad_utilisation", U.Scratchpad},
                      {"overall_utilisation", U.Overall}};
}

StringRef EXPARSResult::key() const { return "expars"; }

json::Object EXPARSResult::toJSON(const ReportedLaunch &Launch) const {
  json::Object Object{{"operand_cache_bytes", Cache.Bytes},
                      {"registers", Registers},
                      {"kept", Kept},
                      {"kept_by_tau", KeptByTau},
                      {"kept_before_renumbering", KeptBefore},
                      {"bundles", Bundles},
                      {"empty_bundles", EmptyBundles},
                      {"prefs_per_warp", PrefsExecuted},
                      {"registers_per_warp", BitsExecuted},
                      {"references_per_warp", References},
                      {"scratchpad_references_per_warp", ScratchpadReferences},
                      {"instructions", Instrs},
                      {"instructions_per_warp", InstrsExecuted},
                      {"code_bytes", int64_t(CodeBytes)},
                      {"embedded_bytes", int64_t(EmbeddedBytes)},
                      {"explicit_bytes", int64_t(ExplicitBytes)}};
  if (Launch.Device)
    Object["residency"] = residencyObject(Launch, Kept);
  return Object;
}

/// Which CTAs have registers in scratchpad.
static void printResidency(raw_ostream &OS, const ReportedLaunch &Launch,
                           unsigned Kept) {
  OS << SchemeResult::Indent;
  Result<EXPARSResidency> Resident = residencyOf(Launch, Kept);
  if (!Resident) {
    OS << Resident.error().str() << "\n";
    return;
  }
  const EXPARSResidency &R = *Resident;
  if (!R.ctas()) {
    OS << "no CTA fits\n";
    return;
  }
  OS << "resident " << R.ctas() << (R.ctas() == 1 ? " CTA" : " CTAs");
  if (R.MixedCTAs)
    OS << ", " << R.MixedCTAs << " of them with R" << R.StartReg << " to R"
       << R.RegsPerThread - 1 << " in scratchpad";
  EXPARSUtilisation U = R.utilisation(*Launch.Device);
  OS << "\n"
     << SchemeResult::Indent
     << format("in use: %.1f%% of the registers, %.1f%% of the scratchpad, "
               "%.1f%% of both\n",
               100 * U.Registers, 100 * U.Scratchpad, 100 * U.Overall);
}

void EXPARSResult::print(raw_ostream &OS, const ReportedLaunch &Launch) const {
  OS << "  EXPARS      " << Bundles << " bundles for an operand cache of "
     << Cache.Bytes << " bytes, " << EmptyBundles << " of them empty\n"
     << Indent << "always in the register file: " << Kept << " of " << Registers
     << " registers";
  if (Kept != KeptByTau)
    OS << ", " << KeptByTau << " but for the operands of one instruction";
  auto Percent = [](double Part, double Whole) {
    return Whole ? 100 * Part / Whole : 0;
  };
  OS << "\n"
     << Indent
     << format("expected for each warp: %.1f PREFs of %.1f registers, in %.1f "
               "instructions\n",
               PrefsExecuted, BitsExecuted, InstrsExecuted)
     << Indent
     << format("%.1f%% of the references to registers may be to scratchpad\n",
               Percent(ScratchpadReferences, References))
     << Indent
     << format("vectors add %.1f%% to the code, %.1f%% with an instruction "
               "for each\n",
               Percent(EmbeddedBytes, CodeBytes),
               Percent(ExplicitBytes, CodeBytes));
  if (Launch.Device)
    printResidency(OS, Launch, Kept);
}

} // namespace regshare
