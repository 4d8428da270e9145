//===- Expressions.cpp - Random expressions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"

namespace regshare::fuzz {

const char *nameOf(Type T) {
  constexpr const char *Names[] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                   "u64", "s64", "f16", "f32", "f64"};
  return Names[unsigned(T)];
}

namespace {

struct Operation {
  Type Result;
  const char *Name;
  std::vector<Type> Arguments;
};

// NOLINTBEGIN(readability-identifier-naming): as in the language generated.
constexpr Type u16 = Type::U16, s16 = Type::S16, u32 = Type::U32,
               s32 = Type::S32, u64 = Type::U64, s64 = Type::S64,
               f32 = Type::F32, f64 = Type::F64;
// NOLINTEND(readability-identifier-naming)

} // namespace

static const std::vector<Operation> &operations() {
#define FUZZ_OP1(R, NAME, A, PTX) {R, #NAME, {A}},
#define FUZZ_OP2(R, NAME, A, B, PTX) {R, #NAME, {A, B}},
#define FUZZ_OP3(R, NAME, A, B, C, PTX) {R, #NAME, {A, B, C}},
  static const std::vector<Operation> List = {
#include "Operations.def"
  };
#undef FUZZ_OP1
#undef FUZZ_OP2
#undef FUZZ_OP3
  return List;
}

static std::string cast(Type T, const std::string &Text) {
  return std::string(nameOf(T)) + "(" + Text + ")";
}

std::string Expressions::constant(Type T) {
  if (isFloat(T)) {
    static const std::vector<std::string> Values = {
        "0.0",     "-0.0",  "1.0",         "-1.0",    "0.5",
        "3.25",    "-7.75", "0.1",         "1e-3",    "1234.5",
        "65504.",  "1e-7",  "-2.5e4",      "1e30",    "1e3",
        "1.5e-40", "3e38",  "2147483648.", "-9.3e18", "4294967295."};
    unsigned Count = T == Type::F16 ? 13 : unsigned(Values.size());
    return cast(T, Values[R.below(Count)]);
  }
  uint64_t V = R.bits();
  switch (R.below(5)) {
  case 0:
    V &= 15;
    break;
  case 1:
    V = 0 - (V & 7);
    break;
  case 2:
    V = uint64_t(1) << R.below(64);
    break;
  case 3:
    V = (uint64_t(1) << R.below(64)) - 1;
    break;
  default:
    break;
  }
  return cast(T, std::to_string(V) + "ull");
}

std::string Expressions::leaf(Type T) {
  std::vector<const Name *> Fit, Others;
  for (const std::vector<Name> *List : {&S.Variables, &S.ReadOnly})
    for (const Name &N : *List)
      (N.T == T                     ? Fit
       : isFloat(N.T) || isFloat(T) ? Fit
                                    : Others)
          .push_back(&N);
  std::erase_if(Fit, [&](const Name *N) { return N->T != T; });
  if (!Fit.empty() && R.chance(75))
    return R.pick(Fit)->Text;
  if (!Others.empty() && R.chance(50))
    return cast(T, R.pick(Others)->Text);
  return constant(T);
}

/// A pointer to u32 that may lead to any memory space.
std::string Expressions::address(unsigned Depth) {
  std::string Index = value(Type::U32, Depth);
  switch (R.below(7)) {
  case 0:
    return "&la[" + Index + " & 7]";
  case 1:
    return "&sh_ro[" + Index + " & 31]";
  case 2:
    return "&Scratch[" + Index + " & 15]";
  case 3:
    return "&In[" + Index + " & 255]";
  case 4:
    return "&fz_ctab[" + Index + " & 15]";
  case 5:
    return "fz_ptab[" + Index + " & 3]";
  default:
    return "&fz_gtab[" + Index + " & 7]";
  }
}

std::string Expressions::memory(Type T, unsigned Depth) {
  std::string Index = value(Type::U32, Depth);
  std::string Name = nameOf(T);
  if (isFloat(T)) {
    std::string Bits = T == Type::F16 ? "((const u16 *)In)[" + Index + " & 511]"
                       : T == Type::F32
                           ? "In[" + Index + " & 255]"
                           : "((const u64 *)In)[" + Index + " & 127]";
    return "fz_" + Name + "(" + Bits + ")";
  }
  unsigned Bytes = bitsOf(T) / 8;
  switch (R.below(8)) {
  case 0:
    return cast(T, "la[" + Index + " & 7]");
  case 1:
    return cast(T, "lb[" + Index + " & 15]");
  case 2:
    return cast(T, "lq[" + Index + " & 3]");
  case 3:
    return cast(T, R.chance(50) ? "fz_chalf[" + Index + " & 7]"
                                : "fz_qtab[" + Index + " & 3]");
  case 4:
    return "((const " + Name + " *)Scratch)[" + Index + " & " +
           std::to_string(64 / Bytes - 1) + "]";
  case 5:
    return cast(T, "*(" + condition(Depth) + " ? " + address(Depth) + " : " +
                       address(Depth) + ")");
  case 6:
    return cast(T, "*(" + address(Depth) + ")");
  default:
    return "((const " + Name + " *)In)[" + Index + " & " +
           std::to_string(1024 / Bytes - 1) + "]";
  }
}

std::string Expressions::conversion(Type T, unsigned Depth) {
  if (!isFloat(T)) {
    // Floats reach integers through their bits and through operations.
    if (R.chance(20) && bitsOf(T) >= 32)
      return cast(
          T, "fz_bits(" +
                 value(T == Type::U64 || T == Type::S64 ? Type::F64 : Type::F32,
                       Depth) +
                 ")");
    return cast(T, value(anyInt(), Depth));
  }
  if (T != Type::F16)
    return cast(T, value(anyType(), Depth));
  // The host converts wider integers to f16 in two steps.
  static const std::vector<Type> From = {Type::F32, Type::F64, Type::U8,
                                         Type::S8,  Type::U16, Type::S16};
  return cast(T, value(R.pick(From), Depth));
}

std::string Expressions::operation(Type T, unsigned Depth) {
  std::vector<const Operation *> Fit;
  for (const Operation &O : operations())
    if (O.Result == T)
      Fit.push_back(&O);
  if (Fit.empty())
    return conversion(T, Depth);
  const Operation &O = *R.pick(Fit);
  std::string Text = std::string("fz_") + O.Name + "(";
  for (size_t K = 0; K != O.Arguments.size(); ++K)
    Text += (K ? ", " : "") + value(O.Arguments[K], Depth);
  return Text + ")";
}

std::string Expressions::input(Type T) {
  static const std::vector<std::string> Steps = {"i", "i * 7", "i * 13",
                                                 "(i ^ Tid)", "i * 29"};
  return std::string("fz_in<") + nameOf(T) + ">(In, " + R.pick(Steps) +
         " + Tid * " + std::to_string(1 + R.below(8)) + " + " +
         std::to_string(R.below(256)) + ")";
}

namespace {

/// What a sweep can be about: `Before A Between B After`, with one operand or
/// two; more for operations.
struct Swept {
  std::string Before;
  std::vector<Type> Operands;
  std::string Between, After;
};

} // namespace

static void addConversions(std::vector<Swept> &List) {
  for (unsigned To = 0; To != NumTypes; ++To)
    for (unsigned From = 0; From != NumTypes; ++From) {
      // Floats reach integers through operations only: C++ leaves too much
      // open. The host converts wide integers to f16 in two steps.
      if ((isFloat(Type(From)) && !isFloat(Type(To))) || From == To ||
          (Type(To) == Type::F16 && !isFloat(Type(From)) &&
           bitsOf(Type(From)) > 16))
        continue;
      List.push_back(
          {nameOf(Type(To)) + std::string("("), {Type(From)}, "", ")"});
    }
}

static void addOperators(std::vector<Swept> &List) {
  for (unsigned N = 0; N != NumTypes; ++N) {
    Type T = Type(N);
    std::string Cast = nameOf(T) + std::string("(");
    for (const char *Relation : {" < ", " <= ", " > ", " >= ", " == ", " != "})
      List.push_back({"u32(", {T, T}, Relation, ")"});
    for (const char *Call : {"fz_add(", "fz_sub(", "fz_mul("})
      List.push_back({Call, {T, T}, ", ", ")"});
    List.push_back({Cast + "-", {T}, "", ")"});
    if (isFloat(T)) {
      List.push_back({Cast, {T, T}, " / ", ")"});
      continue;
    }
    for (const char *Call : {"fz_div(", "fz_rem("})
      List.push_back({Call, {T, T}, ", ", ")"});
    for (const char *Operator : {" & ", " | ", " ^ "})
      List.push_back({Cast, {T, T}, Operator, ")"});
    std::string Shift = " & " + std::to_string(bitsOf(T) - 1) + "))";
    List.push_back({Cast, {T, Type::U32}, " << (", Shift});
    List.push_back({Cast, {T, Type::U32}, " >> (", Shift});
    List.push_back({Cast + "~", {T}, "", ")"});
  }
}

static const std::vector<Swept> &allSwept() {
  static const std::vector<Swept> List = [] {
    std::vector<Swept> All;
    for (const Operation &O : operations())
      All.push_back(
          {std::string("fz_") + O.Name + "(", O.Arguments, ", ", ")"});
    addConversions(All);
    addOperators(All);
    return All;
  }();
  return List;
}

std::string Expressions::sweep(uint64_t Number) {
  const Swept &S = allSwept()[Number % allSwept().size()];
  std::string Text = S.Before;
  for (size_t K = 0; K != S.Operands.size(); ++K)
    Text += (K ? S.Between : "") + input(S.Operands[K]);
  return Text + S.After;
}

std::string Expressions::call(const DeviceFunction &F, unsigned Depth) {
  std::string Text = F.Name + "(";
  for (size_t K = 0; K != F.Arguments.size(); ++K)
    Text += (K ? ", " : "") + value(F.Arguments[K], Depth);
  return Text + ")";
}

std::string Expressions::intValue(Type T, unsigned Depth) {
  std::string Name = nameOf(T);
  switch (R.below(10)) {
  default: {
    static const std::vector<std::string> Ops = {"+", "-", "*", "&", "|", "^"};
    return Name + "(" + value(T, Depth) + " " + R.pick(Ops) + " " +
           value(T, Depth) + ")";
  }
  case 3:
    return Name + "(" + value(T, Depth) + (R.chance(50) ? " << (" : " >> (") +
           value(Type::U32, Depth) + " & " + std::to_string(bitsOf(T) - 1) +
           "))";
  case 4: {
    static const std::vector<Type> Wide = {Type::U32, Type::S32, Type::U64,
                                           Type::S64};
    Type W = bitsOf(T) >= 32 && R.chance(70) ? T : R.pick(Wide);
    return Name + "(" + (R.chance(50) ? "fz_div<" : "fz_rem<") + nameOf(W) +
           ">(" + value(W, Depth) + ", " + value(W, Depth) + "))";
  }
  case 5:
    return Name + "(" + (R.chance(50) ? "~" : "-") + value(T, Depth) + ")";
  case 6:
    return Name + "(" + condition(Depth) + ")";
  }
}

std::string Expressions::floatValue(Type T, unsigned Depth) {
  std::string Name = nameOf(T);
  switch (R.below(9)) {
  default: {
    static const std::vector<std::string> Ops = {"fz_add<", "fz_sub<",
                                                 "fz_mul<"};
    std::string Op = R.pick(Ops);
    return Op.substr(0, Op.size() - 1) + "(" + value(T, Depth) + ", " +
           value(T, Depth) + ")";
  }
  case 5:
    return Name + "(" + value(T, Depth) + " / " + value(T, Depth) + ")";
  case 6:
    return T == Type::F16 ? Name + "(-" + value(T, Depth) + ")"
                          : "fz_copysign(" + value(T, Depth) + ", " +
                                value(T, Depth) + ")";
  case 7:
    return Name + "(-" + value(T, Depth) + ")";
  }
}

std::string Expressions::value(Type T, unsigned Depth) {
  if (Depth == 0 || R.chance(15))
    return leaf(T);
  --Depth;
  unsigned Choice = R.below(100);
  if (Choice < 12)
    return "(" + condition(Depth) + " ? " + value(T, Depth) + " : " +
           value(T, Depth) + ")";
  if (Choice < 24)
    return conversion(T, Depth);
  if (Choice < 44)
    return operation(T, Depth);
  if (Choice < 58 && S.InKernel)
    return memory(T, Depth);
  if (Choice < 64)
    for (const DeviceFunction &F : S.Functions)
      if (F.Result == T)
        return call(F, Depth);
  return isFloat(T) ? floatValue(T, Depth) : intValue(T, Depth);
}

std::string Expressions::condition(unsigned Depth) {
  if (Depth && R.chance(20)) {
    static const std::vector<std::string> Joins = {" && ", " || ", " != "};
    return "(" + condition(Depth - 1) + R.pick(Joins) + condition(Depth - 1) +
           ")";
  }
  if (R.chance(10))
    return "(!" + condition(Depth ? Depth - 1 : 0) + ")";
  static const std::vector<std::string> Relations = {" < ",  " <= ", " > ",
                                                     " >= ", " == ", " != "};
  if (S.InKernel && R.chance(25))
    return "((Tid" +
           (R.chance(50) ? " & " + std::to_string(1 + R.below(31)) : "") + ")" +
           R.pick(Relations) + std::to_string(R.below(24)) + ")";
  Type T = anyType();
  return "(" + value(T, Depth) + R.pick(Relations) + value(T, Depth) + ")";
}

std::string Expressions::uniformCondition() {
  switch (R.below(4)) {
  case 0:
    return "(P.U & " + std::to_string(1u << R.below(8)) + ")";
  case 1:
    return "(FUZZ_CTAID == " + std::to_string(R.below(2)) + ")";
  case 2:
    return "(P.D < f64(P.T))";
  default:
    return "((P.B >> " + std::to_string(R.below(4)) + " & 1) == 0)";
  }
}

std::string Expressions::uniformCount() {
  if (R.chance(50))
    return std::to_string(1 + R.below(5)) + "u";
  return R.chance(50) ? "((P.U & 3) + 1)" : "(u32(P.B) % 4)";
}

} // namespace regshare::fuzz
