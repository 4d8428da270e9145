//===- NoRoomTest.cpp - Schemes that let no CTA in ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModelOf.h"
#include "Timing/TimingTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

enum class RoomRefusal {
  None,
  TakenSlot,     ///< Each warp gets the same slot.
  NoSlot,        ///< Each gets one that the SM does not have.
  Slot,          ///< No warp finds one.
  SecondWarp,    ///< Nor does the second warp of a CTA.
  Warps,         ///< None fits.
  Limit,         ///< No CTA may be resident.
  AfterTheFirst, ///< No CTA may be after one has been.
  Model,         ///< The model says so.
  Restless       ///< The same, with work in each cycle.
};
RoomRefusal AskedRefusal;

class RefusingScheme final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;

  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine, unsigned Cta,
                                  unsigned Index) const override {
    if (AskedRefusal == RoomRefusal::TakenSlot ||
        AskedRefusal == RoomRefusal::NoSlot)
      return AskedRefusal == RoomRefusal::NoSlot ? 64 : 3;
    if (AskedRefusal == RoomRefusal::Slot ||
        (AskedRefusal == RoomRefusal::SecondWarp && Index))
      return std::nullopt;
    return SchemeHooks::slotFor(Free, Mine, Cta, Index);
  }
  unsigned warpsThatFit(uint64_t) const override {
    return AskedRefusal == RoomRefusal::Warps ? 0 : ~0u;
  }
  unsigned ctaLimit() const override {
    bool IsClosed = AskedRefusal == RoomRefusal::Limit ||
                    ((AskedRefusal == RoomRefusal::AfterTheFirst ||
                      AskedRefusal == RoomRefusal::Restless) &&
                     HadWarps);
    return IsClosed ? 0 : ~0u;
  }
  void resident(const WarpRef &) override { HadWarps = true; }
  Cycle nextWork(Cycle Now) const override {
    return AskedRefusal == RoomRefusal::Restless ? Now + 1 : Never;
  }

private:
  bool HadWarps = false;
};

class RefusingModel : public SchemeModel {
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &V) const override {
    Result<Residency> R = SchemeModel::residency(D, K, V);
    if (R && AskedRefusal == RoomRefusal::Model)
      R->Limits.CTAs = 0;
    return R;
  }
};

constexpr SchemeDescription Refusing = {
    .Name = "refusing", .Summary = "lets nobody in", .Page = ""};
const SchemeModelOf<RefusingScheme, RefusingModel> TheModel;

/// What 40 CTAs of two warps on two SMs end with.
std::string run(RoomRefusal R) {
  static const bool IsKnown =
      registerScheme(Refusing) && registerModel(Refusing, TheModel);
  EXPECT_TRUE(IsKnown);
  AskedRefusal = R;
  DeviceDescription D = deviceNamed("gtx480");
  D.NumSMs = 2;
  TestProgram T(kernelAround("st.global.u32 [%rd2], %r1;"));
  Result<std::vector<uint8_t>> Bytes = packArguments(
      *T.P->findKernel("k"), {T.upload(std::vector<uint32_t>(16384))});
  TimingOptions OfMachine;
  OfMachine.Applied = Refusing;
  TimedLaunchOptions Options;
  Options.RegsPerThread = 20;
  Options.CycleLimit = 1'000'000;
  Result<TimingStats> S =
      machine(D, OfMachine)
          ->run(*T.P, T.Memory, "k", {{40}, {64}, 0, *Bytes}, Options);
  return S ? "" : S.error().Message;
}

TEST(NoRoom, IsADeadlock) {
  EXPECT_EQ(run(RoomRefusal::None), "");
  for (RoomRefusal R : {RoomRefusal::Slot, RoomRefusal::Warps,
                        RoomRefusal::Limit, RoomRefusal::Model})
    EXPECT_EQ(run(R),
              "deadlock: no CTA can begin\n  kernel 'k': no CTA becomes "
              "resident, though all SMs are empty and 40 of 40 CTAs are "
              "waiting: scheme 'refusing' has no room for one")
        << int(R);
}

TEST(NoRoom, ASlotHasOneWarp) {
  EXPECT_THAT(
      run(RoomRefusal::TakenSlot),
      AllOf(StartsWith("scheme 'refusing': its hook slotFor() returned slot 3; "
                       "expected a free one: slots 0,1,2,4,5,6"),
            HasSubstr(",46,47 of 48\n  kernel 'k', SM 0, CTA (0,0,0) warp 1, "
                      "cycle ")));
  EXPECT_THAT(
      run(RoomRefusal::NoSlot),
      AllOf(StartsWith("scheme 'refusing': its hook slotFor() returned slot "
                       "64; expected a free one: slots 0,1,2,3,4"),
            HasSubstr("\n  kernel 'k', SM 0, CTA (0,0,0) warp 0, cycle ")));
}

/// Those that were there have ended.
TEST(NoRoom, ComesLater) {
  EXPECT_THAT(run(RoomRefusal::AfterTheFirst),
              HasSubstr("all SMs are empty and 38 of 40 CTAs are waiting"));
  EXPECT_THAT(run(RoomRefusal::SecondWarp),
              HasSubstr("40 of 40 CTAs are waiting"));
}

TEST(NoRoom, TheLimitOfCyclesEndsIt) {
  EXPECT_THAT(run(RoomRefusal::Restless),
              AllOf(HasSubstr("cycle limit of 1000000 cycles reached\n"),
                    HasSubstr("scheme 'refusing' has no room for one")));
}

} // namespace
} // namespace regshare::sim
