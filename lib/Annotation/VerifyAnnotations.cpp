//===- VerifyAnnotations.cpp - Proves annotations sound -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RFV/RFVStatements.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Sharing/SharingStatements.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace regshare {

const char *ruleName(AnnotationRule R) {
  switch (R) {
  case AnnotationRule::Statement:
    return "statement";
  case AnnotationRule::Split:
    return "split";
  case AnnotationRule::Section:
    return "section";
  case AnnotationRule::HeldAtUse:
    return "held-at-use";
  case AnnotationRule::HeldAtWait:
    return "held-at-wait";
  case AnnotationRule::LostByRelease:
    return "lost-by-release";
  case AnnotationRule::LostByFree:
    return "lost-by-free";
  case AnnotationRule::IntervalSize:
    return "interval-size";
  case AnnotationRule::InVector:
    return "in-vector";
  case AnnotationRule::Prefetched:
    return "prefetched";
  case AnnotationRule::DeadOperand:
    return "dead-operand";
  case AnnotationRule::LostByDead:
    return "lost-by-dead";
  case AnnotationRule::Strand:
    return "strand";
  case AnnotationRule::CacheSize:
    return "cache-size";
  case AnnotationRule::CachedOperand:
    return "cached-operand";
  case AnnotationRule::InCache:
    return "in-cache";
  case AnnotationRule::InMain:
    return "in-main";
  case AnnotationRule::CacheLine:
    return "cache-line";
  case AnnotationRule::BundleBlock:
    return "bundle-block";
  case AnnotationRule::BundleEnd:
    return "bundle-end";
  case AnnotationRule::LateResult:
    return "late-result";
  case AnnotationRule::Kept:
    return "kept";
  case AnnotationRule::PrivateShare:
    return "private-share";
  case AnnotationRule::UsedReleased:
    return "used-released";
  case AnnotationRule::IdleRelease:
    return "idle-release";
  }
  llvm_unreachable("covered switch");
}

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
  return Text + " [" + ruleName(Rule) + "]";
}

void VerifierRun::report(AnnotationRule Rule, const MachineInstr &MI,
                         const RegSet &Units, std::string What,
                         std::string Path) {
  Found.push_back(
      {Rule, MI.getParent(), &MI, Units, std::move(What), std::move(Path)});
}

void VerifierRun::reportBadReads(AnnotationRule Rule, const GivenBack &Given,
                                 AtBarriers Waiting) {
  LostValues Lost(Flow, Assignment, Given, Waiting);
  Lost.forEachBadRead([&](unsigned Node, const MachineInstr &MI,
                          const RegSet &Units) {
    unsigned First = ~0u;
    Units.forEach([&](unsigned Unit) { First = std::min(First, Unit); });
    LostValues::Example E = Lost.explain(Node, MI, First);
    bool Marked = Rule == AnnotationRule::LostByDead;
    std::string What =
        "reads " + Units.str() + (Marked ? ", marked dead" : ", given back");
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

/// The string of a `.pragma` statement.
static std::string pragmaString(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).trim();
  Text.consume_front(".pragma");
  Text = Text.trim();
  if (!Text.consume_front("\"") || !Text.consume_back(";"))
    return {};
  Text = Text.rtrim();
  return Text.consume_back("\"") ? Text.str() : std::string();
}

namespace {

/// Reads the statements of a function in layout order.
class StatementReader {
public:
  explicit StatementReader(VerifierRun &Run) : Run(Run) {
    // What the descriptor will say; the code tells it here.
    Descriptor.Regs = Run.Assignment.numUnits();
  }
  void read(const MachineInstr &MI);

private:
  std::string schemeFor(StringRef Verb) const;
  bool choose(const MachineInstr &MI, StringRef Verb);
  Result<void> add(const Statement &D, AnnotationRule &Rule);
  void complain(const MachineInstr &MI, const std::string &What,
                AnnotationRule Rule = AnnotationRule::Statement) {
    Run.report(Rule, MI, {}, What);
  }

  VerifierRun &Run;
  KernelDescriptor Descriptor;
  SchemeFacts Facts;
};

} // namespace

/// The scheme that is asked for, or else one that has \p Verb.
/// Nobody has said which scheme the code is of: the first one with such a
/// statement, or the last if several have it under the same rules.
std::string StatementReader::schemeFor(StringRef Verb) const {
  if (Run.Options.Asked)
    return std::string(Run.Options.Asked->name());
  // LTRF+ has all that LTRF has.
  std::string Found;
  for (Scheme S : allSchemes())
    if (S->findStatement({Verb.data(), Verb.size()}))
      if (Found.empty() || usesDeadOperands(S))
        Found = S.name();
  return Found;
}

/// The first statement tells the scheme, the others have to be of the same.
bool StatementReader::choose(const MachineInstr &MI, StringRef Verb) {
  if (Descriptor.Scheme.empty())
    Descriptor.Scheme = schemeFor(Verb);
  Result<Scheme> S = parseScheme(Descriptor.Scheme);
  if (S && (*S)->findStatement({Verb.data(), Verb.size()}))
    return true;
  complain(MI, ("regshare." + Verb + " does not belong to scheme ").str() +
                   Descriptor.Scheme);
  return false;
}

/// \p Rule becomes that which a failure breaks.
Result<void> StatementReader::add(const Statement &D, AnnotationRule &Rule) {
  Rule =
      D.Verb == "regmutex" ? AnnotationRule::Split : AnnotationRule::Statement;
  if (D.Verb == "pref" && Run.Bundles)
    if (Result<std::vector<unsigned>> Units = parsePref(D);
        Units && sharesLine(*Units, Run.Bundles->Cache))
      Rule = AnnotationRule::CacheLine;
  if (D.Verb == "prefetch" && Run.Bounds)
    if (Result<PrefetchVector> P = parsePrefetch(D);
        P && P->Interval < Run.Bounds->Count &&
        P->Units.size() > Run.Bounds->Registers)
      Rule = AnnotationRule::IntervalSize;
  Result<void> Added = addStatement(D, Descriptor, Facts);
  if (const auto *Split = Facts.get<RegMutexSplit>())
    Run.Split = *Split;
  if (const auto *Bounds = Facts.get<IntervalBounds>())
    Run.Bounds = *Bounds;
  if (const auto *Cache = Facts.get<CacheSlots>())
    Run.CacheSlots = Cache->Slots;
  if (const auto *Bounds = Facts.get<BundleBounds>())
    Run.Bundles = *Bounds;
  if (const auto *Private = Facts.get<PrivateRegisters>())
    Run.PrivateRegs = Private->Registers;
  return Added;
}

static SchemeStatement understood(const MachineInstr &MI, const Statement &D) {
  SchemeStatement S;
  S.MI = &MI;
  S.Verb = D.Verb;
  if (D.Verb == "free")
    S.Units = *parseFree(D);
  else if (D.Verb == "dead")
    S.Units = *parseDead(D);
  else if (D.Verb == "pref")
    S.Units = *parsePref(D);
  else if (D.Verb == "operands")
    S.Places = *parseOperands(D);
  else if (D.Verb == "interval")
    S.Interval = *parseInterval(D);
  else if (D.Verb == "prefetch") {
    PrefetchVector P = *parsePrefetch(D);
    S.Units = std::move(P.Units);
    S.Interval = P.Interval;
  }
  return S;
}

void StatementReader::read(const MachineInstr &MI) {
  StringRef Verb = statementVerb(MI);
  if (!inlinePTXText(MI).ltrim().starts_with(".pragma \"regshare.") ||
      Verb == "kernel" || Verb == "map" || Verb == "temps")
    return;
  if (!Run.Assignment.temps(MI).empty())
    complain(MI, "stands between regshare.temps and its block");
  Result<Statement> D = parseStatement(pragmaString(MI));
  if (!D)
    return complain(MI, D.error().Message);
  if (!choose(MI, Verb))
    return;
  if (Verb == "regmutex" && MI.getParent() != &Run.MF.front())
    return complain(MI, "regshare.regmutex stands in the first block",
                    AnnotationRule::Split);
  if (Verb == "sharing" && MI.getParent() != &Run.MF.front())
    return complain(MI, "regshare.sharing stands in the first block");
  AnnotationRule Rule = AnnotationRule::Statement;
  if (Result<void> R = add(*D, Rule); !R) {
    complain(MI, R.error().Message, Rule);
    if (Rule != AnnotationRule::IntervalSize &&
        Rule != AnnotationRule::CacheLine)
      return;
  }
  Run.Statements.push_back(understood(MI, *D));
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

std::vector<AnnotationViolation> verifyAnnotations(
    const MachineFunction &MF, const RegisterAssignment &Assignment,
    const MachinePostDominatorTree &PDT, const VerifierOptions &Options) {
  bool WantsIntervals = Options.Asked && usesIntervals(*Options.Asked);
  bool WantsCache = Options.Asked == schemes::SHRF;
  bool WantsBundles = Options.Asked == schemes::EXPARS;
  bool WantsPrivate = Options.Asked == schemes::RegisterSharing;
  if (!MF.hasInlineAsm() && !WantsIntervals && !WantsCache && !WantsBundles &&
      !WantsPrivate)
    return {};
  Reconvergence Meetings(MF, PDT);
  DivergenceAnalysis Divergence(MF, Assignment, Meetings);
  WarpFlow Flow(MF, Divergence);
  VerifierRun Run{MF, Assignment, Meetings, Options, Flow};
  StatementReader Reader(Run);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Reader.read(MI);
  if (Run.Split)
    verifyRegMutex(Run);
  verifyFrees(Run);
  auto Missing = [&](const char *Statement) {
    if (Run.Found.empty())
      Run.Found.push_back({AnnotationRule::Statement,
                           nullptr,
                           nullptr,
                           {},
                           std::string("regshare.") + Statement +
                               " is missing, which scheme " +
                               std::string(Options.Asked->name()) + " needs",
                           {}});
  };
  if (Run.Bounds)
    verifyLTRF(Run);
  else if (WantsIntervals)
    Missing("intervals");
  if (Run.CacheSlots)
    verifySHRF(Run);
  else if (WantsCache)
    Missing("cache");
  if (Run.Bundles)
    verifyEXPARS(Run);
  else if (WantsBundles)
    Missing("bundles");
  if (Run.PrivateRegs || Options.Asked == schemes::ScratchpadSharing)
    verifySharing(Run);
  else if (WantsPrivate)
    Missing("sharing");
  return inLayoutOrder(MF, std::move(Run.Found));
}

} // namespace regshare
