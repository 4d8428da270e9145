//===- StagesTest.cpp - The stages of an SM, each alone -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Core/IssueStage.h"
#include "Timing/Core/LoadStoreStage.h"
#include "Timing/Core/OperandStage.h"
#include "Timing/Core/WriteBackStage.h"

#include <gmock/gmock.h>
#include <map>

namespace regshare::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

//===----------------------------------------------------------------------===//
// Write-back
//===----------------------------------------------------------------------===//

/// What a cycle lands. Token n takes the banks Banks[n], or no port without.
struct Results {
  std::map<uint32_t, uint32_t> Banks;
  WriteBackStage Stage;
  uint32_t Wrong = ~0u; ///< Landing it breaks a rule.

  explicit Results(unsigned Ports) : Stage(Ports) {}
  void add(uint32_t Token, uint32_t Mask) {
    Banks[Token] = Mask;
    Stage.add(Token);
  }
  std::vector<uint32_t> tick(uint32_t Taken = 0) {
    std::vector<uint32_t> Landed;
    Stage.tick(
        Taken,
        [&](uint32_t Token) {
          return Banks.contains(Token) ? ResultBanks{true, Banks[Token]}
                                       : ResultBanks();
        },
        [&](uint32_t Token) {
          Landed.push_back(Token);
          return Token != Wrong;
        });
    return Landed;
  }
};

TEST(WriteBackStage, YoungerResultsPassThoseWhoseBankIsTaken) {
  Results R(2);
  R.add(1, 0b01);
  R.add(2, 0b01);
  R.add(3, 0b10);
  EXPECT_THAT(R.tick(), ElementsAre(1, 3));
  EXPECT_EQ(R.Stage.takenBanks(), 0b11u);
  EXPECT_EQ(R.Stage.conflicts(), 1u);
  R.add(4, 0b100);
  EXPECT_THAT(R.tick(), ElementsAre(2, 4));
  EXPECT_TRUE(R.Stage.isEmpty());
  EXPECT_THAT(R.tick(), IsEmpty());
  EXPECT_EQ(R.Stage.takenBanks(), 0u);
}

TEST(WriteBackStage, PortsAreForWhatWrites) {
  Results R(1);
  R.add(1, 0b01);
  R.add(2, 0b10);
  R.Stage.add(3);
  R.Stage.add(4);
  EXPECT_THAT(R.tick(), ElementsAre(1, 3, 4));
  EXPECT_THAT(R.tick(), ElementsAre(2));
}

TEST(WriteBackStage, BanksOfOthersTransfersAreTaken) {
  Results R(4);
  R.add(1, 0b01);
  R.add(2, 0b10);
  EXPECT_THAT(R.tick(0b01), ElementsAre(2));
  EXPECT_EQ(R.Stage.takenBanks(), 0b11u);
  EXPECT_THAT(R.tick(0b01), IsEmpty());
  EXPECT_THAT(R.tick(), ElementsAre(1));
  EXPECT_EQ(R.Stage.conflicts(), 2u);
}

TEST(WriteBackStage, ABrokenRuleEndsTheCycle) {
  Results R(4);
  R.add(1, 0b01);
  R.add(2, 0b10);
  R.Wrong = 1;
  EXPECT_THAT(R.tick(), ElementsAre(1));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

CoreConfig coreOf(const char *Device) {
  return *readCoreConfig(*loadDevice(Device));
}

/// A scheme with everything that it refers to.
template <typename SchemeT> struct Hooked {
  DeviceDescription Device = *loadDevice("gtx480");
  CoreConfig Core = coreOf("gtx480");
  KernelNeeds Needs;
  Residency Resident;
  SettingValues Values;
  SchemeT S{{Device, Core, Needs, Resident, Values}};
};

class Plain final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
};

/// Results of R0 go to no bank, others to bank 7; each operand costs a cycle.
class Elsewhere final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
  OperandPlace write(const WarpRef &, unsigned) const override { return {7}; }
  bool writesCache(const WarpRef &, unsigned Row) const override {
    return Row != 0;
  }
  void located(OperandRequest &R) const override {
    for (unsigned K = 0; K != R.NumReads; ++K)
      ++R.Reads[K].Delay;
  }
};

class Together final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
  uint32_t resultBanks(const WarpRef &, const IssueInfo &Info,
                       unsigned NumRows) const override {
    return uint32_t(Info.NumWrites << 8 | NumRows);
  }
};

/// Reads R1 and a predicate, writes R0, R3 and a predicate, of 10 rows.
struct Instruction {
  uint32_t Accesses[5] = {1, 12, 0, 3, 11};
  IssueInfo Info;
  Instruction() {
    Info.Accesses = Accesses;
    Info.NumReads = 2;
    Info.NumWrites = 3;
    Info.Target = Pipe::Main;
    Info.Interval = 2;
  }
};

TEST(OperandStage, TheSchemeSaysWhereOperandsAre) {
  Instruction I;
  const WarpRef W{2, 0, 0};
  Hooked<Plain> P;
  OperandRequest R = requestOf(P.S, W, I.Info, 10);
  EXPECT_EQ(R.NumReads, 1u);
  EXPECT_EQ(R.Reads[0].Bank, 3u);
  EXPECT_EQ(R.Reads[0].Delay, 0u);
  EXPECT_EQ(R.Interval, 2u);
  EXPECT_EQ(resultBanksOf(P.S, W, I.Info, 10), 1u << 2 | 1u << 5);
  Hooked<Elsewhere> E;
  EXPECT_EQ(requestOf(E.S, W, I.Info, 10).Reads[0].Delay, 1u);
  EXPECT_EQ(resultBanksOf(E.S, W, I.Info, 10), 1u << 7);
  EXPECT_EQ(resultBanksOf(Hooked<Together>().S, W, I.Info, 10), 0x30Au);
}

TEST(OperandStage, SubCoresWriteBesideReads) {
  Instruction I;
  Hooked<Plain> P;
  OperandStage<CollectorPath> Collectors(P.Core);
  EXPECT_EQ(Collectors.resultsOf(P.S, {}, I.Info, 10).Banks, 0b1001u);
  CoreConfig OfSubCores = coreOf("hopper");
  OperandStage<SubCorePath> SubCores(OfSubCores);
  EXPECT_EQ(SubCores.resultsOf(P.S, {}, I.Info, 10).Banks, 0u);
  EXPECT_TRUE(SubCores.resultsOf(P.S, {}, I.Info, 10).NeedsPort);
  I.Info.NumWrites = 0;
  EXPECT_FALSE(Collectors.resultsOf(P.S, {}, I.Info, 10).NeedsPort);
}

TEST(OperandStage, ExecutionBeginsWhenOperandsAreThere) {
  Instruction I;
  Hooked<Plain> P;
  OperandStage<CollectorPath> Stage(P.Core);
  OperandRequest R = requestOf(P.S, {}, I.Info, 10);
  R.Token = 5;
  EXPECT_EQ(Stage.nextEvent(0, true), Never);
  Stage.take(R, 0);
  std::vector<uint32_t> Begun;
  Cycle Now = 0;
  for (; Begun.empty() && Now != 50; ++Now)
    // Bank 1 is taken by results for a while.
    Stage.tick(Now, Now < 10 ? 0b10 : 0, true,
               [&](uint32_t Token, Cycle) { Begun.push_back(Token); });
  EXPECT_THAT(Begun, ElementsAre(5));
  EXPECT_GT(Now, 10u);
  EXPECT_EQ(Stage.nextEvent(Now, true), Never);
}

TEST(OperandStage, NothingMovesWhileMemoryHasNoRoom) {
  Instruction I;
  Hooked<Plain> P;
  OperandStage<CollectorPath> Stage(P.Core);
  OperandRequest R = requestOf(P.S, {}, I.Info, 10);
  R.Target = Pipe::Memory;
  unsigned Begun = 0;
  Cycle Now = 0;
  auto Tick = [&](bool Room) {
    Stage.tick(Now++, 0, Room, [&](uint32_t, Cycle) { ++Begun; });
  };
  unsigned Collectors = P.Core.Pipes[unsigned(Pipe::Memory)].Collectors;
  for (unsigned N = 0; N != Collectors; ++N) {
    Stage.take(R, Now);
    EXPECT_EQ(Stage.nextEvent(Now, false), Now + 1);
    for (unsigned K = 0; K != 8; ++K)
      Tick(false);
  }
  Stage.take(R, Now); // Waits for a collector.
  EXPECT_EQ(Stage.nextEvent(Now, false), Never);
  EXPECT_EQ(Stage.nextEvent(Now, true), Now + 1);
  EXPECT_EQ(Begun, 0u);
  Tick(true);
  EXPECT_EQ(Begun, 1u);
  EXPECT_EQ(Stage.nextEvent(Now, false), Now + 1);
}

//===----------------------------------------------------------------------===//
// Load/store
//===----------------------------------------------------------------------===//

TEST(LoadStoreStage, AnIdleUnitIsLeftAlone) {
  MemoryConfig Config = *readMemoryConfig(*loadDevice("gtx480"));
  LoadStoreStage Stage(Config, 0, false);
  std::vector<MemoryRequest> Requests;
  std::map<uint32_t, Cycle> Complete;
  auto Tick = [&](Cycle Now) {
    return Stage.tick(Now, Requests, [&](uint32_t Token, Cycle When) {
      Complete[Token] = When;
    });
  };
  EXPECT_EQ(Stage.nextEvent(), Never);
  EXPECT_FALSE(Tick(3));
  MemoryAccess A;
  A.Token = 9;
  A.Op = MemoryOp::Load;
  A.Where = Space::Shared;
  A.Bytes = 4;
  A.Mask = ~0u;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    A.Addresses[Lane] = 4 * Lane;
  Stage.accept(A, 4);
  EXPECT_EQ(Stage.nextEvent(), 5u);
  EXPECT_FALSE(Stage.isIdle());
  Cycle Now = 5;
  for (; Complete.empty() && Now != 500; ++Now)
    Tick(Now);
  EXPECT_GE(Complete[9], Now - 1);
  EXPECT_THAT(Requests, IsEmpty());
  for (; !Stage.isIdle() && Now != 1000; ++Now)
    Tick(Now);
  EXPECT_FALSE(Tick(Now));
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

constexpr uint64_t bit(unsigned Slot) { return uint64_t(1) << Slot; }

/// Two schedulers, under which the oldest warp comes first.
struct Schedulers {
  CoreConfig Core = coreOf("gtx480");
  WarpClasses Classes;
  std::vector<uint8_t> ClassOf = std::vector<uint8_t>(MaxWarpSlots);
  IssueStage Stage;
  std::vector<Pipe> Full;
  std::vector<unsigned> Refused; ///< Slots that the gate does not let go.
  std::vector<unsigned> Picked;

  explicit Schedulers(SchedulerPolicy Policy = SchedulerPolicy::GTO,
                      unsigned ActiveWarps = 2)
      : Stage(coreWith(Core, Policy, ActiveWarps)) {}
  static const CoreConfig &coreWith(CoreConfig &C, SchedulerPolicy Policy,
                                    unsigned ActiveWarps) {
    C.Schedulers = 2;
    C.Policy = Policy;
    C.ActiveWarps = ActiveWarps;
    return C;
  }
  void move(unsigned Slot, uint8_t To) {
    Classes.move(Slot, std::exchange(ClassOf[Slot], To), To);
  }
  void arrive(unsigned Slot, Pipe P) {
    Stage.schedulerOf(Slot).arrive(Slot);
    move(Slot, uint8_t(WarpClasses::Ready + unsigned(P)));
  }
  Attempt issue(unsigned Scheduler) {
    Picked.clear();
    return Stage.issueFrom(
        Scheduler, Classes,
        [&](Pipe P) { return !std::ranges::count(Full, P); },
        [](uint64_t Candidates) { return Candidates; },
        [&](unsigned Slot) {
          Picked.push_back(Slot);
          if (!std::ranges::count(Refused, Slot))
            return Attempt::Issued;
          move(Slot, WarpClasses::Held);
          return Attempt::Refused;
        },
        [](Pipe) { return SlotUse::Pipe; });
  }
};

TEST(WarpClasses, AWarpIsInOneClass) {
  WarpClasses C;
  C.move(3, WarpClasses::None, WarpClasses::Ready);
  EXPECT_EQ(C.ready(0), bit(3));
  EXPECT_TRUE(C.takeChange());
  EXPECT_FALSE(C.hasChanged());
  C.move(3, WarpClasses::Ready, uint8_t(SlotUse::Barrier));
  EXPECT_EQ(C.ready(0), 0u);
  EXPECT_EQ(C.waiting(SlotUse::Barrier), bit(3));
  C.move(3, uint8_t(SlotUse::Barrier), WarpClasses::Held);
  EXPECT_EQ(C.heldBack(), bit(3));
  C.move(3, WarpClasses::Held, WarpClasses::None);
  EXPECT_EQ(C.heldBack(), 0u);
  EXPECT_TRUE(C.hasChanged());
}

TEST(IssueStage, ARefusedWarpLetsOthersIssue) {
  Schedulers S;
  for (unsigned Slot : {0, 1, 2, 4})
    S.arrive(Slot, Pipe::Main);
  S.Refused = {0, 2};
  EXPECT_EQ(S.issue(0), Attempt::Issued);
  EXPECT_THAT(S.Picked, ElementsAre(0, 2, 4));
  EXPECT_EQ(S.issue(1), Attempt::Issued);
  EXPECT_THAT(S.Picked, ElementsAre(1));
  EXPECT_THAT(S.Stage.lastUse(), ElementsAre(SlotUse::Issued, SlotUse::Issued));
  EXPECT_TRUE(S.Stage.goesOn());
}

TEST(IssueStage, WithoutReadyWarpsNothingChangesUntilOneMoves) {
  Schedulers S;
  for (unsigned Slot : {0, 1, 2})
    S.arrive(Slot, Pipe::Main);
  S.move(0, uint8_t(SlotUse::Barrier));
  S.Full = {Pipe::Main};
  EXPECT_EQ(S.issue(0), Attempt::Refused);
  EXPECT_FALSE(S.Stage.waitsOn(0, S.Classes)); // The pipe may have room.
  S.move(2, uint8_t(SlotUse::Dependency));
  EXPECT_EQ(S.issue(0), Attempt::Refused);
  EXPECT_TRUE(S.Stage.waitsOn(0, S.Classes));
  S.move(1, uint8_t(SlotUse::Control));
  EXPECT_TRUE(S.Stage.waitsOn(0, S.Classes)); // It is the other scheduler's.
  EXPECT_FALSE(S.Stage.waitsOn(1, S.Classes));
  S.move(2, uint8_t(SlotUse::DependencyMemory));
  EXPECT_FALSE(S.Stage.waitsOn(0, S.Classes));
  EXPECT_EQ(S.issue(0), Attempt::Refused);
  EXPECT_EQ(S.Stage.lastUse()[0], SlotUse::DependencyMemory);
  EXPECT_TRUE(S.Stage.waitsOn(0, S.Classes));
}

TEST(IssueStage, OnlyWarpsWhosePipeHasRoomArePicked) {
  Schedulers S;
  S.arrive(0, Pipe::Special);
  S.arrive(2, Pipe::None);
  S.Full = {Pipe::Special};
  EXPECT_EQ(S.issue(0), Attempt::Issued);
  EXPECT_THAT(S.Picked, ElementsAre(2));
  S.move(2, uint8_t(SlotUse::Dependency));
  EXPECT_EQ(S.issue(0), Attempt::Refused);
  EXPECT_THAT(S.Picked, IsEmpty());
  // The cause that comes first.
  EXPECT_EQ(S.Stage.lastUse()[0], SlotUse::Pipe);
  EXPECT_TRUE(S.Stage.goesOn());
}

TEST(IssueStage, LostSlotsHaveTheFirstCause) {
  Schedulers S;
  S.issue(0);
  EXPECT_EQ(S.Stage.lastUse()[0], SlotUse::NoWarp);
  S.arrive(0, Pipe::Main);
  S.arrive(1, Pipe::Main);
  S.move(0, uint8_t(SlotUse::Barrier));
  S.issue(0);
  EXPECT_EQ(S.Stage.lastUse()[0], SlotUse::Barrier);
  S.arrive(2, Pipe::Main);
  S.Refused = {2};
  EXPECT_EQ(S.issue(0), Attempt::Refused);
  EXPECT_EQ(S.Stage.lastUse()[0], SlotUse::SchemeGate);
  EXPECT_FALSE(S.Stage.goesOn());
}

/// One active warp for each scheduler.
TEST(IssueStage, WarpsThatWaitMakeRoom) {
  Schedulers S(SchedulerPolicy::TwoLevel);
  for (unsigned Slot : {0, 2})
    S.arrive(Slot, Pipe::Main);
  std::vector<int> Events;
  auto Update = [&](uint64_t Waiting) {
    Events.clear();
    S.Stage.updateActiveSets(
        Waiting, [&](unsigned Slot) { Events.push_back(-int(Slot) - 1); },
        [&](unsigned Slot) { Events.push_back(int(Slot) + 1); });
  };
  EXPECT_TRUE(S.Stage.hasActiveSets());
  Update(0);
  EXPECT_THAT(Events, ElementsAre(1));
  EXPECT_EQ(S.Stage.active(), bit(0));
  S.move(0, uint8_t(SlotUse::Barrier));
  S.issue(0);
  EXPECT_EQ(S.Stage.lastUse()[0], SlotUse::Parked);
  Update(bit(0));
  EXPECT_THAT(Events, ElementsAre(-1, 3));
  EXPECT_EQ(S.issue(0), Attempt::Issued);
  S.Stage.limitActiveWarps(3);
  S.move(0, WarpClasses::Ready);
  Update(0);
  EXPECT_EQ(S.Stage.active(), bit(0) | bit(2));
}

} // namespace
} // namespace regshare::sim
