//===- ParserBase.cpp - PTX tokens, constants, variables -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <cstring>

namespace regshare::sim::ptx {

bool ParserBase::errorAt(const Token &At, const std::string &Message) {
  if (!Failed)
    Error = Diagnostic{Message, M.FileName, At.Line, At.Column};
  Failed = true;
  return false;
}

std::string ParserBase::describe(const Token &T) const {
  switch (T.K) {
  case Token::End:
    return "the end of the file";
  case Token::Bad:
    return std::string(T.Text);
  case Token::DotWord:
    return "'." + std::string(T.Text) + "'";
  case Token::String:
    return "a string";
  default:
    return "'" + std::string(T.Text) + "'";
  }
}

bool ParserBase::accept(char C) {
  if (!Tok.is(C))
    return false;
  advance();
  return true;
}

bool ParserBase::acceptDot(std::string_view Word) {
  if (!Tok.isDot(Word))
    return false;
  advance();
  return true;
}

bool ParserBase::expect(char C) {
  if (accept(C))
    return true;
  if (Tok.K == Token::Bad)
    return error(std::string(Tok.Text));
  return error(std::string("expected '") + C + "', found " + describe(Tok));
}

bool ParserBase::identifier(std::string_view &Name, const char *What) {
  if (Tok.K != Token::Ident)
    return error(std::string("expected ") + What + ", found " + describe(Tok));
  Name = Tok.Text;
  advance();
  return true;
}

bool ParserBase::integer(int64_t &Value) { return constantExpression(Value); }

bool ParserBase::skipToken(const char *Until) {
  if (Tok.K == Token::Bad)
    return error(std::string(Tok.Text));
  if (Tok.K == Token::End)
    return error(std::string("expected '") + Until +
                 "', found the end of the file");
  advance();
  return true;
}

bool ParserBase::constantTerm(int64_t &Value) {
  Nesting Deeper(*this);
  if (!Deeper.isAllowed())
    return false;
  if (accept('-')) {
    if (!constantTerm(Value))
      return false;
    Value = int64_t(-uint64_t(Value));
    return true;
  }
  if (accept('+'))
    return constantTerm(Value);
  if (accept('~')) {
    if (!constantTerm(Value))
      return false;
    Value = ~Value;
    return true;
  }
  if (accept('('))
    return constantExpression(Value) && expect(')');
  if (Tok.K != Token::Int)
    return error("expected an integer constant, found " + describe(Tok));
  Value = int64_t(Tok.Value);
  advance();
  return true;
}

bool ParserBase::constantExpression(int64_t &Value, unsigned MinPrecedence) {
  if (!constantTerm(Value))
    return false;
  while (Tok.K == Token::Punct) {
    constexpr std::string_view Operators = "|^&+-*/%";
    constexpr unsigned Precedences[] = {1, 2, 3, 5, 5, 6, 6, 6};
    char Op = Tok.Text[0];
    size_t Index = Operators.find(Op);
    if (Index == Operators.npos || Precedences[Index] <= MinPrecedence)
      return true;
    advance();
    int64_t Right;
    if (!constantExpression(Right, Precedences[Index]))
      return false;
    uint64_t A = Value, B = Right;
    if ((Op == '/' || Op == '%') && Right == 0)
      return error("division by zero in a constant expression");
    Value = Op == '|'   ? A | B
            : Op == '^' ? A ^ B
            : Op == '&' ? A & B
            : Op == '+' ? A + B
            : Op == '-' ? A - B
            : Op == '*' ? A * B
            : Op == '/' ? (Right == -1 ? -A : uint64_t(Value / Right))
                        : (Right == -1 ? 0 : uint64_t(Value % Right));
  }
  return true;
}

bool ParserBase::skipToSemicolon() {
  while (!Tok.is(';'))
    if (!skipToken(";"))
      return false;
  return expect(';');
}

bool ParserBase::skipBraces() {
  if (!expect('{'))
    return false;
  for (unsigned Open = 1; Open;) {
    Open += Tok.is('{');
    Open -= Tok.is('}');
    if (!skipToken("}"))
      return false;
  }
  return true;
}

bool ParserBase::dimensions(Dim3 &D) {
  uint32_t *Parts[] = {&D.X, &D.Y, &D.Z};
  D = Dim3();
  for (unsigned I = 0; I != 3; ++I) {
    int64_t Value;
    if (!integer(Value))
      return false;
    *Parts[I] = uint32_t(Value);
    if (!accept(','))
      return true;
  }
  return true;
}

/// `.align 8`, `.ptr .global .align 4`, `.attribute(…)`.
bool ParserBase::attributes(Variable &V) {
  while (Tok.K == Token::DotWord) {
    int64_t Value;
    if (acceptDot("align")) {
      if (!integer(Value))
        return false;
      if (Value < 1 || Value > MaxAlign || (Value & (Value - 1)))
        return error("expected a power of two up to " +
                     std::to_string(MaxAlign) + " as alignment, found " +
                     std::to_string(Value));
      V.Align = uint32_t(Value);
    } else if (acceptDot("ptr")) {
      while (Tok.K == Token::DotWord && Tok.Text != "align")
        advance();
      // The alignment of the pointee says nothing about the parameter.
      if (acceptDot("align") && !integer(Value))
        return false;
    } else if (acceptDot("attribute")) {
      if (!expect('('))
        return false;
      while (!Tok.is(')'))
        if (!skipToken(")"))
          return false;
      if (!expect(')'))
        return false;
    } else {
      return true;
    }
  }
  return true;
}

bool ParserBase::variable(Variable &V) {
  V.Line = Tok.Line;
  unsigned Width = 1;
  if (!attributes(V))
    return false;
  if (Tok.isDot("v2") || Tok.isDot("v4")) {
    Width = Tok.Text[1] - '0';
    advance();
  }
  if (Tok.K != Token::DotWord)
    return error("expected a type, found " + describe(Tok));
  if (Tok.Text == "texref" || Tok.Text == "samplerref" || Tok.Text == "surfref")
    return error("texture, sampler and surface references are not supported");
  std::optional<ScalarType> T = parseScalarType(Tok.Text);
  if (!T || *T == ScalarType::Pred)
    return error("'." + std::string(Tok.Text) + "' is not a variable's type");
  advance();
  V.Type = *T;
  V.Align = std::max<uint32_t>(V.Align, sizeOf(*T) * Width);
  return attributes(V) && variableName(V, Width);
}

bool ParserBase::variableName(Variable &V, unsigned Width) {
  std::string_view Name;
  if (!identifier(Name, "a variable's name"))
    return false;
  V.Name = Name;
  V.Size = uint64_t(sizeOf(V.Type)) * Width;
  while (accept('[')) {
    int64_t Count = 0;
    if (!Tok.is(']') && !integer(Count))
      return false;
    if (Count < 0)
      return error("an array's size is negative");
    uint64_t Most = V.Where == Space::Global ? MaxGlobalBytes : MaxOtherBytes;
    if (uint64_t(Count) > Most / std::max<uint64_t>(V.Size, 1))
      return error("'" + V.Name + "' has more than " + std::to_string(Most) +
                   " bytes");
    V.Size *= uint64_t(Count);
    if (!expect(']'))
      return false;
  }
  if (!accept('='))
    return true;
  return initialiser(V);
}

bool ParserBase::initialiser(Variable &V) {
  uint64_t Offset = 0;
  if (Tok.is('{')) {
    if (!initialiserList(V, Offset))
      return false;
  } else if (!initialiserValue(V, Offset)) {
    return false;
  }
  if (V.Size == 0)
    V.Size = Offset;
  if (Offset > V.Size)
    return error("more initialisers than '" + V.Name + "' has elements");
  return true;
}

bool ParserBase::initialiserList(Variable &V, uint64_t &Offset) {
  Nesting Deeper(*this);
  if (!Deeper.isAllowed())
    return false;
  if (!expect('{'))
    return false;
  if (accept('}'))
    return true;
  do {
    if (Tok.is('{') ? !initialiserList(V, Offset)
                    : !initialiserValue(V, Offset))
      return false;
  } while (accept(','));
  return expect('}');
}

bool ParserBase::relocation(Relocation &R) {
  std::string_view Name;
  if (!identifier(Name, "a symbol"))
    return false;
  if (Name == "generic" && accept('(')) {
    R.Generic = true;
    if (!identifier(Name, "a symbol") || !expect(')'))
      return false;
  }
  R.Symbol = Name;
  if (Tok.is('+') || Tok.is('-'))
    return integer(R.Addend);
  return true;
}

bool ParserBase::initialiserValue(Variable &V, uint64_t &Offset) {
  unsigned Size = sizeOf(V.Type);
  Relocation R;
  R.Offset = uint32_t(Offset);
  R.Size = Size;
  uint64_t Bits = 0;
  bool IsRelocation = Tok.K == Token::Ident;
  bool Negative = Tok.is('-');
  if (IsRelocation) {
    if (!relocation(R))
      return false;
  } else {
    if (Negative)
      advance();
    Bits = Tok.Value;
    if (Tok.K == Token::Float32 && V.Type == ScalarType::F32) {
      Bits ^= uint64_t(Negative) << 31;
      advance();
    } else if (Tok.K == Token::Float64 && isFloat(V.Type)) {
      double D;
      std::memcpy(&D, &Bits, sizeof(D));
      D = Negative ? -D : D;
      float Single = float(D);
      if (V.Type == ScalarType::F32)
        std::memcpy(&Bits, &Single, sizeof(Single));
      else
        std::memcpy(&Bits, &D, sizeof(D));
      advance();
    } else {
      int64_t Value;
      if (!integer(Value))
        return false;
      Bits = Negative ? -uint64_t(Value) : uint64_t(Value);
      // `0xFF00(symbol)`: one byte of an address.
      if (accept('(')) {
        IsRelocation = true;
        while (R.Shift < 64 && !(Bits >> R.Shift & 0xFF))
          R.Shift += 8;
        if (!relocation(R) || !expect(')'))
          return false;
      }
    }
  }
  if (IsRelocation) {
    V.Relocations.push_back(R);
  } else {
    V.Init.resize(Offset + Size);
    std::memcpy(V.Init.data() + Offset, &Bits, std::min<size_t>(Size, 8));
  }
  Offset += Size;
  return true;
}

bool ParserBase::parameterList(std::vector<Variable> &List) {
  if (!expect('('))
    return false;
  if (accept(')'))
    return true;
  do {
    Variable V;
    V.Where = Space::Param;
    bool IsReg = Tok.isDot("reg");
    if (IsReg)
      return error("parameters in registers are not supported; use .param");
    if (!acceptDot("param"))
      return error("expected '.param', found " + describe(Tok));
    if (!variable(V))
      return false;
    List.push_back(std::move(V));
  } while (accept(','));
  return expect(')');
}

} // namespace regshare::sim::ptx
