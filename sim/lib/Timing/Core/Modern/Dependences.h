//===- Dependences.h - Results of fixed latency -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an instruction of a modern core waits for besides results that are on
/// the scoreboard: results of fixed latency, by the classes of writer and
/// reader, and registers that an instruction without a fixed latency has yet to
/// read before another may overwrite them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_DEPENDENCES_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_DEPENDENCES_H

#include "Timing/Core/CoreConfig.h"
#include "Timing/Memory/MemoryPort.h"

#include <algorithm>
#include <span>
#include <vector>

namespace regshare::sim {

class Dependences {
public:
  static constexpr uint32_t AllLanes = ~0u;

  /// \p Accesses: registers and predicates of a warp.
  Dependences(const FixedLatencies &Latencies, unsigned Warps,
              unsigned Accesses)
      : Latencies(Latencies), Accesses(Accesses),
        Results(size_t(Warps) * Accesses), Readers(size_t(Warps) * Accesses) {}

  /// An instruction of fixed latency counts as issued in the cycle \p From.
  void writes(unsigned Warp, const IssueInfo &I, Cycle From,
              uint32_t Lanes = AllLanes) {
    for (uint32_t Access : writesOf(I))
      Results[at(Warp, Access)] = {From, Lanes, I.Class};
  }
  /// Whether that cycle's instruction was the last one to write it.
  bool isLast(unsigned Warp, uint32_t Access, Cycle From) const {
    return Results[at(Warp, Access)].From == From;
  }

  /// An instruction without a fixed latency has issued, and has read.
  void beginsReading(unsigned Warp, const IssueInfo &I) {
    for (uint32_t Access : readsOf(I))
      ++Readers[at(Warp, Access)];
  }
  void hasRead(unsigned Warp, const IssueInfo &I) {
    for (uint32_t Access : readsOf(I))
      --Readers[at(Warp, Access)];
  }
  /// It would overwrite what is yet to be read.
  bool overwrites(unsigned Warp, const IssueInfo &I) const {
    return std::ranges::any_of(writesOf(I), [&](uint32_t Access) {
      return Readers[at(Warp, Access)] != 0;
    });
  }

  /// The first cycle in which the results of fixed latency that \p I reads are
  /// there, and those that it overwrites come before its own. Accesses from
  /// \p NumRows on are predicates and uniform registers. Only results of some
  /// of \p Lanes count.
  Cycle readyAt(unsigned Warp, const IssueInfo &I, unsigned NumRows,
                uint32_t Lanes = AllLanes) const {
    Cycle Ready = 0;
    for (uint32_t Access : readsOf(I)) {
      const Result &R = Results[at(Warp, Access)];
      if (!concerns(R, Lanes))
        continue;
      bool IsPredicate = Access >= NumRows && R.By != IssueClass::Uniform;
      IssueClass Reader =
          IsPredicate && I.IsGuarded ? IssueClass::Guard : I.Class;
      Ready =
          std::max(Ready, R.From + Latencies.cycles(R.By, Reader, IsPredicate));
    }
    unsigned Own = Latencies.cycles(I.Class, I.Class, false);
    for (uint32_t Access : writesOf(I)) {
      const Result &R = Results[at(Warp, Access)];
      unsigned Before = Latencies.cycles(R.By, R.By, false);
      if (!concerns(R, Lanes))
        continue;
      if (hasFixedLatency(I.Class) && Before > Own)
        Ready = std::max(Ready, R.From + (Before - Own) + 1);
    }
    return Ready;
  }

private:
  /// By is Decoupled, which takes no time, where nothing was written.
  struct Result {
    Cycle From = 0;
    uint32_t Lanes = AllLanes; ///< That wrote it.
    IssueClass By = IssueClass::Decoupled;
  };

  /// A scoreboard does not know lanes.
  static bool concerns(const Result &R, uint32_t Lanes) {
    return Lanes == AllLanes || (R.Lanes & Lanes);
  }

  size_t at(unsigned Warp, uint32_t Access) const {
    return size_t(Warp) * Accesses + Access;
  }
  static std::span<const uint32_t> readsOf(const IssueInfo &I) {
    return {I.Accesses, I.NumReads};
  }
  static std::span<const uint32_t> writesOf(const IssueInfo &I) {
    return {I.Accesses + I.NumReads, I.NumWrites};
  }

  FixedLatencies Latencies;
  unsigned Accesses;
  std::vector<Result> Results;
  std::vector<uint8_t> Readers;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_DEPENDENCES_H
