//===- regshare/CodeGen/Native/HardwareCost.h - Cost of PTX -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many instructions of the hardware a PTX instruction is, and how many
/// registers they take for themselves. The figures are measured: sizes of the
/// code that ptxas makes of kernels with and without the instruction
/// (docs/native-code-probes.md).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NATIVE_HARDWARECOST_H
#define REGSHARE_CODEGEN_NATIVE_HARDWARECOST_H

#include "regshare/Base/Result.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace regshare {

/// What a PTX instruction is in hardware when none of its operands is folded
/// into it and it is folded into none.
struct HardwareCost {
  unsigned Slots = 1;         ///< Instructions in line.
  unsigned Executed = 1;      ///< Instructions that usually run: an estimate
                              ///< where some are called or jumped over.
  unsigned OncePerKernel = 0; ///< Instructions that stand once in a kernel,
                              ///< however often it has this one: what is
                              ///< called.
  unsigned Temps = 0;         ///< 32-bit registers beyond the larger of its
                              ///< sources and its results.

  bool operator==(const HardwareCost &) const = default;
};

/// The costs on one architecture.
class HardwareCosts {
public:
  /// The table of \p Arch, such as "sm_75"; fails if there is none.
  static Result<const HardwareCosts *> get(llvm::StringRef Arch);

  /// "sm_70, sm_75, …": all that get() takes.
  static std::string architectures();

  /// The row of a mnemonic with all its suffixes ("mul.wide.s32"), or null.
  /// `mov` between a register and several narrower ones has the rows
  /// "mov.b64.pack" and "mov.b64.unpack", and such for b32.
  const HardwareCost *find(llvm::StringRef Mnemonic) const;

  /// The same, with one instruction for what has no row.
  HardwareCost cost(llvm::StringRef Mnemonic) const;

  auto begin() const { return Rows.begin(); }
  auto end() const { return Rows.end(); }

private:
  /// \p Column: the place of the architecture in a row of HardwareCosts.def.
  explicit HardwareCosts(unsigned Column);

  llvm::StringMap<HardwareCost> Rows;
};

} // namespace regshare

#endif // REGSHARE_CODEGEN_NATIVE_HARDWARECOST_H
