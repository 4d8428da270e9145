//===- Parser.h - PTX parser internals -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_PTX_PARSER_H
#define REGSHARE_SIM_PTX_PARSER_H

#include "Lexer.h"
#include "regshare/Sim/PTX.h"

#include <string>
#include <unordered_map>

namespace regshare::sim::ptx {

/// Token stream and error state that both halves of the parser share. Parsing
/// functions return false once an error is recorded.
class ParserBase {
public:
  ParserBase(Module &M) : M(M), Lex(*M.Text) { advance(); }
  Diagnostic takeError() { return std::move(Error); }

protected:
  void advance() {
    PreviousEnd = Lex.position();
    Tok = Lex.next();
  }
  bool error(const std::string &Message) { return errorAt(Tok, Message); }
  bool errorAt(const Token &At, const std::string &Message);
  bool expect(char C);
  bool accept(char C);
  bool acceptDot(std::string_view Word);
  bool identifier(std::string_view &Name, const char *What);
  bool integer(int64_t &Value);
  bool constantTerm(int64_t &Value);
  /// Sums, products, shifts and bit operations over integer constants.
  bool constantExpression(int64_t &Value, unsigned MinPrecedence = 0);
  /// Goes on, but not beyond the file or what is no token; \p Until is what was
  /// expected.
  bool skipToken(const char *Until);
  bool skipToSemicolon();
  bool skipBraces();
  std::string describe(const Token &T) const;

  bool attributes(Variable &V);
  /// `.align 4 .b8 name[16] = {…}` after the state space, up to ',' or ';'.
  bool variable(Variable &V);
  bool variableName(Variable &V, unsigned VectorWidth);
  bool initialiser(Variable &V);
  bool initialiserList(Variable &V, uint64_t &Offset);
  bool initialiserValue(Variable &V, uint64_t &Offset);
  bool relocation(Relocation &R);
  bool parameterList(std::vector<Variable> &List);
  bool dimensions(Dim3 &D);

  /// While a construct is parsed that may contain itself.
  class Nesting {
  public:
    explicit Nesting(ParserBase &P) : P(P) { ++P.Depth; }
    ~Nesting() { --P.Depth; }
    /// Reports it if not.
    bool isAllowed() {
      return P.Depth <= MaxDepth || P.error("nested too deeply");
    }

  private:
    static constexpr unsigned MaxDepth = 200;
    ParserBase &P;
  };
  /// What one variable may take: more than any device has, of global memory and
  /// of others.
  static constexpr uint64_t MaxGlobalBytes = uint64_t(1) << 40;
  static constexpr uint64_t MaxOtherBytes = uint64_t(1) << 20;
  static constexpr int64_t MaxAlign = 1 << 16;

  Module &M;
  unsigned Depth = 0;
  Lexer Lex;
  Token Tok;
  size_t PreviousEnd = 0;
  Diagnostic Error;
  bool Failed = false;
};

/// Parses function bodies.
class FunctionParser : public ParserBase {
public:
  using ParserBase::ParserBase;

protected:
  bool body(Function &Fn);

private:
  struct Scope {
    int Parent = -1;
    std::unordered_map<std::string_view, std::pair<int32_t, unsigned>> Regs;
    std::unordered_map<std::string_view, int32_t> Locals;
    std::unordered_map<std::string_view, uint32_t> Labels;
  };
  bool statement();
  bool directive();
  void executedPragma();
  bool registers();
  bool localVariable(Space Where);
  bool location();
  bool instruction();
  bool operand(Operand &O);
  bool simpleOperand(Operand &O);
  bool listOperand(Operand &O, char Close);
  bool addressOperand(Operand &O);
  bool nameOperand(Operand &O);
  bool numberOperand(Operand &O);
  bool labelDefinition(std::string_view Name);
  bool targetTable(std::string_view Name);
  bool prototype(std::string_view Name);
  bool resolve(Operand &O, int InScope, unsigned Line);
  bool resolveLabels();
  int32_t findRegister(std::string_view Name) const;
  const uint32_t *findLabel(std::string_view Name, int InScope) const;

  Function *F = nullptr;
  std::vector<Scope> Scopes;
  int Current = 0;
  unsigned CurrentLocation = 0;
  std::vector<int> InstructionScopes;
  struct PendingTable {
    size_t Table;
    std::vector<std::string_view> Names;
    int InScope;
    unsigned Line;
  };
  std::vector<PendingTable> PendingTables;
};

/// Parses a module.
class Parser : public FunctionParser {
public:
  using FunctionParser::FunctionParser;
  bool module();

private:
  bool topLevel();
  bool function(bool IsEntry);
  bool functionAttributes(Function &Fn);
  bool moduleVariables(Space Where, bool Extern);
  bool file();
  bool linkage(bool &Extern);
};

} // namespace regshare::sim::ptx

#endif // REGSHARE_SIM_PTX_PARSER_H
