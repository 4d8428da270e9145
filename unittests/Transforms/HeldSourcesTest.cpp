//===- HeldSourcesTest.cpp - Registers that are yet to be read ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Holds the lengthened stretches against their definition, reader by reader.
///
//===----------------------------------------------------------------------===//

#include "Transforms/Assign/HeldSources.h"

#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "gtest/gtest.h"

#include <map>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

/// Of what random functions have: accesses to global and local memory of one
/// element or a vector of 32-bit ones.
unsigned cyclesToRead(const MachineInstr &MI) {
  if (NVPTXOpcodes::get(*MI.getMF()).isCopy(MI))
    return 0;
  if (!MI.mayLoadOrStore())
    return 3;
  if (!MI.mayStore())
    return 11;
  if (!MI.hasOneMemOperand() ||
      !(*MI.memoperands_begin())->getSize().hasValue())
    return 14;
  uint64_t Bytes =
      (*MI.memoperands_begin())->getSize().getValue().getKnownMinValue();
  return Bytes > 8 ? 20 : Bytes > 4 ? 16 : 14;
}

bool reads(const OperandTable &Code, uint32_t I, Register VReg) {
  return any_of(Code.operands(I), [&](OperandTable::Operand O) {
    return O.reads() && O.vreg() == VReg.virtRegIndex();
  });
}

bool writes(const OperandTable &Code, uint32_t I, Register VReg) {
  return any_of(Code.operands(I), [&](OperandTable::Operand O) {
    return O.writes() && O.vreg() == VReg.virtRegIndex();
  });
}

/// Where \p S ends if each reader in the block of the last one, after the last
/// write before that, is waited for.
uint32_t expectedEnd(const LiveValues &Live, const LiveStretch &S,
                     unsigned Eighths) {
  const OperandTable &Code = Live.Code;
  Register VReg = Live.Values[S.Value].VReg;
  uint32_t B = 0, I = 0;
  while (Code.startOf(B + 1) < S.End)
    ++B;
  for (I = Code.beginOf(B); I != Code.beginOf(B + 1); ++I)
    if (Code.slotOf(I, B) + slot::Register == S.End)
      break;
  if (I == Code.beginOf(B + 1) || !reads(Code, I, VReg))
    return S.End;
  uint32_t End = S.End;
  for (uint32_t R = I;; --R) {
    if (reads(Code, R, VReg)) {
      const MachineInstr &Reader = Code.instr(R);
      unsigned Left = cyclesToRead(Reader);
      if (Reader.mayLoadOrStore())
        Left = Left * Eighths / 8;
      uint32_t Next = R;
      while (Left && Next != Code.beginOf(B + 1))
        if (++Next != Code.beginOf(B + 1))
          Left -= !isFolded(Code.instr(Next));
      End = std::max(End, Next == Code.beginOf(B + 1)
                              ? Code.startOf(B + 1)
                              : Code.slotOf(Next, B) + slot::Register);
    }
    if (R == Code.beginOf(B) || writes(Code, R - 1, VReg))
      break;
  }
  for (const LiveStretch &Other : Live.Stretches)
    if (Other.Value == S.Value && Other.Start >= S.End)
      End = std::min(End, Other.Start);
  return End;
}

/// \p MIR with the names of its virtual registers as \p Rename has them, which
/// is called with each place where one stands: its line and its number.
std::string renamed(StringRef MIR,
                    function_ref<std::string(size_t, unsigned)> Rename) {
  std::string Out;
  size_t Line = 0;
  while (!MIR.empty()) {
    unsigned Number;
    Line += MIR[0] == '\n';
    Out += MIR[0];
    bool IsName = MIR[0] == '%';
    MIR = MIR.drop_front();
    if (IsName && !MIR.consumeInteger(10, Number))
      Out += Rename(Line, Number);
  }
  return Out;
}

/// Folds some instructions into the next one, where that alone reads their
/// result: names of virtual registers say so.
std::string foldSome(StringRef MIR, unsigned Seed, unsigned &Folds) {
  SmallVector<StringRef, 64> Lines;
  MIR.split(Lines, '\n');
  std::map<unsigned, std::vector<size_t>> Places;
  renamed(MIR, [&](size_t Line, unsigned Number) {
    Places[Number].push_back(Line);
    return std::string();
  });
  auto IsFolded = [&](unsigned Number) {
    const std::vector<size_t> &At = Places[Number];
    return At.size() == 2 && At[1] == At[0] + 1 && (Seed + At[0]) % 2 &&
           Lines[At[0]].ltrim().starts_with(("%" + Twine(Number)).str()) &&
           !Lines[At[0]].contains("LD");
  };
  return renamed(MIR, [&](size_t, unsigned Number) {
    Folds += IsFolded(Number);
    return (IsFolded(Number) ? "F" : "") + std::to_string(Number);
  });
}

void compare(MachineFunction &MF, unsigned Eighths) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  ASSERT_TRUE(bool(Live));
  const std::vector<LiveStretch> Before = Live->Stretches;
  LiveValues Exact = *Live;
  holdSources(*Live, Eighths);
  ASSERT_EQ(Live->Stretches.size(), Before.size());
  for (size_t I = 0; I != Before.size(); ++I) {
    const LiveStretch &Was = Before[I], &Is = Live->Stretches[I];
    EXPECT_EQ(Is.Start, Was.Start);
    EXPECT_EQ(Is.End, Was.Kind == RegKind::Pred
                          ? Was.End
                          : expectedEnd(Exact, Was, Eighths))
        << "value " << Was.Value << " from " << Was.Start << " to " << Was.End
        << ", " << Eighths << " eighths";
  }
}

TEST(HeldSources, EachReaderOfRandomFunctionsIsWaitedFor) {
  unsigned Folds = 0;
  for (unsigned Seed = 0, E = fuzzIterations(1000); Seed != E; ++Seed) {
    RandomFunctionOptions Options;
    Options.Seed = Seed;
    Options.Blocks = 1 + Seed % 5;
    Options.InstrsPerBlock = 1 + Seed % 41;
    Options.Registers = 2 + Seed % 11;
    Options.Structured = Seed % 2;
    Options.Virtual = true;
    ParsedFunction F(foldSome(makeRandomFunction(Options).mir(), Seed, Folds));
    setNative(F.mf());
    compare(F.mf(), Seed % 9);
    if (HasFailure())
      FAIL() << "seed " << Seed;
  }
  EXPECT_GT(Folds, atLeast(100));
}

/// The store still reads its address where an addition, which is through at
/// once, is the last reader.
TEST(HeldSources, AnEarlierStoreReadsLongerThanTheLastReader) {
  std::string Fillers;
  for (int I = 0; I != 20; ++I)
    Fillers += "    %3:b32 = MOV_B32_i 1\n";
  ParsedFunction F("  bb.0:\n"
                   "    %0:b64 = MOV_B64_i 1\n"
                   "    %1:b32 = MOV_B32_i 1\n"
                   "    ST_i32 %1, 0, 0, 1, 32, %0, 0\n"
                   "    %2:b64 = ADD64ri %0, 4\n" +
                   Fillers +
                   "    ST_i32 %3, 0, 0, 1, 32, %2, 0\n"
                   "    Return\n");
  Expected<LiveValues> Live = LiveValues::collect(F.mf());
  ASSERT_TRUE(bool(Live));
  uint32_t Address = Live->valueOf(Register::index2VirtReg(0));
  auto EndOfAddress = [&] {
    for (const LiveStretch &S : Live->Stretches)
      if (S.Value == Address)
        return S.End;
    return 0u;
  };
  uint32_t Store = Live->Code.slotOf(2, 0);
  EXPECT_EQ(EndOfAddress(), Store + slot::PerInstr + slot::Register);
  holdSources(*Live, 8);
  EXPECT_EQ(EndOfAddress(), Store + 14 * slot::PerInstr + slot::Register);
}

} // namespace
