//===- Trial.cpp - Who notices a mutant -----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "Runner.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;

namespace regshare::mutation {

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

/// Why code under \p S can be right with this change.
static std::string reasonOf(const Subject &Of, const Wish &W, Scheme S) {
  switch (W.C) {
  case Change::Twice:
    return "idempotent";
  case Change::Own:
    return W.Own->Reason;
  case Change::Drop:
    return trialOf(S).reasonWithout(Of.What);
  default:
    return "proved sound: nothing on the way cares";
  }
}

namespace {

/// All mutants of one kernel.
class Trial {
public:
  /// Without \p R mutants of statements are verified only.
  Trial(const std::string &MIR, std::string Kernel, const Runner *R,
        const TrialOptions &Options, Tally &T)
      : MIR(MIR), Kernel(std::move(Kernel)), R(R), Options(Options), T(T) {}
  Error run();

private:
  struct Candidate {
    const Subject *S;
    Wish W;
  };
  Error tryOne(const Candidate &Which);
  std::vector<Candidate> candidates(const std::vector<Subject> &Subjects) const;
  std::string run(const std::string &PTX, const RunOptions &Options) const {
    return R ? R->run(PTX, Options) : "";
  }
  Expected<std::string> judgeCopy(const Subject &S, Change C, Outcome Did);
  void note(const Subject &S, const Wish &W, const std::string &Outcome,
            const std::string &Detail = {});

  const std::string &MIR;
  std::string Kernel;
  const Runner *R;
  const TrialOptions &Options;
  Tally &T;
};

} // namespace

void Trial::note(const Subject &S, const Wish &W, const std::string &Outcome,
                 const std::string &Detail) {
  std::string Kind =
      std::string(Options.S.name()) + " " + S.What + ", " + W.name();
  T.note(Kind, Outcome);
  bool Caught = StringRef(Outcome).starts_with("caught");
  if (Options.Verbose && !Caught)
    outs() << Kernel << ": " << Kind << ": " << S.Where << ": " << Outcome
           << "\n";
  if (!Detail.empty())
    outs() << Kernel << ": " << Kind << ": " << S.Where << ": " << Detail
           << "\n";
}

/// Why the change of a copy has no effect; "missed: " and how it could have one
/// if there is no reason.
Expected<std::string> Trial::judgeCopy(const Subject &S, Change C,
                                       Outcome Did) {
  if (C == Change::Twice)
    return "idempotent";
  if (Did == Outcome::NoMatter)
    return "independent of what it moved past";
  auto Run = [&](Wish What) -> Expected<std::string> {
    Expected<Mutant> M = makeMutant(MIR, Kernel, Options.S, What);
    if (!M)
      return M.takeError();
    return M->Did == Outcome::None ? "cannot be made"
                                   : run(M->PTX, {.IsProbe = What.Probe});
  };
  const std::pair<Wish, const char *> Questions[] = {
      {{S.Index, Change::Trap}, "unobserved: never executed"},
      {{S.Index, Change::Spoil}, "unobserved: its result makes no difference"},
      {{S.Index, C, /*Probe=*/true},
       "unobserved: nothing reads it where it is different"}};
  std::string LastWrong;
  for (const auto &[What, Answer] : Questions) {
    Expected<std::string> Wrong = Run(What);
    if (!Wrong)
      return Wrong.takeError();
    if (Wrong->empty())
      return Answer;
    LastWrong = *Wrong;
  }
  return "missed: " + LastWrong;
}

Error Trial::tryOne(const Candidate &Which) {
  const Subject &S = *Which.S;
  const Wish &W = Which.W;
  Expected<Mutant> M = makeMutant(MIR, Kernel, Options.S, W);
  if (!M)
    return M.takeError();
  if (M->Did == Outcome::None)
    return Error::success();
  ++T.Mutants;
  if (!M->Violations.empty()) {
    ++T.ByVerifier;
    T.Shown += !M->Wrong.empty();
    note(S, W, "caught by the verifier");
    return Error::success();
  }
  std::string Wrong = M->Wrong;
  if (Wrong.empty())
    Wrong = run(M->PTX, {.Timed = true});
  if (!Wrong.empty()) {
    ++T.BySM;
    bool Gap = S.What != "copy";
    T.Gaps += Gap;
    note(S, W, "caught by the SM",
         Gap ? "the verifier accepts it, the SM does not: " + Wrong : "");
    return Error::success();
  }
  std::string Reason = reasonOf(S, W, Options.S);
  if (S.What == "copy") {
    Expected<std::string> Judged = judgeCopy(S, W.C, M->Did);
    if (!Judged)
      return Judged.takeError();
    Reason = *Judged;
  }
  if (StringRef(Reason).starts_with("missed")) {
    if (!run(M->PTX, {.All = true}).empty()) {
      ++T.BySM;
      note(S, W, "caught by the SM");
      return Error::success();
    }
    ++T.Missed;
    note(S, W, "missed", Reason);
    return Error::success();
  }
  bool Unobserved = StringRef(Reason).starts_with("unobserved");
  T.Unobserved += Unobserved;
  T.Mutants -= Unobserved;
  T.Equivalent += !Unobserved;
  note(S, W, (Unobserved ? "" : "equivalent, ") + Reason);
  return Error::success();
}

/// All that can be done to \p Subjects.
std::vector<Trial::Candidate>
Trial::candidates(const std::vector<Subject> &Subjects) const {
  std::span<const OwnChange> Own = trialOf(Options.S).ownChanges();
  std::vector<Candidate> All;
  for (const Subject &S : Subjects) {
    bool IsStatement = S.What != "instruction" && S.What != "copy";
    if (S.CanMove && (IsStatement || (S.What == "copy" && R))) {
      if (trialOf(Options.S).triesBlockBefore())
        All.push_back({&S, {S.Index, Change::BlockBefore}});
      for (Change C : {Change::Drop, Change::Earlier, Change::Later,
                       Change::OtherSide, Change::Twice})
        All.push_back({&S, {S.Index, C}});
    }
    for (size_t Each = 0; Each != Own.size(); ++Each)
      for (unsigned Which = 0; Which != S.Ways[Each]; ++Which)
        All.push_back({&S, {S.Index, Change::Own, false, &Own[Each], Which}});
  }
  return All;
}

Error Trial::run() {
  Expected<Mutant> Plain = makeMutant(MIR, Kernel, Options.S, std::nullopt);
  if (!Plain)
    return Plain.takeError();
  if (std::string Wrong = run(Plain->PTX, {.Timed = true}); !Wrong.empty())
    return createStringError("fails without a mutation: " + Wrong);
  // What a scheme leaves as it is has nothing of it.
  if (Options.RunPrograms &&
      llvm::all_of(Plain->Subjects,
                   [](const Subject &S) { return S.What == "copy"; }))
    return Error::success();
  std::vector<Candidate> Candidates = candidates(Plain->Subjects);
  size_t Count = Candidates.size();
  size_t Wanted =
      Options.MaxMutants ? std::min<size_t>(Options.MaxMutants, Count) : Count;
  for (size_t I = 0; I != Wanted; ++I) {
    const Candidate &C = Candidates[I * Count / Wanted];
    if (Error E = tryOne(C))
      return E;
  }
  return Error::success();
}

void Tally::print(raw_ostream &OS) const {
  for (const auto &[Kind, Outcomes] : Kinds) {
    OS << Kind << ":\n";
    for (const auto &[Outcome, Count] : Outcomes)
      OS << formatv("  {0,6} {1}\n", Count, Outcome);
  }
  OS << formatv("{0} of those that the verifier caught break a model of a "
                "warp, where there is one\n",
                Shown);
  OS << formatv("{0} caught by the verifier, {1} by the SM, {2} of those "
                "statements that the verifier had accepted; {3} changes of "
                "copies without an effect to observe are left out\n",
                ByVerifier, BySM, Gaps, Unobserved);
  OS << formatv("mutants {0} caught {1} equivalent {2} missed {3}\n", Mutants,
                ByVerifier + BySM, Equivalent, Missed);
}

Error tryRandomKernel(uint64_t Seed, const TrialOptions &Options, Tally &T) {
  SettingValues Settings =
      trialOf(Options.S).settings(trialOf(Options.S).randomSize(Seed));
  Expected<RandomKernel> K =
      makeRandomKernel(Seed, Options.S, Settings, Options.Code);
  if (!K)
    return K.takeError();
  if (!K->Launches)
    return Error::success();
  auto MIR = annotateBitcode(K->Bitcode, Options.Code, Options.S, Settings);
  if (!MIR)
    return MIR.takeError();
  const Runner *R = K->Launches.get();
  return Trial(*MIR, K->Name, R, Options, T).run();
}

/// The kernels that \p MIR's functions are.
static std::set<std::string> kernelsIn(StringRef MIR) {
  std::set<std::string> Names;
  SmallVector<StringRef> Lines;
  MIR.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("name:"))
      Names.insert(Line.trim().trim('\'').str());
  return Names;
}

Error tryProgram(const std::string &Path, const TrialOptions &Options,
                 Tally &T) {
  InputOptions Input;
  Input.Path = Path;
  Input.Code = Options.Code;
  std::unique_ptr<Runner> Program;
  if (Options.RunPrograms) {
    Expected<std::unique_ptr<Runner>> Made = makeProgram(Path, Options.S);
    if (!Made)
      return Made.takeError();
    Program = std::move(*Made);
  }
  for (unsigned Size : trialOf(Options.S).programSizes()) {
    auto MIR = annotate(Input, Options.S, trialOf(Options.S).settings(Size),
                        ProgramDevice);
    if (!MIR)
      return MIR.takeError();
    for (const std::string &Kernel : kernelsIn(*MIR))
      if (Error E = Trial(*MIR, Kernel, Program.get(), Options, T).run())
        return E;
  }
  return Error::success();
}

} // namespace regshare::mutation
