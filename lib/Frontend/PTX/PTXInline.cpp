//===- PTXInline.cpp - Kernels without calls of the module's functions ----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXInput.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace regshare;
namespace ptx = regshare::sim::ptx;
using ptx::Operand;
using sim::ScalarType;
using sim::Space;

namespace {

/// Of a function with what it calls. Each call could double it.
constexpr size_t MostInstructions = 1'000'000;

/// A .param variable of a kernel, and an offset in it.
using Slot = std::pair<int, uint64_t>;

/// The register that a slot becomes. A load may take the low part of it.
struct SlotRegister {
  unsigned Size = 0;   ///< In bytes: of the widest access.
  unsigned Stored = 8; ///< Of the narrowest store.
  int Register = -1;
  bool IsStored = false;
  const ptx::Instruction *Access = nullptr; ///< The narrowest store, or any.
};

/// What a call is made of.
struct Call {
  ptx::Function *Callee;
  SmallVector<int, 4> Results, Arguments; ///< Variables of the caller.
};

/// Which .param variable of the caller a symbol is; none for what is none, or
/// belongs to calls that stay.
using ParamFinder = function_ref<std::optional<int>(const Operand &)>;

class Inliner {
public:
  explicit Inliner(PTXInput &Input) : Input(Input) {}
  Error run();

private:
  Error visit(ptx::Function &F);
  Expected<std::optional<Call>> callOf(const ptx::Function &F,
                                       const ptx::Instruction &I);

  PTXInput &Input;
  SetVector<ptx::Function *> Path; ///< From the kernel to what is visited.
  SmallPtrSet<ptx::Function *, 8> Done;
};

/// Puts what one function calls into it. What it calls is done already.
class Expansion {
public:
  Expansion(PTXInput &Input, ptx::Function &F,
            std::map<unsigned, Call> CallsOfF)
      : Input(Input), F(F), Calls(std::move(CallsOfF)) {}
  Error run();

private:
  Error findSlots();
  Error findSlots(const std::vector<ptx::Instruction> &Body, ParamFinder Find);
  void addSlot(const ptx::Instruction &I, Slot At, unsigned Size);
  Error makeRegisters();

  void addOwn(const std::vector<ptx::Instruction> &Old);
  void defineSlots(const Call &C, const ptx::Instruction &CallI);
  void addVariables(const ptx::Function &From);
  void addCall(const Call &C, const ptx::Instruction &I);
  void addMoves(const ptx::Instruction &I, int Variable, int FirstRegister);
  void addMove(const ptx::Instruction &Like, const std::string &Opcode,
               const Operand &To, const Operand &From);
  void addBranch(const ptx::Instruction &Return, unsigned To);
  void define(int Register, const ptx::Instruction &Like);
  int newRegister(std::string Name, unsigned Size);
  unsigned bitsOf(const Operand &Register) const {
    return 8 * std::max(2u, sizeOf(F.Registers[Register.Index].Type));
  }
  std::string_view keep(std::string Text) {
    return Input.Texts.emplace_back(std::move(Text));
  }
  std::optional<int> ownParam(const Operand &O) const {
    bool IsOfCall = O.K == Operand::Symbol && InCalls.contains(O.Index);
    return IsOfCall ? std::optional(O.Index) : std::nullopt;
  }

  PTXInput &Input;
  ptx::Function &F;
  std::map<unsigned, Call> Calls; ///< By instruction.
  SmallSet<int, 8> InCalls;       ///< Variables of these calls.
  std::map<Slot, SlotRegister> Slots;
  int LastBlock = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Accesses of parameters
//===----------------------------------------------------------------------===//

/// The symbol that a load or store of the parameter space accesses.
static const Operand *accessed(const ptx::Instruction &I) {
  if ((I.Opcode != "ld" && I.Opcode != "st") || !I.has("param"))
    return nullptr;
  for (const Operand &O : I.Operands)
    if (O.K == Operand::Address && !O.Elements.empty() &&
        O.Elements[0].K == Operand::Symbol)
      return &O;
  return nullptr;
}

static uint64_t offsetOf(const Operand &Address) {
  return uint64_t(Address.Value + Address.Elements[0].Value);
}

static ScalarType typeOf(const ptx::Instruction &I) {
  for (std::string_view Mod : reverse(I.Mods))
    if (std::optional<ScalarType> T = sim::parseScalarType(Mod))
      return *T;
  return ScalarType::B32;
}

/// The values that are loaded or stored.
static ArrayRef<Operand> valuesOf(const ptx::Instruction &I) {
  const Operand &O = I.Operands[I.Opcode == "ld" ? 0 : 1];
  return O.K == Operand::Vector ? ArrayRef(O.Elements) : ArrayRef(O);
}

static bool any(const Operand &O, function_ref<bool(const Operand &)> Holds) {
  return Holds(O) ||
         any_of(O.Elements, [&](const Operand &E) { return any(E, Holds); });
}

static Error badUse(const PTXInput &Input, const ptx::Instruction &I,
                    const Twine &Why) {
  // nvcc writes a call on several lines.
  SmallVector<StringRef, 8> Words;
  SplitString(I.Text, Words, " \t\n\r");
  return ptxError(Input, I.Line, "'" + join(Words, " ") + "': " + Why);
}

void Expansion::addSlot(const ptx::Instruction &I, Slot At, unsigned Size) {
  SlotRegister &S = Slots[At];
  S.Size = std::max(S.Size, Size);
  if (!S.Access || (I.Opcode == "st" && Size < S.Stored))
    S.Access = &I;
  if (I.Opcode == "st") {
    S.IsStored = true;
    S.Stored = std::min(S.Stored, Size);
  }
}

Error Expansion::makeRegisters() {
  for (auto It = Slots.begin(); It != Slots.end(); ++It) {
    auto &[At, S] = *It;
    auto Next = std::next(It);
    bool Overlaps = Next != Slots.end() && Next->first.first == At.first &&
                    Next->first.second < At.second + S.Size;
    if (Overlaps || S.Stored < S.Size)
      return badUse(Input, Overlaps ? *Next->second.Access : *S.Access,
                    "parts of what is stored elsewhere at once, or the other "
                    "way round; RegShare makes the function a part of its "
                    "kernel, where each part of a parameter is a register");
    S.Register = newRegister(
        F.Locals[At.first].Name + "+" + std::to_string(At.second), S.Size);
  }
  return Error::success();
}

Error Expansion::findSlots(const std::vector<ptx::Instruction> &Body,
                           ParamFinder Find) {
  for (const ptx::Instruction &I : Body) {
    const Operand *Address = accessed(I);
    std::optional<int> Variable =
        Address ? Find(Address->Elements[0]) : std::nullopt;
    if (!Variable) {
      auto IsParam = [&](const Operand &O) { return Find(O).has_value(); };
      if (I.Opcode != "call" &&
          any_of(I.Operands, [&](const Operand &O) { return any(O, IsParam); }))
        return badUse(Input, I,
                      "takes the address of a parameter of a function of the "
                      "module; expected only loads and stores of it");
      continue;
    }
    unsigned Size = sizeOf(typeOf(I));
    if (!Size || Size > 8 || I.Operands.size() != 2)
      return badUse(Input, I,
                    "expected a value of 8 to 64 bits and the parameter");
    uint64_t Offset = offsetOf(*Address);
    for (const Operand &Value : valuesOf(I)) {
      bool IsNumber = Value.K == Operand::Int || Value.K == Operand::Float32 ||
                      Value.K == Operand::Float64;
      if (Value.K != Operand::Reg && !(I.Opcode == "st" && IsNumber))
        return badUse(Input, I,
                      I.Opcode == "st" ? "expected registers or numbers"
                                       : "expected registers");
      addSlot(I, {*Variable, Offset}, Size);
      Offset += Size;
    }
  }
  return Error::success();
}

/// The variable of the caller that stands for a parameter of the callee.
static std::optional<int> paramOf(const Call &C, const Operand &O) {
  if (O.K != Operand::Symbol || O.Index >= 0)
    return std::nullopt;
  auto In = [&](const std::vector<ptx::Variable> &Of,
                ArrayRef<int> Variables) -> std::optional<int> {
    for (auto [V, Variable] : zip(Of, Variables))
      if (V.Name == O.Name)
        return Variable;
    return std::nullopt;
  };
  if (std::optional<int> Found = In(C.Callee->Params, C.Arguments))
    return Found;
  return In(C.Callee->Returns, C.Results);
}

Error Expansion::findSlots() {
  for (const auto &[N, C] : Calls) {
    InCalls.insert(C.Results.begin(), C.Results.end());
    InCalls.insert(C.Arguments.begin(), C.Arguments.end());
    if (Error E = findSlots(C.Callee->Body, [&C = C](const Operand &O) {
          return paramOf(C, O);
        }))
      return E;
  }
  if (Error E =
          findSlots(F.Body, [&](const Operand &O) { return ownParam(O); }))
    return E;
  return makeRegisters();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

int Expansion::newRegister(std::string Name, unsigned Size) {
  ptx::Register R;
  R.Name = std::move(Name);
  R.Type = Size == 8   ? ScalarType::B64
           : Size == 4 ? ScalarType::B32
                       : ScalarType::B16;
  F.Registers.push_back(std::move(R));
  return int(F.Registers.size()) - 1;
}

static Operand registerOperand(int Index, std::string_view Name) {
  Operand O;
  O.K = Operand::Reg;
  O.Index = Index;
  O.Name = Name;
  return O;
}

/// As it is written in PTX. A register is called by its role.
static std::string textOf(const Operand &O, std::string_view Role) {
  switch (O.K) {
  case Operand::Float32:
    return "0f" + utohexstr(uint64_t(O.Value) & UINT32_MAX, false, 8);
  case Operand::Float64:
    return "0d" + utohexstr(uint64_t(O.Value), false, 16);
  case Operand::Int:
    return std::to_string(O.Value);
  default:
    return std::string(Role);
  }
}

void Expansion::addMove(const ptx::Instruction &Like, const std::string &Opcode,
                        const Operand &To, const Operand &From) {
  ptx::Instruction I;
  I.Guard = Like.Guard;
  I.GuardNegated = Like.GuardNegated;
  I.Line = Like.Line;
  I.Location = Like.Location;
  I.Operands = {To, From};
  I.Operands[0].Name = "%to";
  if (From.K == Operand::Reg)
    I.Operands[1].Name = "%from";
  std::string Guard =
      I.Guard < 0 ? "" : std::string(I.GuardNegated ? "@!" : "@") + "%if ";
  I.Text = keep(Guard + Opcode + " %to, " + textOf(From, "%from"));
  StringRef Name = StringRef(I.Text).drop_front(Guard.size());
  SmallVector<StringRef, 3> Parts;
  Name.take_until(isSpace).split(Parts, '.');
  I.Opcode = Parts[0];
  for (StringRef Mod : drop_begin(Parts))
    I.Mods.push_back(Mod);
  F.Body.push_back(std::move(I));
}

/// A parameter's load or store, as moves between registers. A load extends, a
/// store cuts off, where the register is wider than what is accessed.
void Expansion::addMoves(const ptx::Instruction &I, int Variable,
                         int FirstRegister) {
  const bool IsLoad = I.Opcode == "ld";
  const ScalarType T = typeOf(I);
  const unsigned Size = sizeOf(T);
  uint64_t Offset = offsetOf(*accessed(I));
  for (Operand Value : valuesOf(I)) {
    Operand Kept = registerOperand(Slots.at({Variable, Offset}).Register, "");
    const unsigned Bits = bitsOf(Kept);
    unsigned Width = Bits;
    if (Value.K == Operand::Reg) {
      Value.Index += FirstRegister;
      Width = bitsOf(Value);
    }
    std::string Opcode = "mov.b" + std::to_string(Bits);
    if (IsLoad && (Width != Bits || 8 * Size != Bits))
      Opcode = (Twine("cvt.") + (isSigned(T) ? "s" : "u") + Twine(Width) +
                (isSigned(T) ? ".s" : ".u") + Twine(8 * Size))
                   .str();
    else if (!IsLoad && Width != Bits)
      Opcode = "cvt.u" + std::to_string(Bits) + ".u" + std::to_string(Width);
    addMove(I, Opcode, IsLoad ? Value : Kept, IsLoad ? Kept : Value);
    Offset += Size;
  }
}

/// A result that is not written on some path holds some value, as does what
/// fills an argument between its members.
void Expansion::define(int Register, const ptx::Instruction &Like) {
  ptx::Instruction I;
  I.Opcode = "implicit-def";
  I.Operands = {registerOperand(Register, "%to")};
  I.Line = Like.Line;
  I.Location = Like.Location;
  I.Text = "implicit-def: %to";
  F.Body.push_back(std::move(I));
}

void Expansion::addBranch(const ptx::Instruction &Return, unsigned To) {
  ptx::Instruction I = Return;
  I.Opcode = "bra";
  I.Text = "bra END";
  Operand Target;
  Target.K = Operand::Label;
  Target.Index = int32_t(To);
  Target.Name = "END";
  I.Operands = {Target};
  F.Body.push_back(std::move(I));
}

/// Gives \p O of a body that begins elsewhere its registers and variables.
static void shift(Operand &O, int FirstRegister, int FirstLocal) {
  if (O.K == Operand::Reg)
    O.Index += FirstRegister;
  else if (O.K == Operand::Symbol && O.Index >= 0)
    O.Index += FirstLocal;
  for (Operand &E : O.Elements)
    shift(E, FirstRegister, FirstLocal);
}

/// Labels of the instructions from \p First on, by the numbers that they had.
static void moveLabels(std::vector<ptx::Instruction> &Body,
                       ArrayRef<unsigned> Moved, ArrayRef<uint32_t> NewNumber) {
  for (unsigned N : Moved)
    for (Operand &O : Body[N].Operands)
      if (O.K == Operand::Label)
        O.Index = int32_t(NewNumber[O.Index]);
}

/// The slots of a call that nothing before the body need have written.
void Expansion::defineSlots(const Call &C, const ptx::Instruction &CallI) {
  for (const auto &[Where, In] : Slots) {
    bool IsResult = is_contained(C.Results, Where.first);
    if (IsResult || (!In.IsStored && is_contained(C.Arguments, Where.first)))
      define(In.Register, CallI);
  }
}

/// The registers and local variables of \p From, which follow those of F.
void Expansion::addVariables(const ptx::Function &From) {
  for (ptx::Register R : From.Registers) {
    // No compiler's name of the frame.
    R.Name = "%" + From.Name + ":" + R.Name.substr(R.Name.starts_with('%'));
    F.Registers.push_back(std::move(R));
  }
  F.Locals.insert(F.Locals.end(), From.Locals.begin(), From.Locals.end());
}

void Expansion::addCall(const Call &C, const ptx::Instruction &CallI) {
  const ptx::Function &From = *C.Callee;
  defineSlots(C, CallI);
  const int FirstRegister = int(F.Registers.size()),
            FirstLocal = int(F.Locals.size());
  addVariables(From);
  std::map<std::string_view, std::string_view> Tables;
  for (const ptx::TargetTable &T : From.Tables)
    Tables[T.Name] = keep(T.Name + ":" + std::to_string(F.Tables.size()) + "_" +
                          std::to_string(F.Body.size()));

  std::vector<uint32_t> NewNumber;
  SmallVector<unsigned, 8> Branches, Returns;
  int Blocks = LastBlock;
  for (const ptx::Instruction &I : From.Body) {
    NewNumber.push_back(uint32_t(F.Body.size()));
    const Operand *Address = accessed(I);
    std::optional<int> Variable =
        Address ? paramOf(C, Address->Elements[0]) : std::nullopt;
    ptx::Instruction New = I;
    if (New.Guard >= 0)
      New.Guard += FirstRegister;
    if (Variable) {
      addMoves(New, *Variable, FirstRegister);
      continue;
    }
    for (Operand &O : New.Operands)
      shift(O, FirstRegister, FirstLocal);
    if (New.Block)
      LastBlock = std::max(LastBlock, New.Block += Blocks);
    if (New.Opcode == "ret") {
      Returns.push_back(unsigned(F.Body.size()));
      addBranch(New, 0);
      continue;
    }
    if (New.Opcode == "brx" && New.Operands.size() > 1)
      if (auto It = Tables.find(New.Operands[1].Name); It != Tables.end())
        New.Operands[1].Name = It->second;
    Branches.push_back(unsigned(F.Body.size()));
    F.Body.push_back(std::move(New));
  }
  auto End = uint32_t(F.Body.size());
  NewNumber.push_back(End);
  moveLabels(F.Body, Branches, NewNumber);
  for (unsigned N : Returns)
    F.Body[N].Operands[0].Index = int32_t(End);
  for (const ptx::TargetTable &T : From.Tables) {
    ptx::TargetTable Moved{std::string(Tables.at(T.Name)), {}};
    for (uint32_t To : T.Targets)
      Moved.Targets.push_back(NewNumber[To]);
    F.Tables.push_back(std::move(Moved));
  }
}

void Expansion::addOwn(const std::vector<ptx::Instruction> &Old) {
  std::vector<uint32_t> NewNumber;
  SmallVector<unsigned, 8> Own;
  size_t NumTables = F.Tables.size();
  for (const auto &[N, I] : enumerate(Old)) {
    NewNumber.push_back(uint32_t(F.Body.size()));
    const Operand *Address = accessed(I);
    std::optional<int> Variable =
        Address ? ownParam(Address->Elements[0]) : std::nullopt;
    if (auto It = Calls.find(unsigned(N)); It != Calls.end()) {
      addCall(It->second, I);
    } else if (Variable) {
      addMoves(I, *Variable, 0);
    } else {
      Own.push_back(unsigned(F.Body.size()));
      F.Body.push_back(I);
    }
  }
  NewNumber.push_back(uint32_t(F.Body.size()));
  moveLabels(F.Body, Own, NewNumber);
  for (ptx::TargetTable &T : MutableArrayRef(F.Tables).take_front(NumTables))
    for (uint32_t &To : T.Targets)
      To = NewNumber[To];
  for (ptx::Pragma &P : F.Pragmas)
    P.Before = NewNumber[P.Before];
}

Error Expansion::run() {
  for (const ptx::Instruction &I : F.Body)
    LastBlock = std::max(LastBlock, I.Block);
  if (Error E = findSlots())
    return E;
  std::vector<ptx::Instruction> Old = std::exchange(F.Body, {});
  addOwn(Old);
  if (F.Body.size() > MostInstructions)
    return ptxError(Input, F.Line,
                    "'" + F.Name + "' has " + Twine(F.Body.size()) +
                        " instructions with the functions that it calls; "
                        "expected at most " +
                        Twine(MostInstructions));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Nothing for a call that stays: of another module's function, through a
/// pointer.
Expected<std::optional<Call>> Inliner::callOf(const ptx::Function &F,
                                              const ptx::Instruction &I) {
  if (I.Opcode != "call" || I.Guard >= 0)
    return std::nullopt;
  Call C{};
  bool AreVariables = true;
  for (const Operand &O : I.Operands) {
    if (O.K == Operand::List) {
      for (const Operand &E : O.Elements) {
        AreVariables &= E.K == Operand::Symbol && E.Index >= 0 &&
                        F.Locals[E.Index].Where == Space::Param;
        (C.Callee ? C.Arguments : C.Results).push_back(E.Index);
      }
    } else if (!C.Callee && O.K == Operand::Symbol) {
      for (ptx::Function &F : Input.Module.Functions)
        if (F.HasBody && !F.IsEntry && F.Name == O.Name)
          C.Callee = &F;
      if (!C.Callee)
        return std::nullopt;
    }
  }
  if (!C.Callee)
    return std::nullopt;
  if (!AreVariables || C.Arguments.size() != C.Callee->Params.size() ||
      C.Results.size() != C.Callee->Returns.size())
    return badUse(Input, I,
                  "expected " + Twine(C.Callee->Returns.size()) + " and " +
                      Twine(C.Callee->Params.size()) +
                      " .param variables, as '" + C.Callee->Name + "' has");
  return std::optional(std::move(C));
}

Error Inliner::visit(ptx::Function &F) {
  Path.insert(&F);
  std::map<unsigned, Call> Calls;
  for (const auto &[N, I] : enumerate(F.Body)) {
    Expected<std::optional<Call>> Found = callOf(F, I);
    if (!Found)
      return Found.takeError();
    std::optional<Call> &C = *Found;
    if (!C)
      continue;
    if (Path.contains(C->Callee))
      return badUse(Input, I,
                    "'" + C->Callee->Name +
                        "' calls itself; RegShare takes PTX whose functions "
                        "can become a part of their kernels");
    for (const ptx::Variable &V : C->Callee->Locals)
      if (V.Where == Space::Shared)
        return badUse(Input, I,
                      "'" + C->Callee->Name + "' has the shared variable '" +
                          V.Name + "'; expected it outside of the function");
    if (!Done.contains(C->Callee))
      if (Error E = visit(*C->Callee))
        return E;
    Calls.emplace(unsigned(N), std::move(*C));
  }
  Path.remove(&F);
  Done.insert(&F);
  if (Calls.empty())
    return Error::success();
  return Expansion(Input, F, std::move(Calls)).run();
}

Error Inliner::run() {
  for (ptx::Function &F : Input.Module.Functions)
    if (F.IsEntry && F.HasBody)
      if (Error E = visit(F))
        return E;
  return Error::success();
}

Error regshare::inlinePTXFunctions(PTXInput &Input) {
  return Inliner(Input).run();
}
