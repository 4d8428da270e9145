//===- AnnotationScan.cpp - Find the annotations of a PTX text ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Knows just enough of PTX to tell functions, pragmas, strings and comments
/// apart, so that annotations can be read from code that uses instructions the
/// rest of the project does not know.
///
//===----------------------------------------------------------------------===//

#include "regshare/Base/Annotation.h"

#include "regshare/Base/Control.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Statements.h"

#include <algorithm>
#include <set>
#include <utility>

namespace regshare {

namespace {

struct Token {
  enum KindTy { End, Word, String, Punct } Kind = End;
  std::string_view Text; ///< A string without its quotes.
  unsigned Line = 0;
};

class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}
  Result<Token> next();

private:
  Result<void> skipBlank();
  void advance(size_t To);
  tl::unexpected<Diagnostic> error(std::string Message) const {
    return fail(Diagnostic{std::move(Message), {}, Line, 0});
  }

  std::string_view Text;
  size_t Pos = 0;
  unsigned Line = 1;
};

/// Reads one text; holds the function whose body it is in.
class Scanner {
public:
  explicit Scanner(std::string_view Text) : Lex(Text) {}
  Result<std::vector<AnnotatedFunction>> scan();

private:
  Result<void> take();
  Result<void> scanHead(bool IsEntry);
  Result<void> scanPragma();
  Result<void> scanToken();
  Result<void> addStatement(std::string_view String, unsigned Line);
  Result<void> add(const Statement &D);
  Result<void> addDescriptor(const Statement &D);
  Result<void> addMap(const Statement &D);
  Result<void> addNative(const Statement &D);
  Result<void> checkForm(const AnnotatedFunction &F) const;
  Result<void> checkReserved(const AnnotatedFunction &F) const;
  AnnotatedFunction &current() { return Functions.back(); }

  Lexer Lex;
  Token Tok;
  unsigned Depth = 0; ///< Open braces, those of initialisers included.
  bool InFunction = false;
  std::vector<AnnotatedFunction> Functions;
  std::set<std::string> Mapped; ///< PTX registers of the current function.
};

} // namespace

static bool isWordChar(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_' || C == '$' || C == '%' || C == '.';
}

void Lexer::advance(size_t To) {
  To = std::min(To, Text.size());
  Line += std::count(Text.begin() + Pos, Text.begin() + To, '\n');
  Pos = To;
}

Result<void> Lexer::skipBlank() {
  while (Pos != Text.size()) {
    std::string_view Rest = Text.substr(Pos);
    if (Rest.starts_with("//")) {
      advance(Text.find('\n', Pos));
    } else if (Rest.starts_with("/*")) {
      size_t Close = Text.find("*/", Pos + 2);
      if (Close == Text.npos)
        return error("comment does not end");
      advance(Close + 2);
    } else if (std::string_view(" \t\r\n\f\v").find(Rest[0]) != Rest.npos) {
      advance(Pos + 1);
    } else {
      break;
    }
  }
  return {};
}

Result<Token> Lexer::next() {
  if (Result<void> R = skipBlank(); !R)
    return fail(R.error());
  if (Pos == Text.size())
    return Token{Token::End, {}, Line};
  size_t Begin = Pos;
  Token T{Token::Punct, {}, Line};
  if (Text[Begin] == '"') {
    size_t Close = Text.find_first_of("\"\n", Begin + 1);
    if (Close == Text.npos || Text[Close] == '\n')
      return error("string does not end on its line");
    T.Kind = Token::String;
    T.Text = Text.substr(Begin + 1, Close - Begin - 1);
    advance(Close + 1);
    return T;
  }
  size_t End = Begin;
  while (End != Text.size() && isWordChar(Text[End]))
    ++End;
  if (End != Begin)
    T.Kind = Token::Word;
  else
    ++End;
  T.Text = Text.substr(Begin, End - Begin);
  advance(End);
  return T;
}

Result<void> Scanner::take() {
  Result<Token> Next = Lex.next();
  if (!Next)
    return fail(Next.error());
  Tok = *Next;
  return {};
}

/// Everything between `.entry` or `.func` and the body or the ';' of a
/// declaration. A function's own name is the first word outside parentheses.
Result<void> Scanner::scanHead(bool IsEntry) {
  AnnotatedFunction F;
  F.IsEntry = IsEntry;
  F.Line = Tok.Line;
  unsigned Parentheses = 0;
  while (true) {
    if (Result<void> R = take(); !R)
      return R;
    if (Tok.Kind == Token::End)
      return fail(
          Diagnostic{"function has neither a body nor a ';'", {}, F.Line, 0});
    if (Tok.Kind == Token::Word) {
      if (!Parentheses && F.Name.empty() && !Tok.Text.starts_with('.'))
        F.Name = Tok.Text;
    } else if (Tok.Text == "(") {
      ++Parentheses;
    } else if (Tok.Text == ")" && Parentheses) {
      --Parentheses;
    } else if (Tok.Text == ";") {
      return {};
    } else if (Tok.Text == "{") {
      break;
    }
  }
  Functions.push_back(std::move(F));
  Mapped.clear();
  Depth = 1;
  InFunction = true;
  return {};
}

Result<void> Scanner::addDescriptor(const Statement &D) {
  Result<KernelDescriptor> K = parseDescriptor(D);
  if (!K)
    return fail(K.error());
  if (current().Descriptor)
    return fail("regshare.kernel: a function has one descriptor");
  if (K->Kernel != current().Name)
    return fail("regshare.kernel: name '" + K->Kernel +
                "' is not that of the function, '" + current().Name + "'");
  current().Descriptor = std::move(*K);
  return {};
}

Result<void> Scanner::addMap(const Statement &D) {
  Result<RegisterMap> Map = parseMap(D);
  if (!Map)
    return fail(Map.error());
  const KernelDescriptor &K = *current().Descriptor;
  for (const auto &[Name, Reg] : Map->Entries) {
    unsigned End = Reg.Index + std::max(Reg.units(), 1u);
    if (End > (Reg.isPred() ? K.Preds : K.Regs))
      return fail("regshare." + D.Verb + ": " + Name + "=" + Reg.name() +
                  " is beyond the descriptor's " +
                  (Reg.isPred() ? "preds=" + std::to_string(K.Preds)
                                : "regs=" + std::to_string(K.Regs)));
    if (D.Verb != "map")
      continue;
    if (!Mapped.insert(Name).second)
      return fail("regshare.map: '" + Name + "' is mapped twice");
    current().Map.Entries.emplace_back(Name, Reg);
  }
  for (auto List : {&RegisterMap::Constants, &RegisterMap::Folded})
    for (std::string &Name : (*Map).*List) {
      if (!Mapped.insert(Name).second)
        return fail("regshare.map: '" + Name + "' is mapped twice");
      (current().Map.*List).push_back(std::move(Name));
    }
  for (auto &[Name, Unit] : Map->Uniform) {
    if (!Mapped.insert(Name).second)
      return fail("regshare.map: '" + Name + "' is mapped twice");
    current().Map.Uniform.emplace_back(std::move(Name), Unit);
  }
  return {};
}

Result<void> Scanner::addNative(const Statement &D) {
  AnnotatedFunction &F = current();
  if (D.Verb == "control") {
    Result<Control> C = parseControl(D);
    return C ? Result<void>() : fail(C.error());
  }
  if (D.Verb == "reuse") {
    Result<unsigned> Slots = parseReuse(D);
    return Slots ? Result<void>() : fail(Slots.error());
  }
  if (D.Verb == "issue") {
    Result<unsigned> Slots = parseIssue(D);
    return Slots ? Result<void>() : fail(Slots.error());
  }
  if (D.Verb == "scratch") {
    auto Units = parseScratch(D, *F.Descriptor);
    return Units ? Result<void>() : fail(Units.error());
  }
  Result<NativeFacts> Facts = parseNative(D, *F.Descriptor);
  if (!Facts)
    return fail(Facts.error());
  if (F.Native)
    return fail("regshare.native: a function says it once");
  F.Native = *Facts;
  return {};
}

/// What hardware keeps for itself holds no value.
Result<void> Scanner::checkReserved(const AnnotatedFunction &F) const {
  for (const auto &[Name, Reg] : F.Map.Entries)
    if (!Reg.isPred() && Reg.Index < F.Native->Reserved)
      return regshare::fail(
          Diagnostic{"regshare.map: '" + Name + "' is in " + Reg.name() +
                         ", but regshare.native reserves the first " +
                         std::to_string(F.Native->Reserved) + " registers",
                     {},
                     F.Line,
                     0});
  return {};
}

/// Only native code has values without a register, and issue slots of its own.
Result<void> Scanner::checkForm(const AnnotatedFunction &F) const {
  if (F.Native)
    return checkReserved(F);
  for (const Statement &S : F.Statements) {
    if (isOfInstruction(S.Verb))
      return regshare::failAt(S, "in code without regshare.native");
    if (S.Verb != "map")
      continue;
    for (const auto &[Name, Place] : S.Fields)
      if (Place == "C" || Place == "F" || uniformUnit(Place))
        return regshare::failAt(S, Name + "=" + Place +
                                       " in code without regshare.native");
  }
  return {};
}

Result<void> Scanner::add(const Statement &D) {
  if (D.Verb == "kernel")
    return addDescriptor(D);
  if (D.Verb == "map" || D.Verb == "temps")
    return addMap(D);
  if (D.Verb == "native" || isOfInstruction(D.Verb))
    return addNative(D);
  return regshare::addStatement(D, *current().Descriptor, current().Facts);
}

Result<void> Scanner::addStatement(std::string_view String, unsigned Line) {
  auto At = [Line](Diagnostic D) {
    D.Line = Line;
    return fail(std::move(D));
  };
  Result<Statement> D = parseStatement(String);
  if (!D)
    return At(D.error());
  D->Line = Line;
  if (!InFunction)
    return At({"regshare." + D->Verb + ": outside of a function", {}, 0, 0});
  if (D->Verb != "kernel" && !current().Descriptor)
    return At(
        {"regshare." + D->Verb + ": before the function's regshare.kernel",
         {},
         0,
         0});
  Result<void> Added = add(*D);
  if (!Added)
    return At(Added.error());
  current().Statements.push_back(std::move(*D));
  return {};
}

/// `.pragma "a", "b";`
Result<void> Scanner::scanPragma() {
  do {
    if (Result<void> R = take(); !R)
      return R;
    if (Tok.Kind == Token::String && isStatement(Tok.Text))
      if (Result<void> R = addStatement(Tok.Text, Tok.Line); !R)
        return R;
  } while (Tok.Kind == Token::String || Tok.Text == ",");
  if (Tok.Text != ";")
    return fail(Diagnostic{"expected ';' after .pragma", {}, Tok.Line, 0});
  return {};
}

Result<void> Scanner::scanToken() {
  if (Tok.Kind == Token::Word) {
    if (Tok.Text == ".pragma")
      return scanPragma();
    if (!Depth && (Tok.Text == ".entry" || Tok.Text == ".func"))
      return scanHead(Tok.Text == ".entry");
    return {};
  }
  if (Tok.Kind == Token::Punct && Tok.Text == "{")
    ++Depth;
  else if (Tok.Kind == Token::Punct && Tok.Text == "}") {
    if (!Depth)
      return fail(Diagnostic{"'}' without '{'", {}, Tok.Line, 0});
    if (--Depth == 0 && std::exchange(InFunction, false))
      return checkForm(current());
  }
  return {};
}

Result<std::vector<AnnotatedFunction>> Scanner::scan() {
  while (true) {
    if (Result<void> R = take(); !R)
      return fail(R.error());
    if (Tok.Kind == Token::End)
      break;
    if (Result<void> R = scanToken(); !R)
      return fail(R.error());
  }
  if (Depth)
    return fail(Diagnostic{"'{' without '}'", {}, Tok.Line, 0});
  return std::move(Functions);
}

Result<std::vector<AnnotatedFunction>>
parseAnnotations(std::string_view PTXText) {
  return Scanner(PTXText).scan();
}

} // namespace regshare
