//===- SchemeChecks.cpp - Descriptions that hold --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeChecks.h"

#include "Composition.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/Variables.h"

#include <algorithm>
#include <set>

namespace regshare {

/// What options of the compiler that are no settings have after "-regshare-",
/// besides what variables have.
static constexpr std::string_view TakenOptions[] = {
    "max-regs",      "rematerialize", "dynamic-shared",
    "schedule-code", "schedule-ctas", "control-code",
    "reuse-bits",    "anchor",        "smem-spilling"};

/// The fields of a launch in JSON reports that a scheme's name or the key of
/// what it shows could be, which are fields there as well. A test compares with
/// reports: test/Runtime/Environment/report-fields.test.
static constexpr std::string_view ReportFields[] = {
    "active_lanes",  "begin_s",       "block",      "code",
    "ctas",          "cycles",        "device",     "end_s",
    "energy",        "error",         "error_kind", "estimate",
    "finished",      "grid",          "ipc",        "issue_slots",
    "kernel",        "launched_by",   "load_store", "memory",
    "name",          "operand_cache", "pipes",      "rates",
    "register_file", "residency",     "samples",    "scheduler",
    "scheme",        "seconds",       "sharing",    "sms",
    "stats",         "stream",        "version"};

/// What lists of schemes have instead of names.
static constexpr std::string_view ListWords[] = {"all", "compositions"};

/// A word before the text of a report's line has at most so many letters.
static constexpr size_t LongestKey = 13;

/// Between quotes; what cannot be printed, and what is long, is told so.
static std::string quoted(std::string_view Text) {
  constexpr size_t Most = 60;
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Shown;
  for (unsigned char C : Text.substr(0, Most)) {
    if (C >= ' ' && C < 0x7f)
      Shown += char(C);
    else
      Shown += std::string("\\x") + Digits[C / 16] + Digits[C % 16];
  }
  return "'" + Shown + (Text.size() > Most ? "…'" : "'");
}

/// Lower-case letters and digits, a letter first, in words with one of
/// \p Between between them.
static bool isName(std::string_view Text, std::string_view Between) {
  auto IsLetter = [](char C) { return C >= 'a' && C <= 'z'; };
  auto IsWord = [&](char C) { return IsLetter(C) || (C >= '0' && C <= '9'); };
  if (Text.empty() || !IsLetter(Text.front()) || !IsWord(Text.back()))
    return false;
  for (size_t N = 1; N != Text.size(); ++N)
    if (!IsWord(Text[N]) &&
        (Between.find(Text[N]) == Between.npos || !IsWord(Text[N - 1])))
      return false;
  return true;
}

/// Whether \p Text can stand in a line of a list.
static bool isLine(std::string_view Text) {
  return std::ranges::none_of(
      Text, [](unsigned char C) { return C < ' ' || C == 0x7f; });
}

static constexpr char ExpectedName[] =
    "; expected lower-case letters and digits, a letter first, in words with "
    "hyphens between them";

/// What is wrong with the range and the default of a number or a share.
static std::string doubtAboutRange(const Setting &S) {
  if (S.Kind == Setting::Share && (S.Least < 0 || S.Most != 1000))
    return "a share goes from at least 0 to 1000 thousandths, and this one "
           "from " +
           std::to_string(S.Least) + " to " + std::to_string(S.Most);
  if (S.Least > S.Most)
    return "its least value, " + std::to_string(S.Least) +
           ", is above its greatest, " + std::to_string(S.Most);
  if (S.Default < S.Least || S.Default > S.Most)
    return "its default, " + std::to_string(S.Default) + ", is not from " +
           std::to_string(S.Least) + " to " + std::to_string(S.Most);
  return "";
}

static std::string doubtAboutChoices(const Setting &S) {
  if (S.Choices.empty())
    return "it is a choice and has no choices";
  std::set<std::string_view> Names;
  std::set<int64_t> Values;
  for (const SettingChoice &C : S.Choices) {
    // Sizes are names, too.
    std::string WithLetter = "a" + std::string(C.Name);
    if (C.Name.empty() || !isName(WithLetter, "-_."))
      return "choice " + quoted(C.Name) + " cannot be its name" + ExpectedName;
    if (!isLine(C.Help))
      return "the help of choice " + quoted(C.Name) + " is not one line";
    if (!Names.insert(C.Name).second)
      return "choice " + quoted(C.Name) + " is there twice";
    if (!Values.insert(C.Value).second)
      return "choice " + quoted(C.Name) + " has the value of another one, " +
             std::to_string(C.Value);
  }
  if (!Values.contains(S.Default))
    return "its default, " + std::to_string(S.Default) +
           ", is the value of none of its choices";
  return "";
}

static std::string doubtAboutValues(const Setting &S) {
  switch (S.Kind) {
  case Setting::Flag:
    return S.Default == 0 || S.Default == 1
               ? ""
               : "the default of a flag is 0 or 1, and this one's is " +
                     std::to_string(S.Default);
  case Setting::Number:
  case Setting::Share:
    return doubtAboutRange(S);
  case Setting::Choice:
    return doubtAboutChoices(S);
  }
  return "it is no flag, number, share or choice";
}

/// Nothing if \p S holds.
static std::string doubtAbout(const Setting &S) {
  if (!isName(S.Name, "-"))
    return "that cannot be its name" + std::string(ExpectedName);
  if (std::ranges::count(ownVariables(), S.variable()) ||
      std::ranges::count(TakenOptions, S.Name))
    return S.variable() + " or -regshare-" + std::string(S.Name) +
           " is RegShare's own; a setting needs another name";
  if (S.Use != SettingUse::Compiler && S.Use != SettingUse::Machine &&
      S.Use != SettingUse::Both)
    return "neither the compiler nor the machine acts on it";
  if (S.Help.empty() || !isLine(S.Help) || !isLine(S.DefaultMeans) ||
      !isLine(S.ValueName))
    return "its help is not one line of text";
  return doubtAboutValues(S);
}

Result<void> checkSetting(const Setting &S) {
  if (std::string Doubt = doubtAbout(S); !Doubt.empty())
    return fail("setting " + quoted(S.Name) + ": " + Doubt);
  return {};
}

static Result<void> checkSettings(const SchemeDescription &D) {
  std::set<std::string_view> Names;
  for (const Setting *S : D.Settings) {
    if (!S)
      return fail("one of its settings is a null pointer");
    if (Result<void> Ok = checkSetting(*S); !Ok)
      return Ok;
    if (!Names.insert(S->Name).second)
      return fail("setting " + quoted(S->Name) + " is there twice");
  }
  return {};
}

static std::string doubtAbout(const StatementKind &S) {
  if (!isName(S.Verb, "-."))
    return "that cannot be its verb" + std::string(ExpectedName);
  if (isCommonVerb(S.Verb))
    return "code of every scheme has statements of that verb";
  if (S.Place != StatementKind::Head && S.Place != StatementKind::Anywhere &&
      S.Place != StatementKind::After)
    return "it is neither for the head of a kernel nor for anywhere nor for "
           "after an instruction";
  if (S.Runs > StatementKind::Issued)
    return "what the SM makes of it is " + std::to_string(unsigned(S.Runs)) +
           "; expected one of StatementKind::Execution, from 0 to " +
           std::to_string(unsigned(StatementKind::Issued));
  if (!S.Add)
    return "its Add is null, so that nobody reads it";
  if (S.Help.empty() || !isLine(S.Help))
    return "its help is not one line of text";
  return "";
}

static Result<void> checkStatements(const SchemeDescription &D) {
  std::set<std::string_view> Verbs;
  for (const StatementKind &S : D.Statements) {
    if (std::string Doubt = doubtAbout(S); !Doubt.empty())
      return fail("statement " + quoted(S.Verb) + ": " + Doubt);
    if (!Verbs.insert(S.Verb).second)
      return fail("statement " + quoted(S.Verb) + " is there twice");
  }
  if (!D.Required.empty() && !Verbs.contains(D.Required))
    return fail("every kernel of it has to have the statement " +
                quoted(D.Required) + ", which is none of its statements");
  return {};
}

static Result<void> checkClaims(const SchemeDescription &D) {
  std::set<Domain> Domains;
  for (const Claim &C : D.Claims) {
    const std::string What(domainName(C.What));
    if (What.empty())
      return fail("it claims domain " + std::to_string(unsigned(C.What)) +
                  "; expected one of regshare::Domain, from 0 to " +
                  std::to_string(unsigned(Domain::Waiting)));
    if (C.How.empty() || !isLine(C.How))
      return fail("its claim does not say in one line of text how it decides " +
                  What);
    if (!Domains.insert(C.What).second)
      return fail("it claims twice to decide " + What);
  }
  return {};
}

/// Why \p Shown cannot stand in reports.
static Result<void> checkShown(const ShownFacts &Shown) {
  const std::string_view Key = Shown.Key;
  if (Key.empty())
    return {};
  if (!isName(Key, "-_") || Key.size() > LongestKey)
    return fail("the key of what it shows, " + quoted(Key) +
                ", is no word of at most " + std::to_string(LongestKey) +
                " lower-case letters");
  if (std::ranges::count(ReportFields, Key))
    return fail("the key of what it shows, " + quoted(Key) +
                ", is a field of RegShare's reports; it needs another one");
  if (!isLine(Shown.Text))
    return fail("the text of what it shows is not one line, " +
                quoted(Shown.Text));
  for (const auto &[Name, Value] : Shown.Figures)
    if (!isName(Name, "-_"))
      return fail("the name of a figure that it shows, " + quoted(Name) +
                  ", is no word of lower-case letters");
  return {};
}

/// A kernel that says something shows it under the key of all others.
Result<void> checkShown(const SchemeDescription &D, const ShownFacts &Shown) {
  auto Refuse = [&](const std::string &Why) {
    return fail("scheme " + quoted(D.Name) + ": " + Why);
  };
  if (Result<void> Ok = checkShown(Shown); !Ok)
    return Refuse(Ok.error().Message);
  const std::string_view Always = D.Show({}).Key;
  if (!Always.empty() && !Shown.Key.empty() && Shown.Key != Always)
    return Refuse("the key of what it shows is " + quoted(Shown.Key) +
                  " for this kernel and " + quoted(Always) +
                  " for one that says nothing; expected the same");
  return {};
}

Result<void> checkDescription(const SchemeDescription &D) {
  auto Refuse = [&](const std::string &Why) {
    return fail("scheme " + quoted(D.Name) + ": " + Why);
  };
  if (D.Name.empty())
    return fail("a scheme has no name");
  if (!isName(D.Name, "-"))
    return Refuse("that cannot be its name" + std::string(ExpectedName));
  if (std::ranges::count(ReportFields, D.Name))
    return Refuse("that is a field of RegShare's reports, where its counters "
                  "stand under its name; it needs another one");
  if (std::ranges::count(ListWords, D.Name))
    return Refuse("that means several schemes in lists of them; it needs "
                  "another name");
  if (D.Summary.empty() || !isLine(D.Summary))
    return Refuse("its summary is not one line of text");
  if (!isLine(D.Page) || D.Page.find('/') != D.Page.npos)
    return Refuse("its page, " + quoted(D.Page) + ", is no file name");
  if (!D.Parts.empty())
    return Refuse("it has parts, which only what RegShare composes has");
  if (Result<void> Ok = checkSettings(D); !Ok)
    return Refuse(Ok.error().Message);
  if (Result<void> Ok = checkStatements(D); !Ok)
    return Refuse(Ok.error().Message);
  if (Result<void> Ok = checkClaims(D); !Ok)
    return Refuse(Ok.error().Message);
  if (Result<void> Ok = checkShown(D.Show ? D.Show({}) : ShownFacts()); !Ok)
    return Refuse(Ok.error().Message);
  return {};
}

} // namespace regshare
