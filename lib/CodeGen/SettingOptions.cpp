//===- SettingOptions.cpp - Options of the schemes' settings --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Options.h"

#include "regshare/Base/Scheme.h"
#include "regshare/Base/SchemeLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>

using namespace llvm;

namespace regshare {

/// "first-scheme, second-scheme".
static std::string namesOfSchemes(const Setting &S) {
  std::string Names;
  for (Scheme Each : schemesWith(S))
    Names += (Names.empty() ? "" : ", ") + std::string(Each.name());
  return Names;
}

static std::string helpOf(const Setting &S) {
  std::string Text = namesOfSchemes(S) + ": " + std::string(S.Help) + " (";
  if (S.Kind == Setting::Number || S.Kind == Setting::Share)
    Text += S.print(S.Least) + " to " + S.print(S.Most) + "; ";
  Text += "default " + S.print(S.Default);
  if (!S.DefaultMeans.empty())
    Text += ": " + std::string(S.DefaultMeans);
  return Text + ")";
}

namespace {

/// The option of a setting. The name of a flag alone sets it.
class SettingOption final : public cl::Option {
public:
  SettingOption(const Setting &S, cl::OptionCategory &Category)
      : Option(cl::Optional, cl::NotHidden), Of(S),
        Name(StringRef(S.option()).ltrim('-')), Help(helpOf(S)) {
    setArgStr(Name);
    setDescription(Help);
    if (S.Kind != Setting::Flag)
      setValueStr(S.ValueName);
    addCategory(Category);
    addArgument();
  }

  const Setting &setting() const { return Of; }
  /// Nothing: the command line does not have it.
  std::optional<int64_t> value() const { return Value; }

private:
  bool handleOccurrence(unsigned, StringRef, StringRef Text) override;
  cl::ValueExpected getValueExpectedFlagDefault() const override {
    return Of.Kind == Setting::Flag ? cl::ValueOptional : cl::ValueRequired;
  }
  size_t getOptionWidth() const override {
    return printer().getOptionWidth(*this);
  }
  void printOptionInfo(size_t Width) const override;
  void printOptionValue(size_t, bool) const override {}
  void setDefault() override { Value.reset(); }

  const cl::basic_parser_impl &printer() const {
    return Of.Kind == Setting::Flag
               ? static_cast<const cl::basic_parser_impl &>(FlagPrinter)
               : ValuePrinter;
  }

  const Setting &Of;
  std::string Name, Help;
  cl::parser<bool> FlagPrinter{*this};
  cl::parser<std::string> ValuePrinter{*this};
  std::optional<int64_t> Value;
};

} // namespace

bool SettingOption::handleOccurrence(unsigned, StringRef, StringRef Text) {
  if (Text.empty() && Of.Kind == Setting::Flag)
    Text = "1";
  Result<int64_t> Read = Of.parse(Text);
  if (!Read)
    return error(Read.error().Message);
  if (Value && *Value != *Read)
    return error("expected one value, found " + Twine(Of.print(*Value)) +
                 " and " + Of.print(*Read));
  Value = *Read;
  return false;
}

void SettingOption::printOptionInfo(size_t Width) const {
  printer().printOptionInfo(*this, Width);
  for (const SettingChoice &C : Of.Choices) {
    outs() << "    =" << C.Name;
    if (C.Help.empty())
      outs() << "\n";
    else
      printEnumValHelpStr(C.Help, Width, C.Name.size() + 8);
  }
}

/// Those that have been made.
static std::vector<std::unique_ptr<SettingOption>> &settingOptions() {
  static std::vector<std::unique_ptr<SettingOption>> All;
  return All;
}

Result<void> addSettingOptions(cl::OptionCategory *OfMachine) {
  std::vector<std::unique_ptr<SettingOption>> &All = settingOptions();
  for (const Setting *S : allSettings()) {
    cl::OptionCategory *Category =
        S->Use == SettingUse::Machine ? OfMachine : &optionCategory();
    if (!Category ||
        llvm::any_of(All, [&](const auto &O) { return &O->setting() == S; }))
      continue;
    // LLVM ends the process over two options of a name.
    const std::string Option = S->option();
    if (cl::getRegisteredOptions().contains(StringRef(Option).ltrim('-')))
      return fail(
          "cannot load '" + libraryOf(*schemesWith(*S).front()) +
              "': scheme '" + std::string(schemesWith(*S).front().name()) +
              "': setting '" + std::string(S->Name) + "': there is an option " +
              Option + " already; a setting needs another name",
          ErrorKind::BadInput);
    All.push_back(std::make_unique<SettingOption>(*S, *Category));
  }
  return {};
}

// Options exist from the moment the program, or the plug-in, is loaded. Those
// of this repository's schemes can be had; programs that load others ask again.
[[maybe_unused]] static const bool Added = addSettingOptions().has_value();

SettingValues givenSettings() {
  SettingValues Values;
  for (const auto &O : settingOptions())
    if (O->value())
      Values.set(O->setting(), *O->value());
  return Values;
}

void warnOfOtherSettings(const CompilerOptions &Options, raw_ostream &OS,
                         StringRef Program) {
  static bool IsTold = false;
  Result<Scheme> Chosen = parseScheme(Options.Scheme);
  if (std::exchange(IsTold, true))
    return;
  for (const auto &O : settingOptions()) {
    const Setting &S = O->setting();
    if (!O->getNumOccurrences() || (Chosen && (*Chosen)->findSetting(S.Name)))
      continue;
    OS << Program << ": warning: " << S.option() << " is a setting of "
       << schemeNames(schemesWith(S)) << "; "
       << (Options.Scheme.empty() ? "no scheme is chosen"
                                  : "the scheme is " + Options.Scheme)
       << "\n";
  }
}

} // namespace regshare
