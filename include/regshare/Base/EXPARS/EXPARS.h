//===- regshare/Base/EXPARS.h - Arithmetic of EXPARS --------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which CTAs of an SM keep registers in scratchpad under EXPARS, how many and
/// where (EXPARS §3.3.1 to §3.3.3), the shape of the operand cache (§3.3.4),
/// and what the hardware stores (§3.3.7).
///
/// A row is one 32-bit register of all lanes of a warp. Warp slot s of an SM is
/// warp s mod W of CTA slot s / W, with W warps to a CTA (equation 12); its
/// rows of the register file are in partition s mod P. Addresses are in bytes
/// from the start of the SM's scratchpad.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_EXPARS_EXPARS_H
#define REGSHARE_BASE_EXPARS_EXPARS_H

#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace regshare {

/// The operand cache of an SM: rows that were fetched from scratchpad. A row
/// has one line that it can be in, which its register's index tells.
///
/// The paper gives 2 KB: four banks, by the lowest two bits of the index, of
/// four sets, by the next two. For 1 and 4 KB (reconstructed) the banks remain,
/// since they are the register file's, and the set has one bit less or more: 2
/// or 8 sets.
struct OperandCache {
  static constexpr unsigned Banks = 4;
  static constexpr unsigned LineBytes = 128; ///< 32 lanes of 32 bits.

  unsigned Bytes = 2048; ///< 1,024, 2,048 or 4,096.

  /// Fails for other sizes than these.
  static Result<OperandCache> create(unsigned Bytes);

  constexpr unsigned lines() const { return Bytes / LineBytes; }
  constexpr unsigned sets() const { return lines() / Banks; }
  /// Of register \p Unit, as the next two are.
  constexpr unsigned bankOf(unsigned Unit) const { return Unit % Banks; }
  constexpr unsigned setOf(unsigned Unit) const {
    return Unit / Banks % sets();
  }
  /// From 0 to lines() - 1. Registers of a warp with the same line exclude each
  /// other.
  constexpr unsigned lineOf(unsigned Unit) const {
    return setOf(Unit) * Banks + bankOf(Unit);
  }

  friend constexpr bool operator==(const OperandCache &,
                                   const OperandCache &) = default;
};

/// τ in thousandths: what of a thread's registers may be in scratchpad. The
/// paper's is 0.8 (§4.1).
inline constexpr unsigned DefaultTauPerMille = 800;

/// Registers of \p Regs, a thread's, that stay in the register file by τ: all
/// but ⌊τn⌋.
constexpr unsigned keptByTau(unsigned Regs, unsigned TauPerMille) {
  return Regs - Regs * TauPerMille / 1000;
}

/// Shares in use, 0 to 1: what is allocated, rounded as the device rounds.
struct EXPARSUtilisation {
  double Registers = 0;
  double Scratchpad = 0;
  double Overall = 0; ///< Bytes of both together.
};

/// What is resident on one SM, and the register allocation table (RAT).
struct EXPARSResidency {
  /// CTA_RF: CTA slots 0 to WholeCTAs - 1 have all registers in the register
  /// file. The RAT's Start_CTA.
  unsigned WholeCTAs = 0;
  /// CTA_Mix: the slots after these have registers in scratchpad.
  unsigned MixedCTAs = 0;
  unsigned WarpsPerCTA = 0;
  unsigned RegsPerThread = 0; ///< The RAT's Max_Reg, plus one.
  /// First register of mixed CTAs that is in scratchpad; without mixed CTAs
  /// RegsPerThread.
  unsigned StartReg = 0;
  /// The RAT's table: where the registers of mixed CTA WholeCTAs + i begin.
  std::vector<unsigned> SBR;
  /// Every limit that allows no more CTAs; never empty. Registers: those of
  /// one CTA more fit in the register file and scratchpad in no way.
  std::vector<Limiter> Limiters;

  unsigned SharedPerCTA = 0;   ///< The kernel's own scratchpad, rounded; bytes.
  unsigned RowBytes = 0;       ///< Of a row.
  uint64_t FileRegisters = 0;  ///< Taken of the register file, rounded.
  uint64_t ScratchpadRows = 0; ///< Rows in scratchpad.

  unsigned ctas() const { return WholeCTAs + MixedCTAs; }
  unsigned warps() const { return ctas() * WarpsPerCTA; }
  /// Equation 12.
  unsigned ctaOf(unsigned Warp) const { return Warp / WarpsPerCTA; }
  /// The bank arbitrator's question (§3.3.5, whose comparison is inverted).
  bool inScratchpad(unsigned Warp, unsigned Reg) const {
    return ctaOf(Warp) >= WholeCTAs && Reg >= StartReg;
  }
  /// Equation 13: where lane 0 of \p Reg is; lane i is 4i bytes further. Only
  /// if inScratchpad.
  unsigned addressOf(unsigned Warp, unsigned Reg) const;
  /// Where the kernel's own scratchpad of CTA slot \p CTA begins.
  unsigned sharedBase(unsigned CTA) const { return CTA * SharedPerCTA; }

  EXPARSUtilisation utilisation(const DeviceDescription &D) const;
};

/// Most CTAs; of the ways to have them, those with fewest mixed CTAs; of these
/// the one with the highest Start_Reg, which is neither below keptByTau() nor
/// below \p Kept, what the code needs in the register file (BundleBounds).
/// Without mixed CTAs, as with \p TauPerMille = 0, this is occupancy().
/// Scratchpad goes to the kernel's CTAs from address 0 up, in the device's
/// units, and to registers from its end down, in rows.
/// Fails if \p TauPerMille is above 1,000, if \p K has no threads, or more
/// registers than the device's threads have.
Result<EXPARSResidency>
exparsResidency(const DeviceDescription &D, const KernelResources &K,
                unsigned TauPerMille = DefaultTauPerMille, unsigned Kept = 0);

/// Bits that the hardware adds to one SM, the operand cache's lines apart.
struct EXPARSStorage {
  /// Prefetcher: a bit for each register of each warp. Paper: 378 bytes.
  uint64_t BitVectors = 0;
  /// Operand cache: for each line its warp, the part of the register's index
  /// that the line does not tell, valid and dirty. Paper: 20 bytes.
  uint64_t Tags = 0;
  /// RAT: an address for each CTA slot. Paper: 16 bytes.
  uint64_t SBRTable = 0;
  /// RAT: Start_CTA, Start_Reg, Max_Reg, Warps_Per_CTA. Paper: 21 bits.
  uint64_t RATVariables = 0;
  /// LTLWS: an instruction counter of 32 bits a warp, and how many warps may
  /// be active.
  uint64_t Scheduler = 0;
  uint64_t total() const {
    return BitVectors + Tags + SBRTable + RATVariables + Scheduler;
  }
};
/// What EXPARS stores on an SM of \p D with that operand cache.
EXPARSStorage exparsStorage(const DeviceDescription &D,
                            const OperandCache &Cache = {});

/// Which of the lines of its bank a register may have in the operand cache.
/// With the last two a tag has all of the register's index but its bank.
enum class OperandMapping : uint8_t {
  Direct,      ///< One, by its index (§3.3.4): the same for every warp.
  Turned,      ///< One, by its index and its warp's slot.
  Associative, ///< Any.
};

namespace settings {
extern const Setting Tau, OperandCacheBytes, OperandCacheMapping,
    ExpectedWeights;
} // namespace settings

namespace schemes {
extern const SchemeDescription EXPARS;
} // namespace schemes

} // namespace regshare

#endif // REGSHARE_BASE_EXPARS_EXPARS_H
