//===- VerifyAnnotations.cpp - Proves annotations sound -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifierRun.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace regshare {

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string instrPlace(const MachineInstr &MI) {
  unsigned Index = 0;
  for (const MachineInstr &Other : *MI.getParent()) {
    if (&Other == &MI)
      break;
    Index += !Other.isDebugInstr();
  }
  return "bb." + std::to_string(MI.getParent()->getNumber()) +
         ", instruction " + std::to_string(Index);
}

static std::string textOf(const MachineInstr &MI) {
  std::string Text;
  raw_string_ostream OS(Text);
  MI.print(OS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  // Memory operands say nothing here.
  return StringRef(Text).split(" :: ").first.trim().str();
}

std::string AnnotationViolation::str() const {
  std::string Text;
  if (MI)
    Text = instrPlace(*MI) + " (" + textOf(*MI) + "): ";
  else if (MBB)
    Text = "bb." + std::to_string(MBB->getNumber()) + ": ";
  Text += What;
  if (!Path.empty())
    Text += "; path: " + Path;
  return Text + " [" + std::string(Rule.Name) + "]";
}

void VerifierRun::report(AnnotationRule Rule, const MachineInstr &MI,
                         const RegSet &Units, std::string What,
                         std::string Path) {
  Found.push_back(
      {Rule, MI.getParent(), &MI, Units, std::move(What), std::move(Path)});
}

void VerifierRun::reportBadReads(AnnotationRule Rule, const GivenBack &Given,
                                 AtBarriers Waiting, StringRef How) {
  LostValues Lost(Flow, Assignment, Given, Waiting);
  Lost.forEachBadRead(
      [&](unsigned Node, const MachineInstr &MI, const RegSet &Units) {
        unsigned First = ~0u;
        Units.forEach([&](unsigned Unit) { First = std::min(First, Unit); });
        LostValues::Example E = Lost.explain(Node, MI, First);
        std::string What = ("reads " + Units.str() + ", " + How).str();
        if (E.Culprit)
          What += " in " + instrPlace(*E.Culprit);
        if (E.WhileWaiting)
          What += " while these lanes may wait";
        report(Rule, MI, Units, What, E.Path);
      });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

namespace {

/// Reads the statements of a function in layout order.
class StatementReader {
public:
  StatementReader(VerifierRun &Run, Scheme S) : Run(Run), Of(S) {
    // What the descriptor will say; the code tells it here.
    Descriptor.Regs = Run.Assignment.numUnits();
    Descriptor.Scheme = S.name();
  }
  void read(const MachineInstr &MI);
  /// Those of \p Part, of the scheme or a part of it, in layout order.
  std::vector<PlacedStatement> take(Scheme Part) {
    return std::move(Found[&*Part]);
  }

private:
  void add(const MachineInstr &MI, Statement S, const StatementKind &Kind);
  void complain(const MachineInstr &MI, const std::string &What,
                AnnotationRule Rule = rules::Statement) {
    Run.report(Rule, MI, {}, What);
  }

  VerifierRun &Run;
  const Scheme Of;
  KernelDescriptor Descriptor;
  DenseMap<const SchemeDescription *, std::vector<PlacedStatement>> Found;
};

} // namespace

/// Whether \p MI is one of RegShare's statements but those that belong to no
/// scheme.
static bool isOfScheme(const MachineInstr &MI) {
  StringRef Verb = statementVerb(MI);
  return inlinePTXText(MI).ltrim().starts_with(".pragma \"regshare.") &&
         !isCommonVerb(Verb);
}

/// Nobody has said which scheme the code is of: the one that has most of its
/// statements, the first of them among others.
static Scheme schemeOf(const MachineFunction &MF) {
  std::vector<std::string_view> Verbs;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (StringRef Verb = statementVerb(MI); isOfScheme(MI) && !Verb.empty())
        Verbs.push_back(Verb);
  Scheme Best;
  size_t Most = 0;
  std::vector<Scheme> All = allSchemes();
  llvm::append_range(All, allCompositions());
  for (Scheme S : All) {
    auto HasIt = [&](std::string_view Verb) { return S->findStatement(Verb); };
    if (Verbs.empty() || !HasIt(Verbs.front()))
      continue;
    if (size_t Count = llvm::count_if(Verbs, HasIt); Count > Most) {
      Most = Count;
      Best = S;
    }
  }
  return Best;
}

void StatementReader::add(const MachineInstr &MI, Statement S,
                          const StatementKind &Kind) {
  const SchemeDescription *Owner = Of.ownerOf(S.Verb);
  auto Refuse = [&](const std::string &What) {
    const SchemeRules *Rules = rulesOf(*Owner);
    SchemeRules::Refusal R =
        Rules ? Rules->refusalOf(S, Run.Facts) : SchemeRules::Refusal();
    complain(MI, What, R.Rule);
    return R.IsRead;
  };
  if (Kind.Place == StatementKind::Head && MI.getParent() != &Run.MF.front()) {
    Refuse("regshare." + S.Verb + " stands in the first block");
    return;
  }
  Result<void> Added = addStatement(S, Descriptor, Run.Facts);
  if (Added || Refuse(Added.error().Message))
    Found[Owner].push_back({std::move(S), &MI});
}

void StatementReader::read(const MachineInstr &MI) {
  if (!isOfScheme(MI))
    return;
  if (!Run.Assignment.temps(MI).empty())
    complain(MI, "stands between regshare.temps and its block");
  Result<Statement> S = parseStatement(statementString(MI));
  if (!S)
    return complain(MI, S.error().Message);
  const StatementKind *Kind = Of->findStatement(S->Verb);
  if (!Kind)
    return complain(MI, "regshare." + S->Verb + " does not belong to scheme " +
                            Descriptor.Scheme);
  add(MI, std::move(*S), *Kind);
}

/// Those of the function as a whole first.
static std::vector<AnnotationViolation>
inLayoutOrder(const MachineFunction &MF,
              std::vector<AnnotationViolation> Found) {
  DenseMap<const MachineInstr *, unsigned> Layout;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Layout[&MI] = Layout.size() + 1;
  std::multimap<unsigned, AnnotationViolation *> Sorted;
  for (AnnotationViolation &V : Found)
    Sorted.emplace(Layout.lookup(V.MI), &V);
  std::vector<AnnotationViolation> Result;
  Result.reserve(Sorted.size());
  for (auto &[At, V] : Sorted)
    Result.push_back(std::move(*V));
  return Result;
}

/// The rules of \p S, which is no composition, for a function that has what
/// they need.
static void verifyRules(VerifierRun &Run, Scheme S) {
  std::string_view Required = S->Required;
  bool IsThere =
      Required.empty() || llvm::any_of(Run.Statements, [&](const auto &Each) {
        return Each.Verb == Required;
      });
  if (const SchemeRules *Rules = rulesOf(S); Rules && IsThere)
    Rules->verify(Run);
  if (IsThere || !Run.Options.Asked || !Run.Found.empty())
    return;
  Run.Found.push_back({rules::Statement,
                       nullptr,
                       nullptr,
                       {},
                       "regshare." + std::string(Required) +
                           " is missing, which scheme " +
                           std::string(S.name()) + " needs",
                       {}});
}

std::vector<AnnotationViolation> verifyAnnotations(
    const MachineFunction &MF, const RegisterAssignment &Assignment,
    const MachinePostDominatorTree &PDT, const VerifierOptions &Options) {
  Scheme S = Options.Asked ? *Options.Asked : schemeOf(MF);
  auto IsRequired = [](const SchemeDescription *Part) {
    return !Part->Required.empty();
  };
  if (!MF.hasInlineAsm() && llvm::none_of(S.parts(), IsRequired))
    return {};
  Reconvergence Meetings(MF, PDT);
  DivergenceAnalysis Divergence(MF, Assignment, Meetings);
  WarpFlow Flow(MF, Divergence);
  VerifierRun Run{MF, Assignment, Meetings, Options, Flow};
  StatementReader Reader(Run, S);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Reader.read(MI);
  for (const SchemeDescription *Part : S.parts()) {
    Run.Statements = Reader.take(*Part);
    verifyRules(Run, *Part);
  }
  return inLayoutOrder(MF, std::move(Run.Found));
}

} // namespace regshare
