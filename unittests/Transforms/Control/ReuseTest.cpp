//===- ReuseTest.cpp - Reuse bits -----------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random blocks, their reuse bits, and mutants of these. An oracle executes a
/// block with caches of several numbers of banks and a number in place of each
/// value; another counts what can be reused by looking at all pairs of reads.
///
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Control/Reuse.h"
#include "regshare/Annotation/VerifyReuse.h"
#include "regshare/Base/Reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

using namespace regshare;

namespace {

/// Reads \p Reads in slots 0 on.
ControlUnit unit(IssueClass Class, std::vector<Access> Reads,
                 std::vector<Access> Writes) {
  ControlUnit U;
  U.Class = Class;
  U.HasPipe = Class != IssueClass::Guard;
  for (Access R : Reads)
    U.Operands.push_back({R, unsigned(U.Operands.size())});
  U.Reads = std::move(Reads);
  U.Writes = std::move(Writes);
  return U;
}
ControlUnit fma(Access To, Access A, Access B, Access C) {
  return unit(IssueClass::Fma, {A, B, C}, {To});
}
ControlUnit load(Access To, Access Address) {
  return unit(IssueClass::Decoupled, {Address}, {To});
}

using Masks = std::vector<unsigned>;

/// The bits of a single block, which are right.
Masks bitsOf(std::vector<ControlUnit> Units) {
  ControlCode Code = {{std::move(Units), {}}};
  assignReuse(Code);
  EXPECT_TRUE(verifyReuse(Code).empty());
  Masks Bits;
  for (const ControlUnit &U : Code[0].Units)
    Bits.push_back(U.Reuse);
  return Bits;
}

TEST(Reuse, TheNextReaderOfTheSlotFindsIt) {
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), fma(9, 1, 4, 9)}), (Masks{1, 0}));
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), fma(9, 4, 1, 9)}), (Masks{0, 0}))
      << "in another slot it is not looked for";
}

TEST(Reuse, AnotherReadOfBankAndSlotEndsIt) {
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), fma(9, 3, 4, 9), fma(10, 1, 6, 10)}),
            (Masks{0, 0, 0}));
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), fma(9, 4, 6, 9), fma(10, 1, 2, 10)}),
            (Masks{1, 0, 0}))
      << "R4 is in the other bank, R6 in that of R2";
}

TEST(Reuse, WhatIsOverwrittenIsNotKept) {
  EXPECT_EQ(bitsOf({fma(1, 1, 2, 8), fma(9, 1, 2, 9)}), (Masks{2, 0}));
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), load(1, 5), fma(9, 1, 2, 9)}),
            (Masks{2, 0, 0}));
}

TEST(Reuse, WhatHasNoFixedLatencyNeitherKeepsNorFinds) {
  EXPECT_EQ(bitsOf({load(8, 1), fma(9, 1, 2, 9)}), (Masks{0, 0}));
  EXPECT_EQ(bitsOf({fma(9, 1, 2, 9), load(8, 1), fma(9, 1, 2, 9)}),
            (Masks{2, 0, 0}))
      << "but ends what is there";
}

TEST(Reuse, NothingIsKeptAcrossWhatOtherLanesMayRunIn) {
  ControlUnit Meets = unit(IssueClass::Decoupled, {}, {});
  Meets.MeetsLanes = true;
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), Meets, fma(9, 1, 4, 9)}),
            (Masks{0, 0, 0}));
  ControlUnit Call;
  Call.Is = ControlUnit::Drains;
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), Call, fma(9, 1, 4, 9)}), (Masks{0, 0, 0}));
  ControlUnit Division = fma(8, 1, 2, 3);
  Division.Slots = 8;
  EXPECT_EQ(bitsOf({fma(8, 1, 2, 8), Division, fma(9, 1, 2, 9)}),
            (Masks{0, 0, 0}));
}

TEST(Reuse, BothHalvesOfAWideOperandAreFound) {
  ControlUnit Wide = fma(8, 1, 2, 4);
  Wide.Operands.push_back({5, 2});
  EXPECT_EQ(bitsOf({Wide, Wide}), (Masks{7, 0}));
  ControlUnit Half = fma(8, 1, 2, 4);
  EXPECT_EQ(bitsOf({Wide, Half}), (Masks{3, 0})) << "R5 would stay";
}

TEST(Reuse, TheVerifierSaysWhatIsWrong) {
  auto Of = [](std::vector<ControlUnit> Units, Masks Bits) {
    for (size_t N = 0; N != Bits.size(); ++N)
      Units[N].Reuse = Bits[N];
    std::vector<ReuseViolation> All = verifyReuse({{std::move(Units), {}}});
    return All.empty() ? "" : All.front().What;
  };
  EXPECT_EQ(Of({fma(8, 1, 2, 8)}, {1}),
            "R1 in operand slot 0 is kept beyond the block; expected who reads "
            "it there before");
  EXPECT_EQ(Of({fma(1, 1, 2, 8), fma(9, 1, 2, 9)}, {1, 0}),
            "R1 in operand slot 0 has been written since it was kept; expected "
            "no reuse of it");
  EXPECT_EQ(Of({load(8, 1), fma(9, 1, 2, 9)}, {1, 0}),
            "it keeps operands; expected an instruction of one slot and fixed "
            "latency");
  EXPECT_EQ(Of({unit(IssueClass::Alu, {1}, {2})}, {2}),
            "it keeps operand slots that it does not read");
}

//===----------------------------------------------------------------------===//
// Random code
//===----------------------------------------------------------------------===//

struct Generator {
  std::mt19937 Random;
  unsigned below(unsigned N) { return Random() % N; }
  bool oneIn(unsigned N) { return !below(N); }

  ControlUnit unit(unsigned Registers) {
    static constexpr IssueClass Classes[] = {
        IssueClass::Alu, IssueClass::Fma,       IssueClass::Fma,
        IssueClass::Fma, IssueClass::Decoupled, IssueClass::Uniform};
    ControlUnit U = ::unit(Classes[below(6)], {}, {});
    unsigned Width = oneIn(4) ? 2 : 1;
    for (unsigned Slot = 0, End = below(4); Slot != End; ++Slot) {
      unsigned Row = below(Registers) / Width * Width;
      if (std::ranges::any_of(U.Operands, [&](const OperandRead &R) {
            return R.Row / Width == Row / Width;
          }))
        continue;
      for (unsigned K = 0; K != Width; ++K)
        U.Operands.push_back({Access(Row + K), Slot});
    }
    if (!oneIn(5))
      U.Writes.push_back(Access(below(Registers)));
    if (oneIn(12))
      U.Slots = below(3);
    U.HasPipe = U.Slots;
    U.MeetsLanes = oneIn(20);
    U.IsInline = oneIn(20);
    if (oneIn(30))
      U.Is = ControlUnit::Drains;
    return U;
  }
  ControlCode code() {
    ControlCode Code(1 + below(3));
    unsigned Registers = 2 + 2 * below(5);
    for (ControlBlock &B : Code)
      for (unsigned N = below(14); N--;)
        B.Units.push_back(unit(Registers));
    return Code;
  }
};

/// Executes a block, alone in the sub-core. Each write makes another value.
class Machine {
public:
  explicit Machine(unsigned Banks) : Banks(Banks) {}

  /// Whether all values are those that registers have, and nothing is left
  /// where a warp may go elsewhere.
  bool run(const ControlBlock &B) {
    bool IsRight = true;
    for (const ControlUnit &U : B.Units) {
      if (U.endsReuse())
        IsRight &= Cache.empty();
      for (const OperandRead &R : U.Operands)
        IsRight &= !U.Slots || read(U, R);
      for (Access A : U.Writes)
        ++Values[A];
    }
    return IsRight && Cache.empty();
  }
  unsigned Hits = 0;

private:
  bool read(const ControlUnit &U, const OperandRead &R) {
    std::pair<unsigned, unsigned> Place(R.Row % Banks, R.Slot);
    bool IsRight = true;
    if (auto It = Cache.find(Place); It != Cache.end()) {
      if (U.looksForOperands() && It->second.first == R.Row) {
        ++Hits;
        IsRight = It->second.second == Values[R.Row];
      }
      Cache.erase(It);
    }
    if (U.Reuse >> R.Slot & 1)
      Cache[Place] = {R.Row, Values[R.Row]};
    return IsRight;
  }

  unsigned Banks;
  std::map<std::pair<unsigned, unsigned>, std::pair<Access, unsigned>> Cache;
  std::map<Access, unsigned> Values;
};

bool isRight(const ControlCode &Code) {
  return std::ranges::all_of(Code, [](const ControlBlock &B) {
    return Machine(1).run(B) && Machine(2).run(B) && Machine(4).run(B);
  });
}

/// Whether the operand in \p Slot of the unit \p From can be kept: for each of
/// its registers the next that reads the bank in the slot reads it there.
bool canBeKept(const ControlBlock &B, size_t From, unsigned Slot) {
  bool Any = false;
  for (const OperandRead &R : B.Units[From].Operands) {
    if (R.Slot != Slot)
      continue;
    Any = true;
    bool IsFound = false;
    for (size_t N = From; N != B.Units.size(); ++N) {
      const ControlUnit &U = B.Units[N];
      if (N != From && U.endsReuse())
        break;
      auto Next = std::ranges::find_if(U.Operands, [&](const OperandRead &O) {
        return O.Slot == Slot && O.Row % 2 == R.Row % 2;
      });
      if (N != From && U.Slots && Next != U.Operands.end()) {
        IsFound = Next->Row == R.Row && U.looksForOperands();
        break;
      }
      if (std::ranges::find(U.Writes, R.Row) != U.Writes.end())
        break;
    }
    if (!IsFound)
      return false;
  }
  return Any;
}

TEST(Reuse, RandomBlocksKeepWhatCanBeKept) {
  Generator G{std::mt19937(1)};
  unsigned Kept = 0;
  for (unsigned N = 0; N != 4000; ++N) {
    ControlCode Code = G.code();
    assignReuse(Code);
    ASSERT_TRUE(verifyReuse(Code).empty()) << "code " << N;
    ASSERT_TRUE(isRight(Code)) << "code " << N;
    for (const ControlBlock &B : Code)
      for (size_t U = 0; U != B.Units.size(); ++U)
        for (unsigned Slot = 0; Slot != NumOperandSlots; ++Slot) {
          bool Expected = B.Units[U].looksForOperands() &&
                          !B.Units[U].endsReuse() && canBeKept(B, U, Slot);
          ASSERT_EQ(B.Units[U].Reuse >> Slot & 1, unsigned(Expected))
              << "code " << N << ", unit " << U << ", slot " << Slot;
          Kept += Expected;
        }
  }
  EXPECT_GT(Kept, 1000u);
}

TEST(Reuse, WhatAMachineFindsWrongTheVerifierRefuses) {
  Generator G{std::mt19937(2)};
  unsigned Wrong = 0, Refused = 0;
  for (unsigned N = 0; N != 4000; ++N) {
    ControlCode Code = G.code();
    assignReuse(Code);
    ControlBlock &B = Code[G.below(unsigned(Code.size()))];
    if (B.Units.empty())
      continue;
    // One bit more, of an operand that is read.
    ControlUnit &U = B.Units[G.below(unsigned(B.Units.size()))];
    if (U.Operands.empty())
      continue;
    U.Reuse |= 1u << U.Operands[G.below(unsigned(U.Operands.size()))].Slot;
    bool IsRefused = !verifyReuse(Code).empty();
    Refused += IsRefused;
    if (!isRight(Code)) {
      ++Wrong;
      ASSERT_TRUE(IsRefused) << "code " << N;
    }
  }
  EXPECT_GT(Wrong, 1000u);
  EXPECT_LT(Refused - Wrong, Wrong / 2) << "what is right is mostly taken";
}

} // namespace
