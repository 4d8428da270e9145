//===- ControlCode.h - Code as dependences see it ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Native code as the control of dependences sees it: which instructions issue,
/// of which class they are, and what they read and write. regshare-control and
/// its verifier both start from this, and from nothing of each other.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NATIVE_CONTROLCODE_H
#define REGSHARE_CODEGEN_NATIVE_CONTROLCODE_H

#include "regshare/Base/ArchReg.h"
#include "regshare/Base/Control.h"
#include "regshare/Base/FixedLatency.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace regshare {

/// What instructions depend on each other by: 32-bit units of registers, then
/// predicates, uniform registers, and the address of a thread's local memory.
using Access = uint16_t;
inline constexpr Access FirstPredicate = MaxArchUnits;
inline constexpr Access FirstUniform = FirstPredicate + NumPredicates;
inline constexpr Access FrameAddress = FirstUniform + MaxUniformUnits;
/// "R5", "P0", "U3".
std::string nameOfAccess(Access A);

/// A register that an instruction reads, and the operand slot that it does so
/// in (regshare/Base/Reuse.h).
struct OperandRead {
  Access Row = 0;
  unsigned Slot = 0;
};

/// What issues as one: an instruction or a group.
struct ControlUnit {
  /// What else it waits for.
  enum Kind : uint8_t {
    Ordinary,
    Drains, ///< It waits until nothing of the warp is under way: a call.
    Serial, ///< Inline PTX of several instructions, each of which does.
  };
  Kind Is = Ordinary;
  IssueClass Class = IssueClass::Guard;
  /// A pipe executes it: it can raise counters, and its results take time.
  bool HasPipe = false;
  bool IsGuarded = false;    ///< It may execute or not, or is a branch.
  bool IsInline = false;     ///< Inline PTX, whose operands' order is its own.
  bool MeetsLanes = false;   ///< It may wait for other lanes of the warp.
  unsigned Slots = 1;        ///< 0: hardware has no such instruction.
  unsigned Instructions = 1; ///< Of inline PTX.
  /// Cycles to its results, where these take no fixed time, as is expected.
  unsigned Expected = 0;
  std::vector<Access> Reads, Writes;
  std::vector<OperandRead> Operands; ///< Of those that have slots.
  Control Says;
  unsigned Reuse = 0; ///< A mask of slots whose operands are kept.
  const llvm::MachineInstr *At = nullptr;

  /// It waits for the unit that computes it for a time that nobody knows.
  bool isDecoupled() const { return HasPipe && !hasFixedLatency(Class); }
  bool isFixed() const { return HasPipe && hasFixedLatency(Class); }
  /// It takes operands out of the register-file cache, and can keep them.
  bool looksForOperands() const {
    return isFixed() && Slots == 1 && Class != IssueClass::Uniform;
  }
  /// Nothing is kept across it: what the sub-core reads in the meantime is not
  /// known, or other lanes may run.
  bool endsReuse() const {
    return Is != Ordinary || IsInline || MeetsLanes || Slots > 1 ||
           (Slots && !HasPipe);
  }
};

/// A basic block.
struct ControlBlock {
  std::vector<ControlUnit> Units;
  std::vector<unsigned> Successors;
};

/// The blocks of a function; it begins with the first.
using ControlCode = std::vector<ControlBlock>;

/// Cycles from the issue of \p Writer, of fixed latency, to the first issue of
/// \p Reader, which reads \p A.
inline unsigned cyclesToRead(const FixedLatencies &L, IssueClass Writer,
                             const ControlUnit &Reader, Access A) {
  bool IsPredicate = A >= FirstPredicate && A < FirstUniform;
  return L.cycles(Writer,
                  IsPredicate && Reader.IsGuarded ? IssueClass::Guard
                                                  : Reader.Class,
                  IsPredicate);
}

/// The same to the first issue of \p Writer2, which overwrites the result: its
/// own comes later. 0: whenever it issues.
inline unsigned cyclesToOverwrite(const FixedLatencies &L, IssueClass Writer,
                                  const ControlUnit &Writer2) {
  if (!hasFixedLatency(Writer2.Class))
    return 0;
  unsigned Before = L.cycles(Writer, Writer, false);
  unsigned Own = L.cycles(Writer2.Class, Writer2.Class, false);
  return Before > Own ? Before - Own + 1 : 0;
}

} // namespace regshare

#endif // REGSHARE_CODEGEN_NATIVE_CONTROLCODE_H
