//===- RandomMachineFunction.h - Machine functions for property tests -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_RANDOMMACHINEFUNCTION_H
#define REGSHARE_UNITTESTS_SUPPORT_RANDOMMACHINEFUNCTION_H

#include "FuzzIterations.h"

#include "regshare/Base/ArchReg.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace regshare::test {

/// A register of a model function. In architected functions Index is that of
/// the first unit (or of the predicate), in virtual ones the number of the
/// virtual register, which has one kind only.
struct ModelReg {
  RegKind Kind;
  unsigned Index;
  friend auto operator<=>(ModelReg, ModelReg) = default;
};

/// What an instruction does to values; how it is spelled depends on the kind
/// of its first register too.
enum class ModelOp : uint8_t {
  Constant,
  LaneId,    ///< A number that differs from lane to lane.
  Move,      ///< From a register of the same kind.
  Combine,   ///< Two registers of the result's kind.
  Convert,   ///< From a register of another kind.
  Compare,   ///< Two registers to a predicate.
  Select,    ///< Two registers by a predicate.
  Ballot,    ///< The predicate of all lanes that execute it together.
  Load,      ///< From global memory, at a 64-bit address.
  LoadLocal, ///< From the lane's own memory.
  LoadGroup, ///< Two or four aligned registers at once.
  Store,
  StoreGroup,
};

struct ModelInstr {
  ModelOp Op;
  std::vector<ModelReg> Defs, Uses;
};

struct ModelBlock {
  std::vector<ModelInstr> Instrs;
  /// None: the function returns. One: a jump. Two: a branch on Condition, a
  /// predicate, taken to the first. More: a switch on it, a 32-bit index.
  std::vector<unsigned> Succs;
  std::optional<ModelReg> Condition;

  /// What the terminator reads.
  std::vector<ModelReg> terminatorUses() const {
    return Condition ? std::vector{*Condition} : std::vector<ModelReg>();
  }
};

/// A function in a form that tests can work on without LLVM. Block 0 is the
/// entry and has no predecessors; every block is reached; no register is read
/// that some path has not written (but maybe overwritten since, where
/// registers overlap: a half of a pair, a pair by its halves).
struct ModelFunction {
  bool Virtual = false;
  std::vector<ModelBlock> Blocks;

  /// The blocks as MIR: instruction i of a block is the model's, terminators
  /// follow.
  std::string mir() const;
};

struct RandomFunctionOptions {
  uint64_t Seed = 0;
  unsigned Blocks = 8;         ///< About so many.
  unsigned InstrsPerBlock = 4; ///< At most, before repairs.
  /// Architected: units R0…, at least 4. Virtual: registers of each kind.
  unsigned Registers = 8;
  unsigned Preds = 3;   ///< At most 7 where architected.
  bool Virtual = false; ///< Virtual registers in place of architected ones.
  /// Nested ifs, loops and switches; otherwise any graph, irreducible ones and
  /// endless loops included.
  bool Structured = false;
};

/// Sizes and kinds of graphs that vary with \p Seed, which they come with.
RandomFunctionOptions variedOptions(uint64_t Seed);

ModelFunction makeRandomFunction(const RandomFunctionOptions &Options);

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_RANDOMMACHINEFUNCTION_H
