//===- SchemeTrial.cpp - How schemes are put on trial ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/Support/ErrorHandling.h"

#include <list>

using namespace llvm;

namespace regshare::mutation {

#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) extern const TrialFamily Folder##Trials;
#include "regshare/Base/Schemes.def"

namespace {

/// Of a composition: the mistakes of both parts, in code that has the sizes of
/// both.
class ComposedTrial final : public SchemeTrial {
public:
  explicit ComposedTrial(Scheme S);

  SettingValues settings(unsigned Size) const override;
  unsigned randomSize(uint64_t Seed) const override;
  std::vector<unsigned> programSizes() const override;
  SettingValues programSettings() const override;
  std::string programDevice() const override;
  bool isModelled() const override {
    return llvm::all_of(Parts,
                        [](const Part &P) { return P.Trial->isModelled(); });
  }
  std::span<const OwnChange> ownChanges() const override { return Changes; }
  bool triesBlockBefore() const override {
    return llvm::any_of(
        Parts, [](const Part &P) { return P.Trial->triesBlockBefore(); });
  }
  const char *reasonWithout(StringRef Verb) const override;

  const Scheme Of;

private:
  /// One of those that have statements.
  struct Part {
    const SchemeDescription *Of;
    const SchemeTrial *Trial;
  };
  /// The first part's size is the rest.
  static constexpr unsigned OfSecond = 1024;
  SettingValues
  merged(llvm::function_ref<SettingValues(unsigned Index)> Of) const;

  std::vector<Part> Parts;
  std::vector<OwnChange> Changes;
};

} // namespace

ComposedTrial::ComposedTrial(Scheme S) : Of(S) {
  for (const SchemeDescription *Each : S.parts())
    if (!Each->Statements.empty())
      Parts.push_back({Each, &trialOf(*Each)});
  for (const Part &P : Parts)
    llvm::append_range(Changes, P.Trial->ownChanges());
}

SettingValues ComposedTrial::merged(
    llvm::function_ref<SettingValues(unsigned)> ValuesOf) const {
  SettingValues All;
  for (unsigned Index = 0; Index != Parts.size(); ++Index) {
    SettingValues Its = ValuesOf(Index);
    for (const Setting *Each : Parts[Index].Of->Settings)
      if (Its.has(*Each))
        All.set(*Each, Its[*Each]);
  }
  return All;
}

SettingValues ComposedTrial::settings(unsigned Size) const {
  return merged([&](unsigned Index) {
    unsigned Its = Index ? Size / OfSecond : Size % OfSecond;
    return Parts[Index].Trial->settings(Its);
  });
}

unsigned ComposedTrial::randomSize(uint64_t Seed) const {
  unsigned Size = 0, Scale = 1;
  for (const Part &P : Parts) {
    Size += P.Trial->randomSize(Seed) * Scale;
    Scale = OfSecond;
  }
  return Size;
}

/// Those of the first part, each with one of the second's.
std::vector<unsigned> ComposedTrial::programSizes() const {
  std::vector<unsigned> Sizes = Parts.front().Trial->programSizes();
  if (Parts.size() == 1)
    return Sizes;
  const std::vector<unsigned> Seconds = Parts[1].Trial->programSizes();
  for (size_t N = 0; N != Sizes.size(); ++N)
    Sizes[N] += Seconds[N % Seconds.size()] * OfSecond;
  return Sizes;
}

SettingValues ComposedTrial::programSettings() const {
  return merged(
      [&](unsigned Index) { return Parts[Index].Trial->programSettings(); });
}

std::string ComposedTrial::programDevice() const {
  std::string All;
  for (const Part &P : Parts)
    All += P.Trial->programDevice();
  return All;
}

const char *ComposedTrial::reasonWithout(StringRef Verb) const {
  const SchemeDescription *Owner = Of.ownerOf({Verb.data(), Verb.size()});
  return Owner ? trialOf(*Owner).reasonWithout(Verb)
               : SchemeTrial::reasonWithout(Verb);
}

static const SchemeTrial &composedTrialOf(Scheme S) {
  static std::list<ComposedTrial> All;
  for (const ComposedTrial &Each : All)
    if (Each.Of == S)
      return Each;
  return All.emplace_back(S);
}

const SchemeTrial &trialOf(Scheme S) {
  if (S.isComposed())
    return composedTrialOf(S);
  std::span<const TrialFamily::Member> Families[] = {
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) Folder##Trials.Members,
#include "regshare/Base/Schemes.def"
  };
  for (std::span<const TrialFamily::Member> Members : Families)
    for (const TrialFamily::Member &M : Members)
      if (Scheme(M.Description) == S)
        return M.Trial;
  report_fatal_error("mutation testing knows nothing of scheme " +
                     Twine(S.name()));
}

Statement statementOf(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).split('"').second.rsplit('"').first;
  return *parseStatement({Text.data(), Text.size()});
}

Outcome replaceStatement(MachineInstr &MI, const std::string &Pragma) {
  insertStatement(*MI.getParent(), MI.getIterator(), Pragma);
  MI.eraseFromParent();
  return Outcome::Made;
}

} // namespace regshare::mutation
