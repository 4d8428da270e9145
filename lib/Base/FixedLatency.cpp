//===- FixedLatency.cpp - Dependent latencies -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/FixedLatency.h"

#include <algorithm>
#include <string>

namespace regshare {

namespace {
enum Written : bool { Register, Predicate };

struct LatencyRow {
  std::string_view Architecture;
  Written What;
  IssueClass Writer;
  std::array<uint8_t, NumIssueClasses> ToReaders;
};
} // namespace

static constexpr LatencyRow Rows[] = {
#define FIXED_LATENCY(ARCHITECTURE, WHAT, WRITER, ...)                         \
  {#ARCHITECTURE, WHAT, IssueClass::WRITER, {__VA_ARGS__}},
#include "FixedLatencies.def"
};

/// Whose rows an architecture has, where it has none of its own.
static constexpr std::pair<std::string_view, std::string_view> TableOf[] = {
    {"sm_70", "sm_75"}, {"sm_75", "sm_75"}, {"sm_80", "sm_80"},
    {"sm_86", "sm_80"}, {"sm_87", "sm_80"}, {"sm_89", "sm_80"},
    {"sm_90", "sm_80"}};

Result<FixedLatencies> FixedLatencies::get(std::string_view Architecture) {
  // sm_90a is an sm_90 whose instructions later parts do not have.
  if (Architecture == "sm_90a")
    Architecture.remove_suffix(1);
  const auto *Of =
      std::ranges::find(TableOf, Architecture,
                        &std::pair<std::string_view, std::string_view>::first);
  if (Of == std::end(TableOf)) {
    std::string Known;
    for (const auto &[Name, Table] : TableOf)
      Known += (Known.empty() ? "" : ", ") + std::string(Name);
    return fail("no latencies of '" + std::string(Architecture) +
                    "' are known; there are those of " + Known,
                ErrorKind::NotForDevice);
  }
  FixedLatencies Found;
  // Rows of its own come after those.
  for (const LatencyRow &Row : Rows)
    if (Row.Architecture == Of->second || Row.Architecture == Architecture)
      Found.Cycles[Row.What][unsigned(Row.Writer)] = Row.ToReaders;
  return Found;
}

unsigned FixedLatencies::longest(IssueClass Writer,
                                 bool WritesPredicate) const {
  const Row &To = Cycles[WritesPredicate][unsigned(Writer)];
  return *std::ranges::max_element(To);
}

} // namespace regshare
