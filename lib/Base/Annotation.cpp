//===- Annotation.cpp - The statements of annotated PTX -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Annotation.h"

#include "regshare/Base/Reuse.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Statements.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

namespace regshare {

static constexpr std::string_view Prefix = "regshare.";

/// Of every scheme, those of one instruction last.
static constexpr std::string_view CommonVerbs[] = {
    "kernel", "map", "temps", "native", "control", "reuse", "issue", "scratch"};
static constexpr unsigned FirstOfInstruction = 4;

bool isCommonVerb(std::string_view Verb) {
  return std::find(std::begin(CommonVerbs), std::end(CommonVerbs), Verb) !=
         std::end(CommonVerbs);
}

bool isOfInstruction(std::string_view Verb) {
  return std::find(std::begin(CommonVerbs) + FirstOfInstruction,
                   std::end(CommonVerbs), Verb) != std::end(CommonVerbs);
}

static std::vector<std::string_view> knownVerbs() {
  std::vector<std::string_view> Known(std::begin(CommonVerbs),
                                      std::end(CommonVerbs));
  std::vector<std::string_view> OfSchemes = allVerbs();
  Known.insert(Known.end(), OfSchemes.begin(), OfSchemes.end());
  return Known;
}

const std::vector<DescriptorField> &descriptorFields() {
  using K = KernelDescriptor;
  static const std::vector<DescriptorField> Fields = {
      {"name", "the kernel's .entry", &K::Kernel, nullptr},
      {"scheme", "scheme that the code was made for", &K::Scheme, nullptr},
      {"regs", "32-bit registers a thread names", nullptr, &K::Regs},
      {"preds", "predicates a thread names", nullptr, &K::Preds},
      {"peak", "most registers live at once", nullptr, &K::Peak},
      {"shared", "bytes of static shared memory of a CTA", nullptr,
       &K::SharedBytes},
      {"local", "bytes of local memory of a thread", nullptr, &K::LocalBytes},
      {"target", "sm_NN the code was compiled for", &K::Target, nullptr},
  };
  return Fields;
}

std::optional<ArchReg> RegisterMap::find(std::string_view Name) const {
  for (const auto &[Key, Reg] : Entries)
    if (Key == Name)
      return Reg;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static bool isWord(std::string_view Text) {
  return !Text.empty() && std::all_of(Text.begin(), Text.end(), [](char C) {
    return C > ' ' && C < 127 && C != '"' && C != '\\' && C != '=';
  });
}

static std::string mapEntry(const std::string &Name, const std::string &Place) {
  assert(isWord(Name) && "not a register name");
  return " " + Name + "=" + Place;
}

/// `regshare.map` statements, each a string of at most MaxMapString.
static std::vector<std::string> printMap(const RegisterMap &Map) {
  const std::string Head = "map";
  std::vector<std::string> Statements;
  std::string String = Head;
  auto Add = [&](const std::string &Name, const std::string &Place) {
    std::string Text = mapEntry(Name, Place);
    if (Prefix.size() + String.size() + Text.size() > MaxMapString &&
        String != Head) {
      Statements.push_back(statement(String));
      String = Head;
    }
    String += Text;
  };
  for (const auto &[Name, Reg] : Map.Entries)
    Add(Name, Reg.name());
  for (const std::string &Name : Map.Constants)
    Add(Name, "C");
  for (const std::string &Name : Map.Folded)
    Add(Name, "F");
  for (const auto &[Name, Unit] : Map.Uniform)
    Add(Name, "U" + std::to_string(Unit));
  if (String != Head)
    Statements.push_back(statement(String));
  return Statements;
}

std::vector<std::string> printPragmas(const KernelDescriptor &Kernel,
                                      const RegisterMap &Map) {
  std::string String = "kernel v" + std::to_string(AnnotationVersion);
  for (const DescriptorField &F : descriptorFields()) {
    std::string Value =
        F.Text ? Kernel.*F.Text : std::to_string(Kernel.*F.Number);
    assert(isWord(Value) && "value cannot be written");
    String += std::string(" ") + F.Key + "=" + Value;
  }
  std::vector<std::string> Statements = printMap(Map);
  Statements.insert(Statements.begin(), statement(String));
  return Statements;
}

std::string printNativePragma(const NativeFacts &Facts) {
  return statement("native instructions=" + std::to_string(Facts.Instructions) +
                   " reserved=" + std::to_string(Facts.Reserved));
}

std::string printIssuePragma(unsigned Slots) {
  return statement("issue slots=" + std::to_string(Slots));
}

std::string printReusePragma(unsigned Slots) {
  assert(Slots && Slots < 1u << NumOperandSlots && "no such slots");
  return statement("reuse slots=" + printMask(Slots));
}

std::string printScratchPragma(std::span<const unsigned> Units) {
  return statement("scratch regs=" + printUnits(Units));
}

std::string printTempsPragma(const RegisterMap &Temps) {
  std::string String = "temps";
  for (const auto &[Name, Reg] : Temps.Entries)
    String += mapEntry(Name, Reg.name());
  return statement(String);
}

//===----------------------------------------------------------------------===//
// Single statements
//===----------------------------------------------------------------------===//

static std::string quoted(std::string_view Text) {
  return "'" + std::string(Text) + "'";
}

/// Takes the next word off \p Text; empty at its end.
static std::string_view nextWord(std::string_view &Text) {
  Text.remove_prefix(std::min(Text.find_first_not_of(' '), Text.size()));
  std::string_view Word = Text.substr(0, Text.find(' '));
  Text.remove_prefix(Word.size());
  return Word;
}

static bool parseNumber(std::string_view Text, unsigned &Number) {
  if (Text.empty() || (Text.size() > 1 && Text[0] == '0'))
    return false;
  auto [End, Ec] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Ec == std::errc() && End == Text.data() + Text.size();
}

std::optional<unsigned> uniformUnit(std::string_view Name) {
  unsigned Unit = 0;
  if (!Name.starts_with('U') || !parseNumber(Name.substr(1), Unit) ||
      Unit >= MaxUniformUnits)
    return std::nullopt;
  return Unit;
}

bool isStatement(std::string_view PragmaString) {
  return PragmaString.starts_with(Prefix);
}

static Result<void> parseVersion(Statement &D, std::string_view Word) {
  if (!Word.starts_with('v') || !parseNumber(Word.substr(1), D.Version))
    return fail("regshare." + D.Verb + ": expected a version such as v" +
                std::to_string(AnnotationVersion) + ", not " + quoted(Word));
  if (D.Version != AnnotationVersion)
    return fail("regshare." + D.Verb + ": version " + std::string(Word) +
                " is not supported; this is v" +
                std::to_string(AnnotationVersion));
  return {};
}

Result<Statement> parseStatement(std::string_view PragmaString) {
  if (!isStatement(PragmaString))
    return fail(quoted(PragmaString) + " is not a statement of RegShare");
  std::string_view Rest = PragmaString.substr(Prefix.size());
  Statement D;
  D.Verb = Rest.starts_with(' ') ? "" : std::string(nextWord(Rest));
  std::vector<std::string_view> Verbs = knownVerbs();
  if (std::find(Verbs.begin(), Verbs.end(), D.Verb) == Verbs.end()) {
    std::string Known;
    for (std::string_view V : Verbs)
      Known += (Known.empty() ? "" : ", ") + std::string(V);
    return fail("unknown statement " + quoted("regshare." + D.Verb) +
                "; known: " + Known);
  }
  if (D.Verb == "kernel")
    if (Result<void> R = parseVersion(D, nextWord(Rest)); !R)
      return fail(R.error());
  for (std::string_view Word = nextWord(Rest); !Word.empty();
       Word = nextWord(Rest)) {
    size_t Equals = Word.find('=');
    if (Equals == Word.npos || !isWord(Word.substr(0, Equals)) ||
        !isWord(Word.substr(Equals + 1)))
      return fail("regshare." + D.Verb + ": expected key=value, not " +
                  quoted(Word));
    D.Fields.emplace_back(Word.substr(0, Equals), Word.substr(Equals + 1));
  }
  return D;
}

/// A target as `.target` names it: sm_75, sm_90a.
static bool isTarget(std::string_view Text) {
  if (!Text.starts_with("sm_"))
    return false;
  Text.remove_prefix(3);
  if (Text.ends_with('a') || Text.ends_with('f'))
    Text.remove_suffix(1);
  unsigned Number;
  return parseNumber(Text, Number);
}

static Result<void> checkDescriptor(const Statement &D,
                                    const KernelDescriptor &K) {
  if (Result<Scheme> S = parseScheme(K.Scheme); !S)
    return failAt(D, S.error().Message);
  if (!isTarget(K.Target))
    return failAt(D, quoted(K.Target) + " is not a target such as sm_75");
  if (K.Regs > MaxArchUnits)
    return failAt(D, "regs=" + std::to_string(K.Regs) + " is more than " +
                         std::to_string(MaxArchUnits));
  if (K.Preds > NumPredicates)
    return failAt(D, "preds=" + std::to_string(K.Preds) + " is more than " +
                         std::to_string(NumPredicates));
  if (K.Peak > K.Regs)
    return failAt(D, "peak=" + std::to_string(K.Peak) +
                         " is more than regs=" + std::to_string(K.Regs));
  return {};
}

Result<KernelDescriptor> parseDescriptor(const Statement &D) {
  if (D.Verb != "kernel")
    return failAt(D, "is not a kernel descriptor");
  KernelDescriptor K;
  std::set<std::string_view> Seen;
  for (const auto &[Key, Value] : D.Fields) {
    auto Field = std::find_if(
        descriptorFields().begin(), descriptorFields().end(),
        [&, &Name = Key](const DescriptorField &F) { return F.Key == Name; });
    if (Field == descriptorFields().end())
      return failAt(D, "unknown key " + quoted(Key));
    if (!Seen.insert(Key).second)
      return failAt(D, quoted(Key) + " is given twice");
    if (Field->Text)
      K.*Field->Text = Value;
    else if (!parseNumber(Value, K.*Field->Number))
      return failAt(D, Key + " is not a number: " + quoted(Value));
  }
  for (const DescriptorField &F : descriptorFields())
    if (!Seen.count(F.Key))
      return failAt(D, "missing " + quoted(F.Key) + " (" + F.Help + ")");
  if (Result<void> R = checkDescriptor(D, K); !R)
    return fail(R.error());
  return K;
}

/// The number that is all that \p S says, under \p Key.
static Result<unsigned> parseOnly(const Statement &S, const char *Key,
                                  unsigned Most) {
  Result<std::vector<std::string>> Values = fieldsOf(S, {&Key, 1});
  if (!Values)
    return fail(Values.error());
  return parseNumber(S, Key, Values->front(), 0, Most);
}

Result<NativeFacts> parseNative(const Statement &S, const KernelDescriptor &K) {
  constexpr const char *Keys[] = {"instructions", "reserved"};
  Result<std::vector<std::string>> Values = fieldsOf(S, Keys);
  if (!Values)
    return fail(Values.error());
  Result<unsigned> Instructions = parseNumber(
      S, Keys[0], (*Values)[0], 0, std::numeric_limits<unsigned>::max());
  if (!Instructions)
    return fail(Instructions.error());
  Result<unsigned> Reserved = parseNumber(S, Keys[1], (*Values)[1], 0, K.Regs);
  if (!Reserved)
    return fail(Reserved.error());
  return NativeFacts{*Instructions, *Reserved};
}

Result<unsigned> parseIssue(const Statement &S) {
  return parseOnly(S, "slots", MaxIssueSlots);
}

Result<unsigned> parseReuse(const Statement &S) {
  const char *Key = "slots";
  Result<std::vector<std::string>> Values = fieldsOf(S, {&Key, 1});
  if (!Values)
    return fail(Values.error());
  return parseMask(S, Key, Values->front(), NumOperandSlots - 1);
}

Result<std::vector<unsigned>> parseScratch(const Statement &S,
                                           const KernelDescriptor &K) {
  const char *Key = "regs";
  Result<std::vector<std::string>> Values = fieldsOf(S, {&Key, 1});
  if (!Values)
    return fail(Values.error());
  Result<std::vector<unsigned>> Units = parseUnits(S, Values->front());
  if (Units)
    if (Result<void> R = checkUnits(S, K, *Units); !R)
      return fail(R.error());
  return Units;
}

Result<RegisterMap> parseMap(const Statement &D) {
  if (D.Verb != "map" && D.Verb != "temps")
    return failAt(D, "is not a register map");
  RegisterMap Map;
  std::set<std::string_view> Seen;
  for (const auto &[Key, Value] : D.Fields) {
    if (D.Verb == "map" && (Key.size() < 2 || Key[0] != '%'))
      return failAt(D, quoted(Key) + " is not a PTX register such as %r1");
    if (!Seen.insert(Key).second)
      return failAt(D, quoted(Key) + " is mapped twice");
    if (D.Verb == "map" && (Value == "C" || Value == "F")) {
      (Value == "C" ? Map.Constants : Map.Folded).push_back(Key);
      continue;
    }
    if (D.Verb == "map" && Value.size() > 1 && Value[0] == 'U') {
      std::optional<unsigned> Unit = uniformUnit(Value);
      if (!Unit)
        return failAt(D, "expected a uniform register from U0 to U" +
                             std::to_string(MaxUniformUnits - 1) + ", found " +
                             quoted(Value));
      Map.Uniform.emplace_back(Key, *Unit);
      continue;
    }
    Result<ArchReg> Reg = ArchReg::parse(Value);
    if (!Reg)
      return failAt(D, Reg.error().Message);
    Map.Entries.emplace_back(Key, *Reg);
  }
  return Map;
}

} // namespace regshare
