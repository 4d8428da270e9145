//===- Composition.cpp - Two schemes at the same time ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composition.h"

#include "regshare/Base/Occupancy.h"
#include "regshare/Base/SchemeChecks.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>

namespace regshare {

//===----------------------------------------------------------------------===//
// What can be composed
//===----------------------------------------------------------------------===//

std::string_view domainName(Domain What) {
  switch (What) {
  case Domain::Rows:
    return "which rows of the register file a warp has";
  case Domain::Operands:
    return "where operands are read and results are written";
  case Domain::Scratchpad:
    return "which scratchpad a CTA has";
  case Domain::Values:
    return "where in code registers lose what they hold";
  case Domain::Waiting:
    return "whom a warp waits for where its code does not say so";
  }
  return "";
}

/// Why the two are no composition; empty: they are one.
static std::string refusal(Scheme A, Scheme B) {
  if (A == B)
    return "it is the same scheme twice";
  for (Scheme S : {A, B})
    if (S->Claims.empty())
      return "'" + std::string(S.name()) +
             "' does not say what of an SM it decides, so that nothing can "
             "stand beside it";
  for (const Claim &Of : A->Claims)
    for (const Claim &Other : B->Claims)
      if (Of.What == Other.What)
        return "both decide " + std::string(domainName(Of.What)) + ": '" +
               std::string(A.name()) + "' " + std::string(Of.How) + ", '" +
               std::string(B.name()) + "' " + std::string(Other.How);
  return "";
}

/// Registers are divided before scratchpad is, and both before operands are
/// moved to where they are read.
static bool runsBefore(Scheme A, Scheme B) {
  for (Domain What : {Domain::Rows, Domain::Scratchpad, Domain::Operands})
    if (A.claimantOf(What) || B.claimantOf(What))
      return A.claimantOf(What) && !B.claimantOf(What);
  return false;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

namespace {

/// What the description of a composition points to.
struct Composition {
  const SchemeDescription *Parts[2];
  std::string Name, Summary;
  std::vector<StatementKind> Statements;
  std::vector<const Setting *> Settings;
  const SchemeDescription Description;

  Composition(Scheme A, Scheme B) : Parts{&*A, &*B}, Description(describe()) {}

private:
  SchemeDescription describe();
};

} // namespace

/// A statement that both have is the first one's: the other has another verb
/// for what it says.
SchemeDescription Composition::describe() {
  Name = std::string(Parts[0]->Name) + "+" + std::string(Parts[1]->Name);
  Summary =
      std::string(Parts[0]->Summary) + "; " + std::string(Parts[1]->Summary);
  auto IsNew = [&](const StatementKind &S) {
    return std::ranges::find(Statements, S.Verb, &StatementKind::Verb) ==
           Statements.end();
  };
  for (const SchemeDescription *Part : Parts) {
    std::ranges::copy_if(Part->Statements, std::back_inserter(Statements),
                         IsNew);
    for (const Setting *S : Part->Settings)
      if (std::ranges::find(Settings, S) == Settings.end())
        Settings.push_back(S);
  }
  return {.Name = Name,
          .Summary = Summary,
          .Page = "composition",
          .Statements = Statements,
          .Settings = Settings,
          .Parts = Parts};
}

/// One object for each pair, however often it is named: schemes are compared by
/// their descriptions.
static Scheme composed(Scheme A, Scheme B) {
  static std::mutex Guard;
  static std::list<Composition> All;
  std::lock_guard Lock(Guard);
  for (const Composition &Each : All)
    if (Each.Parts[0] == &*A && Each.Parts[1] == &*B)
      return Each.Description;
  return All.emplace_back(A, B).Description;
}

Result<Scheme> parseComposition(std::string_view Name) {
  auto Refuse = [&](const std::string &Why) {
    return fail("'" + std::string(Name) +
                    "' is no composition of schemes: " + Why,
                ErrorKind::BadInput);
  };
  size_t Plus = Name.find('+');
  if (Name.find('+', Plus + 1) != Name.npos)
    return Refuse("expected two schemes with a '+' between them, found more");
  Result<Scheme> A = parseScheme(Name.substr(0, Plus));
  Result<Scheme> B = parseScheme(Name.substr(Plus + 1));
  for (const Result<Scheme> *Each : {&A, &B})
    if (!*Each)
      return Refuse(Each->error().Message);
  if (std::string Why = refusal(*A, *B); !Why.empty())
    return Refuse(Why);
  return runsBefore(*B, *A) ? composed(*B, *A) : composed(*A, *B);
}

std::vector<Scheme> allCompositions() {
  std::vector<Scheme> Pairs;
  const std::vector<Scheme> All = allSchemes();
  for (size_t First = 0; First != All.size(); ++First)
    for (size_t Second = First + 1; Second != All.size(); ++Second)
      if (Scheme A = All[First], B = All[Second]; refusal(A, B).empty())
        Pairs.push_back(runsBefore(B, A) ? composed(B, A) : composed(A, B));
  return Pairs;
}

//===----------------------------------------------------------------------===//
// What is asked of the parts
//===----------------------------------------------------------------------===//

bool Scheme::includes(Scheme Part) const {
  return *this == Part || std::ranges::find(Description->Parts, &*Part) !=
                              Description->Parts.end();
}

const SchemeDescription *Scheme::claimantOf(Domain What) const {
  for (const SchemeDescription *Part : parts())
    if (std::ranges::find(Part->Claims, What, &Claim::What) !=
        Part->Claims.end())
      return Part;
  return nullptr;
}

const SchemeDescription *Scheme::ownerOf(std::string_view Verb) const {
  for (const SchemeDescription *Part : parts())
    if (Part->findStatement(Verb))
      return Part;
  return nullptr;
}

bool Scheme::dependsOnLaunch(const SettingValues &Values) const {
  return std::ranges::any_of(parts(), [&](const SchemeDescription *Part) {
    return Part->DependsOnLaunch && Part->DependsOnLaunch(Values);
  });
}

unsigned Scheme::border(const SchemeFacts &Facts) const {
  for (const SchemeDescription *Part : parts())
    if (unsigned First = Part->Border ? Part->Border(Facts) : 0)
      return First;
  return 0;
}

DeviceDescription Scheme::deviceFor(const SchemeDescription &Part,
                                    DeviceDescription D,
                                    const KernelResources &K,
                                    const SettingValues &Values) const {
  for (const SchemeDescription *Other : parts())
    if (Other != &Part && Other->Widen)
      Other->Widen(D, K, Values);
  return D;
}

unsigned Scheme::residentCTAs(const DeviceDescription &D,
                              const KernelResources &K,
                              const SchemeFacts &Facts,
                              const SettingValues &Values) const {
  std::optional<unsigned> Least;
  for (const SchemeDescription *Part : parts()) {
    if (!Part->ResidentCTAs)
      continue;
    DeviceDescription Widened = deviceFor(*Part, D, K, Values);
    unsigned CTAs = Part->ResidentCTAs(Widened, K, Facts, Values);
    Least = std::min(Least.value_or(CTAs), CTAs);
  }
  return Least ? *Least : occupancy(D, K).CTAs;
}

Result<ShownFacts> Scheme::show(const SchemeFacts &Facts) const {
  ShownFacts All;
  for (const SchemeDescription *Part : parts()) {
    if (!Part->Show)
      continue;
    ShownFacts Its = Part->Show(Facts);
    if (Result<void> Ok = checkShown(*Part, Its); !Ok)
      return tl::make_unexpected(Ok.error());
    if (All.Key.empty())
      All.Key = Its.Key;
    All.Text += (All.Text.empty() || Its.Text.empty() ? "" : "; ") + Its.Text;
    All.Figures.insert(All.Figures.end(), Its.Figures.begin(),
                       Its.Figures.end());
  }
  return All;
}

} // namespace regshare
