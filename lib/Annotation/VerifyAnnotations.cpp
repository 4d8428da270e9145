//===- VerifyAnnotations.cpp - Proves annotations sound -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifierRun.h"

#include "regshare/CodeGen/Directives.h"
#include "regshare/CodeGen/InlinePTX.h"

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
  Result<void> add(const Directive &D, AnnotationRule &Rule);
  void complain(const MachineInstr &MI, const std::string &What,
                AnnotationRule Rule = AnnotationRule::Statement) {
    Run.report(Rule, MI, {}, What);
  }

  VerifierRun &Run;
  KernelDescriptor Descriptor;
};

} // namespace

/// The scheme that is asked for, or else one that has \p Verb.
std::string StatementReader::schemeFor(StringRef Verb) const {
  if (Run.Options.Asked)
    return std::string(schemeName(*Run.Options.Asked));
  if (isCacheDirective({Verb.data(), Verb.size()}))
    return std::string(schemeName(Scheme::SHRF));
  if (isBundleDirective({Verb.data(), Verb.size()}))
    return std::string(schemeName(Scheme::EXPARS));
  if (isIntervalDirective({Verb.data(), Verb.size()}))
    return "ltrf-plus"; // It has all of them.
  if (Verb == "sharing")
    return std::string(schemeName(Scheme::RegisterSharing));
  return Verb == "free" ? "rfv" : "regmutex";
}

/// Settles on a scheme with the first statement. False if \p Verb is of one
/// that is not like it.
bool StatementReader::choose(const MachineInstr &MI, StringRef Verb) {
  if (Descriptor.Scheme.empty())
    Descriptor.Scheme = schemeFor(Verb);
  bool OfIntervals = isIntervalDirective({Verb.data(), Verb.size()});
  bool OfRFV = Verb == "free";
  bool OfCache = isCacheDirective({Verb.data(), Verb.size()});
  bool OfBundles = isBundleDirective({Verb.data(), Verb.size()});
  Scheme S = *parseScheme(Descriptor.Scheme);
  // Those say themselves whose they are.
  if (isSharingDirective({Verb.data(), Verb.size()}, Descriptor))
    return true;
  if (OfIntervals == usesIntervals(S) && OfRFV == (S == Scheme::RFV) &&
      OfCache == (S == Scheme::SHRF) && OfBundles == (S == Scheme::EXPARS))
    return true;
  complain(MI, ("regshare." + Verb + " does not belong to scheme ").str() +
                   Descriptor.Scheme);
  return false;
}

/// A `regshare.prefetch` of too many registers is told apart, and so is a
/// `regshare.pref` of some that share a line.
Result<void> StatementReader::add(const Directive &D, AnnotationRule &Rule) {
  Rule =
      D.Verb == "regmutex" ? AnnotationRule::Split : AnnotationRule::Statement;
  if (isCacheDirective(D.Verb))
    return addCacheDirective(D, Descriptor, Run.CacheSlots);
  if (isBundleDirective(D.Verb)) {
    if (D.Verb == "pref" && Run.Bundles)
      if (Result<std::vector<unsigned>> Units = parsePref(D);
          Units && sharesLine(*Units, Run.Bundles->Cache))
        Rule = AnnotationRule::CacheLine;
    return addBundleDirective(D, Descriptor, Run.Bundles);
  }
  if (isSharingDirective(D.Verb, Descriptor))
    return addSharingDirective(D, Descriptor, Run.PrivateRegs);
  if (!isIntervalDirective(D.Verb))
    return addSchemeDirective(D, Descriptor, Run.Split);
  if (D.Verb == "prefetch" && Run.Bounds)
    if (Result<PrefetchVector> P = parsePrefetch(D);
        P && P->Interval < Run.Bounds->Count &&
        P->Units.size() > Run.Bounds->Registers)
      Rule = AnnotationRule::IntervalSize;
  return addIntervalDirective(D, Descriptor, Run.Bounds);
}

/// What is too large is looked at all the same.
static SchemeStatement understood(const MachineInstr &MI, const Directive &D) {
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
  StringRef Verb = directiveVerb(MI);
  if (!inlinePTXText(MI).ltrim().starts_with(".pragma \"regshare.") ||
      Verb == "kernel" || Verb == "map" || Verb == "temps")
    return;
  if (!Run.Assignment.temps(MI).empty())
    complain(MI, "stands between regshare.temps and its block");
  Result<Directive> D = parseDirective(pragmaString(MI));
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
  bool WantsCache = Options.Asked == Scheme::SHRF;
  bool WantsBundles = Options.Asked == Scheme::EXPARS;
  bool WantsPrivate = Options.Asked == Scheme::RegisterSharing;
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
      Run.Found.push_back(
          {AnnotationRule::Statement,
           nullptr,
           nullptr,
           {},
           std::string("regshare.") + Statement + " is missing, which scheme " +
               std::string(schemeName(*Options.Asked)) + " needs",
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
  if (Run.PrivateRegs || Options.Asked == Scheme::ScratchpadSharing)
    verifySharing(Run);
  else if (WantsPrivate)
    Missing("sharing");
  return inLayoutOrder(MF, std::move(Run.Found));
}

} // namespace regshare
