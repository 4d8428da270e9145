//===- SHRFReport.cpp - What reports say about SHRF -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/SHRF/SHRF.h"

#include "llvm/Support/Format.h"

using namespace llvm;

namespace regshare {

StringRef SHRFResult::key() const { return "shrf"; }

json::Object SHRFResult::toJSON(const ReportedLaunch &) const {
  return json::Object{{"slots", Slots},
                      {"strands", Strands},
                      {"results_in_cache", Alone},
                      {"results_in_both", Both},
                      {"sources_fetched", Fetched},
                      {"cache_reads_per_warp", CacheReads},
                      {"cache_writes_per_warp", CacheWrites},
                      {"main_reads_per_warp", MainReads},
                      {"main_writes_per_warp", MainWrites},
                      {"accesses_per_warp", accesses()},
                      {"instructions_per_warp", InstrsExecuted}};
}

void SHRFResult::print(raw_ostream &OS, const ReportedLaunch &) const {
  OS << "  SHRF        " << Strands << " strands, " << Slots
     << " cache registers: " << Alone << " results in the cache alone, " << Both
     << " in both files, " << Fetched << " sources fetched\n"
     << Indent
     << format("expected for each warp: %.1f accesses to the main file in "
               "%.1f instructions, %.1f without the cache\n",
               mainAccesses(), InstrsExecuted, accesses());
}

} // namespace regshare
