//===- DecodeArith.cpp - Arithmetic and comparisons -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <set>

namespace regshare::sim {

static std::string intName(ScalarType T) {
  return ".i" + std::to_string(8 * sizeOf(T));
}

static std::string bitsName(ScalarType T) {
  return ".b" + std::to_string(8 * sizeOf(T));
}

static bool is16(ScalarType T) {
  return T == ScalarType::F16 || T == ScalarType::F16x2 ||
         T == ScalarType::BF16 || T == ScalarType::BF16x2;
}

static UnitClass unitOf(ScalarType T) {
  return T == ScalarType::F64   ? UnitClass::Double
         : T == ScalarType::F32 ? UnitClass::Float
         : is16(T)              ? UnitClass::Half
                                : UnitClass::Int;
}

static ScalarType widened(ScalarType T) {
  switch (T) {
  case ScalarType::U16:
    return ScalarType::U32;
  case ScalarType::S16:
    return ScalarType::S32;
  case ScalarType::U32:
    return ScalarType::U64;
  default:
    return ScalarType::S64;
  }
}

static OpClass classOf(std::string_view Opcode) {
  if (Opcode.starts_with("mul"))
    return OpClass::Multiply;
  if (Opcode.starts_with("mad") || Opcode == "fma" || Opcode == "sad")
    return OpClass::MultiplyAdd;
  if (Opcode == "div" || Opcode == "rem" || Opcode == "sqrt" || Opcode == "rcp")
    return OpClass::Divide;
  return OpClass::Simple;
}

bool FunctionDecoder::arithmetic() {
  static const std::unordered_map<std::string_view, unsigned> Sources = {
      {"add", 2},   {"sub", 2},   {"mul", 2}, {"mad", 3}, {"mul24", 2},
      {"mad24", 3}, {"div", 2},   {"rem", 2}, {"min", 2}, {"max", 2},
      {"neg", 1},   {"abs", 1},   {"sad", 3}, {"fma", 3}, {"rcp", 1},
      {"sqrt", 1},  {"rsqrt", 1}, {"sin", 1}, {"cos", 1}, {"lg2", 1},
      {"ex2", 1},   {"tanh", 1}};
  unsigned N = Sources.at(S->Opcode);
  if (S->has("cc"))
    return carry();
  ScalarType T;
  if (!takeType(T) || !expectOps(N + 1, N + 1))
    return false;
  I.Unit = unitOf(T);
  I.Op = classOf(S->Opcode);
  std::string Name(S->Opcode);
  return isFloat(T) ? floatArithmetic(Name, T, N) : intArithmetic(Name, T, N);
}

bool FunctionDecoder::intArithmetic(std::string Name, ScalarType T,
                                    unsigned N) {
  ScalarType Dest = T, Last = T;
  if (takeMod("wide")) {
    Name += ".wide";
    Dest = Last = widened(T);
    if (N == 2)
      Last = T;
  } else if (takeMod("hi")) {
    Name += ".hi";
  } else if (takeMod("lo")) {
    Name += ".lo";
  }
  bool Sat = takeMod("sat");
  if ((Name == "min" || Name == "max") && isSigned(T) && takeMod("relu"))
    Name += ".relu";
  static const std::set<std::string> Wrapping = {"add", "sub", "mul.lo",
                                                 "mad.lo", "neg"};
  if (Sat)
    Name += ".sat." + std::string(typeName(T));
  else if (T == ScalarType::U16x2 || T == ScalarType::S16x2)
    Name += Name == "add" ? ".x2" : "." + std::string(typeName(T));
  else if (Wrapping.count(Name))
    Name += intName(T);
  else
    Name += "." + std::string(typeName(T));
  return handler(Name) && sources(1, N - (Dest != T && N == 3), T) &&
         (Dest == T || N != 3 || source(op(3), Last, I.Ops[3])) &&
         dest(op(0), Dest, I.Ops[0]);
}

bool FunctionDecoder::floatArithmetic(std::string Name, ScalarType T,
                                      unsigned N) {
  bool Approximate = takeMod("approx");
  Approximate |= takeMod("full");
  bool Ftz = takeMod("ftz");
  takeRounding();
  if (Ftz)
    I.Flags |= FlagFtz;
  if (takeMod("sat"))
    I.Flags |= FlagSat;
  if (takeMod("relu"))
    I.Flags |= FlagRelu;
  if (takeMod("NaN"))
    I.Flags |= FlagNaN;
  if (takeMod("xorsign")) {
    I.Flags |= FlagAbs;
    takeMod("abs");
  }
  if (Name == "mad")
    Name = "fma";
  static const std::set<std::string> Transcendental = {
      "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "div"};
  // What is rounded as IEEE asks is a sequence of instructions in hardware.
  if (Transcendental.count(Name)) {
    I.Unit = T == ScalarType::F64 ? UnitClass::Double
             : Approximate        ? UnitClass::Special
                                  : UnitClass::Float;
    I.Op = OpClass::Divide;
  }
  if (T == ScalarType::F64 && Name == "rcp" && Approximate)
    Name = "rcp.approx";
  else if (T == ScalarType::F64 && Name == "rsqrt" && Ftz)
    Name = "rsqrt.approx.ftz";
  if (is16(T) && (Name == "neg" || Name == "abs")) {
    I.Imm = sizeOf(T) == 4 ? 0x80008000 : 0x8000;
    Name += ".16";
  } else {
    Name += "." + std::string(typeName(T));
  }
  if (is16(T))
    zeroFrom(1);
  return handler(Name) && sources(1, N, T) && dest(op(0), T, I.Ops[0]);
}

/// add.cc, addc{.cc}, sub.cc, subc{.cc}, mad{c}.{lo,hi}{.cc}
bool FunctionDecoder::carry() {
  bool IsMad = S->Opcode.starts_with("mad");
  bool IsSub = S->Opcode.starts_with("sub");
  if (S->Opcode.ends_with("c"))
    I.Flags |= FlagCarryIn;
  if (takeMod("cc"))
    I.Flags |= FlagCarryOut;
  I.Imm = IsMad ? takeMod("hi") : IsSub;
  takeMod("lo");
  ScalarType T;
  unsigned N = IsMad ? 3 : 2;
  if (!takeType(T) || !expectOps(N + 1, N + 1))
    return false;
  I.Op = classOf(S->Opcode);
  return handler(IsMad ? "madc." + std::string(typeName(T))
                       : "addc" + intName(T)) &&
         sources(1, N, T) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::bitwise() {
  ScalarType T;
  unsigned N = S->Opcode == "not" || S->Opcode == "cnot" ? 1 : 2;
  if (!takeType(T) || !expectOps(N + 1, N + 1))
    return false;
  std::string Name(S->Opcode);
  if (T != ScalarType::Pred)
    return handler(Name + bitsName(T)) && sources(1, N, T) &&
           dest(op(0), T, I.Ops[0]);
  for (unsigned K = 1; K <= N; ++K)
    if (!predSource(op(K), I.Ops[K]))
      return false;
  return handler(Name + ".pred") && predDest(op(0), I.Ops[0]);
}

bool FunctionDecoder::shift() {
  ScalarType T;
  if (!takeType(T) || !expectOps(3, 3))
    return false;
  bool Left = S->Opcode == "shl";
  std::string Type =
      Left ? bitsName(T)
           : (isSigned(T) ? ".s" : ".u") + std::to_string(8 * sizeOf(T));
  return handler(std::string(S->Opcode) + Type) && source(op(1), T, I.Ops[1]) &&
         source(op(2), ScalarType::U32, I.Ops[2]) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::countBits() {
  ScalarType T;
  if (!takeType(T) || !expectOps(2, 2))
    return false;
  std::string Name(S->Opcode);
  if (takeMod("shiftamt"))
    Name += ".shiftamt";
  Name += S->Opcode == "bfind" ? "." + std::string(typeName(T)) : bitsName(T);
  return handler(Name) && source(op(1), T, I.Ops[1]) &&
         dest(op(0), S->Opcode == "brev" ? T : ScalarType::U32, I.Ops[0]);
}

/// bfe, bfi and fns
bool FunctionDecoder::bitField() {
  ScalarType T;
  bool Insert = S->Opcode == "bfi";
  if (!takeType(T) || !expectOps(Insert ? 5 : 4, Insert ? 5 : 4))
    return false;
  unsigned Wide = Insert ? 2 : 1;
  if (!handler(std::string(S->Opcode) + "." + std::string(typeName(T))) ||
      !sources(1, Wide, T))
    return false;
  for (unsigned K = Wide + 1; K != numOps(); ++K)
    if (!source(op(K), ScalarType::U32, I.Ops[K]))
      return false;
  return dest(op(0), T, I.Ops[0]);
}

/// bmsk and szext
bool FunctionDecoder::bitMask() {
  ScalarType T;
  if (!takeType(T) || !expectOps(3, 3))
    return false;
  std::string Name(S->Opcode);
  for (const char *Mod : {"wrap", "clamp"})
    if (takeMod(Mod))
      Name += std::string(".") + Mod;
  return handler(Name + "." + std::string(typeName(T))) &&
         source(op(1), T, I.Ops[1]) &&
         source(op(2), ScalarType::U32, I.Ops[2]) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::funnel() {
  ScalarType T;
  if (!takeType(T) || !expectOps(4, 4))
    return false;
  std::string Name = "shf";
  for (const char *Mod : {"l", "r", "wrap", "clamp"})
    if (takeMod(Mod))
      Name += std::string(".") + Mod;
  return handler(Name) && sources(1, 3, T) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::permute() {
  ScalarType T;
  if (!takeType(T) || !expectOps(4, 4))
    return false;
  std::string Name = "prmt";
  if (!Mods.empty()) {
    Name += "." + std::string(Mods[0]);
    Mods.clear();
  }
  return handler(Name) && sources(1, 3, T) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::lop3() {
  ScalarType T;
  if (!takeType(T) || !expectOps(5, 5))
    return false;
  if (op(4).K != ptx::Operand::Int)
    return fail("the truth table of lop3 is a constant");
  I.Imm = op(4).Value;
  return handler("lop3.b32") && sources(1, 3, T) && dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::dotProduct() {
  if (!expectOps(4, 4))
    return false;
  I.Imm = S->Opcode == "dp4a" ? 0 : takeMod("hi") ? 2 : 1;
  takeMod("lo");
  if (Mods.size() != 2)
    return fail("dp4a and dp2a have two types");
  std::string Name = "dpa.";
  for (std::string_view Mod : Mods)
    Name += Mod[0];
  Mods.clear();
  I.Op = OpClass::MultiplyAdd;
  return handler(Name) && sources(1, 3, ScalarType::U32) &&
         dest(op(0), ScalarType::U32, I.Ops[0]);
}

bool FunctionDecoder::selp() {
  ScalarType T;
  return takeType(T) && expectOps(4, 4) && handler("selp" + bitsName(T)) &&
         sources(1, 2, T) && predSource(op(3), I.Ops[3]) &&
         dest(op(0), T, I.Ops[0]);
}

bool FunctionDecoder::slct() {
  ScalarType Chooser, T;
  if (takeMod("ftz"))
    I.Flags |= FlagFtz;
  return takeType(Chooser) && takeType(T) && expectOps(4, 4) &&
         handler("slct" + bitsName(T) + "." + std::string(typeName(Chooser))) &&
         sources(1, 2, T) && source(op(3), Chooser, I.Ops[3]) &&
         dest(op(0), T, I.Ops[0]);
}

/// Outcomes that a relation accepts: less 1, equal 2, greater 4, unordered 8.
static unsigned acceptedOutcomes(std::string_view Relation) {
  static const std::unordered_map<std::string_view, unsigned> Map = {
      {"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},  {"ne", 5},
      {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9}, {"equ", 10},
      {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}};
  auto It = Map.find(Relation);
  return It == Map.end() ? 0 : It->second;
}

/// The part that setp and set share: relation, boolean operation and the
/// sources a, b and (optionally) the predicate c.
bool FunctionDecoder::comparison(ScalarType T, unsigned FirstSource) {
  I.Unit = unitOf(T);
  if (takeMod("ftz"))
    I.Flags |= FlagFtz;
  constexpr std::string_view BoolOps[] = {"", "and", "or", "xor"};
  for (unsigned K = 1; K != 4; ++K)
    if (takeMod(BoolOps[K]))
      I.Imm = K;
  if (Mods.empty())
    return fail("a comparison is missing");
  std::string Relation(Mods[0]);
  Mods.erase(Mods.begin());
  static const std::unordered_map<std::string, std::string> Unsigned = {
      {"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
  if (auto It = Unsigned.find(Relation); It != Unsigned.end())
    Relation = It->second;
  std::string Type = "." + std::string(typeName(T));
  std::string Name = "setp." + Relation + Type;
  if (is16(T)) {
    I.Imm |= int64_t(acceptedOutcomes(Relation)) << 8;
    Name = "setp" + Type;
  } else if (!isFloat(T) && (Relation == "eq" || Relation == "ne")) {
    Name = "setp." + Relation + intName(T);
  }
  I.Ops[4] = PredFalse;
  if (bool(I.Imm & 0xFF) != (numOps() == FirstSource + 3))
    return fail("wrong number of operands");
  return handler(Name) && source(op(FirstSource), T, I.Ops[2]) &&
         source(op(FirstSource + 1), T, I.Ops[3]) &&
         (!(I.Imm & 0xFF) || predSource(op(FirstSource + 2), I.Ops[4]));
}

bool FunctionDecoder::setp() {
  ScalarType T;
  if (!takeType(T) || !expectOps(3, 4) || !comparison(T, 1))
    return false;
  I.Ops[1] = 0;
  if (op(0).K != ptx::Operand::Pair)
    return predDest(op(0), I.Ops[0]);
  return predDest(op(0).Elements[0], I.Ops[0]) &&
         predDest(op(0).Elements[1], I.Ops[1]);
}

/// set is a comparison into a scratch predicate and a selection.
bool FunctionDecoder::set() {
  ScalarType T, D;
  if (!takeType(T) || !takeType(D) || !expectOps(3, 4) || !comparison(T, 1))
    return false;
  if (T == ScalarType::F16x2 || T == ScalarType::BF16x2) {
    I.Size = !isFloat(D);
    return handler("set." + std::string(typeName(T))) &&
           dest(op(0), ScalarType::B32, I.Ops[0]);
  }
  I.Ops[0] = ScratchPred;
  I.Ops[1] = 0;
  Inst Compare = I;
  // It comes before the one that the statements are about, which waits for it.
  Control Serial;
  Serial.Serial = 1;
  OfNative.Says = ControlBits(Serial);
  if (!finish())
    return false;
  I = Inst();
  I.Source = Compare.Source;
  I.Guard = Compare.Guard;
  I.Unit = Compare.Unit;
  I.Ops[1] = ScratchPred;
  I.Imm = !isFloat(D)            ? 0xFFFFFFFF
          : D == ScalarType::F32 ? 0x3F800000
          : D == ScalarType::F16 ? 0x3C00
                                 : 0x3F80;
  return handler("frompred") && dest(op(0), D, I.Ops[0]);
}

/// vadd2, vsub4, vset2 …: d, a, b, c; `.add` sums the parts up. Imm holds the
/// operation, the accepted outcomes of a comparison, the sign of the result
/// and whether to sum.
bool FunctionDecoder::video() {
  static const std::unordered_map<std::string_view, VideoOp> Operations = {
      {"vadd", VideoOp::Add},      {"vsub", VideoOp::Sub},
      {"vavrg", VideoOp::Average}, {"vmin", VideoOp::Min},
      {"vmax", VideoOp::Max},      {"vabsdiff", VideoOp::AbsDiff},
      {"vset", VideoOp::Set}};
  std::string_view Stem = S->Opcode.substr(0, S->Opcode.size() - 1);
  VideoOp Operation = Operations.at(Stem);
  I.Imm = int64_t(Operation);
  if (takeMod("sat"))
    I.Flags |= FlagSat;
  if (takeMod("add"))
    I.Imm |= 1 << 9;
  if (Operation == VideoOp::Set)
    for (size_t K = 0; K != Mods.size(); ++K)
      if (unsigned Accepted = acceptedOutcomes(Mods[K])) {
        I.Imm |= Accepted << 4;
        Mods.erase(Mods.begin() + K);
        break;
      }
  ScalarType A, B, D = ScalarType::U32;
  if (!takeType(B) || !takeType(A) ||
      (Operation != VideoOp::Set && !takeType(D)) || !expectOps(4, 4))
    return false;
  I.Imm |= int64_t(isSigned(D)) << 8;
  I.Flags |= (isSigned(A) ? FlagSignedA : 0) | (isSigned(B) ? FlagSignedB : 0);
  return handler(std::string("video") + S->Opcode.back()) &&
         sources(1, 3, ScalarType::U32) &&
         dest(op(0), ScalarType::U32, I.Ops[0]);
}

bool FunctionDecoder::testp() {
  ScalarType T;
  if (!takeType(T) || !expectOps(2, 2) || Mods.size() != 1)
    return fail("bad testp");
  std::string Name = "testp." + std::string(Mods[0]);
  Mods.clear();
  I.Unit = unitOf(T);
  return handler(Name + "." + std::string(typeName(T))) &&
         source(op(1), T, I.Ops[1]) && predDest(op(0), I.Ops[0]);
}

bool FunctionDecoder::copySign() {
  ScalarType T;
  if (!takeType(T) || !expectOps(3, 3))
    return false;
  I.Unit = unitOf(T);
  return handler("copysign." + std::string(typeName(T))) && sources(1, 2, T) &&
         dest(op(0), T, I.Ops[0]);
}

} // namespace regshare::sim
