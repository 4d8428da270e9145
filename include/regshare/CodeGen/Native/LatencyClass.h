//===- LatencyClass.h - How long results of hardware take -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The class of an instruction by how long its result takes, and the cycles of
/// each class for an architecture. NVPTX instructions are told by name, once
/// for a target.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NATIVE_LATENCYCLASS_H
#define REGSHARE_CODEGEN_NATIVE_LATENCYCLASS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <vector>

namespace llvm {
class MachineInstr;
class TargetInstrInfo;
} // namespace llvm

namespace regshare {

/// Results that take the same time, if it is fixed.
enum class LatencyClass : uint8_t {
  None, ///< No result that anybody waits for.
  Integer,
  Float, ///< The FMA pipe: float arithmetic and integer multiplication.
  Predicate,
  Half,
  Double,
  Special, ///< Special functions, conversions, bit counts, special registers.
  Division,
  Shuffle, ///< And votes.
  SharedLoad,
  ConstantLoad,
  GlobalLoad, ///< And local loads, and textures.
  Atomic,
  Count,
};

/// The classes of a target's instructions.
class LatencyClasses {
public:
  /// The table, made at the first call: every NVPTX target has the same
  /// opcodes.
  static const LatencyClasses &get(const llvm::TargetInstrInfo &TII);

  LatencyClass of(const llvm::MachineInstr &MI) const;

private:
  explicit LatencyClasses(const llvm::TargetInstrInfo &TII);
  static LatencyClass classOf(llvm::StringRef Name);

  struct Facts {
    LatencyClass Class = LatencyClass::Integer;
    bool IsLoad = false; ///< Its class depends on its address space.
  };
  std::vector<Facts> Table; // by opcode
};

/// Cycles from an instruction to one that reads its result, by class.
using LatencyTable = std::array<uint16_t, unsigned(LatencyClass::Count)>;

/// The latencies of `sm_NN`; fails for one without a table, and says which have
/// one.
llvm::Expected<LatencyTable> latenciesOf(llvm::StringRef Architecture);

} // namespace regshare

#endif // REGSHARE_CODEGEN_NATIVE_LATENCYCLASS_H
