//===- RegMutexReport.cpp - What reports say about RegMutex ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RegMutex/RegMutex.h"

#include "llvm/Support/Format.h"

using namespace llvm;

namespace regshare {

static json::Array candidatesArray(const ExtendedSetChoice &Choice) {
  json::Array Candidates;
  for (const ExtendedSetCandidate &C : Choice.Candidates)
    Candidates.push_back(json::Object{{"base", C.Split.Base},
                                      {"extended", C.Split.Extended},
                                      {"ctas", C.Residency.CTAs},
                                      {"warps", C.Residency.Warps},
                                      {"srp_sections", C.Residency.SrpSections},
                                      {"refused", refusalName(C.Refused)}});
  return Candidates;
}

StringRef RegMutexResult::key() const { return "regmutex"; }

json::Object RegMutexResult::toJSON(const ReportedLaunch &) const {
  json::Object Object{{"registers", Regs},
                      {"waits", Waits},
                      {"live_at_waits", MinBase},
                      {"needed_at_waits", LeastBase}};
  if (Choice) {
    Object["baseline_ctas"] = Choice->Baseline.CTAs;
    Object["baseline_warps"] = Choice->Baseline.Warps;
    Object["candidates"] = candidatesArray(*Choice);
  }
  if (!Split) {
    Object["untouched"] = Untouched;
    return Object;
  }
  Object["base"] = Split->Base;
  Object["extended"] = Split->Extended;
  Object["acquires"] = Acquires;
  Object["releases"] = Releases;
  Object["edge_blocks"] = EdgeBlocks;
  Object["copies"] = Copies;
  Object["recomputed"] = Recomputed;
  Object["instructions"] = Instrs;
  Object["held_instructions"] = HeldInstrs;
  Object["held_share"] = heldShare();
  Object["changes_per_warp"] = ChangesExecuted;
  Object["instructions_per_warp"] = Executed;
  return Object;
}

void RegMutexResult::print(raw_ostream &OS, const ReportedLaunch &) const {
  OS << "  RegMutex    ";
  if (!Split) {
    OS << "stays as it is: " << Untouched << "\n";
  } else {
    OS << Split->Base << " base and " << Split->Extended
       << " extended registers, " << Acquires << " acquires, " << Releases
       << " releases, " << Copies << " copies\n";
    if (Recomputed)
      OS << Indent << Recomputed << " instructions compute values again\n";
    OS << Indent << "held during " << HeldInstrs << " of " << Instrs
       << " instructions, " << format("%.1f%%", 100 * heldShare())
       << " of those expected to execute\n";
  }
  if (!Choice)
    return;
  SmallVector<StringRef, 8> Lines;
  std::string Table = printChoice(*Choice);
  StringRef(Table).trim('\n').split(Lines, '\n');
  for (StringRef Line : Lines)
    OS << Indent << Line << "\n";
}

} // namespace regshare
