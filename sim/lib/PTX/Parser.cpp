//===- Parser.cpp - PTX modules -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <algorithm>

namespace regshare::sim::ptx {

bool Instruction::has(std::string_view Mod) const {
  return std::find(Mods.begin(), Mods.end(), Mod) != Mods.end();
}

std::vector<bool> Function::branchTargets() const {
  std::vector<bool> IsTarget(Body.size() + 1);
  for (const Instruction &I : Body)
    for (const Operand &O : I.Operands)
      if (O.K == Operand::Label)
        IsTarget[size_t(O.Index)] = true;
  for (const TargetTable &Table : Tables)
    for (uint32_t Target : Table.Targets)
      IsTarget[Target] = true;
  return IsTarget;
}

const Function *Module::find(std::string_view Name) const {
  const Function *Declared = nullptr;
  for (const Function &F : Functions)
    if (F.Name == Name) {
      if (F.HasBody)
        return &F;
      Declared = &F;
    }
  return Declared;
}

std::string Module::describeLocation(unsigned Index) const {
  if (Index == 0 || Index >= Locations.size())
    return {};
  const Location &L = Locations[Index];
  for (const auto &[Number, Name] : Files)
    if (Number == L.File)
      return Name + ":" + std::to_string(L.Line);
  return "line " + std::to_string(L.Line);
}

/// Linking directives; a declaration has one at most, in front.
bool Parser::linkage(bool &Extern) {
  while (Tok.isDot("extern") || Tok.isDot("visible") || Tok.isDot("weak") ||
         Tok.isDot("common")) {
    Extern |= Tok.isDot("extern");
    advance();
  }
  return true;
}

bool Parser::file() {
  int64_t Number;
  if (!integer(Number))
    return false;
  if (Tok.K != Token::String)
    return error("expected a file name, found " + describe(Tok));
  M.Files.emplace_back(unsigned(Number), std::string(Tok.Text));
  advance();
  int64_t Ignored;
  while (accept(','))
    if (!integer(Ignored))
      return false;
  return true;
}

bool Parser::moduleVariables(Space Where, bool Extern) {
  Variable First;
  First.Where = Where;
  First.Extern = Extern;
  if (!variable(First))
    return false;
  M.Variables.push_back(First);
  while (accept(',')) {
    Variable V = Variable();
    V.Where = Where;
    V.Extern = Extern;
    V.Type = First.Type;
    V.Align = First.Align;
    V.Line = Tok.Line;
    if (!variableName(V, 1))
      return false;
    M.Variables.push_back(std::move(V));
  }
  return expect(';');
}

bool Parser::functionAttributes(Function &Fn) {
  while (Tok.K == Token::DotWord) {
    std::string_view Word = Tok.Text;
    Dim3 Ignored;
    if (Word == "noreturn" || Word == "blocksareclusters" ||
        Word == "explicitcluster" || Word == "abi_preserve") {
      advance();
    } else if (Word == "maxntid" || Word == "reqntid") {
      advance();
      if (!dimensions(Word == "maxntid" ? Fn.MaxThreads : Fn.ReqThreads))
        return false;
    } else if (Word == "maxnreg" || Word == "minnctapersm" ||
               Word == "maxnctapersm" || Word == "maxclusterrank") {
      advance();
      if (!dimensions(Ignored))
        return false;
    } else if (Word == "reqnctapercluster") {
      advance();
      if (!dimensions(Fn.ClusterCtas))
        return false;
    } else if (Word == "pragma") {
      advance();
      if (!skipToSemicolon())
        return false;
    } else {
      return error("unknown function directive '." + std::string(Word) + "'");
    }
  }
  return true;
}

bool Parser::function(bool IsEntry) {
  Function Fn;
  Fn.IsEntry = IsEntry;
  Fn.Line = Tok.Line;
  Variable AttributesOnly;
  if (!attributes(AttributesOnly))
    return false;
  if (Tok.is('(') && !parameterList(Fn.Returns))
    return false;
  std::string_view Name;
  if (!identifier(Name, "a function's name"))
    return false;
  Fn.Name = Name;
  if (Tok.is('(') && !parameterList(Fn.Params))
    return false;
  if (!functionAttributes(Fn))
    return false;
  if (!accept(';') && !body(Fn))
    return false;
  M.Functions.push_back(std::move(Fn));
  return true;
}

bool Parser::topLevel() {
  if (Tok.K == Token::ImplicitDef || Tok.is(';')) {
    advance();
    return true;
  }
  if (Tok.K == Token::Bad)
    return error(std::string(Tok.Text));
  bool Extern = false;
  linkage(Extern);
  if (Tok.K != Token::DotWord)
    return error("expected a directive, found " + describe(Tok));
  Token Statement = Tok;
  std::string_view Word = Tok.Text;
  advance();
  if (Word == "version") {
    M.Version = Tok.Text;
    advance();
    return true;
  }
  if (Word == "target") {
    M.Target = Tok.Text;
    do
      advance();
    while (Tok.is(',') || Tok.K == Token::Ident);
    return true;
  }
  if (Word == "address_size") {
    int64_t Bits;
    if (!integer(Bits))
      return false;
    return Bits == 64 || errorAt(Statement, "only 64-bit addresses are "
                                            "supported");
  }
  if (Word == "file")
    return file();
  if (Word == "section") {
    advance();
    return skipBraces();
  }
  if (Word == "entry" || Word == "func")
    return function(Word == "entry");
  if (Word == "global" || Word == "const" || Word == "shared")
    return moduleVariables(Word == "global"  ? Space::Global
                           : Word == "const" ? Space::Const
                                             : Space::Shared,
                           Extern);
  if (Word == "pragma" || Word == "alias")
    return skipToSemicolon();
  return errorAt(Statement, "unknown directive '." + std::string(Word) + "'");
}

bool Parser::module() {
  M.Locations.emplace_back();
  while (Tok.K != Token::End)
    if (!topLevel())
      return false;
  if (M.Version.empty())
    return error("a PTX module starts with '.version'");
  return true;
}

Result<Module> parse(std::string Text, std::string FileName) {
  Module M;
  M.Text = std::make_shared<const std::string>(std::move(Text));
  M.FileName = std::move(FileName);
  Parser P(M);
  if (!P.module())
    return fail(P.takeError());
  return M;
}

} // namespace regshare::sim::ptx
