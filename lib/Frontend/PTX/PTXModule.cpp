//===- PTXModule.cpp - Variables and kernels of a PTX module -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "PTXInput.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/SharedSpilling.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace regshare;
namespace ptx = regshare::sim::ptx;
using sim::ScalarType;
using sim::Space;

Error regshare::ptxError(const PTXInput &Input, unsigned Line,
                         const Twine &Message) {
  return inputError({Input.Module.FileName, Line, 0}, Message);
}

PTXResult regshare::ptxResultOf(const ptx::Instruction &I) {
  StringRef Opcode(I.Opcode);
  if (Opcode == "mbarrier")
    return I.has("init") || I.has("inval") || I.has("expect_tx") ||
                   I.has("complete_tx")
               ? PTXResult::Stays
               : PTXResult::Writes;
  if ((Opcode == "bar" || Opcode == "barrier") && I.has("red"))
    return PTXResult::Writes;
  if (Opcode == "wmma")
    return I.has("store") ? PTXResult::Stays : PTXResult::Writes;
  return StringSwitch<PTXResult>(Opcode)
#define WRITES(NAME) .Case(#NAME, PTXResult::Writes)
#define STAYS(NAME) .Case(#NAME, PTXResult::Stays)
#include "PTXOpcodes.def"
#undef WRITES
#undef STAYS
      .Default(PTXResult::Unknown);
}

namespace {
class ModuleMaker {
public:
  ModuleMaker(PTXInput &Input, LLVMContext &Context)
      : Input(Input), P(Input.Module),
        M(std::make_unique<Module>(P.FileName, Context)), Context(Context),
        Debug(*M) {}
  Expected<std::unique_ptr<Module>> run();

private:
  Error variables();
  Error initialise(GlobalVariable &G, const ptx::Variable &V);
  Expected<Constant *> relocated(const ptx::Variable &V,
                                 const ptx::Relocation &R);
  GlobalVariable &declare(const ptx::Variable &V, const std::string &Name);
  Type *parameterType(const ptx::Variable &V, bool &InMemory);
  Error kernel(const ptx::Function &F);
  Error attributes(const ptx::Function &F, Function &Kernel);
  void body(const ptx::Function &F, Function &Kernel);
  void externalFunctions();
  void giveLines(const ptx::Function &F, Function &Kernel);

  PTXInput &Input;
  const ptx::Module &P;
  std::unique_ptr<Module> M;
  LLVMContext &Context;
  DIBuilder Debug;
  DICompileUnit *Unit = nullptr;
};
} // namespace

static unsigned addressSpace(Space S) {
  return S == Space::Shared ? 3 : S == Space::Const ? 4 : 1;
}

GlobalVariable &ModuleMaker::declare(const ptx::Variable &V,
                                     const std::string &Name) {
  auto *T = ArrayType::get(Type::getInt8Ty(Context), V.Size);
  bool Shared = V.Where == Space::Shared;
  Constant *Init = V.Extern ? nullptr
                   : Shared ? (Constant *)UndefValue::get(T)
                            : Constant::getNullValue(T);
  auto *G = new GlobalVariable(
      *M, T, /*isConstant=*/false,
      Shared && !V.Extern ? GlobalValue::InternalLinkage
                          : GlobalValue::ExternalLinkage,
      Init, Name, nullptr, GlobalValue::NotThreadLocal, addressSpace(V.Where));
  G->setAlignment(Align(std::max(1u, V.Align)));
  return *G;
}

Expected<Constant *> ModuleMaker::relocated(const ptx::Variable &V,
                                            const ptx::Relocation &R) {
  GlobalVariable *To = M->getNamedGlobal(R.Symbol);
  if (!To || R.Shift || R.Size != 8)
    return ptxError(Input, V.Line,
                    "'" + V.Name + "' is initialised with the address of '" +
                        R.Symbol +
                        "', which is not a variable or not taken as a whole");
  Constant *Address = To;
  auto *Byte = Type::getInt8Ty(Context);
  if (R.Addend)
    Address = ConstantExpr::getGetElementPtr(
        Byte, Address,
        ConstantInt::getSigned(Type::getInt64Ty(Context), R.Addend));
  if (R.Generic)
    Address =
        ConstantExpr::getAddrSpaceCast(Address, PointerType::get(Context, 0));
  return Address;
}

Error ModuleMaker::initialise(GlobalVariable &G, const ptx::Variable &V) {
  std::vector<uint8_t> Bytes = V.Init;
  Bytes.resize(V.Size);
  if (V.Relocations.empty()) {
    if (!V.Init.empty())
      G.setInitializer(ConstantDataArray::get(Context, Bytes));
    return Error::success();
  }
  std::vector<Constant *> Parts;
  uint64_t At = 0;
  auto Fill = [&](uint64_t End) {
    if (End > At)
      Parts.push_back(
          ConstantDataArray::get(Context, ArrayRef(Bytes).slice(At, End - At)));
  };
  for (const ptx::Relocation &R : V.Relocations) {
    Expected<Constant *> Address = relocated(V, R);
    if (!Address)
      return Address.takeError();
    Fill(R.Offset);
    Parts.push_back(*Address);
    At = R.Offset + R.Size;
  }
  Fill(V.Size);
  Constant *Whole = ConstantStruct::getAnon(Parts, /*Packed=*/true);
  auto *New =
      new GlobalVariable(*M, Whole->getType(), false, G.getLinkage(), Whole, "",
                         &G, GlobalValue::NotThreadLocal, G.getAddressSpace());
  New->setAlignment(G.getAlign());
  New->takeName(&G);
  G.replaceAllUsesWith(New);
  G.eraseFromParent();
  return Error::success();
}

Error ModuleMaker::variables() {
  StringMap<const ptx::Variable *> Known;
  for (const ptx::Variable &V : P.Variables) {
    auto [It, New] = Known.try_emplace(V.Name, &V);
    if (!New && V.Extern)
      continue;
    if (!New && !It->second->Extern)
      return ptxError(Input, V.Line,
                      "'" + V.Name + "' is defined more than once");
    if (!New)
      M->getNamedGlobal(V.Name)->eraseFromParent();
    It->second = &V;
    declare(V, V.Name);
  }
  for (const ptx::Variable &V : P.Variables)
    if (Known[V.Name] == &V && !V.Extern && V.Where != Space::Shared)
      if (Error E = initialise(*M->getNamedGlobal(V.Name), V))
        return E;
  return Error::success();
}

Type *ModuleMaker::parameterType(const ptx::Variable &V, bool &InMemory) {
  InMemory = V.Size != sizeOf(V.Type);
  if (InMemory)
    return ArrayType::get(Type::getInt8Ty(Context), V.Size);
  switch (V.Type) {
  case ScalarType::F32:
    return Type::getFloatTy(Context);
  case ScalarType::F64:
    return Type::getDoubleTy(Context);
  default:
    return Type::getIntNTy(Context, 8 * V.Size);
  }
}

/// The directives between a kernel's parameters and its body, with their
/// numbers: ".maxntid 256, 1, 1". The parser keeps but some of them.
static std::vector<std::pair<std::string, std::string>>
directivesOf(StringRef Text, const ptx::Function &F) {
  for (unsigned Line = 1; Line < F.Line; ++Line)
    Text = Text.split('\n').second;
  Text = Text.drop_front(std::min(Text.size(), Text.find(F.Name)));
  Text = Text.take_until([](char C) { return C == '{'; });
  Text = Text.rsplit(')').second;
  std::vector<std::pair<std::string, std::string>> Found;
  SmallVector<StringRef> Parts;
  Text.split(Parts, '.');
  for (StringRef Part : ArrayRef(Parts).drop_front()) {
    StringRef Name = Part.take_while(isAlpha);
    std::string Numbers;
    for (char C : Part.drop_front(Name.size()).split('\n').first)
      if (isDigit(C) || C == ',')
        Numbers += C;
    Found.emplace_back(Name.str(), Numbers);
  }
  return Found;
}

Error ModuleMaker::attributes(const ptx::Function &F, Function &Kernel) {
  for (const auto &[Name, Numbers] : directivesOf(*P.Text, F)) {
    StringRef Attribute = StringSwitch<StringRef>(Name)
                              .Case("maxntid", "nvvm.maxntid")
                              .Case("reqntid", "nvvm.reqntid")
                              .Case("minnctapersm", "nvvm.minctasm")
                              .Case("maxnreg", "nvvm.maxnreg")
                              .Case("maxclusterrank", "nvvm.maxclusterrank")
                              .Case("reqnctapercluster", "nvvm.cluster_dim")
                              .Default("");
    if (Attribute.empty() && Name != "noreturn" && Name != "pragma")
      return ptxError(Input, F.Line,
                      "'." + Name + "' of kernel '" + F.Name +
                          "' is not known");
    if (!Attribute.empty())
      Kernel.addFnAttr(Attribute, Numbers);
  }
  if (any_of(F.Pragmas, [](const ptx::Pragma &P) {
        return P.Text == SharedSpillingPragma;
      }))
    askForSharedSpilling(Kernel);
  Kernel.addFnAttr(CarriedPTXAttribute);
  Kernel.addFnAttr("target-cpu", P.Target);
  unsigned Major = 0, Minor = 0;
  auto [Before, After] = StringRef(P.Version).split('.');
  if (Before.getAsInteger(10, Major) || After.getAsInteger(10, Minor))
    return ptxError(Input, 1, "'" + P.Version + "' is not a version of PTX");
  // LLVM's own choice holds for what is older.
  if (unsigned Version = 10 * Major + Minor; Version > 88)
    Kernel.addFnAttr("target-features", "+ptx" + std::to_string(Version));
  return Error::success();
}

/// Shells keep a kernel's shared variables, which are counted where they are
/// used; the code is made later.
void ModuleMaker::body(const ptx::Function &F, Function &Kernel) {
  IRBuilder<> Builder(BasicBlock::Create(Context, "", &Kernel));
  auto Use = [&](GlobalVariable &G) {
    Builder.CreateLoad(Builder.getInt8Ty(), &G, /*isVolatile=*/true);
  };
  for (const ptx::Variable &V : F.Locals) {
    if (V.Where != Space::Shared)
      continue;
    GlobalVariable &G = declare(V, V.Name);
    if (G.getName() != V.Name) {
      G.setName(F.Name + "_" + V.Name);
      Input.Renamed[F.Name][V.Name] = G.getName().str();
    }
    Use(G);
  }
  StringSet<> Seen;
  auto Visit = [&](auto &Self, const ptx::Operand &O) -> void {
    if (O.K == ptx::Operand::Symbol && O.Index < 0 &&
        Seen.insert(StringRef(O.Name)).second)
      if (GlobalVariable *G = M->getNamedGlobal(StringRef(O.Name));
          G && G->getAddressSpace() == 3)
        Use(*G);
    for (const ptx::Operand &E : O.Elements)
      Self(Self, E);
  };
  for (const ptx::Instruction &I : F.Body)
    for (const ptx::Operand &O : I.Operands)
      Visit(Visit, O);
  Builder.CreateRetVoid();
}

Error ModuleMaker::kernel(const ptx::Function &F) {
  if (M->getNamedValue(F.Name))
    return ptxError(Input, F.Line,
                    "'" + F.Name + "' is defined more than once");
  std::vector<Type *> Types;
  std::vector<bool> InMemory;
  for (const ptx::Variable &V : F.Params) {
    bool Memory;
    Type *T = parameterType(V, Memory);
    InMemory.push_back(Memory);
    Types.push_back(Memory ? PointerType::get(Context, 0) : T);
  }
  auto *Kernel = Function::Create(
      FunctionType::get(Type::getVoidTy(Context), Types, false),
      GlobalValue::ExternalLinkage, F.Name, *M);
  Kernel->setCallingConv(CallingConv::PTX_Kernel);
  for (auto [N, V] : enumerate(F.Params)) {
    if (InMemory[N]) {
      bool Memory;
      Kernel->addParamAttr(
          N, Attribute::getWithByValType(Context, parameterType(V, Memory)));
      Kernel->addParamAttr(N, Attribute::getWithAlignment(
                                  Context, Align(std::max(1u, V.Align))));
    }
    std::string Own = F.Name + "_param_" + std::to_string(N);
    if (V.Name != Own)
      Input.Renamed[F.Name][V.Name] = Own;
  }
  body(F, *Kernel);
  giveLines(F, *Kernel);
  return attributes(F, *Kernel);
}

/// The scope that the places of \p F's instructions are in.
void ModuleMaker::giveLines(const ptx::Function &F, Function &Kernel) {
  const ptx::Location *First = nullptr;
  for (const ptx::Instruction &I : F.Body)
    if (I.Location && !First)
      First = &P.Locations[I.Location];
  if (!First)
    return;
  StringRef Name = P.FileName;
  for (const auto &[Number, File] : P.Files)
    if (Number == First->File)
      Name = File;
  DIFile *File = Debug.createFile(Name, "");
  if (!Unit)
    Unit = Debug.createCompileUnit(
        DISourceLanguageName(dwarf::DW_LANG_C_plus_plus), File, "", true, "", 0,
        "", DICompileUnit::DebugDirectivesOnly);
  auto *Type = Debug.createSubroutineType(Debug.getOrCreateTypeArray({}));
  Kernel.setSubprogram(Debug.createFunction(
      File, F.Name, "", File, First->Line, Type, First->Line,
      DINode::FlagPrototyped, DISubprogram::SPFlagDefinition));
}

/// Declarations of functions from elsewhere, as PTX: printf's and the like.
void ModuleMaker::externalFunctions() {
  auto List = [](const std::vector<ptx::Variable> &Variables) {
    std::string Text;
    for (const ptx::Variable &V : Variables) {
      Text += Text.empty() ? "" : ", ";
      if (V.Size == sizeOf(V.Type))
        Text += ".param .b" + std::to_string(8 * V.Size) + " " + V.Name;
      else
        Text += ".param .align " + std::to_string(V.Align) + " .b8 " + V.Name +
                "[" + std::to_string(V.Size) + "]";
    }
    return "(" + Text + ")";
  };
  for (const ptx::Function &F : P.Functions)
    if (!F.IsEntry && !F.HasBody)
      M->appendModuleInlineAsm(
          ".extern .func " + (F.Returns.empty() ? "" : List(F.Returns) + " ") +
          F.Name + List(F.Params) + ";");
}

Expected<std::unique_ptr<Module>> ModuleMaker::run() {
  M->setTargetTriple(Triple(DefaultTriple));
  M->setDataLayout(Triple(DefaultTriple).computeDataLayout());
  M->addModuleFlag(Module::Warning, "Debug Info Version",
                   DEBUG_METADATA_VERSION);
  if (Error E = variables())
    return std::move(E);
  for (const ptx::Function &F : P.Functions)
    if (F.IsEntry && F.HasBody)
      if (Error E = kernel(F))
        return std::move(E);
  externalFunctions();
  Debug.finalize();
  return std::move(M);
}

Expected<std::unique_ptr<Module>> regshare::makePTXModule(PTXInput &Input,
                                                          LLVMContext &C) {
  return ModuleMaker(Input, C).run();
}

//===----------------------------------------------------------------------===//
// Doors
//===----------------------------------------------------------------------===//

Error regshare::parsePTX(const MemoryBuffer &Buffer, LoadedInput &Input) {
  Result<ptx::Module> Parsed =
      ptx::parse(Buffer.getBuffer().str(), Buffer.getBufferIdentifier().str());
  if (!Parsed) {
    const Diagnostic &D = Parsed.error();
    return inputError({D.File, D.Line, D.Column}, D.Message);
  }
  Input.Kind = InputKind::PTX;
  Input.PTX = std::make_shared<PTXInput>();
  Input.PTX->Module = std::move(*Parsed);
  if (Error E = inlinePTXFunctions(*Input.PTX))
    return E;
  Expected<std::unique_ptr<Module>> M =
      makePTXModule(*Input.PTX, *Input.Context);
  if (!M)
    return M.takeError();
  Input.M = std::move(*M);
  return Error::success();
}

Error regshare::makePTXFunctions(LoadedInput &Input, MachineModuleInfo &MMI) {
  for (Function &F : *Input.M) {
    if (F.isDeclaration())
      continue;
    const ptx::Function *Code = Input.PTX->kernel(F.getName());
    MachineFunction &MF = MMI.getOrCreateMachineFunction(F);
    Expected<std::vector<std::string>> Names =
        makePTXBody(*Input.PTX, *Code, Input.Code, MF);
    if (!Names)
      return Names.takeError();
    Input.RegisterNames[F.getName()] = std::move(*Names);
    if (Error E = checkMachineCode(MF))
      return E;
  }
  return Error::success();
}
