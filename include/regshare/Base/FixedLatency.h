//===- regshare/Base/FixedLatency.h - Dependent latencies -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How long results take on a GPU since Volta, whose hardware relies on the
/// code to leave enough time. Instructions are of a class, and the cycles from
/// the issue of one to the first issue of another that reads its result depend
/// on both classes. The SM and the compiler's passes have these figures from
/// here (FixedLatencies.def).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_FIXEDLATENCY_H
#define REGSHARE_BASE_FIXEDLATENCY_H

#include "regshare/Base/Result.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace regshare {

/// What decides how long an instruction's result takes, and when it wants those
/// of others.
enum class IssueClass : uint8_t {
  Alu,       ///< Integer additions, logic, shifts, comparisons, selections.
  Fma,       ///< Floating-point arithmetic, integer multiplication, moves.
  Wide,      ///< Reads of the clock.
  Vote,      ///< Votes, and which lanes are active.
  Half,      ///< Arithmetic on 16-bit floating-point values.
  Double,    ///< On 64-bit ones.
  Uniform,   ///< Integer instructions on a warp's uniform registers.
  Decoupled, ///< No fixed latency: memory, special functions, conversions.
  Guard, ///< As a reader only: a branch, or whether an instruction executes.
};
inline constexpr unsigned NumIssueClasses = unsigned(IssueClass::Guard) + 1;

/// Cycles from an issue to the first issue that may read the result.
class FixedLatencies {
public:
  /// Those of `sm_NN`; fails for one without, and says which have some.
  static Result<FixedLatencies> get(std::string_view Architecture);

  /// \p Writer has a fixed latency.
  unsigned cycles(IssueClass Writer, IssueClass Reader,
                  bool IsPredicate) const {
    return Cycles[IsPredicate][unsigned(Writer)][unsigned(Reader)];
  }
  /// To the last of all readers.
  unsigned longest(IssueClass Writer, bool WritesPredicate) const;

  bool operator==(const FixedLatencies &) const = default;

private:
  using Row = std::array<uint8_t, NumIssueClasses>;
  std::array<std::array<Row, NumIssueClasses>, 2> Cycles = {};
};

/// Whether the cycles to a result are known when the instruction issues.
inline bool hasFixedLatency(IssueClass C) { return C < IssueClass::Decoupled; }

} // namespace regshare

#endif // REGSHARE_BASE_FIXEDLATENCY_H
