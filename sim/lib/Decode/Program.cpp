//===- Program.cpp - Loads programs -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "StraightRuns.h"
#include "WaitingLoops.h"

#include <algorithm>
#include <atomic>
#include <unordered_set>
#include <utility>

namespace regshare::sim {

std::string Function::nameOf(uint32_t Access) const {
  std::string Names;
  if (Access >= firstUniform()) {
    uint32_t Unit = Access - firstUniform();
    for (size_t R = 0; R != UniformUnits.size(); ++R)
      if (uint32_t First = UniformUnits[R];
          First != NoPlace && Unit >= First &&
          Unit < First + rowsOf(Syntax->Registers[R].Type))
        Names += (Names.empty() ? "" : " or ") + Syntax->Registers[R].Name;
    return "U" + std::to_string(Unit) + ": " + Names;
  }
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

bool Program::hasReuse() const {
  return std::ranges::any_of(Functions,
                             [](const auto &F) { return F->HasReuse; });
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

/// A variant of \p Base uses the variables of \p Base, as they are by now.
static Result<void> takeVariables(DecodeState &State, const Program &Base) {
  const ptx::Module &M = State.P.Syntax;
  if (!std::ranges::equal(
          State.P.Functions, Base.Functions, {},
          [](const auto &F) { return F->Name; },
          [](const auto &F) { return F->Name; }))
    return failAt(M, 0, "not the functions of " + Base.Syntax.FileName);
  for (const ptx::Variable &V : M.Variables) {
    if (V.Where == Space::Shared) {
      if (V.Size == 0)
        State.ExternShared[V.Name] = &V;
      continue;
    }
    auto It = Base.Symbols.find(V.Name);
    if (It == Base.Symbols.end() || It->second.Size != V.Size)
      return failAt(M, V.Line,
                    "'" + V.Name + "' is no variable of " +
                        Base.Syntax.FileName);
    State.P.Symbols.insert(*It);
  }
  return {};
}

/// Allocates the module's variables and writes their initial values.
static Result<void>
placeVariables(DecodeState &State, GlobalMemory &Memory,
               const std::map<std::string, uint64_t> &Placed) {
  const ptx::Module &M = State.P.Syntax;
  for (const ptx::Variable &V : M.Variables) {
    if (V.Where == Space::Shared) {
      if (V.Size == 0)
        State.ExternShared[V.Name] = &V;
      continue;
    }
    if (V.Extern)
      return failAt(M, V.Line,
                    "extern variable '" + V.Name + "' is not defined");
    if (auto It = Placed.find(V.Name); It != Placed.end()) {
      State.P.Symbols[V.Name] = {It->second, V.Size, V.Where};
      continue;
    }
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
    New->Kind = Best->HasBody ? DeviceCall::None : deviceCallOf(F.Name);
    P.Functions.push_back(std::move(New));
  }
}

namespace {
/// Where shared variables of the module's scope lie: below a kernel's own.
struct SharedLayout {
  std::unordered_map<std::string_view, uint32_t> Offsets;
  uint32_t Bytes = 0;
  uint64_t Sizes = 0;  ///< Without padding.
  bool IsExact = true; ///< Of what the function names, and nothing else.
};
} // namespace

/// Lays out the variables whose names are \p Wanted.
template <typename Predicate>
static SharedLayout layoutShared(const ptx::Module &M, Predicate Wanted) {
  SharedLayout L;
  for (const ptx::Variable &V : M.Variables) {
    if (V.Where != Space::Shared || V.Size == 0 || !Wanted(V.Name))
      continue;
    L.Bytes = (L.Bytes + V.Align - 1) / V.Align * V.Align;
    L.Offsets[V.Name] = L.Bytes;
    L.Bytes += uint32_t(V.Size);
    L.Sizes += V.Size;
  }
  return L;
}

/// What the descriptor says is at least what the kernel names, and at most what
/// there is: padding depends on the compiler's order of variables.
static Result<void> checkSharedBytes(const DecodeState &State,
                                     const ptx::Function &F,
                                     const SharedLayout &L,
                                     const RegisterLayout &Said) {
  uint64_t Least = L.IsExact ? L.Sizes : 0, Most = 0;
  for (const ptx::Variable &V : F.Locals)
    if (V.Where == Space::Shared) {
      Least += V.Size;
      Most += V.Size + V.Align - 1;
    }
  for (const ptx::Variable &V : State.P.Syntax.Variables)
    if (V.Where == Space::Shared)
      Most += V.Size + V.Align - 1;
  if (!Said.DescriptorLine ||
      (Said.SharedBytes >= Least && Said.SharedBytes <= Most))
    return {};
  return failAt(State.P.Syntax, Said.DescriptorLine,
                "regshare.kernel: expected shared=" + std::to_string(Least) +
                    ", what the shared variables of '" + F.Name +
                    "' take, found shared=" + std::to_string(Said.SharedBytes));
}

static void collectSymbols(const ptx::Operand &O,
                           std::unordered_set<std::string_view> &Names) {
  if (O.K == ptx::Operand::Symbol)
    Names.insert(O.Name);
  for (const ptx::Operand &E : O.Elements)
    collectSymbols(E, Names);
}

/// True if \p I runs code of the module other than its function's.
static bool callsIntoModule(const DecodeState &State,
                            const ptx::Instruction &I) {
  if (I.Opcode != "call")
    return false;
  std::unordered_set<std::string_view> Names;
  for (const ptx::Operand &O : I.Operands)
    collectSymbols(O, Names);
  bool Known = false;
  for (std::string_view Name : Names)
    if (auto It = State.FunctionNumbers.find(Name);
        It != State.FunctionNumbers.end()) {
      Known = true;
      if (State.P.Functions[It->second]->Kind == DeviceCall::None)
        return true;
    }
  return !Known;
}

/// A kernel has the variables that it names, as with ptxas. Where other
/// functions or initialisers may name some as well, all kernels agree on
/// \p All.
static SharedLayout sharedLayoutOf(const DecodeState &State,
                                   const ptx::Function &F,
                                   const SharedLayout &All) {
  if (!F.IsEntry)
    return All;
  for (const ptx::Variable &V : State.P.Syntax.Variables)
    for (const ptx::Relocation &R : V.Relocations)
      if (All.Offsets.count(R.Symbol))
        return All;
  std::unordered_set<std::string_view> Names;
  for (const ptx::Instruction &I : F.Body) {
    if (callsIntoModule(State, I))
      return All;
    for (const ptx::Operand &O : I.Operands)
      collectSymbols(O, Names);
  }
  return layoutShared(State.P.Syntax, [&](const std::string &Name) {
    return Names.count(Name) != 0;
  });
}

/// Of a thread, on every GPU (CUDA's programming guide, compute capabilities).
static constexpr uint32_t MaxLocalBytes = 512 * 1024;

static Result<void> decodeFunction(DecodeState &State, Function &F,
                                   const SharedLayout &AllShared,
                                   const DecodeOptions &Options) {
  const ptx::Module &Module = State.P.Syntax;
  const ptx::Function &Syntax = *F.Syntax;
  if (!Syntax.HasBody)
    return {};
  if (!F.IsEntry)
    for (const ptx::Variable &V : Syntax.Locals)
      if (V.Where == Space::Shared)
        return failAt(Module, V.Line,
                      "shared variables inside of functions that are not "
                      "inlined are not supported");
  SharedLayout Shared = sharedLayoutOf(State, Syntax, AllShared);
  State.SharedOffsets = std::move(Shared.Offsets);
  F.SharedBytes = Shared.Bytes;
  bool Architected = Options.UseRegisterMap && hasRegisterMap(Syntax);
  Result<RegisterLayout> Layout =
      Architected ? layoutArchitected(Syntax) : layoutVirtual(Syntax);
  if (!Layout)
    return failAt(Module, Layout.error().Line, Layout.error().Message);
  if (Result<void> Ok = checkSharedBytes(State, Syntax, Shared, *Layout); !Ok)
    return Ok;
  F.IsArchitected = Architected;
  F.Places = Layout->Places;
  FunctionDecoder D(State, Syntax, F, std::move(*Layout));
  if (!D.run())
    return fail(D.takeError());
  if (F.LocalBytes > MaxLocalBytes)
    return failAt(Module, Syntax.Line,
                  "'" + F.Name + "' takes " + std::to_string(F.LocalBytes) +
                      " bytes of local memory; a thread has at most " +
                      std::to_string(MaxLocalBytes));
  return {};
}

/// What was decoded of \p F is dropped, and no kernel is found by its name.
static void refuse(Program &P, Function &F, std::string Why) {
  P.Refused.emplace(F.Name, std::move(Why));
  auto Empty = std::make_unique<Function>();
  Empty->Name = F.Name;
  Empty->Syntax = F.Syntax;
  F = std::move(*Empty);
}

/// The function that cannot be used and that \p F may call; null if there is
/// none. A pointer may be any function's.
static const std::string *refusedCallee(const Program &P, const Function &F) {
  auto WhyNot = [&](const Function &Callee) -> const std::string * {
    auto It = P.Refused.find(Callee.Name);
    return It != P.Refused.end() ? &It->second : nullptr;
  };
  for (const CallSite &Site : F.Calls) {
    if (Site.Callee != NoTarget) {
      if (const std::string *Why = WhyNot(*P.Functions[Site.Callee]))
        return Why;
      continue;
    }
    for (const auto &Callee : P.Functions)
      if (const std::string *Why = WhyNot(*Callee);
          Why && !Callee->Syntax->IsEntry)
        return Why;
  }
  return nullptr;
}

static void refuseCallers(Program &P) {
  for (bool Changed = !P.Refused.empty(); Changed;) {
    Changed = false;
    for (auto &F : P.Functions)
      if (const std::string *Why = refusedCallee(P, *F)) {
        refuse(P, *F, *Why);
        Changed = true;
      }
  }
}

uint64_t Program::nextNumber() {
  static std::atomic<uint64_t> Last = 0;
  return ++Last;
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
  const std::map<std::string, uint64_t> Own = std::move(Options.Placed);
  Result<void> Placed = Options.VariantOf
                            ? takeVariables(State, *Options.VariantOf)
                            : placeVariables(State, Memory, Own);
  if (!Placed)
    return tl::make_unexpected(Placed.error());
  SharedLayout AllShared =
      layoutShared(P->Syntax, [](const std::string &) { return true; });
  AllShared.IsExact = false;
  State.SharedOffsets = AllShared.Offsets;
  if (!Options.VariantOf)
    if (Result<void> R = relocate(State, Memory); !R)
      return tl::make_unexpected(R.error());
  std::optional<Diagnostic> FirstError;
  for (auto &F : P->Functions) {
    Result<void> Decoded = decodeFunction(State, *F, AllShared, Options);
    if (Decoded)
      continue;
    if (!Options.GoOn)
      return tl::make_unexpected(Decoded.error());
    refuse(*P, *F, Decoded.error().str());
    if (!FirstError)
      FirstError = Decoded.error();
  }
  refuseCallers(*P);
  if (FirstError && P->kernelNames().empty())
    return tl::make_unexpected(*FirstError);
  P->Constants = State.Pool.take();
  findWaitingLoops(*P);
  findStraightRuns(*P);
  return P;
}

} // namespace regshare::sim
