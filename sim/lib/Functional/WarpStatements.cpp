//===- WarpStatements.cpp - A warp in code with a scheme's statements -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

WarpRules &Warp::rulesOf(const CodeRules &Code) {
  for (const auto &[Family, Of] : Rules)
    if (Family == &Code.family())
      return *Of;
  std::unique_ptr<WarpRules> Its = Code.forWarp(WarpView(*this));
  if (!Its) {
    breaksContract("its CodeRules::forWarp() returned null; expected rules of "
                   "the warp's own");
    Its = std::make_unique<WarpRules>(WarpView(*this));
  }
  Rules.emplace_back(&Code.family(), std::move(Its));
  return *Rules.back().second;
}

/// The launch ends after what the warp is at.
void Warp::breaksContract(const std::string &How) {
  L.KindOfError = ErrorKind::Other;
  if (!HasBrokenRules)
    report("scheme '" + Frames.back().Fn->Scheme + "': " + How, "");
  HasBrokenRules = true;
}

/// Without timing, whether the rules have the warp wait before \p I.
bool Warp::isHeldBefore(const Inst &I) {
  HeldBack = I.Attention & AttendBefore &&
             !rulesOf(*Frames.back().Fn->Rules).mustWait(I).empty();
  return HeldBack;
}

std::string Warp::describeHold() {
  const CodePlace Next = nextPlace();
  return rulesOf(*Next.In->Rules).mustWait(*Next.At) + " at " + whereNext();
}

/// What some instructions need before they execute. False if this one does not
/// execute now; \p Status says why.
bool Warp::attend(const Inst &I, StepStatus &Status) {
  if (I.Attention & AttendBefore)
    if (std::optional<Violation> V =
            rulesOf(*Frames.back().Fn->Rules).before(I)) {
      Status = fail(*V);
      return false;
    }
  if (HasBrokenRules) [[unlikely]] {
    Status = StepStatus::Failed;
    return false;
  }
  if (!I.MemberOp || !C.Mask)
    return true;
  bool Proceed = false;
  Status = warpSync(I, Proceed);
  Yielded = !Proceed;
  L.Stats.WarpInstructions += Yielded;
  return Proceed;
}

/// Once its results are noted as written.
void Warp::attendAfter(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  if (I.Attention & AttendAfter)
    rulesOf(*Fn.Rules).after(I);
  if (!(I.Attention & AttendNative))
    return;
  loseScratch(I);
  if (nativeOf(I).WritesUniform)
    writeUniform(I);
}

/// A uniform register has one value: threads that are elsewhere have lost
/// theirs.
void Warp::writeUniform(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  const uint32_t *Writes = Fn.Accesses.data() + I.FirstAccess + I.NumReads;
  for (unsigned K = 0; K != I.NumWrites; ++K)
    Written[Writes[K]] = C.Mask;
}

/// Executes what is folded into the instruction, for all lanes that are at it.
/// The lanes that its guard lets through; the guard may be folded, too.
uint32_t Warp::computeFolded(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  const NativeInst &Of = nativeOf(I);
  C.Mask = Stack.back().Mask;
  for (const Inst &Each :
       std::span(Fn.Folded).subspan(Of.FirstFolded, Of.NumFolded))
    Each.Fn(C, Each);
  return C.Mask & C.pred(I.Guard);
}

/// Its hardware's sequence leaves nothing of use in them.
void Warp::loseScratch(const Inst &I) {
  const Function &Fn = *Frames.back().Fn;
  for (unsigned K = Fn.numResults(I); K != I.NumWrites; ++K) {
    uint32_t Row = Fn.Accesses[I.FirstAccess + I.NumReads + K];
    Written[Row] &= ~C.Mask;
    uint32_t *Words = C.dest(Row);
    for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1)
      Words[std::countr_zero(Rest)] = Poison;
  }
}

/// Before it counts as one instruction that takes a slot.
void Warp::countSlots(const Inst &I) {
  unsigned Slots = nativeOf(I).Slots;
  if (Slots) {
    L.Stats.MoreSlots += Slots - 1;
    return;
  }
  --L.Stats.WarpInstructions;
  L.Stats.ThreadInstructions -= std::popcount(C.Mask);
}

StepStatus Warp::stepOver() {
  StackEntry &Top = Stack.back();
  const Function &Fn = *Frames.back().Fn;
  const Inst &I = Fn.Code[Top.Pc];
  Last = &I;
  LastFunction = &Fn;
  rulesOf(*Fn.Rules).execute(I);
  if (HasBrokenRules) [[unlikely]]
    return StepStatus::Failed;
  ++Top.Pc;
  return Top.Pc == Top.Reconverge ? afterStep() : StepStatus::Ran;
}

void Warp::parked() {
  for (const auto &[Family, Of] : Rules)
    Of->parked();
}

bool Warp::needsItsPlace() const {
  const Inst &Next = *nextPlace().At;
  return std::ranges::any_of(
      Rules, [&](const auto &R) { return R.second->needsItsPlace(Next); });
}

void Warp::lanesChange() {
  for (const auto &[Family, Of] : Rules)
    Of->lanesChange();
}

std::optional<Violation> Warp::ruleAgainstWaiting() {
  if (L.Options.CheckHolding)
    for (const auto &[Family, Of] : Rules)
      if (std::optional<Violation> V = Of->waits())
        return V;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What rules see and change
//===----------------------------------------------------------------------===//

const Function &WarpView::function() const { return *W->Frames.back().Fn; }
uint32_t WarpView::lanes() const { return W->Stack.back().Mask; }
uint32_t WarpView::executing() const { return W->C.Mask; }
uint32_t WarpView::alive() const { return W->alive(); }
unsigned WarpView::index() const { return W->id(); }
unsigned WarpView::numWarps() const { return W->Owner.numWarps(); }
std::any &WarpView::ofCta() { return W->Owner.ofScheme(); }
bool WarpView::lanesWait() const { return W->lanesWait(); }

bool WarpView::reachesScratchpad(const Inst &Access) {
  return W->reachesScratchpad(Access);
}

unsigned WarpView::frame() const { return W->Frames.back().Storage; }
unsigned WarpView::numFrames() const { return unsigned(W->Frames.size()); }

const Function *WarpView::ownerOf(unsigned Frame) const {
  const Warp::Frame &F = W->Frames[Frame];
  return F.Storage == Frame ? F.Fn : nullptr;
}

uint32_t &WarpView::written(unsigned Frame, uint32_t Row) {
  return W->WrittenLanes[W->Frames[Frame].FirstWritten + Row];
}

/// Whether a frame of the warp has the row that rules name in a call of
/// \p Which.
bool Warp::keepsRow(const char *Which, unsigned Frame, uint32_t Row) {
  if (Frame >= Frames.size()) {
    breaksContract(
        "it names frame " + std::to_string(Frame) + " in WarpView::" + Which +
        "(); expected one of the warp's " + std::to_string(Frames.size()));
    return false;
  }
  const Function &Of = *Frames[Frames[Frame].Storage].Fn;
  if (Row < Of.NumRows)
    return true;
  breaksContract("it names R" + std::to_string(Row) + " in WarpView::" + Which +
                 "(); '" + Of.Name + "' has " +
                 std::to_string(Of.RegsPerThread) + " registers");
  return false;
}

void WarpView::forget(unsigned Frame, std::span<const uint32_t> Rows) {
  for (uint32_t Row : Rows) {
    if (!W->keepsRow("forget", Frame, Row)) [[unlikely]]
      return;
    poison(Frame, Row, FullMask);
    written(Frame, Row) = 0;
  }
}

void WarpView::poison(unsigned Frame, uint32_t Row, uint32_t Lanes) {
  if (!W->keepsRow("poison", Frame, Row)) [[unlikely]]
    return;
  uint32_t *Words =
      W->Registers.data() + size_t(W->Frames[Frame].FirstRow + Row) * WarpSize;
  if (Lanes == FullMask) {
    std::fill_n(Words, WarpSize, Poison);
    return;
  }
  for (; Lanes; Lanes &= Lanes - 1)
    Words[std::countr_zero(Lanes)] = Poison;
}

void WarpView::forgetLate(const PendingAccess &Late) {
  const Inst &I = *Late.Original;
  const uint32_t *Writes =
      Late.In->Accesses.data() + I.FirstAccess + I.NumReads;
  for (unsigned K = 0; K != Late.In->numResults(I); ++K)
    if (!(W->WrittenLanes[Late.FirstWritten + Writes[K]] & Late.Mask))
      std::fill_n(W->Registers.data() +
                      size_t(Late.FirstRow + Writes[K]) * WarpSize,
                  WarpSize, Poison);
}

} // namespace regshare::sim
