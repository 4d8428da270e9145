//===- Compile.cpp - One source, two processors ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "DropWarnings.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/NativeOptions.h"
#include "regshare/Pipeline/Pipeline.h"
#include "regshare/Transforms/Session.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <dlfcn.h>
#include <random>

using namespace llvm;

namespace regshare::fuzz {

std::string Variant::name() const {
  std::string Text = Architected ? "architected" : "virtual";
  if (Code == CodeForm::Native)
    Text = Scheduled ? "native" : "unscheduled";
  if (Applied != schemes::Baseline) {
    Text = Code == CodeForm::Native ? Text + "-" : "";
    Text += Applied.name();
  }
  if (MaxRegs)
    Text += ":max-regs=" + std::to_string(MaxRegs);
  if (SharedSpilling)
    Text += ":smem-spilling";
  for (const Setting *S : Applied->Settings)
    if (Settings.has(*S))
      Text += ":" + std::string(S->Name) + "=" + S->print(Settings[*S]);
  return (FromPTX ? "from-ptx-" : "") + Text + "-O" + std::to_string(OptLevel);
}

std::optional<Variant> Variant::parse(StringRef Name) {
  auto [Text, Level] = Name.rsplit("-O");
  Variant V;
  if (Level.getAsInteger(10, V.OptLevel) || V.OptLevel > 3)
    return std::nullopt;
  V.FromPTX = Text.consume_front("from-ptx-");
  if (Text == "virtual")
    return V.FromPTX ? std::nullopt : std::optional(V);
  V.Architected = true;
  SmallVector<StringRef, 8> Parts;
  Text.split(Parts, ':');
  Text = Parts.front();
  V.Scheduled = !Text.starts_with("unscheduled");
  bool HasScheme = Text != "architected";
  if (Text.consume_front("native") || Text.consume_front("unscheduled")) {
    V.Code = CodeForm::Native;
    HasScheme = !Text.empty();
    if (HasScheme && !Text.consume_front("-"))
      return std::nullopt;
  }
  if (HasScheme) {
    Result<Scheme> Applied = parseScheme(Text.str());
    if (!Applied)
      return std::nullopt;
    V.Applied = *Applied;
  }
  for (StringRef Part : drop_begin(Parts)) {
    auto [Word, Value] = Part.split('=');
    if (Part == "smem-spilling") {
      V.SharedSpilling = true;
      continue;
    }
    if (Word == "max-regs") {
      if (Value.getAsInteger(10, V.MaxRegs))
        return std::nullopt;
      continue;
    }
    const Setting *S = V.Applied->findSetting(Word.str());
    if (!S || !V.Settings.read(*S, Value.str()))
      return std::nullopt;
  }
  return V;
}

static int64_t randomValue(const Setting &S, std::mt19937_64 &Random) {
  if (S.Kind == Setting::Flag)
    return Random() % 2;
  if (S.Kind == Setting::Choice)
    return S.Choices[Random() % S.Choices.size()].Value;
  // A default that stands for something else may ask for a device, which code
  // that runs on several is not compiled for.
  int64_t Least = S.Least + (!S.DefaultMeans.empty() && S.Default == S.Least);
  uint64_t Values = S.Most - Least + 1;
  // Of numbers, most kernels can do with small ones only.
  if (S.Kind == Setting::Number)
    Values = std::min(Values, uint64_t(1) << Random() % (Log2_64(Values) + 2));
  return Least + int64_t(Random() % Values);
}

SettingValues randomSettings(Scheme S, uint64_t Seed, SettingValues Given) {
  std::mt19937_64 Random(Seed);
  for (const Setting *Each : S->Settings)
    if (!Given.has(*Each))
      Given.set(*Each, randomValue(*Each, Random));
  return Given;
}

std::vector<Variant> plainVariants(CodeForm Code, unsigned OptLevel) {
  if (Code == CodeForm::Native)
    return {{true, OptLevel, Code, true}, {true, OptLevel, Code, false}};
  return {{false, OptLevel}, {true, OptLevel}};
}

std::vector<Variant> allVariants(CodeForm Code) {
  std::vector<Variant> All;
  for (unsigned Level = 0; Level != 4; ++Level)
    llvm::append_range(All, plainVariants(Code, Level));
  return All;
}

ScratchFolder::ScratchFolder(const Twine &Prefix) {
  SmallString<128> Unique;
  if (std::error_code EC = sys::fs::createUniqueDirectory(Prefix, Unique))
    report_fatal_error(Twine("cannot make a temporary folder: ") +
                       EC.message());
  Path = Unique.str().str();
}

ScratchFolder::~ScratchFolder() {
  // What cannot be removed now is left to whoever cleans the folder.
  std::error_code Ignored = sys::fs::remove_directories(Path);
  static_cast<void>(Ignored);
}

std::string ScratchFolder::path(const Twine &Name) const {
  return (Path + "/" + Name).str();
}

/// What both sides need for one meaning: integers wrap, memory has no types,
/// and every operation rounds on its own.
static const char *const CommonFlags[] = {
    "-std=c++20",      "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off",
    "-Wno-everything", "-I",      REGSHARE_FUZZ_SOURCES};

static Error writeText(StringRef Path, StringRef Text) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Text;
    OS.close();
    EC = OS.error();
  }
  return EC ? createFileError(Path, EC) : Error::success();
}

static Error runClang(std::vector<StringRef> Args,
                      const ScratchFolder &Folder) {
  Args.insert(Args.begin(), REGSHARE_CLANG);
  Args.insert(Args.begin() + 1, std::begin(CommonFlags), std::end(CommonFlags));
  std::string Log = Folder.path("log");
  std::string Message;
  int Status = sys::ExecuteAndWait(
      REGSHARE_CLANG, Args, std::nullopt,
      {std::nullopt, StringRef(Log), StringRef(Log)}, 0, 0, &Message);
  if (Status == 0)
    return Error::success();
  if (auto Text = MemoryBuffer::getFile(Log))
    Message += (*Text)->getBuffer().take_front(4000);
  return createStringError("clang fails: " + join(Args, " ") + "\n" + Message);
}

std::string sourceOf(ArrayRef<const Kernel *> Kernels) {
  std::string Text = "#include \"FuzzKernel.h\"\n";
  for (const Kernel *K : Kernels)
    Text += K->text();
  return Text;
}

Expected<std::unique_ptr<HostLibrary>>
HostLibrary::compile(StringRef Source, ArrayRef<Swap> Swaps) {
  ScratchFolder Folder("regshare-fuzz-host");
  std::string Input = Folder.path("kernels.cpp");
  std::string Output = Folder.path("kernels.so");
  // The swaps concern kernels, not the header.
  auto [Include, Kernels] = Source.split('\n');
  std::string Text = (Include + "\n").str();
  for (const Swap &S : Swaps)
    Text += "#define " + S.From + " " + S.To + "\n";
  if (Error E = writeText(Input, Text + Kernels.str()))
    return std::move(E);
  if (Error E =
          runClang({"-O1", "-fPIC", "-shared", "-Xclang",
                    "-ffloat16-excess-precision=none", Input, "-o", Output},
                   Folder))
    return std::move(E);
  void *Handle = dlopen(Output.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    return createStringError(Twine("dlopen: ") + dlerror());
  return std::unique_ptr<HostLibrary>(new HostLibrary(Handle));
}

HostLibrary::~HostLibrary() { dlclose(Handle); }

FuzzKernelFn HostLibrary::find(const std::string &Name) const {
  return reinterpret_cast<FuzzKernelFn>(dlsym(Handle, Name.c_str()));
}

Expected<std::string> compileToBitcode(StringRef Source, const Variant &V,
                                       StringRef CPU) {
  ScratchFolder Folder("regshare-fuzz-device");
  std::string Input = Folder.path("kernels.cu");
  std::string Output = Folder.path("kernels.bc");
  if (Error E = writeText(Input, Source))
    return std::move(E);
  std::string Arch = ("--cuda-gpu-arch=" + CPU).str();
  std::string Level = "-O" + std::to_string(V.OptLevel);
  std::vector<StringRef> Args = {
      "-x",  "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", Arch,
      Level, "-c",   "-emit-llvm",         Input,        "-o",         Output};
  std::vector<std::string> Native;
  if (V.frontEnd() == CodeForm::Native)
    Native = nativeClangOptions("");
  llvm::append_range(Args, Native);
  if (Error E = runClang(std::move(Args), Folder))
    return std::move(E);
  auto Bitcode = MemoryBuffer::getFile(Output);
  if (!Bitcode)
    return createFileError(Output, Bitcode.getError());
  return (*Bitcode)->getBuffer().str();
}

/// Gives every other kernel the extents of its CTAs, and the others no more
/// than their threads.
static void sayBlocks(Module &M, ArrayRef<const Kernel *> Kernels) {
  for (const Kernel *K : Kernels) {
    Function *F = M.getFunction(K->Name);
    if (F && K->Seed % 2)
      F->addFnAttr("nvvm.reqntid",
                   utostr(K->BlockX) + "," + utostr(K->BlockY) + ",1");
    else if (F)
      F->addFnAttr("nvvm.maxntid", utostr(K->BlockX * K->BlockY));
  }
}

/// \p Code is bitcode or PTX. \p Inlines: into kernels what they call, as
/// architected code has it.
static Expected<std::string> generate(MemoryBufferRef Code, StringRef Language,
                                      const Variant &V, bool Inlines,
                                      ArrayRef<const Kernel *> Kernels) {
  InputOptions Options;
  Options.Path = Code.getBufferIdentifier().str();
  Options.Contents = Code;
  Options.Language = Language.str();
  Options.OptLevel = V.OptLevel;
  Options.Code = V.Code;
  Expected<LoadedInput> Input = loadInput(Options);
  if (!Input)
    return Input.takeError();
  test::dropWarnings(*Input->Context);
  // A multiplication and an addition that become one round once, which the
  // host does not.
  Input->TM->Options.AllowFPOpFusion = FPOpFusion::Strict;
  std::vector<std::string> Passes;
  CompilerOptions Compiler;
  if (V.Architected) {
    Compiler.Scheme = V.Applied.name();
    Compiler.Settings = V.Settings;
    Compiler.Code = V.Code;
    Compiler.Schedule = V.Scheduled;
    Compiler.Control = V.Scheduled && V.Code == CodeForm::Native;
    Compiler.MaxRegs = V.MaxRegs;
    Compiler.SharedSpilling = V.SharedSpilling;
    if (V.SharedSpilling)
      sayBlocks(*Input->M, Kernels);
    Passes = passesForScheme(Compiler.Scheme, OutputKind::PTX, V.Code);
  }
  if (Inlines)
    if (Error E = prepareForCodeGen(*Input))
      return std::move(E);
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  if (Error E = runPipeline(*Input, new SessionPass(Compiler), Passes,
                            OutputKind::PTX, OS))
    return std::move(E);
  return Text.str().str();
}

Expected<std::string> generatePTX(StringRef Bitcode, const Variant &V,
                                  ArrayRef<const Kernel *> Kernels) {
  MemoryBufferRef Code(Bitcode, "kernels.bc");
  if (!V.FromPTX)
    return generate(Code, "ir", V, V.Architected, Kernels);
  // PTX as input has no function that calls itself, or through a pointer.
  bool Recurses = any_of(Kernels, [](const Kernel *K) { return K->HasCalls; });
  Expected<std::string> PTX =
      generate(Code, "ir", {false, V.OptLevel}, /*Inlines=*/Recurses, {});
  if (!PTX)
    return PTX.takeError();
  return generate(MemoryBufferRef(*PTX, "kernels.ptx"), "ptx", V, true,
                  Kernels);
}

} // namespace regshare::fuzz
