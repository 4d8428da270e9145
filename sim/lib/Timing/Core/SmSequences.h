//===- SmSequences.h - Instructions of no or several slots ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of SmCore.h that only native code needs.
///
/// An instruction of several slots is executed in the first, and its operands
/// are read in the last; one that ends a sequence is executed in the last.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_SMSEQUENCES_H
#define REGSHARE_SIM_TIMING_CORE_SMSEQUENCES_H

#include "SmCore.h"

namespace regshare::sim {

/// Executes what hardware has no instruction for. To the scheme it is one that
/// takes no time.
template <typename SchemeT, typename PathT>
Attempt SmCore<SchemeT, PathT>::issueFree(unsigned Index) {
  Slot &W = Slots[Index];
  const IssueInfo &Info = *W.Next;
  W.W->setClock(Context.FirstCycle + Now, Nanoseconds);
  uint32_t At = W.W->pc();
  StepStatus Status = W.W->issue(Pending);
  LastWork = Now + 1;
  if (Status == StepStatus::Failed) {
    Failed = Now;
    return Attempt::Failed;
  }
  tellScheme(W, Info);
  if constexpr (PathT::IsModern)
    if (!Info.IsDefine)
      noteWrites(W, Info, Index % Core.Schedulers);
  if (!Info.IsDefine && !Info.IsControl) {
    Hooks.started(W.Ref, Info);
    Hooks.collected(W.Ref, Info);
    Hooks.landed(W.Ref, Info);
    obeys(W, W.W->lastPlace());
  }
  if (Info.IsControl)
    skipSide(W, At);
  settle(Index, Info, Status);
  return Failed == Never ? Attempt::TookNoSlot : Attempt::Failed;
}

/// A pipe executes an instruction of a sequence, or one that no lane executes:
/// of memory, a modern core's address unit finds that.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::takePipe(Pipe P, const IssueInfo &Info,
                                      unsigned S) {
  if (P == Pipe::None)
    return;
  ++Stats.PipeInstructions[unsigned(P)];
  OperandRequest R;
  R.Token = OperandRequest::NoToken;
  R.Target = P;
  R.Interval =
      P == Info.Target
          ? Info.Interval
          : uint16_t(Core.Float[unsigned(OpClass::MultiplyAdd)].Interval);
  R.Scheduler = uint8_t(S);
  R.SourceCycles = uint8_t(Core.Modern.SourceCycles);
  R.IsConstant = Info.IsConstant;
  Operands.take(R, Now);
}

/// The scheduler spends a slot on a sequence of the warp.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::takeSlot(unsigned Index, unsigned S) {
  Slot &W = Slots[Index];
  LastWork = Now + 1;
  if (W.Skipped) {
    unsigned Left;
    const IssueInfo &Info = nextSkipped(W, Left);
    takePipe(nextPipe(W), Info, S);
    if constexpr (PathT::IsModern)
      if (Left == 1 && !Controls.empty())
        Controls[Index].stall(Info.Says, Now);
    if (W.SlotsLeft == 1)
      W.Skipped = nullptr;
  } else if (const IssueInfo *Info = W.Sequence) {
    if (W.SlotsLeft > 1) {
      takePipe(nextPipe(W), *Info, S);
      if constexpr (PathT::IsModern)
        delaySequence(W, *Info, W.SlotsLeft - 1u);
    } else {
      W.Sequence = nullptr;
      if constexpr (PathT::IsModern)
        if (!Controls.empty())
          Controls[Index].stall(Info->Says, Now);
      if (Info->Target != Pipe::None)
        sendToOperands(Sequences[Index]);
    }
  }
  --W.SlotsLeft;
  goOn(Index);
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_SMSEQUENCES_H
