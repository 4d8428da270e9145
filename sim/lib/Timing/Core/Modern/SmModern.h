//===- SmModern.h - What an SM since Volta does otherwise -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of SmCore.h that only the modern organisation needs.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_SMMODERN_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_SMMODERN_H

#include "Timing/Core/SmCore.h"

namespace regshare::sim {

/// Sends an instruction whose turn has come to its operands.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::sendToOperands(const OperandRequest &R) {
  ++Stats.PipeInstructions[unsigned(R.Target)];
  if constexpr (!PathT::IsModern) {
    Operands.take(R, Now);
  } else {
    Cycle From = Operands.take(R, Now);
    noteSent(R.Token, From);
    if (R.HasFixedLatency)
      beginExecution(R.Token, From);
  }
}

/// What a request for operands says of the instruction besides.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::completeRequest(OperandRequest &R,
                                             const IssueInfo &Info) const {
  R.HasFixedLatency = hasFixedLatency(Info.Class);
  if (Info.Target != Pipe::Memory)
    return;
  const ModernConfig &M = Core.Modern;
  R.IsConstant = Info.IsConstant;
  unsigned Cycles = M.SourceCycles;
  if (!Info.IsExchange) {
    const MemoryAccess &A = Accesses[R.Token];
    if (A.Where != Space::Shared)
      Cycles += M.SourceGlobal;
    if (A.Op != MemoryOp::Load)
      Cycles += M.SourceStore + M.SourceWord * ((A.Bytes + 3u) / 4 - 1);
  }
  R.SourceCycles = uint8_t(std::min(Cycles, 255u));
}

/// Takes away those reads of \p R whose operands the register-file cache has.
/// What an instruction of several slots consists of reads operands of its own.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::reuseOperands(OperandRequest &R, const Slot &W,
                                           const IssueInfo &Info) {
  ReuseCache &Cache = Reuse[R.Scheduler];
  if (Info.Slots > 1)
    return Cache.clear();
  if (W.Timing->Operands.empty())
    return;
  const ReadSlots &Slots =
      W.Timing->Operands[size_t(&Info - W.Timing->Insts.data())];
  bool Looks = hasFixedLatency(Info.Class);
  unsigned Left = 0, Read = 0;
  for (unsigned K = 0; K != Info.NumReads; ++K) {
    uint32_t Row = Info.Accesses[K];
    if (Row >= W.Fn->NumRows)
      continue;
    OperandPlace Place = R.Reads[Read++];
    unsigned Slot = Slots.slot(K);
    if (Slot == ReadSlots::None) {
      R.Reads[Left++] = Place;
      continue;
    }
    ReuseCache::Lookup Found =
        Cache.read(Row, Slot, W.Ref.Slot, Slots.Kept >> Slot & 1);
    if (Looks && Found == ReuseCache::Stale)
      violated(W,
               "regshare.reuse: register R" + std::to_string(Row) +
                   " has been written since it was kept in operand slot " +
                   std::to_string(Slot) +
                   ", and is read there; expected no reuse of it",
               placeOf(Info));
    if (!Looks || Found == ReuseCache::Miss)
      R.Reads[Left++] = Place;
  }
  Stats.ReusedOperands += R.NumReads - Left;
  R.NumReads = uint8_t(Left);
}

/// What is kept of the registers that an instruction has written is not what
/// they hold.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::noteWrites(const Slot &W, const IssueInfo &Info,
                                        unsigned S) {
  if (Reuse.empty())
    return;
  for (unsigned K = 0; K != Info.NumWrites; ++K)
    if (uint32_t Row = Info.Accesses[Info.NumReads + K]; Row < W.Fn->NumRows)
      Reuse[S].write(W.Ref.Slot, Row);
}

/// Results of fixed latency are not delayed: they wait in a queue for the write
/// port of their bank, where readers find them. Others wait for the port.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::landFixed(uint32_t Token) {
  const Flight &F = Flights[Token];
  auto Banks = uint32_t(resultsOf(Token).Banks);
  for (; Banks; Banks &= Banks - 1) {
    Cycle &Free = WritePortFree[std::countr_zero(Banks)];
    Free = std::max(Free, Now) + 1;
  }
  clearBoard(F, Now - F.Info->Latency);
  landResult(Token);
}

/// Banks whose write port a queued result takes.
template <typename SchemeT, typename PathT>
uint32_t SmCore<SchemeT, PathT>::takenWritePorts() const {
  uint32_t Taken = 0;
  for (unsigned B = 0; B != WritePortFree.size(); ++B)
    Taken |= uint32_t(WritePortFree[B] > Now) << B;
  return Taken;
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_SMMODERN_H
