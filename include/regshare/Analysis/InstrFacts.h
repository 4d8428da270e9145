//===- regshare/Analysis/InstrFacts.h - How instructions make values diverge -
//-*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the result of an NVPTX instruction can differ between the lanes of a
/// warp. LLVM's own uniformity analysis calls everything uniform for NVPTX, so
/// the sources of divergence are ours to name. All knowledge of opcode names
/// that the analyses need stands here.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_INSTRFACTS_H
#define REGSHARE_ANALYSIS_INSTRFACTS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace llvm {
class MCInstrDesc;
class MachineFunction;
class MachineInstr;
class TargetInstrInfo;
} // namespace llvm

namespace regshare {

/// When the lanes that execute an instruction together can get different
/// results.
enum class ResultDivergence : uint8_t {
  Never,      ///< The same for all of them, whatever the operands.
  AsLanes,    ///< If their last operand, the set of lanes asked, differs.
  AsOperands, ///< If they can read different operands.
  Always,     ///< Even from the same operands.
};

/// What the analyses have to know of single instructions, by opcode.
class InstrFacts {
public:
  /// The table, made at the first call: every NVPTX target has the same
  /// opcodes.
  static const InstrFacts &get(const llvm::MachineFunction &MF);

  ResultDivergence resultDivergence(const llvm::MachineInstr &MI) const;
  /// A point at which the warps of a CTA wait for each other.
  bool isBarrier(const llvm::MachineInstr &MI) const;
  /// Of a barrier: all lanes of the warp that are left execute it together.
  bool isAlignedBarrier(const llvm::MachineInstr &MI) const;
  /// A barrier at which the lanes of a warp may arrive one after the other.
  bool isLooseBarrier(const llvm::MachineInstr &MI) const {
    return isBarrier(MI) && !isAlignedBarrier(MI);
  }
  /// Waits until memory has taken what the warp did, or for some time.
  bool isFence(const llvm::MachineInstr &MI) const;
  /// Reads a cycle counter or a timer; what inline PTX reads, its text tells.
  bool readsClock(const llvm::MachineInstr &MI) const;
  /// Inline PTX that computes registers from registers and does nothing else,
  /// as far as its text tells.
  bool isPlainArithmetic(const llvm::MachineInstr &InlinePTX) const;

  /// Lanes can stop there until others of their warp come: barriers, and what
  /// is warp-synchronous.
  bool canStopLanes(const llvm::MachineInstr &MI) const;

  /// Takes long or differently long: loads and atomics that go beyond the SM or
  /// may, texture fetches, and points at which warps wait.
  bool isLongLatency(const llvm::MachineInstr &MI) const;

  /// Its results are waited for where they are named: they are on their way
  /// when the warp goes on.
  bool comesLate(const llvm::MachineInstr &MI) const;

  /// It loads what a call has returned, which the reference SM keeps in local
  /// memory.
  bool isReturnedValue(const llvm::MachineInstr &MI) const;

  /// May access the shared memory of its CTA: what does not go to another space
  /// for certain, generic accesses, asynchronous copies, calls and inline PTX
  /// that is not plain arithmetic among it.
  bool mayAccessShared(const llvm::MachineInstr &MI) const;

  /// The warp may wait there for something other than what \p MI names:
  /// barriers, fences, calls, and inline PTX that is not plain arithmetic.
  bool mayWait(const llvm::MachineInstr &MI) const;
  /// The same, or lanes of it may stop.
  bool mayPark(const llvm::MachineInstr &MI) const {
    return mayWait(MI) || canStopLanes(MI);
  }

private:
  explicit InstrFacts(const llvm::TargetInstrInfo &TII);

  struct Facts {
    ResultDivergence Result = ResultDivergence::AsOperands;
    /// A load whose address space stands in an operand.
    bool IsLoad = false;
    bool IsBarrier = false;
    bool IsAligned = false;
    bool IsFence = false;
    bool ReadsClock = false;
    bool IsLongLatency = false;  ///< Whatever the address space.
    bool MayWait = false;        ///< For others than the warp's own lanes.
    bool AccessesMatrix = false; ///< Loads or stores one, for the whole warp.
    bool MayAccessShared = false;
    /// Of a load or store whose address space stands in an operand: that
    /// operand, if only that tells.
    uint8_t SpaceOperand = 0;
  };
  static Facts factsOf(llvm::StringRef Name);
  static void noteSharedAccess(Facts &F, llvm::StringRef Name,
                               const llvm::MCInstrDesc &Desc);
  ResultDivergence loadDivergence(const llvm::MachineInstr &MI) const;

  std::vector<Facts> Table; // by opcode
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_INSTRFACTS_H
