//===- SmContract.cpp - Schemes that break their contract -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a hook of a scheme may not return ends the launch with a message,
/// instead of taking the SM with it.
///
//===----------------------------------------------------------------------===//

#include "Sm.h"

#include "regshare/Base/Statements.h"

namespace regshare::sim {

/// "slots 0,3 of 48"
static std::string slotsOf(uint64_t Slots, size_t Count) {
  return (std::has_single_bit(Slots) ? "slot " : "slots ") + printMask(Slots) +
         " of " + std::to_string(Count);
}

void Sm::breaksContract(const char *Hook, const std::string &Returned,
                        const std::string &Expected, const std::string &Whose) {
  if (Failed != Never)
    return;
  L.KindOfError = ErrorKind::Other;
  L.Error = "scheme '" + std::string(Context.Scheme) + "': its hook " + Hook +
            "() returned " + Returned + "; expected " + Expected +
            "\n  kernel '" + L.Kernel.Name + "', SM " + std::to_string(Id) +
            (Whose.empty() ? "" : ", " + Whose) + ", cycle " +
            std::to_string(Now);
  Failed = Now;
}

void Sm::refuseSlot(unsigned Index) {
  const CtaSlot &C = Ctas[*Incomplete];
  const Dim3 I = C.C->index();
  breaksContract("slotFor", "slot " + std::to_string(Index),
                 "a free one: " + slotsOf(FreeSlots, Slots.size()),
                 "CTA (" + std::to_string(I.X) + "," + std::to_string(I.Y) +
                     "," + std::to_string(I.Z) + ") warp " +
                     std::to_string(C.Begun));
}

void Sm::refusePreferred(uint64_t Preferred, uint64_t Candidates) {
  breaksContract(
      "preferred", Preferred ? slotsOf(Preferred, Slots.size()) : "no warp",
      "one or several of the warps in " + slotsOf(Candidates, Slots.size()));
}

void Sm::refuseWoken(uint64_t Woken) {
  breaksContract("takeWoken", slotsOf(Woken, Slots.size()),
                 "slots below " + std::to_string(Slots.size()));
}

void Sm::refuseReadyAt(const Slot &S, Cycle Ready) {
  breaksContract("readyAt", "cycle " + std::to_string(Ready),
                 "one after that of the last tick(), or Never", nameOf(S));
}

void Sm::refuseOperands(const Slot &S, const OperandRequest &R, Pipe Target) {
  if (R.NumReads > OperandRequest::MaxReads)
    return breaksContract("located", std::to_string(R.NumReads) + " operands",
                          "at most " + std::to_string(OperandRequest::MaxReads),
                          nameOf(S));
  if (R.Target != Target)
    return breaksContract("located", "another pipe",
                          "the one that the instruction goes to", nameOf(S));
  unsigned Banks = Context.Setup.Core.Banks;
  for (unsigned K = 0; K != R.NumReads; ++K)
    if (R.Reads[K].Bank >= Banks)
      return breaksContract("read", "bank " + std::to_string(R.Reads[K].Bank),
                            "one from 0 to " + std::to_string(Banks - 1),
                            nameOf(S));
}

void Sm::refuseResults(const Slot &S, const char *Hook) {
  breaksContract(Hook, "a bank beyond the last one",
                 "banks from 0 to " +
                     std::to_string(Context.Setup.Core.Banks - 1),
                 nameOf(S));
}

bool Sm::keepsHolders() {
  const uint64_t Known = allSlots();
  for (uint64_t Rest = Classes.heldBack(); Rest; Rest &= Rest - 1) {
    const Slot &S = Slots[std::countr_zero(Rest)];
    HeldBackBy By = heldBackBy(S.Ref.Slot);
    if (By.Wants && !(By.Holders & ~Known))
      continue;
    if (By.Wants)
      breaksContract("heldBackBy", slotsOf(By.Holders, Slots.size()),
                     "slots below " + std::to_string(Slots.size()), nameOf(S));
    else
      breaksContract("heldBackBy", "a null pointer",
                     "words for what the warp wants", nameOf(S));
    return false;
  }
  return true;
}

} // namespace regshare::sim
