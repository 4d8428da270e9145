//===- DecodeMove.cpp - Moves and conversions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

namespace regshare::sim {

/// mov between vectors and registers: {a, b} of equal parts on one side.
bool FunctionDecoder::movVector() {
  bool Packs = op(1).K == ptx::Operand::Vector;
  const ptx::Operand &Vector = op(Packs ? 1 : 0);
  const ptx::Operand &Whole = op(Packs ? 0 : 1);
  ScalarType T;
  if (!takeType(T))
    return false;
  auto N = unsigned(Vector.Elements.size());
  if (N == 0 || N > 4 || sizeOf(T) % N || Whole.K == ptx::Operand::Vector)
    return fail("bad vector operand");
  unsigned Part = sizeOf(T) / N;
  I.Count = uint8_t(N);
  ScalarType PartType = Part == 1   ? ScalarType::B8
                        : Part == 2 ? ScalarType::B16
                        : Part == 4 ? ScalarType::B32
                                    : ScalarType::B64;
  if (Part < 4) {
    bool Bytes = Part == 1;
    if (Packs) {
      for (unsigned K = 0; K != N; ++K)
        if (!source(Vector.Elements[K], PartType, I.Ops[1 + K]))
          return false;
      return handler(Bytes    ? "mov.packbytes"
                     : N == 4 ? "mov.pack16x4"
                              : "mov.pack16") &&
             dest(Whole, T, I.Ops[0]);
    }
    if (!source(Whole, T, I.Ops[N]))
      return false;
    for (unsigned K = 0; K != N; ++K)
      if (!dest(Vector.Elements[K], PartType, I.Ops[K]))
        return false;
    return handler(Bytes ? "mov.unpackbytes" : "mov.unpack16");
  }
  unsigned Rows = rowsOf(T), PartRows = rowsOf(PartType);
  I.Count = uint8_t(Rows);
  uint32_t From[4], To[4], Ref;
  auto Spread = [](uint32_t *List, unsigned First, unsigned Count,
                   uint32_t Row) {
    for (unsigned K = 0; K != Count; ++K)
      List[First + K] = Row + K;
  };
  for (unsigned K = 0; K != N; ++K) {
    const ptx::Operand &E = Vector.Elements[K];
    if (!(Packs ? source(E, PartType, Ref) : dest(E, PartType, Ref)))
      return false;
    bool Sink = E.K == ptx::Operand::Sink;
    Spread(Packs ? From : To, K * PartRows, Sink ? 1 : PartRows, Ref);
    if (Sink && PartRows == 2)
      To[K * PartRows + 1] = Ref;
  }
  if (!(Packs ? dest(Whole, T, Ref) : source(Whole, T, Ref)))
    return false;
  Spread(Packs ? To : From, 0, Rows, Ref);
  for (unsigned K = 0; K != Rows; ++K) {
    I.Ops[K] = To[K];
    I.Ops[Rows + K] = From[K];
  }
  return handler("mov.rows");
}

/// mov of an address or a function's address.
bool FunctionDecoder::movSymbol() {
  ScalarType T;
  if (!takeType(T))
    return false;
  if (isExternShared(op(1))) {
    I.Ops[1] = unsigned(SpecialReg::DynamicSharedBase) | SpecialRow;
    I.Imm = op(1).Value;
    if (sizeOf(T) == 8)
      return handler("cvta") && dest(op(0), T, I.Ops[0]);
    I.Ops[2] = State.Pool.word(uint32_t(I.Imm));
    return handler("add.i32") && dest(op(0), T, I.Ops[0]);
  }
  Space Where;
  uint64_t Address;
  if (!symbolAddress(op(1), Where, Address))
    return false;
  if (Where == Space::Local) {
    if (sizeOf(T) != 8)
      return fail("the address of a local variable has 64 bits");
    I.Imm = int64_t(Address);
    return handler("localaddr") && dest(op(0), T, I.Ops[0]);
  }
  if (sizeOf(T) < 8 && Where == Space::Const &&
      Address - DeviceBase > UINT32_MAX)
    return fail("the variable lies beyond what 32 bits address; load the code "
                "before more than 4 GiB are allocated");
  I.Ops[1] = sizeOf(T) == 8 ? State.Pool.pair(Address)
                            : State.Pool.word(uint32_t(Address));
  return handler(sizeOf(T) == 8 ? "mov.b64" : "mov.b32") &&
         dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::mov() {
  if (!expectOps(2, 2))
    return false;
  const ptx::Operand &From = op(1);
  if (op(0).K == ptx::Operand::Vector || From.K == ptx::Operand::Vector)
    return movVector();
  if (From.K == ptx::Operand::Symbol)
    return movSymbol();
  ScalarType T;
  if (!takeType(T))
    return false;
  if (T == ScalarType::Pred)
    return handler("mov.pred") && predSource(From, I.Ops[1]) &&
           predDest(op(0), I.Ops[0]);
  if (From.K == ptx::Operand::Special) {
    bool Timer = From.Name.starts_with("%globaltimer");
    if (Timer || From.Name.starts_with("%clock")) {
      I.Size = uint8_t(sizeOf(T));
      I.Imm = Timer;
      return handler("clock") && dest(op(0), T, I.Ops[0]);
    }
    uint32_t Row = 0;
    if (From.Name == "%gridid" || sizeOf(T) == 4)
      return special(From, T, Row) && (I.Ops[1] = Row, true) &&
             handler(sizeOf(T) == 8 ? "mov.b64" : "mov.b32") &&
             dest(op(0), T, I.Ops[0]);
    if (sizeOf(T) == 2)
      return special(From, T, I.Ops[1]) && handler("mov.b16") &&
             dest(op(0), T, I.Ops[0]);
  }
  if (sizeOf(T) == 16) {
    uint32_t Source, Dest;
    if (!source(From, T, Source) || !dest(op(0), T, Dest))
      return false;
    I.Count = 4;
    for (unsigned K = 0; K != 4; ++K) {
      I.Ops[K] = Dest + K;
      I.Ops[4 + K] = Source + K;
    }
    return handler("mov.rows");
  }
  return handler("mov.b" + std::to_string(8 * sizeOf(T))) &&
         source(From, T, I.Ops[1]) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::cvtTF32() {
  takeMod("tf32");
  I.Imm = takeMod("rna");
  takeRounding();
  takeMod("satfinite");
  ScalarType T;
  return takeType(T) && expectOps(2, 2) && handler("cvt.tf32.f32") &&
         source(op(1), T, I.Ops[1]) && dest(op(0), ScalarType::B32, I.Ops[0]);
}

/// cvt.rn.satfinite{.relu}.{e4m3x2,e5m2x2}.{f32,f16x2} and
/// cvt.rn{.relu}.f16x2.{e4m3x2,e5m2x2}.
bool FunctionDecoder::cvtPair8() {
  std::string Pair = takeMod("e4m3x2") ? "e4m3x2" : "e5m2x2";
  takeMod(Pair);
  bool Widens = S->Mods.back() == Pair;
  if (takeMod("relu"))
    I.Flags |= FlagRelu;
  if (!takeMod("rn") || takeMod("satfinite") == Widens)
    return fail("expected .rn" + std::string(Widens ? "" : ".satfinite") +
                " of a conversion of 8-bit floating-point numbers");
  ScalarType T;
  if (!takeType(T))
    return false;
  std::string Type(typeName(T));
  unsigned N = T == ScalarType::F32 ? 2 : 1;
  ScalarType From = Widens ? ScalarType::B16 : T;
  return expectOps(1 + N, 1 + N) &&
         handler(Widens ? "cvt." + Type + "." + Pair
                        : "cvt." + Pair + "." + Type) &&
         sources(1, N, From) &&
         dest(op(0), Widens ? T : ScalarType::B16, I.Ops[0]);
}

/// cvt.pack.sat.{u16,s16}.s32 d, a, b and cvt.pack.sat.{u2 … s8}.s32.b32 d, a,
/// b, c. I.Size: bits of a part.
bool FunctionDecoder::cvtPack() {
  I.Unit = UnitClass::Int;
  takeMod("pack");
  constexpr std::pair<std::string_view, uint8_t> Parts[] = {
      {"u16", 16}, {"s16", 16}, {"u8", 8}, {"s8", 8},
      {"u4", 4},   {"s4", 4},   {"u2", 2}, {"s2", 2}};
  for (auto [Type, Bits] : Parts)
    if (takeMod(Type)) {
      I.Size = Bits;
      if (Type.starts_with('s'))
        I.Flags |= FlagSignedA;
    }
  unsigned N = I.Size == 16 ? 2 : 3;
  if (!I.Size || !takeMod("sat") || !takeMod("s32") ||
      takeMod("b32") != (N == 3))
    return fail("expected cvt.pack.sat.{u16,s16}.s32 or "
                "cvt.pack.sat.{u2,s2,u4,s4,u8,s8}.s32.b32");
  zeroFrom(3);
  return expectOps(1 + N, 1 + N) && handler("cvt.pack") &&
         sources(1, N, ScalarType::S32) &&
         dest(op(0), ScalarType::B32, I.Ops[0]);
}

bool FunctionDecoder::cvt() {
  I.Unit = UnitClass::Float;
  if (S->has("tf32"))
    return cvtTF32();
  if (S->has("e4m3x2") || S->has("e5m2x2"))
    return cvtPair8();
  if (S->has("pack"))
    return cvtPack();
  if (takeMod("ftz"))
    I.Flags |= FlagFtz;
  if (takeMod("sat"))
    I.Flags |= FlagSat;
  if (takeMod("relu"))
    I.Flags |= FlagRelu;
  ScalarType From, To;
  if (!takeType(From) || !takeType(To))
    return false;
  bool Packs = numOps() == 3;
  constexpr std::string_view Integral[] = {"rni", "rzi", "rmi", "rpi"};
  for (unsigned K = 0; K != 4; ++K)
    if (takeMod(Integral[K])) {
      I.Round = uint8_t(K);
      I.Imm = 1;
    }
  takeRounding();
  if (From == ScalarType::F64 || To == ScalarType::F64)
    I.Unit = UnitClass::Double;
  else if (!isFloat(From) && !isFloat(To))
    I.Unit = UnitClass::Int;
  auto Name = [](ScalarType T) {
    if (isFloat(T))
      return std::string(typeName(T));
    return (isSigned(T) ? "s" : "u") + std::to_string(8 * sizeOf(T));
  };
  if (!expectOps(Packs ? 3 : 2, Packs ? 3 : 2) ||
      !handler("cvt." + Name(To) + "." + Name(From)) ||
      !source(op(1), From, I.Ops[1]) ||
      (Packs && !source(op(2), From, I.Ops[2])))
    return false;
  // A 64-bit register takes narrower integer results extended.
  if (!isFloat(To) && sizeOf(To) < 8 && op(0).K == ptx::Operand::Reg &&
      sizeOf(Syntax.Registers[op(0).Index].Type) == 8) {
    I.Flags |= FlagWide;
    To = ScalarType::B64;
  }
  return dest(op(0), To, I.Ops[0]);
}

bool FunctionDecoder::cvta() {
  bool To = takeMod("to");
  ScalarType T;
  if (!takeType(T) || !expectOps(2, 2))
    return false;
  if (sizeOf(T) != 8)
    return fail("generic addresses have 64 bits");
  uint64_t Window = 0;
  if (takeMod("shared") || takeMod("shared::cta") || takeMod("shared::cluster"))
    Window = SharedWindow;
  else if (takeMod("local"))
    Window = LocalWindow;
  else if (takeMod("param") || takeMod("param::entry"))
    Window = ParamWindow;
  bool Constant = takeMod("const");
  if (!Window && !Constant && !takeMod("global"))
    return fail("cvta names no supported state space");
  I.Imm = int64_t(To ? 0 - Window : Window);
  if (op(1).K != ptx::Operand::Symbol)
    return handler(Constant && !To ? "cvta.const" : "cvta") &&
           source(op(1), T, I.Ops[1]) && dest(op(0), T, I.Ops[0]);
  if (isExternShared(op(1))) {
    I.Ops[1] = unsigned(SpecialReg::DynamicSharedBase) | SpecialRow;
    I.Imm += op(1).Value;
    return handler("cvta") && dest(op(0), T, I.Ops[0]);
  }
  Space Where;
  uint64_t Address;
  if (!symbolAddress(op(1), Where, Address))
    return false;
  I.Imm += int64_t(Address);
  if (Where == Space::Local)
    return handler("localaddr") && dest(op(0), T, I.Ops[0]);
  I.Ops[1] = State.Pool.pair(0);
  return handler("cvta") && dest(op(0), T, I.Ops[0]);
}

/// The address of the same variable in a CTA of the cluster, which is the only
/// one.
bool FunctionDecoder::mapa() {
  takeMod("shared::cluster");
  if (!expectOps(3, 3))
    return false;
  if (op(2).K == ptx::Operand::Int && op(2).Value)
    return fail("a cluster has one CTA, whose rank is 0; the operand is " +
                std::to_string(op(2).Value));
  if (op(1).K == ptx::Operand::Symbol)
    return movSymbol();
  ScalarType T;
  return takeType(T) && source(op(1), T, I.Ops[1]) &&
         handler(sizeOf(T) == 8 ? "mov.b64" : "mov.b32") &&
         dest(op(0), T, I.Ops[0]);
}

/// The rank of the CTA that an address is in.
bool FunctionDecoder::getctarank() {
  takeMod("shared::cluster");
  ScalarType T;
  if (!takeType(T) || !expectOps(2, 2))
    return false;
  I.Ops[1] = State.Pool.word(0);
  return handler("mov.b32") && dest(op(0), ScalarType::U32, I.Ops[0]);
}

bool FunctionDecoder::isspacep() {
  if (!expectOps(2, 2))
    return false;
  if (takeMod("shared") || takeMod("shared::cta") || takeMod("shared::cluster"))
    I.Where = Space::Shared;
  else if (takeMod("local"))
    I.Where = Space::Local;
  else if (takeMod("param") || takeMod("param::entry"))
    I.Where = Space::Param;
  else if (takeMod("const"))
    I.Where = Space::Const;
  else if (takeMod("global"))
    I.Where = Space::Global;
  else
    return fail("isspacep names no supported state space");
  return handler("isspacep") && source(op(1), ScalarType::U64, I.Ops[1]) &&
         predDest(op(0), I.Ops[0]);
}

} // namespace regshare::sim
