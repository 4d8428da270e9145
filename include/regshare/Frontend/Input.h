//===- regshare/Frontend/Input.h - From a file to LLVM IR or MIR -*- C++ -*-==//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads a kernel in any of the forms people have it (CUDA, LLVM IR, bitcode,
/// MIR, MLIR, PTX) and hands back a verified module for the one target the rest
/// of the compiler works on, with a TargetMachine for it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_INPUT_H
#define REGSHARE_FRONTEND_INPUT_H

#include "regshare/Base/CodeForm.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MachineFunction;
class MachineModuleInfo;
} // namespace llvm

namespace regshare {

struct PTXInput;

/// What to read, and how to compile it.
struct InputOptions {
  /// A file, or "-" for standard input.
  std::string Path = "-";
  /// The input itself, for IR, bitcode and MIR that is in no file; Path then
  /// only names it. The memory has to outlive the module.
  std::optional<llvm::MemoryBufferRef> Contents;
  /// Without kernels there is nothing to compile, which most users want to be
  /// told.
  bool NeedsKernel = true;
  /// "cuda", "ir" (LLVM IR or bitcode), "mir", "mlir" or "ptx"; empty: by the
  /// extension of Path, and for standard input IR or MIR by its first bytes.
  std::string Language;
  /// sm_NN; empty: as the kernels' own attributes say, else FallbackCPU.
  std::string CPU;
  /// sm_NN for an input that does not say; empty: sm_75.
  std::string FallbackCPU;
  /// Target features in LLVM's syntax ("+ptx88"), added to the others.
  std::string Features;
  /// Native code is compiled as nvcc does; docs/native-code.md says how.
  CodeForm Code = CodeForm::PTX;
  /// 0 to 3.
  unsigned OptLevel = 2;
  /// Debug locations down to machine code, through CUDA and MLIR. The code is
  /// the same without.
  bool LineTables = true;
  /// Of CUDA also which register holds a variable, for a report.
  bool Variables = false;

  /// What follows is for CUDA alone.
  std::vector<std::string> IncludeDirs;
  std::vector<std::string> Defines;
  std::vector<std::string> ExtraClangArgs;
  /// The toolkit's directory; empty: $CUDA_PATH, $CUDA_HOME or
  /// /usr/local/cuda, and without any of them our own minimal headers.
  std::string CudaPath;
  /// Our own minimal headers even where the toolkit is there.
  bool NoCudaToolkit = false;
};

/// What has been read.
enum class InputKind {
  IR,  ///< LLVM IR, still to be compiled.
  MIR, ///< Machine functions, to be read by parseMachineFunctions.
  PTX, ///< The same; the module's functions are but shells.
};

/// Keeps the errors that LLVM reports to a context, so that none of them
/// ends the process. Remarks and warnings are left to LLVM's own printing.
class DiagnosticCollector {
public:
  DiagnosticCollector() = default;
  DiagnosticCollector(const DiagnosticCollector &) = delete;
  DiagnosticCollector &operator=(const DiagnosticCollector &) = delete;
  ~DiagnosticCollector();

  void attach(llvm::LLVMContext &Context);
  /// Everything reported since the last call, or success.
  llvm::Error take();

private:
  friend struct CollectingHandler;
  llvm::Error Errors = llvm::Error::success();
};

/// A module that is ready for prepareForCodeGen and code generation (or,
/// for MIR, for parseMachineFunctions). Members are in order of dependence.
struct LoadedInput {
  InputKind Kind = InputKind::IR;
  /// Where errors reported to Context end up: ask take() after running
  /// anything on the module, code generation included.
  std::unique_ptr<DiagnosticCollector> Diagnostics;
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::TargetMachine> TM;
  /// What the code was compiled with.
  CodeForm Code = CodeForm::PTX;
  unsigned OptLevel = 2;
  std::unique_ptr<llvm::Module> M;
  /// For MIR only.
  std::unique_ptr<llvm::MIRParser> Parser;
  /// For PTX only.
  std::shared_ptr<PTXInput> PTX;
  /// For PTX only, filled by parseMachineFunctions: of each kernel, what the
  /// input calls a virtual register, by its index; empty if nothing.
  llvm::StringMap<std::vector<std::string>> RegisterNames;

  /// Reads the machine functions of a MIR or PTX input into \p MMI. Errors
  /// carry the place in the .mir file.
  llvm::Error parseMachineFunctions(llvm::MachineModuleInfo &MMI);
};

/// Reads, lowers and verifies \p Options.Path. On success the module has at
/// least one kernel, a supported triple, one of the target's data layouts (with
/// pointers of 64 bits in all spaces, or of 32 where that does), and its
/// functions' target attributes name the target chosen. Diagnostics of a front
/// end that runs as a program of its own (clang, mlir-opt) go to stderr as
/// they are; its failure is one error here.
llvm::Expected<LoadedInput> loadInput(const InputOptions &Options);

/// What IR needs between loading and code generation: device functions are
/// inlined, which may fail, and what becomes native code is made ready for it.
/// Nothing is done to MIR and PTX.
llvm::Error prepareForCodeGen(LoadedInput &Input);

} // namespace regshare

#endif // REGSHARE_FRONTEND_INPUT_H
