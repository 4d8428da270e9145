//===- Modules.cpp - Device code that a program registers -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modules.h"

#include "API/DeviceFacts.h"
#include "DeviceCompiler.h"
#include "Runtime.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace regshare::cudart {

ModuleTable &ModuleTable::get() {
  static ModuleTable *Table = new ModuleTable;
  return *Table;
}

Module *ModuleTable::add(const FatBinaryWrapper *Wrapper) {
  Modules.push_back(std::make_unique<Module>());
  Modules.back()->Wrapper = Wrapper;
  return Modules.back().get();
}

void ModuleTable::remove(Module *M) {
  for (const void *Host : M->Kernels)
    if (auto It = Kernels.find(Host);
        It != Kernels.end() && It->second.Owner == M)
      Kernels.erase(It);
  for (const void *Host : M->Variables)
    if (auto It = Variables.find(Host);
        It != Variables.end() && It->second.Owner == M)
      Variables.erase(It);
  for (const void *Host : M->References)
    if (auto It = References.find(Host);
        It != References.end() && It->second.Owner == M)
      References.erase(It);
  std::erase_if(Modules, [&](auto &Owned) { return Owned.get() == M; });
}

void ModuleTable::addKernel(Module *M, const void *Host, const char *Name) {
  // Translation units share the host function of an inline kernel, and the
  // code.
  if (Kernels.try_emplace(Host, Kernel{M, Name}).second)
    M->Kernels.push_back(Host);
}

void ModuleTable::addVariable(Module *M, const void *Host, Variable V) {
  V.Owner = M;
  if (Variables.try_emplace(Host, std::move(V)).second)
    M->Variables.push_back(Host);
}

void ModuleTable::addManagedShadow(void *Host, size_t Bytes) {
  ManagedShadows.emplace(Host, Bytes);
}

void ModuleTable::addReference(Module *M, const void *Host, Reference Ref) {
  Ref.Owner = M;
  if (References.try_emplace(Host, std::move(Ref)).second)
    M->References.push_back(Host);
}

Kernel *ModuleTable::findKernel(const void *Host) {
  auto It = Kernels.find(Host);
  return It == Kernels.end() ? nullptr : &It->second;
}

Kernel *ModuleTable::kernelNamed(Module &M, const std::string &Name) {
  for (const void *Host : M.Kernels)
    if (Kernel *K = findKernel(Host); K && K->Owner == &M && K->Name == Name)
      return K;
  return &M.Unregistered.try_emplace(Name, Kernel{&M, Name}).first->second;
}

Variable *ModuleTable::findVariable(const void *Host) {
  if (auto It = Variables.find(Host); It != Variables.end())
    return &It->second;
  // nvcc's host code names a managed variable by its address.
  auto Managed = std::ranges::find_if(Variables, [&](const auto &Each) {
    return Host && Each.second.Managed && *Each.second.Managed == Host;
  });
  return Managed == Variables.end() ? nullptr : &Managed->second;
}

Reference *ModuleTable::findReference(const void *Host) {
  auto It = References.find(Host);
  return It == References.end() ? nullptr : &It->second;
}

/// In the code, the name of a static variable is mangled.
static bool isNamed(const std::string &InCode, const std::string &Name) {
  return InCode == Name || demangle(InCode) == Name;
}

std::vector<const void *>
ModuleTable::variablesNamed(const std::string &Name) const {
  std::vector<const void *> Found;
  for (const auto &[Host, V] : Variables)
    if (isNamed(V.Name, Name))
      Found.push_back(Host);
  return Found;
}

std::vector<const void *> ModuleTable::referencesNamed(const std::string &Name,
                                                       bool AreSurfaces) const {
  std::vector<const void *> Found;
  for (const auto &[Host, Ref] : References)
    if (Ref.IsSurface == AreSurfaces && isNamed(Ref.Name, Name))
      Found.push_back(Host);
  return Found;
}

void ModuleTable::unloadAll() {
  for (auto &[Host, Ref] : References)
    Ref.Handle = 0;
  for (auto &M : Modules) {
    M->Variants.clear();
    M->Code = {};
    M->LoadError = cudaSuccess;
  }
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The compiler half, loaded now if it has not been.
static Result<const DeviceCompiler *> findCompiler() {
  static void *Library = dlopen(
      (libraryDirectory() + "/" REGSHARE_COMPILER_LIBRARY).c_str(), RTLD_NOW);
  if (!Library)
    return fail(std::string("cannot load the device compiler: ") + dlerror());
  void *Symbol = dlsym(Library, CompilerSymbol);
  if (!Symbol)
    return fail(std::string("the device compiler is of another version: ") +
                dlerror());
  return static_cast<const DeviceCompiler *>(Symbol);
}

static Result<std::string> unpackZstdWithCompiler(std::string_view Packed,
                                                  size_t Size) {
  Result<const DeviceCompiler *> Compiler = findCompiler();
  if (!Compiler)
    return fail(Compiler.error());
  return (*Compiler)->UnpackZstd(Packed, Size);
}

/// With \p Shape, for launches of that shape; else for what is the same in all.
static Result<CompiledCode> compile(const DeviceImage &Image,
                                    const std::string &Name, const Settings &S,
                                    const std::optional<LaunchShape> &Shape) {
  Result<const DeviceCompiler *> Compiler = findCompiler();
  if (!Compiler)
    return fail(Compiler.error());
  if (Result<void> Loaded = (*Compiler)->LoadSchemes(S.TheScheme); !Loaded)
    endWithoutLibrary(Loaded.error());
  CompileRequest Request;
  Request.Bitcode = Image.Contents;
  Request.IsPTX = Image.K == DeviceImage::PTX;
  Request.Name = Name;
  Request.Target = S.Device.Target;
  bool ForAll = S.dependsOnLaunch() && !Shape;
  Request.Scheme = (ForAll ? schemes::Baseline : S.TheScheme).name();
  Request.Device = S.DeviceName;
  Request.Code = S.code();
  Request.Schedule = S.Schedule;
  Request.ControlCode = S.ControlCode;
  Request.Reuse = S.Reuse;
  Request.MaxRegisters = S.MaxRegisters;
  Request.SharedSpilling = S.SharedSpilling && !ForAll;
  Request.Settings = S.SchemeSettings;
  if (Shape) {
    Request.ThreadsPerCTA = Shape->ThreadsPerCTA;
    Request.Block = Shape->Block;
    Request.DynamicSharedBytes = Shape->DynamicSharedBytes;
  }
  Request.CudaPath = libraryDirectory() + "/regshare/cuda";
  if (!std::filesystem::exists(Request.CudaPath))
    Request.CudaPath.clear();
  return (*Compiler)->Compile(Request);
}

static void keepPTX(const Settings &S, const std::string &Name,
                    const std::string &Text) {
  if (S.PTXPath.empty())
    return;
  std::ofstream File(std::filesystem::path(S.PTXPath) / Name);
  File << Text;
  if (!File.flush())
    printError("REGSHARE_KEEP_PTX=" + S.PTXPath + ": cannot write " + Name,
               ErrorKind::Other);
}

/// Why loading fails: the message, and CUDA's code for it.
namespace {
struct LoadFailure {
  std::string Message;
  ErrorKind Kind;
  cudaError_t Code;
};
} // namespace

static tl::unexpected<LoadFailure> failure(const Diagnostic &D,
                                           cudaError_t Code) {
  return tl::make_unexpected(LoadFailure{D.str(), D.Kind, Code});
}

/// Annotations and program of \p Text; a variant of \p Base, unless it is null.
static tl::expected<LoadedCode, LoadFailure>
loadPTX(std::string Text, const std::string &Name, const Settings &S,
        sim::GlobalMemory &Memory, const sim::Program *Base,
        std::map<std::string, uint64_t> Placed = {}) {
  keepPTX(S, Name, Text);
  Result<std::vector<AnnotatedFunction>> Annotations = parseAnnotations(Text);
  if (!Annotations)
    return failure(Annotations.error(), cudaErrorInvalidPtx);
  LoadedCode Code;
  for (AnnotatedFunction &F : *Annotations)
    if (F.Descriptor)
      Code.Descriptors.emplace(F.Name, *F.Descriptor);
  sim::DecodeOptions Options;
  Options.VariantOf = Base;
  Options.Placed = std::move(Placed);
  Options.GoOn = true;
  auto Program = sim::loadProgram(std::move(Text), Name, Memory, Options);
  if (!Program)
    return failure(Program.error(), cudaErrorInvalidPtx);
  Code.Program = std::move(*Program);
  Code.Refused = Code.Program->Refused;
  return Code;
}

/// PTX that has its registers still to come.
static bool isWithoutRegisters(const std::string &Text) {
  return Text.find("regshare.kernel") == std::string::npos;
}

/// For the compiler's messages.
static std::string sourceName(const DeviceImage &Image,
                              const std::string &Name) {
  return Name + (Image.K == DeviceImage::Bitcode ? ".bc" : "-program.ptx");
}

static tl::expected<void, LoadFailure>
loadModule(Module &M, const std::string &Name, const Settings &S,
           sim::GlobalMemory &Memory, std::map<std::string, uint64_t> Placed) {
  Result<DeviceImage> Image =
      readImage(M.Wrapper->Image, S.code(), unpackZstdWithCompiler);
  if (!Image)
    return failure(Image.error(), cudaErrorNoKernelImageForDevice);
  bool IsBitcode = Image->K == DeviceImage::Bitcode;
  M.IsCompiled = IsBitcode || isWithoutRegisters(Image->Contents);
  if (IsBitcode && Image->Form != S.code())
    printWarning(Name + " has no device code that was compiled as native code; "
                        "compile its source with this regshare-clang++");
  std::map<std::string, std::string> Refused;
  std::string WhyNot;
  if (M.IsCompiled) {
    Result<CompiledCode> Code =
        compile(*Image, sourceName(*Image, Name), S, std::nullopt);
    if (!Code && IsBitcode)
      return failure(Code.error(), cudaErrorInvalidKernelImage);
    M.IsCompiled = Code.has_value();
    if (Code) {
      Image->Contents = std::move(Code->PTX);
      M.SourceProcessor = Code->SourceProcessor;
      Refused = std::move(Code->Refused);
    } else {
      WhyNot = Code.error().Message;
    }
  }
  auto Code = loadPTX(std::move(Image->Contents), Name + ".ptx", S, Memory,
                      nullptr, std::move(Placed));
  if (!Code)
    return tl::make_unexpected(Code.error());
  if (!WhyNot.empty())
    printWarning(Name +
                 " runs with a register for every PTX register: " + WhyNot);
  M.Code = std::move(*Code);
  M.Code.Refused.merge(Refused);
  if (!M.IsCompiled)
    M.SourceProcessor = processorNumber(M.Code.Program->Syntax.Target);
  return {};
}

static tl::expected<LoadedCode, LoadFailure>
loadVariant(const Module &M, const std::string &ModuleName,
            const LaunchShape &Shape, const Settings &S,
            sim::GlobalMemory &Memory) {
  std::string Name = ModuleName + "-" + std::to_string(Shape.ThreadsPerCTA);
  if (auto [X, Y, Z] = Shape.Block; X)
    Name = ModuleName + "-" + std::to_string(X) + "x" + std::to_string(Y) +
           "x" + std::to_string(Z);
  if (Shape.DynamicSharedBytes)
    Name += "-" + std::to_string(Shape.DynamicSharedBytes);
  Result<DeviceImage> Image =
      readImage(M.Wrapper->Image, S.code(), unpackZstdWithCompiler);
  if (!Image)
    return failure(Image.error(), cudaErrorNoKernelImageForDevice);
  Result<CompiledCode> Code =
      compile(*Image, sourceName(*Image, Name), S, Shape);
  if (!Code)
    return failure(Code.error(), cudaErrorInvalidKernelImage);
  auto Loaded = loadPTX(std::move(Code->PTX), Name + ".ptx", S, Memory,
                        M.Code.Program.get());
  if (Loaded)
    Loaded->Refused.merge(Code->Refused);
  return Loaded;
}

/// The host reads managed variables through pointers of its own.
static void bindManaged(const Variable &V) {
  auto &Symbols = V.Owner->Code.Program->Symbols;
  if (auto It = Symbols.find(V.Name); It != Symbols.end())
    *V.Managed = reinterpret_cast<void *>(It->second.Address);
}

void ModuleTable::bind(const Reference &Ref, sim::GlobalMemory &Memory) {
  auto &Symbols = Ref.Owner->Code.Program->Symbols;
  // Without it no kernel of the module fetches through the reference.
  auto It = Symbols.find(Ref.Name);
  if (It == Symbols.end())
    return;
  uint64_t Value = Ref.Handle ? Ref.Handle : It->second.Address;
  Memory.write(It->second.Address, &Value, sizeof(Value));
}

/// Makes the host's memory of managed variables visible to kernels.
std::map<std::string, uint64_t>
ModuleTable::placeShadows(const Module &M, sim::GlobalMemory &Memory) const {
  std::map<std::string, uint64_t> Placed;
  for (const void *Host : M.Variables) {
    auto It = ManagedShadows.find(const_cast<void *>(Host));
    if (It == ManagedShadows.end())
      continue;
    Memory.mapHost(It->first, It->second);
    Placed.emplace(Variables.at(Host).Name, reinterpret_cast<uint64_t>(Host));
  }
  return Placed;
}

/// Some of its kernels, by which a user knows a module.
std::string ModuleTable::describe(const Module &M) const {
  constexpr size_t Most = 3;
  std::string Names;
  for (size_t N = 0; N != std::min(Most, M.Kernels.size()); ++N)
    Names += (N ? ", " : "kernels: ") + Kernels.at(M.Kernels[N]).Name;
  if (M.Kernels.size() > Most)
    Names += " and " + std::to_string(M.Kernels.size() - Most) + " more";
  return Names.empty() ? "no kernels" : Names;
}

std::string ModuleTable::nameOf(const Module &M) const {
  auto It = std::find_if(Modules.begin(), Modules.end(),
                         [&](auto &Owned) { return Owned.get() == &M; });
  return "module" + std::to_string(It - Modules.begin());
}

cudaError_t ModuleTable::load(Module &M, const Settings &S,
                              sim::GlobalMemory &Memory) {
  if (M.Code.Program || M.LoadError != cudaSuccess)
    return M.LoadError;
  if (auto Loaded =
          loadModule(M, nameOf(M), S, Memory, placeShadows(M, Memory));
      !Loaded) {
    printError("cannot use device code (" + describe(M) +
                   "): " + Loaded.error().Message,
               Loaded.error().Kind);
    M.LoadError = Loaded.error().Code;
    return M.LoadError;
  }
  for (const void *Host : M.Variables)
    if (const Variable &V = Variables.at(Host); V.Managed)
      bindManaged(V);
  for (const void *Host : M.References)
    bind(References.at(Host), Memory);
  return cudaSuccess;
}

const LoadedCode *ModuleTable::codeFor(Module &M, const LaunchShape &Shape,
                                       const Settings &S,
                                       sim::GlobalMemory &Memory) {
  if (!M.IsCompiled || !S.dependsOnLaunch())
    return &M.Code;
  auto [It, IsNew] = M.Variants.try_emplace(Shape);
  if (!IsNew)
    return It->second.get();
  auto Code = loadVariant(M, nameOf(M), Shape, S, Memory);
  if (!Code) {
    printError("cannot use device code (" + describe(M) + ") for CTAs of " +
                   std::to_string(Shape.ThreadsPerCTA) +
                   " threads: " + Code.error().Message,
               Code.error().Kind);
    return nullptr;
  }
  It->second = std::make_unique<LoadedCode>(std::move(*Code));
  return It->second.get();
}

cudaError_t ModuleTable::errorOf(const Kernel &K,
                                 const LoadedCode &Code) const {
  auto It = Code.Refused.find(K.Name);
  if (It == Code.Refused.end())
    return cudaErrorInvalidDeviceFunction;
  if (K.Owner->Explained.insert(K.Name).second)
    printError("cannot use kernel " + K.Name + ": " + It->second,
               ErrorKind::Unsupported);
  return cudaErrorInvalidKernelImage;
}

cudaError_t ModuleTable::loadManaged(const Settings &S,
                                     sim::GlobalMemory &Memory) {
  for (auto &M : Modules)
    if (std::any_of(
            M->Variables.begin(), M->Variables.end(),
            [&](const void *Host) { return Variables.at(Host).Managed; }))
      if (cudaError_t Error = load(*M, S, Memory); Error != cudaSuccess)
        return Error;
  return cudaSuccess;
}

} // namespace regshare::cudart
