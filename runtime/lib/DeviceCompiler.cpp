//===- DeviceCompiler.cpp - Bitcode to annotated PTX -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

#include "regshare/Base/SchemeLoader.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/NativeOptions.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Pipeline/Pipeline.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Transforms/SchemeCompiler.h"
#include "regshare/Transforms/Session.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Compression.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regshare::cudart {

static std::string text(Error E) {
  std::string Text;
  raw_string_ostream OS(Text);
  printErrors(std::move(E), OS);
  return std::string(StringRef(Text).rtrim());
}

static unsigned processorNumber(StringRef CPU) {
  unsigned Number = 0;
  CPU.consume_front("sm_");
  CPU.take_while(isDigit).getAsInteger(10, Number);
  return Number;
}

/// The newest processor that a kernel was written for.
static unsigned sourceProcessor(Module &M) {
  unsigned Newest = 0;
  for (const Function *K : kernelsOf(M)) {
    StringRef Own = K->getFnAttribute("target-cpu").getValueAsString();
    Newest = std::max(Newest, processorNumber(Own));
  }
  return Newest;
}

/// The device's processor, unless a kernel was written for a newer one.
static std::string targetFor(Module &M, StringRef Device) {
  StringRef Target = Device;
  for (const Function *K : kernelsOf(M)) {
    StringRef Own = K->getFnAttribute("target-cpu").getValueAsString();
    if (processorNumber(Own) > processorNumber(Target))
      Target = Own;
  }
  return Target.str();
}

/// clang marks what it compiles at -O0.
static unsigned optLevelOf(Module &M) {
  for (const Function *K : kernelsOf(M))
    if (!K->hasOptNone())
      return 2;
  return kernelsOf(M).empty() ? 2 : 0;
}

static Expected<InputOptions> inputFor(const CompileRequest &Request,
                                       MemoryBufferRef Bitcode,
                                       unsigned &SourceProcessor) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(Bitcode, Context);
  if (!M)
    return M.takeError();
  SourceProcessor = sourceProcessor(**M);
  InputOptions Options;
  Options.Path = Request.Name;
  Options.Language = "ir";
  Options.Contents = Bitcode;
  Options.NeedsKernel = false;
  Options.CPU = targetFor(**M, Request.Target);
  Options.Code = Request.Code;
  Options.OptLevel = optLevelOf(**M);
  if (Request.Code == CodeForm::Native && Options.OptLevel)
    Options.OptLevel = NativeOptLevel;
  Options.CudaPath = Request.CudaPath;
  return Options;
}

/// The number after `.target sm_`; 0 if there is none.
static unsigned targetOfPTX(StringRef Text) {
  StringRef Name = Text.split(".target").second.ltrim();
  return processorNumber(
      Name.take_while([](char C) { return isAlnum(C) || C == '_'; }));
}

static InputOptions inputForPTX(const CompileRequest &Request,
                                MemoryBufferRef Text,
                                unsigned &SourceProcessor) {
  SourceProcessor = targetOfPTX(Text.getBuffer());
  InputOptions Options;
  Options.Path = Request.Name;
  Options.Language = "ptx";
  Options.Contents = Text;
  Options.NeedsKernel = false;
  bool IsNewer = SourceProcessor > processorNumber(Request.Target);
  Options.CPU =
      IsNewer ? "sm_" + std::to_string(SourceProcessor) : Request.Target;
  Options.Code = Request.Code;
  return Options;
}

/// Compiles all kernels of \p Bitcode, or none.
static Expected<CompiledCode> compileAll(const CompileRequest &Request,
                                         MemoryBufferRef Bitcode) {
  CompiledCode Code;
  Expected<InputOptions> Options =
      Request.IsPTX ? inputForPTX(Request, Bitcode, Code.SourceProcessor)
                    : inputFor(Request, Bitcode, Code.SourceProcessor);
  if (!Options)
    return Options.takeError();
  Expected<LoadedInput> Input = loadInput(*Options);
  if (!Input)
    return Input.takeError();
  if (Error E = prepareForCodeGen(*Input))
    return std::move(E);
  CompilerOptions Compiler = compilerOptions();
  Compiler.Scheme = Request.Scheme;
  Compiler.Device = Request.Device;
  Compiler.Code = Request.Code;
  Compiler.Schedule = Request.Schedule;
  Compiler.Control = Request.ControlCode;
  Compiler.Reuse = Request.Reuse;
  Compiler.MaxRegs = Request.MaxRegisters;
  Compiler.SharedSpilling = Request.SharedSpilling;
  Compiler.ThreadsPerCTA = Request.ThreadsPerCTA;
  Compiler.Block = Request.Block;
  Compiler.DynamicSharedBytes = Request.DynamicSharedBytes;
  Compiler.Settings = Request.Settings;
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  if (Error E = runPipeline(
          *Input, new SessionPass(Compiler),
          passesForScheme(Request.Scheme, OutputKind::PTX, Request.Code),
          OutputKind::PTX, OS))
    return std::move(E);
  Code.PTX = std::string(Text);
  return Code;
}

/// \p Bitcode without the kernels for which \p Leaves(name) holds.
template <typename Predicate>
static Expected<std::string> leaveOut(MemoryBufferRef Bitcode,
                                      Predicate Leaves) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(Bitcode, Context);
  if (!M)
    return M.takeError();
  for (Function *K : kernelsOf(**M)) {
    if (!Leaves(K->getName()))
      continue;
    // A declaration that nobody calls leaves no trace.
    removeFromUsedLists(
        **M, [&](Constant *C) { return C->stripPointerCasts() == K; });
    K->deleteBody();
    K->setCallingConv(CallingConv::C);
  }
  std::string Text;
  raw_string_ostream OS(Text);
  WriteBitcodeToFile(**M, OS);
  return Text;
}

static Expected<std::vector<std::string>> kernelNames(MemoryBufferRef Bitcode) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(Bitcode, Context);
  if (!M)
    return M.takeError();
  std::vector<std::string> Names;
  for (const Function *K : kernelsOf(**M))
    Names.push_back(K->getName().str());
  return Names;
}

/// Compiles each kernel alone to see which cannot be, and then the others
/// together. \p Why is what compiling all has failed with.
static Expected<CompiledCode> compileWhatCan(const CompileRequest &Request,
                                             MemoryBufferRef Bitcode,
                                             Error Why) {
  Expected<std::vector<std::string>> Names = kernelNames(Bitcode);
  if (!Names) {
    consumeError(Names.takeError());
    return std::move(Why);
  }
  auto Compile = [&](auto Leaves) -> Expected<CompiledCode> {
    Expected<std::string> Rest = leaveOut(Bitcode, Leaves);
    return Rest ? compileAll(Request, {*Rest, Request.Name}) : Rest.takeError();
  };
  std::map<std::string, std::string> Refused;
  for (const std::string &Name : *Names)
    if (auto Alone = Compile([&](StringRef K) { return K != Name; }); !Alone)
      Refused[Name] = text(Alone.takeError());
  if (Refused.empty() || Refused.size() == Names->size())
    return std::move(Why);
  consumeError(std::move(Why));
  Expected<CompiledCode> Code =
      Compile([&](StringRef K) { return Refused.count(K.str()) != 0; });
  if (Code)
    Code->Refused = std::move(Refused);
  return Code;
}

static Expected<CompiledCode> compile(const CompileRequest &Request) {
  initializeTarget();
  initializeRegSharePasses();
  MemoryBufferRef Bitcode({Request.Bitcode.data(), Request.Bitcode.size()},
                          Request.Name);
  Expected<CompiledCode> Code = compileAll(Request, Bitcode);
  if (Request.IsPTX)
    return Code;
  return Code ? std::move(Code)
              : compileWhatCan(Request, Bitcode, Code.takeError());
}

Result<CompiledCode> compileDeviceCode(const CompileRequest &Request) {
  Expected<CompiledCode> Code = compile(Request);
  if (!Code)
    return fail(text(Code.takeError()));
  return std::move(*Code);
}

Result<std::string> unpackZstd(std::string_view Packed, size_t Size) {
  if (!compression::zstd::isAvailable())
    return fail("this LLVM has no zstd");
  SmallVector<uint8_t, 0> Bytes;
  if (Error E = compression::zstd::decompress(
          arrayRefFromStringRef({Packed.data(), Packed.size()}), Bytes, Size))
    return fail(text(std::move(E)));
  return std::string(toStringRef(Bytes));
}

static Result<void> loadSchemes(Scheme Chosen) {
  Result<void> Loaded = loadSchemeCompilers();
  return Loaded ? checkCompilerOf(Chosen) : Loaded;
}

} // namespace regshare::cudart

extern "C" const regshare::cudart::DeviceCompiler RegShareDeviceCompiler;
const regshare::cudart::DeviceCompiler RegShareDeviceCompiler = {
    regshare::cudart::compileDeviceCode, regshare::cudart::unpackZstd,
    regshare::cudart::loadSchemes};
