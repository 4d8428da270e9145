//===- NativeDecoder.cpp - Groups and constants of native code ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeDecoder.h"

#include "Exec/ExecContext.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

//===----------------------------------------------------------------------===//
// Places of folded values
//===----------------------------------------------------------------------===//

template <typename Fn>
static void forEachRegister(const ptx::Operand &O, Fn F) {
  if (O.K == ptx::Operand::Reg)
    F(O.Index);
  for (const ptx::Operand &E : O.Elements)
    forEachRegister(E, F);
}

template <typename Fn>
static void forEachRegister(const ptx::Instruction &I, Fn F) {
  if (I.Guard >= 0)
    F(I.Guard);
  for (const ptx::Operand &O : I.Operands)
    forEachRegister(O, F);
}

namespace {
/// Places that are taken and given back, the lowest first.
class PlacePool {
public:
  explicit PlacePool(uint32_t First) : First(First) {}
  uint32_t take(unsigned Count) {
    size_t At = 0;
    for (size_t Run = 0; Run != Count; ++At)
      Run = At < Taken.size() && Taken[At] ? 0 : Run + 1;
    At -= Count;
    Taken.resize(std::max(Taken.size(), At + Count));
    std::fill_n(Taken.begin() + long(At), Count, true);
    return First + uint32_t(At);
  }
  void giveBack(uint32_t Place, unsigned Count) {
    std::fill_n(Taken.begin() + long(Place - First), Count, false);
  }
  uint32_t end() const { return First + uint32_t(Taken.size()); }

private:
  uint32_t First;
  std::vector<bool> Taken;
};
} // namespace

std::pair<uint32_t, uint32_t> placeFolded(const ptx::Function &F,
                                          const NativeLayout &Native,
                                          uint32_t FirstRow, uint32_t FirstPred,
                                          std::vector<uint32_t> &Places) {
  std::vector<size_t> Last(F.Registers.size());
  for (size_t N = 0; N != F.Body.size(); ++N)
    forEachRegister(F.Body[N], [&](int32_t Reg) { Last[size_t(Reg)] = N; });
  PlacePool Rows(FirstRow), Preds(FirstPred);
  std::vector<bool> IsPlaced(F.Registers.size());
  for (size_t N = 0; N != F.Body.size(); ++N) {
    auto Take = [&](int32_t Reg) {
      if (Native.PlaceOf[size_t(Reg)] != NativePlace::Folded ||
          IsPlaced[size_t(Reg)])
        return;
      IsPlaced[size_t(Reg)] = true;
      ScalarType T = F.Registers[size_t(Reg)].Type;
      Places[size_t(Reg)] =
          T == ScalarType::Pred ? Preds.take(1) : Rows.take(rowsOf(T));
    };
    auto GiveBack = [&](int32_t Reg) {
      if (!IsPlaced[size_t(Reg)] || Last[size_t(Reg)] != N)
        return;
      ScalarType T = F.Registers[size_t(Reg)].Type;
      if (T == ScalarType::Pred)
        Preds.giveBack(Places[size_t(Reg)], 1);
      else
        Rows.giveBack(Places[size_t(Reg)], rowsOf(T));
    };
    forEachRegister(F.Body[N], Take);
    forEachRegister(F.Body[N], GiveBack);
  }
  return {Rows.end(), Preds.end()};
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

NativeDecoder::NativeDecoder(const ptx::Function &Syntax, NativeLayout Of)
    : Syntax(Syntax), Layout(std::move(Of)), IsTarget(Syntax.branchTargets()),
      WrittenIn(Syntax.Registers.size()), IsRead(Syntax.Registers.size()),
      IsDefined(Syntax.Registers.size()) {}

bool NativeDecoder::fail(std::string Message, unsigned At) {
  if (Error.empty()) {
    Error = std::move(Message);
    ErrorLine = At;
  }
  return false;
}

std::string NativeDecoder::quoted(int32_t Reg) const {
  return "'" + Syntax.Registers[size_t(Reg)].Name + "'";
}

bool NativeDecoder::comesTo(uint32_t Number, bool IsStatement) {
  Line = Syntax.Body[Number].Line;
  ReadValues.clear();
  Results.clear();
  HasRegister = HasUniform = false;
  bool HasSaid = NextStatement != Layout.Statements.size() &&
                 Layout.Statements[NextStatement].Before == Number;
  if (inGroup()) {
    if (HasSaid || IsStatement)
      return fail("a statement inside of a group: it stands before the first "
                  "folded instruction",
                  HasSaid ? Layout.Statements[NextStatement].Line : 0);
    if (IsTarget[Number])
      return fail("a label inside of a group: folded instructions are in one "
                  "block with what reads them");
    return true;
  }
  Said = HasSaid ? &Layout.Statements[NextStatement++] : nullptr;
  if (Said && IsStatement)
    return fail("regshare.control, regshare.reuse, regshare.issue and "
                "regshare.scratch stand directly before an instruction, after "
                "the scheme's statements",
                Said->Line);
  ++Group;
  return true;
}

bool NativeDecoder::end() {
  if (inGroup())
    return fail("the function ends in a group: nothing reads what is folded",
                Line);
  if (NextStatement != Layout.Statements.size())
    return fail("no instruction follows",
                Layout.Statements[NextStatement].Line);
  for (auto [Reg, At] : ReadConstants)
    if (!IsDefined[size_t(Reg)])
      return fail("the constant " + quoted(Reg) + " is defined nowhere", At);
  return true;
}

bool NativeDecoder::reads(int32_t Reg) {
  ReadValues.push_back(Reg);
  if (placeOf(Reg) == NativePlace::Constant) {
    ReadConstants.emplace_back(Reg, Line);
    return true;
  }
  if (WrittenIn[size_t(Reg)] != Group)
    return fail("read of the folded value " + quoted(Reg) +
                " outside of its group");
  IsRead[size_t(Reg)] = true;
  return true;
}

bool NativeDecoder::writes(int32_t Reg) {
  Results.push_back(Reg);
  if (placeOf(Reg) == NativePlace::Constant) {
    if (IsDefined[size_t(Reg)])
      return fail("the constant " + quoted(Reg) + " has a second definition");
    IsDefined[size_t(Reg)] = true;
    return true;
  }
  if (WrittenIn[size_t(Reg)])
    return fail("the folded value " + quoted(Reg) + " is written twice");
  WrittenIn[size_t(Reg)] = Group;
  return true;
}

bool NativeDecoder::resultsAgree() {
  if (HasRegister || HasUniform ||
      std::ranges::any_of(Results, [&](int32_t Reg) {
        return placeOf(Reg) != placeOf(Results.front());
      }))
    return fail("results of one instruction are all constants, all folded, or "
                "all in registers");
  return true;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// What has the same value in all threads of a launch.
bool NativeDecoder::isConstantOperand(const ptx::Operand &O,
                                      bool IsEntry) const {
  switch (O.K) {
  case ptx::Operand::Int:
  case ptx::Operand::Float32:
  case ptx::Operand::Float64:
    return true;
  case ptx::Operand::Reg:
    return placeOf(O.Index) == NativePlace::Constant;
  case ptx::Operand::Symbol:
    // Where the frame of a function lies depends on who calls it.
    return IsEntry || O.Index < 0;
  case ptx::Operand::Special:
    return O.Name.starts_with("%ntid.") || O.Name.starts_with("%nctaid.");
  case ptx::Operand::Address:
  case ptx::Operand::Vector:
    return std::ranges::all_of(O.Elements, [&](const ptx::Operand &E) {
      return isConstantOperand(E, IsEntry);
    });
  default:
    return false;
  }
}

bool NativeDecoder::define(const Function &F, const NativeOperands &O) {
  if (!resultsAgree())
    return false;
  const std::string Name = "the constant " + quoted(Results.front());
  if (inGroup())
    return fail("the definition of " + Name + " is in the middle of a group");
  if (O.I.Guard != PredTrue)
    return fail("the definition of " + Name + " has a guard");
  // No issue slot may be said, and nothing else.
  if (Said && (Said->Slots.value_or(1) || Said->Says || Said->Reuse ||
               !Said->Scratch.empty()))
    return fail("the definition of " + Name +
                    " takes no issue slot, and no "
                    "statement says more of it",
                Said->Line);
  std::string_view Opcode = O.Syntax.Opcode;
  bool IsInBank =
      Opcode == "ld" && !(O.I.Flags & FlagVolatile) &&
      (O.I.Where == Space::Const || (O.I.Where == Space::Param && F.IsEntry));
  bool IsOffset = Opcode == "add" && O.Syntax.Operands.size() == 3 &&
                  O.Syntax.Operands[1].K == ptx::Operand::Reg &&
                  O.Syntax.Operands[2].K == ptx::Operand::Int;
  if (!IsInBank && !IsOffset && Opcode != "mov" && Opcode != "cvt" &&
      Opcode != "cvta")
    return fail(Name + " is defined by neither a kernel's parameter, constant "
                       "memory, mov, cvt, cvta nor an offset");
  for (size_t N = 1; N != O.Syntax.Operands.size(); ++N)
    if (!isConstantOperand(O.Syntax.Operands[N], F.IsEntry))
      return fail(Name + " is made of something that is no constant");
  bool IsFrame = Opcode == "mov" && O.Syntax.Operands.size() == 2 &&
                 O.Syntax.Operands[1].K == ptx::Operand::Symbol &&
                 O.Syntax.Operands[1].Index >= 0;
  Definitions.push_back({O.I, std::move(ReadValues), Results, Line, IsFrame,
                         IsOffset,
                         /*KeepsAddress=*/!IsInBank && Opcode != "cvta"});
  O.Reads.clear();
  O.ReadRegs.clear();
  return true;
}

bool NativeDecoder::takeConstants(std::vector<Inst> &Out) {
  std::vector<bool> IsKnown(Syntax.Registers.size());
  // Addresses in the frame of the thread, to which an offset may be added.
  std::vector<bool> InFrame(Syntax.Registers.size());
  auto IsReady = [&](const Definition &D) {
    return std::ranges::all_of(
        D.Reads, [&](int32_t Reg) { return IsKnown[size_t(Reg)]; });
  };
  while (!Definitions.empty()) {
    std::vector<Definition> Rest;
    for (Definition &D : Definitions) {
      if (!IsReady(D)) {
        Rest.push_back(std::move(D));
        continue;
      }
      bool IsAddress = D.IsFrame || (D.KeepsAddress && !D.Reads.empty() &&
                                     InFrame[size_t(D.Reads.front())]);
      if (D.IsOffset && !IsAddress)
        return fail("the constant " + quoted(D.Results.front()) +
                        " adds to something that is no address in the "
                        "thread's frame",
                    D.Line);
      Out.push_back(D.I);
      for (int32_t Reg : D.Results) {
        IsKnown[size_t(Reg)] = true;
        InFrame[size_t(Reg)] = IsAddress;
      }
    }
    if (Rest.size() == Definitions.size())
      return fail("the constant " + quoted(Rest.front().Results.front()) +
                      " is made of itself",
                  Rest.front().Line);
    Definitions = std::move(Rest);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Why hardware could not have it as a part of another instruction; null: it
/// could.
static const char *whyNotFolded(const Inst &I, const ptx::Instruction &Text) {
  static const Handler Clock = findHandler("clock");
  if (I.Guard != PredTrue)
    return "has a guard";
  if (I.Kind == InstKind::Memory)
    return "accesses memory";
  if (I.Kind != InstKind::Compute)
    return "does more than compute";
  if (I.MemberOp || Text.Opcode == "activemask")
    return "depends on other lanes";
  if (I.Fn == Clock)
    return "reads the clock";
  if (I.Flags & (FlagCarryIn | FlagCarryOut))
    return "reads or writes the carry flag";
  return nullptr;
}

bool NativeDecoder::fold(const NativeOperands &O) {
  if (!resultsAgree())
    return false;
  if (const char *Why = whyNotFolded(O.I, O.Syntax))
    return fail("a folded instruction " + std::string(Why));
  Members.push_back({O.I, &O.Syntax, std::move(Results)});
  Reads.insert(Reads.end(), O.Reads.begin(), O.Reads.end());
  ReadRegs.insert(ReadRegs.end(), O.ReadRegs.begin(), O.ReadRegs.end());
  O.Reads.clear();
  O.ReadRegs.clear();
  return true;
}

bool NativeDecoder::checkSlots(const Inst &I, unsigned Slots) {
  if (Slots)
    return true;
  bool Computes =
      I.Kind == InstKind::Define || I.Kind == InstKind::Branch ||
      (I.Kind == InstKind::Compute && I.Unit != UnitClass::None && !I.MemberOp);
  return Computes ||
         fail("only a branch or what computes takes no issue slot", Said->Line);
}

bool NativeDecoder::allAreRead() {
  for (const Member &M : Members)
    if (std::ranges::none_of(M.Results,
                             [&](int32_t Reg) { return IsRead[size_t(Reg)]; }))
      return fail("the folded value " + quoted(M.Results.front()) +
                  " is read by nothing in its group");
  return true;
}

/// Adds the members' reads after the own ones.
bool NativeDecoder::joinReads(const NativeOperands &O, uint32_t NumRows) {
  size_t Own = O.Reads.size();
  for (size_t N = 0; N != Reads.size(); ++N) {
    bool IsThere = false;
    for (size_t K = 0; K != O.Reads.size(); ++K)
      IsThere |= O.Reads[K] == Reads[N] && O.ReadRegs[K] == ReadRegs[N];
    if (IsThere)
      continue;
    O.Reads.push_back(Reads[N]);
    O.ReadRegs.push_back(ReadRegs[N]);
  }
  std::vector<uint32_t> Rows;
  for (uint32_t Read : O.Reads)
    if (Read < NumRows && std::ranges::find(Rows, Read) == Rows.end())
      Rows.push_back(Read);
  return Own == O.Reads.size() || Rows.size() <= MaxReadRows ||
         fail("a group reads " + std::to_string(Rows.size()) +
              " registers; an instruction has at most " +
              std::to_string(MaxReadRows));
}

bool NativeDecoder::addScratch(const NativeOperands &O, NativeInst &Out) {
  for (unsigned Unit : Said->Scratch) {
    bool IsSource = std::ranges::find(O.Reads, Unit) != O.Reads.end();
    bool IsResult = std::ranges::find(O.Writes, Unit) != O.Writes.end();
    if (IsSource || IsResult)
      return fail("regshare.scratch: R" + std::to_string(Unit) + " is a " +
                      (IsSource ? "source" : "result") + " as well",
                  Said->Line);
  }
  // A barrier that reduces takes its result out of another place.
  bool Reduces = O.I.Kind == InstKind::Barrier && !O.Writes.empty();
  if (!O.I.computes() && O.I.Kind != InstKind::Memory && !Reduces)
    return fail("regshare.scratch: only an instruction that computes, reduces "
                "or accesses memory has scratch registers",
                Said->Line);
  O.Writes.insert(O.Writes.end(), Said->Scratch.begin(), Said->Scratch.end());
  Out.NumScratch = uint16_t(Said->Scratch.size());
  return true;
}

/// What it says of its dependences.
bool NativeDecoder::addControl(const Inst &I, NativeInst &Out) {
  if (Said && Said->Says && Said->Says->Serial)
    SerialLeft = Said->Says->Serial;
  else if (Said && Said->Says)
    Out.Says = ControlBits(*Said->Says);
  if (SerialLeft) {
    --SerialLeft;
    Control Serial;
    Serial.Serial = 1;
    Out.Says = ControlBits(Serial);
  }
  bool HasPipe = Out.Slots && (I.Kind == InstKind::Memory ||
                               (I.computes() && I.Unit != UnitClass::None));
  if ((Out.Says.write() || Out.Says.read()) && !HasPipe)
    return fail("regshare.control: only what computes or accesses memory "
                "raises a counter",
                Said->Line);
  return true;
}

/// Where its sources are read, and which of them are kept.
bool NativeDecoder::addReuse(const NativeOperands &O, uint32_t NumRows,
                             NativeInst &Out) {
  OperandSlots Slots;
  for (size_t N = 0; N != O.Reads.size() && N != ReadSlots::MaxReads; ++N) {
    size_t First = N;
    while (First && O.ReadRegs[First - 1] == O.ReadRegs[N])
      --First;
    if (O.Reads[N] < NumRows)
      if (std::optional<unsigned> Slot = Slots.add(O.Reads[First]))
        Out.Operands.set(unsigned(N), *Slot);
  }
  if (!Said || !Said->Reuse)
    return true;
  if (!O.I.computes() || Out.Slots != 1)
    return fail("regshare.reuse: only what computes, in one issue slot, keeps "
                "operands",
                Said->Line);
  if (unsigned Last = unsigned(std::bit_width(*Said->Reuse)) - 1;
      Last >= Slots.numUsed())
    return fail("regshare.reuse: expected slots below " +
                    std::to_string(Slots.numUsed()) +
                    ", the registers that the instruction reads, found " +
                    std::to_string(Last),
                Said->Line);
  Out.Operands.Kept = uint8_t(*Said->Reuse);
  return true;
}

/// The unit that multiplies for a member adds for its consumer.
static void joinClass(Inst &I, const Inst &Member) {
  bool Multiplies =
      Member.Op == OpClass::Multiply || Member.Op == OpClass::MultiplyAdd;
  if (I.Kind == InstKind::Compute && I.Unit == Member.Unit && Multiplies &&
      I.Op == OpClass::Simple)
    I.Op = OpClass::MultiplyAdd;
}

//===----------------------------------------------------------------------===//
// Uniform registers
//===----------------------------------------------------------------------===//

/// What has the same value in all threads of a warp, or is computed in the
/// group from such.
bool NativeDecoder::isUniformOperand(const ptx::Operand &O,
                                     bool IsEntry) const {
  if (O.K == ptx::Operand::Reg)
    return placeOf(O.Index) != NativePlace::Register;
  return isConstantOperand(O, IsEntry) ||
         (O.K == ptx::Operand::Special && O.Name.starts_with("%ctaid."));
}

bool NativeDecoder::readsUniform(const ptx::Instruction &I,
                                 bool IsEntry) const {
  for (size_t N = 1; N < I.Operands.size(); ++N)
    if (!isUniformOperand(I.Operands[N], IsEntry))
      return false;
  return true;
}

/// One value for the warp: an integer computed from such.
bool NativeDecoder::closeUniform(const NativeOperands &O, const Function &F) {
  if (HasRegister)
    return fail("results of one instruction are all in uniform registers, or "
                "all in registers");
  if (const char *Why = whyNotFolded(O.I, O.Syntax))
    return fail("what writes a uniform register " + std::string(Why));
  if (O.I.Unit != UnitClass::Int)
    return fail("what writes a uniform register computes no integer");
  bool IsUniform = readsUniform(O.Syntax, F.IsEntry);
  for (const Member &M : Members)
    IsUniform &= readsUniform(*M.Syntax, F.IsEntry);
  return IsUniform ||
         fail("a uniform register is written with something that threads of a "
              "warp may have different values of");
}

bool NativeDecoder::close(const NativeOperands &O, Function &F,
                          NativeInst &Out) {
  Out = {};
  Out.FirstFolded = uint32_t(F.Folded.size());
  Out.NumFolded = uint16_t(Members.size());
  Out.OwnReads = uint16_t(O.Reads.size());
  Out.WritesUniform = HasUniform;
  if (!allAreRead() || !joinReads(O, F.NumRows) ||
      (HasUniform && !closeUniform(O, F)))
    return false;
  Out.Slots = O.I.Kind != InstKind::Define;
  if (Said && Said->Slots) {
    if (!checkSlots(O.I, *Said->Slots))
      return false;
    Out.Slots = uint16_t(*Said->Slots);
  }
  if ((Said && !Said->Scratch.empty() && !addScratch(O, Out)) ||
      !addControl(O.I, Out) || !addReuse(O, F.NumRows, Out))
    return false;
  for (const Member &M : Members) {
    F.Folded.push_back(M.I);
    joinClass(O.I, M.I);
  }
  Members.clear();
  Reads.clear();
  ReadRegs.clear();
  return true;
}

} // namespace regshare::sim
