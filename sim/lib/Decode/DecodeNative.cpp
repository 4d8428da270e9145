//===- DecodeNative.cpp - Native code in the decoder ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

namespace regshare::sim {

/// Constants are rows of the program's.
void FunctionDecoder::placeConstants() {
  for (size_t R = 0; R != Syntax.Registers.size(); ++R)
    if (Layout.Native->PlaceOf[R] == NativePlace::Constant)
      Layout.Places[R] = State.Pool.reserve(rowsOf(Syntax.Registers[R].Type));
  F.Places = Layout.Places;
  F.UniformUnits = Layout.Native->UniformUnits;
  F.NumUniform = Layout.Native->NumUniform;
  F.HardwareInstructions = Layout.Native->HardwareInstructions;
  F.HasReuse = std::ranges::any_of(
      Layout.Native->Statements,
      [](const NativeStatements &S) { return S.Reuse.has_value(); });
  F.HasControl = std::ranges::any_of(
      Layout.Native->Statements,
      [](const NativeStatements &S) { return S.Says.has_value(); });
  Native.emplace(Syntax, std::move(*Layout.Native));
}

/// The register is read as \p Count accesses.
bool FunctionDecoder::reads(int32_t Reg, uint32_t First, unsigned Count) {
  NativePlace Place = Native ? Native->placeOf(Reg) : NativePlace::Register;
  if (Place == NativePlace::Uniform)
    First = F.firstUniform() + F.UniformUnits[size_t(Reg)];
  else if (Place != NativePlace::Register)
    return Native->reads(Reg) || failNative();
  for (unsigned K = 0; K != Count; ++K) {
    ReadRegs.push_back(Reg);
    Reads.push_back(First + K);
  }
  return true;
}

/// The register is written as \p Count accesses.
bool FunctionDecoder::writes(int32_t Reg, uint32_t First, unsigned Count) {
  Written[Reg] = true;
  NativePlace Place = Native ? Native->placeOf(Reg) : NativePlace::Register;
  if (Place == NativePlace::Uniform) {
    First = F.firstUniform() + F.UniformUnits[size_t(Reg)];
    Native->writesUniform();
  } else if (Place != NativePlace::Register) {
    return Native->writes(Reg) || failNative();
  } else if (Native) {
    Native->writesRegister();
  }
  for (unsigned K = 0; K != Count; ++K)
    Writes.push_back(First + K);
  return true;
}

bool FunctionDecoder::failNative() {
  if (!Native->errorLine())
    return fail(Native->error());
  if (Error.Message.empty())
    Error = {Native->error(), State.P.Syntax.FileName, Native->errorLine(), 0};
  return false;
}

/// The text goes on with \p Next; null: it is over. A group is one instruction
/// to what reads the scheme's statements, and begins with its first member.
bool FunctionDecoder::comesTo(const ptx::Instruction *Next) {
  if (Native) {
    bool IsInside = Native->inGroup();
    if (!(Next ? Native->comesTo(uint32_t(Next - Syntax.Body.data()),
                                 isAnnotation(*Next))
               : Native->end()))
      return failNative();
    if (IsInside)
      return true;
  }
  return !Statements || Statements->comesTo(Next) || failStatement();
}

/// Fails on a loop in which nothing takes an issue slot: a warp would go round
/// in no time.
bool FunctionDecoder::checkProgress() {
  auto IsFree = [&](uint32_t N) {
    return F.Code[N].Attention & AttendNoSlot || !F.Native[N].Slots;
  };
  enum : uint8_t { New, OnWay, Done };
  std::vector<uint8_t> State(F.Code.size());
  /// Instructions, each with the edges out of it that have been followed.
  std::vector<std::pair<uint32_t, unsigned>> Way;
  for (uint32_t N = 0; N != F.Code.size(); ++N) {
    if (State[N] == New && IsFree(N))
      Way.emplace_back(N, 0);
    while (!Way.empty()) {
      auto &[At, Edge] = Way.back();
      const Inst &Each = F.Code[At];
      bool Branches = Each.Kind == InstKind::Branch;
      State[At] = Edge == 2 ? Done : OnWay;
      if (Edge == 2) {
        Way.pop_back();
        continue;
      }
      bool Falls = !Branches || Each.Guard != PredTrue;
      uint32_t To = Edge++ ? (Branches ? Each.Target : NoTarget)
                           : (Falls ? At + 1 : NoTarget);
      if (To >= F.Code.size() || !IsFree(To) || State[To] == Done)
        continue;
      if (State[To] == OnWay) {
        S = &Syntax.Body[Each.Source];
        return fail("nothing in this loop takes an issue slot");
      }
      Way.emplace_back(To, 0);
    }
  }
  return true;
}

/// The instruction is decoded, and becomes one of the code's own unless it
/// defines a constant or is folded.
bool FunctionDecoder::finishNative() {
  NativeOperands Of{I, *S, Reads, ReadRegs, Writes};
  switch (Native->role()) {
  case NativeDecoder::Constant:
    return Native->define(F, Of) || failNative();
  case NativeDecoder::Folded:
    return Native->fold(Of) || failNative();
  case NativeDecoder::Ordinary:
    break;
  }
  return (Native->close(Of, F, OfNative) || failNative()) && finish();
}

} // namespace regshare::sim
