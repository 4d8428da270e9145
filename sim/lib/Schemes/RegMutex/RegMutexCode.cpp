//===- RegMutexCode.cpp - Code that acquires registers --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexCode.h"

#include "regshare/Base/RegMutex/RegMutex.h"

#include <bit>

namespace regshare::sim {

namespace {

class Rules final : public WarpRules {
public:
  using WarpRules::WarpRules;

  std::optional<Violation> before(const Inst &I) override;
  std::optional<Violation> unwritten(const Inst &I) override {
    return before(I);
  }
  void execute(const Inst &I) override;
  std::string lostSince(uint32_t Access) const override;
  std::optional<Violation> waits() override;
  uint64_t state() const override { return Holds; }

private:
  const RegMutexCode &code() const {
    return *codeOf<RegMutexCode>(W.function(), RegMutexCodeFamily);
  }
  void release();

  bool Holds = false; ///< The extended set is acquired.
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : F(F) {}

  bool decode(const Statement &S, const ptx::Instruction &,
              DecodedStatement &Out) override {
    Out.Number =
        S.Verb == "acquire" ? RegMutexCode::Acquire : RegMutexCode::Release;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return std::make_shared<RegMutexCode>(F);
  }

private:
  const Function &F;
};

} // namespace

/// The first register that \p I names and the warp does not hold.
std::optional<Violation> Rules::before(const Inst &I) {
  if (Holds)
    return {};
  const Function &Fn = W.function();
  std::optional<uint32_t> Named = firstNamed(
      Fn, I, [&](uint32_t Access) { return code().isExtended(Access); });
  return Violation{"use of a register of the extended set, which the warp has "
                   "not acquired (" +
                       Fn.nameOf(*Named) + "); the base set is R0 to R" +
                       std::to_string(code().Split.Base - 1),
                   unsigned(std::countr_zero(W.lanes()))};
}

void Rules::execute(const Inst &I) {
  if (I.Statement == RegMutexCode::Acquire)
    Holds = true;
  else if (Holds)
    release();
}

void Rules::release() {
  Holds = false;
  for (unsigned Frame = 0; Frame != W.numFrames(); ++Frame) {
    const Function *Of = W.ownerOf(Frame);
    if (!Of)
      continue;
    if (const auto *Its = codeOf<RegMutexCode>(*Of, RegMutexCodeFamily))
      W.forget(Frame, Its->extendedRows());
  }
}

std::string Rules::lostSince(uint32_t Access) const {
  return code().isExtended(Access) ? " since the extended set was acquired"
                                   : "";
}

std::optional<Violation> Rules::waits() {
  if (!Holds)
    return {};
  return Violation{"a barrier while the warp holds its extended set: the warps "
                   "that it waits for may wait for that set",
                   unsigned(std::countr_zero(W.executing()))};
}

RegMutexCode::RegMutexCode(const Function &F)
    : CodeRules(RegMutexCodeFamily, F), Split(*F.Facts.get<RegMutexSplit>()) {}

std::unique_ptr<WarpRules> RegMutexCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W);
}

uint8_t RegMutexCode::attentionTo(size_t Number) const {
  const Inst &I = F.Code[Number];
  // A Define is no instruction of the hardware's.
  bool NamesExtended =
      I.Kind != InstKind::Define &&
      firstNamed(F, I, [&](uint32_t Access) { return isExtended(Access); });
  return NamesExtended ? AttendBefore : 0;
}

std::vector<uint32_t> RegMutexCode::extendedRows() const {
  std::vector<uint32_t> Rows;
  for (uint32_t Row = Split.Base; Row < F.RegsPerThread; ++Row)
    Rows.push_back(Row);
  return Rows;
}

/// A release waits for results that are on their way to what it gives back.
std::vector<uint32_t> RegMutexCode::awaitedBy(const Inst &Statement) const {
  return Statement.Statement == Release ? extendedRows()
                                        : std::vector<uint32_t>();
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return F.Facts.get<RegMutexSplit>() ? std::make_unique<Decoder>(F) : nullptr;
}

static const SchemeDescription *const Schemes[] = {&schemes::RegMutex,
                                                   &schemes::RegMutexPaired};
const CodeFamily RegMutexCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
