//===- RegMutex.cpp - Arithmetic of RegMutex ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/RegMutex/RegMutex.h"

#include "regshare/Base/IndexBits.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace regshare {

double RegMutexResidency::fraction(const DeviceDescription &D) const {
  return double(Warps) / D.MaxWarps;
}

/// Sections of a partition with \p Warps resident; nothing if the warps do not
/// fit with at least one.
static std::optional<unsigned> sections(RegMutexKind Kind,
                                        const DeviceDescription &D,
                                        const RegMutexSplit &Split,
                                        unsigned Warps) {
  if (!Warps)
    return 0;
  unsigned Rows = partitionRows(D);
  if (Kind == RegMutexKind::Paired) {
    unsigned Pairs = (Warps + 1) / 2;
    if (Pairs * (2 * Split.Base + Split.Extended) > Rows)
      return std::nullopt;
    return Pairs;
  }
  if (Warps * Split.Base + Split.Extended > Rows)
    return std::nullopt;
  return std::min((Rows - Warps * Split.Base) / Split.Extended,
                  D.MaxWarps / D.RegisterPartitions);
}

/// By partition; empty if \p Warps do not fit.
static std::vector<unsigned> allSections(RegMutexKind Kind,
                                         const DeviceDescription &D,
                                         const RegMutexSplit &Split,
                                         unsigned Warps) {
  std::vector<unsigned> All;
  for (unsigned P = 0; P != D.RegisterPartitions; ++P) {
    std::optional<unsigned> Here =
        sections(Kind, D, Split, warpsInPartition(D, Warps, P));
    if (!Here)
      return {};
    All.push_back(*Here);
  }
  return All;
}

Result<RegMutexResidency> regMutexResidency(RegMutexKind Kind,
                                            const DeviceDescription &D,
                                            const KernelResources &K,
                                            const RegMutexSplit &Split) {
  std::string Sum = std::to_string(Split.Base) + " + " +
                    std::to_string(Split.Extended) + " registers";
  if (!Split.Base || !Split.Extended ||
      Split.Base + Split.Extended < K.RegsPerThread)
    return fail("a split into " + Sum + " does not hold the kernel's " +
                std::to_string(K.RegsPerThread));
  if (Split.Base + Split.Extended > D.MaxRegsPerThread)
    return fail("a thread of " + D.Name + " has " +
                std::to_string(D.MaxRegsPerThread) + " registers, not " + Sum);
  KernelResources Rest = K;
  Rest.RegsPerThread = 0;
  const Occupancy Others = occupancy(D, Rest);
  unsigned WarpsPerCTA = warpsPerCTA(D, K.ThreadsPerCTA);

  RegMutexResidency R;
  unsigned CTAs = Others.CTAs;
  for (; CTAs; --CTAs)
    if (R.PartitionSections = allSections(Kind, D, Split, CTAs * WarpsPerCTA);
        !R.PartitionSections.empty())
      break;
  R.CTAs = CTAs;
  R.Warps = CTAs * WarpsPerCTA;
  R.PartitionSections.resize(D.RegisterPartitions);
  R.SrpSections = std::accumulate(R.PartitionSections.begin(),
                                  R.PartitionSections.end(), 0u);
  if (CTAs == Others.CTAs)
    R.Limiters = Others.Limiters;
  // As in occupancy(), registers limit too where they allow not one CTA more.
  if (allSections(Kind, D, Split, (CTAs + 1) * WarpsPerCTA).empty())
    R.Limiters.insert(R.Limiters.begin(), Limiter::Registers);
  return R;
}

//===----------------------------------------------------------------------===//
// Choice of the extended set
//===----------------------------------------------------------------------===//

const char *refusalName(CandidateRefusal R) {
  switch (R) {
  case CandidateRefusal::BaseTooSmall:
    return "more is live where warps wait for each other";
  case CandidateRefusal::NoSection:
    return "no CTA is resident with a section";
  case CandidateRefusal::NoGain:
    return "no gain in occupancy";
  case CandidateRefusal::NoAssignment:
    return "no assignment of registers was found";
  case CandidateRefusal::HeldTooLong:
    return "held too long: fewer warps would be under way";
  case CandidateRefusal::None:
    break;
  }
  return "";
}

double warpsUnderWay(const RegMutexResidency &R, double HeldShare) {
  if (HeldShare * R.Warps <= R.SrpSections)
    return R.Warps;
  return R.SrpSections / HeldShare;
}

Result<ExtendedSetCandidate> evaluateExtendedSet(RegMutexKind Kind,
                                                 const DeviceDescription &D,
                                                 const KernelResources &K,
                                                 unsigned MinBase,
                                                 unsigned Extended) {
  if (!Extended || Extended >= K.RegsPerThread)
    return fail("an extended set has from 1 to " +
                std::to_string(std::max(K.RegsPerThread, 1u) - 1) + " of the " +
                std::to_string(K.RegsPerThread) +
                " registers per thread, not " + std::to_string(Extended));
  ExtendedSetCandidate C;
  C.Split = {K.RegsPerThread - Extended, Extended};
  Result<RegMutexResidency> R = regMutexResidency(Kind, D, K, C.Split);
  if (!R)
    return fail(R.error());
  C.Residency = std::move(*R);
  if (C.Split.Base < MinBase)
    C.Refused = CandidateRefusal::BaseTooSmall;
  else if (!C.Residency.SrpSections)
    C.Refused = CandidateRefusal::NoSection;
  else if (C.Residency.Warps <= occupancy(D, K).Warps)
    C.Refused = CandidateRefusal::NoGain;
  return C;
}

/// The even ones of ⌊f·n⌋; f is counted in twentieths to stay exact.
static std::vector<unsigned> candidateSizes(unsigned Regs) {
  std::vector<unsigned> Sizes;
  for (unsigned Twentieths : {2, 3, 4, 5, 6, 7}) {
    unsigned Size = Regs * Twentieths / 20;
    if (Size && Size % 2 == 0 && (Sizes.empty() || Sizes.back() != Size))
      Sizes.push_back(Size);
  }
  return Sizes;
}

/// True if \p B is to be preferred to \p A, which is smaller.
static bool isBetter(const ExtendedSetCandidate &A,
                     const ExtendedSetCandidate &B) {
  if (A.Residency.Warps != B.Residency.Warps)
    return B.Residency.Warps > A.Residency.Warps;
  if (2 * A.Residency.SrpSections > A.Residency.Warps)
    return false;
  return B.Residency.SrpSections > A.Residency.SrpSections;
}

Result<ExtendedSetChoice> chooseExtendedSet(RegMutexKind Kind,
                                            const DeviceDescription &D,
                                            const KernelResources &K,
                                            unsigned MinBase) {
  if (K.RegsPerThread > D.MaxRegsPerThread)
    return fail("a thread of " + D.Name + " has " +
                std::to_string(D.MaxRegsPerThread) + " registers, not " +
                std::to_string(K.RegsPerThread));
  ExtendedSetChoice C;
  C.Kind = Kind;
  C.Regs = K.RegsPerThread;
  C.MinBase = MinBase;
  C.Baseline = occupancy(D, K);
  for (unsigned Size : candidateSizes(K.RegsPerThread)) {
    Result<ExtendedSetCandidate> Candidate =
        evaluateExtendedSet(Kind, D, K, MinBase, Size);
    if (!Candidate)
      return fail(Candidate.error());
    C.Candidates.push_back(std::move(*Candidate));
    const ExtendedSetCandidate &New = C.Candidates.back();
    if (New.Refused == CandidateRefusal::None &&
        (!C.Chosen || isBetter(C.Candidates[*C.Chosen], New)))
      C.Chosen = C.Candidates.size() - 1;
  }
  return C;
}

std::string printChoice(const ExtendedSetChoice &C) {
  std::string Text = "registers " + std::to_string(C.Regs) +
                     ", live where warps wait " + std::to_string(C.MinBase) +
                     ", Baseline " + std::to_string(C.Baseline.CTAs) +
                     " CTAs, " + std::to_string(C.Baseline.Warps) + " warps\n" +
                     "  |Es|  |Bs|  CTAs  warps  SRP sections\n";
  for (size_t I = 0; I != C.Candidates.size(); ++I) {
    const ExtendedSetCandidate &E = C.Candidates[I];
    char Line[128];
    std::snprintf(Line, sizeof Line, "  %4u  %4u  %4u  %5u  %12u",
                  E.Split.Extended, E.Split.Base, E.Residency.CTAs,
                  E.Residency.Warps, E.Residency.SrpSections);
    Text += Line;
    if (C.Chosen == I)
      Text += "  chosen";
    else if (E.Refused != CandidateRefusal::None)
      Text += std::string("  refused: ") + refusalName(E.Refused);
    Text += "\n";
  }
  if (!C.Chosen)
    Text += "  none chosen: the kernel stays as it is\n";
  return Text;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

RegMutexStorage regMutexStorage(RegMutexKind Kind, const DeviceDescription &D) {
  RegMutexStorage S;
  if (Kind == RegMutexKind::Paired) {
    S.Status = D.MaxWarps / 2;
    return S;
  }
  S.Status = D.MaxWarps;
  S.Srp = D.MaxWarps;
  S.Lut = D.MaxWarps * indexBits(D.MaxWarps / D.RegisterPartitions);
  return S;
}

} // namespace regshare
