//===- SchemeChecksTest.cpp - Tests of descriptions that do not hold ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeChecks.h"

#include "gtest/gtest.h"

using namespace regshare;

namespace {

constexpr char Expected[] = "; expected lower-case letters and digits, a "
                            "letter first, in words with hyphens between them";

/// Why \p S is refused, after "setting '<name>': ".
std::string refusal(const Setting &S) {
  Result<void> Ok = checkSetting(S);
  if (Ok)
    return "taken";
  std::string Text = Ok.error().str();
  EXPECT_TRUE(Text.starts_with("setting '")) << Text;
  return Text.substr(std::min(Text.size(), Text.find("': ") + 3));
}

/// Of a flag with this name.
std::string refusalOfName(std::string_view Name) {
  return refusal(Setting::flag(Name, SettingUse::Both, false, "help"));
}

std::string refusalOfRange(int64_t Default, int64_t Least, int64_t Most) {
  return refusal(
      Setting::number("size", SettingUse::Both, Default, Least, Most, "help"));
}

std::string refusalOfChoices(std::initializer_list<SettingChoice> Choices) {
  return refusal(Setting::choice("kind", SettingUse::Both, 1,
                                 {Choices.begin(), Choices.size()}, "help"));
}

/// Why a scheme with these is refused.
std::string refusal(std::string_view Name,
                    std::span<const StatementKind> Statements,
                    std::string_view Required = {},
                    std::span<const Setting *const> Settings = {}) {
  const SchemeDescription D = {.Name = Name,
                               .Summary = "a scheme",
                               .Page = "",
                               .Statements = Statements,
                               .Settings = Settings,
                               .Required = Required};
  Result<void> Ok = checkDescription(D);
  return Ok ? "taken" : Ok.error().str();
}

Result<void> accept(const Statement &, const KernelDescriptor &,
                    SchemeFacts &) {
  return {};
}

StatementKind kind(std::string_view Verb,
                   StatementKind::Execution Runs = StatementKind::Issued) {
  return {Verb, StatementKind::Anywhere, Runs, "help", accept};
}

std::string refusalOfVerb(std::string_view Verb) {
  const StatementKind Statements[] = {kind(Verb)};
  return refusal("own", Statements);
}

TEST(SchemeChecks, NamesOfSettings) {
  for (const char *Name : {"a", "tau", "wake-cycles", "l2-size", "a1-2"})
    EXPECT_EQ(refusalOfName(Name), "taken") << Name;
  for (const char *Name : {"", "Tau", "wake_cycles", "wake cycles", "-tau",
                           "tau-", "a--b", "2nd", "a\"b", "a=b", "ä"})
    EXPECT_EQ(refusalOfName(Name),
              "that cannot be its name" + std::string(Expected))
        << Name;
  Result<void> WithNull = checkSetting(Setting::flag(
      std::string_view("a\0b", 3), SettingUse::Both, false, "help"));
  ASSERT_FALSE(WithNull);
  EXPECT_TRUE(WithNull.error().str().starts_with("setting 'a\\x00b': "));
  for (const char *Name : {"scheme", "load", "threads", "timing", "max-regs"})
    EXPECT_TRUE(refusalOfName(Name).ends_with(
        " is RegShare's own; a setting needs another name"))
        << Name;
}

TEST(SchemeChecks, ValuesOfSettings) {
  EXPECT_EQ(refusalOfRange(1, 1, 1), "taken");
  EXPECT_EQ(refusalOfRange(-3, -5, -1), "taken");
  EXPECT_EQ(refusalOfRange(3, 5, 1),
            "its least value, 5, is above its greatest, 1");
  EXPECT_EQ(refusalOfRange(0, 1, 5), "its default, 0, is not from 1 to 5");
  EXPECT_EQ(refusalOfRange(6, 1, 5), "its default, 6, is not from 1 to 5");
  EXPECT_EQ(refusal(Setting::share("part", SettingUse::Both, 1001, 0, "help")),
            "its default, 1001, is not from 0 to 1000");
  EXPECT_EQ(refusal(Setting::share("part", SettingUse::Both, 0, -1, "help")),
            "a share goes from at least 0 to 1000 thousandths, and this one "
            "from -1 to 1000");
  Setting Flag = Setting::flag("on", SettingUse::Both, false, "help");
  Flag.Default = 2;
  EXPECT_EQ(refusal(Flag), "the default of a flag is 0 or 1, and this one's "
                           "is 2");
  EXPECT_EQ(refusal(Setting::flag("on", SettingUse::Both, false, "")),
            "its help is not one line of text");
  EXPECT_EQ(refusal(Setting::flag("on", SettingUse::Both, false, "a\nb")),
            "its help is not one line of text");
  EXPECT_EQ(refusal(Setting::flag("on", SettingUse(7), false, "help")),
            "neither the compiler nor the machine acts on it");
  Flag.Kind = Setting::Form(9);
  EXPECT_EQ(refusal(Flag), "it is no flag, number, share or choice");
}

TEST(SchemeChecks, Choices) {
  EXPECT_EQ(refusalOfChoices({{"small", 1}, {"1024", 2}}), "taken");
  EXPECT_EQ(refusalOfChoices({}), "it is a choice and has no choices");
  EXPECT_EQ(refusalOfChoices({{"small", 1}, {"small", 2}}),
            "choice 'small' is there twice");
  EXPECT_EQ(refusalOfChoices({{"small", 1}, {"large", 1}}),
            "choice 'large' has the value of another one, 1");
  EXPECT_EQ(refusalOfChoices({{"small", 0}, {"large", 2}}),
            "its default, 1, is the value of none of its choices");
  EXPECT_EQ(refusalOfChoices({{"very small", 1}}),
            "choice 'very small' cannot be its name" + std::string(Expected));
}

TEST(SchemeChecks, Statements) {
  EXPECT_EQ(refusalOfVerb("off"), "taken");
  EXPECT_EQ(refusalOfVerb("unit.off"), "taken");
  for (const char *Verb : {"", "Off", "turn off", "off\"", "off;", ".off"})
    EXPECT_EQ(refusalOfVerb(Verb), "scheme 'own': statement '" +
                                       std::string(Verb) +
                                       "': that cannot be its verb" + Expected)
        << Verb;
  for (const char *Verb :
       {"kernel", "map", "temps", "native", "control", "issue", "scratch"})
    EXPECT_EQ(refusalOfVerb(Verb),
              "scheme 'own': statement '" + std::string(Verb) +
                  "': code of every scheme has statements of that verb");
  const StatementKind Twice[] = {kind("off"),
                                 kind("off", StatementKind::Unexecuted)};
  EXPECT_EQ(refusal("own", Twice),
            "scheme 'own': statement 'off' is there twice");
  StatementKind Unread[] = {kind("off")};
  Unread[0].Add = nullptr;
  EXPECT_EQ(refusal("own", Unread), "scheme 'own': statement 'off': its Add "
                                    "is null, so that nobody reads it");
  const StatementKind Unknown[] = {kind("off", StatementKind::Execution(4))};
  EXPECT_EQ(refusal("own", Unknown),
            "scheme 'own': statement 'off': what the SM makes of it is 4; "
            "expected one of StatementKind::Execution, from 0 to 3");
  const StatementKind Off[] = {kind("off")};
  EXPECT_EQ(refusal("own", Off, "off"), "taken");
  EXPECT_EQ(refusal("own", Off, "on"),
            "scheme 'own': every kernel of it has to have the statement 'on', "
            "which is none of its statements");
}

TEST(SchemeChecks, Claims) {
  auto Refusal = [](std::initializer_list<Claim> Claims) {
    const SchemeDescription D = {.Name = "own",
                                 .Summary = "a scheme",
                                 .Page = "",
                                 .Claims = {Claims.begin(), Claims.size()}};
    Result<void> Ok = checkDescription(D);
    return Ok ? "taken" : Ok.error().str();
  };
  EXPECT_EQ(Refusal({{Domain::Rows, "moves rows"},
                     {Domain::Operands, "keeps operands"},
                     {Domain::Scratchpad, "divides it"},
                     {Domain::Values, "loses values"},
                     {Domain::Waiting, "waits"}}),
            "taken");
  EXPECT_EQ(Refusal({{Domain::Rows, "moves rows"}, {Domain(5), "flies"}}),
            "scheme 'own': it claims domain 5; expected one of "
            "regshare::Domain, from 0 to 4");
  EXPECT_EQ(Refusal({{Domain::Values, ""}}),
            "scheme 'own': its claim does not say in one line of text how it "
            "decides where in code registers lose what they hold");
  EXPECT_EQ(
      Refusal({{Domain::Rows, "moves rows"}, {Domain::Rows, "again"}}),
      "scheme 'own': it claims twice to decide which rows of the register "
      "file a warp has");
}

TEST(SchemeChecks, FieldsOfReports) {
  for (const char *Name : {"kernel", "grid", "cycles", "energy"})
    EXPECT_EQ(
        refusal(Name, {}),
        "scheme '" + std::string(Name) +
            "': that is a field of RegShare's reports, where its counters "
            "stand under its name; it needs another one");
  for (const char *Name : {"all", "compositions"})
    EXPECT_EQ(refusal(Name, {}),
              "scheme '" + std::string(Name) +
                  "': that means several schemes in lists of them; it needs "
                  "another name");
  auto OfKey = [](ShownFacts (*Show)(const SchemeFacts &)) {
    Result<void> Ok = checkDescription(
        {.Name = "own", .Summary = "a scheme", .Page = "", .Show = Show});
    return Ok ? "taken" : Ok.error().str();
  };
  EXPECT_EQ(OfKey([](const SchemeFacts &) -> ShownFacts { return {}; }),
            "taken");
  EXPECT_EQ(OfKey([](const SchemeFacts &) -> ShownFacts {
              return {"own_rows", "none", {}};
            }),
            "taken");
  EXPECT_EQ(OfKey([](const SchemeFacts &) -> ShownFacts {
              return {"kernel", "none", {}};
            }),
            "scheme 'own': the key of what it shows, 'kernel', is a field of "
            "RegShare's reports; it needs another one");
  for (auto *Show : {+[](const SchemeFacts &) -> ShownFacts {
                       return {"rows that are off", "none", {}};
                     },
                     +[](const SchemeFacts &) -> ShownFacts {
                       return {"abcdefghijklmn", "none", {}};
                     }})
    EXPECT_TRUE(
        OfKey(Show).ends_with(", is no word of at most 13 lower-case letters"))
        << OfKey(Show);
}

/// What a kernel says shows only in its launch.
TEST(SchemeChecks, ShownOfAKernel) {
  struct Said {
    ShownFacts Of;
  };
  static const SchemeDescription Own = {
      .Name = "own",
      .Summary = "a scheme",
      .Page = "",
      .Show = [](const SchemeFacts &Facts) -> ShownFacts {
        const auto *Its = Facts.get<Said>();
        return Its ? Its->Of : ShownFacts{"rows", "", {}};
      }};
  ASSERT_TRUE(checkDescription(Own));
  auto Shown = [](ShownFacts Of) {
    SchemeFacts Facts;
    Facts.set(Said{std::move(Of)});
    Result<ShownFacts> Its = Scheme(Own).show(Facts);
    return Its ? std::string(Its->Key) + ": " + Its->Text : Its.error().str();
  };
  EXPECT_EQ(Shown({"rows", "4 of 8", {{"rows", 4}, {"of-all", 8}}}),
            "rows: 4 of 8");
  EXPECT_EQ(Shown({}), ": ");
  EXPECT_EQ(Shown({"kernel", "4", {}}),
            "scheme 'own': the key of what it shows, 'kernel', is a field of "
            "RegShare's reports; it needs another one");
  EXPECT_EQ(Shown({"ROWS", "4", {}}),
            "scheme 'own': the key of what it shows, 'ROWS', is no word of at "
            "most 13 lower-case letters");
  EXPECT_EQ(Shown({"columns", "4", {}}),
            "scheme 'own': the key of what it shows is 'columns' for this "
            "kernel and 'rows' for one that says nothing; expected the same");
  EXPECT_EQ(Shown({"rows", "4\n5", {}}),
            "scheme 'own': the text of what it shows is not one line, "
            "'4\\x0a5'");
  EXPECT_EQ(Shown({"rows", "4", {{"\xff", 1}}}),
            "scheme 'own': the name of a figure that it shows, '\\xff', is no "
            "word of lower-case letters");
}

TEST(SchemeChecks, Schemes) {
  for (const char *Name : {"Own", "my scheme", "a:b", "a,b", "own\n"}) {
    std::string Why = refusal(Name, {});
    EXPECT_TRUE(Why.starts_with("scheme '") && Why.ends_with(Expected)) << Why;
  }
  EXPECT_EQ(refusal("", {}), "a scheme has no name");
  static const Setting One =
                           Setting::flag("on", SettingUse::Both, false, "help"),
                       Other =
                           Setting::flag("on", SettingUse::Both, true, "help");
  const Setting *const Twice[] = {&One, &Other}, *const Null[] = {nullptr};
  EXPECT_EQ(refusal("own", {}, "", Twice),
            "scheme 'own': setting 'on' is there twice");
  EXPECT_EQ(refusal("own", {}, "", Null),
            "scheme 'own': one of its settings is a null pointer");
  const SchemeDescription Unsaid = {.Name = "own", .Summary = "", .Page = ""},
                          Elsewhere = {
                              .Name = "own", .Summary = "s", .Page = "../a"};
  EXPECT_EQ(checkDescription(Unsaid).error().str(),
            "scheme 'own': its summary is not one line of text");
  EXPECT_EQ(checkDescription(Elsewhere).error().str(),
            "scheme 'own': its page, '../a', is no file name");
  const SchemeDescription *const Parts[] = {nullptr};
  const SchemeDescription Composed = {
      .Name = "own", .Summary = "s", .Page = "", .Parts = Parts};
  EXPECT_EQ(checkDescription(Composed).error().str(),
            "scheme 'own': it has parts, which only what RegShare composes "
            "has");
}

} // namespace
