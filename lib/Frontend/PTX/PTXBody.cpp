//===- PTXBody.cpp - Machine code that carries PTX -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXCode.h"
#include "PTXTranslate.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace regshare;
namespace ptx = regshare::sim::ptx;
using ptx::Operand;
using sim::Space;

namespace {
class BodyMaker {
public:
  BodyMaker(const PTXInput &Input, const ptx::Function &F, CodeForm Form,
            MachineFunction &MF)
      : Input(Input), F(F), IsNative(Form == CodeForm::Native), MF(MF),
        MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()) {}
  Error run();
  std::vector<std::string> registerNames() const;

private:
  /// What stands for a name: an operand, or another name.
  struct Substitute {
    std::optional<unsigned> Operand;
    std::string Name;
  };
  using Names = std::map<std::string_view, Substitute>;

  Error findTarget();
  void layOutLocals();
  void makeBlocks();
  void fill(unsigned N);
  void terminate(unsigned N);
  void leaveIf(unsigned N);
  void carry(const PTXStep &S);
  std::string textOf(const PTXStep &S, const std::vector<int> &Operands) const;
  std::string rewritten(const ptx::Instruction &I,
                        const std::vector<int> &Operands) const;
  void name(const Operand &O, const std::vector<int> &Operands,
            Names &Into) const;
  std::string symbol(const Operand &O) const;

  bool native(const ptx::Instruction &I, bool ReadsUnwritten);
  bool translated(const ptx::Instruction &I);
  GlobalVariable *variable(const Operand &O) const;
  bool copy(const ptx::Instruction &I);
  bool constant(const ptx::Instruction &I);
  bool parameter(const ptx::Instruction &I);
  bool conversion(const ptx::Instruction &I);

  RegKind kind(int R) const;
  Register reg(int R);
  bool isFrame(int R) const;
  unsigned opcode(StringRef Name) const { return opcodeOfName(TII, Name); }
  MachineInstrBuilder build(unsigned Opcode) {
    return BuildMI(*At, At->end(), Place, TII.get(Opcode));
  }
  DebugLoc placeOf(const ptx::Instruction &I) const;

  const PTXInput &Input;
  const ptx::Function &F;
  const bool IsNative;
  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  std::vector<PTXBlock> Code;
  PTXUnwritten Unwritten;
  std::vector<MachineBasicBlock *> Blocks; ///< Null for the unreachable.
  std::vector<Register> Registers;
  const TargetRegisterClass *Classes[5] = {};
  std::map<int, uint64_t> Locals; ///< Offset in the frame, by local variable.
  bool HasPlainFrame = false;
  MachineBasicBlock *At = nullptr;
  DebugLoc Place;
};
} // namespace

//===----------------------------------------------------------------------===//
// Registers and names
//===----------------------------------------------------------------------===//

RegKind BodyMaker::kind(int R) const {
  switch (sizeOf(F.Registers[R].Type)) {
  case 0:
    return RegKind::Pred;
  case 1:
  case 2:
    return RegKind::B16;
  case 4:
    return RegKind::B32;
  case 8:
    return RegKind::B64;
  default:
    return RegKind::B128;
  }
}

/// The frame's pointers take no register, as in LLVM's code.
bool BodyMaker::isFrame(int R) const {
  return HasPlainFrame && kind(R) == RegKind::B64 &&
         (F.Registers[R].Name == "%SP" || F.Registers[R].Name == "%SPL");
}

Register BodyMaker::reg(int R) {
  if (!Registers[R])
    Registers[R] = MRI.createVirtualRegister(Classes[unsigned(kind(R))]);
  return Registers[R];
}

Error BodyMaker::findTarget() {
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  static constexpr StringRef Wanted[] = {"B1", "B16", "B32", "B64", "B128"};
  static constexpr RegKind Kinds[] = {RegKind::Pred, RegKind::B16, RegKind::B32,
                                      RegKind::B64, RegKind::B128};
  for (const TargetRegisterClass *RC : TRI.regclasses())
    for (auto [Name, Kind] : zip_equal(Wanted, Kinds))
      if (Name == TRI.getRegClassName(RC))
        Classes[unsigned(Kind)] = RC;
  Registers.resize(F.Registers.size());
  Expected<std::vector<PTXBlock>> B = blocksOf(Input, F);
  if (!B)
    return B.takeError();
  Code = std::move(*B);
  Unwritten = findUnwritten(Code, F.Registers.size());
  return Error::success();
}

void BodyMaker::layOutLocals() {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  uint64_t Size = 0;
  for (auto [N, V] : enumerate(F.Locals)) {
    if (V.Where != Space::Local)
      continue;
    Align A(std::max(1u, V.Align));
    Size = alignTo(Size, A);
    Locals[N] = Size;
    Size += V.Size;
    MFI.ensureMaxAlignment(A);
  }
  MFI.setStackSize(Size);
  HasPlainFrame = !Locals.empty() && namesFrame(F, Locals);
}

/// What \p O's name is in the result: "name" or "name+offset".
std::string BodyMaker::symbol(const Operand &O) const {
  std::string Name(O.Name);
  if (O.Index >= 0 && F.Locals[O.Index].Where == Space::Local) {
    uint64_t Offset = Locals.at(O.Index);
    Name = "__local_depot" + std::to_string(MF.getFunctionNumber());
    return Offset ? Name + "+" + std::to_string(Offset) : Name;
  }
  auto Own = Input.Renamed.find(F.Name);
  if (Own == Input.Renamed.end())
    return Name;
  auto New = Own->second.find(Name);
  return New == Own->second.end() ? Name : New->second;
}

void BodyMaker::name(const Operand &O, const std::vector<int> &Operands,
                     Names &Into) const {
  if (O.K == Operand::Reg) {
    auto It = llvm::find(Operands, O.Index);
    if (It != Operands.end())
      Into[O.Name] = {unsigned(It - Operands.begin()), ""};
  } else if (O.K == Operand::Symbol) {
    Into[O.Name] = {std::nullopt, symbol(O)};
  }
  for (const Operand &E : O.Elements)
    name(E, Operands, Into);
}

static bool isNameChar(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%';
}

/// '$' begins an operand, and stands doubled for itself.
static std::string doubled(StringRef Word) {
  std::string Out;
  for (char C : Word)
    Out.append(C == '$' ? 2 : 1, C);
  return Out;
}

/// The text of \p I with its names replaced, as LLVM's inline assembly has it.
std::string BodyMaker::rewritten(const ptx::Instruction &I,
                                 const std::vector<int> &Operands) const {
  Names New;
  for (const Operand &O : I.Operands)
    name(O, Operands, New);
  if (I.Guard >= 0) {
    StringRef Guard = StringRef(I.Text).drop_until(isNameChar);
    Operand O;
    O.K = Operand::Reg;
    O.Index = I.Guard;
    O.Name =
        std::string_view(Guard.data(), Guard.take_while(isNameChar).size());
    name(O, Operands, New);
  }
  std::string Out;
  StringRef Rest(I.Text);
  while (!Rest.empty()) {
    StringRef Word = Rest.take_while(isNameChar);
    if (Word.empty()) {
      Out += isSpace(Rest.front()) ? ' ' : Rest.front();
      Rest = Rest.drop_front();
      continue;
    }
    // What follows a dot is part of an instruction's name.
    bool IsName = !Out.ends_with('.') && Word.data() != I.Opcode.data();
    auto It = New.find(std::string_view(Word.data(), Word.size()));
    if (!IsName || It == New.end())
      Out += doubled(Word);
    else if (It->second.Operand)
      Out += "${" + std::to_string(*It->second.Operand) + "}";
    else
      Out += doubled(It->second.Name);
    Rest = Rest.drop_front(Word.size());
  }
  return Out + ";";
}

/// The declarations of a call's parameters, then what it does, in a scope.
std::string BodyMaker::textOf(const PTXStep &S,
                              const std::vector<int> &Operands) const {
  if (!S.isCall())
    return rewritten(F.Body[S.Begin], Operands);
  std::string Declared, Code;
  std::vector<int> Seen;
  auto Declare = [&](auto &Self, const Operand &O) -> void {
    if (O.K == Operand::Symbol && O.Index >= 0 &&
        !is_contained(Seen, O.Index)) {
      Seen.push_back(O.Index);
      const ptx::Variable &V = F.Locals[O.Index];
      if (V.Where == Space::Param && V.Size == sizeOf(V.Type))
        Declared +=
            "\n\t.param .b" + std::to_string(8 * V.Size) + " " + V.Name + ";";
      else if (V.Where == Space::Param)
        Declared += "\n\t.param .align " + std::to_string(V.Align) + " .b8 " +
                    V.Name + "[" + std::to_string(V.Size) + "];";
    }
    for (const Operand &E : O.Elements)
      Self(Self, E);
  };
  for (unsigned I = S.Begin; I != S.End; ++I) {
    for (const Operand &O : F.Body[I].Operands)
      Declare(Declare, O);
    Code += "\n\t" + rewritten(F.Body[I], Operands);
  }
  return "{" + Declared + Code + "\n\t}";
}

DebugLoc BodyMaker::placeOf(const ptx::Instruction &I) const {
  DISubprogram *Scope = MF.getFunction().getSubprogram();
  if (!Scope)
    return {};
  LLVMContext &Context = MF.getFunction().getContext();
  const ptx::Location &L = Input.Module.Locations[I.Location];
  if (!I.Location)
    return {};
  StringRef File;
  for (const auto &[Number, Name] : Input.Module.Files)
    if (Number == L.File)
      File = Name;
  DILocalScope *In = Scope;
  if (File != Scope->getFilename())
    In = DILexicalBlockFile::get(Context, Scope, DIFile::get(Context, File, ""),
                                 0);
  return DILocation::get(Context, L.Line, L.Column, In);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void BodyMaker::carry(const PTXStep &S) {
  auto IsFrame = [&](int R) { return isFrame(R); };
  std::vector<int> Operands, Reads;
  copy_if(S.Writes, std::back_inserter(Operands), std::not_fn(IsFrame));
  size_t NumWrites = Operands.size();
  copy_if(S.Reads, std::back_inserter(Reads), std::not_fn(IsFrame));
  Operands.insert(Operands.end(), Reads.begin(), Reads.end());
  std::string Text = textOf(S, Operands);
  bool Syncs = StringRef(Text).contains(".sync") || S.isCall();
  MachineInstrBuilder MI =
      build(TargetOpcode::INLINEASM)
          .addExternalSymbol(MF.createExternalSymbolName(Text))
          .addImm(InlineAsm::Extra_HasSideEffects | InlineAsm::Extra_MayLoad |
                  InlineAsm::Extra_MayStore |
                  (Syncs ? unsigned(InlineAsm::Extra_IsConvergent) : 0));
  for (auto [N, R] : enumerate(Operands)) {
    bool Writes = N < NumWrites;
    InlineAsm::Flag Flag(!Writes      ? InlineAsm::Kind::RegUse
                         : S.isCall() ? InlineAsm::Kind::RegDefEarlyClobber
                                      : InlineAsm::Kind::RegDef,
                         1);
    Flag.setRegClass(Classes[unsigned(kind(R))]->getID());
    unsigned State = Writes ? unsigned(RegState::Define) : 0;
    if (Writes && S.isCall())
      State |= unsigned(RegState::EarlyClobber);
    if (!Writes &&
        is_contained(Unwritten.Never, std::make_pair(unsigned(S.Begin), R)))
      State |= unsigned(RegState::Undef);
    MI.addImm(Flag).addReg(reg(R), State);
  }
}

static bool isRegister(const ptx::Instruction &I, size_t N) {
  return I.Operands.size() > N && I.Operands[N].K == Operand::Reg;
}

/// mov from register to register.
bool BodyMaker::copy(const ptx::Instruction &I) {
  if (I.Opcode != "mov" || !isRegister(I, 0) || !isRegister(I, 1))
    return false;
  int To = I.Operands[0].Index, From = I.Operands[1].Index;
  if (kind(To) != kind(From) || isFrame(To) || isFrame(From))
    return false;
  build(NVPTXOpcodes::get(MF).copyOpcode(kind(To)))
      .addReg(reg(To), RegState::Define)
      .addReg(reg(From));
  return true;
}

/// The variable whose first byte \p O names. Null for a variable of the frame,
/// which LLVM has no global variable for.
GlobalVariable *BodyMaker::variable(const Operand &O) const {
  if (O.K != Operand::Symbol || O.Value ||
      (O.Index >= 0 && F.Locals[O.Index].Where != Space::Shared))
    return nullptr;
  return MF.getFunction().getParent()->getNamedGlobal(symbol(O));
}

/// mov of a number or of a variable's address.
bool BodyMaker::constant(const ptx::Instruction &I) {
  if (I.Opcode != "mov" || I.Operands.size() != 2 || !isRegister(I, 0) ||
      isFrame(I.Operands[0].Index))
    return false;
  RegKind K = kind(I.Operands[0].Index);
  if (K != RegKind::B32 && K != RegKind::B64)
    return false;
  std::string Name = K == RegKind::B32 ? "MOV_B32_" : "MOV_B64_";
  const Operand &O = I.Operands[1];
  if (O.K == Operand::Int || O.K == Operand::Float32 ||
      O.K == Operand::Float64) {
    if (O.K == (K == RegKind::B32 ? Operand::Float64 : Operand::Float32))
      return false;
    build(opcode(Name + "i"))
        .addReg(reg(I.Operands[0].Index), RegState::Define)
        .addImm(K == RegKind::B32 ? int64_t(int32_t(O.Value)) : O.Value);
    return true;
  }
  GlobalVariable *G = variable(O);
  if (!G)
    return false;
  build(opcode(Name + "sym"))
      .addReg(reg(I.Operands[0].Index), RegState::Define)
      .addGlobalAddress(G);
  return true;
}

/// A load of a parameter as a whole, which hardware has as an operand.
bool BodyMaker::parameter(const ptx::Instruction &I) {
  if (I.Opcode != "ld" || I.Mods.size() != 2 || I.Mods[0] != "param" ||
      I.Operands.size() != 2 || !isRegister(I, 0) ||
      I.Operands[1].K != Operand::Address ||
      I.Operands[1].Elements.size() != 1 ||
      I.Operands[1].Elements[0].K != Operand::Symbol ||
      I.Operands[1].Elements[0].Index >= 0)
    return false;
  RegKind K = kind(I.Operands[0].Index);
  std::optional<sim::ScalarType> T = sim::parseScalarType(I.Mods[1]);
  if (!T || (K != RegKind::B32 && K != RegKind::B64) ||
      sizeOf(*T) != (K == RegKind::B32 ? 4 : 8))
    return false;
  std::string Name = symbol(I.Operands[1].Elements[0]);
  build(NVPTXOpcodes::get(MF).loadOpcode(K))
      .addReg(reg(I.Operands[0].Index), RegState::Define)
      .addImm(0)
      .addImm(0)
      .addImm(ParamAddressSpace)
      .addImm(3)
      .addImm(8 * sizeOf(*T))
      .addImm(-1)
      .addExternalSymbol(MF.createExternalSymbolName(Name))
      .addImm(ptxOffset(I.Operands[1]));
  return true;
}

/// A conversion of an address, which costs nothing either.
bool BodyMaker::conversion(const ptx::Instruction &I) {
  if (I.Opcode != "cvta" || I.Mods.empty() || I.Mods.back() != "u64" ||
      !isRegister(I, 0) || !isRegister(I, 1) || isFrame(I.Operands[0].Index) ||
      isFrame(I.Operands[1].Index))
    return false;
  std::string Name = "cvta_";
  for (std::string_view Mod : ArrayRef(I.Mods).drop_back())
    Name += std::string(Mod) + "_";
  unsigned Opcode = opcode(Name + "64");
  if (!Opcode)
    return false;
  build(Opcode)
      .addReg(reg(I.Operands[0].Index), RegState::Define)
      .addReg(reg(I.Operands[1].Index));
  return true;
}

/// Makes NVPTX's own instruction of \p I, if that is one that passes know by
/// its opcode.
bool BodyMaker::native(const ptx::Instruction &I, bool ReadsUnwritten) {
  if (I.Guard >= 0 || ReadsUnwritten)
    return false;
  return copy(I) || constant(I) || parameter(I) || conversion(I) ||
         (IsNative && translated(I));
}

bool BodyMaker::translated(const ptx::Instruction &I) {
  auto KindOf = [&](int R) { return kind(R); };
  auto RegisterOf = [&](int R) { return reg(R); };
  auto IsFrame = [&](int R) { return isFrame(R); };
  auto Variable = [&](const Operand &O) { return variable(O); };
  auto Build = [&](unsigned Opcode) { return build(Opcode); };
  return PTXTranslator(MF, {KindOf, RegisterOf, IsFrame, Variable})
      .translate(I, Build);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void BodyMaker::makeBlocks() {
  for (const PTXBlock &B : Code) {
    Blocks.push_back(B.IsReachable ? MF.CreateMachineBasicBlock() : nullptr);
    if (Blocks.back())
      MF.push_back(Blocks.back());
  }
}

static void addSuccessor(MachineBasicBlock &From, MachineBasicBlock *To) {
  if (!From.isSuccessor(To))
    From.addSuccessor(To);
}

/// Some lanes leave at the end of block \p N: in a block of its own.
void BodyMaker::leaveIf(unsigned N) {
  MachineBasicBlock *Leave = MF.CreateMachineBasicBlock();
  MF.push_back(Leave);
  const ptx::Instruction &I = F.Body[Code[N].Last];
  if (I.GuardNegated) {
    build(opcode("CBranch")).addReg(reg(I.Guard)).addMBB(Blocks[N + 1]);
    build(opcode("GOTO")).addMBB(Leave);
  } else {
    build(opcode("CBranch")).addReg(reg(I.Guard)).addMBB(Leave);
  }
  addSuccessor(*At, Leave);
  addSuccessor(*At, Blocks[N + 1]);
  At = Leave;
  if (Code[N].Exit == PTXExit::Traps)
    build(TargetOpcode::INLINEASM)
        .addExternalSymbol("trap;")
        .addImm(InlineAsm::Extra_HasSideEffects);
  build(opcode("Return"));
}

void BodyMaker::terminate(unsigned N) {
  const PTXBlock &B = Code[N];
  if (B.Last >= 0)
    Place = placeOf(F.Body[B.Last]);
  const ptx::Instruction *I = B.Last >= 0 ? &F.Body[B.Last] : nullptr;
  MachineBasicBlock *Next = B.GoesOn ? Blocks[N + 1] : nullptr;
  switch (B.Exit) {
  case PTXExit::Falls:
    addSuccessor(*At, Next);
    return;
  case PTXExit::Branches: {
    MachineBasicBlock *To = Blocks[B.Targets[0]];
    if (!Next) {
      build(opcode("GOTO")).addMBB(To);
    } else if (I->GuardNegated && To != Next) {
      build(opcode("CBranch")).addReg(reg(I->Guard)).addMBB(Next);
      build(opcode("GOTO")).addMBB(To);
      addSuccessor(*At, Next);
    } else if (To != Next) {
      build(opcode("CBranch")).addReg(reg(I->Guard)).addMBB(To);
      addSuccessor(*At, Next);
    }
    addSuccessor(*At, To);
    return;
  }
  case PTXExit::Switches: {
    build(opcode("BRX_START")).addImm(N);
    for (unsigned T : ArrayRef(B.Targets).drop_back())
      build(opcode("BRX_ITEM")).addMBB(Blocks[T]);
    build(opcode("BRX_END"))
        .addMBB(Blocks[B.Targets.back()])
        .addReg(reg(I->Operands[0].Index))
        .addImm(N);
    for (unsigned T : B.Targets)
      addSuccessor(*At, Blocks[T]);
    return;
  }
  case PTXExit::Returns:
  case PTXExit::Traps:
    if (Next)
      return leaveIf(N);
    if (B.Exit == PTXExit::Traps)
      build(TargetOpcode::INLINEASM)
          .addExternalSymbol("trap;")
          .addImm(InlineAsm::Extra_HasSideEffects);
    build(opcode("Return"));
  }
}

void BodyMaker::fill(unsigned N) {
  At = Blocks[N];
  for (const PTXStep &S : Code[N].Steps) {
    const ptx::Instruction &I = F.Body[S.Begin];
    Place = placeOf(I);
    if (I.Opcode == "implicit-def")
      build(TargetOpcode::IMPLICIT_DEF)
          .addReg(reg(I.Operands[0].Index), RegState::Define);
    else if (S.isCall() || !native(I, any_of(Unwritten.Never, [&](auto &Read) {
                                     return Read.first == S.Begin;
                                   })))
      carry(S);
  }
  terminate(N);
}

Error BodyMaker::run() {
  if (Error E = findTarget())
    return E;
  layOutLocals();
  MF.getProperties().setNoPHIs();
  MF.getProperties().setTracksLiveness();
  MRI.leaveSSA();
  MF.setHasInlineAsm(true);
  // LLVM's first block has no predecessors.
  MachineBasicBlock *Entry = MF.CreateMachineBasicBlock();
  MF.push_back(Entry);
  makeBlocks();
  At = Entry;
  addSuccessor(*Entry, Blocks[0]);
  for (unsigned R = 0; R != Registers.size(); ++R)
    if (Unwritten.Sometimes[R] && !isFrame(R))
      build(TargetOpcode::IMPLICIT_DEF).addReg(reg(R), RegState::Define);
  for (unsigned N = 0; N != Code.size(); ++N)
    if (Blocks[N])
      fill(N);
  if (Blocks[0]->pred_size() == 1) {
    Entry->splice(Entry->end(), Blocks[0], Blocks[0]->begin(),
                  Blocks[0]->end());
    Entry->removeSuccessor(Blocks[0]);
    Entry->transferSuccessors(Blocks[0]);
    Blocks[0]->eraseFromParent();
  }
  MF.RenumberBlocks();
  MRI.freezeReservedRegs();
  return Error::success();
}

/// The input's names, by the index of LLVM's virtual register.
std::vector<std::string> BodyMaker::registerNames() const {
  std::vector<std::string> Names(MRI.getNumVirtRegs());
  for (auto [N, R] : enumerate(Registers))
    if (R)
      Names[R.virtRegIndex()] = F.Registers[N].Name;
  return Names;
}

Expected<std::vector<std::string>> regshare::makePTXBody(const PTXInput &Input,
                                                         const ptx::Function &F,
                                                         CodeForm Form,
                                                         MachineFunction &MF) {
  BodyMaker Maker(Input, F, Form, MF);
  if (Error E = Maker.run())
    return std::move(E);
  return Maker.registerNames();
}
