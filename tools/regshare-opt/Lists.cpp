//===- Lists.cpp - What regshare-opt lists --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lists.h"

#include "regshare/Base/Device.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Variables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;
using namespace regshare;

namespace {

cl::OptionCategory ListCategory("Lists, which are printed instead of a run");

enum class ListForm { None, Text, JSON };

cl::opt<bool> ListPasses("list-passes", cl::desc("RegShare's passes"),
                         cl::cat(ListCategory));
cl::opt<ListForm>
    ListSchemes("list-schemes",
                cl::desc("The schemes; with =json, which programs read, their "
                         "statements and settings too"),
                cl::ValueOptional, cl::init(ListForm::None),
                cl::values(clEnumValN(ListForm::Text, "", ""),
                           clEnumValN(ListForm::JSON, "json", "as JSON")),
                cl::cat(ListCategory));
cl::opt<bool> ListCompositions("list-compositions",
                               cl::desc("The pairs of schemes that can be "
                                        "applied together"),
                               cl::cat(ListCategory));
cl::opt<bool> ListSettings("list-settings",
                           cl::desc("The schemes' settings: variables of "
                                    "programs, and options"),
                           cl::cat(ListCategory));
cl::opt<bool> ListDevices("list-devices", cl::desc("The devices"),
                          cl::cat(ListCategory));

} // namespace

cl::OptionCategory &regshare::listCategory() { return ListCategory; }

static void listPasses() {
  struct Lister : PassRegistrationListener {
    std::map<StringRef, StringRef> Found;
    void passEnumerate(const PassInfo *Info) override {
      StringRef Name = Info->getPassArgument();
      if (Name.starts_with("regshare-") && Info->getNormalCtor())
        Found[Name] = Info->getPassName();
    }
  } L;
  PassRegistry::getPassRegistry()->enumerateWith(&L);
  for (auto [Name, Summary] : L.Found)
    outs() << left_justify(Name, 32) << " " << Summary << "\n";
}

/// A device file that cannot be read is named with what is wrong; the others
/// are listed all the same.
static void listDevices() {
  for (const std::string &Name : knownDevices()) {
    Result<DeviceDescription> D = loadDevice(Name);
    if (!D)
      errs() << "regshare-opt: error: " << D.error().str() << "\n";
    else
      outs() << left_justify(Name, 20) << " "
             << (D->Timing.empty() ? "untimed" : "timed  ") << " "
             << D->Description << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Schemes and settings
//===----------------------------------------------------------------------===//

static void listSchemes() {
  for (Scheme S : allSchemes())
    outs() << left_justify(S.name(), 20) << " " << S->Summary << "\n";
}

static void listCompositions() {
  for (Scheme S : allCompositions())
    outs() << S.name() << "\n";
}

static void listSettings() {
  for (const Setting *S : allSettings()) {
    outs() << S->Name << ", default " << S->print(S->Default);
    if (!S->DefaultMeans.empty())
      outs() << ": " << S->DefaultMeans;
    outs() << "\n    " << settingHelp(*S) << "\n    " << S->variable() << ", "
           << S->option() << "\n";
  }
}

static StringRef kindName(Setting::Form Kind) {
  switch (Kind) {
  case Setting::Flag:
    return "flag";
  case Setting::Number:
    return "number";
  case Setting::Share:
    return "share";
  case Setting::Choice:
    break;
  }
  return "choice";
}

static StringRef useName(SettingUse Use) {
  switch (Use) {
  case SettingUse::Compiler:
    return "compiler";
  case SettingUse::Machine:
    return "machine";
  case SettingUse::Both:
    break;
  }
  return "both";
}

/// A description's text.
static StringRef text(std::string_view Text) { return Text; }

static json::Object toJSON(const Setting &S) {
  json::Array Choices;
  for (const SettingChoice &C : S.Choices)
    Choices.push_back(
        json::Object{{"name", text(C.Name)}, {"help", text(C.Help)}});
  return json::Object{{"name", text(S.Name)},
                      {"variable", S.variable()},
                      {"option", S.option()},
                      {"kind", kindName(S.Kind)},
                      {"default", S.print(S.Default)},
                      {"default_means", text(S.DefaultMeans)},
                      {"expected", S.expected()},
                      {"choices", std::move(Choices)},
                      {"least", S.Least},
                      {"most", S.Most},
                      {"help", text(S.Help)},
                      {"use", useName(S.Use)}};
}

static StringRef placeName(StatementKind::Position Place) {
  switch (Place) {
  case StatementKind::Head:
    return "head";
  case StatementKind::Anywhere:
    return "anywhere";
  case StatementKind::After:
    return "after";
  }
  llvm_unreachable("a statement stands somewhere");
}

static json::Object toJSON(const StatementKind &S) {
  return json::Object{{"verb", text(S.Verb)},
                      {"place", placeName(S.Place)},
                      {"executed", S.isExecuted()},
                      {"issue_slot", S.Runs == StatementKind::Issued},
                      {"help", text(S.Help)}};
}

static json::Object toJSON(const SchemeDescription &D) {
  json::Array Statements, Settings;
  for (const StatementKind &S : D.Statements)
    Statements.push_back(toJSON(S));
  for (const Setting *S : D.Settings)
    Settings.push_back(toJSON(*S));
  return json::Object{{"name", text(D.Name)},
                      {"summary", text(D.Summary)},
                      {"page", text(D.Page)},
                      {"required", text(D.Required)},
                      {"statements", std::move(Statements)},
                      {"settings", std::move(Settings)}};
}

static void listSchemesAsJSON() {
  json::Array Schemes;
  for (Scheme S : allSchemes())
    Schemes.push_back(toJSON(*S));
  json::Array Compositions;
  for (Scheme S : allCompositions())
    Compositions.push_back(toJSON(*S));
  json::Array Variables, OfPrograms;
  for (std::string_view Name : ownVariables())
    Variables.push_back(text(Name));
  for (std::string_view Name : programVariables())
    OfPrograms.push_back(text(Name));
  json::Value All = json::Object{{"version", 1},
                                 {"schemes", std::move(Schemes)},
                                 {"compositions", std::move(Compositions)},
                                 {"variables", std::move(Variables)},
                                 {"program_variables", std::move(OfPrograms)}};
  outs() << formatv("{0:2}", All) << "\n";
}

bool regshare::printedList() {
  if (ListPasses)
    listPasses();
  else if (ListSchemes == ListForm::Text)
    listSchemes();
  else if (ListSchemes == ListForm::JSON)
    listSchemesAsJSON();
  else if (ListCompositions)
    listCompositions();
  else if (ListSettings)
    listSettings();
  else if (ListDevices)
    listDevices();
  else
    return false;
  return true;
}
