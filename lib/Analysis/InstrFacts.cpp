//===- InstrFacts.cpp - How instructions make values diverge --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/InstrFacts.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

static bool startsWithAny(StringRef Name, ArrayRef<StringRef> Prefixes) {
  return llvm::any_of(Prefixes,
                      [&](StringRef P) { return Name.starts_with(P); });
}

InstrFacts::Facts InstrFacts::factsOf(StringRef Name) {
  Facts F;
  F.IsBarrier = startsWithAny(Name, {"BARRIER_CTA_", "INT_BARRIER",
                                     "INT_NVVM_BARRIER", "barrier_cluster_"});
  if (startsWithAny(Name, {"LD_i", "LDV_i", "LD_GLOBAL_NC_", "LDU_GLOBAL_"})) {
    F.IsLoad = true;
    return F;
  }
  // A vote over a constant set of lanes, and a reduction over the CTA, give
  // every lane that takes part the same.
  if ((Name.starts_with("VOTE_SYNC_") && Name.ends_with("i")) ||
      Name == "ACTIVEMASK" || startsWithAny(Name, {"BARRIER_CTA_RED_"})) {
    F.Result = ResultDivergence::Never;
    return F;
  }
  bool Diverges =
      startsWithAny(Name, {"INT_PTX_SREG_TID_", "INT_PTX_SREG_LANE",
                           "INT_PTX_SREG_CLOCK", "SREG_CLOCK",
                           "SREG_GLOBALTIMER", "INT_PTX_SREG_GLOBALTIMER",
                           "VOTE_SYNC_", "MATCH_", "CALL", "anonymous_"}) ||
      Name.contains("ATOM") || Name.contains("SHFL") || Name.contains("MMA");
  if (Diverges)
    F.Result = ResultDivergence::Always;
  return F;
}

const InstrFacts &InstrFacts::get(const TargetInstrInfo &TII) {
  static const InstrFacts Table(TII);
  return Table;
}

InstrFacts::InstrFacts(const TargetInstrInfo &TII) {
  Table.reserve(TII.getNumOpcodes());
  for (unsigned Op = 0, E = TII.getNumOpcodes(); Op != E; ++Op) {
    Table.push_back(factsOf(TII.getName(Op)));
    const MCInstrDesc &Desc = TII.get(Op);
    Table.back().NumValues = Desc.getNumDefs();
    // What both reads and writes memory returns what was there before, which
    // the lanes change one after the other.
    if (Desc.getNumDefs() && Desc.mayLoad() && Desc.mayStore() &&
        !Table.back().IsLoad &&
        Table.back().Result == ResultDivergence::AsOperands)
      Table.back().Result = ResultDivergence::Always;
  }
}

/// Inline PTX is taken at its word only where it is plain arithmetic.
static ResultDivergence inlinePTXDivergence(StringRef Text) {
  static constexpr StringRef Suspects[] = {
      "%tid", "%lane", "%clock",     "%globaltimer", "shfl",    "vote", "match",
      "atom", "red",   "activemask", "ld",           "tex",     "tld4", "txq",
      "call", "bra",   "@",          "mma",          "%warpid", "elect"};
  for (StringRef S : Suspects)
    if (Text.contains(S))
      return ResultDivergence::Always;
  return ResultDivergence::AsOperands;
}

ResultDivergence InstrFacts::resultDivergence(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return inlinePTXDivergence(inlinePTXText(MI));
  const Facts &F = Table[MI.getOpcode()];
  if (!F.IsLoad)
    return F.Result;
  // Operands of a load after its results: ordering, scope, address space. The
  // names of the non-coherent ones say "global".
  unsigned SpaceAt = F.NumValues + 2;
  int64_t Space =
      SpaceAt < MI.getNumOperands() && MI.getOperand(SpaceAt).isImm()
          ? MI.getOperand(SpaceAt).getImm()
          : 1;
  if (MI.getOpcode() < Table.size() && Space == ParamAddressSpace) {
    for (const MachineOperand &MO : MI.operands())
      if (MO.isSymbol() && StringRef(MO.getSymbolName()).starts_with("retval"))
        return ResultDivergence::Always; // of a call
    return ResultDivergence::AsOperands;
  }
  // One address in local memory is another place for every lane, and a generic
  // one may be local.
  if (Space == LocalAddressSpace || Space == 0)
    return ResultDivergence::Always;
  return ResultDivergence::AsOperands;
}

bool InstrFacts::isBarrier(const MachineInstr &MI) const {
  if (MI.isInlineAsm()) {
    StringRef Text = inlinePTXText(MI);
    return Text.contains("bar.sync") || Text.contains("barrier.sync") ||
           Text.contains("bar.red");
  }
  return Table[MI.getOpcode()].IsBarrier;
}

} // namespace regshare
