//===- Trial.cpp - Who notices a mutant -----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/Sharing/Sharing.h"

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

/// Why a mutant of a statement that the verifier proves sound means the same.
static std::string reasonOf(StringRef What, Change C) {
  if (C == Change::Twice)
    return "idempotent";
  if (C == Change::AddRegister)
    return "fetched though nothing names it";
  if (C == Change::DropRegister)
    return "proved sound: nothing in the interval or bundle names it";
  if (C == Change::MarkDead)
    return "proved sound: nobody reads it before it is written";
  if (C == Change::FewerPrivate || C == Change::MorePrivate ||
      C == Change::SwapNumbers)
    return "proved sound: what changes sides is not used behind a release";
  if (C == Change::OtherSlot)
    return "proved sound: nobody reads it from its slot";
  if (C == Change::CacheAlone)
    return "proved sound: nobody reads it from the main file";
  if (C == Change::DropPlace || (What == "operands" && C == Change::Drop))
    return "proved sound: the main file has it as well";
  if (What == "strand" && C == Change::Drop)
    return "proved sound: nothing is read that was there before";
  if (C != Change::Drop)
    return "proved sound: nothing on the way cares";
  if (What == "interval")
    return "proved sound: what follows names no register";
  if (What == "acquire")
    return "proved sound: held already, or not needed before the next";
  if (What == "release")
    return "proved sound: released already, or only held longer";
  return "proved sound: only kept longer";
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
    Change C;
    unsigned Which = 0;
  };
  Error tryOne(const Candidate &Which);
  std::vector<Candidate> candidates(const std::vector<Subject> &Subjects) const;
  std::string run(const std::string &PTX, const RunOptions &Options) const {
    return R ? R->run(PTX, Options) : "";
  }
  Expected<std::string> judgeCopy(const Subject &S, Change C, Outcome Did);
  void note(const Subject &S, Change C, const std::string &Outcome,
            const std::string &Detail = {});

  const std::string &MIR;
  std::string Kernel;
  const Runner *R;
  const TrialOptions &Options;
  Tally &T;
};

} // namespace

void Trial::note(const Subject &S, Change C, const std::string &Outcome,
                 const std::string &Detail) {
  std::string Kind =
      std::string(Options.S.name()) + " " + S.What + ", " + changeName(C);
  ++T.Kinds[Kind][Outcome];
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
  Change C = Which.C;
  Expected<Mutant> M =
      makeMutant(MIR, Kernel, Options.S, Wish{S.Index, C, false, Which.Which});
  if (!M)
    return M.takeError();
  if (M->Did == Outcome::None)
    return Error::success();
  ++T.Mutants;
  if (!M->Violations.empty()) {
    ++T.ByVerifier;
    T.Shown += !M->Wrong.empty();
    note(S, C, "caught by the verifier");
    return Error::success();
  }
  std::string Wrong = M->Wrong;
  if (Wrong.empty())
    Wrong = run(M->PTX, {.Timed = true});
  if (!Wrong.empty()) {
    ++T.BySM;
    bool Gap = S.What != "copy";
    T.Gaps += Gap;
    note(S, C, "caught by the SM",
         Gap ? "the verifier accepts it, the SM does not: " + Wrong : "");
    return Error::success();
  }
  std::string Reason = reasonOf(S.What, C);
  if (S.What == "copy") {
    Expected<std::string> Judged = judgeCopy(S, C, M->Did);
    if (!Judged)
      return Judged.takeError();
    Reason = *Judged;
  }
  if (StringRef(Reason).starts_with("missed")) {
    if (!run(M->PTX, {.All = true}).empty()) {
      ++T.BySM;
      note(S, C, "caught by the SM");
      return Error::success();
    }
    ++T.Missed;
    note(S, C, "missed", Reason);
    return Error::success();
  }
  bool Unobserved = StringRef(Reason).starts_with("unobserved");
  T.Unobserved += Unobserved;
  T.Mutants -= Unobserved;
  T.Equivalent += !Unobserved;
  note(S, C, (Unobserved ? "" : "equivalent, ") + Reason);
  return Error::success();
}

/// All that can be done to \p Subjects.
std::vector<Trial::Candidate>
Trial::candidates(const std::vector<Subject> &Subjects) const {
  std::vector<Candidate> All;
  for (const Subject &S : Subjects) {
    for (unsigned I = 0; usesDeadOperands(Options.S) && I != S.Unmarked; ++I)
      All.push_back({&S, Change::MarkDead, I});
    if (S.What == "operand" || (S.What == "copy" && !R))
      continue;
    if (S.What == "sharing") {
      for (unsigned I = 0; 1u << I <= S.Private; ++I)
        All.push_back({&S, Change::FewerPrivate, I});
      for (unsigned I = 0; I != S.Private; ++I)
        All.push_back({&S, Change::SwapNumbers, I});
      All.push_back({&S, Change::MorePrivate});
      All.push_back({&S, Change::Drop});
      continue;
    }
    if (sharesInPairs(Options.S))
      All.push_back({&S, Change::BlockBefore});
    for (Change C : {Change::Drop, Change::Earlier, Change::Later,
                     Change::OtherSide, Change::Twice})
      All.push_back({&S, C});
    for (unsigned I = 0; I != S.Dropped; ++I)
      All.push_back({&S, Change::DropRegister, I});
    for (unsigned I = 0; I != S.Places; ++I) {
      All.push_back({&S, Change::DropPlace, I});
      All.push_back({&S, Change::OtherSlot, I});
    }
    for (unsigned I = 0; I != S.InBoth; ++I)
      All.push_back({&S, Change::CacheAlone, I});
    if (S.Added) // One is like another.
      All.push_back({&S, Change::AddRegister, S.Index % S.Added});
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

/// A random |Es|, N or t, or lines of an operand cache: one that a kernel of
/// the fuzzer can have.
static unsigned sizeFor(uint64_t Seed, Scheme S) {
  if (S == schemes::EXPARS)
    return 8u << Seed % 3;
  if (sharesInPairs(S))
    return 50 + Seed * 370 % 951;
  if (knowsCache(S))
    return 4 + Seed % 4 * 4;
  return S == schemes::RFV ? 0 : 2 + Seed % 6 * 2;
}

Error tryRandomKernel(uint64_t Seed, const TrialOptions &Options, Tally &T) {
  unsigned Size = sizeFor(Seed, Options.S);
  Expected<RandomKernel> K = makeRandomKernel(Seed, Options.S, Size);
  if (!K)
    return K.takeError();
  if (!K->Launches)
    return Error::success();
  InputOptions Input;
  Input.Path = "kernel.bc";
  Input.Contents = MemoryBufferRef(K->Bitcode, "kernel.bc");
  Input.Language = "ir";
  auto MIR = annotate(Input, Options.S, Size);
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
  std::vector<unsigned> Sizes = {0};
  if (knowsCache(Options.S))
    Sizes = {8, 16, 32};
  else if (sharesInPairs(Options.S))
    Sizes = {100, 500, 900};
  else if (Options.S != schemes::RFV)
    Sizes = {2, 4, 6, 8, 12};
  std::unique_ptr<Runner> Program;
  if (Options.RunPrograms) {
    Expected<std::unique_ptr<Runner>> Made = makeProgram(Path, Options.S);
    if (!Made)
      return Made.takeError();
    Program = std::move(*Made);
  }
  for (unsigned Size : Sizes) {
    auto MIR = annotate(Input, Options.S, Size, ProgramDevice);
    if (!MIR)
      return MIR.takeError();
    for (const std::string &Kernel : kernelsIn(*MIR))
      if (Error E = Trial(*MIR, Kernel, Program.get(), Options, T).run())
        return E;
  }
  return Error::success();
}

} // namespace regshare::mutation
