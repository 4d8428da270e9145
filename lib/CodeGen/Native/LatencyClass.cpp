//===- LatencyClass.cpp - How long results of hardware take ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/LatencyClass.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

static bool hasAny(StringRef Name, ArrayRef<StringRef> Parts) {
  return llvm::any_of(Parts, [&](StringRef P) { return Name.contains(P); });
}

LatencyClass LatencyClasses::classOf(StringRef Name) {
  if (hasAny(Name, {"ATOM", "atom_", "INT_PTX_ATOM"}))
    return LatencyClass::Atomic;
  if (hasAny(Name, {"SHFL", "VOTE", "MATCH", "REDUX"}))
    return LatencyClass::Shuffle;
  if (hasAny(Name, {"TEX_", "TLD4", "SULD"}))
    return LatencyClass::GlobalLoad;
  if (hasAny(Name, {"DIV", "REM", "FRCP", "RCP"}))
    return LatencyClass::Division;
  if (hasAny(Name, {"SIN", "COS", "EX2", "LG2", "SQRT", "TANH", "POPC", "CLZ",
                    "BREV", "SREG", "CVT_f", "CVT_INREG"}) ||
      (Name.starts_with("CVT_") && Name.contains("_f")))
    return LatencyClass::Special;
  if (hasAny(Name, {"SETP"}))
    return LatencyClass::Predicate;
  if (hasAny(Name, {"f16", "F16"}))
    return LatencyClass::Half;
  if (hasAny(Name, {"f64", "F64"}))
    return LatencyClass::Double;
  if (hasAny(Name, {"FADD", "FMUL", "FSUB", "FFMA", "FMA", "f32", "F32", "MUL",
                    "MAD"}))
    return LatencyClass::Float;
  return LatencyClass::Integer;
}

const LatencyClasses &LatencyClasses::get(const TargetInstrInfo &TII) {
  static const LatencyClasses Table(TII);
  return Table;
}

LatencyClasses::LatencyClasses(const TargetInstrInfo &TII) {
  Table.resize(TII.getNumOpcodes());
  for (unsigned Op = 0; Op != Table.size(); ++Op) {
    StringRef Name = TII.getName(Op);
    Table[Op].IsLoad = Name.starts_with("LD_") || Name.starts_with("LDV_") ||
                       Name.starts_with("LDU_");
    Table[Op].Class = classOf(Name);
  }
}

/// Of a load whose operands say where it goes.
static LatencyClass loadClass(const MachineInstr &MI) {
  unsigned NumValues = MI.getNumDefs();
  if (MI.getNumOperands() <= NumValues + 2 ||
      !MI.getOperand(NumValues + 2).isImm())
    return LatencyClass::GlobalLoad;
  switch (MI.getOperand(NumValues + 2).getImm()) {
  case SharedAddressSpace:
  case SharedClusterAddressSpace:
    return LatencyClass::SharedLoad;
  case ParamAddressSpace:
    return LatencyClass::ConstantLoad;
  default:
    return LatencyClass::GlobalLoad;
  }
}

/// Of inline PTX, by the name of its first instruction.
static LatencyClass inlineClass(const MachineInstr &MI,
                                LatencyClass (*OfName)(StringRef)) {
  std::vector<StringRef> All = inlinePTXInstructions(inlinePTXText(MI));
  if (All.empty())
    return LatencyClass::None;
  std::string Name =
      All.front().take_until([](char C) { return isSpace(C); }).upper();
  if (StringRef(Name).starts_with("LD."))
    return hasAny(Name, {".SHARED"})            ? LatencyClass::SharedLoad
           : hasAny(Name, {".CONST", ".PARAM"}) ? LatencyClass::ConstantLoad
                                                : LatencyClass::GlobalLoad;
  if (StringRef(Name).starts_with("CVT.") && hasAny(Name, {".F"}))
    return LatencyClass::Special;
  return OfName(Name);
}

LatencyClass LatencyClasses::of(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return inlineClass(MI, classOf);
  const Facts &F = Table[MI.getOpcode()];
  if (F.IsLoad)
    return loadClass(MI);
  return MI.getNumDefs() ? F.Class : LatencyClass::None;
}

namespace {
struct LatencyRow {
  StringRef Architecture;
  LatencyTable Cycles;
};
} // namespace

/// In the order of LatencyClass. Fixed latencies are those of the tables that
/// Mesa's NAK has from NVIDIA for sm_75 and sm_80 (a result's most frequent
/// reader; a predicate to its guard or branch), of memory, special functions
/// and shuffles what was measured on a TU102 (connollydavid/tu102: L1 34,
/// shared memory 22, L2 235, shuffle 25, special functions 15 to 21, atomics
/// 310): a global load is taken to come from the L2. A division is a sequence,
/// of which nobody gives a time: eight dependent instructions. sm_70 is given
/// sm_75's figures, what comes after sm_80 sm_80's: they have no table of their
/// own.
static const LatencyRow Rows[] = {
    {"sm_70", {0, 4, 4, 12, 6, 9, 18, 40, 25, 22, 29, 235, 310}},
    {"sm_75", {0, 4, 4, 12, 6, 9, 18, 40, 25, 22, 29, 235, 310}},
    {"sm_80", {0, 4, 4, 12, 5, 9, 18, 40, 25, 22, 29, 235, 310}},
    {"sm_86", {0, 4, 4, 12, 5, 9, 18, 40, 25, 22, 29, 235, 310}},
    {"sm_87", {0, 4, 4, 12, 5, 9, 18, 40, 25, 22, 29, 235, 310}},
    {"sm_89", {0, 4, 4, 12, 5, 9, 18, 40, 25, 22, 29, 235, 310}},
    {"sm_90", {0, 4, 4, 12, 5, 9, 18, 40, 25, 22, 29, 235, 310}},
};

Expected<LatencyTable> latenciesOf(StringRef Architecture) {
  // sm_90a is an sm_90 whose instructions later parts do not have.
  if (Architecture == "sm_90a")
    Architecture = Architecture.drop_back();
  for (const LatencyRow &Row : Rows)
    if (Row.Architecture == Architecture)
      return Row.Cycles;
  std::string Known;
  for (const LatencyRow &Row : Rows)
    Known += (Known.empty() ? "" : ", ") + Row.Architecture.str();
  return createStringError("no latencies of '" + Architecture +
                           "' to schedule by; there are those of " + Known);
}

} // namespace regshare
