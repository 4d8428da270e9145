//===- GatingCode.cpp - Code that switches registers off ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The SM never trusts the compiler: what was in a row that is switched off is
/// poison from then on, and an instruction that names such a row ends the run.
///
//===----------------------------------------------------------------------===//

#include "GatingCode.h"

#include <bit>

namespace gating {

using namespace regshare;
using namespace regshare::sim;

namespace {

/// A warp in such code.
class GatingWarp final : public WarpRules {
public:
  using WarpRules::WarpRules;

  std::optional<Violation> before(const Inst &I) override;
  std::optional<Violation> unwritten(const Inst &I) override {
    return before(I);
  }
  void execute(const Inst &I) override;
  std::string lostSince(uint32_t Access) const override {
    return code().isGated(Access) ? " since its row was switched off" : "";
  }
  uint64_t state() const override { return IsOff; }

private:
  const GatingCode &code() const {
    return static_cast<const GatingCode &>(*W.function().Rules);
  }

  bool IsOff = false;
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : F(F) {}

  bool decode(const Statement &S, const ptx::Instruction &,
              DecodedStatement &Out) override {
    Out.Number = S.Verb == "off" ? GatingCode::Off : GatingCode::On;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return std::make_shared<GatingCode>(F);
  }

private:
  const Function &F;
};

} // namespace

/// Only asked of what names a gated register: GatingCode::attentionTo.
std::optional<Violation> GatingWarp::before(const Inst &I) {
  if (!IsOff)
    return {};
  const Function &Fn = W.function();
  std::optional<uint32_t> Named = firstNamed(
      Fn, I, [&](uint32_t Access) { return code().isGated(Access); });
  return Violation{"use of a register whose row is switched off (" +
                       Fn.nameOf(*Named) + "); gated are those from R" +
                       std::to_string(code().Gated.Bound) + " on",
                   unsigned(std::countr_zero(W.lanes()))};
}

void GatingWarp::execute(const Inst &I) {
  IsOff = I.Statement == GatingCode::Off;
  if (!IsOff)
    return;
  // Of every function that the warp is in: the switch is the warp's.
  for (unsigned Frame = 0; Frame != W.numFrames(); ++Frame) {
    const Function *Of = W.ownerOf(Frame);
    if (Of && Of->Rules && &Of->Rules->family() == &CodeOfGating)
      W.forget(Frame, static_cast<const GatingCode &>(*Of->Rules).gatedRows());
  }
}

GatingCode::GatingCode(const Function &F)
    : CodeRules(CodeOfGating, F), Gated(*F.Facts.get<GatedRegisters>()) {}

std::unique_ptr<WarpRules> GatingCode::forWarp(WarpView W) const {
  return std::make_unique<GatingWarp>(W);
}

/// Instructions that name no gated register run at full speed.
uint8_t GatingCode::attentionTo(size_t Number) const {
  const Inst &I = F.Code[Number];
  // A Define is no instruction of the hardware's.
  bool NamesGated =
      I.Kind != InstKind::Define &&
      firstNamed(F, I, [&](uint32_t Access) { return isGated(Access); });
  return NamesGated ? AttendBefore : 0;
}

std::vector<uint32_t> GatingCode::gatedRows() const {
  std::vector<uint32_t> Rows;
  for (uint32_t Row = Gated.Bound; Row < F.RegsPerThread; ++Row)
    Rows.push_back(Row);
  return Rows;
}

/// Results that are on their way to the rows still need them.
std::vector<uint32_t> GatingCode::awaitedBy(const Inst &Statement) const {
  return Statement.Statement == Off ? gatedRows() : std::vector<uint32_t>();
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return F.Facts.get<GatedRegisters>() ? std::make_unique<Decoder>(F) : nullptr;
}

static const SchemeDescription *const Schemes[] = {&Description};
const CodeFamily CodeOfGating = {Schemes, decoder};

} // namespace gating
