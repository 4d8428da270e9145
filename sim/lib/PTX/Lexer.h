//===- Lexer.h - PTX tokens -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_PTX_LEXER_H
#define REGSHARE_SIM_PTX_LEXER_H

#include "regshare/Base/Result.h"

#include <cstdint>
#include <string_view>

namespace regshare::sim::ptx {

struct Token {
  enum Kind : uint8_t {
    End,
    Ident,       ///< name, %name, $name
    DotWord,     ///< ".b32"; Text is without the dot
    Int,         ///< Value
    Float32,     ///< Value holds the bits
    Float64,     ///< Value holds the bits
    String,      ///< Text is without the quotes
    Punct,       ///< one character
    ImplicitDef, ///< LLVM's "// implicit-def: %r1"; Text is the register
    Bad,         ///< Text says what is wrong
  };
  Kind K = End;
  bool SpaceBefore = false;
  std::string_view Text;
  uint64_t Value = 0;
  unsigned Line = 1, Column = 1;

  bool is(char C) const { return K == Punct && Text[0] == C; }
  bool isDot(std::string_view Word) const {
    return K == DotWord && Text == Word;
  }
};

class Lexer {
public:
  explicit Lexer(std::string_view Source) : Source(Source) {}
  Token next();
  size_t position() const { return Pos; }

private:
  bool skipBlank(Token &T);
  void lexNumber(Token &T);
  void lexDecimalFloat(Token &T);
  void lexWord(Token &T, bool AllowColons);
  void bad(Token &T, std::string_view Why);
  char at(size_t Ahead = 0) const {
    return Pos + Ahead < Source.size() ? Source[Pos + Ahead] : '\0';
  }

  std::string_view Source;
  size_t Pos = 0;
  size_t LineStart = 0;
  unsigned Line = 1;
};

} // namespace regshare::sim::ptx

#endif // REGSHARE_SIM_PTX_LEXER_H
