//===- EXPARSPlacementTest.cpp - EXPARS' solver against placement ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The solver's answers against a search of all divisions, each of which is
/// tried by handing out registers and scratchpad one warp and one row at a
/// time; and where it says registers are against bytes that are marked.
///
//===----------------------------------------------------------------------===//

#include "FuzzIterations.h"
#include "regshare/Base/EXPARS/EXPARS.h"

#include "gtest/gtest.h"

#include <optional>
#include <random>
#include <set>

using namespace regshare;

namespace {

struct Case {
  DeviceDescription D;
  KernelResources K;
  unsigned Tau = 0; ///< In thousandths.
  unsigned Kept = 0;
};

std::ostream &operator<<(std::ostream &Out, const Case &C) {
  for (const DeviceField &F : deviceFields())
    Out << F.Key << "=" << C.D.*F.Member << ",";
  return Out << " regs " << C.K.RegsPerThread << " threads "
             << C.K.ThreadsPerCTA << " shared " << C.K.SharedPerCTA << " tau "
             << C.Tau << " kept " << C.Kept;
}

struct Division {
  unsigned CTAs = 0, Mixed = 0, StartReg = 0;
  friend bool operator==(const Division &, const Division &) = default;
};

std::ostream &operator<<(std::ostream &Out, const Division &V) {
  return Out << V.CTAs << " CTAs, " << V.Mixed << " mixed from R" << V.StartReg;
}

/// Knows a case's limits and tries one division after the other.
class DirectPlacement {
public:
  explicit DirectPlacement(const Case &C) : C(C) {
    while (Warps * C.D.WarpSize < C.K.ThreadsPerCTA)
      ++Warps;
    if (C.K.SharedPerCTA || C.D.SharedReservedPerCTA) {
      Shared = C.K.SharedPerCTA + C.D.SharedReservedPerCTA;
      while (Shared % C.D.SharedUnit)
        ++Shared;
    }
  }

  unsigned registersOfWarp(unsigned Regs) const {
    while (Regs % C.D.RegsPerThreadUnit)
      ++Regs;
    unsigned Taken = Regs * C.D.WarpSize;
    while (Taken % C.D.RegsPerWarpUnit)
      ++Taken;
    return Taken;
  }

  /// The best of all; nothing is assumed about which are worth a try.
  Division search() const {
    for (unsigned CTAs = C.D.MaxCTAs; CTAs; --CTAs)
      if (withinLimits(CTAs))
        if (std::optional<Division> Best = place(CTAs))
          return *Best;
    return {0, 0, C.K.RegsPerThread};
  }

  /// The first way to place the registers of \p CTAs in the order of
  /// preference. What the kernel's own scratchpad takes beyond all there is
  /// counts as all of it.
  std::optional<Division> place(unsigned CTAs) const {
    unsigned Regs = C.K.RegsPerThread;
    Division Whole{CTAs, 0, Regs};
    if (fitsFile(Whole))
      return Whole;
    for (unsigned Mixed = 1; Mixed <= CTAs; ++Mixed)
      for (unsigned Start = Regs; Start--;) {
        Division V{CTAs, Mixed, Start};
        if ((Regs - Start) * 1000 <= Regs * C.Tau && Start >= C.Kept &&
            fitsFile(V) && fitsScratchpad(V))
          return V;
      }
    return std::nullopt;
  }

  unsigned Warps = 0;  ///< Of a CTA.
  unsigned Shared = 0; ///< That a CTA takes for the kernel's own use.

private:
  bool withinLimits(unsigned CTAs) const {
    return CTAs <= C.D.MaxCTAs && CTAs * Warps <= C.D.MaxWarps &&
           CTAs * C.K.ThreadsPerCTA <= C.D.MaxThreads &&
           C.K.ThreadsPerCTA <= C.D.MaxThreadsPerCTA &&
           C.K.SharedPerCTA <= C.D.MaxSharedPerCTA &&
           CTAs * Shared <= C.D.SharedMemory;
  }

  /// On an empty SM, with the warps that fill all partitions evenly.
  bool launches(unsigned Regs) const {
    unsigned Even = Warps;
    while (Even % C.D.RegisterPartitions)
      ++Even;
    return Even * registersOfWarp(Regs) <= C.D.Registers;
  }

  bool fitsFile(const Division &V) const {
    unsigned Whole = V.CTAs - V.Mixed;
    if ((Whole && !launches(C.K.RegsPerThread)) ||
        (V.Mixed && !launches(V.StartReg)))
      return false;
    unsigned WholeWarp = registersOfWarp(C.K.RegsPerThread);
    unsigned MixedWarp = registersOfWarp(V.StartReg);
    std::vector<unsigned> Left(C.D.RegisterPartitions,
                               C.D.Registers / C.D.RegisterPartitions);
    for (unsigned Slot = 0; Slot != V.CTAs * Warps; ++Slot) {
      unsigned &Here = Left[Slot % Left.size()];
      unsigned Need = Slot / Warps < Whole ? WholeWarp : MixedWarp;
      if (Here < Need)
        return false;
      Here -= Need;
    }
    return true;
  }

  bool fitsScratchpad(const Division &V) const {
    unsigned Low = V.CTAs * Shared, RowBytes = 4 * C.D.WarpSize;
    unsigned High = C.D.SharedMemory - C.D.SharedMemory % RowBytes;
    for (unsigned W = 0; W != V.Mixed * Warps; ++W)
      for (unsigned Reg = V.StartReg; Reg != C.K.RegsPerThread; ++Reg) {
        if (High < Low + RowBytes)
          return false;
        High -= RowBytes;
      }
    return true;
  }

  const Case &C;
};

/// Whose each byte of scratchpad is.
class MarkedBytes {
public:
  explicit MarkedBytes(unsigned Size) : Taken(Size) {}

  /// False if a byte is outside, or taken already.
  bool mark(unsigned At, unsigned Size) {
    for (unsigned I = At; I != At + Size; ++I) {
      if (I >= Taken.size() || Taken[I])
        return false;
      Taken[I] = true;
    }
    return true;
  }
  /// Whether what is free is in one piece, the last \p Rest bytes apart.
  bool oneHole(unsigned Rest) const {
    unsigned Changes = 0;
    for (size_t I = 1; I + Rest < Taken.size(); ++I)
      Changes += Taken[I] != Taken[I - 1];
    return Changes <= 2;
  }

private:
  std::vector<bool> Taken;
};

void checkRow(const Case &C, const EXPARSResidency &R, unsigned Warp,
              unsigned Reg, MarkedBytes &Bytes) {
  unsigned First = R.addressOf(Warp, Reg);
  std::set<unsigned> Banks;
  for (unsigned Lane = 0; Lane != C.D.WarpSize; ++Lane) {
    ASSERT_TRUE(Bytes.mark(First + 4 * Lane, 4))
        << "warp " << Warp << " R" << Reg << " lane " << Lane;
    Banks.insert((First / 4 + Lane) % C.D.WarpSize);
  }
  ASSERT_EQ(Banks.size(), C.D.WarpSize) << "a line has a word of each bank";
  ASSERT_EQ(First % (4 * C.D.WarpSize), 0u);
}

/// Marks everything that the answer places.
void checkAddresses(const Case &C, const DirectPlacement &Place,
                    const EXPARSResidency &R) {
  MarkedBytes Bytes(C.D.SharedMemory);
  for (unsigned CTA = 0; CTA != R.ctas(); ++CTA)
    ASSERT_TRUE(Bytes.mark(R.sharedBase(CTA), Place.Shared)) << "CTA " << CTA;
  uint64_t FileRegisters = 0, Rows = 0;
  for (unsigned Warp = 0; Warp != R.warps(); ++Warp) {
    bool Mixed = Warp >= R.WholeCTAs * Place.Warps;
    unsigned Kept = 0;
    for (unsigned Reg = 0; Reg != C.K.RegsPerThread; ++Reg) {
      if (!R.inScratchpad(Warp, Reg)) {
        ASSERT_EQ(Kept++, Reg) << "the register file has the first ones";
        continue;
      }
      ++Rows;
      ASSERT_NO_FATAL_FAILURE(checkRow(C, R, Warp, Reg, Bytes));
    }
    ASSERT_EQ(Kept, Mixed ? R.StartReg : C.K.RegsPerThread);
    FileRegisters += Place.registersOfWarp(Kept);
  }
  ASSERT_TRUE(Bytes.oneHole(C.D.SharedMemory % (4 * C.D.WarpSize)));
  ASSERT_EQ(R.FileRegisters, FileRegisters);
  ASSERT_EQ(R.ScratchpadRows, Rows);
  EXPARSUtilisation U = R.utilisation(C.D);
  for (double Share : {U.Registers, U.Scratchpad, U.Overall}) {
    ASSERT_GE(Share, 0);
    ASSERT_LE(Share, 1);
  }
}

/// Registers limit if one CTA more could not have its registers placed; other
/// limits if they would even if no CTA had registers.
void checkLimiters(const Case &C, const DirectPlacement &Place,
                   const EXPARSResidency &R) {
  KernelResources NoRegisters = C.K;
  NoRegisters.RegsPerThread = 0;
  Occupancy Others = occupancy(C.D, NoRegisters);
  std::vector<Limiter> Expected;
  if (!Place.place(R.ctas() + 1))
    Expected.push_back(Limiter::Registers);
  if (R.ctas() == Others.CTAs)
    Expected.insert(Expected.end(), Others.Limiters.begin(),
                    Others.Limiters.end());
  ASSERT_FALSE(Expected.empty());
  ASSERT_EQ(R.Limiters, Expected);
}

void check(const Case &C, Division *Found = nullptr) {
  DirectPlacement Place(C);
  Result<EXPARSResidency> R = exparsResidency(C.D, C.K, C.Tau, C.Kept);
  ASSERT_TRUE(R) << R.error().str();
  Division Answer{R->ctas(), R->MixedCTAs, R->StartReg};
  ASSERT_EQ(Answer, Place.search()) << C;
  ASSERT_EQ(R->WarpsPerCTA, Place.Warps) << C;
  ASSERT_EQ(R->SharedPerCTA, Place.Shared) << C;
  ASSERT_EQ(R->SBR.size(), R->MixedCTAs) << C;
  {
    testing::Message Where;
    Where << C;
    SCOPED_TRACE(Where);
    ASSERT_NO_FATAL_FAILURE(checkAddresses(C, Place, *R));
    ASSERT_NO_FATAL_FAILURE(checkLimiters(C, Place, *R));
  }
  Occupancy Baseline = occupancy(C.D, C.K);
  ASSERT_GE(R->ctas(), Baseline.CTAs) << C;
  ASSERT_EQ(R->MixedCTAs == 0, R->ctas() == Baseline.CTAs) << C;
  if (!R->MixedCTAs)
    ASSERT_EQ(R->FileRegisters, Baseline.CTAs * Baseline.RegsPerCTA) << C;
  if (Found)
    *Found = Answer;
}

class RandomCases {
public:
  /// The same each time, but for --gtest_shuffle with --gtest_random_seed=.
  explicit RandomCases(unsigned Seed)
      : Random(Seed +
               unsigned(testing::UnitTest::GetInstance()->random_seed())) {}

  unsigned upTo(unsigned Most) {
    return std::uniform_int_distribution<unsigned>(0, Most)(Random);
  }
  unsigned oneOf(const std::vector<unsigned> &Of) {
    return Of[upTo(unsigned(Of.size()) - 1)];
  }
  unsigned tau() {
    return upTo(3) ? upTo(1000) : oneOf({0, 1, 200, 500, 800, 999, 1000});
  }

  /// Any limits, small so that all divisions can be tried.
  Case smallDevice() {
    Case C;
    DeviceDescription &D = C.D;
    D.Name = "random";
    D.NumSMs = D.CoreClockMHz = 1;
    D.WarpSize = oneOf({32, 32, 32, 8, 16, 64});
    D.MaxWarps = 1 + upTo(30);
    D.MaxThreads = upTo(1) ? D.MaxWarps * D.WarpSize : 1 + upTo(1000);
    D.MaxCTAs = 1 + upTo(9);
    D.MaxThreadsPerCTA = upTo(3) ? 1024 : 1 + upTo(300);
    D.RegisterPartitions = oneOf({1, 1, 2, 3, 4, 4});
    D.MaxRegsPerThread = 1 + upTo(62);
    C.K.RegsPerThread = upTo(D.MaxRegsPerThread);
    // Registers limit most often.
    D.Registers = 1 + upTo(D.MaxWarps * D.WarpSize * C.K.RegsPerThread);
    D.RegsPerThreadUnit = oneOf({1, 1, 2, 4, 8});
    D.RegsPerWarpUnit = oneOf({1, 1, 64, 256, 100});
    D.SharedMemory = upTo(5) ? upTo(3000) * oneOf({1, 4, 32, 32}) : 0;
    D.MaxSharedPerCTA = upTo(1) ? D.SharedMemory : upTo(D.SharedMemory);
    D.SharedUnit = oneOf({1, 1, 128, 256, 100});
    D.SharedReservedPerCTA = oneOf({0, 0, 0, 1024, 7});
    C.K.ThreadsPerCTA = 1 + upTo(upTo(1) ? 6 * D.WarpSize : 64);
    C.K.SharedPerCTA = upTo(2) ? 0 : upTo(D.SharedMemory / D.MaxCTAs);
    C.Tau = tau();
    C.Kept = upTo(2) ? 0 : upTo(C.K.RegsPerThread + 2);
    return C;
  }

  Case onDevice(const DeviceDescription &D) {
    Case C;
    C.D = D;
    C.K.RegsPerThread =
        std::min(D.MaxRegsPerThread,
                 upTo(1) ? oneOf({1, 8, 16, 24, 31, 32, 33, 40, 48, 63, 64, 65,
                                  96, 128, 168, 254, 255})
                         : upTo(D.MaxRegsPerThread));
    C.K.ThreadsPerCTA = upTo(2) ? oneOf({1, 32, 33, 64, 96, 128, 160, 192, 256,
                                         320, 512, 544, 768, 1024})
                                : 1 + upTo(1023);
    C.K.SharedPerCTA = upTo(1) ? upTo(D.MaxSharedPerCTA / (1 + upTo(15))) : 0;
    if (!upTo(20))
      C.K.SharedPerCTA = D.MaxSharedPerCTA + upTo(1);
    C.Tau = tau();
    C.Kept = upTo(2) ? 0 : upTo(C.K.RegsPerThread + 2);
    return C;
  }

private:
  std::mt19937 Random;
};

} // namespace

TEST(EXPARSPlacement, EqualsSearchOnRandomDevices) {
  RandomCases Cases(6);
  unsigned WithMixed = 0, OnlyMixed = 0;
  for (unsigned I = 0; I != test::randomCases(8000); ++I) {
    Division Found;
    ASSERT_NO_FATAL_FAILURE(check(Cases.smallDevice(), &Found)) << "case " << I;
    WithMixed += Found.Mixed != 0;
    OnlyMixed += Found.Mixed && Found.Mixed == Found.CTAs;
  }
  // The cases are worth something only if many of them need scratchpad.
  EXPECT_GE(WithMixed, test::atLeast(600));
  EXPECT_GE(OnlyMixed, test::atLeast(50));
}

TEST(EXPARSPlacement, EqualsSearchOnPresets) {
  unsigned WithMixed = 0;
  for (const std::string &Name : knownDevices()) {
    Result<DeviceDescription> D = loadDevice(Name);
    ASSERT_TRUE(D) << D.error().str();
    RandomCases Cases(7);
    for (unsigned I = 0; I != test::randomCases(80); ++I) {
      Division Found;
      ASSERT_NO_FATAL_FAILURE(check(Cases.onDevice(*D), &Found))
          << Name << " case " << I;
      WithMixed += Found.Mixed != 0;
    }
  }
  EXPECT_GE(WithMixed, test::atLeast(40));
}
