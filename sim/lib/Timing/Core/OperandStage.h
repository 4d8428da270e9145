//===- OperandStage.h - Where operands and results are -------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between issue and the pipes: asks the scheme in which banks the operands of
/// an instruction are, has the operand path read them, and says when execution
/// begins. Results come back to the banks that the scheme names.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_OPERANDSTAGE_H
#define REGSHARE_SIM_TIMING_CORE_OPERANDSTAGE_H

#include "LoadStoreStage.h"
#include "OperandPaths.h"
#include "Schemes/Scheme.h"
#include "WriteBackStage.h"

#include <algorithm>
#include <cassert>

namespace regshare::sim {

/// The operands of an instruction of the warp \p W, in a function whose
/// accesses from \p NumRows on are predicates.
template <typename SchemeT>
inline OperandRequest requestOf(const SchemeT &Hooks, const WarpRef &W,
                                const IssueInfo &Info, unsigned NumRows) {
  OperandRequest R;
  R.Target = Info.Target;
  R.Interval = Info.Interval;
  for (unsigned K = 0; K != Info.NumReads; ++K)
    if (Info.Accesses[K] < NumRows) {
      assert(R.NumReads != OperandRequest::MaxReads && "too many operands");
      R.Reads[R.NumReads++] = Hooks.read(W, Info.Accesses[K]);
    }
  Hooks.located(R);
  return R;
}

/// Whether a core with \p Banks can read the operands of \p R, which goes to
/// \p Target.
inline bool isPossible(const OperandRequest &R, Pipe Target, unsigned Banks) {
  bool Is = R.NumReads <= OperandRequest::MaxReads && R.Target == Target;
  for (unsigned K = 0; Is && K != R.NumReads; ++K)
    Is = R.Reads[K].Bank < Banks;
  return Is;
}

/// The bit of a bank in a mask that has room for one that is none.
inline uint64_t bankBit(OperandPlace P) {
  return uint64_t(1) << std::min<unsigned>(P.Bank, 63);
}

/// The banks that take the results.
template <typename SchemeT>
uint64_t resultBanksOf(const SchemeT &Hooks, const WarpRef &W,
                       const IssueInfo &Info, unsigned NumRows) {
  if constexpr (Overrides<decltype(&SchemeT::resultBanks)>) {
    return Hooks.resultBanks(W, Info, NumRows);
  } else {
    const uint32_t *Writes = Info.Accesses + Info.NumReads;
    uint64_t Banks = 0;
    for (unsigned K = 0; K != Info.NumWrites; ++K) {
      uint32_t Row = Writes[K];
      if (Row >= NumRows || !Hooks.writesCache(W, Row))
        continue;
      if constexpr (Overrides<decltype(&SchemeT::write)>)
        Banks |= bankBit(Hooks.write(W, Row));
      else
        Banks |= bankBit(Hooks.read(W, Row));
    }
    return Banks;
  }
}

template <typename PathT> class OperandStage {
public:
  explicit OperandStage(const CoreConfig &Core) : Path(Core) {}

  /// There is room for an instruction of that scheduler on its way to a pipe.
  bool hasRoom(Pipe P, unsigned Scheduler, Cycle Now) const {
    return Path.hasRoom(P, Scheduler, Now);
  }
  /// What keeps ready warps of a scheduler out of a pipe that has no room.
  SlotUse refusal(Pipe P, unsigned Scheduler, Cycle Now,
                  const LoadStoreStage &Lsu) const {
    assert(!hasRoom(P, Scheduler, Now) && "then one would have issued");
    if (P == Pipe::Memory && !Lsu.canAccept())
      return Lsu.refusal();
    return Path.refusal(P, Scheduler, Now);
  }
  auto take(const OperandRequest &R, Cycle Now) { return Path.take(R, Now); }
  /// Modern cores: the sub-core issues nothing.
  bool isHeld(unsigned Scheduler, Cycle Now) const {
    return Path.isHeld(Scheduler, Now);
  }

  /// What \p Info writes takes when it lands, also of banks that there are none
  /// of.
  template <typename SchemeT>
  ResultBanks resultsOf(const SchemeT &Hooks, const WarpRef &W,
                        const IssueInfo &Info, unsigned NumRows) const {
    if (!Info.NumWrites)
      return {};
    if constexpr (PathT::WritesTakeBanks)
      return {true, resultBanksOf(Hooks, W, Info, NumRows)};
    else
      return {true, 0};
  }

  /// A cycle in which results have \p WriteBanks, and the load/store unit takes
  /// an instruction if \p MemoryRoom. Calls \p Begin(Token, Start) for each
  /// whose operands are there.
  template <typename Begin>
  void tick(Cycle Now, uint32_t WriteBanks, bool MemoryRoom, Begin Begins) {
    Path.tick(Now, WriteBanks, MemoryRoom, Begins);
  }
  /// The next cycle that changes anything, if the load/store unit goes on to
  /// have room, or to have none.
  Cycle nextEvent(Cycle Now, bool MemoryRoom) const {
    return Path.nextEvent(Now, MemoryRoom);
  }

private:
  PathT Path;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_OPERANDSTAGE_H
