//===- SharingCode.cpp - Code that gives back what it shares --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingCode.h"

#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Sharing/SharingStatements.h"

#include <bit>

namespace regshare::sim {

namespace {

class Rules final : public WarpRules {
public:
  using WarpRules::WarpRules;

  std::optional<Violation> before(const Inst &I) override;
  std::optional<Violation> unwritten(const Inst &I) override {
    return code().Private ? before(I) : std::nullopt;
  }
  void execute(const Inst &I) override;
  uint64_t state() const override { return HasReleased; }

private:
  const SharingCode &code() const {
    return *codeOf<SharingCode>(W.function(), SharingCodeFamily);
  }
  std::string ruleAgainst(const Inst &I) const;

  bool HasReleased = false; ///< It needs nothing any more of what it shares.
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : F(F) {}

  bool decode(const Statement &, const ptx::Instruction &,
              DecodedStatement &Out) override {
    Out.Number = SharingCode::Release;
    Releases = true;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return Releases ? std::make_shared<SharingCode>(F) : nullptr;
  }

private:
  const Function &F;
  bool Releases = false;
};

} // namespace

std::optional<Violation> Rules::before(const Inst &I) {
  if (!HasReleased)
    return {};
  // Whether memory is the CTA's scratchpad shows when it is accessed.
  if (!code().Private && I.Kind == InstKind::Memory && !W.reachesScratchpad(I))
    return {};
  return Violation{ruleAgainst(I), unsigned(std::countr_zero(W.lanes()))};
}

/// What \p I uses although the warp has said that it is done with it.
std::string Rules::ruleAgainst(const Inst &I) const {
  const Function &Fn = W.function();
  if (I.Kind == InstKind::Call)
    return "call of a function after a release: it may use what the warp "
           "shares with the paired CTA";
  if (!code().Private)
    return "access to shared memory after a release";
  std::optional<uint32_t> Named = firstNamed(
      Fn, I, [&](uint32_t Access) { return code().isShared(Access); });
  return "use of a shared register after a release (" + Fn.nameOf(*Named) +
         "); registers from R" + std::to_string(*code().Private) +
         " on are shared with the paired CTA";
}

/// What the warp had in shared registers is the other CTA's from now on.
void Rules::execute(const Inst &) {
  if (std::exchange(HasReleased, true))
    return;
  W.forget(W.frame(), code().sharedRows());
}

static std::optional<unsigned> privateRegisters(const Function &F) {
  const auto *Private = F.Facts.get<PrivateRegisters>();
  return Private ? std::optional(Private->Registers) : std::nullopt;
}

SharingCode::SharingCode(const Function &F)
    : CodeRules(SharingCodeFamily, F), Private(privateRegisters(F)) {}

std::unique_ptr<WarpRules> SharingCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W);
}

/// Of what may use what a release gives back.
uint8_t SharingCode::attentionTo(size_t Number) const {
  const Inst &I = F.Code[Number];
  bool Uses =
      I.Kind == InstKind::Call ||
      (Private
           ? I.Kind != InstKind::Define &&
                 firstNamed(F, I,
                            [&](uint32_t Access) { return isShared(Access); })
           : I.Kind == InstKind::Memory);
  return Uses ? AttendBefore : 0;
}

std::vector<uint32_t> SharingCode::sharedRows() const {
  std::vector<uint32_t> Rows;
  for (uint32_t Row = Private.value_or(F.RegsPerThread); Row < F.RegsPerThread;
       ++Row)
    Rows.push_back(Row);
  return Rows;
}

/// A release waits for results that are on their way to what it gives back.
std::vector<uint32_t> SharingCode::awaitedBy(const Inst &) const {
  return sharedRows();
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return std::make_unique<Decoder>(F);
}

static const SchemeDescription *const Schemes[] = {&schemes::RegisterSharing,
                                                   &schemes::ScratchpadSharing};
const CodeFamily SharingCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
