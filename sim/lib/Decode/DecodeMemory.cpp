//===- DecodeMemory.cpp - Memory and warp-level instructions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <set>

namespace regshare::sim {

static bool takeSpace(std::vector<std::string_view> &Mods, Space &Where) {
  static const std::unordered_map<std::string_view, Space> Map = {
      {"global", Space::Global},      {"shared", Space::Shared},
      {"shared::cta", Space::Shared}, {"shared::cluster", Space::Shared},
      {"local", Space::Local},        {"const", Space::Const},
      {"param", Space::Param},        {"param::entry", Space::Param},
      {"param::func", Space::Param}};
  for (size_t K = 0; K != Mods.size(); ++K)
    if (auto It = Map.find(Mods[K]); It != Map.end()) {
      Where = It->second;
      Mods.erase(Mods.begin() + K);
      return true;
    }
  return false;
}

/// Modifiers that order or cache accesses. Execution is sequentially
/// consistent, so they say nothing more about the result.
static void dropOrdering(std::vector<std::string_view> &Mods, Inst &I) {
  static const std::set<std::string_view> Ordering = {
      "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio", "sc"};
  static const std::set<std::string_view> Hints = {
      "weak", "cta", "gpu", "sys", "cluster", "nc",      "ca",   "cg",
      "cs",   "lu",  "cv",  "wb",  "wt",      "unified", "noftz"};
  std::erase_if(Mods, [&](std::string_view Mod) {
    if (Ordering.count(Mod)) {
      I.Flags |= FlagVolatile;
      return true;
    }
    if (Mod == "cg")
      I.Flags |= FlagCacheL2;
    return Hints.count(Mod) != 0 || Mod.starts_with("L1::") ||
           (Mod.starts_with("L2::") && Mod != "L2::cache_hint");
  });
}

/// After .L2::cache_hint the last operand is a cache policy. It is read, and
/// caches treat the access as any other.
bool FunctionDecoder::takeCacheHint() {
  if (!takeMod("L2::cache_hint"))
    return true;
  uint32_t Ignored;
  if (S->Operands.empty() || S->Operands.back().K != ptx::Operand::Reg)
    return fail("expected a register with a cache policy as the last operand");
  NumCacheOperands = 1;
  return source(S->Operands.back(), ScalarType::B64, Ignored);
}

/// createpolicy.{range,fractional,cvt}: caches treat all accesses alike, so
/// that every policy is zero.
bool FunctionDecoder::cachePolicy() {
  bool IsRange = takeMod("range"), IsFraction = takeMod("fractional");
  if (!IsRange && !IsFraction && !takeMod("cvt"))
    return fail("expected createpolicy.range, .fractional or .cvt");
  std::erase_if(Mods, [](std::string_view Mod) {
    return Mod == "b64" || Mod == "global" || Mod == "L2" ||
           Mod.starts_with("L2::");
  });
  if (!(IsRange ? expectOps(4, 4) : expectOps(IsFraction ? 1 : 2, 2)))
    return false;
  uint32_t Ignored;
  if (IsRange &&
      (!addressOperand(op(1), 1) || !source(op(2), ScalarType::U32, Ignored) ||
       !source(op(3), ScalarType::U32, Ignored)))
    return false;
  if (!IsRange && numOps() == 2 &&
      !source(op(1), IsFraction ? ScalarType::F32 : ScalarType::B64, Ignored))
    return false;
  // Of the address only the registers matter.
  I.Flags = 0;
  I.Imm = 0;
  I.Ops[1] = State.Pool.pair(0);
  return handler("mov.b64") && dest(op(0), ScalarType::B64, I.Ops[0]);
}

bool FunctionDecoder::memoryMods(bool &Vector) {
  I.Kind = InstKind::Memory;
  I.Unit = UnitClass::LoadStore;
  dropOrdering(Mods, I);
  if (!takeCacheHint())
    return false;
  takeSpace(Mods, I.Where);
  Vector = true;
  if (takeMod("v2"))
    I.Count = 2;
  else if (takeMod("v4"))
    I.Count = 4;
  else if (takeMod("v8"))
    I.Count = 8;
  else
    Vector = false;
  return true;
}

static ScalarType half(ScalarType T) {
  return sizeOf(T) == 16 ? ScalarType::B64 : T;
}

/// The value of a load or store without .v2 to .v8. ptxas also takes it in
/// braces, as Triton writes it.
static const ptx::Operand &scalar(const ptx::Operand &O) {
  bool InBraces = O.K == ptx::Operand::Vector && O.Elements.size() == 1;
  return InBraces ? O.Elements.front() : O;
}

bool FunctionDecoder::load() {
  bool Vector;
  ScalarType T;
  if (!memoryMods(Vector) || !takeType(T) || !expectOps(2, 2))
    return false;
  I.IsLoad = true;
  // A 128-bit value is two 64-bit ones side by side.
  bool Quad = sizeOf(T) == 16;
  if (Quad && Vector)
    return fail("a vector of 128-bit values is larger than 128 bits");
  if (Quad)
    I.Count = 2;
  T = half(T);
  I.Size = uint8_t(sizeOf(T));
  if (!addressOperand(op(1), I.Count))
    return false;
  const ptx::Operand &D = Vector ? op(0) : scalar(op(0));
  if (Vector != (D.K == ptx::Operand::Vector) ||
      (Vector && D.Elements.size() != I.Count))
    return fail("the vector operand does not fit the instruction");
  bool Wide = false;
  for (unsigned K = 0; K != (Quad ? 1u : I.Count); ++K) {
    const ptx::Operand &E = Vector ? D.Elements[K] : D;
    bool EWide = E.K == ptx::Operand::Reg && sizeOf(T) < 8 &&
                 sizeOf(Syntax.Registers[E.Index].Type) == 8;
    if (!dest(E,
              Quad    ? ScalarType::B128
              : EWide ? ScalarType::B64
                      : T,
              I.Ops[K]))
      return false;
    if (K && EWide != Wide)
      return fail("the destinations have different widths");
    Wide = EWide;
  }
  if (Quad)
    I.Ops[1] = I.Ops[0] + 2;
  if (Wide)
    I.Flags |= FlagWide;
  bool Fixed = I.Where == Space::Param && I.Flags & FlagConstBase;
  if (Fixed && (I.Imm < 0 || I.Imm + I.Size * I.Count > F.ParamBytes))
    return fail("the access runs over the end of the parameters");
  return handler((Fixed ? "ldparam." : "ld.") +
                 std::string(isSigned(T) && sizeOf(T) < 8 ? "s" : "u") +
                 std::to_string(8 * sizeOf(T)));
}

bool FunctionDecoder::store() {
  bool Vector;
  ScalarType T;
  if (!memoryMods(Vector) || !takeType(T) || !expectOps(2, 2))
    return false;
  I.IsStore = true;
  bool Quad = sizeOf(T) == 16;
  if (Quad && Vector)
    return fail("a vector of 128-bit values is larger than 128 bits");
  if (Quad)
    I.Count = 2;
  ScalarType Whole = T;
  T = half(T);
  I.Size = uint8_t(sizeOf(T));
  if (!addressOperand(op(0), 0))
    return false;
  const ptx::Operand &D = Vector ? op(1) : scalar(op(1));
  if (Vector != (D.K == ptx::Operand::Vector) ||
      (Vector && D.Elements.size() != I.Count))
    return fail("the vector operand does not fit the instruction");
  for (unsigned K = 0; K != (Quad ? 1u : I.Count); ++K)
    if (!source(Vector ? D.Elements[K] : D, Quad ? Whole : T, I.Ops[1 + K]))
      return false;
  if (Quad)
    I.Ops[2] = I.Ops[1] + 2;
  return handler("st.u" + std::to_string(8 * sizeOf(T)));
}

/// {atom,red}.{add,min,max}.{v2,v4}: each element is changed by itself, all at
/// a vector's address. Ops: elements of d, address, elements of b.
bool FunctionDecoder::vectorAtomic(const std::string &Operation, ScalarType T) {
  unsigned N = I.Count, First = I.IsLoad ? 1 : 0;
  if (N > 4)
    return fail("atomics of more than four elements are not supported");
  zeroFrom(0);
  if (!expectOps(First + 2, First + 2) ||
      !handler("atom.vector." + Operation + "." + std::string(typeName(T))) ||
      !addressOperand(op(First), N))
    return false;
  for (unsigned K = 0; K <= First; ++K) {
    const ptx::Operand &O = op(K ? 0 : First + 1);
    if (O.K != ptx::Operand::Vector || O.Elements.size() != N)
      return fail("the vector operand does not fit the instruction");
    for (unsigned E = 0; E != N; ++E)
      if (!(K ? dest(O.Elements[E], T, I.Ops[E])
              : source(O.Elements[E], T, I.Ops[N + 1 + E])))
        return false;
  }
  return true;
}

/// atom.{exch,cas}.b128. Ops: d, address, b, c, each of 128 bits but the
/// address.
bool FunctionDecoder::wideAtomic(const std::string &Operation) {
  bool HasC = Operation == "cas";
  if (!I.IsLoad || !(HasC || Operation == "exch"))
    return fail("128-bit atomics are atom.exch and atom.cas");
  constexpr ScalarType T = ScalarType::B128;
  return expectOps(3 + HasC, 3 + HasC) &&
         handler("atom." + Operation + ".128") && addressOperand(op(1), 1) &&
         source(op(2), T, I.Ops[2]) && (!HasC || source(op(3), T, I.Ops[3])) &&
         dest(op(0), T, I.Ops[0]);
}

/// atom and red
bool FunctionDecoder::atomic() {
  bool Vector;
  ScalarType T;
  bool Returns = S->Opcode == "atom";
  if (!memoryMods(Vector) || !takeType(T))
    return false;
  if (Mods.size() != 1)
    return fail("an atomic operation is missing or not supported");
  std::string Operation(Mods[0]);
  Mods.clear();
  I.IsAtomic = I.IsStore = true;
  I.IsLoad = Returns;
  I.Size = uint8_t(sizeOf(T));
  if (Vector)
    return vectorAtomic(Operation, T);
  if (sizeOf(T) == 16)
    return wideAtomic(Operation);
  static const std::set<std::string> Bitwise = {"and", "or", "xor", "exch",
                                                "cas"};
  bool PlainBits =
      Bitwise.count(Operation) || (Operation == "add" && !isFloat(T));
  std::string Name = "atom." + Operation + ".";
  Name += PlainBits ? std::to_string(8 * sizeOf(T)) : std::string(typeName(T));
  unsigned First = Returns ? 1 : 0;
  bool HasC = Operation == "cas";
  zeroFrom(2);
  return expectOps(First + 2 + HasC, First + 2 + HasC) && handler(Name) &&
         addressOperand(op(First), 1) && source(op(First + 1), T, I.Ops[2]) &&
         (!HasC || source(op(First + 2), T, I.Ops[3])) &&
         (!Returns || dest(op(0), T, I.Ops[0]));
}

/// cp.async.{ca,cg}.shared.global [dst], [src], size{, bytes}. Copies are done
/// at once; the instructions that wait for them have nothing to do.
bool FunctionDecoder::cpAsync() {
  if (!takeMod("async"))
    return fail("only cp.async is supported");
  if (takeMod("commit_group") || takeMod("wait_group") || takeMod("wait_all")) {
    I.Unit = UnitClass::None;
    return handler("nop");
  }
  if (takeMod("bulk"))
    return bulkCopy();
  if (S->has("mbarrier"))
    return mbarrier();
  dropOrdering(Mods, I);
  Space Ignored;
  if (!takeCacheHint())
    return false;
  if (!takeSpace(Mods, Ignored) || !takeSpace(Mods, Ignored) ||
      !expectOps(3, 4))
    return fail("bad cp.async");
  I.Size = uint8_t(op(2).Value);
  I.Round = numOps() == 4 ? Inst::CopiesSome : Inst::CopiesAll;
  return copyOperands() && handler("cp.async") &&
         (numOps() != 4 || source(op(3), ScalarType::U32, I.Ops[2]));
}

/// cp.async.bulk from global to shared memory, told to a barrier there. Ops:
/// those of cp.async, bytes, the barrier's address.
bool FunctionDecoder::bulkCopy() {
  if (!takeCacheHint())
    return false;
  bool IsToShared = takeMod("shared::cluster") || takeMod("shared::cta");
  if (!IsToShared || !takeMod("global") ||
      !takeMod("mbarrier::complete_tx::bytes") || !expectOps(4, 4))
    return fail("of bulk copies only those from global to shared memory are "
                "supported, with .mbarrier::complete_tx::bytes");
  I.Size = 16;
  I.Round = Inst::CopiesBlock;
  const ptx::Operand &Barrier = op(3);
  bool IsPlain = Barrier.K == ptx::Operand::Address && !Barrier.Value &&
                 Barrier.Elements.size() == 1 &&
                 Barrier.Elements[0].K == ptx::Operand::Reg;
  if (!IsPlain)
    return fail("the barrier's address is a register of 32 bits");
  return copyOperands() && handler("cp.async.bulk") &&
         source(op(2), ScalarType::U32, I.Ops[2]) &&
         source(Barrier.Elements[0], ScalarType::U32, I.Ops[3]);
}

/// Of a copy to shared from global memory: [to], [from].
bool FunctionDecoder::copyOperands() {
  I.Kind = InstKind::Memory;
  I.Unit = UnitClass::LoadStore;
  I.IsStore = I.IsLoad = true;
  zeroFrom(0);
  I.Where = Space::Shared;
  if (!addressOperand(op(0), 0))
    return false;
  if (I.Flags & FlagConstBase)
    return fail("cp.async needs addresses in registers");
  I.Target = uint32_t(I.Imm);
  uint16_t SharedFlags = I.Flags;
  I.Where = Space::Global;
  I.Flags = 0;
  if (!addressOperand(op(1), 1))
    return false;
  I.Flags = SharedFlags;
  return true;
}

bool FunctionDecoder::shuffle() {
  if (!takeMod("sync"))
    return fail("shfl without .sync was removed from PTX");
  I.Op = OpClass::Shuffle;
  takeMod("b32");
  if (Mods.size() != 1 || !expectOps(5, 5))
    return fail("bad shfl");
  std::string Name = "shfl." + std::string(Mods[0]);
  Mods.clear();
  I.MemberOp = 4;
  if (!handler(Name) || !sources(1, 4, ScalarType::B32))
    return false;
  if (op(0).K != ptx::Operand::Pair)
    return dest(op(0), ScalarType::B32, I.Ops[0]);
  return dest(op(0).Elements[0], ScalarType::B32, I.Ops[0]) &&
         predDest(op(0).Elements[1], I.Ops[5]);
}

bool FunctionDecoder::vote() {
  if (!takeMod("sync"))
    return fail("vote without .sync was removed from PTX");
  bool Ballot = takeMod("ballot");
  takeMod("b32");
  takeMod("pred");
  std::string Name = "vote.ballot";
  if (!Ballot) {
    if (Mods.size() != 1)
      return fail("bad vote");
    Name = "vote." + std::string(Mods[0]);
    Mods.clear();
  }
  I.MemberOp = 4;
  return expectOps(3, 3) && handler(Name) && predSource(op(1), I.Ops[1]) &&
         source(op(2), ScalarType::B32, I.Ops[4]) &&
         (Ballot ? dest(op(0), ScalarType::B32, I.Ops[0])
                 : predDest(op(0), I.Ops[0]));
}

bool FunctionDecoder::match() {
  takeMod("sync");
  ScalarType T;
  bool All = takeMod("all");
  takeMod("any");
  if (!takeType(T) || !expectOps(3, 3))
    return false;
  I.MemberOp = 4;
  if (!handler(std::string(All ? "match.all" : "match.any") + ".b" +
               std::to_string(8 * sizeOf(T))) ||
      !source(op(1), T, I.Ops[1]) || !source(op(2), ScalarType::B32, I.Ops[4]))
    return false;
  if (op(0).K != ptx::Operand::Pair)
    return dest(op(0), ScalarType::B32, I.Ops[0]);
  return dest(op(0).Elements[0], ScalarType::B32, I.Ops[0]) &&
         predDest(op(0).Elements[1], I.Ops[5]);
}

bool FunctionDecoder::redux() {
  takeMod("sync");
  ScalarType T;
  if (!takeType(T) || !expectOps(3, 3) || Mods.size() != 1)
    return fail("bad redux");
  std::string Name =
      "redux." + std::string(Mods[0]) + "." + std::string(typeName(T));
  Mods.clear();
  I.MemberOp = 4;
  return handler(Name) && source(op(1), T, I.Ops[1]) &&
         source(op(2), ScalarType::B32, I.Ops[4]) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::activeMask() {
  takeMod("b32");
  return expectOps(1, 1) && handler("activemask") &&
         dest(op(0), ScalarType::B32, I.Ops[0]);
}

bool FunctionDecoder::elect() {
  takeMod("sync");
  I.MemberOp = 4;
  if (!expectOps(2, 2) || op(0).K != ptx::Operand::Pair)
    return fail("bad elect");
  return handler("elect.sync") && source(op(1), ScalarType::B32, I.Ops[4]) &&
         dest(op(0).Elements[0], ScalarType::B32, I.Ops[0]) &&
         predDest(op(0).Elements[1], I.Ops[5]);
}

} // namespace regshare::sim
