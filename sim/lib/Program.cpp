//===- Program.cpp - Loads programs -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace regshare::sim {

std::string Function::nameOf(uint32_t Access) const {
  std::string Names;
  for (size_t R = 0; R != Places.size(); ++R) {
    const ptx::Register &Reg = Syntax->Registers[R];
    bool Pred = Reg.Type == ScalarType::Pred;
    uint32_t First = Places[R] + (Pred ? NumRows : 0);
    if (Access >= First && Access < First + std::max(1u, rowsOf(Reg.Type)) &&
        Pred == (Access >= NumRows))
      Names += (Names.empty() ? "" : " or ") + Reg.Name;
  }
  if (!IsArchitected)
    return Names;
  bool Pred = Access >= NumRows;
  // Predicate 0 is the constant.
  return (Pred ? "P" + std::to_string(Access - NumRows - 1)
               : "R" + std::to_string(Access)) +
         ": " + Names;
}

const Function *Program::findKernel(std::string_view Name) const {
  for (const auto &F : Functions)
    if (F->IsEntry && F->Name == Name)
      return F.get();
  return nullptr;
}

std::vector<std::string> Program::kernelNames() const {
  std::vector<std::string> Names;
  for (const auto &F : Functions)
    if (F->IsEntry)
      Names.push_back(F->Name);
  return Names;
}

static tl::unexpected<Diagnostic> failAt(const ptx::Module &M, unsigned Line,
                                         std::string Message) {
  return fail(Diagnostic{std::move(Message), M.FileName, Line, 0});
}

/// Allocates the module's variables and writes their initial values.
static Result<void> placeVariables(DecodeState &State, GlobalMemory &Memory) {
  const ptx::Module &M = State.P.Syntax;
  uint32_t Shared = 0;
  for (const ptx::Variable &V : M.Variables) {
    if (V.Where == Space::Shared) {
      if (V.Size == 0) {
        State.ExternShared[V.Name] = &V;
        continue;
      }
      Shared = (Shared + V.Align - 1) / V.Align * V.Align;
      State.SharedOffsets[V.Name] = Shared;
      Shared += uint32_t(V.Size);
      continue;
    }
    if (V.Extern)
      return failAt(M, V.Line,
                    "extern variable '" + V.Name + "' is not defined");
    uint64_t Address = Memory.allocate(std::max<uint64_t>(V.Size, 1),
                                       "variable '" + V.Name + "'");
    if (!Address)
      return failAt(M, V.Line,
                    "out of device memory for variable '" + V.Name + "'");
    if (!V.Init.empty())
      Memory.write(Address, V.Init.data(), V.Init.size());
    if (V.Where == Space::Const)
      Memory.setReadOnly(Address);
    State.P.Symbols[V.Name] = {Address, V.Size, V.Where};
  }
  return {};
}

static Result<void> relocate(DecodeState &State, GlobalMemory &Memory) {
  const ptx::Module &M = State.P.Syntax;
  for (const ptx::Variable &V : M.Variables)
    for (const ptx::Relocation &R : V.Relocations) {
      uint64_t Address;
      if (auto It = State.P.Symbols.find(R.Symbol); It != State.P.Symbols.end())
        Address = It->second.Address;
      else if (auto Fn = State.FunctionNumbers.find(R.Symbol);
               Fn != State.FunctionNumbers.end())
        Address = FunctionBase + FunctionStride * Fn->second;
      else if (auto Sh = State.SharedOffsets.find(R.Symbol);
               Sh != State.SharedOffsets.end())
        Address = Sh->second + (R.Generic ? SharedWindow : 0);
      else
        return failAt(M, V.Line,
                      "unknown name '" + R.Symbol +
                          "' in the initialiser of '" + V.Name + "'");
      Address = (Address + uint64_t(R.Addend)) >> R.Shift;
      Memory.write(State.P.Symbols[V.Name].Address + R.Offset, &Address,
                   std::min(R.Size, 8u));
    }
  return {};
}

static Builtin builtinOf(const ptx::Function &F) {
  if (F.HasBody)
    return Builtin::None;
  static const std::unordered_map<std::string_view, Builtin> Map = {
      {"vprintf", Builtin::Vprintf},
      {"malloc", Builtin::Malloc},
      {"free", Builtin::Free},
      {"__assertfail", Builtin::AssertFail}};
  auto It = Map.find(F.Name);
  return It == Map.end() ? Builtin::None : It->second;
}

/// One entry for each name: the definition, if there is one.
static void numberFunctions(DecodeState &State) {
  Program &P = State.P;
  for (const ptx::Function &F : P.Syntax.Functions) {
    if (State.FunctionNumbers.count(F.Name))
      continue;
    const ptx::Function *Best = P.Syntax.find(F.Name);
    State.FunctionNumbers[F.Name] = uint32_t(P.Functions.size());
    auto New = std::make_unique<Function>();
    New->Name = F.Name;
    New->Syntax = Best;
    New->IsEntry = Best->IsEntry;
    New->Kind = builtinOf(*Best);
    P.Functions.push_back(std::move(New));
  }
}

/// Shared memory of the module's scope lies below every kernel's own.
static uint32_t moduleSharedBytes(const DecodeState &State) {
  uint32_t End = 0;
  for (const ptx::Variable &V : State.P.Syntax.Variables)
    if (auto It = State.SharedOffsets.find(V.Name);
        It != State.SharedOffsets.end())
      End = std::max(End, It->second + uint32_t(V.Size));
  return End;
}

static bool usesModuleShared(const DecodeState &State, const ptx::Function &F) {
  auto Names = [&](const ptx::Operand &O, auto &&Self) -> bool {
    if (O.K == ptx::Operand::Symbol && State.SharedOffsets.count(O.Name))
      return true;
    return std::any_of(O.Elements.begin(), O.Elements.end(),
                       [&](const ptx::Operand &E) { return Self(E, Self); });
  };
  for (const ptx::Instruction &I : F.Body)
    for (const ptx::Operand &O : I.Operands)
      if (I.Opcode == "call" || Names(O, Names))
        return true;
  return false;
}

Result<std::unique_ptr<Program>> loadProgram(std::string Text,
                                             std::string FileName,
                                             GlobalMemory &Memory,
                                             DecodeOptions Options) {
  auto P = std::make_unique<Program>();
  Result<ptx::Module> Parsed = ptx::parse(std::move(Text), std::move(FileName));
  if (!Parsed)
    return tl::make_unexpected(Parsed.error());
  P->Syntax = std::move(*Parsed);
  DecodeState State{*P, {}, {}, {}, {}};
  numberFunctions(State);
  if (Result<void> R = placeVariables(State, Memory); !R)
    return tl::make_unexpected(R.error());
  if (Result<void> R = relocate(State, Memory); !R)
    return tl::make_unexpected(R.error());
  uint32_t ModuleShared = moduleSharedBytes(State);
  for (auto &F : P->Functions) {
    if (!F->Syntax->HasBody)
      continue;
    if (!F->IsEntry)
      for (const ptx::Variable &V : F->Syntax->Locals)
        if (V.Where == Space::Shared)
          return failAt(P->Syntax, V.Line,
                        "shared variables inside of functions that are not "
                        "inlined are not supported");
    if (usesModuleShared(State, *F->Syntax))
      F->SharedBytes = ModuleShared;
    bool Architected = Options.UseRegisterMap && hasRegisterMap(*F->Syntax);
    Result<RegisterLayout> Layout =
        Architected ? layoutArchitected(*F->Syntax) : layoutVirtual(*F->Syntax);
    if (!Layout)
      return failAt(P->Syntax, Layout.error().Line, Layout.error().Message);
    F->IsArchitected = Architected;
    F->Places = Layout->Places;
    FunctionDecoder D(State, *F->Syntax, *F, std::move(*Layout));
    if (!D.run())
      return fail(D.takeError());
  }
  P->Constants = State.Pool.take();
  return P;
}

} // namespace regshare::sim
