//===- NVPTXOpcodes.cpp - NVPTX opcodes by name ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/NVPTXOpcodes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// The number of elements in a name such as LDV_i32_v4 or LD_GLOBAL_NC_v2i64.
static unsigned vectorElementsOf(StringRef Name) {
  if (!Name.starts_with("LDV_") && !Name.starts_with("STV_") &&
      !Name.starts_with("LD_GLOBAL_NC_v") && !Name.starts_with("LDU_GLOBAL_v"))
    return 0;
  if (Name.contains("i16"))
    return 0;
  size_t V = Name.find("_v");
  unsigned Elements = 0;
  if (V == StringRef::npos ||
      Name.drop_front(V + 2).consumeInteger(10, Elements))
    return 0;
  return Elements;
}

NVPTXOpcodes::Facts NVPTXOpcodes::factsOf(StringRef Name) {
  Facts F;
  F.VectorElements = vectorElementsOf(Name);
  F.IsCopy = StringSwitch<bool>(Name)
                 .Cases({"COPY", "MOV_B1_r", "MOV_B16_r", "MOV_B32_r",
                         "MOV_B64_r", "MOV_B128_r"},
                        true)
                 .Default(false);
  F.IsConstant =
      StringSwitch<bool>(Name)
          .Cases({"MOV_B1_i", "MOV_B16_i", "MOV_B32_i", "MOV_B64_i"}, true)
          .Cases({"MOV_F16_i", "MOV_BF16_i", "MOV_F32_i", "MOV_F64_i"}, true)
          .Cases({"MOV_B32_sym", "MOV_B64_sym"}, true)
          .StartsWith("cvta_", true)
          .Default(false);
  F.IsSpecialRegister = StringSwitch<bool>(Name)
                            .StartsWith("INT_PTX_SREG_TID_", true)
                            .StartsWith("INT_PTX_SREG_NTID_", true)
                            .StartsWith("INT_PTX_SREG_CTAID_", true)
                            .StartsWith("INT_PTX_SREG_NCTAID_", true)
                            .StartsWith("INT_PTX_SREG_LANEID", true)
                            .Default(false);
  F.IsParamLoad = Name == "LD_i16" || Name == "LD_i32" || Name == "LD_i64";
  return F;
}

const NVPTXOpcodes &NVPTXOpcodes::get(const MachineFunction &MF) {
  static const NVPTXOpcodes Table(*MF.getSubtarget().getInstrInfo());
  return Table;
}

NVPTXOpcodes::NVPTXOpcodes(const TargetInstrInfo &TII) {
  unsigned NumOpcodes = TII.getNumOpcodes();
  Table.resize(NumOpcodes);
  for (unsigned Op = 0; Op != NumOpcodes; ++Op) {
    StringRef Name = TII.getName(Op);
    Table[Op] = factsOf(Name);
    auto Is = [&](const char *Wanted, unsigned &Field) {
      if (Name == Wanted)
        Field = Op;
    };
    Is("MOV_B1_r", Copy[unsigned(RegKind::Pred)]);
    Is("MOV_B16_r", Copy[unsigned(RegKind::B16)]);
    Is("MOV_B32_r", Copy[unsigned(RegKind::B32)]);
    Is("MOV_B64_r", Copy[unsigned(RegKind::B64)]);
    Is("MOV_B128_r", Copy[unsigned(RegKind::B128)]);
    Is("LD_i16", Load[unsigned(RegKind::B16)]);
    Is("LD_i32", Load[unsigned(RegKind::B32)]);
    Is("LD_i64", Load[unsigned(RegKind::B64)]);
    Is("ST_i16", Store[unsigned(RegKind::B16)]);
    Is("ST_i32", Store[unsigned(RegKind::B32)]);
    Is("ST_i64", Store[unsigned(RegKind::B64)]);
    Is("SELP_b32ii", Select);
    Is("SETP_i32ri", Compare);
    Is("MOV_DEPOT_ADDR_64", DepotAddress);
    Is("INT_PTX_SREG_TID_x", Place[0]);
    Is("INT_PTX_SREG_TID_y", Place[1]);
    Is("INT_PTX_SREG_TID_z", Place[2]);
    Is("INT_PTX_SREG_NTID_x", Extent[0]);
    Is("INT_PTX_SREG_NTID_y", Extent[1]);
    Is("INT_PTX_SREG_NTID_z", Extent[2]);
    Is("MAD_LO_S32rrr", MultiplyAdd);
    Is("MAD_LO_S32rir", ScaleAdd);
    Is("SHL32_ri", Shift);
    Is("ADD32rr", Add);
    Is("MOV_B32_sym", Symbol);
    Is("CVT_u32_u64", Truncate);
  }
}

bool NVPTXOpcodes::isCopy(const MachineInstr &MI) const {
  return Table[MI.getOpcode()].IsCopy;
}

/// Operand that holds the address space, after the values and the ordering and
/// scope of the access.
static int64_t addressSpaceOf(const MachineInstr &MI, unsigned NumValues) {
  if (MI.getNumOperands() <= NumValues + 2)
    return -1;
  const MachineOperand &MO = MI.getOperand(NumValues + 2);
  return MO.isImm() ? MO.getImm() : -1;
}

unsigned NVPTXOpcodes::vectorElements(const MachineInstr &MI) const {
  unsigned Elements = Table[MI.getOpcode()].VectorElements;
  if (!Elements || addressSpaceOf(MI, Elements) == ParamAddressSpace)
    return 0;
  return Elements;
}

bool NVPTXOpcodes::isRematerializable(const MachineInstr &MI) const {
  return Table[MI.getOpcode()].IsSpecialRegister || isFreeToRecompute(MI);
}

bool NVPTXOpcodes::isFreeToRecompute(const MachineInstr &MI) const {
  const Facts &F = Table[MI.getOpcode()];
  if (F.IsConstant)
    return true;
  if (!F.IsParamLoad || addressSpaceOf(MI, 1) != ParamAddressSpace)
    return false;
  // A parameter of the kernel itself, not the return value of a call.
  for (const MachineOperand &MO : MI.operands())
    if (MO.isSymbol())
      return !StringRef(MO.getSymbolName()).starts_with("retval");
  return false;
}

} // namespace regshare
