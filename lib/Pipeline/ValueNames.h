//===- ValueNames.h - What the source calls values --------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Debug information says of a place in the code which register holds a
/// variable. Assignment gives registers to other values, so what it says is
/// noted before: for each definition, the variables that it reaches. The
/// instruction's debug number is the key, which stays with it from then on and
/// no copy of it gets.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_PIPELINE_VALUENAMES_H
#define REGSHARE_LIB_PIPELINE_VALUENAMES_H

#include "regshare/Pipeline/PeakValues.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Argument;
class FunctionPass;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

class ValueNames {
public:
  using Names = llvm::SmallVector<ValueName, 1>;
  /// By function and index of a virtual register; empty for none.
  using RegisterNames = llvm::StringMap<std::vector<std::string>>;

  /// \p Registers: of an input that has names for registers, which are its
  /// variables. Outlives this.
  explicit ValueNames(const RegisterNames &Registers) : Registers(Registers) {}

  /// Notes the names of a function's values, and gives their definitions
  /// numbers.
  void note(llvm::MachineFunction &MF);

  /// Those of the value that an operand of \p MI defines.
  llvm::ArrayRef<ValueName> of(const llvm::MachineInstr &MI,
                               unsigned Operand) const;

private:
  using Key = std::pair<unsigned, unsigned>; ///< Debug number and operand.
  using Table = llvm::DenseMap<Key, Names>;
  void noteRegisters(llvm::MachineFunction &MF, Table &T) const;

  const RegisterNames &Registers;
  llvm::StringMap<Table> ByFunction;
};

/// What the source calls \p Bytes bytes of a kernel's parameter, from the byte
/// \p Offset on; empty without debug information.
std::string nameOfParameter(const llvm::Argument &A, uint64_t Offset,
                            uint64_t Bytes);

/// Notes names while a pipeline runs.
llvm::FunctionPass *createNoteNamesPass(std::shared_ptr<ValueNames> Names);

} // namespace regshare

#endif // REGSHARE_LIB_PIPELINE_VALUENAMES_H
