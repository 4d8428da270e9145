//===- SectionPools.h - Who holds an extended set ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// RegMutex's two ways to share extended sets (§III-B, §III-C), for one
/// partition of the register file. Warps and sections are numbers from 0.
/// Physical rows:
///
///   pooled   the base sets of all warps, then the sections
///   paired   for each pair its two base sets, then its section
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_REGMUTEX_SECTIONPOOLS_H
#define REGSHARE_SIM_SCHEMES_REGMUTEX_SECTIONPOOLS_H

#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace regshare::sim {

struct PartitionShape {
  unsigned Warps = 0; ///< Most that are resident.
  unsigned Sections = 0;
  RegMutexSplit Split;
};

/// The shared register pool: a status bit for each warp, a bitmask of sections
/// and a table that says which one a warp holds, as in the paper's figure 4.
class SharedPool {
public:
  static constexpr RegMutexKind Kind = RegMutexKind::Pooled;
  static constexpr unsigned MaxWarps = 64;

  explicit SharedPool(const PartitionShape &Shape);

  /// The section that the warp would get now: find first zero.
  std::optional<unsigned> sectionFor(unsigned Warp) const;
  void take(unsigned Warp, unsigned Section);
  void giveBack(unsigned Warp);
  bool holds(unsigned Warp) const { return Tables.Status >> Warp & 1; }
  unsigned inUse() const { return InUse; }
  /// The warps that hold what \p Warp could get.
  uint64_t holders(unsigned /*Warp*/) const { return Tables.Status; }

  unsigned baseRow(unsigned Warp) const { return Warp * Shape.Split.Base; }
  unsigned extendedRow(unsigned Section) const {
    return Shape.Warps * Shape.Split.Base + Section * Shape.Split.Extended;
  }
  /// Two owners of a section, or one without a bit: empty if all is well.
  std::string inconsistency() const;
  /// The partition has no base set for the warp.
  bool isBeyond(unsigned Warp) const { return Warp >= Shape.Warps; }

  struct State {
    uint64_t Status = 0;
    uint64_t Taken = 0; ///< Sections; also those that do not exist.
    std::array<uint8_t, MaxWarps> Lut = {};
  };
  /// For tests of the checks.
  State &state() { return Tables; }

private:
  PartitionShape Shape;
  State Tables;
  unsigned InUse = 0;
};

/// A section for each two neighbouring warps, and a bit that says whether one
/// of them holds it.
class PairedPool {
public:
  static constexpr RegMutexKind Kind = RegMutexKind::Paired;

  explicit PairedPool(const PartitionShape &Shape) : Shape(Shape) {}

  std::optional<unsigned> sectionFor(unsigned Warp) const;
  void take(unsigned Warp, unsigned Section);
  void giveBack(unsigned Warp);
  bool holds(unsigned Warp) const { return Status >> Warp & 1; }
  unsigned inUse() const { return InUse; }
  uint64_t holders(unsigned Warp) const {
    return Status & (uint64_t(1) << (Warp ^ 1));
  }

  unsigned baseRow(unsigned Warp) const {
    return Warp / 2 * pairRows() + Warp % 2 * Shape.Split.Base;
  }
  unsigned extendedRow(unsigned Section) const {
    return Section * pairRows() + 2 * Shape.Split.Base;
  }
  std::string inconsistency() const;
  bool isBeyond(unsigned Warp) const { return Warp / 2 >= Shape.Sections; }

  /// For tests of the checks.
  uint64_t &state() { return Status; }

private:
  unsigned pairRows() const {
    return 2 * Shape.Split.Base + Shape.Split.Extended;
  }

  PartitionShape Shape;
  /// By warp. The hardware's bit of a pair is the or of its two; which of them
  /// holds it is what idempotent releases have to know besides.
  uint64_t Status = 0;
  unsigned InUse = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_REGMUTEX_SECTIONPOOLS_H
