//===- SharingSchemesTest.cpp - Register and scratchpad sharing -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two schemes event by event, every rule that they check, and whom the
/// scheduler owf prefers. A pair's warps have half of 12 registers, or half of
/// 1,024 bytes, for themselves.
///
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModel.h"
#include "Schemes/Sharing/RegisterSharingScheme.h"
#include "Schemes/Sharing/ScratchpadSharingScheme.h"
#include "Schemes/Sharing/SharingCode.h"
#include "Timing/SmBench.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr unsigned Regs = 12, Bytes = 1024, Block = 64;

SettingValues half() {
  return SettingValues().set(settings::PrivateShare, 500);
}

template <typename SchemeT>
constexpr bool IsScratchpad = std::is_base_of_v<ScratchpadLocks, SchemeT>;

template <typename SchemeT> Scheme schemeOf() {
  return IsScratchpad<SchemeT> ? schemes::ScratchpadSharing
                               : schemes::RegisterSharing;
}

/// Room for so many halves of a CTA: five are one that shares nothing, and a
/// pair.
template <typename SchemeT> DeviceDescription roomFor(unsigned Halves) {
  DeviceDescription D = deviceNamed("gtx480");
  D.NumSMs = 1;
  if (IsScratchpad<SchemeT>)
    D.SharedMemory = Halves * Bytes / 2;
  else
    D.Registers = Halves * Regs * Block / 2;
  return D;
}

//===----------------------------------------------------------------------===//
// Event by event
//===----------------------------------------------------------------------===//

/// A scheme with everything that it refers to, and three CTAs: 0 shares
/// nothing, 1 and 2 are a pair.
template <typename SchemeT> struct Bench {
  DeviceDescription Device = roomFor<SchemeT>(5);
  CoreConfig Core = *readCoreConfig(Device);
  KernelNeeds Needs{{Regs, Block, 0}, {}};
  SettingValues Values = half();
  Residency Resident;
  std::optional<SchemeT> S;

  Bench() {
    if (IsScratchpad<SchemeT>)
      Needs.Resources.SharedPerCTA = Bytes;
    Resident =
        *findModel(schemeOf<SchemeT>())->residency(Device, Needs, Values);
    S.emplace(SchemeContext{Device, Core, Needs, Resident, Values});
    for (unsigned Cta : {0, 1, 2})
      for (unsigned Index : {0, 1})
        S->resident(warp(Cta, Index));
  }
  static WarpRef warp(unsigned Cta, unsigned Index) {
    return {2 * Cta + Index, Cta, Index};
  }
  /// Issues if it may.
  bool issue(unsigned Cta, unsigned Index, const IssueInfo &I) {
    if (!S->mayIssue(warp(Cta, Index), I))
      return false;
    S->issued(warp(Cta, Index), I);
    return true;
  }
};

/// Writes a register.
struct Names {
  uint32_t Row;
  IssueInfo Info;
  explicit Names(uint32_t Register, bool LeavesSm = false) : Row(Register) {
    Info.Accesses = &Row;
    Info.NumWrites = 1;
    Info.EndRow = uint8_t(Row + 1);
    Info.LeavesSm = LeavesSm;
  }
};

constexpr uint64_t bit(unsigned Slot) { return uint64_t(1) << Slot; }

TEST(RegisterSharingScheme, LocksAreHandedOver) {
  Bench<RegisterSharingScheme> B;
  ASSERT_EQ(B.Resident.Layout.get<SharingResidency>()->Private, 6u);
  Names Own(5), Shared(6);
  // Nobody needs a lock for private registers, nor CTA 0 for any.
  for (unsigned Cta : {0, 1, 2})
    EXPECT_TRUE(B.issue(Cta, 0, Own.Info));
  EXPECT_TRUE(B.issue(0, 0, Shared.Info));
  EXPECT_FALSE(B.S->holds(B.warp(0, 0)));
  EXPECT_TRUE(B.issue(2, 0, Shared.Info));
  EXPECT_TRUE(B.S->holds(B.warp(2, 0)));
  EXPECT_FALSE(B.S->holds(B.warp(2, 1)));
  // The lock of the other pair of warps is free; the barrier rule forbids it.
  EXPECT_FALSE(B.issue(1, 1, Shared.Info));
  EXPECT_FALSE(B.issue(1, 0, Shared.Info));
  EXPECT_TRUE(B.issue(1, 1, Own.Info));
  EXPECT_TRUE(B.issue(2, 1, Shared.Info));
  EXPECT_EQ(B.S->inUse(), 2u);
  HeldBackBy Why = B.S->heldBackBy(B.warp(1, 1));
  EXPECT_STREQ(Why.Wants, "the lock on its shared registers");
  EXPECT_EQ(Why.Holders, bit(4) | bit(5));
  B.S->finished(B.warp(2, 0));
  EXPECT_EQ(B.S->takeWoken(), 0u);
  B.S->finished(B.warp(2, 1));
  EXPECT_EQ(B.S->takeWoken(), bit(2) | bit(3));
  EXPECT_TRUE(B.issue(1, 0, Shared.Info));
  // A CTA that comes has to wait.
  B.S->resident(B.warp(2, 0));
  EXPECT_FALSE(B.issue(2, 0, Shared.Info));
  PoolStats S = B.S->stats();
  EXPECT_EQ(S.Attempts, 6u);
  EXPECT_EQ(S.Successes, 3u);
  EXPECT_EQ(S.Returned, 2u);
  EXPECT_EQ(S.PeakInUse, 2u);
  EXPECT_EQ(S.Capacity, 2u);
  EXPECT_EQ(B.S->violation(), "");
}

/// Shared registers lie with those of the pair's first CTA, which has all of
/// its own; 16 banks.
TEST(RegisterSharingScheme, BothWarpsFindSharedRegistersInTheSamePlace) {
  Bench<RegisterSharingScheme> B;
  for (unsigned Index : {0, 1})
    for (unsigned Row = 0; Row != Regs + 3; ++Row) {
      for (unsigned Cta : {0, 1, 2}) {
        // Rows that are no registers of a thread are the warp's own.
        bool IsShared = Cta == 2 && Row >= 6 && Row < Regs;
        WarpRef At = B.warp(IsShared ? 1 : Cta, Index);
        EXPECT_EQ(B.S->read(B.warp(Cta, Index), Row).Bank,
                  (Row + At.Slot) % 16);
        EXPECT_EQ(B.S->write(B.warp(Cta, Index), Row).Bank,
                  (Row + At.Slot) % 16);
      }
    }
}

/// A warp whose access was put off may come too late for the lock. Then it
/// waits for that alone, and is not asked at a time that has passed.
TEST(RegisterSharingScheme, PutOffAndThenRefused) {
  Bench<RegisterSharingScheme> B;
  B.S->runsOn(1, 2);
  for (unsigned N = 0; N != 9; ++N)
    B.S->compareStalls(1, 0);
  Names Access(7, /*LeavesSm=*/true), Shared(7);
  Cycle Now = 10;
  B.S->tick(Now);
  ASSERT_FALSE(B.issue(2, 0, Access.Info)) << "one in ten is allowed";
  Cycle Ready = B.S->readyAt(B.warp(2, 0));
  ASSERT_GT(Ready, Now);
  ASSERT_NE(Ready, Never);
  EXPECT_STREQ(B.S->heldBackBy(B.warp(2, 0)).Wants, "leave to access memory");
  ASSERT_TRUE(B.issue(1, 0, Shared.Info));
  B.S->tick(Ready);
  EXPECT_FALSE(B.issue(2, 0, Access.Info));
  EXPECT_EQ(B.S->readyAt(B.warp(2, 0)), Never);
  EXPECT_STREQ(B.S->heldBackBy(B.warp(2, 0)).Wants,
               "the lock on its shared registers");
  // It was put off once, and refused once.
  EXPECT_EQ(B.S->stats().HeldAccesses, 1u);
  EXPECT_EQ(B.S->stats().Attempts, 2u);
  B.S->finished(B.warp(1, 0));
  EXPECT_EQ(B.S->takeWoken(), bit(4));
  // What was drawn first is no longer true: nine times in ten it waits again.
  EXPECT_FALSE(B.issue(2, 0, Access.Info));
  EXPECT_GT(B.S->readyAt(B.warp(2, 0)), Ready);
  // After the last warp of the owners it is one itself.
  B.S->finished(B.warp(1, 1));
  EXPECT_TRUE(B.issue(2, 0, Access.Info));
  EXPECT_EQ(B.S->stats().Attempts, 3u);
  EXPECT_EQ(B.S->stats().Successes, 2u);
  EXPECT_EQ(B.S->stats().HeldAccesses, 1u);
}

/// On SM 0 a warp that is no owner's waits until it is.
TEST(RegisterSharingScheme, NewOwnersAreLetGo) {
  Bench<RegisterSharingScheme> B;
  B.S->runsOn(0, 2);
  B.S->tick(7);
  Names Access(2, /*LeavesSm=*/true);
  EXPECT_TRUE(B.issue(0, 0, Access.Info));
  EXPECT_TRUE(B.issue(1, 0, Access.Info));
  EXPECT_FALSE(B.issue(2, 0, Access.Info));
  EXPECT_EQ(B.S->readyAt(B.warp(2, 0)), Never);
  EXPECT_EQ(B.S->heldBackBy(B.warp(2, 0)).Holders, bit(2) | bit(3));
  B.S->compareStalls(5, 5);
  EXPECT_EQ(B.S->takeWoken() & ~bit(4), 0u);
  EXPECT_FALSE(B.issue(2, 0, Access.Info));
  EXPECT_EQ(B.S->stats().HeldAccesses, 1u);
  // Whoever takes a lock becomes the owner.
  Names Shared(9);
  ASSERT_TRUE(B.issue(2, 1, Shared.Info));
  EXPECT_EQ(B.S->takeWoken(), bit(4));
  EXPECT_TRUE(B.issue(2, 0, Access.Info));
  EXPECT_FALSE(B.issue(1, 1, Access.Info));
  EXPECT_EQ(B.S->stats().HeldAccesses, 2u);
}

/// With no chance at all it waits until the odds change.
TEST(RegisterSharingScheme, ComparisonsLetAskAgain) {
  Bench<RegisterSharingScheme> B;
  B.S->runsOn(3, 4);
  for (unsigned N = 0; N != 10; ++N)
    B.S->compareStalls(1, 0);
  B.S->tick(7);
  Names Access(2, /*LeavesSm=*/true);
  EXPECT_FALSE(B.issue(2, 0, Access.Info));
  EXPECT_EQ(B.S->readyAt(B.warp(2, 0)), Never);
  EXPECT_EQ(B.S->takeWoken(), 0u);
  for (unsigned N = 0; N != 10; ++N)
    B.S->compareStalls(0, 1);
  EXPECT_EQ(B.S->takeWoken(), bit(4));
  EXPECT_TRUE(B.issue(2, 0, Access.Info));
}

TEST(ScratchpadSharingScheme, TheLockIsTheCtas) {
  Bench<ScratchpadSharingScheme> B;
  ASSERT_EQ(B.Resident.Layout.get<SharingResidency>()->Private, 512u);
  const IssueInfo I;
  auto Reach = [&](unsigned Cta, unsigned Index, uint32_t End) {
    B.S->willReach(B.warp(Cta, Index), End);
    bool Issues = B.issue(Cta, Index, I);
    if (Issues)
      B.S->hasReached(B.warp(Cta, Index), End);
    return Issues;
  };
  EXPECT_TRUE(Reach(0, 0, 1024));
  EXPECT_TRUE(Reach(1, 0, 512));
  EXPECT_TRUE(Reach(2, 0, 512));
  EXPECT_EQ(B.S->inUse(), 0u);
  EXPECT_TRUE(Reach(1, 1, 513));
  EXPECT_TRUE(Reach(1, 0, 1024));
  EXPECT_FALSE(Reach(2, 1, 513));
  EXPECT_FALSE(Reach(2, 0, 1024));
  EXPECT_TRUE(Reach(2, 0, 0));
  EXPECT_EQ(B.S->heldBackBy(B.warp(2, 1)).Holders, bit(2) | bit(3));
  // The one that took it ends; the lock stays with the other.
  B.S->finished(B.warp(1, 1));
  EXPECT_EQ(B.S->takeWoken(), 0u);
  EXPECT_EQ(B.S->inUse(), 1u);
  B.S->finished(B.warp(1, 0));
  EXPECT_EQ(B.S->takeWoken(), bit(4) | bit(5));
  EXPECT_TRUE(Reach(2, 1, 513));
  PoolStats S = B.S->stats();
  EXPECT_EQ(S.Attempts, 4u);
  EXPECT_EQ(S.Successes, 2u);
  EXPECT_EQ(S.Returned, 1u);
  EXPECT_EQ(S.Capacity, 1u);
  EXPECT_EQ(B.S->violation(), "");
}

//===----------------------------------------------------------------------===//
// Broken rules
//===----------------------------------------------------------------------===//

/// Instructions that neither name a register nor go anywhere: the barriers of
/// the kernels below, as releases.
IssueInfo releaseAtBarriers(IssueInfo I) {
  if (!I.NumReads && !I.NumWrites && I.Target == Pipe::None && !I.IsControl)
    I.Statement = SharingCode::Release;
  return I;
}

struct ReleasingRegisters final : RegisterLocks {
  using RegisterLocks::RegisterLocks;
  void issued(const WarpRef &W, const IssueInfo &I) override {
    RegisterLocks::issued(W, releaseAtBarriers(I));
  }
};

struct ForgetfulRegisters final : RegisterLocks {
  using RegisterLocks::RegisterLocks;
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    IssueInfo I = Info;
    I.EndRow = 0;
    RegisterLocks::issued(W, I);
  }
};

template <typename Of> struct Ungated final : Of {
  using Of::Of;
  bool mayIssue(const WarpRef &, const IssueInfo &) override { return true; }
};

struct Displaced final : RegisterLocks {
  using RegisterLocks::RegisterLocks;
  std::optional<unsigned> slotFor(uint64_t Free, uint64_t, unsigned CtaSlot,
                                  unsigned Index) const override {
    unsigned Slot = *RegisterLocks::slotFor(Free, 0, CtaSlot, Index);
    return CtaSlot == 1 ? Slot ^ 1 : Slot;
  }
};

struct ForgetfulScratchpad final : ScratchpadLocks {
  using ScratchpadLocks::ScratchpadLocks;
  void willReach(const WarpRef &W, uint32_t End) override {
    ScratchpadLocks::willReach(W, End > 768 ? 0 : End);
  }
};

struct ReleasingScratchpad final : ScratchpadLocks {
  using ScratchpadLocks::ScratchpadLocks;
  void issued(const WarpRef &W, const IssueInfo &I) override {
    ScratchpadLocks::issued(W, releaseAtBarriers(I));
  }
};

const std::string Scope = ".shared .align 4 .b8 words[1024];\n";

/// What a pair of CTAs of a kernel ends with.
template <typename SchemeT> std::string blame(const std::string &Body) {
  AnnotatedKernel K{"register-sharing",         Regs, 0, 0, {},
                    pragma("sharing private=6")};
  if (IsScratchpad<SchemeT>)
    K = {"scratchpad-sharing", Regs, 0, 0, Scope};
  SmBench<SchemeT> B(schemeOf<SchemeT>(), K.around(Body), roomFor<SchemeT>(3),
                     2, Block, Regs, half());
  EXPECT_EQ(B.Resident.Limits.CTAs, 2u);
  return B.run();
}

testing::Matcher<std::string> blames(const std::string &Rule, unsigned Cta,
                                     const std::string &Inst) {
  return AllOf(HasSubstr(Rule),
               HasSubstr("CTA (" + std::to_string(Cta) + ",0,0)"),
               HasSubstr("'" + Inst));
}

const std::string TouchShared = "add.u32 %r4, %r2, 1;\nadd.u32 %r6, %r2, 2;\n"
                                "add.u32 %r5, %r2, 3;\n";

TEST(SharingViolation, SharedRegisterWithoutTheLock) {
  EXPECT_EQ(blame<RegisterSharingScheme>(TouchShared), "");
  EXPECT_THAT(blame<ForgetfulRegisters>(TouchShared),
              blames("a shared register is named without the lock", 0,
                     "add.u32 %r6, %r2, 2"));
  // The upper half of a pair, in what is read.
  EXPECT_THAT(blame<ForgetfulRegisters>("mov.u64 %rd2, 5;\n"
                                        "mov.u64 %rd3, %rd2;\n"),
              blames("a shared register is named without the lock", 0,
                     "mov.u64 %rd3, %rd2"));
}

TEST(SharingViolation, BothCtasHoldLocksOnRegisters) {
  EXPECT_THAT(blame<Ungated<RegisterLocks>>(TouchShared),
              blames("both CTAs of a pair hold locks on shared registers", 1,
                     "add.u32 %r6, %r2, 2"));
}

TEST(SharingViolation, SharedRegisterBehindTheRelease) {
  const std::string Before = "add.u32 %r6, %r2, 2;\nbar.sync 0;\n";
  EXPECT_EQ(blame<ReleasingRegisters>(Before + "add.u32 %r5, %r2, 3;\n"), "");
  EXPECT_THAT(
      blame<ReleasingRegisters>(Before + "add.u32 %r7, %r2, 3;\n"),
      blames("a shared register is named after the warp's regshare.release", 1,
             "add.u32 %r7, %r2, 3"));
}

TEST(SharingViolation, AWarpWithOthersRegisters) {
  EXPECT_THAT(blame<Displaced>(TouchShared),
              blames("warp slot 3 has registers of another warp", 1,
                     "mov.u32 %r2, %tid.x"));
}

/// Each thread accesses the word of its number, in the part of the CTA's own or
/// in the shared one.
const std::string Address =
    "mov.u32 %r4, words;\nshl.b32 %r5, %r2, 2;\nadd.u32 %r4, %r4, %r5;\n";
const std::string TouchOwn = "st.shared.u32 [%r4], %r2;\n";
const std::string TouchPart = "st.shared.u32 [%r4+512], %r2;\n";

TEST(SharingViolation, SharedScratchpadWithoutTheLock) {
  EXPECT_EQ(blame<ScratchpadSharingScheme>(Address + TouchOwn + TouchPart), "");
  EXPECT_THAT(
      blame<ForgetfulScratchpad>(Address + TouchOwn +
                                 "ld.shared.u32 %r6, [%r4+768];\n"),
      blames("the shared part of the scratchpad is accessed without the lock",
             0, "ld.shared.u32 %r6, [%r4+768]"));
}

TEST(SharingViolation, BothCtasHoldTheLockOnScratchpad) {
  EXPECT_THAT(blame<Ungated<ScratchpadLocks>>(Address + TouchOwn + TouchPart),
              blames("both CTAs of a pair hold the lock on shared scratchpad",
                     1, "st.shared.u32 [%r4+512], %r2"));
}

TEST(SharingViolation, ScratchpadBehindTheRelease) {
  const std::string Before = Address + TouchPart + "bar.sync 0;\n";
  EXPECT_EQ(blame<ReleasingScratchpad>(Before), "");
  EXPECT_THAT(
      blame<ReleasingScratchpad>(Before + TouchOwn),
      blames("shared memory is accessed after the warp's regshare.release", 0,
             "st.shared.u32 [%r4], %r2"));
}

/// Locks without the barrier rule: a warp looks at the warp of its pair alone.
class OwnPairLocks final : public SchemeHooks {
public:
  explicit OwnPairLocks(const SchemeContext &C)
      : SchemeHooks(C), R(*C.Resident.Layout.get<SharingResidency>()) {}
  std::optional<unsigned> slotFor(uint64_t, uint64_t, unsigned CtaSlot,
                                  unsigned Index) const override {
    return R.warpSlot(CtaSlot, Index);
  }
  bool mayIssue(const WarpRef &W, const IssueInfo &I) override {
    if (I.EndRow <= R.Private)
      return true;
    if (Holding >> partner(W) & 1)
      return false;
    Holding |= bit(W.Slot);
    return true;
  }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }
  void finished(const WarpRef &W) override {
    Holding &= ~bit(W.Slot);
    Woken |= bit(partner(W));
  }
  HeldBackBy heldBackBy(const WarpRef &W) const override {
    return {"its lock", Holding & bit(partner(W))};
  }

private:
  unsigned partner(const WarpRef &W) const {
    return R.warpSlot(R.partnerOf(W.CtaSlot), W.Index);
  }
  SharingResidency R;
  uint64_t Holding = 0, Woken = 0;
};

/// In CTA 0 warp 1 comes to its shared registers first, in CTA 1 warp 0; each
/// waits at the barrier for the other warp of its CTA, which needs the lock
/// that a warp of the other CTA has.
const std::string FigureFive =
    "shr.u32 %r4, %r2, 5;\nxor.b32 %r4, %r4, %r3;\nsetp.eq.u32 %p1, %r4, 1;\n"
    "mov.u32 %r5, 60;\n@%p1 bra EARLY;\nLATE:\nsub.u32 %r5, %r5, 1;\n"
    "setp.ne.u32 %p2, %r5, 0;\n@%p2 bra LATE;\nEARLY:\n"
    "add.u32 %r11, %r2, 1;\nbar.sync 0;\nmov.u32 %r5, %r11;\n";

TEST(SharingBarrierRule, WithoutItFigureFiveIsADeadlock) {
  EXPECT_EQ(blame<RegisterSharingScheme>(FigureFive), "");
  EXPECT_THAT(blame<OwnPairLocks>(FigureFive),
              AllOf(HasSubstr("deadlock: warps wait for each other"),
                    HasSubstr("CTA (0,0,0) warp 0 waits for its lock at PTX "
                              "line"),
                    HasSubstr("'add.u32 %r11, %r2, 1', held by CTA (1,0,0) "
                              "warp 0"),
                    HasSubstr("CTA (1,0,0) warp 0 waits at barrier 0")));
}

//===----------------------------------------------------------------------===//
// Owner warp first
//===----------------------------------------------------------------------===//

/// The resident warps and their CTAs' owners, from the events that a scheme
/// sees.
struct Classes {
  SharingResidency R;
  std::map<unsigned, WarpRef> Warps;   ///< By slot.
  std::map<unsigned, unsigned> Ages;   ///< By slot.
  std::map<unsigned, unsigned> Owners; ///< CTA slots, by pair.
  unsigned Arrived = 0;
  uint64_t Choices = 0;         ///< Of warps of several classes.
  std::set<unsigned> Preferred; ///< Classes that came before others.

  bool isResident(unsigned Cta) const {
    return std::ranges::any_of(
        Warps, [&](const auto &Each) { return Each.second.CtaSlot == Cta; });
  }
  void begins(const WarpRef &W) {
    if (R.isShared(W.CtaSlot) && !isResident(W.CtaSlot) &&
        !isResident(R.partnerOf(W.CtaSlot)))
      Owners[R.pairOf(W.CtaSlot)] = W.CtaSlot;
    Warps[W.Slot] = W;
    Ages[W.Slot] = ++Arrived;
  }
  void ends(const WarpRef &W) {
    Warps.erase(W.Slot);
    if (R.isShared(W.CtaSlot) && !isResident(W.CtaSlot))
      Owners[R.pairOf(W.CtaSlot)] = R.partnerOf(W.CtaSlot);
  }
  /// 0 for owners, 1 for those that share nothing, 2 for others.
  unsigned classOf(unsigned Slot) const {
    unsigned Cta = Warps.at(Slot).CtaSlot;
    return !R.isShared(Cta) ? 1 : Owners.at(R.pairOf(Cta)) == Cta ? 0 : 2;
  }
  void isPicked(unsigned Slot, uint64_t Candidates) {
    std::set<unsigned> Seen;
    ASSERT_TRUE(Candidates & bit(Slot));
    for (unsigned Other = 0; Other != MaxWarpSlots; ++Other) {
      if (!(Candidates & bit(Other)))
        continue;
      Seen.insert(classOf(Other));
      EXPECT_LE(std::pair(classOf(Slot), Ages.at(Slot)),
                std::pair(classOf(Other), Ages.at(Other)));
    }
    if (Seen.size() == 1)
      return;
    ++Choices;
    Preferred.insert(classOf(Slot));
  }
};
Classes *Observed = nullptr;

/// Tells the observer of events and of each pick.
template <typename Of> class Traced final : public Of {
public:
  explicit Traced(const SchemeContext &C) : Of(C) {
    Observed->R = *C.Resident.Layout.get<SharingResidency>();
  }
  uint64_t preferred(uint64_t All) const override {
    Candidates = All;
    return Of::preferred(All);
  }
  bool mayIssue(const WarpRef &W, const IssueInfo &I) override {
    Observed->isPicked(W.Slot, Candidates);
    return Of::mayIssue(W, I);
  }
  void issued(const WarpRef &W, const IssueInfo &I) override {
    bool Held = Of::holds(W);
    Of::issued(W, I);
    if (!Held && Of::holds(W))
      Observed->Owners[Observed->R.pairOf(W.CtaSlot)] = W.CtaSlot;
  }
  void resident(const WarpRef &W) override {
    Of::resident(W);
    Observed->begins(W);
  }
  void finished(const WarpRef &W) override {
    Of::finished(W);
    Observed->ends(W);
  }

private:
  mutable uint64_t Candidates = 0;
};

/// Arithmetic that any warp can go on with, of other lengths in other CTAs,
/// and what needs the lock in the middle. R11 is 0 in every other CTA.
template <typename SchemeT> void followPicks(const std::string &Locked) {
  Classes Of;
  Observed = &Of;
  const AnnotatedKernel K{"baseline", Regs, 0, 0, Scope};
  const std::string Body =
      Address +
      "and.b32 %r11, %r3, 1;\nmul.lo.u32 %r3, %r3, 5;\nand.b32 %r3, %r3, 15;\n"
      "add.u32 %r3, %r3, 3;\nLOOP:\n" +
      repeat("add.u32 %r5, %r2, 1;\n"
             "add.u32 %r0, %r2, 1;\n",
             4) +
      Locked +
      "sub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p1, %r3, 0;\n"
      "@%p1 bra LOOP;\n";
  SmBench<SchemeT> B(schemeOf<SchemeT>(), K.around(Body), roomFor<SchemeT>(5),
                     30, Block, Regs, half());
  B.Core.Policy = SchedulerPolicy::OWF;
  EXPECT_EQ(B.Resident.Limits.CTAs, 3u);
  EXPECT_EQ(B.run(), "");
  EXPECT_GT(Of.Choices, 300u);
  EXPECT_EQ(Of.Preferred, (std::set<unsigned>{0, 1}));
}

TEST(OwnerWarpFirst, OwnersThenOthersThenNonOwners) {
  followPicks<Traced<RegisterLocks>>("add.u32 %r9, %r2, 1;\n");
  followPicks<Traced<ScratchpadLocks>>(TouchPart);
  // Where those that come later take the lock, too.
  const std::string Skip = "setp.ne.u32 %p2, %r11, 0;\n@%p2 bra SKIP;\n";
  followPicks<Traced<ScratchpadLocks>>(Skip + TouchPart + "SKIP:\n");
  // And where nobody does.
  followPicks<Traced<RegisterLocks>>("");
}

} // namespace
} // namespace regshare::sim
