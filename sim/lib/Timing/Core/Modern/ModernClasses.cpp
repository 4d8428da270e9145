//===- ModernClasses.cpp - Instructions of a core since Volta -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModernClasses.h"

#include "regshare/Base/IssueClass.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace regshare::sim {

namespace {
/// The unit of an instruction, and its timing where that is not the one of its
/// PTX operation.
struct ModernUnit {
  IssueClass Class;
  UnitClass Unit;
  std::optional<OpTiming> Timing = std::nullopt;
};
} // namespace

static bool isOneOf(std::string_view Name,
                    std::initializer_list<std::string_view> Names) {
  return std::ranges::find(Names, Name) != Names.end();
}

/// Half to single precision is an addition of the half pipe (tu102 of
/// connollydavid: HADD2); other conversions with floating point are decoupled.
static ModernUnit conversion(const ptx::Instruction &S, const Inst &I,
                             const CoreConfig &C) {
  if (I.Unit == UnitClass::Int)
    return {IssueClass::Alu, UnitClass::Int};
  bool HasTypes = S.Mods.size() >= 2;
  if (C.Modern.ConvertsOnAlu && HasTypes &&
      isAluConversion(S.Mods[S.Mods.size() - 2], S.Mods.back()))
    return {IssueClass::Alu, UnitClass::Int, C.Int[0]};
  bool Widens =
      HasTypes && S.Mods.back() == "f16" && S.Mods[S.Mods.size() - 2] == "f32";
  if (Widens)
    return {IssueClass::Half, UnitClass::Half, C.Float[0]};
  return {IssueClass::Decoupled, UnitClass::Special, C.Special};
}

/// A special register is read by S2R, which is decoupled, the clock is not, and
/// other moves are what the FMA pipe does (IMAD.MOV).
static ModernUnit move(const ptx::Instruction &S, const Inst &I,
                       const CoreConfig &C) {
  const ptx::Operand &From = S.Operands.back();
  if (From.K != ptx::Operand::Special || I.Unit != UnitClass::Int)
    return {IssueClass::Fma, UnitClass::Float, C.Float[0]};
  if (From.Name.starts_with("%clock"))
    return {IssueClass::Wide, UnitClass::Int};
  return {IssueClass::Decoupled, UnitClass::Special, C.Special};
}

/// Of what goes through all lanes of a warp.
static OpTiming comparison(const ptx::Instruction &S, const CoreConfig &C) {
  unsigned Own = S.Opcode == "redux" ? C.ReduxLatency : C.MatchLatency;
  return {Own ? Own : C.Special.Latency, C.Special.Interval};
}

/// Of an instruction that computes.
static ModernUnit unitOf(const Function &F, const Inst &I,
                         const CoreConfig &C) {
  const ptx::Instruction &S = F.Syntax->Body[I.Source];
  bool Multiplies = I.Op == OpClass::Multiply || I.Op == OpClass::MultiplyAdd;
  // Where sub-cores have double-precision units, conversions from and to it are
  // half as fast as what these compute (CUDA C++ programming guide, throughput
  // of native arithmetic instructions, compute capability 7.0: 16 and 32).
  if (I.Unit == UnitClass::Double && S.Opcode == "cvt" &&
      !C.Modern.DoubleIsShared)
    return {IssueClass::Decoupled, UnitClass::Special, C.Special};
  if (I.Unit == UnitClass::Double)
    return {C.Modern.DoubleIsShared ? IssueClass::Decoupled
                                    : IssueClass::Double,
            UnitClass::Double};
  if (I.Unit == UnitClass::Special || I.Unit == UnitClass::Tensor)
    return {IssueClass::Decoupled, I.Unit};
  if (isOneOf(S.Opcode, {"popc", "clz", "bfind", "brev"}))
    return {IssueClass::Decoupled, UnitClass::Special, C.Special};
  if (isOneOf(S.Opcode, {"match", "redux"}))
    return {IssueClass::Decoupled, UnitClass::Special, comparison(S, C)};
  if (isOneOf(S.Opcode, {"vote", "activemask"}))
    return {IssueClass::Vote, UnitClass::Int};
  if (S.Opcode == "cvt")
    return conversion(S, I, C);
  if (S.Opcode == "mov" && S.Operands.size() == 2)
    return move(S, I, C);
  if (I.Unit == UnitClass::Half)
    return {IssueClass::Half, UnitClass::Half};
  if (I.Unit == UnitClass::Float &&
      isOneOf(S.Opcode, {"min", "max", "setp", "set", "testp", "copysign",
                         "abs", "neg", "selp", "slct"}))
    return {IssueClass::Alu, UnitClass::Int, C.Int[0]};
  if (I.Op == OpClass::Divide)
    return {IssueClass::Decoupled, I.Unit};
  if (Multiplies && C.HighInterval && std::ranges::count(S.Mods, "hi"))
    return {IssueClass::Fma, UnitClass::Float,
            OpTiming{C.Int[1].Latency, C.HighInterval}};
  if (I.Unit == UnitClass::Float || Multiplies)
    return {IssueClass::Fma, UnitClass::Float};
  return {IssueClass::Alu, UnitClass::Int};
}

/// What a division consists of in native code.
static ModernUnit unitOfSequence(const Inst &I, const CoreConfig &C) {
  if (I.Unit != UnitClass::Double)
    return {IssueClass::Fma, UnitClass::Float};
  return {C.Modern.DoubleIsShared ? IssueClass::Decoupled : IssueClass::Double,
          UnitClass::Double};
}

static unsigned longestLatency(const IssueInfo &Info, const Function &F,
                               const Inst &I, const FixedLatencies &L) {
  unsigned Longest = 1;
  const uint32_t *Writes = F.Accesses.data() + I.FirstAccess + I.NumReads;
  auto IsPredicate = [&F](uint32_t Access) {
    return Access >= F.NumRows && Access < F.firstUniform();
  };
  for (unsigned K = 0; K != I.NumWrites; ++K)
    Longest = std::max(Longest, L.longest(Info.Class, IsPredicate(Writes[K])));
  return Longest;
}

void describeModern(IssueInfo &Info, const Function &F, const Inst &I,
                    const CoreConfig &Config) {
  Info.IsGuarded = I.Guard != PredTrue || Info.IsControl;
  Info.IsBarrier =
      I.Kind == InstKind::Barrier && BarrierOp(I.Imm) != BarrierOp::Arrive;
  if (I.Kind == InstKind::Memory) {
    Info.Class = IssueClass::Decoupled;
    Info.IsConstant = I.Where == Space::Const || I.Where == Space::Param;
  }
  if (!I.computes() || I.Unit == UnitClass::None)
    return;
  if (I.Op == OpClass::Shuffle) {
    Info.Class = IssueClass::Decoupled;
    Info.IsExchange = true;
    Info.Target = Pipe::Memory;
    return;
  }
  bool IsSequence =
      I.Op == OpClass::Divide && Info.Slots > 1 && I.Unit != UnitClass::Special;
  Info.MayCall = IsSequence && I.Unit == UnitClass::Float;
  Info.IsRoot = Info.MayCall && F.Syntax->Body[I.Source].Opcode == "sqrt";
  ModernUnit U = IsSequence ? unitOfSequence(I, Config) : unitOf(F, I, Config);
  Info.Class = U.Class;
  if (hasFixedLatency(U.Class) && !F.Native.empty() &&
      F.Native[size_t(&I - F.Code.data())].WritesUniform)
    Info.Class = IssueClass::Uniform;
  if (Info.Target != Pipe::None)
    Info.Target = Config.PipeOf[unsigned(U.Unit)];
  if (U.Timing) {
    Info.Latency = uint16_t(U.Timing->Latency);
    Info.Interval = uint16_t(U.Timing->Interval);
  }
  if (hasFixedLatency(Info.Class))
    Info.Latency =
        uint16_t(longestLatency(Info, F, I, Config.Modern.Latencies));
}

} // namespace regshare::sim
