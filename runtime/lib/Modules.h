//===- Modules.h - Device code that a program registers -*- C++ -*---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels and variables by their addresses in the host program. Registering
/// one costs next to nothing, because it happens before main() whether the
/// program will use the device or not; code is compiled and loaded at the first
/// use of anything in its module.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_MODULES_H
#define REGSHARE_RUNTIME_MODULES_H

#include "FatBinary.h"
#include "Settings.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Sim/GlobalMemory.h"
#include "regshare/Sim/Program.h"

#include "cuda_runtime_api.h"

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace regshare::cudart {

struct Module;

struct Kernel {
  Module *Owner = nullptr;
  std::string Name; ///< Of its .entry.
  /// Dynamic shared memory that cudaFuncSetAttribute has allowed, in bytes;
  /// -1: what every kernel may have.
  int MaxDynamicShared = -1;
  int PreferredCarveout = -1; ///< cudaSharedmemCarveoutDefault.
};

struct Variable {
  Module *Owner = nullptr;
  std::string Name;
  size_t Size = 0; ///< In bytes.
  bool Constant = false;
  /// Of a __managed__ variable: where the host keeps its address.
  void **Managed = nullptr;
};

/// A texture or surface reference, by the program's own variable. Its variable
/// on the device has the handle of what is bound, else its own address.
struct Reference {
  Module *Owner = nullptr;
  std::string Name;
  bool IsSurface = false;
  bool ReadsNormalised = false; ///< cudaReadModeNormalizedFloat.
  uint64_t Handle = 0;          ///< 0: nothing is bound.
  size_t Offset = 0;            ///< In bytes, of what is bound.
};

/// What a compilation for some launches depends on.
struct LaunchShape {
  unsigned ThreadsPerCTA = 0;
  /// The extents of a CTA, where they matter; else zeros.
  std::array<unsigned, 3> Block = {};
  unsigned DynamicSharedBytes = 0;
  friend auto operator<=>(const LaunchShape &, const LaunchShape &) = default;
};

/// Code that kernels are launched from.
struct LoadedCode {
  std::unique_ptr<sim::Program> Program;
  std::map<std::string, KernelDescriptor> Descriptors;
  /// Kernels that cannot be compiled, and why.
  std::map<std::string, std::string> Refused;
};

/// One fat binary.
struct Module {
  const FatBinaryWrapper *Wrapper = nullptr;
  std::vector<const void *> Kernels, Variables, References; ///< Their keys.

  /// What loading made of it. Failed: with this error, printed when it came up.
  cudaError_t LoadError = cudaSuccess;
  LoadedCode Code;
  /// Compiled again for launches of one shape, where the scheme's choices
  /// depend on it; null where that failed. Variables are those of Code.
  std::map<LaunchShape, std::unique_ptr<LoadedCode>> Variants;
  /// What it carries is compiled: bitcode, or PTX without registers; other PTX
  /// is taken as it is.
  bool IsCompiled = false;
  /// What the source was compiled for: 75 of sm_75.
  unsigned SourceProcessor = 0;
  /// Kernels that only kernels launch, which the host need not register.
  std::map<std::string, Kernel> Unregistered;
  std::set<std::string> Explained; ///< Kernels of which errorOf() has printed.
};

class ModuleTable {
public:
  /// The process's. Never destroyed: programs unregister while they exit.
  static ModuleTable &get();

  Module *add(const FatBinaryWrapper *Wrapper);
  void remove(Module *M);
  void addKernel(Module *M, const void *Host, const char *Name);
  void addVariable(Module *M, const void *Host, Variable V);
  /// The variable, registered later, is to be the host's own memory.
  void addManagedShadow(void *Host, size_t Bytes);
  void addReference(Module *M, const void *Host, Reference Ref);

  /// Null if nothing is registered under the address.
  Kernel *findKernel(const void *Host);
  /// A kernel of \p M by its name in the code.
  Kernel *kernelNamed(Module &M, const std::string &Name);
  Variable *findVariable(const void *Host);
  Reference *findReference(const void *Host);
  /// The addresses of what has that name in the source, or in the code.
  std::vector<const void *> variablesNamed(const std::string &Name) const;
  std::vector<const void *> referencesNamed(const std::string &Name,
                                            bool AreSurfaces) const;

  /// Compiles and loads \p M unless that has been done; prints what is wrong
  /// with it once.
  cudaError_t load(Module &M, const Settings &S, sim::GlobalMemory &Memory);
  /// The code of \p M, which is loaded, for launches of this shape. Compiles it
  /// at the first one. Null if that fails, which is printed once.
  const LoadedCode *codeFor(Module &M, const LaunchShape &Shape,
                            const Settings &S, sim::GlobalMemory &Memory);
  /// What a call ends with for which \p Code, of a module, lacks the kernel;
  /// prints once why it does, if that is known.
  cudaError_t errorOf(const Kernel &K, const LoadedCode &Code) const;
  /// Loads what has __managed__ variables, whose addresses the host reads
  /// without a call.
  cudaError_t loadManaged(const Settings &S, sim::GlobalMemory &Memory);
  /// Tells the device, on which its module is loaded, what is bound to \p Ref.
  static void bind(const Reference &Ref, sim::GlobalMemory &Memory);
  /// Forgets what load() made, for a device that starts afresh.
  void unloadAll();

private:
  std::map<std::string, uint64_t> placeShadows(const Module &M,
                                               sim::GlobalMemory &Memory) const;
  std::string describe(const Module &M) const;
  std::string nameOf(const Module &M) const;

  std::vector<std::unique_ptr<Module>> Modules;
  std::unordered_map<const void *, Kernel> Kernels;
  std::unordered_map<const void *, Variable> Variables;
  std::unordered_map<const void *, Reference> References;
  std::map<void *, size_t> ManagedShadows; ///< Their sizes, in bytes.
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_MODULES_H
