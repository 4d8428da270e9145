//===- SetmaxnregCode.cpp - Code that changes its counts -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SetmaxnregCode.h"

#include "Timing/Core/CoreConfig.h"

#include <bit>
#include <numeric>

namespace regshare::sim {

namespace {

/// What the warps of a CTA have in common.
struct CtaCounts {
  RegisterPool Pool;
  /// By warp, the changes that it has made.
  std::vector<std::vector<const Inst *>> Made;
};

class Rules final : public WarpRules {
public:
  using WarpRules::WarpRules;

  std::optional<Violation> before(const Inst &I) override;
  std::optional<Violation> unwritten(const Inst &I) override {
    return before(I);
  }
  std::string mustWait(const Inst &I) override;
  void after(const Inst &I) override;
  std::string lostSince(uint32_t Access) const override;
  uint64_t state() const override { return Count; }

private:
  const SetmaxnregCode &code() const {
    return *codeOf<SetmaxnregCode>(W.function(), SetmaxnregCodeFamily);
  }
  CtaCounts &cta();
  unsigned count();
  std::string whyNot(const CountChange &Change, const Inst &I);
  std::string brokenGroup(const Inst &I);

  /// Registers of a thread, 0 until they are asked for.
  unsigned Count = 0;
  unsigned LostFrom = 0, LostTo = 0; ///< Registers of the last change.
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : F(F) {}

  bool decode(const Statement &S, const ptx::Instruction &,
              DecodedStatement &) override {
    return fail("regshare." + S.Verb + " is not executed");
  }
  bool decoded(const DecodedInst &D) override {
    if (!D.Syntax || D.Syntax->Opcode != "setmaxnreg")
      return true;
    auto Count = unsigned(D.I.Imm);
    if (std::string Why = whyNoCount(Count); !Why.empty())
      return fail(std::move(Why));
    Changes[F.Code.size()] = {D.Syntax->has("inc"), Count};
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    if (Changes.empty())
      return nullptr;
    return std::make_shared<SetmaxnregCode>(F, std::move(Changes));
  }

private:
  const Function &F;
  std::map<size_t, CountChange> Changes;
};

} // namespace

CtaCounts &Rules::cta() {
  std::any &Of = W.ofCta();
  if (!Of.has_value())
    Of = CtaCounts{{W.numWarps(), code().launch().PerThread},
                   std::vector<std::vector<const Inst *>>(W.numWarps())};
  return *std::any_cast<CtaCounts>(&Of);
}

unsigned Rules::count() { return Count = cta().Pool.countOf(W.index()); }

/// All warps of a group make the same changes, and meet between them.
std::string Rules::brokenGroup(const Inst &I) {
  const auto &Made = cta().Made;
  unsigned First = W.index() / WarpsOfGroup * WarpsOfGroup;
  if (First + WarpsOfGroup > W.numWarps())
    return "setmaxnreg in a group of " + std::to_string(W.numWarps() - First) +
           " warps: expected " + std::to_string(WarpsOfGroup);
  size_t Mine = Made[W.index()].size();
  for (unsigned Other = First; Other != First + WarpsOfGroup; ++Other) {
    size_t Its = Made[Other].size();
    std::string Name = "warp " + std::to_string(Other);
    if (Its < Mine)
      return "setmaxnreg before all warps of the group have executed the one "
             "before it: " +
             Name + " has executed " + std::to_string(Its) + ", this warp " +
             std::to_string(Mine);
    if (Its > Mine && Made[Other][Mine] != &I)
      return "setmaxnreg that is another one than " + Name +
             " of the group has executed";
  }
  return {};
}

std::string Rules::whyNot(const CountChange &Change, const Inst &I) {
  if (W.executing() != W.alive())
    return "setmaxnreg in divergent code: expected all threads of the warp";
  if (std::string Why = whyNoChange(Change, count()); !Why.empty())
    return Why;
  if (std::string Why = brokenGroup(I); !Why.empty())
    return Why;
  if (cta().Pool.has(W.index(), Change.Count))
    return {};
  return printChange(Change) + " where the CTA's pool has " +
         std::to_string(cta().Pool.left()) +
         " registers a thread, on an SM whose warps do not wait for them";
}

std::optional<Violation> Rules::before(const Inst &I) {
  auto Break = [&](std::string Rule) {
    return Violation{std::move(Rule), unsigned(std::countr_zero(W.lanes()))};
  };
  if (const CountChange *Change = code().changeOf(I)) {
    std::string Why = whyNot(*Change, I);
    return Why.empty() ? std::optional<Violation>() : Break(std::move(Why));
  }
  const Function &Fn = W.function();
  unsigned Own = count();
  std::optional<uint32_t> Named = firstNamed(Fn, I, [&](uint32_t Access) {
    return Access >= Own && Access < Fn.RegsPerThread;
  });
  if (!Named)
    return {};
  return Break("use of " + Fn.nameOf(*Named) + " where a thread has " +
               std::to_string(Own) + " registers: expected R0 to R" +
               std::to_string(Own - 1));
}

std::string Rules::mustWait(const Inst &I) {
  const CountChange *Change = code().changeOf(I);
  if (!Change || cta().Pool.has(W.index(), Change->Count))
    return {};
  return "has " + std::to_string(count()) +
         " registers a thread and waits for " + std::to_string(Change->Count) +
         ", of which its CTA's pool has " + std::to_string(cta().Pool.left());
}

void Rules::after(const Inst &I) {
  const CountChange &Change = *code().changeOf(I);
  unsigned Before = count();
  cta().Pool.change(W.index(), Change.Count);
  cta().Made[W.index()].push_back(&I);
  Count = Change.Count;
  LostFrom = std::min(Before, Change.Count);
  LostTo = Change.Increases ? Change.Count : W.function().RegsPerThread;
  for (unsigned Frame = 0; Frame != W.numFrames(); ++Frame) {
    const Function *Of = W.ownerOf(Frame);
    if (!Of)
      continue;
    std::vector<uint32_t> Rows;
    for (unsigned Row = LostFrom; Row < std::min(LostTo, Of->RegsPerThread);
         ++Row)
      Rows.push_back(Row);
    W.forget(Frame, Rows);
  }
}

std::string Rules::lostSince(uint32_t Access) const {
  return Access >= LostFrom && Access < LostTo
             ? " since setmaxnreg gave it to the warp"
             : "";
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

SetmaxnregCode::SetmaxnregCode(const Function &F,
                               std::map<size_t, CountChange> Changes)
    : CodeRules(SetmaxnregCodeFamily, F),
      Launch(*F.Facts.get<LaunchRegisters>()), Changes(std::move(Changes)),
      Fewest(Launch.PerThread) {
  for (const auto &[Number, Change] : this->Changes)
    Fewest = std::min(Fewest, Change.Count);
}

std::unique_ptr<WarpRules> SetmaxnregCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W);
}

const CountChange *SetmaxnregCode::changeOf(const Inst &I) const {
  auto It = Changes.find(size_t(&I - F.Code.data()));
  return It == Changes.end() ? nullptr : &It->second;
}

uint8_t SetmaxnregCode::attentionTo(size_t Number) const {
  if (Changes.contains(Number))
    return AttendBefore | AttendAfter;
  const Inst &I = F.Code[Number];
  bool Named =
      I.Kind != InstKind::Define && firstNamed(F, I, [&](uint32_t Access) {
        return Access >= Fewest && Access < F.RegsPerThread;
      });
  return Named ? AttendBefore : 0;
}

/// A change is a group of its own, and waits for results that are on their way
/// to what it gives up.
void SetmaxnregCode::noteGroups(std::span<IssueInfo> Insts) const {
  uint32_t Next = 0;
  for (const auto &[Number, Change] : Changes) {
    Insts[Number].Group = Next++;
    Insts[Number].Drains = Insts[Number].IsSpecial = true;
  }
}

uint32_t SetmaxnregCode::addGroups(std::any &All) const {
  std::vector<CountChange> InOrder;
  InOrder.reserve(Changes.size());
  for (const auto &[Number, Change] : Changes)
    InOrder.push_back(Change);
  return appendGroups(All, InOrder);
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return F.Facts.get<LaunchRegisters>() ? std::make_unique<Decoder>(F)
                                        : nullptr;
}

static const SchemeDescription *const Schemes[] = {&schemes::Setmaxnreg};
const CodeFamily SetmaxnregCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
