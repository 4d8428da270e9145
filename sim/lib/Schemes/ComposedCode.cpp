//===- ComposedCode.cpp - Code of two schemes at the same time ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComposedCode.h"

#include <list>
#include <mutex>

namespace regshare::sim {

/// A statement's number has its part beside it.
static constexpr uint8_t MaxStatements = 0x3F;

namespace {

/// A warp in code of a composition.
class Rules final : public WarpRules {
public:
  Rules(WarpView W, const CodeFamily &Family) : WarpRules(W), Family(Family) {
    for (unsigned P = 0; P != NumParts; ++P)
      ruleOf(P);
  }

  std::optional<Violation> before(const Inst &I) override {
    return firstViolation(I, &WarpRules::before);
  }
  std::optional<Violation> unwritten(const Inst &I) override {
    return firstViolation(I, &WarpRules::unwritten);
  }
  void after(const Inst &I) override;
  void execute(const Inst &I) override {
    ruleOf(code().ownerOf(I))->execute(I);
  }
  bool provides(const Inst &I, uint32_t Access) const override;
  std::string lostSince(uint32_t Access) const override;
  std::optional<Violation> waits() override;
  void lanesChange() override;
  void arrived(const PendingAccess &Late) override;
  void parked() override;
  bool needsItsPlace(const Inst &Next) const override;
  uint64_t state() const override;

private:
  const ComposedCode &code() const {
    return *codeOf<ComposedCode>(W.function(), Family);
  }
  WarpRules *ruleOf(unsigned Part);
  std::optional<Violation>
  firstViolation(const Inst &I,
                 std::optional<Violation> (WarpRules::*Ask)(const Inst &));

  const CodeFamily &Family;
  /// What a function has no rules for may come with one that is called.
  std::array<std::unique_ptr<WarpRules>, NumParts> Parts;
};

class Decoder final : public StatementDecoder {
public:
  Decoder(const Function &F, const CodeFamily &Family,
          const PartFamilies &Families, Scheme S)
      : F(F), Family(Family), Families(Families), S(S) {}

  /// Fails where a part's does; whether there is anything to decode.
  Result<bool> begin();

  bool decode(const Statement &Read, const ptx::Instruction &Syntax,
              DecodedStatement &Out) override;
  bool comesTo(const ptx::Instruction *Next) override;
  bool decoded(const DecodedInst &D) override;
  std::shared_ptr<const CodeRules> take() override;

private:
  /// Passes the failure of a part's decoder on.
  bool told(bool Ok, const StatementDecoder &By) {
    return Ok || fail(By.failure().Message, By.failure().At);
  }

  const Function &F;
  const CodeFamily &Family;
  const PartFamilies &Families;
  Scheme S;
  std::array<std::unique_ptr<StatementDecoder>, NumParts> Parts;
  std::vector<uint8_t> Owners;
  uint8_t Owner = 0; ///< Of the last statement.
};

} // namespace

//===----------------------------------------------------------------------===//
// A warp
//===----------------------------------------------------------------------===//

WarpRules *Rules::ruleOf(unsigned Part) {
  if (!Parts[Part])
    if (const CodeRules *Its = code().part(Part))
      Parts[Part] = Its->forWarp(W);
  return Parts[Part].get();
}

/// Only those who attend to the instruction are asked.
std::optional<Violation> Rules::firstViolation(
    const Inst &I, std::optional<Violation> (WarpRules::*Ask)(const Inst &)) {
  for (unsigned P = 0; P != NumParts; ++P)
    if (code().attentionOf(P, I) & AttendBefore)
      if (std::optional<Violation> V = (ruleOf(P)->*Ask)(I))
        return V;
  return std::nullopt;
}

void Rules::after(const Inst &I) {
  for (unsigned P = 0; P != NumParts; ++P)
    if (code().attentionOf(P, I) & AttendAfter)
      ruleOf(P)->after(I);
}

bool Rules::provides(const Inst &I, uint32_t Access) const {
  return std::ranges::any_of(Parts, [&](const auto &Part) {
    return Part && Part->provides(I, Access);
  });
}

std::string Rules::lostSince(uint32_t Access) const {
  std::string Since;
  for (unsigned P = 0; P != NumParts && Since.empty(); ++P)
    if (Parts[P] && code().part(P))
      Since = Parts[P]->lostSince(Access);
  return Since;
}

std::optional<Violation> Rules::waits() {
  for (const auto &Part : Parts)
    if (Part)
      if (std::optional<Violation> V = Part->waits())
        return V;
  return std::nullopt;
}

void Rules::lanesChange() {
  for (const auto &Part : Parts)
    if (Part)
      Part->lanesChange();
}

void Rules::arrived(const PendingAccess &Late) {
  for (const auto &Part : Parts)
    if (Part)
      Part->arrived(Late);
}

void Rules::parked() {
  for (const auto &Part : Parts)
    if (Part)
      Part->parked();
}

bool Rules::needsItsPlace(const Inst &Next) const {
  return std::ranges::any_of(Parts, [&](const auto &Part) {
    return Part && Part->needsItsPlace(Next);
  });
}

uint64_t Rules::state() const {
  uint64_t State = 0;
  for (const auto &Part : Parts)
    State = State * 0x9E3779B97F4A7C15 + (Part ? Part->state() : 0);
  return State;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

ComposedCode::ComposedCode(const CodeFamily &Own, const PartFamilies &Families,
                           const Function &F, PartRules Of,
                           std::vector<uint8_t> Owners)
    : CodeRules(Own, F), Families(Families), Parts(std::move(Of)),
      Owners(std::move(Owners)) {
  for (unsigned P = 0; P != NumParts; ++P)
    for (size_t N = 0; N != F.Code.size(); ++N)
      Attention[P].push_back(Parts[P] ? Parts[P]->attentionTo(N) : 0);
}

std::unique_ptr<WarpRules> ComposedCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W, family());
}

const CodeRules *ComposedCode::partUnder(const CodeFamily *Running) const {
  for (unsigned P = 0; P != NumParts; ++P)
    if (Running && Families[P] == Running)
      return Parts[P].get();
  return nullptr;
}

/// Under a scheme that is a part, the other part's statements mean nothing.
std::optional<uint8_t> ComposedCode::statementUnder(const CodeFamily *Running,
                                                    size_t Number) const {
  uint8_t Statement = F.Code[Number].Statement;
  if (Running == &family())
    return statementOfPart(Owners[Number], Statement);
  if (Running && Families[Owners[Number]] == Running)
    return Statement;
  return std::nullopt;
}

std::vector<uint32_t> ComposedCode::awaitedBy(const Inst &Statement) const {
  return Parts[ownerOf(Statement)]->awaitedBy(Statement);
}

void ComposedCode::noteGroups(std::span<IssueInfo> Insts) const {
  std::vector<uint8_t> All;
  for (const IssueInfo &Info : Insts)
    All.push_back(Info.Statement);
  for (unsigned P = 0; P != NumParts; ++P) {
    if (!Parts[P])
      continue;
    for (size_t N = 0; N != Insts.size(); ++N)
      Insts[N].Statement = statementForPart(P, All[N]);
    Parts[P]->noteGroups(Insts);
  }
  for (size_t N = 0; N != Insts.size(); ++N)
    Insts[N].Statement = All[N];
}

/// One part at most has groups: the one that decides where operands are.
uint32_t ComposedCode::addGroups(std::any &All) const {
  uint32_t First = 0;
  for (const auto &Part : Parts)
    if (Part)
      First = std::max(First, Part->addGroups(All));
  return First;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

Result<bool> Decoder::begin() {
  for (unsigned P = 0; P != NumParts; ++P) {
    if (!Families[P])
      continue;
    Result<std::unique_ptr<StatementDecoder>> Made = Families[P]->Decoder(F);
    if (!Made)
      return tl::make_unexpected(Made.error());
    Parts[P] = std::move(*Made);
  }
  return Parts[0] || Parts[1];
}

bool Decoder::decode(const Statement &Read, const ptx::Instruction &Syntax,
                     DecodedStatement &Out) {
  const SchemeDescription *Of = S.ownerOf(Read.Verb);
  Owner = Of == S.parts()[0] ? 0 : 1;
  if (!Parts[Owner])
    return fail("the SM does not execute statements of scheme '" +
                std::string(Of->Name) + "'");
  if (!told(Parts[Owner]->decode(Read, Syntax, Out), *Parts[Owner]))
    return false;
  if (Out.Number >= MaxStatements)
    return fail("scheme '" + std::string(Of->Name) +
                "': its StatementDecoder::decode() says number " +
                std::to_string(Out.Number) + " of 'regshare." + Read.Verb +
                "'; expected one below " + std::to_string(MaxStatements) +
                " in a composition");
  return true;
}

bool Decoder::comesTo(const ptx::Instruction *Next) {
  for (const auto &Part : Parts)
    if (Part && !told(Part->comesTo(Next), *Part))
      return false;
  return true;
}

bool Decoder::decoded(const DecodedInst &D) {
  Owners.push_back(D.I.Kind == InstKind::Statement ? Owner : 0);
  for (const auto &Part : Parts)
    if (Part && !told(Part->decoded(D), *Part))
      return false;
  return true;
}

std::shared_ptr<const CodeRules> Decoder::take() {
  ComposedCode::PartRules Rules;
  for (unsigned P = 0; P != NumParts; ++P)
    if (Parts[P])
      Rules[P] = Parts[P]->take();
  if (!Rules[0] && !Rules[1])
    return nullptr;
  return std::make_shared<ComposedCode>(Family, Families, F, std::move(Rules),
                                        std::move(Owners));
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

namespace {

struct ComposedFamily {
  PartFamilies Parts;
  CodeFamily Own;
};

} // namespace

static const ComposedFamily &familyOf(Scheme S);

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  Result<Scheme> S = parseScheme(F.Scheme);
  if (!S)
    return tl::make_unexpected(S.error());
  const ComposedFamily &Family = familyOf(*S);
  auto Made = std::make_unique<Decoder>(F, Family.Own, Family.Parts, *S);
  Result<bool> HasStatements = Made->begin();
  if (!HasStatements)
    return tl::make_unexpected(HasStatements.error());
  if (!*HasStatements)
    return nullptr;
  return std::move(Made);
}

/// Code runs under all compositions of schemes of the same two families.
static const ComposedFamily &familyOf(Scheme S) {
  static std::mutex Guard;
  static std::list<ComposedFamily> All;
  PartFamilies Parts = {findCode(S.parts()[0]->Name),
                        findCode(S.parts()[1]->Name)};
  std::lock_guard Lock(Guard);
  for (const ComposedFamily &Each : All)
    if (Each.Parts == Parts)
      return Each;
  return All.emplace_back(ComposedFamily{Parts, {{}, decoder}});
}

const CodeFamily *composedCode(Scheme S) {
  const ComposedFamily &Family = familyOf(S);
  return Family.Parts[0] || Family.Parts[1] ? &Family.Own : nullptr;
}

} // namespace regshare::sim
