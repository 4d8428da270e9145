//===- regshare/Base/RegMutex.h - Arithmetic of RegMutex ----- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many CTAs and how many sections of the shared register pool (SRP) an SM
/// holds under RegMutex and its paired-warps form, how large an extended set
/// the paper's policy picks, and what the hardware costs (RegMutex §III).
///
/// A row is one 32-bit register of all lanes of a warp. Warp slot s of an SM
/// keeps its rows in register-file partition s mod P, as its number s / P
/// there; resident warps take the slots from 0 on. Base sets take their rows
/// exactly, without the device's allocation units: a base register's row is
/// Y = X + number * |Bs| (§III-B2).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_REGMUTEX_REGMUTEX_H
#define REGSHARE_BASE_REGMUTEX_REGMUTEX_H

#include "regshare/Base/Occupancy.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Scheme.h"

#include <optional>
#include <string>
#include <vector>

namespace regshare {

/// Who shares a section.
enum class RegMutexKind {
  Pooled, ///< All warps of a partition share its sections.
  Paired, ///< Numbers 2i and 2i+1 of a partition share one section.
};

namespace settings {
extern const Setting ExtendedSet, PublishedPolicy;
} // namespace settings

namespace schemes {
extern const SchemeDescription RegMutex, RegMutexPaired;
} // namespace schemes

/// That of \p S, which may be any scheme.
inline RegMutexKind regMutexKind(Scheme S) {
  return S.includes(schemes::RegMutexPaired) ? RegMutexKind::Paired
                                             : RegMutexKind::Pooled;
}

/// What is resident on one SM.
struct RegMutexResidency {
  unsigned CTAs = 0; ///< 0 if not even one fits with one section.
  unsigned Warps = 0;
  /// Every limit that allows no more than CTAs; never empty.
  std::vector<Limiter> Limiters;
  /// Extended sets that can be held at once, of all partitions together.
  unsigned SrpSections = 0;
  /// The same by partition. A warp draws on those of its own one only.
  std::vector<unsigned> PartitionSections;

  /// Resident warps of those that the SM has room for, 0 to 1.
  double fraction(const DeviceDescription &D) const;
};

/// Base sets for all resident warps; what is left of each partition is cut into
/// sections, at most one for each warp the partition has room for. Every
/// partition with warps has at least one section, or fewer CTAs are resident.
/// Under Paired each pair takes 2|Bs| + |Es| rows, and a warp left over at the
/// end of a partition a pair's. Pairs are made of slots, so that warps of two
/// CTAs can be one. A section is a pair's. Fails if \p Split has less registers
/// than \p K, or more than the device.
Result<RegMutexResidency> regMutexResidency(RegMutexKind Kind,
                                            const DeviceDescription &D,
                                            const KernelResources &K,
                                            const RegMutexSplit &Split);

/// Why a candidate for |Es| cannot be chosen.
enum class CandidateRefusal {
  None,
  BaseTooSmall, ///< More is live where warps wait for each other than |Bs|.
  NoSection,    ///< Not one CTA is resident with a section.
  NoGain,       ///< No more warps are resident than under Baseline.
  NoAssignment, ///< The values do not fit in the two sets (compiler).
  HeldTooLong,  ///< Too few sections for how long each is held (compiler).
};
/// "no gain in occupancy"; "" for None.
const char *refusalName(CandidateRefusal R);

/// A size of the extended set, and what it would come to.
struct ExtendedSetCandidate {
  RegMutexSplit Split;
  RegMutexResidency Residency;
  CandidateRefusal Refused = CandidateRefusal::None;
};

/// Warps that can be under way at once if each holds its extended set for
/// \p HeldShare of its instructions (0 to 1): no more than are resident, and no
/// more than keep all sections taken.
double warpsUnderWay(const RegMutexResidency &R, double HeldShare);

/// What the policy looked at, and what it decided.
struct ExtendedSetChoice {
  RegMutexKind Kind = RegMutexKind::Pooled;
  unsigned Regs = 0; ///< Registers per thread: |Bs| + |Es| of each candidate.
  /// Most units live for any lane where warps wait for each other.
  unsigned MinBase = 0;
  Occupancy Baseline;
  std::vector<ExtendedSetCandidate> Candidates; ///< |Es| ascending.
  std::optional<size_t> Chosen; ///< Index; nothing: the kernel stays as it is.
};

/// One candidate, of any size from 1 to K.RegsPerThread - 1. Fails beyond, and
/// like regMutexResidency.
Result<ExtendedSetCandidate> evaluateExtendedSet(RegMutexKind Kind,
                                                 const DeviceDescription &D,
                                                 const KernelResources &K,
                                                 unsigned MinBase,
                                                 unsigned Extended);

/// The paper's policy (§III-A2). Candidates: the even ones of ⌊f·n⌋ with f =
/// 0.1, 0.15 … 0.35 and n = K.RegsPerThread. Of those that are not refused and
/// have the most warps resident, the largest |Bs| whose sections serve more
/// than half of them at once; if none's do, the one with most sections, then
/// the largest |Bs|. The paper writes "the largest element", of |Es|, but its
/// example picks 6 where 8 serves 32 of 48 warps; sections grow with |Es| where
/// registers limit. Fails if the device has no n registers per thread.
Result<ExtendedSetChoice> chooseExtendedSet(RegMutexKind Kind,
                                            const DeviceDescription &D,
                                            const KernelResources &K,
                                            unsigned MinBase);

/// A table, a line for each candidate, and the choice; ends with a newline.
std::string printChoice(const ExtendedSetChoice &C);

/// Bits that the hardware adds to one SM.
struct RegMutexStorage {
  unsigned Status = 0; ///< A bit a warp: it holds a section. Paired: a pair.
  unsigned Srp = 0;    ///< A bit a section: it is taken.
  unsigned Lut = 0;    ///< Which section a warp holds.
  unsigned total() const { return Status + Srp + Lut; }
};
/// Paper: 384 bits at 48 warps (§III-B1), 24 paired (§III-C).
RegMutexStorage regMutexStorage(RegMutexKind Kind, const DeviceDescription &D);

} // namespace regshare

#endif // REGSHARE_BASE_REGMUTEX_REGMUTEX_H
