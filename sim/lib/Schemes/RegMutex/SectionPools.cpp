//===- SectionPools.cpp - Who holds an extended set -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SectionPools.h"

#include <bit>
#include <cassert>

namespace regshare::sim {

static uint64_t bit(unsigned N) { return uint64_t(1) << N; }

SharedPool::SharedPool(const PartitionShape &Shape) : Shape(Shape) {
  assert(Shape.Sections <= MaxWarps && "a bit for each section");
  // Bits without a section stay set (§III-B1).
  Tables.Taken = Shape.Sections == 64 ? 0 : ~uint64_t(0) << Shape.Sections;
}

std::optional<unsigned> SharedPool::sectionFor(unsigned) const {
  unsigned First = std::countr_one(Tables.Taken);
  if (First == MaxWarps)
    return std::nullopt;
  return First;
}

void SharedPool::take(unsigned Warp, unsigned Section) {
  Tables.Status |= bit(Warp);
  Tables.Taken |= bit(Section);
  Tables.Lut[Warp] = uint8_t(Section);
  ++InUse;
}

void SharedPool::giveBack(unsigned Warp) {
  Tables.Status &= ~bit(Warp);
  Tables.Taken &= ~bit(Tables.Lut[Warp]);
  --InUse;
}

std::string SharedPool::inconsistency() const {
  std::array<int, MaxWarps> Owner;
  Owner.fill(-1);
  for (unsigned Warp = 0; Warp != MaxWarps; ++Warp) {
    if (!holds(Warp))
      continue;
    unsigned Section = Tables.Lut[Warp];
    std::string Name = "SRP section " + std::to_string(Section);
    if (Section >= Shape.Sections)
      return Name + " is held and does not exist: there are " +
             std::to_string(Shape.Sections);
    if (Owner[Section] >= 0)
      return Name + " is held by two warps, " + std::to_string(Owner[Section]) +
             " and " + std::to_string(Warp);
    if (!(Tables.Taken & bit(Section)))
      return Name + " is held and counts as free";
    Owner[Section] = int(Warp);
  }
  return {};
}

std::optional<unsigned> PairedPool::sectionFor(unsigned Warp) const {
  if (Status & bit(Warp ^ 1))
    return std::nullopt;
  return Warp / 2;
}

void PairedPool::take(unsigned Warp, unsigned) {
  Status |= bit(Warp);
  ++InUse;
}

void PairedPool::giveBack(unsigned Warp) {
  Status &= ~bit(Warp);
  --InUse;
}

std::string PairedPool::inconsistency() const {
  constexpr uint64_t Even = 0x5555555555555555;
  uint64_t Both = Status & (Status >> 1) & Even;
  if (!Both)
    return {};
  unsigned Warp = std::countr_zero(Both);
  return "the extended set of pair " + std::to_string(Warp / 2) +
         " is held by two warps, " + std::to_string(Warp) + " and " +
         std::to_string(Warp + 1);
}

} // namespace regshare::sim
