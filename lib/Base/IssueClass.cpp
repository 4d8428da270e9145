//===- IssueClass.cpp - Classes of PTX ------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/IssueClass.h"

#include <algorithm>
#include <initializer_list>
#include <ranges>
#include <utility>

namespace regshare {

IssueName IssueName::parse(std::string_view Mnemonic) {
  IssueName Name;
  for (bool IsFirst = true; !Mnemonic.empty(); IsFirst = false) {
    std::string_view Part = Mnemonic.substr(0, Mnemonic.find('.'));
    Mnemonic.remove_prefix(std::min(Part.size() + 1, Mnemonic.size()));
    if (IsFirst)
      Name.Opcode = Part;
    else
      Name.Mods.push_back(Part);
  }
  return Name;
}

bool IssueName::has(std::string_view Mod) const {
  return std::ranges::find(Mods, Mod) != Mods.end();
}

static bool isOneOf(std::string_view Text,
                    std::initializer_list<std::string_view> Texts) {
  return std::ranges::find(Texts, Text) != Texts.end();
}

namespace {
enum class Type : uint8_t { Integer, Half, Single, Double };
} // namespace

/// Nothing for a modifier that is no type.
static const Type *typeOf(std::string_view Mod) {
  static constexpr std::pair<std::string_view, Type> Types[] = {
      {"f64", Type::Double}, {"f32", Type::Single}, {"f16", Type::Half},
      {"f16x2", Type::Half}, {"bf16", Type::Half},  {"bf16x2", Type::Half}};
  for (const auto &[Name, Of] : Types)
    if (Mod == Name)
      return &Of;
  static constexpr Type Integer = Type::Integer;
  bool IsInteger = Mod.size() >= 2 &&
                   isOneOf(Mod.substr(0, 1), {"s", "u", "b"}) &&
                   Mod.find_first_not_of("0123456789x", 1) == Mod.npos;
  return IsInteger ? &Integer : nullptr;
}

/// The last type is that of the sources.
static Type typeOf(const IssueName &Name) {
  for (std::string_view Mod : std::views::reverse(Name.Mods))
    if (const Type *Of = typeOf(Mod))
      return *Of;
  return Type::Integer;
}

IssueKind issueKind(const IssueName &Name) {
  if (Name.Opcode == "cp" && (Name.has("commit_group") ||
                              Name.has("wait_group") || Name.has("wait_all")))
    return IssueKind::None;
  if (Name.Opcode == "mbarrier" && Name.has("pending_count"))
    return IssueKind::Computed;
  if (isOneOf(Name.Opcode, {"ld", "ldu", "st", "atom", "red", "tex", "tld4",
                            "suld", "sust", "cp", "ldmatrix", "stmatrix",
                            "movmatrix", "wmma", "mbarrier", "shfl"}))
    return IssueKind::Memory;
  if (isOneOf(Name.Opcode, {"bra", "brx", "ret", "exit", "trap", "brkpt", "bar",
                            "barrier", "membar", "fence", "nanosleep",
                            "prefetch", "prefetchu", "applypriority", "discard",
                            "pmevent", "griddepcontrol", "setmaxnreg", "call"}))
    return IssueKind::None;
  return IssueKind::Computed;
}

static bool multiplies(const IssueName &Name) {
  return Name.Opcode.starts_with("mul") || Name.Opcode.starts_with("mad") ||
         Name.Opcode.starts_with("dp") || isOneOf(Name.Opcode, {"fma", "sad"});
}

/// Half to single precision is an addition of the half pipe (tu102 of
/// connollydavid: HADD2); other conversions with floating point are decoupled.
static IssueClass classOfConversion(const IssueName &Name, bool OnAlu) {
  std::vector<Type> Types;
  for (std::string_view Mod : Name.Mods)
    if (const Type *Of = typeOf(Mod))
      Types.push_back(*Of);
  if (std::ranges::count(Types, Type::Double) && !Name.has("tf32"))
    return IssueClass::Decoupled;
  if (!Name.has("tf32") &&
      std::ranges::all_of(Types, [](Type T) { return T == Type::Integer; }))
    return IssueClass::Alu;
  size_t N = Name.Mods.size();
  if (OnAlu && N >= 2 && isAluConversion(Name.Mods[N - 2], Name.Mods[N - 1]))
    return IssueClass::Alu;
  bool Widens =
      N >= 2 && Name.Mods[N - 1] == "f16" && Name.Mods[N - 2] == "f32";
  return Widens ? IssueClass::Half : IssueClass::Decoupled;
}

/// A special register is read by S2R, which is decoupled, the clock is not, and
/// other moves are what the FMA pipe does (IMAD.MOV).
static IssueClass classOfMove(const IssueContext &Context) {
  if (Context.Special.empty())
    return IssueClass::Fma;
  return Context.Special.starts_with("%clock") ? IssueClass::Wide
                                               : IssueClass::Decoupled;
}

static IssueClass classOfArithmetic(const IssueName &Name,
                                    const IssueContext &Context,
                                    IssueClass Double) {
  if (Name.Opcode == "selp")
    return IssueClass::Alu;
  Type Of = typeOf(Name);
  bool IsFunction = isOneOf(Name.Opcode, {"rcp", "sqrt", "rsqrt", "sin", "cos",
                                          "lg2", "ex2", "tanh", "div"}) &&
                    Of != Type::Integer;
  bool Divides = IsFunction || isOneOf(Name.Opcode, {"div", "rem"});
  if (Of == Type::Double)
    return Double;
  if (IsFunction && (Name.has("approx") || Name.has("full")))
    return IssueClass::Decoupled;
  // Hardware has a sequence of multiply-additions.
  if (Divides)
    return Context.IsSequence ? IssueClass::Fma : IssueClass::Decoupled;
  if (Of == Type::Half)
    return IssueClass::Half;
  if (Of == Type::Single)
    return isOneOf(Name.Opcode, {"min", "max", "setp", "set", "testp",
                                 "copysign", "abs", "neg", "selp", "slct"})
               ? IssueClass::Alu
               : IssueClass::Fma;
  bool Multiplies = multiplies(Name);
  for (const IssueName &Each : Context.Folded)
    Multiplies |= multiplies(Each) && typeOf(Each) == Type::Integer;
  return Multiplies ? IssueClass::Fma : IssueClass::Alu;
}

static IssueClass classOfComputed(const IssueName &Name,
                                  const IssueContext &Context) {
  IssueClass Double =
      Context.DoubleIsShared ? IssueClass::Decoupled : IssueClass::Double;
  if (Name.Opcode == "mov")
    return classOfMove(Context);
  if (isOneOf(Name.Opcode,
              {"popc", "clz", "bfind", "brev", "mma", "match", "redux"}))
    return IssueClass::Decoupled;
  if (isOneOf(Name.Opcode, {"vote", "activemask"}))
    return IssueClass::Vote;
  if (Name.Opcode == "cvt")
    return classOfConversion(Name, Context.ConvertsOnAlu);
  return classOfArithmetic(Name, Context, Double);
}

IssueClass issueClass(const IssueName &Name, const IssueContext &Context) {
  switch (issueKind(Name)) {
  case IssueKind::Memory:
    return IssueClass::Decoupled;
  case IssueKind::None:
    return IssueClass::Guard;
  case IssueKind::Computed:
    break;
  }
  IssueClass Of = classOfComputed(Name, Context);
  return Context.WritesUniform && hasFixedLatency(Of) ? IssueClass::Uniform
                                                      : Of;
}

bool convertsOnAlu(std::string_view Architecture) {
  return Architecture.starts_with("sm_90");
}

bool isAluConversion(std::string_view To, std::string_view From) {
  if (To == "f32")
    return isOneOf(From, {"s32", "u32"});
  return From == "f32" && isOneOf(To, {"f16", "bf16", "f16x2", "bf16x2"});
}

bool sharesDoubleUnit(std::string_view Architecture) {
  return Architecture == "sm_75";
}

} // namespace regshare
