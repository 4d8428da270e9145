//===- Modules.cpp - Device code that a program registers -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modules.h"

#include "DeviceCompiler.h"
#include "DeviceFacts.h"
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
  std::erase_if(Modules, [&](auto &Owned) { return Owned.get() == M; });
}

void ModuleTable::addKernel(Module *M, const void *Host, const char *Name) {
  // Translation units share the stub of an inline kernel; the code is the same.
  if (Kernels.try_emplace(Host, Kernel{M, Name}).second)
    M->Kernels.push_back(Host);
}

void ModuleTable::addVariable(Module *M, const void *Host, Variable V) {
  V.Owner = M;
  if (Variables.try_emplace(Host, std::move(V)).second)
    M->Variables.push_back(Host);
}

Kernel *ModuleTable::findKernel(const void *Host) {
  auto It = Kernels.find(Host);
  return It == Kernels.end() ? nullptr : &It->second;
}

Variable *ModuleTable::findVariable(const void *Host) {
  auto It = Variables.find(Host);
  return It == Variables.end() ? nullptr : &It->second;
}

void ModuleTable::unloadAll() {
  for (auto &M : Modules) {
    M->Program.reset();
    M->Descriptors.clear();
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

static Result<CompiledCode>
compile(const DeviceImage &Image, const std::string &Name, const Settings &S) {
  Result<const DeviceCompiler *> Compiler = findCompiler();
  if (!Compiler)
    return fail(Compiler.error());
  CompileRequest Request{
      Image.Contents,  Name,
      S.Device.Target, std::string(schemeName(S.TheScheme)),
      S.DeviceName,    libraryDirectory() + "/regshare/cuda"};
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
    printError("REGSHARE_KEEP_PTX=" + S.PTXPath + ": cannot write " + Name);
}

/// Why loading fails: the message, and CUDA's code for it.
namespace {
struct LoadFailure {
  std::string Message;
  cudaError_t Code;
};
} // namespace

static tl::expected<void, LoadFailure> loadModule(Module &M, unsigned Number,
                                                  const Settings &S,
                                                  sim::GlobalMemory &Memory) {
  auto Failure = [](const Diagnostic &D, cudaError_t Code) {
    return tl::make_unexpected(LoadFailure{D.str(), Code});
  };
  if (!M.Unsupported.empty())
    return Failure({M.Unsupported.front() + " is not supported", "", 0, 0},
                   cudaErrorNotSupported);
  std::string Name = "module" + std::to_string(Number);
  Result<DeviceImage> Image =
      readImage(M.Wrapper->Image, unpackZstdWithCompiler);
  if (!Image)
    return Failure(Image.error(), cudaErrorNoKernelImageForDevice);
  if (Image->K == DeviceImage::Bitcode) {
    Result<CompiledCode> Code = compile(*Image, Name + ".bc", S);
    if (!Code)
      return Failure(Code.error(), cudaErrorInvalidKernelImage);
    Image->Contents = std::move(Code->PTX);
    M.SourceProcessor = Code->SourceProcessor;
  }
  keepPTX(S, Name + ".ptx", Image->Contents);
  Result<std::vector<AnnotatedFunction>> Annotations =
      parseAnnotations(Image->Contents);
  if (!Annotations)
    return Failure(Annotations.error(), cudaErrorInvalidPtx);
  for (AnnotatedFunction &F : *Annotations)
    if (F.Descriptor)
      M.Descriptors.emplace(F.Name, *F.Descriptor);
  auto Program =
      sim::loadProgram(std::move(Image->Contents), Name + ".ptx", Memory);
  if (!Program)
    return Failure(Program.error(), cudaErrorInvalidPtx);
  M.Program = std::move(*Program);
  if (Image->K == DeviceImage::PTX)
    M.SourceProcessor = processorNumber(M.Program->Syntax.Target);
  return {};
}

/// The host reads managed variables through pointers of its own.
static void bindManaged(const Variable &V) {
  auto &Symbols = V.Owner->Program->Symbols;
  if (auto It = Symbols.find(V.Name); It != Symbols.end())
    *V.Managed = reinterpret_cast<void *>(It->second.Address);
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

cudaError_t ModuleTable::load(Module &M, const Settings &S,
                              sim::GlobalMemory &Memory) {
  if (M.Program || M.LoadError != cudaSuccess)
    return M.LoadError;
  unsigned Number =
      unsigned(std::find_if(Modules.begin(), Modules.end(),
                            [&](auto &Owned) { return Owned.get() == &M; }) -
               Modules.begin());
  if (auto Loaded = loadModule(M, Number, S, Memory); !Loaded) {
    printError("cannot use device code (" + describe(M) +
               "): " + Loaded.error().Message);
    M.LoadError = Loaded.error().Code;
    return M.LoadError;
  }
  for (const void *Host : M.Variables)
    if (const Variable &V = Variables.at(Host); V.Managed)
      bindManaged(V);
  return cudaSuccess;
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
