//===- AssignRegistersTest.cpp - Property tests of register assignment ----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs random machine functions before and after register assignment, on
/// virtual registers with a value each and on architected 32-bit units, and
/// compares what they store. Operations are uninterpreted: a result is a hash
/// of the opcode and the operands, so that any value that reaches the wrong
/// place shows.
///
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/AssignRegisters.h"
#include "FuzzIterations.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Frontend/Target.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

#include <array>
#include <map>
#include <random>
#include <sstream>

using namespace llvm;
using namespace regshare;

namespace {

//===----------------------------------------------------------------------===//
// Random machine functions, as MIR text
//===----------------------------------------------------------------------===//

/// Variables that are all written in the entry block, and then read and
/// written anywhere: no SSA form, as late machine code has none.
class FunctionWriter {
public:
  FunctionWriter(unsigned Seed, unsigned Blocks, unsigned Variables)
      : Random(Seed), Blocks(Blocks) {
    for (unsigned I = 0; I != Variables; ++I)
      Vars[I % 8 == 0 ? 0 : I % 8 == 1 ? 1 : I % 8 < 5 ? 2 : 3].push_back(I);
  }

  std::string write() {
    OS << "---\nname: random\ntracksRegLiveness: true\nbody: |\n";
    for (unsigned B = 0; B != Blocks; ++B)
      block(B);
    OS << "...\n";
    return OS.str();
  }

private:
  static constexpr const char *Class[] = {"b1", "b16", "b32", "b64"};

  unsigned pick(unsigned N) { return Random() % N; }
  std::string use(unsigned Kind) {
    return "%" + std::to_string(Vars[Kind][pick(Vars[Kind].size())]);
  }
  std::string def(unsigned Kind) { return use(Kind) + ":" + Class[Kind]; }
  std::string defs(unsigned Kind, unsigned N) {
    std::vector<unsigned> From = Vars[Kind];
    std::shuffle(From.begin(), From.end(), Random);
    std::string Out;
    for (unsigned I = 0; I != N; ++I)
      Out += (I ? ", %" : "%") + std::to_string(From[I]) + ":" + Class[Kind];
    return Out;
  }

  void initialize() {
    for (unsigned V : Vars[3])
      OS << "    %" << V << ":b64 = MOV_B64_i " << V << "\n";
    for (unsigned V : Vars[2])
      OS << "    %" << V << ":b32 = LD_i32 0, 0, 101, 3, 32, -1, &p" << V
         << ", 0\n";
    for (unsigned V : Vars[1])
      OS << "    %" << V << ":b16 = CVT_u16_u32 " << use(2) << ", 0\n";
    for (unsigned V : Vars[0])
      OS << "    %" << V << ":b1 = SETP_i32rr " << use(2) << ", " << use(2)
         << ", 5\n";
  }

  void instruction() {
    OS << "    ";
    switch (pick(14)) {
    case 0:
      OS << def(2) << " = MOV_B32_i " << pick(100);
      break;
    case 1:
    case 2:
      OS << def(2) << " = ADD32rr " << use(2) << ", " << use(2);
      break;
    case 3:
      OS << def(3) << " = ADD64rr " << use(3) << ", " << use(3);
      break;
    case 4:
      OS << def(0) << " = SETP_i32rr " << use(2) << ", " << use(2) << ", 2";
      break;
    case 5:
      OS << def(2) << " = SELP_b32rr " << use(2) << ", " << use(2) << ", "
         << use(0);
      break;
    case 6:
      OS << def(3) << " = CVT_s64_s32 " << use(2) << ", 0";
      break;
    case 7:
      OS << def(1) << " = CVT_u16_u32 " << use(2) << ", 0";
      break;
    case 8:
      OS << def(2) << " = MOV_B32_r " << use(2);
      break;
    case 9:
      OS << defs(2, 4) << " = LDV_i32_v4 0, 0, 1, 3, 32, -1, " << use(3)
         << ", 0";
      break;
    case 10:
      OS << defs(3, 2) << " = LDV_i64_v2 0, 0, 1, 3, 64, -1, " << use(3)
         << ", 0";
      break;
    case 11:
      OS << "STV_i32_v4 " << use(2) << ", " << use(2) << ", " << use(2) << ", "
         << use(2) << ", 0, 0, 1, 32, " << use(3) << ", 0";
      break;
    case 12:
      OS << "ST_i32 " << use(2) << ", 0, 0, 1, 32, " << use(3) << ", 4";
      break;
    case 13:
      OS << "INLINEASM &\"{ .reg .b32 t<2>; .reg .pred q; .reg .b64 u; }\", "
            "0, 262154, def "
         << use(2) << ", 262153, " << use(2);
      break;
    }
    OS << "\n";
  }

  void block(unsigned B) {
    bool Last = B + 1 == Blocks;
    bool Branches = !Last && pick(3) != 0;
    unsigned Other = pick(Blocks - 1) + 1;
    Branches &= Other != B + 1;
    OS << "  bb." << B << ":\n";
    if (!Last) {
      OS << "    successors: %bb." << B + 1;
      if (Branches)
        OS << ", %bb." << Other;
      OS << "\n\n";
    }
    if (B == 0)
      initialize();
    for (unsigned I = 0, E = 1 + pick(10); I != E; ++I)
      instruction();
    if (Branches)
      OS << "    CBranch " << use(0) << ", %bb." << Other << "\n";
    OS << (Last ? "    Return\n"
                : "    GOTO %bb." + std::to_string(B + 1) + "\n")
       << "\n";
  }

  std::mt19937 Random;
  unsigned Blocks;
  std::vector<unsigned> Vars[4]; // by kind: b1, b16, b32, b64
  std::ostringstream OS;
};

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

/// The thread whose addresses are computed, and the extents of its CTA.
constexpr unsigned ThreadAt[] = {3, 2, 1}, BlockOf[] = {8, 4, 2};
constexpr unsigned ThreadNumber = 3 + 8 * (2 + 4 * 1), NumThreads = 64;

/// Runs a function along a path that a seed decides, and keeps what it stores
/// and branches on.
class Runner {
public:
  /// Without an assignment each virtual register holds a value of its own.
  /// \p InRow: the threads of a CTA are along x alone.
  Runner(const MachineFunction &MF, const RegisterAssignment *Assignment,
         bool InRow = false)
      : InRow(InRow), MF(MF), TII(*MF.getSubtarget().getInstrInfo()),
        Opcodes(NVPTXOpcodes::get(MF)), Assignment(Assignment) {}

  std::vector<uint64_t> run(unsigned Seed) {
    std::mt19937 Random(Seed);
    const MachineBasicBlock *MBB = &MF.front();
    for (unsigned Steps = 0; MBB && Steps != 60; ++Steps) {
      for (const MachineInstr &MI : *MBB)
        step(MI);
      unsigned N = MBB->succ_size();
      MBB = N ? *std::next(MBB->succ_begin(), Random() % N) : nullptr;
    }
    return std::move(Trace);
  }

private:
  struct Unit {
    uint64_t Value = 0;
    unsigned Part = 0;
  };

  static uint64_t mix(uint64_t A, uint64_t B) {
    A ^= B + 0x9e3779b97f4a7c15 + (A << 6) + (A >> 2);
    return A * 0xff51afd7ed558ccd;
  }

  uint64_t read(Register R) {
    if (!R.isVirtual())
      return 1;
    if (!Assignment)
      return Values[R];
    ArchReg A = Assignment->lookup(R);
    if (A.isPred())
      return Preds[A.Index];
    uint64_t Value = Units[A.Index].Value;
    for (unsigned I = 0; I != A.units(); ++I)
      if (Units[A.Index + I].Value != Value || Units[A.Index + I].Part != I)
        return mix(Value, 0xbad); // torn: part of it was overwritten
    return Value;
  }

  void write(ArchReg A, uint64_t Value) {
    if (A.isPred()) {
      Preds[A.Index] = Value;
      return;
    }
    for (unsigned I = 0; I != A.units(); ++I)
      Units[A.Index + I] = {Value, I};
  }

  void write(Register R, uint64_t Value) {
    if (!R.isVirtual())
      return;
    if (!Assignment)
      Values[R] = Value;
    else
      write(Assignment->lookup(R), Value);
  }

  /// A block's temporaries can be written before it reads its last input and
  /// after it wrote its first output.
  void clobberTemps(const MachineInstr &MI) {
    if (Assignment)
      for (ArchReg T : Assignment->temps(MI))
        write(T, 0xdead);
  }

  bool isFrameAccess(const MachineInstr &MI) const {
    for (const MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.getReg().isPhysical())
        return MI.mayLoadOrStore();
    return false;
  }

  /// The result of part of a thread's address in shared memory, as a number;
  /// nothing for what random functions have instructions for.
  std::optional<uint64_t> partOfAddress(const MachineInstr &MI) {
    auto Source = [&](unsigned N) {
      const MachineOperand &MO = MI.getOperand(N);
      return MO.isReg() ? read(MO.getReg()) : uint64_t(MO.getImm());
    };
    auto Is = [&](unsigned Opcode) { return MI.getOpcode() == Opcode; };
    for (unsigned Dim = 0; Dim != 3; ++Dim) {
      if (Is(Opcodes.placeOpcode(Dim)))
        return InRow ? (Dim ? 0 : ThreadNumber) : ThreadAt[Dim];
      if (Is(Opcodes.extentOpcode(Dim)))
        return InRow ? (Dim ? 1 : NumThreads) : BlockOf[Dim];
    }
    if (Is(Opcodes.symbolOpcode()))
      return arrayAt(MI.getOperand(1));
    if (Is(Opcodes.multiplyAddOpcode()) || Is(Opcodes.scaleAddOpcode()))
      return Source(1) * Source(2) + Source(3);
    return std::nullopt;
  }

  static uint64_t arrayAt(const MachineOperand &MO) {
    return StringRef(MO.getSymbolName()) == "regshare_spill" ? SmallArray
                                                             : WideArray;
  }

  bool isSharedAccess(const MachineInstr &MI) const {
    return MI.mayLoadOrStore() && !MI.isInlineAsm() &&
           MI.getOperand(3).isImm() &&
           MI.getOperand(3).getImm() == SharedAddressSpace;
  }

  /// A slot has to be in its array, where no other thread's is.
  void accessShared(const MachineInstr &MI) {
    unsigned Last = MI.getNumOperands() - 1;
    uint64_t At =
        read(MI.getOperand(Last - 1).getReg()) + MI.getOperand(Last).getImm();
    unsigned Bytes = At < WideArray ? 4 : 8;
    uint64_t Slot = (At - (At < WideArray ? SmallArray : WideArray)) / Bytes;
    if (At % Bytes || Slot % NumThreads != ThreadNumber)
      Trace.push_back(0xbad);
    if (MI.mayStore())
      Shared[At] = read(MI.getOperand(0).getReg());
    else
      write(MI.getOperand(0).getReg(), Shared[At]);
  }

  uint64_t hashOf(const MachineInstr &MI) {
    uint64_t H = MI.getOpcode();
    for (const MachineOperand &MO : MI.operands()) {
      if (MO.isReg() && MO.isUse())
        H = mix(H, read(MO.getReg()));
      else if (MO.isImm())
        H = mix(H, MO.getImm());
      else if (MO.isSymbol())
        H = mix(H, hash_value(StringRef(MO.getSymbolName())));
    }
    return H;
  }

  void step(const MachineInstr &MI) {
    if (MI.isInlineAsm() && inlinePTXText(MI).contains("regshare."))
      return;
    if (isFrameAccess(MI)) {
      int64_t Slot = MI.getOperand(MI.getNumOperands() - 1).getImm();
      if (MI.mayStore())
        Frame[Slot] = read(MI.getOperand(0).getReg());
      else
        write(MI.getOperand(0).getReg(), Frame[Slot]);
      return;
    }
    if (MI.getOpcode() == Opcodes.depotOpcode() || isEmptyInlinePTX(MI))
      return;
    if (isSharedAccess(MI))
      return accessShared(MI);
    if (std::optional<uint64_t> Part = partOfAddress(MI))
      return write(MI.getOperand(0).getReg(), *Part);
    if (Opcodes.isCopy(MI))
      return write(MI.getOperand(0).getReg(), read(MI.getOperand(1).getReg()));
    // A predicate kept in a word, and taken out of it.
    if (MI.getOpcode() == Opcodes.selectOpcode()) {
      uint64_t P = read(MI.getOperand(3).getReg());
      uint64_t Word = mix(P, 0x5e1);
      PredOf[Word] = P;
      return write(MI.getOperand(0).getReg(), Word);
    }
    if (MI.getOpcode() == Opcodes.compareOpcode())
      return write(MI.getOperand(0).getReg(),
                   PredOf[read(MI.getOperand(1).getReg())]);
    clobberTemps(MI);
    uint64_t H = hashOf(MI);
    if (MI.getNumDefs() == 0 && !MI.isInlineAsm())
      Trace.push_back(H);
    unsigned Index = 0;
    for (const MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.isDef())
        write(MO.getReg(), mix(H, ++Index));
    clobberTemps(MI);
  }

  const bool InRow;
  const MachineFunction &MF;
  const TargetInstrInfo &TII;
  const NVPTXOpcodes &Opcodes;
  const RegisterAssignment *Assignment;
  std::map<Register, uint64_t> Values;
  std::array<Unit, 256> Units;
  std::array<uint64_t, 8> Preds{};
  std::map<int64_t, uint64_t> Frame;
  static constexpr uint64_t SmallArray = 1 << 20, WideArray = 1 << 21;
  std::map<uint64_t, uint64_t> Shared;
  std::map<uint64_t, uint64_t> PredOf;
  std::vector<uint64_t> Trace;
};

//===----------------------------------------------------------------------===//
// Assigning them
//===----------------------------------------------------------------------===//

struct Outcome {
  AssignStats Stats;
  unsigned UnitsUsed = 0;
  std::string Error;
  bool SameTraces = true;
  unsigned ReadsOfPlace = 0; ///< Of a thread in its CTA, in the code.
};

class AssignAndCompare : public MachineFunctionPass {
public:
  static char ID;
  AssignAndCompare(AssignOptions Options, Outcome &Out)
      : MachineFunctionPass(ID), Options(std::move(Options)), Out(Out) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    std::vector<std::vector<uint64_t>> Before;
    for (unsigned Seed = 0; Seed != 4; ++Seed)
      Before.push_back(Runner(MF, nullptr).run(Seed));
    Expected<RegisterAssignment> A = assignRegisters(
        MF, getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
        Options, Out.Stats);
    if (!A) {
      Out.Error = toString(A.takeError());
      return true;
    }
    if (Error E = checkNoOverlap(MF, *A))
      Out.Error = toString(std::move(E));
    unsigned Removed = 0;
    RegisterAssignment Named = rewriteToArchitected(MF, *A, Removed);
    if (Error E = checkVectorGroups(MF, Named))
      Out.Error += toString(std::move(E));
    Expected<RegisterAssignment> Read = RegisterAssignment::fromNames(MF);
    if (!Read) {
      Out.Error += toString(Read.takeError());
      return true;
    }
    Out.UnitsUsed = Read->numUnits();
    bool InRow = Options.SharedRoom.Block[1] == 1;
    for (unsigned Seed = 0; Seed != Before.size(); ++Seed)
      Out.SameTraces &= Runner(MF, &*Read, InRow).run(Seed) == Before[Seed];
    unsigned Place = NVPTXOpcodes::get(MF).placeOpcode(0);
    for (const MachineBasicBlock &MBB : MF)
      Out.ReadsOfPlace += count_if(
          MBB, [&](const MachineInstr &MI) { return MI.getOpcode() == Place; });
    return true;
  }

private:
  AssignOptions Options;
  Outcome &Out;
};
char AssignAndCompare::ID = 0;

Outcome assignText(const std::string &MIR, AssignOptions Options) {
  initializeTarget();
  LLVMContext Context;
  std::unique_ptr<TargetMachine> TM =
      createTargetMachine(cantFail(chooseTarget(StringRef(), StringRef())), 2);
  std::unique_ptr<MIRParser> Parser =
      createMIRParser(MemoryBuffer::getMemBuffer(MIR), Context);
  std::unique_ptr<Module> M = Parser->parseIRModule();
  M->setTargetTriple(TM->getTargetTriple());
  M->setDataLayout(TM->createDataLayout());
  Outcome Out;
  legacy::PassManager PM;
  auto *MMIWP = new MachineModuleInfoWrapperPass(TM.get());
  TargetPassConfig *Config = TM->createPassConfig(PM);
  PM.add(Config);
  PM.add(MMIWP);
  Config->setInitialized();
  if (Parser->parseMachineFunctions(*M, MMIWP->getMMI())) {
    Out.Error = "the MIR does not parse";
    return Out;
  }
  PM.add(new AssignAndCompare(std::move(Options), Out));
  PM.run(*M);
  return Out;
}

TEST(AssignRegisters, RandomFunctionsKeepTheirMeaning) {
  for (unsigned Seed = 0, E = test::fuzzIterations(800); Seed != E; ++Seed) {
    std::string MIR =
        FunctionWriter(Seed, 2 + Seed % 12, 20 + Seed % 30).write();
    Outcome O = assignText(MIR, AssignOptions());
    ASSERT_EQ(O.Error, "") << "seed " << Seed << "\n" << MIR;
    ASSERT_TRUE(O.SameTraces) << "seed " << Seed << "\n" << MIR;
    ASSERT_LE(O.UnitsUsed, MaxArchUnits);
  }
}

TEST(AssignRegisters, RandomFunctionsSpillSoundly) {
  unsigned Spilled = 0, Recomputed = 0;
  for (unsigned Seed = 0, E = test::fuzzIterations(500); Seed != E; ++Seed) {
    AssignOptions Options;
    Options.MaxUnits = 12 + Seed % 9;
    Options.LowerPeak = Seed % 2;
    std::string MIR =
        FunctionWriter(Seed, 2 + Seed % 10, 24 + Seed % 40).write();
    Outcome O = assignText(MIR, Options);
    ASSERT_EQ(O.Error, "") << "seed " << Seed << "\n" << MIR;
    ASSERT_TRUE(O.SameTraces) << "seed " << Seed << "\n" << MIR;
    ASSERT_LE(O.UnitsUsed, Options.MaxUnits) << "seed " << Seed;
    Spilled += O.Stats.Spilled;
    Recomputed += O.Stats.Rematerialized;
  }
  EXPECT_GT(Spilled, 0u);
  EXPECT_GT(Recomputed, 0u);
}

/// With little room and with much, with extents that are known and unknown.
/// Where the CTA is one row, addresses may be computed again.
TEST(AssignRegisters, RandomFunctionsSpillToSharedMemorySoundly) {
  unsigned Shared = 0, Local = 0, Again = 0;
  for (unsigned Seed = 0, E = test::fuzzIterations(500); Seed != E; ++Seed) {
    AssignOptions Options;
    Options.MaxUnits = 14 + Seed % 9;
    Options.SharedRoom.Threads = NumThreads;
    Options.SharedRoom.Bytes = NumThreads * 4 * (1 + Seed % 13);
    if (Seed % 3 == 0)
      Options.SharedRoom.Block = {8, 4, 2};
    else if (Seed % 3 == 1)
      Options.SharedRoom.Block = {NumThreads, 1, 1};
    std::string MIR =
        FunctionWriter(Seed, 2 + Seed % 10, 24 + Seed % 40).write();
    Outcome O = assignText(MIR, Options);
    ASSERT_EQ(O.Error, "") << "seed " << Seed << "\n" << MIR;
    ASSERT_TRUE(O.SameTraces) << "seed " << Seed << "\n" << MIR;
    ASSERT_LE(O.UnitsUsed, Options.MaxUnits) << "seed " << Seed;
    ASSERT_LE(O.Stats.SharedSpillBytes, Options.SharedRoom.Bytes)
        << "seed " << Seed;
    Shared += O.Stats.SharedSpilled;
    Local += O.Stats.Spilled - O.Stats.SharedSpilled;
    // There are two sizes of slots.
    Again += O.ReadsOfPlace > 2;
  }
  EXPECT_GT(Shared, 0u);
  EXPECT_GT(Again, 0u);
  EXPECT_GT(Local, 0u);
}

TEST(AssignRegisters, PredicatesBeyondSevenGoToRegisters) {
  std::string MIR = "---\nname: random\ntracksRegLiveness: true\nbody: |\n"
                    "  bb.0:\n    %0:b32 = MOV_B32_i 1\n";
  for (unsigned I = 1; I != 12; ++I)
    MIR += "    %" + std::to_string(I) + ":b1 = SETP_i32rr %0, %0, " +
           std::to_string(I % 4) + "\n";
  for (unsigned I = 1; I != 12; ++I)
    MIR += "    %" + std::to_string(I + 20) + ":b32 = SELP_b32rr %0, %0, %" +
           std::to_string(I) + "\n    ST_i32 %" + std::to_string(I + 20) +
           ", 0, 0, 1, 32, %50, 0\n";
  size_t At = MIR.find("    %0:b32");
  MIR.insert(At, "    %50:b64 = MOV_B64_i 0\n");
  Outcome O = assignText(MIR + "    Return\n...\n", AssignOptions());
  EXPECT_EQ(O.Error, "");
  EXPECT_TRUE(O.SameTraces);
  EXPECT_EQ(O.Stats.PeakPreds, 11u);
  EXPECT_LE(O.Stats.Preds, NumPredicates);
  EXPECT_GT(O.Stats.SpilledPreds, 0u);
}

TEST(AssignRegisters, SaysWhatDoesNotFit) {
  AssignOptions Options;
  Options.MaxUnits = 3;
  Outcome O = assignText("---\nname: random\ntracksRegLiveness: true\nbody: |\n"
                         "  bb.0:\n    %0:b64 = MOV_B64_i 1\n"
                         "    %1:b64 = ADD64rr %0, %0\n"
                         "    %2:b64 = ADD64rr %0, %1\n"
                         "    ST_i64 %2, 0, 0, 1, 64, %1, 0\n"
                         "    Return\n...\n",
                         Options);
  EXPECT_NE(O.Error.find("too few for the operands of one instruction"),
            std::string::npos)
      << O.Error;
}

} // namespace
