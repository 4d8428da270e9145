//===- LTRFCode.cpp - Code in register-intervals --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LTRFCode.h"

#include "Schemes/DeadRegisters.h"
#include "Timing/Core/CoreConfig.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"

#include <bit>

namespace regshare::sim {

namespace {

class Rules final : public DeadRegisterRules {
public:
  using DeadRegisterRules::DeadRegisterRules;

  std::optional<Violation> before(const Inst &I) override;
};

class Decoder final : public StatementDecoder {
public:
  Decoder(const Function &F, const IntervalBounds &Bounds)
      : Code(std::make_shared<LTRFCode>(F)) {
    Code->Brought.resize(Bounds.Count);
  }

  bool decode(const Statement &S, const ptx::Instruction &,
              DecodedStatement &Out) override;
  bool decoded(const DecodedInst &) override {
    Code->GroupOf.push_back(Interval);
    return true;
  }
  std::shared_ptr<const CodeRules> take() override { return std::move(Code); }

private:
  bool prefetch(const Statement &S, DecodedStatement &Out);
  bool beginInterval(const Statement &S);
  bool dead(const Statement &S, DecodedStatement &Out);

  std::shared_ptr<LTRFCode> Code;
  uint32_t Interval = NoGroup; ///< Of what follows.
};

} // namespace

/// The first register that \p I names and the PREFETCH of its interval does
/// not.
std::optional<Violation> Rules::before(const Inst &I) {
  const Function &Fn = W.function();
  const auto &Code = *codeOf<LTRFCode>(Fn, LTRFCodeFamily);
  uint32_t Id = Code.GroupOf[size_t(&I - Fn.Code.data())];
  std::string Where = Id == NoGroup ? "an interval without registers"
                                    : "interval " + std::to_string(Id) +
                                          ", whose working set it is not in";
  return Violation{"use of a register that is not in the register cache (" +
                       Fn.nameOf(*Code.firstMissing(I)) + ") in " + Where,
                   unsigned(std::countr_zero(W.lanes()))};
}

bool Decoder::decode(const Statement &S, const ptx::Instruction &,
                     DecodedStatement &Out) {
  if (S.Verb == "prefetch")
    return prefetch(S, Out);
  return S.Verb == "interval" ? beginInterval(S) : dead(S, Out);
}

/// An interval is entered.
bool Decoder::prefetch(const Statement &S, DecodedStatement &Out) {
  Result<PrefetchVector> P = parsePrefetch(S);
  if (!P)
    return fail(P.error().Message);
  if (!Code->Brought[P->Interval].empty())
    return fail("interval " + std::to_string(P->Interval) +
                " has a second prefetch");
  Interval = P->Interval;
  Code->Brought[P->Interval] = std::move(P->Units);
  Out.Number = LTRFCode::Prefetch;
  return true;
}

/// What follows belongs to another interval.
bool Decoder::beginInterval(const Statement &S) {
  Result<std::optional<unsigned>> Id = parseInterval(S);
  if (!Id)
    return fail(Id.error().Message);
  Interval = Id->value_or(NoGroup);
  return true;
}

bool Decoder::dead(const Statement &S, DecodedStatement &Out) {
  Result<std::vector<unsigned>> Units = parseDead(S);
  if (!Units)
    return fail(Units.error().Message);
  Out = {LTRFCode::Dead, std::move(*Units)};
  return true;
}

LTRFCode::LTRFCode(const Function &F) : GroupedCode(LTRFCodeFamily, F) {}

std::unique_ptr<WarpRules> LTRFCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W);
}

/// The intervals of PREFETCHes, and of instructions that depend on registers
/// being there. Another scheme's statement may wait for results, but it reads
/// none.
void LTRFCode::noteGroups(std::span<IssueInfo> Insts) const {
  for (size_t N = 0; N != Insts.size(); ++N) {
    IssueInfo &Info = Insts[N];
    bool NamesRegisters = std::any_of(
        Info.Accesses, Info.Accesses + Info.NumReads + Info.NumWrites,
        [&](uint32_t Access) { return Access < F.RegsPerThread; });
    if (Info.Statement ? Info.Statement == Prefetch : NamesRegisters)
      Info.Group = GroupOf[N];
  }
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  const auto *Bounds = F.Facts.get<IntervalBounds>();
  return Bounds ? std::make_unique<Decoder>(F, *Bounds) : nullptr;
}

static const SchemeDescription *const Schemes[] = {
    &schemes::LTRF, &schemes::LTRFPlus, &schemes::LTRFStrand};
const CodeFamily LTRFCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
