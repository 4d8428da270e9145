//===- KernelGenerator.cpp - Random kernels -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

#include "Generator.h"

namespace regshare::fuzz {

void Generator::shape() {
  static const std::vector<std::pair<unsigned, unsigned>> Blocks = {
      {32, 1}, {64, 1}, {96, 1}, {48, 1}, {33, 1}, {16, 4}, {8, 5}, {1, 1}};
  auto [X, Y] = R.pick(Blocks);
  K.BlockX = X;
  K.BlockY = Y;
  K.Grid = 1 + R.below(2);
}

void Generator::plainFunction(unsigned N) {
  DeviceFunction F;
  F.Name = K.Name + "_f" + std::to_string(N);
  F.Result = E.anyType();
  Scope Kernel;
  std::swap(Kernel, S);
  S.Functions = Kernel.Functions;
  std::string Head, Locals;
  for (unsigned A = 0, End = 1 + R.below(4); A != End; ++A) {
    Type T = E.anyType();
    F.Arguments.push_back(T);
    std::string Argument = "a" + std::to_string(A);
    Head += (A ? ", " : "") + std::string(nameOf(T)) + " " + Argument;
    S.Variables.push_back({T, Argument});
  }
  S.Variables.push_back({F.Result, "r"});
  std::string Text = "FUZZ_DEVICE " +
                     std::string(R.chance(60) ? "FUZZ_NOINLINE " : "inline ") +
                     nameOf(F.Result) + " " + F.Name + "(" + Head + ") {\n  " +
                     nameOf(F.Result) + " r = " + nameOf(F.Result) + "(1);\n";
  for (unsigned I = 0, End = 1 + R.below(3); I != End; ++I) {
    const Name &V = variable();
    std::string Set = V.Text + " = " + E.value(V.T, 2) + ";";
    switch (R.below(4)) {
    case 0:
      Text += "  if (" + E.condition(1) + ")\n    " + Set + "\n";
      break;
    case 1:
      Text += "  for (u32 i = 0; i < (" + E.value(Type::U32, 1) +
              " & 3); ++i)\n    " + Set + "\n";
      break;
    case 2:
      Text += "  if (" + E.condition(1) + ")\n    return " +
              E.value(F.Result, 1) + ";\n";
      break;
    default:
      Text += "  " + Set + "\n";
      break;
    }
  }
  Text += "  return " + E.value(F.Result, 1) + ";\n}\n";
  std::swap(Kernel, S);
  K.Functions += Text;
  S.Functions.push_back(std::move(F));
}

void Generator::recursiveFunction() {
  std::string Name = K.Name + "_rec";
  Scope Kernel;
  std::swap(Kernel, S);
  S.Variables = {{Type::U32, "n"}, {Type::U32, "x"}, {Type::U32, "y"}};
  // It calls itself twice, once through another function, and keeps a variable
  // with an address.
  std::string Head = "FUZZ_DEVICE FUZZ_NOINLINE u32 " + Name;
  K.Functions +=
      Head + "(u32 n, u32 x);\n" + Head + "_b(u32 n, u32 x) {\n  return n ? " +
      Name + "(n - 1, x) + n : x;\n}\n" + Head +
      "(u32 n, u32 x) {\n  u32 y = n;\n  y = " + E.value(Type::U32, 2) +
      ";\n  if ((n & 7) == 0)\n    return y;\n"
      "  u32 own[2] = {x, y};\n  u32 z = " +
      Name +
      "((n & 7) - 1, y);\n  own[z & 1] += n;\n"
      "  if (x & 1)\n    z += " +
      Name + "_b((n & 7) >> 1, own[0]);\n  return z ^ own[1] ^ " +
      E.value(Type::U32, 1) + ";\n}\n";
  // Two functions of one type to choose from at run time.
  for (const char *Suffix : {"_pa", "_pb"})
    K.Functions += "FUZZ_DEVICE FUZZ_NOINLINE u32 " + K.Name + Suffix +
                   "(u32 n, u32 x) {\n  u32 y = n ^ x;\n  return " +
                   E.value(Type::U32, 2) + ";\n}\n";
  std::swap(Kernel, S);
  S.Functions.push_back({Name, Type::U32, {Type::U32, Type::U32}});
}

void Generator::functions() {
  for (unsigned N = 0, End = R.below(3); N != End; ++N)
    plainFunction(N);
  if (K.HasCalls)
    recursiveFunction();
}

void Generator::kernelScope() {
  using enum Type;
  S.InKernel = true;
  S.Variables = {{U32, "u0"}, {U32, "u1"}, {U32, "u2"}, {S32, "s0"},
                 {S32, "s1"}, {S32, "s2"}, {U64, "q0"}, {U64, "q1"},
                 {S64, "t0"}, {S64, "t1"}, {U8, "b0"},  {U8, "b1"},
                 {S8, "c0"},  {U16, "h0"}, {U16, "h1"}, {S16, "i0"},
                 {F32, "f0"}, {F32, "f1"}, {F64, "d0"}, {F64, "d1"},
                 {F16, "e0"}};
  S.ReadOnly = {{U32, "Tid"}, {U32, "Gid"},   {U32, "fz_lane()"}, {U8, "P.B"},
                {S16, "P.T"}, {U32, "P.U"},   {F32, "P.F"},       {U64, "P.Q"},
                {F64, "P.D"}, {S8, "P.C[3]"}, {U16, "P.H[1]"}};
}

std::string Generator::variableOf(Type T) {
  std::vector<std::string> Fit;
  for (const Name &N : S.Variables)
    if (N.T == T)
      Fit.push_back(N.Text);
  return R.pick(Fit);
}

Statement Generator::block(std::string Open, Context &Inner, unsigned Count,
                           std::string Close) {
  Statement St{std::move(Open), std::move(Close), {}, 0};
  St.Body = statements(Inner, Count);
  return St;
}

Statement Generator::ifElse(Context &C) {
  Context Inner = C;
  Inner.TopLevel = false;
  ++Inner.Depth;
  bool Uniform = C.Uniform && R.chance(30);
  if (!Uniform) {
    Inner.Uniform = false;
    Inner.Mask.clear();
  }
  std::string Condition = Uniform ? E.uniformCondition() : E.condition(2);
  Statement St = block("if " + Condition + " {", Inner, 1 + R.below(3));
  if (R.chance(50)) {
    // The other side hangs on a statement of its own inside of a wrapper, so
    // that either can be deleted.
    std::string Flag = fresh("c");
    St.Open = "if (" + Flag + ") {";
    Context Other = Inner;
    Statement Else = block("if (!" + Flag + ") {", Other, 1 + R.below(3));
    Statement Both{
        "{ const bool " + Flag + " = " + Condition + ";", "}", {}, 0};
    if (Other.Mask.empty())
      Inner.Mask.clear();
    if (R.chance(60)) {
      // As a real else; deleting the pair deletes both sides.
      Both.Open = "if " + Condition + " {";
      Both.Close = "}";
      St.Open = "{";
      Both.Body.push_back(std::move(St));
      Statement Rest = std::move(Else);
      Rest.Open = "} else {";
      Rest.Close = "";
      Both.Body.push_back(std::move(Rest));
      return Both;
    }
    Both.Body.push_back(std::move(St));
    Both.Body.push_back(std::move(Else));
    return Both;
  }
  return St;
}

/// A divergent branch whose lanes know each other.
Statement Generator::maskedIf(Context &C) {
  std::string Flag = fresh("c"), Mask = fresh("m");
  Context Inner = C;
  Inner.TopLevel = Inner.Uniform = false;
  ++Inner.Depth;
  Inner.Mask = Mask;
  Statement St = block("{ const bool " + Flag + " = " + E.condition(2) +
                           "; const u32 " + Mask + " = fz_ballot(" + C.Mask +
                           ", " + Flag + "); if (" + Flag + ") {",
                       Inner, 1 + R.below(3), "}}");
  return St;
}

Statement Generator::loop(Context &C) {
  Context Inner = C;
  Inner.TopLevel = Inner.Uniform = Inner.InSwitch = false;
  Inner.InLoop = true;
  Inner.Mask.clear();
  ++Inner.Depth;
  std::string I = fresh("i"), Bound = E.value(Type::U32, 1) + " & 7";
  size_t Outer = S.ReadOnly.size();
  S.ReadOnly.push_back({Type::U32, I});
  Statement St;
  switch (R.below(4)) {
  case 0:
    St = block("for (u32 " + I + " = " + Bound + "; " + I + "; " + I +
                   " &= " + I + " - 1) {",
               Inner, 1 + R.below(3));
    break;
  case 1:
    St =
        block("{ u32 " + I + " = 0; do {", Inner, 1 + R.below(3),
              "} while (++" + I + " < (" + E.value(Type::U32, 1) + " & 3)); }");
    break;
  case 2:
    St = block("for (u32 " + I + " = 0, n = " + Bound + "; " + I + " < n && " +
                   E.condition(1) + "; ++" + I + ") {",
               Inner, 1 + R.below(3));
    break;
  default:
    St = block("for (u32 " + I + " = 0, n = " + Bound + "; " + I + " < n; ++" +
                   I + ") {",
               Inner, 1 + R.below(3));
    break;
  }
  S.ReadOnly.resize(Outer);
  return St;
}

/// All threads go round together: they may wait for each other inside.
Statement Generator::uniformLoop(Context &C) {
  Context Inner = C;
  Inner.TopLevel = Inner.InLoop = false;
  Inner.Stay = true;
  ++Inner.Depth;
  std::string I = fresh("i");
  size_t Outer = S.ReadOnly.size();
  S.ReadOnly.push_back({Type::U32, I});
  Statement St = block("for (u32 " + I + " = 0, n = " + E.uniformCount() +
                           "; " + I + " < n; ++" + I + ") {",
                       Inner, 1 + R.below(3));
  S.ReadOnly.resize(Outer);
  return St;
}

/// Lanes leave one after the other; those that are left know each other.
Statement Generator::maskedLoop(Context &C) {
  std::string I = fresh("i"), Flag = fresh("c"), Mask = fresh("m");
  Context Inner = C;
  Inner.TopLevel = Inner.Uniform = Inner.InLoop = Inner.InSwitch = false;
  Inner.Stay = true;
  Inner.Mask = Mask;
  ++Inner.Depth;
  std::string Bound = E.value(Type::U32, 2) + " & 3";
  size_t Outer = S.ReadOnly.size();
  S.ReadOnly.push_back({Type::U32, I});
  Statement St =
      block("{ u32 " + Mask + " = " + C.Mask + "; const u32 n = " + Bound +
                "; for (u32 " + I + " = 0;; ++" + I + ") { const bool " + Flag +
                " = " + I + " < n; " + Mask + " = fz_ballot(" + Mask + ", " +
                Flag + "); if (!" + Flag + ") { break; }",
            Inner, 1 + R.below(3), "}}");
  S.ReadOnly.resize(Outer);
  return St;
}

Statement Generator::switchOver(Context &C) {
  unsigned Cases = 3 + R.below(6);
  Statement St{"switch (" + E.value(Type::U32, 2) + " % " +
                   std::to_string(Cases + 1) + "u) {",
               "}",
               {},
               0};
  for (unsigned N = 0; N != Cases; ++N) {
    Context Inner = C;
    Inner.TopLevel = Inner.Uniform = false;
    Inner.InSwitch = true;
    Inner.Mask.clear();
    ++Inner.Depth;
    bool Last = N + 1 == Cases;
    St.Body.push_back(
        block((Last ? "default: {"
                    : "case " + std::to_string(N * (1 + Cases % 2)) + ": {"),
              Inner, 1 + R.below(2), Last || R.chance(75) ? "} break;" : "}"));
  }
  return St;
}

Statement Generator::jump(Context &C) {
  std::string Condition = E.condition(2);
  if (C.InLoop && R.chance(70))
    return leaf("if " + Condition +
                (C.InSwitch || R.chance(50) ? " continue;" : " break;"));
  if (C.Stay)
    return assignment();
  if (C.TopLevel && !C.Mask.empty())
    return leaf("{ const bool c = " + Condition +
                "; m0 = fz_ballot(m0, !c); "
                "if (c) { FUZZ_END return; } }");
  return leaf("if " + Condition + " { FUZZ_END return; }");
}

Statement Generator::statement(Context &C) {
  bool Nested = C.Depth < 3 && Budget > 4;
  unsigned Choice = R.below(100);
  if (Choice < 12 && !C.Mask.empty())
    return warpOperation(C);
  if (Choice < 18 && C.Uniform)
    return R.chance(60) ? exchange(C) : barrier(C);
  if (Choice < 30 && Nested)
    return ifElse(C);
  if (Choice < 36 && Nested && !C.Mask.empty())
    return maskedIf(C);
  if (Choice < 44 && Nested && !C.Mask.empty() && R.chance(35))
    return maskedLoop(C);
  if (Choice < 44 && Nested)
    return C.Uniform && R.chance(50) ? uniformLoop(C) : loop(C);
  if (Choice < 49 && Nested)
    return switchOver(C);
  if (Choice < 53 && (C.InLoop || C.TopLevel || R.chance(20)))
    return jump(C);
  if (Choice < 58)
    return localStore();
  if (Choice < 63)
    return sweep(R.bits());
  if (Choice < 66)
    return scratchStore();
  if (Choice < 70)
    return vectorAccess();
  if (Choice < 74)
    return ownAtomic();
  if (Choice < 79)
    return sharedAtomic();
  if (Choice < 81 && K.HasCalls)
    return indirectCall();
  return assignment();
}

/// True if lanes may leave: what follows cannot count on the mask.
static bool mayLeave(const Statement &St, bool LoopCatches) {
  bool Jumps = St.Open.find("return;") != std::string::npos &&
               St.Open.find("m0 = fz_ballot") == std::string::npos;
  if (!LoopCatches)
    Jumps |= St.Open.ends_with(" break;") || St.Open.ends_with(" continue;");
  bool Loop = St.Open.starts_with("for (") ||
              St.Open.find("; do {") != std::string::npos;
  for (const Statement &Inner : St.Body)
    Jumps |= mayLeave(Inner, LoopCatches || Loop);
  return Jumps;
}

std::vector<Statement> Generator::statements(Context &C, unsigned Count) {
  std::vector<Statement> List;
  for (unsigned N = 0; N != Count && Budget; ++N) {
    --Budget;
    List.push_back(statement(C));
    if (mayLeave(List.back(), false))
      C.Mask.clear();
  }
  return List;
}

void Generator::number(std::vector<Statement> &List) {
  for (Statement &St : List)
    St.Id = ++K.NumStatements;
  for (Statement &St : List)
    number(St.Body);
}

Kernel Generator::run() {
  shape();
  functions();
  kernelScope();
  Context C;
  C.TopLevel = true;
  C.Mask = "m0";
  // Kernels of consecutive seeds have all operations between them.
  for (unsigned N = 0; N != Options.Sweeps; ++N)
    K.Body.push_back(sweep(K.Seed * Options.Sweeps + N));
  for (unsigned N = 0; N != Options.Meetings; ++N)
    K.Body.push_back(meeting(K.Seed * Options.Meetings + N));
  for (Statement &St : statements(C, 4 + R.below(Options.MaxStatements - 3)))
    K.Body.push_back(std::move(St));
  number(K.Body);
  return std::move(K);
}

static void print(const std::vector<Statement> &List,
                  const std::set<unsigned> &Deleted, unsigned Indent,
                  std::string &Out) {
  for (const Statement &St : List) {
    if (Deleted.count(St.Id))
      continue;
    Out.append(Indent, ' ');
    Out += St.Open + "\n";
    print(St.Body, Deleted, Indent + 2, Out);
    if (!St.Close.empty()) {
      Out.append(Indent, ' ');
      Out += St.Close + "\n";
    }
  }
}

std::string Kernel::text() const {
  std::string Out = Functions;
  Out += "FUZZ_KERNEL void " + Name +
         "(const u32 *In, u32 *Out, u32 *Acc, FuzzParams P) {\n  FUZZ_BEGIN\n"
         "  FUZZ_SHARED_BEGIN\n";
  print(Body, Deleted, 2, Out);
  Out += "  FUZZ_END\n  FUZZ_SHARED_END\n}\n";
  return Out;
}

Kernel generateKernel(uint64_t Seed, const GeneratorOptions &Options) {
  return Generator(Seed, Options).run();
}

} // namespace regshare::fuzz
