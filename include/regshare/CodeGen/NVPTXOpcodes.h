//===- regshare/CodeGen/NVPTXOpcodes.h - NVPTX opcodes by name - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What register assignment has to know of single NVPTX instructions, and the
/// few it makes itself. NVPTX's own headers are not installed with LLVM, so an
/// opcode is found by its name, once for a target.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NVPTXOPCODES_H
#define REGSHARE_CODEGEN_NVPTXOPCODES_H

#include "regshare/Base/ArchReg.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace llvm {
class MachineFunction;
class MachineInstr;
class TargetInstrInfo;
} // namespace llvm

namespace regshare {

/// Opcodes of the NVPTX target, by what they do.
class NVPTXOpcodes {
public:
  /// The table, made at the first call: every NVPTX target has the same
  /// opcodes.
  static const NVPTXOpcodes &get(const llvm::MachineFunction &MF);

  /// True for `mov` from register to register and for COPY.
  bool isCopy(const llvm::MachineInstr &MI) const;
  /// True for an instruction that yields the same value wherever it stands: a
  /// constant, the address of a symbol, a special register that a thread never
  /// sees change, a kernel parameter, a conversion of an address.
  bool isRematerializable(const llvm::MachineInstr &MI) const;

  /// True for what of that costs no more than an operand in hardware: constants
  /// and kernel parameters (both in the constant bank), not special registers.
  bool isFreeToRecompute(const llvm::MachineInstr &MI) const;

  /// How many operands, from the first on, a vector load or store moves; 0 for
  /// any other instruction, for vectors of 16-bit elements (the hardware packs
  /// them) and for the parameter space (no memory instruction in hardware).
  unsigned vectorElements(const llvm::MachineInstr &MI) const;

  unsigned copyOpcode(RegKind K) const { return Copy[unsigned(K)]; }
  unsigned loadOpcode(RegKind K) const { return Load[unsigned(K)]; }
  unsigned storeOpcode(RegKind K) const { return Store[unsigned(K)]; }
  unsigned selectOpcode() const { return Select; }      ///< SELP_b32ii
  unsigned compareOpcode() const { return Compare; }    ///< SETP_i32ri
  unsigned depotOpcode() const { return DepotAddress; } ///< MOV_DEPOT_ADDR_64
  /// A thread's place in its CTA, and the CTA's extent, along x, y or z.
  unsigned placeOpcode(unsigned Dim) const { return Place[Dim]; }
  unsigned extentOpcode(unsigned Dim) const { return Extent[Dim]; }
  unsigned multiplyAddOpcode() const { return MultiplyAdd; } ///< MAD_LO_S32rrr
  /// MAD_LO_S32rir: the factor is an immediate.
  unsigned scaleAddOpcode() const { return ScaleAdd; }
  unsigned shiftOpcode() const { return Shift; }       ///< SHL32_ri
  unsigned addOpcode() const { return Add; }           ///< ADD32rr
  unsigned symbolOpcode() const { return Symbol; }     ///< MOV_B32_sym
  unsigned truncateOpcode() const { return Truncate; } ///< CVT_u32_u64

private:
  explicit NVPTXOpcodes(const llvm::TargetInstrInfo &TII);

  struct Facts {
    uint8_t VectorElements = 0;
    bool IsCopy = false;
    bool IsConstant = false;
    bool IsSpecialRegister = false;
    bool IsParamLoad = false;
  };
  static Facts factsOf(llvm::StringRef Name);

  std::vector<Facts> Table; // by opcode
  unsigned Copy[5] = {}, Load[5] = {}, Store[5] = {};
  unsigned Select = 0, Compare = 0, DepotAddress = 0;
  unsigned Place[3] = {}, Extent[3] = {};
  unsigned MultiplyAdd = 0, ScaleAdd = 0, Shift = 0, Add = 0, Symbol = 0;
  unsigned Truncate = 0;
};

/// Address spaces as NVPTX's memory instructions carry them in an immediate
/// (llvm/Support/NVPTXAddrSpace.h).
inline constexpr int64_t GenericAddressSpace = 0;
inline constexpr int64_t GlobalAddressSpace = 1;
inline constexpr int64_t SharedAddressSpace = 3;
inline constexpr int64_t ConstantAddressSpace = 4;
inline constexpr int64_t LocalAddressSpace = 5;
inline constexpr int64_t SharedClusterAddressSpace = 7;
inline constexpr int64_t ParamAddressSpace = 101;

} // namespace regshare

#endif // REGSHARE_CODEGEN_NVPTXOPCODES_H
