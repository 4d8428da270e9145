//===- regshare/Base/SHRF/SHRFStatements.h - Its statements --- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of SHRF says: strands, and which operands are in the register
/// cache.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SHRF_SHRFSTATEMENTS_H
#define REGSHARE_BASE_SHRF_SHRFSTATEMENTS_H

#include "regshare/Base/Annotation.h"

namespace regshare {

/// `regshare.cache`: the places that a warp has in the register cache.
struct CacheSlots {
  unsigned Slots = 0;

  friend bool operator==(const CacheSlots &, const CacheSlots &) = default;
};

/// A register and its place in a warp's register cache.
struct CachePlace {
  unsigned Unit = 0; ///< 32-bit unit.
  unsigned Slot = 0;

  friend bool operator==(const CachePlace &, const CachePlace &) = default;
};

/// `regshare.operands`: which operands of the next instruction are in the
/// register cache. Each list ascends by unit; no slot stands twice.
struct OperandPlaces {
  std::vector<CachePlace> Read;  ///< Read from there.
  std::vector<CachePlace> Fetch; ///< Read from the main file, and put there.
  std::vector<CachePlace> Cache; ///< Written there alone.
  std::vector<CachePlace> Both;  ///< Written there and to the main file.

  bool isEmpty() const {
    return Read.empty() && Fetch.empty() && Cache.empty() && Both.empty();
  }
  friend bool operator==(const OperandPlaces &,
                         const OperandPlaces &) = default;
};

/// A list of OperandPlaces by its key in the statement.
struct OperandPlacesField {
  const char *Key;
  std::vector<CachePlace> OperandPlaces::*Places;
};
/// In the order in which they are printed.
inline constexpr OperandPlacesField OperandPlacesFields[] = {
    {"read", &OperandPlaces::Read},
    {"fetch", &OperandPlaces::Fetch},
    {"cache", &OperandPlaces::Cache},
    {"both", &OperandPlaces::Both}};

/// `.pragma "regshare.cache slots=16";`: the places that a warp has in the
/// register cache are 0 to Slots-1.
std::string printCachePragma(unsigned Slots);
/// `.pragma "regshare.strand";`: a strand begins, and what the register cache
/// held is lost.
std::string printStrandPragma();
/// `.pragma "regshare.operands read=R3:0 cache=R5:1";`. \p P is not empty.
std::string printOperandsPragma(const OperandPlaces &P);

/// The slots of a `regshare.cache`, at least one.
Result<unsigned> parseCache(const Statement &D);
/// Fails on an empty statement, a register that stands twice among sources or
/// among results, and a slot that stands twice.
Result<OperandPlaces> parseOperands(const Statement &D);

} // namespace regshare

#endif // REGSHARE_BASE_SHRF_SHRFSTATEMENTS_H
