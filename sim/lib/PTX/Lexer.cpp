//===- Lexer.cpp - PTX tokens -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

namespace regshare::sim::ptx {

static bool isWordChar(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_' || C == '$' || C == '%';
}

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

void Lexer::bad(Token &T, std::string_view Why) {
  T.K = Token::Bad;
  T.Text = Why;
}

/// Skips white space and comments. True if a comment turned out to be LLVM's
/// note that a register starts out undefined: the check for reads of registers
/// that were never written has to know.
bool Lexer::skipBlank(Token &T) {
  while (Pos < Source.size()) {
    char C = Source[Pos];
    if (C == '\n') {
      ++Line;
      LineStart = ++Pos;
    } else if (C == ' ' || C == '\t' || C == '\r' || C == '\f' || C == '\v') {
      ++Pos;
    } else if (C == '/' && at(1) == '/') {
      size_t End = std::min(Source.find('\n', Pos), Source.size());
      std::string_view Comment = Source.substr(Pos, End - Pos);
      Pos = End;
      constexpr std::string_view Note = "// implicit-def: ";
      if (Comment.starts_with(Note)) {
        Comment.remove_prefix(Note.size());
        size_t N = 0;
        while (N < Comment.size() && isWordChar(Comment[N]))
          ++N;
        T.K = Token::ImplicitDef;
        T.Text = Comment.substr(0, N);
        return true;
      }
    } else if (C == '/' && at(1) == '*') {
      size_t End = Source.find("*/", Pos + 2);
      if (End == Source.npos) {
        bad(T, "comment without an end");
        Pos = Source.size();
        return true;
      }
      for (; Pos < End + 2; ++Pos)
        if (Source[Pos] == '\n') {
          ++Line;
          LineStart = Pos + 1;
        }
    } else {
      break;
    }
    T.SpaceBefore = true;
  }
  return false;
}

void Lexer::lexDecimalFloat(Token &T) {
  std::string Digits(Source.substr(Pos, 64));
  char *End = nullptr;
  double Value = std::strtod(Digits.c_str(), &End);
  size_t Length = End - Digits.c_str();
  T.K = Token::Float64;
  T.Text = Source.substr(Pos, Length);
  std::memcpy(&T.Value, &Value, sizeof(Value));
  Pos += Length;
}

void Lexer::lexNumber(Token &T) {
  size_t Start = Pos;
  int Base = 10;
  T.K = Token::Int;
  if (at() == '0') {
    char C = at(1);
    if (C == 'f' || C == 'F' || C == 'd' || C == 'D') {
      bool Single = C == 'f' || C == 'F';
      unsigned Want = Single ? 8 : 16;
      const char *First = Source.data() + Pos + 2;
      const char *Last = First;
      while (Last < Source.data() + Source.size() && isxdigit(*Last))
        ++Last;
      if (Last != First + Want)
        return bad(T, "a floating-point constant has 8 (0f) or 16 (0d) "
                      "hexadecimal digits");
      std::from_chars(First, Last, T.Value, 16);
      T.K = Single ? Token::Float32 : Token::Float64;
      Pos += 2 + Want;
      T.Text = Source.substr(Start, Pos - Start);
      return;
    }
    if (C == 'x' || C == 'X')
      Base = 16, Pos += 2;
    else if (C == 'b' || C == 'B')
      Base = 2, Pos += 2;
    else if (isDigit(C))
      Base = 8, Pos += 1;
  }
  if (Base == 10) {
    size_t N = 0;
    while (isDigit(at(N)))
      ++N;
    if ((at(N) == '.' && isDigit(at(N + 1))) || at(N) == 'e' || at(N) == 'E')
      return lexDecimalFloat(T);
  }
  auto [Next, Ec] = std::from_chars(
      Source.data() + Pos, Source.data() + Source.size(), T.Value, Base);
  if (Ec != std::errc())
    return bad(T, "bad integer constant");
  Pos = Next - Source.data();
  if (at() == 'U' || at() == 'u')
    ++Pos;
  T.Text = Source.substr(Start, Pos - Start);
  if (isWordChar(at()))
    bad(T, "bad integer constant");
}

void Lexer::lexWord(Token &T, bool AllowColons) {
  size_t Start = Pos;
  while (isWordChar(at()) ||
         (AllowColons && at() == ':' && at(1) == ':' && isWordChar(at(2))))
    Pos += at() == ':' ? 2 : 1;
  T.Text = Source.substr(Start, Pos - Start);
}

Token Lexer::next() {
  Token T;
  bool Special = skipBlank(T);
  T.Line = Line;
  T.Column = unsigned(Pos - LineStart) + 1;
  if (Special || Pos >= Source.size())
    return T;
  char C = at();
  if (isDigit(C)) {
    lexNumber(T);
    // One error for all of it, and never none of it.
    while (T.K == Token::Bad && isWordChar(at()))
      ++Pos;
  } else if (isWordChar(C)) {
    T.K = Token::Ident;
    lexWord(T, false);
  } else if (C == '.' && isWordChar(at(1))) {
    ++Pos;
    T.K = Token::DotWord;
    lexWord(T, true);
  } else if (C == '"') {
    size_t End = Source.find('"', Pos + 1);
    if (End == Source.npos) {
      bad(T, "string without an end");
      Pos = Source.size();
      return T;
    }
    T.K = Token::String;
    T.Text = Source.substr(Pos + 1, End - Pos - 1);
    Pos = End + 1;
  } else {
    T.K = Token::Punct;
    T.Text = Source.substr(Pos++, 1);
  }
  return T;
}

} // namespace regshare::sim::ptx
