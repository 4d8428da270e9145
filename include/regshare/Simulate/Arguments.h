//===- regshare/Simulate/Arguments.h - Kernel arguments as text -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The grammar in which a user gives a kernel its arguments:
///
///     5   i32:5   f32:1.5   hex:00ff   null
///     buf:f32*1024=iota   buf:i32=1,2,3   ref:0+16   freed:f32*1024
///
/// docs/simulate.md explains it; argumentGrammar() is its only declaration.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIMULATE_ARGUMENTS_H
#define REGSHARE_SIMULATE_ARGUMENTS_H

#include "regshare/Base/Result.h"
#include "regshare/Sim/Launch.h"

#include <string>
#include <string_view>
#include <vector>

namespace regshare {

/// A line of the grammar, for --help.
struct GrammarRule {
  const char *Form;
  const char *Meaning;
};
/// The grammar, for help.
const std::vector<GrammarRule> &argumentGrammar();

/// An argument as the user wrote it, read but not yet placed in memory.
struct Argument {
  /// What it is.
  enum Kind {
    Scalar,    ///< Bytes is the value, of type Type.
    Raw,       ///< Bytes is the value, of no type.
    Buffer,    ///< The address of Count elements of Type.
    Freed,     ///< The address of such a buffer that exists no more.
    Reference, ///< The address of another argument's buffer, plus Offset.
    Number,    ///< A scalar of the parameter's type, which Text spells.
  };
  Kind K = Scalar;
  sim::ScalarType Type = sim::ScalarType::None;
  std::vector<uint8_t> Bytes; ///< Of a buffer: all of its initial contents.
  uint64_t Count = 0;
  unsigned Target = 0; ///< Of a reference: an argument's number.
  int64_t Offset = 0;  ///< Of a reference, in bytes.
  std::string Text;    ///< As the user wrote it.

  bool isAddress() const { return K == Buffer || K == Freed || K == Reference; }
};

/// Reads one argument. Errors show the text with a caret below the place where
/// it goes wrong, and what was expected there.
Result<Argument> parseArgument(std::string_view Text);

/// Reads the contents of \p Count elements of \p Type ("iota", "1,2,3",
/// "@file", …; what stands after the '=' of a buffer). Delivers fewer elements
/// than \p Count if the text lists fewer. \p Count 0: as many as it lists.
Result<std::vector<uint8_t>> parseContents(sim::ScalarType Type, uint64_t Count,
                                           std::string_view Text);

/// Gives every Number the type of its parameter, and checks the others: how
/// many, their sizes, no floating-point number for an integer or the other way
/// round, references to buffers only.
Result<void> fitArguments(const sim::Function &Kernel,
                          std::vector<Argument> &Arguments);

} // namespace regshare

#endif // REGSHARE_SIMULATE_ARGUMENTS_H
