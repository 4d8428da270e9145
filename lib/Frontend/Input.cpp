//===- Input.cpp - From a file to LLVM IR or MIR -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/Input.h"

#include "FrontEnds.h"

#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/KernelAnnotations.h"
#include "regshare/Frontend/NativeFrontEnd.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Frontend/TextureReferences.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <set>

using namespace llvm;
using namespace regshare;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static Error errorOf(const DiagnosticInfo &Info) {
  if (auto *MIR = dyn_cast<DiagnosticInfoMIRParser>(&Info))
    return inputError(MIR->getDiagnostic());
  if (auto *Asm = dyn_cast<DiagnosticInfoSrcMgr>(&Info))
    return inputError(Asm->getSMDiag());
  if (auto *Placed = dyn_cast<DiagnosticInfoGenericWithLoc>(&Info);
      Placed && Placed->isLocationAvailable()) {
    DiagnosticLocation At = Placed->getLocation();
    return inputError(
        {At.getRelativePath().str(), At.getLine(), At.getColumn()},
        Placed->getMsgStr());
  }
  std::string Message;
  raw_string_ostream OS(Message);
  DiagnosticPrinterRawOStream Printer(OS);
  Info.print(Printer);
  return inputError(Message);
}

namespace regshare {
struct CollectingHandler : DiagnosticHandler {
  explicit CollectingHandler(DiagnosticCollector &Collector)
      : Collector(Collector) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error)
      return false;
    Collector.Errors = joinErrors(std::move(Collector.Errors), errorOf(Info));
    return true;
  }

  DiagnosticCollector &Collector;
};
} // namespace regshare

DiagnosticCollector::~DiagnosticCollector() { consumeError(take()); }

void DiagnosticCollector::attach(LLVMContext &Context) {
  Context.setDiagnosticHandler(std::make_unique<CollectingHandler>(*this));
}

Error DiagnosticCollector::take() {
  Error Taken = std::move(Errors);
  Errors = Error::success();
  return Taken;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::optional<std::string> regshare::dataLayoutFor(StringRef TT,
                                                   StringRef Layout) {
  if (!Layout.empty() || (!TT.empty() && !Triple(TT).isNVPTX()))
    return std::nullopt;
  return Triple(TT.empty() ? DefaultTriple : TT).computeDataLayout();
}

Expected<std::unique_ptr<Module>> regshare::parseModule(MemoryBufferRef Buffer,
                                                        LLVMContext &Context) {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M =
      parseIR(Buffer, Diagnostic, Context, ParserCallbacks(dataLayoutFor));
  if (!M)
    return inputError(Diagnostic);
  return M;
}

namespace {
enum class Language { Unknown, CUDA, IR, MIR, MLIR, PTX };
} // namespace

static Expected<Language> languageOf(const InputOptions &Options) {
  if (!Options.Language.empty()) {
    Language L = StringSwitch<Language>(Options.Language)
                     .Case("cuda", Language::CUDA)
                     .Case("ir", Language::IR)
                     .Case("mir", Language::MIR)
                     .Case("mlir", Language::MLIR)
                     .Case("ptx", Language::PTX)
                     .Default(Language::Unknown);
    if (L == Language::Unknown)
      return inputError("unknown input language '" + Options.Language +
                        "'; known are cuda, ir, mir, mlir, ptx");
    return L;
  }
  if (Options.Path == "-")
    return Language::Unknown;
  StringRef Extension = sys::path::extension(Options.Path);
  Language L = StringSwitch<Language>(Extension)
                   .Case(".cu", Language::CUDA)
                   .Cases({".ll", ".bc"}, Language::IR)
                   .Case(".mir", Language::MIR)
                   .Case(".mlir", Language::MLIR)
                   .Case(".ptx", Language::PTX)
                   .Default(Language::Unknown);
  if (L == Language::Unknown)
    return inputError({Options.Path, 0, 0},
                      "cannot tell the language from the extension '" +
                          Extension +
                          "'; say -x cuda, -x ir, -x mir, -x mlir or -x ptx");
  return L;
}

/// A MIR file is YAML: its first line that is no comment starts a document.
static bool looksLikeMIR(StringRef Text) {
  while (true) {
    Text = Text.ltrim();
    if (!Text.starts_with("#"))
      return Text.starts_with("---");
    Text = Text.split('\n').second;
  }
}

/// Reads PTX, IR or MIR, whichever of the last two \p L leaves open.
static Error readText(const InputOptions &Options, Language L,
                      LoadedInput &Input) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      Options.Contents
          ? MemoryBuffer::getMemBuffer(*Options.Contents,
                                       /*RequiresNullTerminator=*/false)
          : MemoryBuffer::getFileOrSTDIN(Options.Path, /*IsText=*/false);
  if (!Buffer)
    return inputError({Options.Path, 0, 0},
                      "cannot read it: " + Buffer.getError().message());
  if (L == Language::PTX)
    return parsePTX(**Buffer, Input);
  if (L == Language::MIR ||
      (L == Language::Unknown && looksLikeMIR((*Buffer)->getBuffer())))
    return parseMachineIR(std::move(*Buffer), Input);
  Expected<std::unique_ptr<Module>> M =
      parseModule((*Buffer)->getMemBufferRef(), *Input.Context);
  if (!M)
    return M.takeError();
  Input.M = std::move(*M);
  return Error::success();
}

static Error readInput(const InputOptions &Options, LoadedInput &Input) {
  Expected<Language> L = languageOf(Options);
  if (!L)
    return L.takeError();
  // Programs that read the file themselves would each word this differently.
  if (!Options.Contents && Options.Path != "-" &&
      !sys::fs::exists(Options.Path))
    return inputError({Options.Path, 0, 0}, "no such file");
  if (*L != Language::CUDA && *L != Language::MLIR)
    return readText(Options, *L, Input);

  auto Read = *L == Language::CUDA ? compileCuda : lowerMLIR;
  Expected<std::unique_ptr<Module>> M = Read(Options, *Input.Context);
  if (!M)
    return M.takeError();
  Input.M = std::move(*M);
  Input.M->setModuleIdentifier(Options.Path);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Target and kernels
//===----------------------------------------------------------------------===//

static Error checkModule(Module &M, bool NeedsKernel) {
  SourcePlace Place{M.getModuleIdentifier(), 0, 0};
  if (!M.getTargetTriple().empty())
    if (Error E = checkTriple(M.getTargetTriple()))
      return handleErrors(std::move(E), [&](const InputError &Input) {
        return inputError(Place, Input.text());
      });

  std::string Message;
  raw_string_ostream OS(Message);
  if (verifyModule(M, &OS)) {
    auto [First, Rest] = StringRef(Message).rtrim().split('\n');
    return make_error<InputError>(Place, First.str(), Rest.str());
  }
  if (NeedsKernel && kernelsOf(M).empty())
    return inputError(Place, "no kernel: the module defines no __global__ "
                             "function (calling convention ptx_kernel)");
  return Error::success();
}

/// Whether the options that the module was compiled with let multiplies and
/// adds be contracted. clang marks them all then, and device math that it has
/// linked in is not marked whatever it was told.
static bool contractsAnything(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      return isa<FPMathOperator>(I) && I.hasAllowContract();
    });
  });
}

/// Whether no operation of the module could tell whether it may be contracted:
/// half precision may be inline PTX alone.
static bool marksNothing(const Module &M) {
  return none_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      return isa<FPMathOperator>(I) && isa<BinaryOperator>(I);
    });
  });
}

/// Whether clang has made the module, so that its marks tell what may be
/// contracted. What others write in the form of PTX has always been contracted.
static bool isMadeByClang(const Module &M) {
  const NamedMDNode *Makers = M.getNamedMetadata("llvm.ident");
  return Makers && any_of(Makers->operands(), [](const MDNode *Maker) {
           auto *Name = dyn_cast<MDString>(Maker->getOperand(0));
           return Name && Name->getString().contains("clang");
         });
}

static Error setTarget(const InputOptions &Options, LoadedInput &Input,
                       bool ContractAll) {
  Module &M = *Input.M;
  // clang and MLIR were told -mcpu and wrote down what they made of it.
  std::set<StringRef> Own;
  for (const Function *F : kernelsOf(M))
    if (F->hasFnAttribute("target-cpu"))
      Own.insert(F->getFnAttribute("target-cpu").getValueAsString());
  StringRef CPU = Own.empty() ? namedCPU(Options) : Options.CPU;
  Expected<TargetChoice> Target =
      chooseTarget(M, Own.count(CPU) ? "" : CPU, Options.Features);
  if (!Target)
    return Target.takeError();
  CodeGenChoice CodeGen;
  CodeGen.ShortPointers =
      M.getDataLayout() ==
      DataLayout(Triple(DefaultTriple).computeDataLayout("shortptr"));
  CodeGen.ContractAll = ContractAll;
  Input.TM = createTargetMachine(*Target, Options.OptLevel, CodeGen);
  M.setTargetTriple(Triple(DefaultTriple));
  DataLayout Layout = Input.TM->createDataLayout();
  if (M.getDataLayout() != Layout)
    return inputError({M.getModuleIdentifier(), 0, 0},
                      "data layout \"" + M.getDataLayoutStr() +
                          "\" is not that of " + DefaultTriple + ", \"" +
                          Layout.getStringRepresentation() + "\"");
  setTargetAttributes(M, *Target);
  return Error::success();
}

Expected<LoadedInput> regshare::loadInput(const InputOptions &Options) {
  initializeTarget();
  LoadedInput Input;
  Input.Diagnostics = std::make_unique<DiagnosticCollector>();
  Input.Context = std::make_unique<LLVMContext>();
  Input.Diagnostics->attach(*Input.Context);

  if (Error E = readInput(Options, Input))
    return joinErrors(std::move(E), Input.Diagnostics->take());
  Input.Code = Options.Code;
  Input.OptLevel = Options.OptLevel;
  if (Error E = checkModule(*Input.M, Options.NeedsKernel))
    return std::move(E);
  // Before libdevice comes in, which leaves it to others.
  bool ContractAll = contractsAnything(*Input.M) ||
                     (Options.Code == CodeForm::PTX ? !isMadeByClang(*Input.M)
                                                    : marksNothing(*Input.M));
  if (Input.Kind == InputKind::IR) {
    takeKernelAnnotations(*Input.M);
    lowerMathIntrinsics(*Input.M);
    if (Error E = linkLibdevice(Options, *Input.M))
      return std::move(E);
  }
  if (Error E = setTarget(Options, Input, ContractAll))
    return std::move(E);
  if (Error E = Input.Diagnostics->take())
    return std::move(E);
  return Input;
}

Error regshare::prepareForCodeGen(LoadedInput &Input) {
  if (Input.Kind != InputKind::IR)
    return Error::success();
  lowerTextureReferences(*Input.M);
  if (Error E = inlineDeviceFunctions(*Input.M, Input.OptLevel, Input.TM.get()))
    return E;
  if (Input.Code == CodeForm::Native)
    prepareNativeCode(*Input.M, *Input.TM);
  return Error::success();
}
