//===- regshare/Base/ArchReg.h - Architected registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Architected registers as a thread sees them: 32-bit units R0…R254 and
/// predicates P0…P6. A b16 or b32 value takes one unit, a b64 value an aligned
/// pair, a b128 value an aligned quad.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_ARCHREG_H
#define REGSHARE_BASE_ARCHREG_H

#include "regshare/Base/Result.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>

namespace regshare {

/// Most 32-bit units a thread can name, on any device (CUDA programming guide,
/// compute capabilities 3.5 and later).
inline constexpr unsigned MaxArchUnits = 255;
/// Predicate registers P0…P6; the eighth encoding is the constant true.
inline constexpr unsigned NumPredicates = 7;

/// What a register holds, and so how it is spelled.
enum class RegKind : uint8_t {
  Pred, ///< %P0: one bit, in the predicate file.
  B16,  ///< %H3: 16 bits in unit R3.
  B32,  ///< %R3
  B64,  ///< %R6_7: an aligned pair.
  B128, ///< %R4_5_6_7: an aligned quad.
};

/// Number of 32-bit units a value of kind \p K occupies; 0 for predicates.
constexpr unsigned unitsOf(RegKind K) {
  switch (K) {
  case RegKind::Pred:
    return 0;
  case RegKind::B16:
  case RegKind::B32:
    return 1;
  case RegKind::B64:
    return 2;
  case RegKind::B128:
    return 4;
  }
  return 0;
}

/// One architected register: a kind and the index of its first unit (or of
/// its predicate).
struct ArchReg {
  RegKind Kind = RegKind::B32;
  uint8_t Index = InvalidIndex;

  static constexpr uint8_t InvalidIndex = 255;

  constexpr bool isValid() const { return Index != InvalidIndex; }
  constexpr bool isPred() const { return Kind == RegKind::Pred; }
  /// 32-bit units taken; 0 for a predicate.
  constexpr unsigned units() const { return unitsOf(Kind); }

  /// The name without the leading '%': "R12", "R6_7", "H3", "P0".
  std::string name() const;
  /// Reads what name() writes. Fails on misaligned or out-of-range registers.
  static Result<ArchReg> parse(std::string_view Name);

  friend constexpr bool operator==(ArchReg, ArchReg) = default;
};

/// A set of register units and predicates of one thread (equally: of the rows
/// of one warp). Cheap to copy, union and count.
class RegSet {
public:
  static constexpr unsigned PredBase = 256;

  constexpr bool test(unsigned Bit) const {
    return Words[Bit / 64] >> (Bit % 64) & 1;
  }
  constexpr void set(unsigned Bit) {
    Words[Bit / 64] |= uint64_t(1) << Bit % 64;
  }
  constexpr void reset(unsigned Bit) {
    Words[Bit / 64] &= ~(uint64_t(1) << Bit % 64);
  }

  constexpr void insert(ArchReg R) {
    forEachBit(R, [this](unsigned Bit) { set(Bit); });
  }
  constexpr void erase(ArchReg R) {
    forEachBit(R, [this](unsigned Bit) { reset(Bit); });
  }
  /// True if any unit of \p R is in the set.
  constexpr bool intersects(ArchReg R) const {
    bool Any = false;
    forEachBit(R, [&](unsigned Bit) { Any |= test(Bit); });
    return Any;
  }
  constexpr bool contains(ArchReg R) const {
    bool All = true;
    forEachBit(R, [&](unsigned Bit) { All &= test(Bit); });
    return All;
  }

  /// Number of 32-bit units in the set, predicates not counted.
  constexpr unsigned countUnits() const {
    unsigned N = 0;
    for (unsigned I = 0; I != 4; ++I)
      N += std::popcount(Words[I]);
    return N;
  }
  constexpr unsigned countPreds() const { return std::popcount(Words[4]); }
  constexpr bool empty() const { return *this == RegSet(); }

  constexpr RegSet &operator|=(const RegSet &O) {
    for (unsigned I = 0; I != Words.size(); ++I)
      Words[I] |= O.Words[I];
    return *this;
  }
  constexpr RegSet &operator&=(const RegSet &O) {
    for (unsigned I = 0; I != Words.size(); ++I)
      Words[I] &= O.Words[I];
    return *this;
  }
  constexpr RegSet &operator-=(const RegSet &O) {
    for (unsigned I = 0; I != Words.size(); ++I)
      Words[I] &= ~O.Words[I];
    return *this;
  }
  friend constexpr RegSet operator|(RegSet A, const RegSet &B) {
    return A |= B;
  }
  friend constexpr RegSet operator&(RegSet A, const RegSet &B) {
    return A &= B;
  }
  friend constexpr RegSet operator-(RegSet A, const RegSet &B) {
    return A -= B;
  }
  friend constexpr bool operator==(const RegSet &, const RegSet &) = default;

  /// Calls \p F(Bit) for every member, ascending; bits from PredBase on are
  /// predicates.
  template <typename Fn> constexpr void forEach(Fn F) const {
    for (unsigned W = 0; W != Words.size(); ++W)
      for (uint64_t Rest = Words[W]; Rest; Rest &= Rest - 1)
        F(W * 64 + std::countr_zero(Rest));
  }

  /// "R0-R3 R7 P0": runs of units, then predicates; "-" when empty.
  std::string str() const;

private:
  template <typename Fn> static constexpr void forEachBit(ArchReg R, Fn F) {
    assert(R.isValid() && "no register");
    if (R.isPred())
      return F(PredBase + R.Index);
    for (unsigned I = 0; I != R.units(); ++I)
      F(R.Index + I);
  }

  std::array<uint64_t, 5> Words{};
};

} // namespace regshare

#endif // REGSHARE_BASE_ARCHREG_H
