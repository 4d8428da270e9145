//===- MachineIR.cpp - Machine functions from a file ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEnds.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace regshare;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// LLVM's parser verifies each function, and where that fails it prints the
/// function and ends the process. It spares one whose instruction selection is
/// said to have failed: so this says it, in the line that ends the function's
/// document, which keeps the numbers of all lines.
static std::string withoutVerification(StringRef Text) {
  constexpr StringLiteral Key = "failedISel:";
  if (Text.contains(Key))
    return Text.str();
  std::string Result;
  Result.reserve(Text.size() + 64);
  bool InFunction = false;
  auto Mark = [&] {
    if (std::exchange(InFunction, false))
      Result += (Key + " true").str();
  };
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    if (Line.rtrim() == "...")
      Mark();
    else
      Result += Line;
    // The module's IR is a document as well, a block of text.
    if (Line.starts_with("---"))
      InFunction = !Line.contains('|');
    Result += '\n';
    Text = Rest;
  }
  Mark();
  return Result;
}

/// Names the file in what LLVM's YAML parser says about it.
static Error inFile(Error E, StringRef Name) {
  return handleErrors(std::move(E), [&](const InputError &Input) {
    SourcePlace Place = Input.place();
    if (Place.File == "YAML")
      Place.File = Name.str();
    return make_error<InputError>(std::move(Place), Input.text(),
                                  Input.excerpt());
  });
}

Error regshare::parseMachineIR(std::unique_ptr<MemoryBuffer> Buffer,
                               LoadedInput &Input) {
  std::string Name = Buffer->getBufferIdentifier().str();
  Input.Kind = InputKind::MIR;
  Input.Parser =
      createMIRParser(MemoryBuffer::getMemBufferCopy(
                          withoutVerification(Buffer->getBuffer()), Name),
                      *Input.Context);
  if (Input.Parser)
    Input.M = Input.Parser->parseIRModule(dataLayoutFor);
  if (Error E = Input.Diagnostics->take())
    return inFile(std::move(E), Name);
  if (!Input.M)
    return inputError({Name, 0, 0}, "not machine IR");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// "in bb.2: the instruction".
static std::string describe(const MachineInstr &MI) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "in bb." << MI.getParent()->getNumber() << ": ";
  MI.print(OS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  return StringRef(Text).trim().str();
}

/// The reads that nothing in their own block comes before, by register.
static DenseMap<Register, SmallVector<const MachineInstr *, 2>>
exposedReads(const MachineFunction &MF) {
  DenseMap<Register, SmallVector<const MachineInstr *, 2>> Reads;
  for (const MachineBasicBlock &MBB : MF) {
    DenseSet<Register> Written;
    for (const MachineInstr &MI : MBB) {
      if (MI.isDebugInstr() || MI.isPHI())
        continue;
      for (const MachineOperand &MO : MI.operands())
        if (MO.isReg() && MO.getReg().isVirtual() && MO.readsReg() &&
            !Written.contains(MO.getReg()))
          Reads[MO.getReg()].push_back(&MI);
      for (const MachineOperand &MO : MI.all_defs())
        Written.insert(MO.getReg());
    }
  }
  return Reads;
}

/// Whether some path leads to the start of \p Block on which nothing writes
/// \p Reg.
static bool reachedUnwritten(Register Reg, const MachineBasicBlock &Block) {
  const MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  SmallPtrSet<const MachineBasicBlock *, 8> Writers;
  for (const MachineInstr &MI : MRI.def_instructions(Reg))
    Writers.insert(MI.getParent());
  SmallPtrSet<const MachineBasicBlock *, 16> Seen;
  SmallVector<const MachineBasicBlock *, 8> Work{&Block};
  while (!Work.empty()) {
    const MachineBasicBlock *MBB = Work.pop_back_val();
    if (MBB == &Block.getParent()->front())
      return true;
    for (const MachineBasicBlock *Pred : MBB->predecessors())
      if (!Writers.contains(Pred) && Seen.insert(Pred).second)
        Work.push_back(Pred);
  }
  return false;
}

/// Fails on the first register, by number, that may be read unwritten.
static Error checkReads(const MachineFunction &MF) {
  auto Reads = exposedReads(MF);
  for (unsigned I = 0, E = MF.getRegInfo().getNumVirtRegs(); I != E; ++I) {
    Register Reg = Register::index2VirtReg(I);
    auto It = Reads.find(Reg);
    if (It == Reads.end())
      continue;
    for (const MachineInstr *MI : It->second) {
      if (!reachedUnwritten(Reg, *MI->getParent()))
        continue;
      StringRef Name = MF.getRegInfo().getVRegName(Reg);
      SourcePlace Place = SourcePlace::of(MI->getDebugLoc());
      if (Place.File.empty())
        Place.File = MF.getFunction().getParent()->getModuleIdentifier();
      return inputError(std::move(Place),
                        MF.getName() + ": %" +
                            (Name.empty() ? std::to_string(I) : Name.str()) +
                            " is read where nothing may have been written to "
                            "it, " +
                            describe(*MI));
    }
  }
  return Error::success();
}

/// What follows \p Heading in its line of LLVM's report.
static StringRef entry(StringRef Report, StringRef Heading) {
  return Report.split(Heading).second.split('\n').first.trim();
}

Error regshare::checkMachineCode(const MachineFunction &MF) {
  std::string Report;
  raw_string_ostream OS(Report);
  if (MF.verify(/*p=*/nullptr, /*Banner=*/nullptr, &OS, /*AbortOnError=*/false))
    return Error::success();
  StringRef First = StringRef(Report).split("*** Bad machine code: ").second;
  std::string Message = (MF.getName() + ": " + First.split(" ***").first).str();
  First = First.split("*** Bad machine code: ").first;
  StringRef Block = entry(First, "- basic block: %").split(' ').first;
  if (!Block.empty())
    Message += (", in " + Block).str();
  if (StringRef Instr = entry(First, "- instruction: "); !Instr.empty())
    Message += (": " + Instr).str();
  return inputError({MF.getFunction().getParent()->getModuleIdentifier(), 0, 0},
                    Message);
}

Error LoadedInput::parseMachineFunctions(MachineModuleInfo &MMI) {
  if (Kind == InputKind::PTX)
    return makePTXFunctions(*this, MMI);
  assert(Parser && "not a MIR input");
  bool Failed = Parser->parseMachineFunctions(*M, MMI);
  if (Error E = Diagnostics->take())
    return inFile(std::move(E), M->getModuleIdentifier());
  if (Failed)
    return inputError({M->getModuleIdentifier(), 0, 0},
                      "cannot read its machine functions");
  for (const Function &F : *M) {
    MachineFunction *MF = MMI.getMachineFunction(F);
    if (!MF)
      continue;
    MF->getProperties().resetFailedISel();
    if (Error E = checkReads(*MF))
      return E;
    if (Error E = checkMachineCode(*MF))
      return E;
  }
  return Error::success();
}
