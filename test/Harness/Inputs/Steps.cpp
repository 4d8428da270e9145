//===- Steps.cpp - Statements with and without an issue slot --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scheme from outside whose statements do nothing but take an issue slot, or
/// none, and whose hooks break their contract if a setting asks for it.
///
//===----------------------------------------------------------------------===//

#include "Rules/CodeRules.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/SchemeLibrary.h"
#include "regshare/Base/Statements.h"

using namespace regshare;
using namespace regshare::sim;

static const Setting ReadsBank =
    Setting::number("reads-bank", SettingUse::Machine, 0, 0, 255,
                    "the bank that each operand is read from");
static const Setting PrefersNobody =
    Setting::flag("prefers-nobody", SettingUse::Machine, false,
                  "no warp is preferred to others");
static const Setting *const Settings[] = {&ReadsBank, &PrefersNobody};

static Result<void> add(const regshare::Statement &S, const KernelDescriptor &,
                        SchemeFacts &) {
  return checkNoFields(S);
}

static const StatementKind Statements[] = {
    {"pay", StatementKind::Anywhere, StatementKind::Issued, "takes a slot",
     add},
    {"step", StatementKind::Anywhere, StatementKind::SteppedOver,
     "takes no slot", add},
    {"note", StatementKind::Anywhere, StatementKind::Decoded,
     "is no instruction", add}};

static const SchemeDescription Description = {.Name = "steps",
                                              .Summary = "only tests have it",
                                              .Page = "",
                                              .Statements = Statements,
                                              .Settings = Settings};
static const SchemeDescription *const Schemes[] = {&Description};

namespace {

class StepsScheme final : public SchemeHooks {
public:
  explicit StepsScheme(const SchemeContext &C)
      : SchemeHooks(C), Bank(C.Values.get<uint8_t>(ReadsBank)),
        PrefersNone(C.Values.get<bool>(PrefersNobody)) {}

  OperandPlace read(const WarpRef &, unsigned) const override {
    return {Bank, 0};
  }
  uint64_t preferred(uint64_t Candidates) const override {
    return PrefersNone ? 0 : Candidates;
  }
  void steppedOver(const WarpRef &, const IssueInfo &) override { ++Steps; }
  void issued(const WarpRef &, const IssueInfo &Info) override {
    Paid += Info.Statement != 0;
  }
  std::vector<SchemeCounter> counters() const override {
    return {{"paid", "statements were issued", Paid},
            {"steps", "statements were stepped over", Steps}};
  }

private:
  uint8_t Bank;
  bool PrefersNone;
  uint64_t Paid = 0, Steps = 0;
};

extern const CodeFamily StepsCode;

class Code final : public CodeRules {
public:
  explicit Code(const Function &F) : CodeRules(StepsCode, F) {}
  std::unique_ptr<WarpRules> forWarp(WarpView W) const override {
    return std::make_unique<WarpRules>(W);
  }
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : F(F) {}
  bool decode(const regshare::Statement &S, const ptx::Instruction &,
              DecodedStatement &Out) override {
    Out.Number = S.Verb == "pay" ? 1 : S.Verb == "step" ? 2 : 0;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return std::make_shared<Code>(F);
  }

private:
  const Function &F;
};

Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return std::make_unique<Decoder>(F);
}

const CodeFamily StepsCode = {Schemes, decoder};

} // namespace

static const SchemeModelOf<StepsScheme> Model;

static Result<void> registerSteps() {
  if (Result<void> Ok = registerModel(Description, Model); !Ok)
    return Ok;
  return registerCode(StepsCode);
}

REGSHARE_SCHEME_LIBRARY(Schemes, registerSteps)
