//===- NativeDecoder.h - Groups and constants of native code ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What native code says beyond PTX (docs/annotated-ptx.md): which values take
/// no register, and what hardware makes of an instruction.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DECODE_NATIVEDECODER_H
#define REGSHARE_SIM_DECODE_NATIVEDECODER_H

#include "regshare/Base/Control.h"
#include "regshare/Base/Reuse.h"
#include "regshare/Sim/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace regshare::sim {

/// Where the value of a PTX register is.
enum class NativePlace : uint8_t { Register, Constant, Folded, Uniform };

/// What statements before an instruction say of it.
struct NativeStatements {
  uint32_t Before = 0; ///< Index into ptx::Function::Body.
  unsigned Line = 0;
  std::optional<Control> Says = {};
  std::optional<unsigned> Reuse = {}; ///< A mask of operand slots.
  std::optional<unsigned> Slots = {};
  std::vector<unsigned> Scratch = {}; ///< Registers.
};

/// What the statements of a function say of its native code.
struct NativeLayout {
  unsigned HardwareInstructions = 0;
  std::vector<NativePlace> PlaceOf; ///< By register.
  std::vector<NativeStatements> Statements;
  /// By register, the first of its uniform registers, and the end of all.
  std::vector<uint32_t> UniformUnits = {};
  uint32_t NumUniform = 0;
};

/// Gives the folded values of a function rows from \p FirstRow and predicates
/// from \p FirstPred on, so that those of one group have places of their own;
/// returns the ends of both. Values that never meet share a place.
std::pair<uint32_t, uint32_t> placeFolded(const ptx::Function &F,
                                          const NativeLayout &Native,
                                          uint32_t FirstRow, uint32_t FirstPred,
                                          std::vector<uint32_t> &Places);

/// An instruction and what it reads, while the function is decoded.
struct NativeOperands {
  Inst &I;
  const ptx::Instruction &Syntax;
  std::vector<uint32_t> &Reads;   ///< As in Function::Accesses.
  std::vector<int32_t> &ReadRegs; ///< The PTX register of each.
  std::vector<uint32_t> &Writes;
};

/// Checks the native code of a function, instruction by instruction, and makes
/// groups of it. Members that return a bool return false once an error is
/// recorded.
class NativeDecoder {
public:
  NativeDecoder(const ptx::Function &Syntax, NativeLayout Layout);

  /// The next one is Body[\p Number], an instruction unless \p IsStatement.
  bool comesTo(uint32_t Number, bool IsStatement);
  /// The function is over.
  bool end();
  /// Folded instructions wait for what reads them.
  bool inGroup() const { return !Members.empty(); }
  NativePlace placeOf(int32_t Reg) const { return Layout.PlaceOf[size_t(Reg)]; }

  /// The instruction reads or writes a register that has no architected one.
  bool reads(int32_t Reg);
  bool writes(int32_t Reg);
  /// It writes one that has.
  void writesRegister() { HasRegister = true; }
  /// It writes a uniform register.
  void writesUniform() { HasUniform = true; }

  /// What it is; all its operands have been seen.
  enum Role : uint8_t { Ordinary, Constant, Folded };
  Role role() const {
    return !Results.empty() ? Role(placeOf(Results.front())) : Ordinary;
  }
  /// Makes it the definition of a constant.
  bool define(const Function &F, const NativeOperands &O);
  /// Makes it a member of the group that the next ordinary one ends.
  bool fold(const NativeOperands &O);
  /// Gives an ordinary one of \p F the members before it.
  bool close(const NativeOperands &O, Function &F, NativeInst &Out);

  /// The definitions of all constants, each after those that it reads.
  bool takeConstants(std::vector<Inst> &Out);

  const std::string &error() const { return Error; }
  /// Of the error; 0: of the instruction that is being decoded.
  unsigned errorLine() const { return ErrorLine; }

private:
  struct Definition {
    Inst I;
    std::vector<int32_t> Reads, Results;
    unsigned Line;
    bool IsFrame;      ///< The address of a variable in the thread's frame.
    bool IsOffset;     ///< It adds a number to a constant.
    bool KeepsAddress; ///< Of an address in the frame it makes another.
  };
  struct Member {
    Inst I;
    const ptx::Instruction *Syntax;
    std::vector<int32_t> Results;
  };

  bool fail(std::string Message, unsigned Line = 0);
  std::string quoted(int32_t Reg) const;
  bool resultsAgree();
  bool isConstantOperand(const ptx::Operand &O, bool IsEntry) const;
  bool isUniformOperand(const ptx::Operand &O, bool IsEntry) const;
  bool readsUniform(const ptx::Instruction &I, bool IsEntry) const;
  bool closeUniform(const NativeOperands &O, const Function &F);
  bool checkSlots(const Inst &I, unsigned Slots);
  bool addScratch(const NativeOperands &O, NativeInst &Out);
  bool addControl(const Inst &I, NativeInst &Out);
  bool addReuse(const NativeOperands &O, uint32_t NumRows, NativeInst &Out);
  bool joinReads(const NativeOperands &O, uint32_t NumRows);
  bool allAreRead();

  const ptx::Function &Syntax;
  NativeLayout Layout;
  std::vector<bool> IsTarget; ///< By instruction of the text, of some branch.
  size_t NextStatement = 0;   ///< Of Layout.Statements.
  const NativeStatements *Said = nullptr; ///< Of the group.
  unsigned SerialLeft = 0;                ///< Instructions that are serial.

  // Of the instruction that is being decoded.
  std::vector<int32_t> ReadValues, Results; ///< Without a register.
  bool HasRegister = false;                 ///< Some result has one.
  bool HasUniform = false;                  ///< Some result has a uniform one.

  // Of the group.
  std::vector<Member> Members;
  std::vector<uint32_t> Reads; ///< Of the members.
  std::vector<int32_t> ReadRegs;
  uint32_t Group = 0; ///< Its number.

  /// By register: the group that has written a folded value, from 1 on.
  std::vector<uint32_t> WrittenIn;
  std::vector<bool> IsRead;    ///< By register, of folded values.
  std::vector<bool> IsDefined; ///< By register, of constants.
  std::vector<Definition> Definitions;
  /// Constants that are read, and where first.
  std::vector<std::pair<int32_t, unsigned>> ReadConstants;
  std::string Error;
  unsigned ErrorLine = 0;
  unsigned Line = 0; ///< Of the instruction.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_DECODE_NATIVEDECODER_H
