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
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regshare {

static bool startsWithAny(StringRef Name, ArrayRef<StringRef> Prefixes) {
  return llvm::any_of(Prefixes,
                      [&](StringRef P) { return Name.starts_with(P); });
}

static bool containsAny(StringRef Text, ArrayRef<StringRef> Parts) {
  return llvm::any_of(Parts, [&](StringRef P) { return Text.contains(P); });
}

/// Those whose results the operands do not tell: special registers of a thread,
/// what lanes exchange, hidden state (the carry flag, the stack pointer, tensor
/// memory), and opcodes without a name of their own, shuffles among them.
static bool alwaysDiverges(StringRef Name) {
  return startsWithAny(Name,
                       {"INT_PTX_SREG_TID_", "INT_PTX_SREG_LANE", "SREG_LANEID",
                        "SREG_CLOCK", "SREG_GLOBALTIMER", "MATCH_", "CALL",
                        "ADDCCC", "SUBCCC", "STACKSAVE", "DYNAMIC_STACKALLOC",
                        "TCGEN05_LD", "mbar_", "IMPLICIT_DEF", "anonymous_"}) ||
         containsAny(Name, {"ATOM", "SHFL", "MMA", "ELECT"});
}

/// True for an atomic whose name says that it works in shared memory: a last
/// word such as Si or Sr.
static bool isSharedAtomic(StringRef Name) {
  StringRef Last = Name.rsplit('_').second;
  return Last.size() <= 3 && Last.starts_with("S");
}

static bool alwaysTakesLong(StringRef Name) {
  if (Name.contains("ATOM"))
    return !isSharedAtomic(Name);
  return startsWithAny(Name, {"LD_GLOBAL", "LDU_", "TEX_", "TLD4_", "SULD_",
                              "TCGEN05_LD"}) ||
         Name.contains_insensitive("_wait");
}

InstrFacts::Facts InstrFacts::factsOf(StringRef Name) {
  Facts F;
  // To arrive is not to wait.
  F.IsBarrier = startsWithAny(Name, {"BARRIER_CTA_", "barrier_cluster_wait"}) &&
                !Name.starts_with("BARRIER_CTA_ARRIVE");
  F.IsAligned = F.IsBarrier && Name.contains("ALIGNED");
  F.IsFence = startsWithAny(Name, {"INT_NVVM_NANOSLEEP", "INT_MEMBAR_",
                                   "INT_FENCE_", "atomic_thread_fence"});
  F.ReadsClock =
      startsWithAny(Name, {"INT_PTX_SREG_CLOCK", "SREG_CLOCK",
                           "INT_PTX_SREG_GLOBALTIMER", "SREG_GLOBALTIMER"});
  F.IsLoad = startsWithAny(Name, {"LD_i", "LDV_i"});
  F.IsLongLatency = F.IsBarrier || alwaysTakesLong(Name);
  if (Name.starts_with("VOTE_SYNC_"))
    F.Result = ResultDivergence::AsLanes;
  else if (Name == "ACTIVEMASK" || Name.starts_with("BARRIER_CTA_RED_"))
    F.Result = ResultDivergence::Never;
  else if (alwaysDiverges(Name))
    F.Result = ResultDivergence::Always;
  return F;
}

/// True for what LLVM says touches memory, or has an effect, and does not touch
/// a CTA's shared memory.
static bool keepsToOtherMemory(StringRef Name, const MCInstrDesc &Desc) {
  // Shuffles; matrices are loaded and stored by what only does one of the two.
  if (Name.starts_with("anonymous_"))
    return Desc.isConvergent() && Desc.getNumDefs() && Desc.mayLoad() &&
           Desc.mayStore();
  if (Name.contains("ATOM")) {
    StringRef Last = Name.rsplit('_').second;
    return Last == "Gi" || Last == "Gr";
  }
  return startsWithAny(Name, {"ACTIVEMASK",
                              "ADDCC",
                              "BARRIER_CTA_",
                              "BRX_",
                              "Callseq_",
                              "DECLARE_PARAM_",
                              "DYNAMIC_STACK",
                              "EXIT",
                              "GRIDDEPCONTROL_",
                              "INT_BAR_WARP_",
                              "INT_ELECT_",
                              "INT_FENCE_",
                              "INT_MEMBAR_",
                              "INT_NVVM_NAN",
                              "INT_PTX_SREG_",
                              "LDU_GLOBAL_",
                              "LD_GLOBAL_",
                              "MATCH_",
                              "PREFETCH",
                              "SETP_",
                              "SREG_",
                              "STACKRESTORE_",
                              "STACKSAVE_",
                              "SUBCC",
                              "SULD_",
                              "SUQ_",
                              "SUST_",
                              "TEX_",
                              "TLD4_",
                              "VOTE_SYNC_",
                              "atomic_thread_",
                              "cvta_",
                              "debugtrapinst",
                              "barrier_cluster",
                              "trap"});
}

void InstrFacts::noteSharedAccess(Facts &F, StringRef Name,
                                  const MCInstrDesc &Desc) {
  if (startsWithAny(Name, {"LD_i", "LDV_i"}))
    F.SpaceOperand = Desc.getNumDefs() + 2;
  unsigned Values = 1;
  if (Name.starts_with("STV_i"))
    Name.rsplit('v').second.consumeInteger(10, Values);
  if (startsWithAny(Name, {"ST_i", "STV_i"}))
    F.SpaceOperand = Values + 2;
  F.MayAccessShared =
      Desc.isCall() ||
      ((Desc.mayLoad() || Desc.mayStore() || Desc.hasUnmodeledSideEffects()) &&
       !keepsToOtherMemory(Name, Desc));
}

const InstrFacts &InstrFacts::get(const MachineFunction &MF) {
  static const InstrFacts Table(*MF.getSubtarget().getInstrInfo());
  return Table;
}

InstrFacts::InstrFacts(const TargetInstrInfo &TII) {
  Table.reserve(TII.getNumOpcodes());
  for (unsigned Op = 0, E = TII.getNumOpcodes(); Op != E; ++Op) {
    Table.push_back(factsOf(TII.getName(Op)));
    Facts &F = Table.back();
    const MCInstrDesc &Desc = TII.get(Op);
    noteSharedAccess(F, TII.getName(Op), Desc);
    // A matrix's elements, from wherever its address points. What loads and
    // stores of these is a shuffle.
    if (TII.getName(Op).starts_with("anonymous_")) {
      F.IsLongLatency |= Desc.mayLoad();
      F.AccessesMatrix = Desc.mayLoad() != Desc.mayStore();
    }
    // What lanes do together for no result they do with others: registers or
    // tensor memory that these give back.
    F.MayWait = Desc.isConvergent() && !Desc.isBranch() && !Desc.isCall() &&
                !Desc.getNumDefs() && !TII.getName(Op).contains("WARP_SYNC");
    // What both reads and writes memory returns what was there before, which
    // the lanes change one after the other.
    if (Desc.getNumDefs() && Desc.mayLoad() && Desc.mayStore() &&
        F.Result == ResultDivergence::AsOperands)
      F.Result = ResultDivergence::Always;
  }
}

/// Inline PTX is taken at its word only where it is plain arithmetic.
static ResultDivergence inlinePTXDivergence(StringRef Text) {
  bool Suspect = containsAny(
      Text,
      {"%tid", "%lane", "%clock", "%globaltimer", "%warpid", "%pm",   "shfl",
       "vote", "match", "elect",  "active",       "atom",    "red",   "mma",
       "ld",   "tex",   "tld4",   "tcgen",        "mbarr",   "call",  "bra",
       "@",    "addc",  "subc",   "madc",         "stack",   "alloca"});
  return Suspect ? ResultDivergence::Always : ResultDivergence::AsOperands;
}

/// The name of a carried instruction: "ld.global.f32".
static StringRef carriedName(StringRef Carried) {
  return Carried.take_until([](char C) { return isSpace(C) || C == ';'; });
}

/// Whether \p Name is a load or store in a state space that it says.
static bool saysSpace(StringRef Name, ArrayRef<StringRef> Spaces) {
  return llvm::any_of(Spaces, [&](StringRef S) { return Name.contains(S); });
}

/// One instruction as PTX: its operands tell, but for the same exceptions as
/// among NVPTX's. Its guard, and what it leaves as it was, are operands.
static ResultDivergence carriedDivergence(StringRef Carried) {
  StringRef Name = carriedName(Carried);
  bool Always =
      startsWithAny(Name,
                    {"{", "shfl", "vote", "match", "elect", "atom", "redux",
                     "mma", "wmma", "ldmatrix", "movmatrix", "mbarrier", "tex",
                     "tld4", "activemask", "call", "alloca", "stacksave"}) ||
      // The carry flag is hidden.
      startsWithAny(Name, {"addc", "subc", "madc"}) ||
      containsAny(Carried, {"%tid", "%lane", "%warpid", "%clock",
                            "%globaltimer", "%pm"});
  if (startsWithAny(Name, {"ld."}))
    Always |= !saysSpace(Name, {".global", ".shared", ".const", ".param"});
  return Always ? ResultDivergence::Always : ResultDivergence::AsOperands;
}

/// The operands of a load after its results: ordering, scope, address space.
static int64_t addressSpaceOfLoad(const MachineInstr &MI) {
  return MI.getOperand(MI.getNumExplicitDefs() + 2).getImm();
}

ResultDivergence InstrFacts::loadDivergence(const MachineInstr &MI) const {
  switch (addressSpaceOfLoad(MI)) {
  case LocalAddressSpace: // One address is another place for every lane,
  case 0:                 // and a generic one may be local.
    return ResultDivergence::Always;
  case ParamAddressSpace: {
    // A kernel's parameters are the same for all; what a call returns, and the
    // parameters of other functions, need not be.
    bool Kernel =
        MI.getMF()->getFunction().getCallingConv() == CallingConv::PTX_Kernel;
    if (!Kernel || isReturnedValue(MI))
      return ResultDivergence::Always;
    return ResultDivergence::AsOperands;
  }
  default:
    return ResultDivergence::AsOperands;
  }
}

ResultDivergence InstrFacts::resultDivergence(const MachineInstr &MI) const {
  // An undefined operand is whatever each lane's register happens to hold.
  auto IsUndefined = [](const MachineOperand &MO) {
    return MO.isReg() && MO.isUse() && MO.isUndef();
  };
  if (llvm::any_of(MI.operands(), IsUndefined))
    return ResultDivergence::Always;
  if (StringRef Carried = carriedPTX(MI); !Carried.empty())
    return carriedDivergence(Carried);
  if (MI.isInlineAsm())
    return inlinePTXDivergence(inlinePTXText(MI));
  const Facts &F = Table[MI.getOpcode()];
  return F.IsLoad ? loadDivergence(MI) : F.Result;
}

bool InstrFacts::isBarrier(const MachineInstr &MI) const {
  if (MI.isInlineAsm()) {
    return containsAny(inlinePTXText(MI),
                       {"bar.sync", "bar.red", "bar.cta.sync", "bar.cta.red",
                        "barrier.sync", "barrier.red", "barrier.cta.sync",
                        "barrier.cta.red"});
  }
  return Table[MI.getOpcode()].IsBarrier;
}

/// bar.sync is barrier.sync.aligned.
bool InstrFacts::isAlignedBarrier(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return isBarrier(MI) && (!inlinePTXText(MI).contains("barrier.") ||
                             inlinePTXText(MI).contains(".aligned"));
  return Table[MI.getOpcode()].IsAligned;
}

bool InstrFacts::isFence(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return containsAny(inlinePTXText(MI), {"membar", "fence", "nanosleep"});
  return Table[MI.getOpcode()].IsFence;
}

/// Loads, stores and atomics, which do not wait for other threads.
static bool isPlainAccess(StringRef Name) {
  return startsWithAny(Name, {"ld.", "ldu.", "st.", "atom.", "red.", "tex.",
                              "tld4.", "prefetch"});
}

bool InstrFacts::isPlainArithmetic(const MachineInstr &InlinePTX) const {
  // "redux" and "shl" have parts of others' names in them.
  if (StringRef Carried = carriedPTX(InlinePTX); !Carried.empty())
    return !startsWithAny(carriedName(Carried),
                          {"{",         "ld",        "st.",
                           "stmatrix",  "atom",      "red",
                           "tex",       "tld4",      "suld",
                           "sust",      "cp.",       "bar",
                           "fence",     "membar",    "mbarrier",
                           "call",      "trap",      "mma",
                           "wmma",      "movmatrix", "vote",
                           "shfl",      "elect",     "match",
                           "nanosleep", "prefetch",  "griddepcontrol",
                           "stack",     "alloca"});
  return !containsAny(inlinePTXText(InlinePTX), {"ld",         "st.",
                                                 "atom",       "red",
                                                 "tex",        "suld",
                                                 "cp.",        "bar",
                                                 "fence",      ".sync",
                                                 "wait",       "call",
                                                 "bra",        "brx",
                                                 "ret",        "exit",
                                                 "trap",       "mma",
                                                 "vote",       "shfl",
                                                 "tcgen",      "elect",
                                                 "match",      "nanosleep",
                                                 "prefetch",   "griddepcontrol",
                                                 "setmaxnreg", "stack",
                                                 "alloca"});
}

bool InstrFacts::readsClock(const MachineInstr &MI) const {
  return Table[MI.getOpcode()].ReadsClock;
}

bool InstrFacts::canStopLanes(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return isBarrier(MI) || inlinePTXText(MI).contains(".sync");
  // LLVM does not say of all matrix accesses that they are convergent.
  return isBarrier(MI) || (MI.isConvergent() && !MI.isCall()) ||
         Table[MI.getOpcode()].AccessesMatrix;
}

bool InstrFacts::isLongLatency(const MachineInstr &MI) const {
  if (StringRef Name = carriedName(carriedPTX(MI)); !Name.empty())
    return isBarrier(MI) || startsWithAny(Name, {"tex.", "tld4.", "suld."}) ||
           Name.contains("wait") ||
           (startsWithAny(Name, {"ld.", "ldu.", "atom."}) &&
            !saysSpace(Name, {".shared::cta", ".shared.", ".param", ".const"}));
  if (MI.isInlineAsm()) {
    StringRef Text = inlinePTXText(MI);
    return isBarrier(MI) ||
           containsAny(Text,
                       {"ld.global", "ld.local", "ld.volatile.global", "ldu.",
                        "tex.", "tld4.", "suld.", "atom.global", "wait"});
  }
  const Facts &F = Table[MI.getOpcode()];
  if (!F.IsLoad)
    return F.IsLongLatency;
  int64_t Space = addressSpaceOfLoad(MI);
  return Space == GenericAddressSpace || Space == GlobalAddressSpace ||
         Space == LocalAddressSpace || Space == SharedClusterAddressSpace;
}

bool InstrFacts::mayWait(const MachineInstr &MI) const {
  if (StringRef Name = carriedName(carriedPTX(MI)); isPlainAccess(Name))
    return false;
  if (MI.isInlineAsm())
    return !isPlainArithmetic(MI);
  return MI.isCall() || isBarrier(MI) || isFence(MI) ||
         Table[MI.getOpcode()].MayWait ||
         (isLongLatency(MI) && !MI.getNumExplicitDefs());
}

bool InstrFacts::mayAccessShared(const MachineInstr &MI) const {
  if (MI.isMetaInstruction() || !statementVerb(MI).empty())
    return false;
  if (StringRef Name = carriedName(carriedPTX(MI));
      isPlainAccess(Name) &&
      saysSpace(Name, {".global", ".local", ".param", ".const"}))
    return false;
  if (MI.isInlineAsm())
    return !isPlainArithmetic(MI);
  const Facts &F = Table[MI.getOpcode()];
  if (!F.SpaceOperand)
    return F.MayAccessShared;
  int64_t Space = MI.getOperand(F.SpaceOperand).getImm();
  return Space == GenericAddressSpace || Space == SharedAddressSpace ||
         Space == SharedClusterAddressSpace;
}

bool InstrFacts::isReturnedValue(const MachineInstr &MI) const {
  return Table[MI.getOpcode()].IsLoad &&
         llvm::any_of(MI.operands(), [](const MachineOperand &MO) {
           return MO.isSymbol() &&
                  StringRef(MO.getSymbolName()).starts_with("retval");
         });
}

bool InstrFacts::comesLate(const MachineInstr &MI) const {
  return isLongLatency(MI) || isReturnedValue(MI) ||
         (MI.isInlineAsm() && mayWait(MI));
}

} // namespace regshare
