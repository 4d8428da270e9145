//===- ReportSARIF.cpp - A report for viewers of findings -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Static Analysis Results Interchange Format 2.1.0 (OASIS, 2020).
///
//===----------------------------------------------------------------------===//

#include "regshare/Base/Version.h"
#include "regshare/Pipeline/ReportLimits.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

namespace {
struct Rule {
  const char *Id, *Short, *Help;
};
} // namespace

static constexpr Rule Rules[] = {
    {"max-registers", "A kernel takes more registers than allowed.",
     "The result is at the line where most registers are live. The report "
     "names the values that hold them (--emit=report)."},
    {"no-spills", "A kernel spills values to local memory.",
     "Values beyond the limit of registers are stored and loaded again, as far "
     "as they could not be computed again."},
    {"min-occupancy", "Fewer warps of a kernel fit into an SM than asked for.",
     "The message says which resource is the limit. Registers can be lowered "
     "with __launch_bounds__ or -regshare-max-regs."},
    {"no-worse", "A kernel takes more of an SM than before.",
     "Compared with the report that --baseline names."},
    {"register-peak", "Most registers of a kernel are live here.",
     "Which values hold them is in the report (--emit=report)."},
};

/// Relative to the current directory where it lies in it, as viewers want it.
static std::string uriOf(StringRef File) {
  SmallString<128> Current;
  StringRef Path = File;
  if (!sys::fs::current_path(Current)) {
    Current += '/';
    Path.consume_front(Current);
  }
  std::string Uri = sys::path::is_absolute(Path) ? "file://" : "";
  for (unsigned char C : Path)
    if (isAlnum(C) || StringRef("/._-~+").contains(char(C)))
      Uri += char(C);
    else
      Uri += formatv("%{0:X-2}", C).str();
  return Uri;
}

static json::Object location(const KernelReport &K) {
  json::Object Location{{"logicalLocations", json::Array{json::Object{
                                                 {"name", K.Demangled},
                                                 {"fullyQualifiedName", K.Name},
                                                 {"kind", "function"}}}}};
  const SourcePlace &P = K.Peak.Place;
  if (!P.isKnown())
    return Location;
  json::Object Region{{"startLine", P.Line}};
  if (P.Column)
    Region["startColumn"] = P.Column;
  Location["physicalLocation"] =
      json::Object{{"artifactLocation", json::Object{{"uri", uriOf(P.File)}}},
                   {"region", std::move(Region)}};
  return Location;
}

static json::Object result(StringRef Id, StringRef Level, const KernelReport &K,
                           const std::string &Text) {
  return json::Object{
      {"ruleId", Id},
      {"level", Level},
      {"message",
       json::Object{{"text", "kernel " + K.Demangled + ": " + Text}}},
      {"locations", json::Array{location(K)}}};
}

void printSARIF(raw_ostream &OS, ArrayRef<KernelReport> Kernels,
                ArrayRef<LimitCheck> Checks) {
  json::Array RuleObjects, Results;
  for (const Rule &R : Rules)
    RuleObjects.push_back(
        json::Object{{"id", R.Id},
                     {"shortDescription", json::Object{{"text", R.Short}}},
                     {"help", json::Object{{"text", R.Help}}}});
  for (const LimitCheck &C : Checks)
    if (!C.Broken.empty())
      Results.push_back(result(C.Rule, "error", *C.Kernel, C.Broken));
  for (const KernelReport &K : Kernels)
    if (!K.Points.empty())
      Results.push_back(
          result("register-peak", "note", K,
                 std::to_string(K.Points[K.Peak.Point].Live) +
                     " registers are live here, the most of the kernel"));
  json::Object Driver{{"name", "RegShare"},
                      {"version", REGSHARE_VERSION},
                      {"rules", std::move(RuleObjects)}};
  json::Object Run{{"tool", json::Object{{"driver", std::move(Driver)}}},
                   {"results", std::move(Results)}};
  json::Object Log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", json::Array{std::move(Run)}}};
  OS << formatv("{0:2}", json::Value(std::move(Log))) << "\n";
}

} // namespace regshare
