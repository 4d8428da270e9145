//===- VerifyAnnotations.cpp - Proves annotations sound -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"

#include "regshare/Base/Annotation.h"
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
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// "bb.3, instruction 2".
static std::string placeOf(const MachineInstr &MI) {
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
    Text = placeOf(*MI) + " (" + textOf(*MI) + "): ";
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

void VerifierRun::reportBadReads(AnnotationRule Rule, const GivenBack &Given) {
  LostValues Lost(Flow, Assignment, Given);
  Lost.forEachBadRead(
      [&](unsigned Node, const MachineInstr &MI, const RegSet &Units) {
        unsigned First = ~0u;
        Units.forEach([&](unsigned Unit) { First = std::min(First, Unit); });
        LostValues::Example E = Lost.explain(Node, MI, First);
        std::string What = "reads " + Units.str() + ", given back";
        if (E.Culprit)
          What += " in " + placeOf(*E.Culprit);
        if (E.WhileWaiting)
          What += " while these lanes may wait";
        report(Rule, MI, Units, What, E.Path);
      });
}

RegSet namedUnits(const MachineInstr &MI,
                  const RegisterAssignment &Assignment) {
  RegSet Named;
  if (MI.isMetaInstruction())
    return Named;
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg().isVirtual())
      if (ArchReg R = Assignment.lookup(MO.getReg()); R.isValid())
        Named.insert(R);
  for (ArchReg R : Assignment.temps(MI))
    Named.insert(R);
  return Named;
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
  bool choose(const MachineInstr &MI, StringRef Verb);
  void complain(const MachineInstr &MI, const std::string &What,
                AnnotationRule Rule = AnnotationRule::Statement) {
    Run.report(Rule, MI, {}, What);
  }

  VerifierRun &Run;
  KernelDescriptor Descriptor;
};

} // namespace

/// Settles on the scheme of the first statement, if none is asked for. False if
/// \p Verb is of another one.
bool StatementReader::choose(const MachineInstr &MI, StringRef Verb) {
  bool OfRFV = Verb == "free";
  if (Descriptor.Scheme.empty())
    Descriptor.Scheme = Run.Options.RegMutex       ? "regmutex"
                        : Run.Options.RFV || OfRFV ? "rfv"
                                                   : "regmutex";
  if (OfRFV == (Descriptor.Scheme == "rfv"))
    return true;
  complain(MI, ("regshare." + Verb + " does not belong to scheme ").str() +
                   Descriptor.Scheme);
  return false;
}

void StatementReader::read(const MachineInstr &MI) {
  StringRef Verb = directiveVerb(MI);
  if (Verb.empty() || !inlinePTXText(MI).contains("regshare.") ||
      Verb == "kernel" || Verb == "map" || Verb == "temps")
    return;
  Result<Directive> D = parseDirective(pragmaString(MI));
  if (!D)
    return complain(MI, D.error().Message);
  if (!choose(MI, Verb))
    return;
  if (Verb == "regmutex" && MI.getParent() != &Run.MF.front())
    return complain(MI, "regshare.regmutex stands in the first block");
  if (Result<void> R = addSchemeDirective(*D, Descriptor, Run.Split); !R)
    return complain(MI, R.error().Message,
                    Verb == "regmutex" ? AnnotationRule::Split
                                       : AnnotationRule::Statement);
  SchemeStatement S;
  S.MI = &MI;
  S.Verb = Verb.str();
  if (Verb == "free")
    S.Freed = *parseFree(*D);
  Run.Statements.push_back(std::move(S));
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
  if (!MF.hasInlineAsm())
    return {};
  Reconvergence Meetings(MF, PDT);
  DivergenceAnalysis Divergence(MF, Assignment, Meetings);
  WarpFlow Flow(MF, Divergence);
  VerifierRun Run{MF, Assignment, Meetings, Options, Flow, {}, {}, {}};
  StatementReader Reader(Run);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Reader.read(MI);
  if (Run.Split)
    verifyRegMutex(Run);
  verifyFrees(Run);
  return inLayoutOrder(MF, std::move(Run.Found));
}

} // namespace regshare
