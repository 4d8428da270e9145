//===- LTRFReport.cpp - What reports say about LTRF -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/LTRF/LTRF.h"

#include "llvm/Support/Format.h"

using namespace llvm;

namespace regshare {

static json::Object prefetchObject(const PrefetchCost &Cost) {
  return json::Object{{"prefetches", Cost.Prefetches},
                      {"executed_per_warp", Cost.Executed},
                      {"registers_per_warp", Cost.Fetched}};
}

StringRef LTRFResult::key() const { return "ltrf"; }

json::Object LTRFResult::toJSON(const ReportedLaunch &) const {
  json::Object Object = prefetchObject(Cost);
  Object["kind"] = Kind == PartitionKind::Strands ? "strands" : "intervals";
  Object["intervals"] = Intervals;
  Object["interval_registers"] = MaxRegisters;
  if (Published)
    Object["published"] = prefetchObject(*Published);
  Object["executed_at_heads_per_warp"] = ExecutedAtHeads;
  Object["preheaders"] = Preheaders;
  Object["dead_operands"] = DeadOperands;
  Object["instructions"] = Instrs;
  Object["instructions_per_warp"] = InstrsExecuted;
  Object["code_bytes"] = int64_t(CodeBytes);
  Object["embedded_bytes"] = int64_t(EmbeddedBytes);
  Object["explicit_bytes"] = int64_t(ExplicitBytes);
  if (Renumbered)
    Object["banks"] = json::Object{{"count", Renumbered->Count},
                                   {"before", Renumbered->Before},
                                   {"after", Renumbered->After}};
  return Object;
}

void LTRFResult::print(raw_ostream &OS, const ReportedLaunch &) const {
  OS << "  LTRF        " << Intervals
     << (Kind == PartitionKind::Strands ? " strands" : " intervals")
     << " of at most " << MaxRegisters << " registers";
  if (MaxRegisters != AskedRegisters)
    OS << ", since one instruction names as many";
  OS << ", " << Cost.Prefetches << " prefetches\n"
     << Indent
     << format("expected for each warp: %.1f prefetches of %.1f registers, in "
               "%.1f instructions\n",
               Cost.Executed, Cost.Fetched, InstrsExecuted);
  if (Published)
    OS << Indent
       << format("as published: %.1f prefetches of %.1f registers\n",
                 Published->Executed, Published->Fetched);
  auto Percent = [&](uint64_t Bytes) {
    return CodeBytes ? 100.0 * Bytes / CodeBytes : 0;
  };
  OS << Indent
     << format("vectors add %.1f%% to the code, %.1f%% with an instruction "
               "for each\n",
               Percent(EmbeddedBytes), Percent(ExplicitBytes));
  if (DeadOperands)
    OS << Indent << DeadOperands << " operands marked dead\n";
  if (Renumbered)
    OS << Indent
       << format("most registers from one of %u banks, over all prefetches: "
                 "%.1f, %.1f before renumbering\n",
                 Renumbered->Count, Renumbered->After, Renumbered->Before);
}

} // namespace regshare
