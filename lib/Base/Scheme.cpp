//===- Scheme.cpp - The schemes that are known ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Scheme.h"

#include "Composition.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/SchemeChecks.h"
#include "regshare/Base/SchemeRegistry.h"

namespace regshare {

#define REGSHARE_SCHEMES(Folder) extern const SchemeFamily Folder##Family;
#include "regshare/Base/Schemes.def"

using Descriptions = std::vector<const SchemeDescription *>;

static Result<void> add(Descriptions &Known, const SchemeDescription &New);

/// Those of Schemes.def, then loaded ones.
static Descriptions &registry() {
  static Descriptions All = [] {
    Descriptions BuiltIn;
    auto Add = [&](const SchemeFamily &Family) {
      for (const SchemeDescription *D : Family.Members) {
        [[maybe_unused]] Result<void> Ok = add(BuiltIn, *D);
        assert(Ok && "registerScheme() would refuse it");
      }
    };
#define REGSHARE_SCHEMES(Folder) Add(Folder##Family);
#include "regshare/Base/Schemes.def"
    return BuiltIn;
  }();
  return All;
}

const StatementKind *
SchemeDescription::findStatement(std::string_view Verb) const {
  auto It = std::ranges::find(Statements, Verb, &StatementKind::Verb);
  return It == Statements.end() ? nullptr : &*It;
}

const Setting *SchemeDescription::findSetting(std::string_view Wanted) const {
  for (const Setting *S : Settings)
    if (S->Name == Wanted)
      return S;
  return nullptr;
}

Scheme::Scheme() : Scheme(schemes::Baseline) {}

std::vector<Scheme> allSchemes() {
  std::vector<Scheme> All;
  for (const SchemeDescription *D : registry())
    All.emplace_back(*D);
  return All;
}

/// "a, b".
template <typename Range> static std::string joined(const Range &Words) {
  std::string Text;
  for (const auto &Word : Words)
    Text += (Text.empty() ? "" : ", ") + std::string(Word);
  return Text;
}

Result<Scheme> parseScheme(std::string_view Name) {
  // What stands on one side of it alone is a mistyped name.
  if (size_t Plus = Name.find('+');
      Plus != Name.npos && Plus && Plus + 1 != Name.size())
    return parseComposition(Name);
  std::vector<std::string_view> Known;
  for (const SchemeDescription *D : registry()) {
    if (D->Name == Name)
      return Scheme(*D);
    Known.push_back(D->Name);
  }
  std::optional<std::string_view> Near = nearestWord(Name, Known);
  return fail(
      "unknown scheme '" + std::string(Name) + "'" +
          (Near ? " (did you mean '" + std::string(*Near) + "'?)" : "") +
          "; known: " + joined(Known),
      ErrorKind::BadInput);
}

/// What is said of a statement.
static const char *clauseOf(StatementKind::Execution Runs) {
  switch (Runs) {
  case StatementKind::Unexecuted:
    return "is not executed";
  case StatementKind::Decoded:
    return "becomes no instruction";
  case StatementKind::SteppedOver:
    return "takes no issue slot";
  case StatementKind::Issued:
    break;
  }
  return "takes an issue slot";
}

static Result<void> add(Descriptions &Known, const SchemeDescription &New) {
  auto Refuse = [&](const std::string &Why) {
    return fail("scheme '" + std::string(New.Name) + "': " + Why);
  };
  if (Result<void> Ok = checkDescription(New); !Ok)
    return Ok;
  for (const SchemeDescription *Old : Known) {
    if (Old->Name == New.Name)
      return Refuse("there is a scheme of that name already");
    for (const Setting *S : New.Settings)
      if (const Setting *Other = Old->findSetting(S->Name); Other && Other != S)
        return Refuse("setting '" + std::string(S->Name) +
                      "' has the name of one of scheme '" +
                      std::string(Old->Name) + "'");
    for (const StatementKind &S : New.Statements)
      if (const StatementKind *Other = Old->findStatement(S.Verb);
          Other && Other->Runs != S.Runs)
        return Refuse("statement '" + std::string(S.Verb) + "' " +
                      clauseOf(S.Runs) + ", but under scheme '" +
                      std::string(Old->Name) + "' it " + clauseOf(Other->Runs) +
                      "; a verb means the same under all schemes");
  }
  Known.push_back(&New);
  return {};
}

Result<void> registerScheme(const SchemeDescription &New) {
  Result<void> Ok = add(registry(), New);
  if (Ok)
    noteRegistration([] { registry().pop_back(); });
  return Ok;
}

std::vector<const Setting *> allSettings() {
  std::vector<const Setting *> All;
  for (const SchemeDescription *D : registry())
    for (const Setting *S : D->Settings)
      if (std::ranges::find(All, S) == All.end())
        All.push_back(S);
  return All;
}

std::vector<Scheme> schemesWith(const Setting &S) {
  std::vector<Scheme> Found;
  for (const SchemeDescription *D : registry())
    if (std::ranges::find(D->Settings, &S) != D->Settings.end())
      Found.emplace_back(*D);
  return Found;
}

/// "a, b".
static std::string joinedNames(std::span<const Scheme> Schemes) {
  std::vector<std::string_view> Names;
  for (const Scheme &S : Schemes)
    Names.push_back(S.name());
  return joined(Names);
}

std::string schemeNames(std::span<const Scheme> Schemes) {
  return (Schemes.size() == 1 ? "scheme " : "schemes ") + joinedNames(Schemes);
}

std::string settingHelp(const Setting &S) {
  std::string Text =
      joinedNames(schemesWith(S)) + ": " + std::string(S.Help) + ": ";
  if (S.Kind != Setting::Choice)
    return Text + S.expected();
  std::string Choices;
  for (const SettingChoice &C : S.Choices)
    Choices += (Choices.empty() ? "" : ", ") + std::string(C.Name) +
               (C.Help.empty() ? "" : " (" + std::string(C.Help) + ")");
  return Text + Choices;
}

std::vector<std::string_view> allVerbs() {
  std::vector<std::string_view> Verbs;
  for (const SchemeDescription *D : registry())
    for (const StatementKind &S : D->Statements)
      if (std::ranges::find(Verbs, S.Verb) == Verbs.end())
        Verbs.push_back(S.Verb);
  return Verbs;
}

std::optional<StatementKind::Execution> executionOf(std::string_view Verb) {
  for (const SchemeDescription *D : registry())
    if (const StatementKind *S = D->findStatement(Verb))
      return S->Runs;
  return std::nullopt;
}

bool isExecutedVerb(std::string_view Verb) {
  return executionOf(Verb).value_or(StatementKind::Unexecuted) !=
         StatementKind::Unexecuted;
}

Result<void> addStatement(const Statement &S, const KernelDescriptor &K,
                          SchemeFacts &Facts) {
  Result<Scheme> Of = parseScheme(K.Scheme);
  if (!Of)
    return fail(Of.error());
  if (const StatementKind *Kind = (*Of)->findStatement(S.Verb))
    return Kind->Add(S, K, Facts);
  std::vector<std::string_view> Owners;
  for (const SchemeDescription *D : registry())
    if (D->findStatement(S.Verb))
      Owners.push_back(D->Name);
  return fail(Diagnostic{"regshare." + S.Verb + ": belongs to scheme " +
                             joined(Owners) + ", but the descriptor says " +
                             K.Scheme,
                         {},
                         S.Line,
                         0});
}

} // namespace regshare
