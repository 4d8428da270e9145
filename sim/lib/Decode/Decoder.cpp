//===- Decoder.cpp - Functions and their operands -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <algorithm>
#include <cstring>

namespace regshare::sim {

RowRef ConstantPool::append(uint32_t Value) {
  auto Row = RowRef(Words.size() / WarpSize);
  Words.insert(Words.end(), WarpSize, Value);
  return Row | ConstRow;
}

RowRef ConstantPool::word(uint32_t Value) {
  auto [It, New] = Single.emplace(Value, 0);
  if (New)
    It->second = append(Value);
  return It->second;
}

RowRef ConstantPool::pair(uint64_t Value) {
  auto [It, New] = Pairs.emplace(Value, 0);
  if (New) {
    It->second = append(uint32_t(Value));
    append(uint32_t(Value >> 32));
  }
  return It->second;
}

RowRef ConstantPool::reserve(unsigned Rows) {
  RowRef First = append(0);
  while (--Rows)
    append(0);
  return First;
}

FunctionDecoder::FunctionDecoder(DecodeState &State,
                                 const ptx::Function &Syntax, Function &F,
                                 RegisterLayout Layout)
    : State(State), Syntax(Syntax), F(F), Layout(std::move(Layout)) {}

bool FunctionDecoder::fail(const std::string &Message) {
  if (Error.Message.empty()) {
    Error.Message = Message;
    if (S)
      Error.Message += " in '" + std::string(S->Text) + "'";
    Error.File = State.P.Syntax.FileName;
    Error.Line = S ? S->Line : Syntax.Line;
  }
  return false;
}

static uint32_t alignTo(uint32_t Value, uint32_t Align) {
  return (Value + Align - 1) / Align * Align;
}

/// Local variables, the parameters of call sequences and, in functions, their
/// own parameters all live in the frame.
void FunctionDecoder::layoutLocals() {
  uint32_t Offset = 0, Shared = F.SharedBytes;
  auto Place = [](uint32_t &End, uint32_t Align, uint32_t Size) {
    uint32_t At = alignTo(End, std::max(Align, 1u));
    End = At + Size;
    return At;
  };
  if (F.IsEntry) {
    for (const ptx::Variable &V : Syntax.Params)
      F.Params.push_back({Place(F.ParamBytes, V.Align, uint32_t(V.Size)),
                          uint32_t(V.Size), V.Align});
  } else {
    for (const ptx::Variable &V : Syntax.Params)
      F.Params.push_back({Place(Offset, std::max(V.Align, 4u), V.Size),
                          uint32_t(V.Size), V.Align});
    for (const ptx::Variable &V : Syntax.Returns)
      F.Returns.push_back({Place(Offset, std::max(V.Align, 4u), V.Size),
                           uint32_t(V.Size), V.Align});
  }
  for (const ptx::Variable &V : Syntax.Locals)
    LocalOffsets.push_back(
        V.Where == Space::Shared
            ? Place(Shared, V.Align, uint32_t(V.Size))
            : Place(Offset, std::max(V.Align, 4u), uint32_t(V.Size)));
  F.LocalBytes = alignTo(Offset, 16);
  F.SharedBytes = Shared;
}

bool FunctionDecoder::run() {
  F.NumPreds = Layout.NumPreds + 1;
  F.RegsPerThread = Layout.RegsPerThread;
  F.Scheme = std::move(Layout.Scheme);
  F.Facts = std::move(Layout.Facts);
  F.NumRows = Layout.NumRows + 2;
  ScratchRow = Layout.NumRows;
  ScratchPred = Layout.NumPreds;
  Written.assign(Syntax.Registers.size(), false);
  layoutLocals();
  if (Layout.Native)
    placeConstants();
  if (const CodeFamily *Family = findCode(F.Scheme)) {
    Result<std::unique_ptr<StatementDecoder>> Made = Family->Decoder(F);
    if (!Made) {
      Error = {Made.error().Message, State.P.Syntax.FileName, 0, 0};
      return false;
    }
    Statements = std::move(*Made);
  }
  if (!decodeAll())
    return false;
  if (Native && !Native->takeConstants(F.Constants))
    return failNative();
  for (Inst &B : F.Code)
    if (B.Kind == InstKind::Branch)
      B.Target = StartOf[B.Target];
  for (std::vector<uint32_t> &Table : F.BranchTables)
    for (uint32_t &Target : Table)
      Target = StartOf[Target];
  if (Native && !checkProgress())
    return false;
  markUndefined();
  if (Statements)
    F.Rules = Statements->take();
  if (!markAttention())
    return false;
  computeReconvergence();
  return true;
}

/// Fills F.Code, with branches to instructions of the text.
bool FunctionDecoder::decodeAll() {
  for (const ptx::Instruction &PI : Syntax.Body) {
    S = &PI;
    StartOf.push_back(uint32_t(F.Code.size()));
    // Annotations of registers that are not in use say nothing.
    if (isAnnotation(PI) && !F.IsArchitected)
      continue;
    if (!comesTo(&PI))
      return false;
    if (!(isAnnotation(PI) ? decodeStatement() : decodeOne()))
      return false;
  }
  if (!comesTo(nullptr))
    return false;
  StartOf.push_back(uint32_t(F.Code.size()));
  S = nullptr;
  // Falling off the end returns.
  I = Inst();
  I.Kind = InstKind::Return;
  I.Unit = UnitClass::Control;
  I.Source = Syntax.Body.empty() ? 0 : uint32_t(Syntax.Body.size()) - 1;
  Reads.clear();
  Writes.clear();
  return finish();
}

/// A register that no instruction writes is an operand LLVM knows to be
/// undefined; reading it is no mistake of the program's, and concerns no row.
void FunctionDecoder::markUndefined() {
  uint32_t Always = F.NumRows + ScratchPred;
  F.AlwaysWritten = Always;
  for (auto [Access, Register] : ReadsOf)
    if (!Written[Register])
      F.Accesses[Access] = Always;
}

/// What needs attention when it executes. Fails where the scheme's rules attend
/// to something else.
bool FunctionDecoder::markAttention() {
  for (size_t N = 0; N != F.Code.size(); ++N) {
    Inst &Each = F.Code[N];
    if (Each.MemberOp)
      Each.Attention |= AttendMembers;
    if (Native && !F.Native[N].isPlain())
      Each.Attention |= AttendNative;
    uint8_t OfRules = F.Rules ? F.Rules->attentionTo(N) : 0;
    if (OfRules & ~(AttendBefore | AttendAfter))
      return fail(
          "scheme '" + F.Scheme + "': its CodeRules::attentionTo() returned " +
          std::to_string(OfRules) + " for instruction " + std::to_string(N) +
          "; expected AttendBefore, " + "AttendAfter, both or 0");
    Each.Attention |= OfRules;
  }
  return true;
}

bool FunctionDecoder::decodeGuard() {
  if (S->Guard < 0)
    return true;
  ptx::Operand Guard;
  Guard.K = ptx::Operand::Reg;
  Guard.Index = S->Guard;
  Guard.Negated = S->GuardNegated;
  return predSource(Guard, I.Guard);
}

bool FunctionDecoder::decodeOne() {
  I = Inst();
  I.Source = uint32_t(S - Syntax.Body.data());
  Reads.clear();
  Writes.clear();
  Mods = S->Mods;
  NumCacheOperands = 0;
  auto It = rules().find(S->Opcode);
  if (It == rules().end())
    return fail("instruction '" + std::string(S->Opcode) +
                "' is not supported");
  return decodeGuard() && (this->*It->second)() && noModsLeft() &&
         (Native ? finishNative() : finish());
}

bool FunctionDecoder::finish() {
  if (Statements &&
      !Statements->decoded({I, S, Reads, Writes, OfNative.NumFolded}))
    return failStatement();
  I.FirstAccess = uint32_t(F.Accesses.size());
  for (size_t K = 0; K != ReadRegs.size(); ++K)
    ReadsOf.emplace_back(I.FirstAccess + K, ReadRegs[K]);
  I.NumReads = uint16_t(Reads.size());
  I.NumWrites = uint16_t(Writes.size());
  F.Accesses.insert(F.Accesses.end(), Reads.begin(), Reads.end());
  F.Accesses.insert(F.Accesses.end(), Writes.begin(), Writes.end());
  F.Accesses.insert(F.Accesses.end(), Dead.begin(), Dead.end());
  Reads.clear();
  ReadRegs.clear();
  Writes.clear();
  Dead.clear();
  if (Native)
    F.Native.push_back(std::exchange(OfNative, {}));
  F.Code.push_back(I);
  return true;
}

bool FunctionDecoder::handler(const std::string &Name) {
  I.Fn = findHandler(Name);
  return I.Fn || fail("no such instruction (" + Name + ")");
}

bool FunctionDecoder::expectOps(unsigned Min, unsigned Max) {
  if (numOps() >= Min && numOps() <= Max)
    return true;
  return fail("wrong number of operands");
}

bool FunctionDecoder::takeMod(std::string_view Name) {
  auto It = std::find(Mods.begin(), Mods.end(), Name);
  if (It == Mods.end())
    return false;
  Mods.erase(It);
  return true;
}

/// The last type among the modifiers.
bool FunctionDecoder::takeType(ScalarType &T) {
  for (size_t K = Mods.size(); K-- != 0;)
    if (std::optional<ScalarType> Found = parseScalarType(Mods[K])) {
      T = *Found;
      Mods.erase(Mods.begin() + K);
      return true;
    }
  return fail("an instruction type is missing or not supported");
}

void FunctionDecoder::takeRounding() {
  constexpr std::string_view Names[] = {"rn", "rz", "rm", "rp"};
  for (unsigned K = 0; K != 4; ++K)
    if (takeMod(Names[K]))
      I.Round = uint8_t(K);
}

bool FunctionDecoder::noModsLeft() {
  return Mods.empty() ||
         fail("modifier '." + std::string(Mods[0]) + "' is not supported");
}

bool FunctionDecoder::isPlaced(int32_t Reg) {
  return Layout.Places[Reg] != NoPlace ||
         fail("register '" + Syntax.Registers[Reg].Name +
              "' has no architected register");
}

bool FunctionDecoder::constant(const ptx::Operand &O, ScalarType T,
                               uint32_t &Out) {
  uint64_t Bits = uint64_t(O.Value);
  if (O.K == ptx::Operand::Float64 && sizeOf(T) == 4) {
    double Wide;
    std::memcpy(&Wide, &Bits, sizeof(Wide));
    auto Single = float(Wide);
    uint32_t SingleBits;
    std::memcpy(&SingleBits, &Single, sizeof(Single));
    Bits = SingleBits;
  } else if (O.K == ptx::Operand::Float32 && T == ScalarType::F64) {
    return fail("a single-precision constant in a double-precision operation");
  }
  Out =
      sizeOf(T) == 8 ? State.Pool.pair(Bits) : State.Pool.word(uint32_t(Bits));
  return true;
}

/// What hardware keeps from sm_80 on.
static constexpr uint32_t ReservedSharedBytes = 1024;

static const std::unordered_map<std::string_view, SpecialReg> &specialRegs() {
  using enum SpecialReg;
  static const std::unordered_map<std::string_view, SpecialReg> Map = {
      {"%tid.x", TidX},
      {"%tid.y", TidY},
      {"%tid.z", TidZ},
      {"%ntid.x", NTidX},
      {"%ntid.y", NTidY},
      {"%ntid.z", NTidZ},
      {"%ctaid.x", CtaIdX},
      {"%ctaid.y", CtaIdY},
      {"%ctaid.z", CtaIdZ},
      {"%nctaid.x", NCtaIdX},
      {"%nctaid.y", NCtaIdY},
      {"%nctaid.z", NCtaIdZ},
      {"%laneid", LaneId},
      {"%warpid", WarpId},
      {"%nwarpid", NWarpId},
      {"%smid", SmId},
      {"%nsmid", NSmId},
      {"%gridid", GridIdLo},
      {"%lanemask_eq", LaneMaskEq},
      {"%lanemask_lt", LaneMaskLt},
      {"%lanemask_le", LaneMaskLe},
      {"%lanemask_gt", LaneMaskGt},
      {"%lanemask_ge", LaneMaskGe},
      {"%dynamic_smem_size", DynamicSharedSize},
      {"%total_smem_size", TotalSharedSize},
      {"%reserved_smem_offset_begin", ReservedShared0},
      {"%reserved_smem_offset_0", ReservedShared0},
      {"%reserved_smem_offset_1", ReservedShared1},
      {"%reserved_smem_offset_end", ReservedSharedEnd},
      {"%reserved_smem_offset_cap", ReservedSharedSize},
      {"%envreg1", GridWorkspaceHi},
      {"%envreg2", GridWorkspaceLo},
      {"%cluster_nctaid.x", One},
      {"%cluster_nctaid.y", One},
      {"%cluster_nctaid.z", One},
      {"%cluster_nctarank", One},
      {"%cluster_ctaid.x", Zero},
      {"%cluster_ctaid.y", Zero},
      {"%cluster_ctaid.z", Zero},
      {"%cluster_ctarank", Zero},
      {"%clusterid.x", CtaIdX},
      {"%clusterid.y", CtaIdY},
      {"%clusterid.z", CtaIdZ},
      {"%nclusterid.x", NCtaIdX},
      {"%nclusterid.y", NCtaIdY},
      {"%nclusterid.z", NCtaIdZ},
      {"%tid.w", Zero},
      {"%ctaid.w", Zero},
  };
  return Map;
}

bool FunctionDecoder::special(const ptx::Operand &O, ScalarType T,
                              uint32_t &Out) {
  auto It = specialRegs().find(O.Name);
  if (It == specialRegs().end())
    return fail((O.Name[0] == '%'
                     ? "undeclared register or unsupported special "
                       "register '"
                     : "unknown name '") +
                std::string(O.Name) + "'");
  if (sizeOf(T) == 8 && It->second != SpecialReg::GridIdLo)
    return fail("'" + std::string(O.Name) + "' has 32 bits");
  if (O.Name.starts_with("%reserved_smem"))
    State.P.ReservedSharedBytes = ReservedSharedBytes;
  if (O.Name.starts_with("%envreg"))
    State.P.ReadsGridWorkspace = true;
  Out = unsigned(It->second) | SpecialRow;
  return true;
}

bool FunctionDecoder::source(const ptx::Operand &O, ScalarType T,
                             uint32_t &Out) {
  switch (O.K) {
  case ptx::Operand::Reg: {
    const ptx::Register &R = Syntax.Registers[O.Index];
    if (R.Type == ScalarType::Pred)
      return fail("predicate '" + R.Name + "' where a value is expected");
    if (sizeOf(R.Type) < sizeOf(T))
      return fail("register '" + R.Name + "' is narrower than the operation");
    if (!isPlaced(O.Index))
      return false;
    Out = Layout.Places[O.Index];
    return reads(O.Index, Out, rowsOf(T));
  }
  case ptx::Operand::Int:
  case ptx::Operand::Float32:
  case ptx::Operand::Float64:
    return constant(O, T, Out);
  case ptx::Operand::Special:
    return special(O, T, Out);
  default:
    return fail("an operand is not a register or constant");
  }
}

bool FunctionDecoder::predSource(const ptx::Operand &O, uint32_t &Out) {
  if (O.K == ptx::Operand::Int) {
    Out = (O.Value != 0) != O.Negated ? PredTrue : PredFalse;
    return true;
  }
  if (O.K != ptx::Operand::Reg ||
      Syntax.Registers[O.Index].Type != ScalarType::Pred)
    return fail("a predicate is expected");
  if (!isPlaced(O.Index))
    return false;
  Out = Layout.Places[O.Index] | (O.Negated ? PredNegated : 0);
  return reads(O.Index, F.NumRows + Layout.Places[O.Index], 1);
}

bool FunctionDecoder::dest(const ptx::Operand &O, ScalarType T, uint32_t &Out) {
  if (O.K == ptx::Operand::Sink) {
    Out = ScratchRow;
    return true;
  }
  if (O.K != ptx::Operand::Reg)
    return fail("the destination is not a register");
  const ptx::Register &R = Syntax.Registers[O.Index];
  if (R.Type == ScalarType::Pred)
    return fail("predicate '" + R.Name + "' where a value is expected");
  if (sizeOf(R.Type) < sizeOf(T))
    return fail("register '" + R.Name + "' is narrower than the result");
  if (!isPlaced(O.Index))
    return false;
  // Constants are written among the program's, before it runs.
  Out = Layout.Places[O.Index] & RowIndexMask;
  return writes(O.Index, Out, rowsOf(T));
}

bool FunctionDecoder::predDest(const ptx::Operand &O, uint32_t &Out) {
  if (O.K == ptx::Operand::Sink) {
    Out = ScratchPred;
    return true;
  }
  if (O.K != ptx::Operand::Reg ||
      Syntax.Registers[O.Index].Type != ScalarType::Pred)
    return fail("the destination is not a predicate");
  if (!isPlaced(O.Index))
    return false;
  Out = Layout.Places[O.Index];
  return writes(O.Index, F.NumRows + Out, 1);
}

bool FunctionDecoder::sources(unsigned FirstOp, unsigned Count, ScalarType T) {
  for (unsigned K = 0; K != Count; ++K)
    if (!source(op(FirstOp + K), T, I.Ops[FirstOp + K]))
      return false;
  return true;
}

void FunctionDecoder::zeroFrom(unsigned Slot) {
  for (; Slot != MaxOps; ++Slot)
    I.Ops[Slot] = unsigned(SpecialReg::Zero) | SpecialRow;
}

bool FunctionDecoder::isExternShared(const ptx::Operand &O) const {
  return O.K == ptx::Operand::Symbol && O.Index < 0 &&
         State.ExternShared.count(O.Name);
}

/// The address of a variable within its space: for local ones within the
/// frame, for generic and global ones absolute.
bool FunctionDecoder::symbolAddress(const ptx::Operand &O, Space &Where,
                                    uint64_t &Address) {
  if (O.Index >= 0) {
    const ptx::Variable &V = Syntax.Locals[O.Index];
    Where = V.Where == Space::Shared ? Space::Shared : Space::Local;
    Address = LocalOffsets[O.Index] + uint64_t(O.Value);
    return true;
  }
  auto InList = [&](const std::vector<ptx::Variable> &List,
                    const std::vector<ParamSlot> &Slots) {
    for (size_t K = 0; K != List.size(); ++K)
      if (List[K].Name == O.Name) {
        Where = F.IsEntry ? Space::Param : Space::Local;
        Address = Slots[K].Offset + uint64_t(O.Value);
        return true;
      }
    return false;
  };
  if (InList(Syntax.Params, F.Params) || InList(Syntax.Returns, F.Returns))
    return true;
  if (auto It = State.SharedOffsets.find(O.Name);
      It != State.SharedOffsets.end()) {
    Where = Space::Shared;
    Address = It->second + uint64_t(O.Value);
    return true;
  }
  if (auto It = State.P.Symbols.find(std::string(O.Name));
      It != State.P.Symbols.end()) {
    Where = It->second.Where;
    Address = It->second.Address + uint64_t(O.Value);
    return true;
  }
  if (auto It = State.FunctionNumbers.find(O.Name);
      It != State.FunctionNumbers.end()) {
    Where = Space::Global;
    Address = FunctionBase + FunctionStride * It->second;
    return true;
  }
  return fail("unknown name '" + std::string(O.Name) + "'");
}

/// Decodes [base+offset] into Ops[Slot], Imm and the address flags. I.Where is
/// the space that the instruction names.
bool FunctionDecoder::addressOperand(const ptx::Operand &O, unsigned Slot) {
  if (O.K != ptx::Operand::Address)
    return fail("an address in brackets is expected");
  if (O.Elements.size() > 1)
    return fail("only texture fetches take coordinates");
  I.Imm = O.Value;
  I.Ops[Slot] = unsigned(SpecialReg::Zero) | SpecialRow;
  if (O.Elements.empty()) {
    I.Flags |= FlagConstBase;
    return true;
  }
  const ptx::Operand &Base = O.Elements[0];
  if (Base.K == ptx::Operand::Reg) {
    // What mov gives as the address of a function's parameter.
    if (I.Where == Space::Param && !F.IsEntry)
      I.Where = Space::Local;
    ScalarType T = Syntax.Registers[Base.Index].Type;
    bool Narrow = sizeOf(T) == 4;
    if (Narrow)
      I.Flags |= FlagAddress32;
    else if (sizeOf(T) != 8)
      return fail("an address has 32 or 64 bits");
    return source(Base, Narrow ? ScalarType::U32 : ScalarType::U64,
                  I.Ops[Slot]);
  }
  if (isExternShared(Base)) {
    I.Ops[Slot] = unsigned(SpecialReg::DynamicSharedBase) | SpecialRow;
    I.Imm += Base.Value;
    if (I.Where == Space::Generic)
      I.Imm += SharedWindow;
    return true;
  }
  Space Where = Space::Global;
  uint64_t Address = 0;
  if (Base.K != ptx::Operand::Symbol || !symbolAddress(Base, Where, Address))
    return fail("bad address");
  I.Flags |= FlagConstBase;
  I.Imm += int64_t(Address);
  // Function parameters and call arguments are .param to the program and
  // local memory to us.
  if (I.Where == Space::Param || I.Where == Space::Generic)
    I.Where = Where;
  return true;
}

} // namespace regshare::sim
