//===- InlinePTX.cpp - Registers declared in inline PTX -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/InlinePTX.h"

#include "regshare/Base/Annotation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace regshare {

StringRef inlinePTXText(const MachineInstr &MI) {
  if (!MI.isInlineAsm())
    return {};
  return MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
}

std::vector<StringRef> inlinePTXInstructions(StringRef Text) {
  std::vector<StringRef> Found;
  for (StringRef Line : split(Text, ';')) {
    Line = Line.trim();
    while (true) {
      if (Line.consume_front("{") || Line.consume_front("}")) {
        Line = Line.ltrim();
        continue;
      }
      size_t Colon = Line.find(':');
      size_t End = Line.find_first_of(" \t\n");
      if (Colon == StringRef::npos || Colon > End ||
          Line.substr(Colon).starts_with("::"))
        break;
      Line = Line.drop_front(Colon + 1).ltrim();
    }
    if (!Line.empty() && !Line.starts_with(".") && !Line.starts_with("//"))
      Found.push_back(Line);
  }
  return Found;
}

bool isEmptyInlinePTX(const MachineInstr &MI) {
  return MI.isInlineAsm() &&
         llvm::all_of(split(inlinePTXText(MI), ';'), [](StringRef Part) {
           Part = Part.trim();
           return Part.empty() || Part.starts_with(".");
         });
}

StringRef carriedPTX(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).ltrim();
  if (Text.empty() ||
      (!isAlpha(Text.front()) && !StringRef("@{").contains(Text.front())) ||
      !MI.getMF()->getFunction().hasFnAttribute(CarriedPTXAttribute))
    return {};
  if (Text.starts_with("@"))
    Text = Text.drop_until(isSpace).ltrim();
  return Text;
}

static std::optional<RegKind> kindOfPTXType(StringRef Type) {
  return StringSwitch<std::optional<RegKind>>(Type)
      .Case(".pred", RegKind::Pred)
      .Cases({".b8", ".u8", ".s8", ".b16", ".u16", ".s16", ".f16", ".bf16"},
             RegKind::B16)
      .Cases({".b32", ".u32", ".s32", ".f32", ".f16x2", ".bf16x2", ".tf32"},
             RegKind::B32)
      .Cases({".b64", ".u64", ".s64", ".f64"}, RegKind::B64)
      .Case(".b128", RegKind::B128)
      .Default(std::nullopt);
}

static StringRef takeWord(StringRef &Text) {
  Text = Text.ltrim();
  StringRef Word = Text.take_while([](char C) {
    return isAlnum(C) || C == '_' || C == '.' || C == '%' || C == '$';
  });
  Text = Text.drop_front(Word.size());
  return Word;
}

namespace {
/// The declarations of one `.reg` statement.
struct RegDeclaration {
  StringRef Statement;
  bool FunctionScope;

  Error error(const Twine &Why) const {
    return createStringError("inline PTX: cannot read '.reg" + Statement +
                             ";': " + Why);
  }
  Error appendTo(std::vector<InlinePTXTemp> &Temps) const;
};
} // namespace

Error RegDeclaration::appendTo(std::vector<InlinePTXTemp> &Temps) const {
  StringRef Rest = Statement;
  StringRef Type = takeWord(Rest);
  unsigned Elements = 1;
  if (Type == ".v2" || Type == ".v4") {
    Elements = Type == ".v2" ? 2 : 4;
    Type = takeWord(Rest);
  }
  std::optional<RegKind> Kind = kindOfPTXType(Type);
  if (!Kind)
    return error("unknown type '" + Type + "'");
  auto Add = [&](const Twine &Name) {
    static constexpr const char *Suffix[] = {".x", ".y", ".z", ".w"};
    for (unsigned E = 0; E != Elements; ++E)
      Temps.push_back({(Name + (Elements > 1 ? Suffix[E] : "")).str(), *Kind,
                       FunctionScope});
  };
  do {
    StringRef Name = takeWord(Rest);
    if (Name.empty())
      return error("expected a register name");
    Rest = Rest.ltrim();
    if (!Rest.consume_front("<")) {
      Add(Name);
      continue;
    }
    unsigned Count;
    if (Rest.consumeInteger(10, Count) || !Rest.consume_front(">"))
      return error("expected '<count>'");
    for (unsigned I = 0; I != Count; ++I)
      Add(Name + Twine(I));
  } while ((Rest = Rest.ltrim()).consume_front(","));
  if (!Rest.empty())
    return error("unexpected '" + Rest + "'");
  return Error::success();
}

/// Blanks comments out of \p Asm, so that what they say is not read as code.
static std::string withoutComments(StringRef Asm) {
  std::string Out;
  for (size_t I = 0; I < Asm.size(); ++I) {
    StringRef Rest = Asm.drop_front(I);
    if (Rest.starts_with("//")) {
      I += Rest.take_until([](char C) { return C == '\n'; }).size() - 1;
    } else if (Rest.starts_with("/*")) {
      size_t End = Rest.find("*/");
      I = End == StringRef::npos ? Asm.size() : I + End + 1;
    } else {
      Out += Asm[I];
    }
  }
  return Out;
}

Expected<std::vector<InlinePTXTemp>> parseInlinePTXTemps(StringRef Asm) {
  std::vector<InlinePTXTemp> Temps;
  if (!Asm.contains(".reg"))
    return Temps;
  std::string Code = withoutComments(Asm);
  StringRef Rest = Code;
  unsigned Depth = 0;
  char Last = ';';
  while (!Rest.empty()) {
    // `{` after anything but the end of a statement opens a vector operand.
    bool AtStatement = Last == ';' || Last == '{' || Last == '}' || Last == ':';
    if (AtStatement && Rest.starts_with(".reg") &&
        !Rest.drop_front(4).starts_with_insensitive("i")) {
      StringRef Statement =
          Rest.drop_front(4).take_until([](char C) { return C == ';'; });
      RegDeclaration D{Statement, Depth == 0};
      if (Error E = D.appendTo(Temps))
        return std::move(E);
      Rest = Rest.drop_front(4 + Statement.size());
      continue;
    }
    // LLVM escapes a brace of the PTX as "$$" or "$" before '{', '|' and '}'.
    char C = Rest.front();
    if (C == '{' && AtStatement)
      ++Depth;
    else if (C == '}' && Depth)
      --Depth;
    if (!isSpace(C) && C != '$')
      Last = C;
    Rest = Rest.drop_front();
  }
  return Temps;
}

std::string printTempsPragma(ArrayRef<InlinePTXTemp> Temps,
                             ArrayRef<ArchReg> Regs) {
  RegisterMap Map;
  for (auto [Temp, Reg] : llvm::zip_equal(Temps, Regs))
    Map.Entries.emplace_back(Temp.Name, Reg);
  return printTempsPragma(Map);
}

Expected<std::optional<std::vector<ArchReg>>> parseTempsPragma(StringRef Asm) {
  Asm = Asm.trim();
  if (!Asm.consume_front(".pragma \"regshare.temps"))
    return std::nullopt;
  StringRef Fields = Asm.take_until([](char C) { return C == '"'; });
  Result<Statement> D = parseStatement("regshare.temps" + Fields.str());
  if (!D)
    return createStringError(D.error().Message);
  Result<RegisterMap> Map = parseMap(*D);
  if (!Map)
    return createStringError(Map.error().Message);
  std::vector<ArchReg> Regs;
  for (const auto &[Name, Reg] : Map->Entries)
    Regs.push_back(Reg);
  return Regs;
}

} // namespace regshare
