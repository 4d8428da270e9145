//===- NativeTrial.cpp - Who notices a wrong fold or order ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native/NativeTrial.h"

#include "MutantCompiler.h"
#include "Native/NativeMutations.h"
#include "Runner.h"

#include "regshare/Annotation/VerifyFold.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare::mutation {

namespace {

/// All mutants of one kernel.
class NativeTrial {
public:
  NativeTrial(const std::string &MIR, std::string Kernel, const Runner &R,
              const TrialOptions &Options, Tally &T)
      : MIR(MIR), Kernel(std::move(Kernel)), R(R), Options(Options), T(T) {}
  Error run();

private:
  using Change = std::function<void(MachineFunction &)>;
  Expected<std::string> compile(const Change &Do) const;
  Expected<std::string> outcomeOf(const Change &Do,
                                  const RunOptions &How) const;
  Error tryOne(const NativeSubject &S);
  Expected<std::string> whyUnnoticed(const NativeSubject &S) const;
  void note(const NativeSubject &S, const std::string &Outcome) const;

  const std::string &MIR;
  std::string Kernel;
  const Runner &R;
  const TrialOptions &Options;
  Tally &T;
};

} // namespace

void NativeTrial::note(const NativeSubject &S,
                       const std::string &Outcome) const {
  std::string Kind = std::string("native code, ") + nameOf(S.C);
  T.note(Kind, Outcome);
  bool Missed = StringRef(Outcome).starts_with("missed");
  if (Missed || (Options.Verbose && !StringRef(Outcome).starts_with("caught")))
    outs() << Kernel << ": " << Kind << ": " << S.Where << ": " << Outcome
           << "\n";
}

Expected<std::string> NativeTrial::compile(const Change &Do) const {
  return compileChanged(
      MIR, Kernel, schemes::Baseline,
      [&](MachineFunction &MF, const MachinePostDominatorTree &) { Do(MF); });
}

/// What is wrong with it at run time; empty if nothing is.
Expected<std::string> NativeTrial::outcomeOf(const Change &Do,
                                             const RunOptions &How) const {
  Expected<std::string> PTX = compile(Do);
  return PTX ? Expected<std::string>(R.run(*PTX, How)) : PTX.takeError();
}

/// Why the mistake makes no difference that a run can show; "missed" if it
/// could have made one.
Expected<std::string> NativeTrial::whyUnnoticed(const NativeSubject &S) const {
  bool Said = true;
  const std::pair<Change, const char *> Questions[] = {
      {[&](MachineFunction &MF) { trapAt(MF, S); },
       "unobserved: never executed"},
      {[&](MachineFunction &MF) { spoilAt(MF, S); },
       "unobserved: no result of it makes a difference"},
      {[&](MachineFunction &MF) { Said = exaggerateAt(MF, S); },
       "unobserved: it reads the same either way"}};
  for (const auto &[Do, Answer] : Questions) {
    Expected<std::string> Wrong = outcomeOf(Do, {.IsProbe = true});
    if (!Wrong)
      return Wrong.takeError();
    if (Wrong->empty() && Said)
      return Answer;
  }
  return "missed";
}

Error NativeTrial::tryOne(const NativeSubject &S) {
  Outcome Did = Outcome::None;
  bool Violates = false;
  Expected<std::string> PTX = compile([&](MachineFunction &MF) {
    Did = change(MF, S);
    Violates = !verifyFold(MF).empty();
  });
  if (!PTX)
    return PTX.takeError();
  if (Did == Outcome::None)
    return Error::success();
  ++T.Mutants;
  if (Violates) {
    ++T.ByVerifier;
    note(S, "caught by the verifier");
    return Error::success();
  }
  bool Caught = !R.run(*PTX, {}).empty();
  if (Did == Outcome::NoMatter) {
    // Whoever says that it does not matter is wrong, or who runs it.
    T.Missed += Caught;
    T.Equivalent += !Caught;
    note(S, Caught ? "missed: results differ, though neither writes what the "
                     "other reads or writes"
                   : "equivalent, independent of each other");
    return Error::success();
  }
  std::string Why = "caught by the SM";
  if (!Caught && S.C < NativeChange::Swap && S.C != NativeChange::OtherSource) {
    // Groups are proved sound, and another one has the same results.
    ++T.Equivalent;
    note(S, "equivalent, proved sound");
    return Error::success();
  }
  if (!Caught) {
    Expected<std::string> Judged = whyUnnoticed(S);
    if (!Judged)
      return Judged.takeError();
    Why = *Judged;
    if (Why == "missed" && !R.run(*PTX, {.All = true}).empty())
      Why = "caught by the SM";
  }
  bool Unobserved = StringRef(Why).starts_with("unobserved");
  T.BySM += StringRef(Why).starts_with("caught");
  T.Missed += Why == "missed";
  T.Unobserved += Unobserved;
  T.Mutants -= Unobserved;
  note(S, Why);
  return Error::success();
}

Error NativeTrial::run() {
  std::vector<std::vector<NativeSubject>> ByKind(NumNativeChanges);
  Expected<std::string> Plain = compile([&](MachineFunction &MF) {
    for (NativeSubject &S : nativeSubjects(MF))
      ByKind[unsigned(S.C)].push_back(std::move(S));
  });
  if (!Plain)
    return Plain.takeError();
  if (std::string Wrong = R.run(*Plain, {.Timed = true}); !Wrong.empty())
    return createStringError("fails without a mutation: " + Wrong);
  for (const std::vector<NativeSubject> &Kind : ByKind) {
    size_t Share =
        Options.MaxMutants
            ? (Options.MaxMutants + NumNativeChanges - 1) / NumNativeChanges
            : Kind.size();
    size_t Wanted = std::min(Share, Kind.size());
    for (size_t I = 0; I != Wanted; ++I)
      if (Error E = tryOne(Kind[I * Kind.size() / Wanted]))
        return E;
  }
  return Error::success();
}

Error tryNativeKernel(uint64_t Seed, const TrialOptions &Options, Tally &T) {
  Expected<RandomKernel> K =
      makeRandomKernel(Seed, schemes::Baseline, {}, CodeForm::Native);
  if (!K)
    return K.takeError();
  if (!K->Launches)
    return Error::success();
  auto MIR =
      annotateBitcode(K->Bitcode, CodeForm::Native, schemes::Baseline, {});
  if (!MIR)
    return MIR.takeError();
  return NativeTrial(*MIR, K->Name, *K->Launches, Options, T).run();
}

} // namespace regshare::mutation
