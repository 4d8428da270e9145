//===- regshare/Sim/PTX.h - Parsed PTX -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The syntax of a PTX module with every name resolved: registers, variables,
/// parameters and labels are indices, scoped declarations are gone. What an
/// instruction means is the decoder's business (Program.h).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_PTX_H
#define REGSHARE_SIM_PTX_H

#include "regshare/Base/Result.h"
#include "regshare/Sim/Types.h"

#include <memory>
#include <string>
#include <vector>

namespace regshare::sim::ptx {

/// A symbol's address inside an initialiser.
struct Relocation {
  uint32_t Offset = 0; ///< In bytes from the start of the variable.
  uint32_t Size = 8;   ///< Bytes to fill.
  std::string Symbol;
  int64_t Addend = 0;
  bool Generic = false; ///< generic(sym): the generic address.
  unsigned Shift = 0;   ///< For `0xFF00(sym)`: bits to shift the address right.
};

/// A variable or parameter.
struct Variable {
  std::string Name;
  Space Where = Space::Global;
  ScalarType Type = ScalarType::B8;
  uint32_t Align = 1;
  uint64_t Size = 0; ///< In bytes; 0 for an `extern` array without bounds.
  bool Extern = false;
  std::vector<uint8_t> Init; ///< Shorter than Size: the rest is zero.
  std::vector<Relocation> Relocations;
  unsigned Line = 0;
};

/// A register that a function declares.
struct Register {
  std::string Name; ///< With its '%', as written.
  ScalarType Type = ScalarType::B32;
  bool InBlock = false;       ///< Declared in a { } of its own.
  uint32_t PragmasBefore = 0; ///< Pragmas of the function so far.
};

/// An operand of an instruction.
struct Operand {
  /// What it is, and which fields say it.
  enum Kind : uint8_t {
    Reg,     ///< Index: register.
    Special, ///< Name: "%tid.x".
    Int,     ///< Value.
    Float32, ///< Value holds the bits.
    Float64, ///< Value holds the bits.
    Symbol,  ///< Name, or Index of a local variable if >= 0; plus Value.
    Label,   ///< Index: instruction number.
    Address, ///< [Elements[0] + Value]; with Elements[1]: coordinates
    Vector,  ///< {Elements}
    Pair,    ///< p|q: Elements
    List,    ///< (a, b): Elements, of a call
    Sink,    ///< _
  };
  Kind K = Int;
  bool Negated = false; ///< !p
  int32_t Index = -1;
  int64_t Value = 0;
  std::string_view Name;
  std::vector<Operand> Elements;
};

/// An instruction as written.
struct Instruction {
  std::string_view Opcode;            ///< "ld"
  std::vector<std::string_view> Mods; ///< "global", "b32"
  std::vector<Operand> Operands;
  int32_t Guard = -1; ///< Register of the guard predicate.
  bool GuardNegated = false;
  unsigned Line = 0;     ///< In the PTX text.
  unsigned Location = 0; ///< Index into Module::Locations; 0 is none.
  int Block = 0;         ///< The { } it is in, the body being 0.
  std::string_view Text; ///< The statement as written.

  bool has(std::string_view Mod) const;
};

/// A `.pragma` string of a function body and the instruction it precedes. The
/// strings that take effect where they stand, as `regshare.acquire`, are
/// instructions as well, whose opcode is that word.
struct Pragma {
  uint32_t Before = 0;
  std::string Text;
  unsigned Line = 0;
};

/// `name: .branchtargets a, b;`
struct TargetTable {
  std::string Name;
  std::vector<uint32_t> Targets;
};

/// `name: .callprototype (ret) _ (params);`
struct Prototype {
  std::string Name;
  std::vector<Variable> Returns, Params;
};

/// A function, or a kernel.
struct Function {
  std::string Name;
  bool IsEntry = false;
  bool HasBody = false;
  unsigned Line = 0;
  std::vector<Variable> Returns, Params;
  std::vector<Register> Registers;
  /// Body-level variables: .local, .shared, and the .param of call sequences.
  std::vector<Variable> Locals;
  std::vector<Instruction> Body;
  std::vector<Pragma> Pragmas;
  std::vector<TargetTable> Tables;
  std::vector<Prototype> Prototypes;
  Dim3 MaxThreads{0, 0, 0};  ///< .maxntid; zeros when absent.
  Dim3 ReqThreads{0, 0, 0};  ///< .reqntid; zeros when absent.
  Dim3 ClusterCtas{1, 1, 1}; ///< .reqnctapercluster

  /// Whether some branch goes to it, for each instruction and for the end.
  std::vector<bool> branchTargets() const;
};

/// A place in a source, by `.loc`.
struct Location {
  unsigned File = 0, Line = 0, Column = 0;
};

/// A PTX file.
struct Module {
  /// Keeps alive what the string views point into.
  std::shared_ptr<const std::string> Text;
  std::string FileName;
  std::string Target;  ///< "sm_75"
  std::string Version; ///< "8.8"
  std::vector<Variable> Variables;
  std::vector<Function> Functions;
  std::vector<Location> Locations; ///< Entry 0 is "none".
  std::vector<std::pair<unsigned, std::string>> Files;

  const Function *find(std::string_view Name) const;
  /// "file.cu:12", or an empty string.
  std::string describeLocation(unsigned Index) const;
};

/// Parses a PTX module. Fails with file, line and column on anything that is
/// not PTX or not supported.
Result<Module> parse(std::string Text, std::string FileName);

} // namespace regshare::sim::ptx

#endif // REGSHARE_SIM_PTX_H
