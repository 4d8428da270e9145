//===- ArchRegTest.cpp - Tests of architected registers and sets --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/ArchReg.h"
#include "FuzzIterations.h"

#include "gtest/gtest.h"

#include <random>
#include <set>
#include <vector>

using namespace regshare;

namespace {

/// Every register there is.
std::vector<ArchReg> allRegisters() {
  std::vector<ArchReg> Regs;
  for (unsigned I = 0; I != NumPredicates; ++I)
    Regs.push_back({RegKind::Pred, uint8_t(I)});
  for (RegKind Kind : {RegKind::B16, RegKind::B32, RegKind::B64, RegKind::B128})
    for (unsigned I = 0; I + unitsOf(Kind) <= MaxArchUnits; I += unitsOf(Kind))
      Regs.push_back({Kind, uint8_t(I)});
  return Regs;
}

std::set<unsigned> bitsOf(ArchReg R) {
  std::set<unsigned> Bits;
  if (R.isPred())
    Bits.insert(RegSet::PredBase + R.Index);
  for (unsigned I = 0; I != R.units(); ++I)
    Bits.insert(R.Index + I);
  return Bits;
}

std::set<unsigned> bitsOf(const RegSet &S) {
  std::set<unsigned> Bits;
  S.forEach([&](unsigned Bit) { Bits.insert(Bit); });
  return Bits;
}

} // namespace

TEST(ArchReg, NamesRoundTripAndAreDistinct) {
  std::set<std::string> Names;
  for (ArchReg R : allRegisters()) {
    Result<ArchReg> Read = ArchReg::parse(R.name());
    ASSERT_TRUE(Read) << R.name() << ": " << Read.error().str();
    EXPECT_EQ(*Read, R) << R.name();
    EXPECT_TRUE(Names.insert(R.name()).second) << R.name();
  }
  EXPECT_EQ(Names.size(), 7u + 255 + 255 + 127 + 63);
}

TEST(ArchReg, RejectsWhatIsNoRegister) {
  for (const char *Text :
       {"",       "R",        "X1",         "r1",           "%R1",
        "R-1",    "R01",      "R255",       "R99999999999", "P7",
        "P0_1",   "H2_3",     "R1_2",       "R2_4",         "R3_2",
        "R2_3_4", "R2_3_4_5", "R0_1_2_3_4", "R4_5_6_8",     "R4_",
        "R4 ",    "R254_255", "H255"})
    EXPECT_FALSE(ArchReg::parse(Text)) << Text;
}

TEST(RegSet, AgreesWithStdSet) {
  std::vector<ArchReg> Regs = allRegisters();
  std::mt19937 Random(5);
  auto Pick = [&] { return Regs[Random() % Regs.size()]; };
  RegSet A, B;
  std::set<unsigned> StdA, StdB;
  for (unsigned Run = 0; Run != test::randomCases(5000); ++Run) {
    ArchReg R = Pick();
    std::set<unsigned> Bits = bitsOf(R);
    bool All = true, Any = false;
    for (unsigned Bit : Bits) {
      All &= StdA.count(Bit) != 0;
      Any |= StdA.count(Bit) != 0;
    }
    ASSERT_EQ(A.contains(R), All) << R.name();
    ASSERT_EQ(A.intersects(R), Any) << R.name();
    if (Random() % 2) {
      A.insert(R);
      StdA.insert(Bits.begin(), Bits.end());
    } else {
      A.erase(R);
      for (unsigned Bit : Bits)
        StdA.erase(Bit);
    }
    ArchReg Other = Pick();
    B.insert(Other);
    for (unsigned Bit : bitsOf(Other))
      StdB.insert(Bit);
    if (Run % 100 == 0)
      B = RegSet(), StdB.clear();

    std::set<unsigned> Union = StdA, Meet, Minus;
    Union.insert(StdB.begin(), StdB.end());
    for (unsigned Bit : StdA)
      (StdB.count(Bit) ? Meet : Minus).insert(Bit);
    ASSERT_EQ(bitsOf(A), StdA);
    ASSERT_EQ(bitsOf(A | B), Union);
    ASSERT_EQ(bitsOf(A & B), Meet);
    ASSERT_EQ(bitsOf(A - B), Minus);
    ASSERT_EQ(A.empty(), StdA.empty());
    unsigned Preds = 0;
    for (unsigned Bit : StdA)
      Preds += Bit >= RegSet::PredBase;
    ASSERT_EQ(A.countPreds(), Preds);
    ASSERT_EQ(A.countUnits(), StdA.size() - Preds);
  }
}

TEST(RegSet, Prints) {
  RegSet S;
  EXPECT_EQ(S.str(), "-");
  for (const char *Name : {"R0_1_2_3", "R7", "P0"})
    S.insert(*ArchReg::parse(Name));
  EXPECT_EQ(S.str(), "R0-R3 R7 P0");
}
