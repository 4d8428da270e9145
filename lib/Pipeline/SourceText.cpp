//===- SourceText.cpp - Lines and expressions of source files -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace regshare {

StringRef SourceText::line(StringRef File, unsigned Line) {
  auto [It, New] = Files.try_emplace(File);
  if (New)
    if (auto Buffer = MemoryBuffer::getFile(File)) {
      Buffers.push_back(std::move(*Buffer));
      Buffers.back()->getBuffer().split(It->second, '\n');
    }
  ArrayRef<StringRef> Lines = It->second;
  return Line && Line <= Lines.size() ? Lines[Line - 1].rtrim() : StringRef();
}

static const DILocation *ownLocation(const MachineInstr &MI) {
  const DILocation *Innermost = MI.getDebugLoc().get();
  if (!Innermost || !Innermost->getLine())
    return nullptr;
  const DISubprogram *SP = MI.getMF()->getFunction().getSubprogram();
  for (const DILocation *Loc = Innermost; Loc && SP; Loc = Loc->getInlinedAt())
    if (Loc->getFilename() == SP->getFilename() && Loc->getLine())
      return Loc;
  return Innermost;
}

SourcePlace placeOf(const MachineInstr &MI) {
  const DILocation *Loc = ownLocation(MI);
  if (!Loc)
    return {};
  SmallString<128> Path(Loc->getFilename());
  if (!sys::path::is_absolute(Path) && !Loc->getDirectory().empty()) {
    Path = Loc->getDirectory();
    sys::path::append(Path, Loc->getFilename());
  }
  return {std::string(Path), Loc->getLine(), Loc->getColumn()};
}

static bool isOfName(char C) { return isAlnum(C) || C == '_'; }

static constexpr StringRef Open = "([{", Close = ")]}";

/// The end of the operand that begins at \p At: a name or a literal, members,
/// calls and subscripts behind it, or what is in brackets.
static size_t operandEnd(StringRef Line, size_t At) {
  unsigned Depth = 0;
  for (; At != Line.size(); ++At) {
    char C = Line[At];
    if (Open.contains(C))
      ++Depth;
    else if (Close.contains(C) && !Depth--)
      return At;
    else if (!Depth && !isOfName(C) && C != '.' && !Close.contains(C) &&
             !Line.substr(At).starts_with("->") &&
             !Line.substr(At - 1).starts_with("->"))
      return At;
  }
  return At;
}

/// The begin of the operand that ends before \p At.
static size_t operandBegin(StringRef Line, size_t At) {
  unsigned Depth = 0;
  for (; At; --At) {
    char C = Line[At - 1];
    if (Close.contains(C))
      ++Depth;
    else if (Open.contains(C) && !Depth--)
      return At;
    else if (!Depth && !isOfName(C) && C != '.' && !Open.contains(C) &&
             !Line.take_front(At).ends_with("->") &&
             !Line.substr(At - 1).starts_with("->"))
      return At;
  }
  return At;
}

/// How strongly the operator \p Op binds; 0 for an assignment and what is none.
static unsigned bindingOf(StringRef Op) {
  return StringSwitch<unsigned>(Op)
      .Cases({"*", "/", "%"}, 10)
      .Cases({"+", "-"}, 9)
      .Cases({"<<", ">>"}, 8)
      .Cases({"<", ">", "<=", ">="}, 7)
      .Cases({"==", "!="}, 6)
      .Case("&", 5)
      .Case("^", 4)
      .Case("|", 3)
      .Case("&&", 2)
      .Case("||", 1)
      .Default(0);
}

static bool isOfOperator(char C) {
  return StringRef("+-*/%<>=!&|^~").contains(C);
}

/// The begin of what the operator at \p At with \p Binding has on its left.
static size_t leftOf(StringRef Line, size_t At, unsigned Binding) {
  size_t Begin = operandBegin(Line, Line.take_front(At).rtrim().size());
  StringRef Before = Line.take_front(Begin).rtrim();
  StringRef Op = Before.take_back(
      Before.size() - (Before.find_last_not_of("+-*/%<>=!&|^~") + 1));
  return bindingOf(Op) >= Binding && Binding
             ? leftOf(Line, Before.size() - Op.size(), Binding)
             : Begin;
}

/// The end of what comes behind an operator with \p Binding that ends before
/// \p At.
static size_t rightOf(StringRef Line, size_t At, unsigned Binding) {
  // Signs and the like belong to the operand.
  size_t Begin =
      Line.find_if_not([](char C) { return isOfOperator(C) || C == ' '; }, At);
  if (Begin == StringRef::npos)
    return Line.size();
  size_t End = operandEnd(Line, Begin);
  size_t Next = Line.find_if_not([](char C) { return C == ' '; }, End);
  if (Next == StringRef::npos)
    return End;
  StringRef Op = Line.substr(Next).take_while(isOfOperator);
  return bindingOf(Op) > Binding ? rightOf(Line, Next + Op.size(), Binding)
                                 : End;
}

/// A statement's column is that of its first word.
static bool isStatement(StringRef Line, size_t At) {
  StringRef Word = Line.substr(At).take_while(isOfName);
  return is_contained({"for", "while", "do", "if", "else", "switch", "return"},
                      Word);
}

std::string expressionAt(StringRef Line, unsigned Column) {
  if (!Column || Column > Line.size())
    return "";
  size_t At = Column - 1;
  if (isStatement(Line, At))
    return "";
  if (isOfName(Line[At]) || Open.contains(Line[At]))
    return Line.slice(At, operandEnd(Line, At)).str();
  StringRef Op = Line.substr(At).take_while(isOfOperator);
  // The operand's sign is not the operator's.
  while (Op.size() > 1 && !bindingOf(Op) && !Op.ends_with("="))
    Op = Op.drop_back();
  if (Op.empty())
    return "";
  unsigned Binding = bindingOf(Op);
  return Line
      .slice(leftOf(Line, At, Binding), rightOf(Line, At + Op.size(), Binding))
      .trim()
      .str();
}

} // namespace regshare
