//===- EXPARS.cpp - Arithmetic of EXPARS ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/EXPARS/EXPARS.h"

#include "regshare/Base/IndexBits.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <ranges>

namespace regshare {

Result<OperandCache> OperandCache::create(unsigned Bytes) {
  if (Bytes != 1024 && Bytes != 2048 && Bytes != 4096)
    return fail("an operand cache has 1024, 2048 or 4096 bytes, not " +
                std::to_string(Bytes));
  return OperandCache{Bytes};
}

//===----------------------------------------------------------------------===//
// Residency
//===----------------------------------------------------------------------===//

static constexpr unsigned RegisterBytes = 4;

namespace {

/// How a number of CTAs is divided.
struct Division {
  unsigned Mixed;
  unsigned StartReg;
};

class ResidencySolver {
public:
  ResidencySolver(const DeviceDescription &D, const KernelResources &K,
                  unsigned SharedPerCTA, unsigned LeastStart)
      : D(D), K(K), Warps(warpsPerCTA(D, K.ThreadsPerCTA)),
        SharedPerCTA(SharedPerCTA), RowBytes(D.WarpSize * RegisterBytes),
        LeastStart(LeastStart) {}

  /// How registers of \p CTAs can be placed best; nothing if they cannot.
  std::optional<Division> divide(unsigned CTAs) const;
  /// The most CTAs that divide() can place, from \p Lower, which it can, to
  /// \p Upper. A CTA less, of the mixed ones if there are any, always fits.
  unsigned mostCTAs(unsigned Lower, unsigned Upper) const;
  uint64_t fileRegisters(unsigned Whole, const Division &Of) const;
  uint64_t scratchpadRows(const Division &Of) const {
    return uint64_t(Of.Mixed) * Warps * (K.RegsPerThread - Of.StartReg);
  }
  /// Where rows end in scratchpad: they take whole lines of all its banks.
  unsigned rowsEnd() const { return D.SharedMemory / RowBytes * RowBytes; }

private:
  bool fileHolds(unsigned CTAs, const Division &Of) const;
  bool scratchpadHolds(unsigned CTAs, const Division &Of) const;

  const DeviceDescription &D;
  const KernelResources &K;
  unsigned Warps; ///< Of a CTA.
  unsigned SharedPerCTA, RowBytes;
  unsigned LeastStart; ///< Start_Reg, at least.
};

} // namespace

/// Slots go round the partitions from the first one on, and warps of whole CTAs
/// come first: no partition is fuller than the first.
bool ResidencySolver::fileHolds(unsigned CTAs, const Division &Of) const {
  unsigned All = warpsInPartition(D, CTAs * Warps, 0);
  unsigned Whole = warpsInPartition(D, (CTAs - Of.Mixed) * Warps, 0);
  uint64_t Taken = uint64_t(Whole) * regsPerWarp(D, K.RegsPerThread) +
                   uint64_t(All - Whole) * regsPerWarp(D, Of.StartReg);
  return Taken <= D.Registers / D.RegisterPartitions;
}

bool ResidencySolver::scratchpadHolds(unsigned CTAs, const Division &Of) const {
  uint64_t Taken = uint64_t(CTAs) * SharedPerCTA;
  uint64_t Left = Taken < rowsEnd() ? rowsEnd() - Taken : 0;
  return scratchpadRows(Of) * RowBytes <= Left;
}

std::optional<Division> ResidencySolver::divide(unsigned CTAs) const {
  if (fileHolds(CTAs, {0, K.RegsPerThread}))
    return Division{0, K.RegsPerThread};
  std::optional<Division> Best;
  for (unsigned StartReg = K.RegsPerThread; StartReg-- > LeastStart;) {
    // Every CTA that turns from whole to mixed takes less of each partition.
    auto Counts = std::views::iota(1u, CTAs + 1);
    auto Fewest = std::ranges::partition_point(Counts, [&](unsigned Mixed) {
      return !fileHolds(CTAs, {Mixed, StartReg});
    });
    if (Fewest == Counts.end())
      continue;
    Division New{*Fewest, StartReg};
    if (scratchpadHolds(CTAs, New) && (!Best || New.Mixed < Best->Mixed))
      Best = New;
  }
  return Best;
}

unsigned ResidencySolver::mostCTAs(unsigned Lower, unsigned Upper) const {
  auto More = std::views::iota(Lower + 1, Upper + 1);
  auto TooMany = std::ranges::partition_point(
      More, [&](unsigned CTAs) { return divide(CTAs).has_value(); });
  return Lower + unsigned(TooMany - More.begin());
}

uint64_t ResidencySolver::fileRegisters(unsigned Whole,
                                        const Division &Of) const {
  return uint64_t(Whole) * Warps * regsPerWarp(D, K.RegsPerThread) +
         uint64_t(Of.Mixed) * Warps * regsPerWarp(D, Of.StartReg);
}

static Result<void> checkKernel(const DeviceDescription &D,
                                const KernelResources &K,
                                unsigned TauPerMille) {
  if (TauPerMille > 1000)
    return fail("the share of a thread's registers in scratchpad is at most "
                "1000 thousandths, not " +
                std::to_string(TauPerMille));
  if (!K.ThreadsPerCTA)
    return fail("a CTA has at least one thread");
  if (K.RegsPerThread > D.MaxRegsPerThread)
    return fail("a thread of " + D.Name + " has " +
                std::to_string(D.MaxRegsPerThread) + " registers, not " +
                std::to_string(K.RegsPerThread));
  return {};
}

Result<EXPARSResidency> exparsResidency(const DeviceDescription &D,
                                        const KernelResources &K,
                                        unsigned TauPerMille, unsigned Kept) {
  if (Result<void> Checked = checkKernel(D, K, TauPerMille); !Checked)
    return fail(Checked.error());
  KernelResources Rest = K;
  Rest.RegsPerThread = 0;
  const Occupancy Others = occupancy(D, Rest);
  const ResidencySolver Solver(
      D, K, Others.SharedPerCTA,
      std::max(keptByTau(K.RegsPerThread, TauPerMille), Kept));
  unsigned CTAs = Solver.mostCTAs(occupancy(D, K).CTAs, Others.CTAs);
  std::optional<Division> Of = Solver.divide(CTAs);
  assert(Of && "as many CTAs as occupancy() has fit without mixed ones");

  EXPARSResidency R;
  R.WholeCTAs = CTAs - Of->Mixed;
  R.MixedCTAs = Of->Mixed;
  R.WarpsPerCTA = warpsPerCTA(D, K.ThreadsPerCTA);
  R.RegsPerThread = K.RegsPerThread;
  R.StartReg = Of->StartReg;
  R.SharedPerCTA = Others.SharedPerCTA;
  R.RowBytes = D.WarpSize * RegisterBytes;
  R.FileRegisters = Solver.fileRegisters(R.WholeCTAs, *Of);
  R.ScratchpadRows = Solver.scratchpadRows(*Of);
  // Equation 11.
  unsigned PerCTA = (R.RegsPerThread - R.StartReg) * R.WarpsPerCTA * R.RowBytes;
  for (unsigned I = 0; I != R.MixedCTAs; ++I)
    R.SBR.push_back(Solver.rowsEnd() - (I + 1) * PerCTA);
  if (CTAs == Others.CTAs)
    R.Limiters = Others.Limiters;
  // As in occupancy(), registers limit too where they allow not one CTA more.
  if (!Solver.divide(CTAs + 1))
    R.Limiters.insert(R.Limiters.begin(), Limiter::Registers);
  return R;
}

unsigned EXPARSResidency::addressOf(unsigned Warp, unsigned Reg) const {
  assert(inScratchpad(Warp, Reg) && Reg < RegsPerThread && "not in scratchpad");
  unsigned Rows = Warp % WarpsPerCTA * (RegsPerThread - StartReg);
  return SBR[ctaOf(Warp) - WholeCTAs] + (Rows + Reg - StartReg) * RowBytes;
}

EXPARSUtilisation
EXPARSResidency::utilisation(const DeviceDescription &D) const {
  double FileBytes = double(FileRegisters) * RegisterBytes;
  double AllFileBytes = double(D.Registers) * RegisterBytes;
  double Scratchpad =
      double(ctas()) * SharedPerCTA + double(ScratchpadRows) * RowBytes;
  EXPARSUtilisation U;
  U.Registers = FileBytes / AllFileBytes;
  U.Scratchpad = D.SharedMemory ? Scratchpad / D.SharedMemory : 0;
  U.Overall = (FileBytes + Scratchpad) / (AllFileBytes + D.SharedMemory);
  return U;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

EXPARSStorage exparsStorage(const DeviceDescription &D,
                            const OperandCache &Cache) {
  constexpr unsigned ValidAndDirty = 2;
  unsigned RegisterIndex = indexBits(D.MaxRegsPerThread);
  unsigned LineIndex = std::min(indexBits(Cache.lines()), RegisterIndex);
  unsigned LargestCTA =
      std::min(D.MaxWarps, warpsPerCTA(D, D.MaxThreadsPerCTA));
  EXPARSStorage S;
  S.BitVectors = uint64_t(D.MaxWarps) * D.MaxRegsPerThread;
  S.Tags = uint64_t(Cache.lines()) *
           (indexBits(D.MaxWarps) + RegisterIndex - LineIndex + ValidAndDirty);
  S.SBRTable = uint64_t(D.MaxCTAs) * indexBits(D.SharedMemory);
  S.RATVariables = indexBits(D.MaxCTAs) + 2 * RegisterIndex +
                   unsigned(std::bit_width(LargestCTA));
  S.Scheduler =
      uint64_t(D.MaxWarps) * 32 + unsigned(std::bit_width(D.MaxWarps));
  return S;
}

} // namespace regshare
