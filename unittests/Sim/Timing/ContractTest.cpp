//===- ContractTest.cpp - Schemes that break their contract ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each hook and each function of a model that returns what it may not ends the
/// launch with a message that names it.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "Rules/CodeRules.h"
#include "Schemes/SchemeModelOf.h"
#include "Timing/TimingTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

enum class Mistake {
  None,
  ReadBank,
  WriteBank,
  ManyOperands,
  OtherPipe,
  NonePreferred,
  OthersPreferred,
  Woken,
  ReadyNow,
  Holders,
  NoWish,
  SameKeys,
  NoKey,
  OtherKeys,
  Ctas,
  MostCtas,
  NoBanks,
  ManyBanks,
  Schedulers,
};
Mistake Made;

class WrongScheme final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;

  void runsOn(unsigned Id, unsigned) override { SmId = Id; }
  void tick(Cycle C) override { Now = C; }
  bool mayIssue(const WarpRef &, const IssueInfo &) override {
    return Made != Mistake::ReadyNow && Made != Mistake::Holders &&
           Made != Mistake::NoWish;
  }
  Cycle readyAt(const WarpRef &) const override {
    return Made == Mistake::ReadyNow ? Now : Never;
  }
  uint64_t takeWoken() override {
    return Made == Mistake::Woken ? uint64_t(1) << 50 : 0;
  }
  HeldBackBy heldBackBy(const WarpRef &) const override {
    if (Made == Mistake::NoWish)
      return {nullptr, 0};
    return {"a place", uint64_t(1) << 63};
  }
  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    if (Made == Mistake::ReadBank)
      return {uint8_t(Banks), 0};
    return SchemeHooks::read(W, Row);
  }
  OperandPlace write(const WarpRef &W, unsigned Row) const override {
    if (Made == Mistake::WriteBank)
      return {255, 0};
    return SchemeHooks::read(W, Row);
  }
  void located(OperandRequest &R) const override {
    if (Made == Mistake::ManyOperands)
      R.NumReads = OperandRequest::MaxReads + 1;
    if (Made == Mistake::OtherPipe)
      R.Target = Pipe::None;
  }
  uint64_t preferred(uint64_t Candidates) const override {
    if (Made == Mistake::NonePreferred)
      return 0;
    return Made == Mistake::OthersPreferred ? ~Candidates : Candidates;
  }
  std::vector<SchemeCounter> counters() const override {
    std::vector<SchemeCounter> All = {{"first", "of them", 1}};
    if (Made == Mistake::SameKeys)
      All.push_back(All[0]);
    if (Made == Mistake::NoKey)
      All.push_back({"", "of none", 2});
    if (Made == Mistake::OtherKeys && SmId)
      All.clear();
    return All;
  }

private:
  unsigned SmId = 0;
  Cycle Now = 0;
};

class WrongModel : public SchemeModel {
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &V) const override {
    Result<Residency> R = SchemeModel::residency(D, K, V);
    if (R && Made == Mistake::Ctas)
      R->Limits.CTAs = unsigned(-1);
    if (R && Made == Mistake::MostCtas)
      R->MostCtas = D.MaxWarps + 1;
    return R;
  }
  Result<CoreConfig> coreFor(const CoreConfig &C,
                             const KernelNeeds &) const override {
    CoreConfig Of = C;
    if (Made == Mistake::NoBanks)
      Of.Banks = 0;
    if (Made == Mistake::ManyBanks)
      Of.Banks = MaxBanks + 1;
    Of.Schedulers += Made == Mistake::Schedulers;
    return Of;
  }
};

constexpr StatementKind Statements[] = {
    {"await", StatementKind::Anywhere, StatementKind::Issued,
     "awaits a register that there is none of",
     [](const regshare::Statement &, const KernelDescriptor &,
        SchemeFacts &) -> Result<void> { return {}; }}};
constexpr SchemeDescription Wrong = {.Name = "wrong",
                                     .Summary = "breaks its contract",
                                     .Page = "",
                                     .Statements = Statements};
const SchemeModelOf<WrongScheme, WrongModel> TheModel;

extern const CodeFamily WrongCode;

class AwaitingCode final : public CodeRules {
public:
  explicit AwaitingCode(const Function &F) : CodeRules(WrongCode, F) {}
  std::unique_ptr<WarpRules> forWarp(WarpView W) const override {
    return std::make_unique<WarpRules>(W);
  }
  std::vector<uint32_t> awaitedBy(const Inst &) const override {
    return {1, 300};
  }
};

class AwaitDecoder final : public StatementDecoder {
public:
  explicit AwaitDecoder(const Function &F) : F(F) {}
  bool decode(const regshare::Statement &, const ptx::Instruction &,
              DecodedStatement &Out) override {
    Out.Number = 1;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return std::make_shared<AwaitingCode>(F);
  }

private:
  const Function &F;
};

const SchemeDescription *const Schemes[] = {&Wrong};
const CodeFamily WrongCode = {
    Schemes,
    [](const Function &F) -> Result<std::unique_ptr<StatementDecoder>> {
      return std::make_unique<AwaitDecoder>(F);
    }};

void registerWrong() {
  static const bool IsKnown = registerScheme(Wrong) &&
                              registerModel(Wrong, TheModel) &&
                              registerCode(WrongCode);
  EXPECT_TRUE(IsKnown);
}

/// What a launch of four CTAs on two SMs ends with.
std::string run(Mistake M, const std::string &Device = "gtx480") {
  registerWrong();
  Made = M;
  DeviceDescription D = deviceNamed(Device);
  D.NumSMs = 2;
  TestProgram T(kernelAround("add.u32 %r2, %r1, 1;\n"
                             "st.global.u32 [%rd2], %r2;"));
  Result<std::vector<uint8_t>> Bytes = packArguments(
      *T.P->findKernel("k"), {T.upload(std::vector<uint32_t>(64))});
  TimingOptions OfMachine;
  OfMachine.Applied = Wrong;
  TimedLaunchOptions Options;
  Options.RegsPerThread = 20;
  Options.CycleLimit = 100'000;
  Result<TimingStats> S =
      machine(D, OfMachine)
          ->run(*T.P, T.Memory, "k", {{4}, {64}, 0, *Bytes}, Options);
  return S ? "" : S.error().Message;
}

/// Of a hook.
std::string told(const std::string &Hook, const std::string &Rest) {
  return "scheme 'wrong': its hook " + Hook + "() returned " + Rest +
         "\n  kernel 'k', SM 0, ";
}

TEST(Contract, IsKept) {
  for (const char *Device : {"gtx480", "hopper", "rtx6000"})
    EXPECT_EQ(run(Mistake::None, Device), "") << Device;
}

TEST(Contract, Banks) {
  EXPECT_THAT(run(Mistake::ReadBank),
              StartsWith(told("read", "bank 16; expected one from 0 to 15") +
                         "CTA (0,0,0) warp 0, cycle "));
  EXPECT_THAT(run(Mistake::WriteBank),
              StartsWith(told("write", "a bank beyond the last one; expected "
                                       "banks from 0 to 15") +
                         "CTA (0,0,0) warp 0, cycle "));
  for (const char *Device : {"hopper", "rtx6000"})
    EXPECT_THAT(run(Mistake::ReadBank, Device),
                HasSubstr("its hook read() returned bank "))
        << Device;
}

TEST(Contract, Operands) {
  EXPECT_THAT(run(Mistake::ManyOperands),
              StartsWith(told("located", "25 operands; expected at most 24")));
  EXPECT_THAT(run(Mistake::OtherPipe),
              StartsWith(told("located", "another pipe; expected the one that "
                                         "the instruction goes to")));
}

TEST(Contract, Priority) {
  EXPECT_THAT(run(Mistake::NonePreferred),
              StartsWith(told("preferred", "no warp; expected one or several "
                                           "of the warps in slots 0,2 of 48") +
                         "cycle "));
  EXPECT_THAT(
      run(Mistake::OthersPreferred),
      HasSubstr("expected one or several of the warps in slots 0,2 of 48"));
}

TEST(Contract, WarpsThatWait) {
  EXPECT_THAT(run(Mistake::Woken),
              StartsWith(told("takeWoken", "slot 50 of 48; expected slots "
                                           "below 48")));
  EXPECT_THAT(run(Mistake::ReadyNow), HasSubstr("its hook readyAt() returned "
                                                "cycle "));
  EXPECT_THAT(run(Mistake::ReadyNow),
              HasSubstr("; expected one after that of the last tick(), or "
                        "Never\n  kernel 'k', SM 0, CTA (0,0,0) warp 0"));
  EXPECT_THAT(run(Mistake::Holders),
              StartsWith(told("heldBackBy", "slot 63 of 48; expected slots "
                                            "below 48")));
  EXPECT_THAT(run(Mistake::NoWish),
              StartsWith(told("heldBackBy", "a null pointer; expected words "
                                            "for what the warp wants")));
}

TEST(Contract, Counters) {
  const std::string Begin = "scheme 'wrong': its hook counters() returned ";
  EXPECT_EQ(run(Mistake::SameKeys),
            Begin + "'first' twice; expected a key for each");
  EXPECT_EQ(run(Mistake::NoKey),
            Begin + "one without a key; expected a key for each");
  EXPECT_EQ(run(Mistake::OtherKeys),
            Begin + "other keys for one SM than for another; expected the same "
                    "in the same order each time");
}

TEST(Contract, Statements) {
  registerWrong();
  Made = Mistake::None;
  TestProgram T(std::string(Header) +
                ".visible .entry k()\n{\n.reg .b32 %r<2>;\n" +
                pragma("kernel v1 name=k scheme=wrong regs=2 preds=0 peak=2 "
                       "shared=0 local=0 target=sm_80") +
                pragma("map %r0=R0 %r1=R1") + "mov.b32 %r1, 1;\n" +
                pragma("await") + "ret;\n}\n");
  ASSERT_TRUE(T.P) << T.Error;
  TimingOptions OfMachine;
  OfMachine.Applied = Wrong;
  Result<TimingStats> S =
      machine(deviceNamed("gtx480"), OfMachine)
          ->run(*T.P, T.Memory, "k", {{1}, {32}, 0, {}}, {});
  ASSERT_FALSE(S);
  EXPECT_EQ(S.error().Message,
            "scheme 'wrong': its CodeRules::awaitedBy() names a register "
            "beyond the 2 of 'k' for 'regshare.await'");
}

TEST(Contract, Models) {
  const std::string Begin = "kernel 'k': scheme 'wrong': its model's ";
  EXPECT_EQ(run(Mistake::Ctas),
            Begin + "residency() says 4294967295 CTAs an SM; expected at most "
                    "48, as many as 'gtx480' has warps");
  EXPECT_EQ(run(Mistake::MostCtas),
            Begin + "residency() says 49 CTAs an SM; expected at most 48, as "
                    "many as 'gtx480' has warps");
  EXPECT_EQ(run(Mistake::NoBanks),
            Begin + "coreFor() says 0 banks; expected from 1 to 32");
  EXPECT_EQ(run(Mistake::ManyBanks),
            Begin + "coreFor() says 33 banks; expected from 1 to 32");
  EXPECT_EQ(run(Mistake::Schedulers),
            Begin + "coreFor() says 3 schedulers; expected from 2 to 2");
}

} // namespace
} // namespace regshare::sim
