//===- FunctionParser.cpp - PTX function bodies -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "regshare/Base/Scheme.h"

#include <charconv>

namespace regshare::sim::ptx {

bool FunctionParser::body(Function &Fn) {
  F = &Fn;
  Fn.HasBody = true;
  Scopes.assign(1, Scope());
  InstructionScopes.clear();
  PendingTables.clear();
  Current = 0;
  CurrentLocation = 0;
  if (!expect('{'))
    return false;
  while (true) {
    if (Tok.is('}') && Current == 0)
      break;
    if (!statement())
      return false;
  }
  advance();
  return resolveLabels();
}

bool FunctionParser::statement() {
  switch (Tok.K) {
  case Token::Bad:
    return error(std::string(Tok.Text));
  case Token::End:
    return error("expected '}' at the end of '" + F->Name + "'");
  case Token::ImplicitDef: {
    Instruction I;
    I.Opcode = "implicit-def";
    I.Line = Tok.Line;
    I.Text = Tok.Text;
    I.Block = Current;
    Operand O;
    O.K = Operand::Reg;
    O.Index = findRegister(Tok.Text);
    advance();
    if (O.Index < 0)
      return true;
    I.Operands.push_back(O);
    InstructionScopes.push_back(Current);
    F->Body.push_back(std::move(I));
    return true;
  }
  case Token::DotWord:
    return directive();
  default:
    break;
  }
  if (Tok.is('{')) {
    advance();
    Scopes.emplace_back();
    Scopes.back().Parent = Current;
    Current = int(Scopes.size()) - 1;
    return true;
  }
  if (Tok.is('}')) {
    advance();
    Current = Scopes[Current].Parent;
    return true;
  }
  if (accept(';'))
    return true;
  return instruction();
}

/// Pragmas whose place among the instructions matters.
static bool isExecuted(std::string_view Pragma) {
  std::string_view Word = Pragma.substr(0, Pragma.find(' '));
  return Word.starts_with("regshare.") &&
         isExecutedVerb(Word.substr(std::string_view("regshare.").size()));
}

void FunctionParser::executedPragma() {
  Instruction I;
  I.Opcode = Tok.Text.substr(0, Tok.Text.find(' '));
  I.Text = Tok.Text;
  I.Line = Tok.Line;
  I.Location = CurrentLocation;
  I.Block = Current;
  InstructionScopes.push_back(Current);
  F->Body.push_back(std::move(I));
}

bool FunctionParser::directive() {
  std::string_view Word = Tok.Text;
  Token Start = Tok;
  advance();
  if (Word == "reg")
    return registers();
  if (Word == "local")
    return localVariable(Space::Local);
  if (Word == "shared")
    return localVariable(Space::Shared);
  if (Word == "param")
    return localVariable(Space::Param);
  if (Word == "loc")
    return location();
  if (Word == "pragma") {
    if (Tok.K != Token::String)
      return error("expected a string, found " + describe(Tok));
    do {
      F->Pragmas.push_back(
          {uint32_t(F->Body.size()), std::string(Tok.Text), Tok.Line});
      if (isExecuted(Tok.Text))
        executedPragma();
      advance();
    } while (accept(',') && Tok.K == Token::String);
    return expect(';');
  }
  return errorAt(Start, "unknown directive '." + std::string(Word) +
                            "' in a function");
}

bool FunctionParser::registers() {
  if (Tok.isDot("v2") || Tok.isDot("v4"))
    return error("vector registers are not supported; declare scalars");
  if (Tok.K != Token::DotWord)
    return error("expected a type, found " + describe(Tok));
  std::optional<ScalarType> T = parseScalarType(Tok.Text);
  if (!T)
    return error("'." + std::string(Tok.Text) + "' is not a register's type");
  advance();
  do {
    std::string_view Name;
    if (!identifier(Name, "a register's name"))
      return false;
    int64_t Count = 0;
    bool IsRange = accept('<');
    if (IsRange && (!integer(Count) || !expect('>')))
      return false;
    if (Count < 0 || Count > 1 << 24)
      return error("bad register count");
    int32_t First = int32_t(F->Registers.size());
    Scopes[Current].Regs[Name] = {First, IsRange ? unsigned(Count) + 1 : 0};
    for (int64_t I = 0; I != (IsRange ? Count : 1); ++I)
      F->Registers.push_back(
          {IsRange ? std::string(Name) + std::to_string(I) : std::string(Name),
           *T, Current != 0, uint32_t(F->Pragmas.size())});
  } while (accept(','));
  return expect(';');
}

/// Exact names first; then `%r<24>` declares %r0 to %r23.
int32_t FunctionParser::findRegister(std::string_view Name) const {
  size_t Stem = Name.size();
  while (Stem && Name[Stem - 1] >= '0' && Name[Stem - 1] <= '9')
    --Stem;
  unsigned Number = 0;
  bool HasNumber = Stem != Name.size();
  if (HasNumber)
    std::from_chars(Name.data() + Stem, Name.data() + Name.size(), Number);
  for (int S = Current; S >= 0; S = Scopes[S].Parent) {
    const auto &Regs = Scopes[S].Regs;
    if (auto It = Regs.find(Name); It != Regs.end() && !It->second.second)
      return It->second.first;
    if (!HasNumber)
      continue;
    auto It = Regs.find(Name.substr(0, Stem));
    if (It != Regs.end() && Number + 1 < It->second.second)
      return It->second.first + int32_t(Number);
  }
  return -1;
}

bool FunctionParser::localVariable(Space Where) {
  do {
    Variable V;
    V.Where = Where;
    if (!variable(V))
      return false;
    F->Locals.push_back(std::move(V));
    std::string_view Stable = F->Locals.back().Name;
    // The name has to outlive moves of the vector: take it from the text.
    size_t At = M.Text->rfind(Stable, PreviousEnd);
    Scopes[Current]
        .Locals[std::string_view(*M.Text).substr(At, Stable.size())] =
        int32_t(F->Locals.size()) - 1;
  } while (accept(','));
  return expect(';');
}

bool FunctionParser::location() {
  int64_t Numbers[3];
  for (int64_t &N : Numbers) {
    if (Tok.K != Token::Int)
      return error("expected a number, found " + describe(Tok));
    N = int64_t(Tok.Value);
    advance();
  }
  M.Locations.push_back(
      {unsigned(Numbers[0]), unsigned(Numbers[1]), unsigned(Numbers[2])});
  // Line 0 marks code that belongs to no line; the one before is the better
  // answer to "where".
  if (Numbers[1] != 0)
    CurrentLocation = unsigned(M.Locations.size()) - 1;
  else
    M.Locations.pop_back();
  while (accept(',')) {
    std::string_view Word;
    if (!identifier(Word, "'function_name' or 'inlined_at'"))
      return false;
    if (Word == "function_name") {
      if (!identifier(Word, "a label"))
        return false;
      int64_t Offset;
      if (accept('+') && !integer(Offset))
        return false;
    } else {
      while (Tok.K == Token::Int)
        advance();
    }
  }
  return true;
}

bool FunctionParser::labelDefinition(std::string_view Name) {
  if (Tok.isDot("branchtargets")) {
    advance();
    return targetTable(Name);
  }
  if (Tok.isDot("callprototype")) {
    advance();
    return prototype(Name);
  }
  if (Tok.isDot("calltargets")) {
    // The targets only help an optimiser.
    return skipToSemicolon();
  }
  if (!Scopes[Current].Labels.emplace(Name, uint32_t(F->Body.size())).second)
    return error("label '" + std::string(Name) + "' is defined twice");
  return true;
}

bool FunctionParser::targetTable(std::string_view Name) {
  PendingTable P{F->Tables.size(), {}, Current, Tok.Line};
  do {
    std::string_view Label;
    if (!identifier(Label, "a label"))
      return false;
    P.Names.push_back(Label);
  } while (accept(','));
  F->Tables.push_back({std::string(Name), {}});
  PendingTables.push_back(std::move(P));
  return expect(';');
}

bool FunctionParser::prototype(std::string_view Name) {
  Prototype P;
  P.Name = Name;
  if (Tok.is('(') && !parameterList(P.Returns))
    return false;
  std::string_view Ignored;
  if (!identifier(Ignored, "'_'"))
    return false;
  if (Tok.is('(') && !parameterList(P.Params))
    return false;
  F->Prototypes.push_back(std::move(P));
  return skipToSemicolon();
}

bool FunctionParser::instruction() {
  Instruction I;
  size_t Start = Tok.Text.data() - M.Text->data();
  I.Line = Tok.Line;
  I.Location = CurrentLocation;
  if (accept('@')) {
    I.GuardNegated = accept('!');
    std::string_view Name;
    if (!identifier(Name, "a predicate"))
      return false;
    I.Guard = findRegister(Name);
    if (I.Guard < 0 || F->Registers[I.Guard].Type != ScalarType::Pred)
      return error("'" + std::string(Name) + "' is not a predicate register");
  }
  if (!identifier(I.Opcode, "an instruction"))
    return false;
  if (I.Guard < 0 && accept(':'))
    return labelDefinition(I.Opcode);
  while (Tok.K == Token::DotWord) {
    I.Mods.push_back(Tok.Text);
    advance();
  }
  while (!Tok.is(';')) {
    Operand O;
    if (!operand(O))
      return false;
    I.Operands.push_back(std::move(O));
    if (!accept(',') && !Tok.is(';'))
      return error("expected ',' or ';', found " + describe(Tok));
  }
  size_t End = Tok.Text.data() - M.Text->data();
  I.Text = std::string_view(*M.Text).substr(Start, End - Start);
  I.Block = Current;
  InstructionScopes.push_back(Current);
  F->Body.push_back(std::move(I));
  return expect(';');
}

bool FunctionParser::operand(Operand &O) {
  if (!simpleOperand(O))
    return false;
  if (!Tok.is('|'))
    return true;
  advance();
  Operand Second;
  if (!simpleOperand(Second))
    return false;
  Operand Pair;
  Pair.K = Operand::Pair;
  Pair.Elements = {std::move(O), std::move(Second)};
  O = std::move(Pair);
  return true;
}

bool FunctionParser::listOperand(Operand &O, char Close) {
  O.K = Close == '}' ? Operand::Vector : Operand::List;
  if (accept(Close))
    return true;
  do {
    O.Elements.emplace_back();
    if (!simpleOperand(O.Elements.back()))
      return false;
  } while (accept(','));
  return expect(Close);
}

bool FunctionParser::addressOperand(Operand &O) {
  O.K = Operand::Address;
  O.Elements.emplace_back();
  if (!simpleOperand(O.Elements.back()))
    return false;
  if (O.Elements[0].K == Operand::Int) {
    O.Value = O.Elements[0].Value;
    O.Elements.clear();
  } else if (Tok.is('+') || Tok.is('-')) {
    accept('+');
    if (!integer(O.Value))
      return false;
  }
  // The coordinates of a texture fetch.
  if (accept(',')) {
    if (O.Elements.empty())
      return error("coordinates need the register of a texture object");
    O.Elements.emplace_back();
    if (!simpleOperand(O.Elements.back()))
      return false;
  }
  return expect(']');
}

bool FunctionParser::simpleOperand(Operand &O) {
  Nesting Deeper(*this);
  if (!Deeper.isAllowed())
    return false;
  if (accept('{'))
    return listOperand(O, '}');
  if (Tok.is('(')) {
    // A call's argument list; constant expressions begin with a number.
    advance();
    return listOperand(O, ')');
  }
  if (accept('['))
    return addressOperand(O);
  if (accept('!')) {
    O.Negated = true;
    return nameOperand(O);
  }
  if (Tok.K == Token::Ident)
    return nameOperand(O);
  return numberOperand(O);
}

bool FunctionParser::numberOperand(Operand &O) {
  bool Negative = Tok.is('-');
  if (Negative)
    advance();
  if (Tok.K == Token::Float32 || Tok.K == Token::Float64) {
    bool Single = Tok.K == Token::Float32;
    O.K = Single ? Operand::Float32 : Operand::Float64;
    O.Value = int64_t(Tok.Value ^ uint64_t(Negative) << (Single ? 31 : 63));
    advance();
    return true;
  }
  O.K = Operand::Int;
  if (!Negative) {
    if (Tok.K == Token::Bad)
      return error(std::string(Tok.Text));
    return constantExpression(O.Value, 1);
  }
  if (!constantExpression(O.Value, 5))
    return false;
  O.Value = int64_t(-uint64_t(O.Value));
  return true;
}

bool FunctionParser::nameOperand(Operand &O) {
  std::string_view Name;
  if (!identifier(Name, "an operand"))
    return false;
  O.Name = Name;
  if (Name == "_") {
    O.K = Operand::Sink;
    return true;
  }
  O.Index = findRegister(Name);
  if (O.Index >= 0) {
    O.K = Operand::Reg;
    return true;
  }
  if (Name[0] == '%') {
    // %tid.x is one name.
    if (Tok.K == Token::DotWord && !Tok.SpaceBefore) {
      O.Name = std::string_view(Name.data(), Name.size() + 1 + Tok.Text.size());
      advance();
    }
    O.K = Operand::Special;
    return true;
  }
  O.K = Operand::Symbol;
  if (Name == "WARP_SZ") {
    O.K = Operand::Int;
    O.Value = WarpSize;
    return true;
  }
  // `symbol+4` outside of brackets, in a mov.
  if (Tok.is('+') || Tok.is('-'))
    return accept('+'), integer(O.Value);
  return true;
}

const uint32_t *FunctionParser::findLabel(std::string_view Name,
                                          int InScope) const {
  for (int S = InScope; S >= 0; S = Scopes[S].Parent)
    if (auto It = Scopes[S].Labels.find(Name); It != Scopes[S].Labels.end())
      return &It->second;
  return nullptr;
}

bool FunctionParser::resolve(Operand &O, int InScope, unsigned Line) {
  for (Operand &E : O.Elements)
    if (!resolve(E, InScope, Line))
      return false;
  if (O.K != Operand::Symbol)
    return true;
  for (int S = InScope; S >= 0; S = Scopes[S].Parent)
    if (auto It = Scopes[S].Locals.find(O.Name); It != Scopes[S].Locals.end()) {
      O.Index = It->second;
      return true;
    }
  if (const uint32_t *Target = findLabel(O.Name, InScope)) {
    O.K = Operand::Label;
    O.Index = int32_t(*Target);
  }
  return true;
}

bool FunctionParser::resolveLabels() {
  for (size_t I = 0; I != F->Body.size(); ++I)
    for (Operand &O : F->Body[I].Operands)
      if (!resolve(O, InstructionScopes[I], F->Body[I].Line))
        return false;
  for (const PendingTable &P : PendingTables)
    for (std::string_view Name : P.Names) {
      const uint32_t *Target = findLabel(Name, P.InScope);
      if (!Target) {
        Token At;
        At.Line = P.Line;
        At.Column = 0;
        return errorAt(At, "label '" + std::string(Name) + "' is not defined");
      }
      F->Tables[P.Table].Targets.push_back(*Target);
    }
  return true;
}

} // namespace regshare::sim::ptx
