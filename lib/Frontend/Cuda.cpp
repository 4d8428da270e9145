//===- Cuda.cpp - CUDA through clang -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEnds.h"
#include "Toolchain.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/LaunchSyntax.h"
#include "regshare/Frontend/NativeOptions.h"
#include "regshare/Frontend/NvccHabits.h"
#include "regshare/Frontend/SpinLocks.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Frontend/UnsetArguments.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace regshare;

/// Where headers are, with the toolkit in \p Cuda.
static void addPaths(const InputOptions &Options, const std::string &Cuda,
                     std::vector<std::string> &Args) {
  // A toolkit newer than this clang would be warned about on every run.
  append_range(Args, std::vector<std::string>{"--cuda-path=" + Cuda,
                                              "-Wno-unknown-cuda-version"});
  if (std::string Own = ownDirectory(); sys::fs::is_directory(Own))
    append_range(Args, nvccHabits(Own));
  append_range(Args, libraryHeaders("", Cuda));
  for (const std::string &Directory : Options.IncludeDirs)
    Args.push_back("-I" + Directory);
  for (const std::string &Define : Options.Defines)
    Args.push_back("-D" + Define);
}

/// Compiles into \p Bitcode; once more if it is only constructors in shared
/// memory that clang refuses.
static Error runClang(const InputOptions &Options,
                      const std::vector<std::string> &Arguments,
                      const std::string &Bitcode) {
  std::vector<std::string> Rest{"-c", "-o", Bitcode, Options.Path};
  LaunchOverlay Overlay;
  std::vector<std::string> Args = Arguments;
  append_range(Args, Overlay.optionsFor(Options.Path, Options.IncludeDirs));
  std::vector<SharedObject> Objects;
  if (Overlay.mayHaveSharedObjects()) {
    std::string Said;
    Error E = compileByClang(Args, Rest, Options.Path, &Said);
    if (E)
      Objects = sharedObjectsIn(Said);
    if (Objects.empty()) {
      errs() << Said;
      return E;
    }
    consumeError(std::move(E));
    warnOfUnconstructed(Objects);
    Args = Arguments;
    append_range(Args, Overlay.optionsWithout(Objects, Options.Path,
                                              Options.IncludeDirs));
  }
  return compileByClang(Args, Rest, Options.Path);
}

/// Keeps what debug information knows of variables out of the PTX, where it
/// would be text: what is printed are directives for lines.
static void emitLinesOnly(Module &M) {
  DebugInfoFinder Finder;
  Finder.processModule(M);
  NamedMDNode *Units = M.getNamedMetadata("llvm.dbg.cu");
  if (!Units)
    return;
  DenseMap<DICompileUnit *, DICompileUnit *> Replaced;
  for (unsigned N = 0; N != Units->getNumOperands(); ++N) {
    auto *Old = cast<DICompileUnit>(Units->getOperand(N));
    DICompileUnit *New = DICompileUnit::getDistinct(
        M.getContext(), Old->getSourceLanguage(), Old->getFile(),
        Old->getProducer(), Old->isOptimized(), "", 0, "",
        DICompileUnit::DebugDirectivesOnly, {}, {}, {}, {}, {}, 0, false, false,
        DICompileUnit::DebugNameTableKind::None, false, "", "");
    Replaced[Old] = New;
    Units->setOperand(N, New);
  }
  for (DISubprogram *SP : Finder.subprograms())
    if (DICompileUnit *New = Replaced.lookup(SP->getUnit()))
      SP->replaceUnit(New);
}

Expected<std::unique_ptr<Module>>
regshare::compileCuda(const InputOptions &Options, LLVMContext &Context) {
  Expected<TargetChoice> Target =
      chooseTarget(namedCPU(Options), Options.Features);
  if (!Target)
    return Target.takeError();
  Expected<TemporaryFile> Bitcode = TemporaryFile::create("bc");
  if (!Bitcode)
    return Bitcode.takeError();

  Expected<std::string> Cuda = findCuda(Options);
  if (!Cuda)
    return Cuda.takeError();

  // Use-lists are kept so that code generation meets the module exactly as
  // clang's own would.
  std::vector<std::string> Args{"-x",
                                "cuda",
                                "--cuda-device-only",
                                "-emit-llvm",
                                "-Xclang",
                                "-emit-llvm-uselists",
                                spinLocksOption(libraryDirectory()),
                                "-O" + std::to_string(Options.OptLevel),
                                "--cuda-gpu-arch=" + Target->CPU};
  if (Options.Code == CodeForm::Native) {
    append_range(Args, nativeClangOptions(*Cuda));
    // libdevice has the layout of long pointers, which matters to none of it.
    Args.push_back("-Wno-linker-warnings");
  } else {
    Args.push_back(unsetArgumentsOption(libraryDirectory()));
  }
  SmallVector<StringRef, 4> Features;
  StringRef(Options.Features).split(Features, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Feature : Features)
    Args.push_back(("--cuda-feature=" + Feature).str());
  if (Options.Variables)
    append_range(Args,
                 ArrayRef<std::string>{"-g", "--cuda-noopt-device-debug"});
  else if (Options.LineTables)
    Args.push_back("-gline-directives-only");

  addPaths(Options, *Cuda, Args);
  append_range(Args, Options.ExtraClangArgs);
  if (Error E = runClang(Options, Args, Bitcode->path()))
    return std::move(E);
  auto Buffer = MemoryBuffer::getFile(Bitcode->path());
  if (!Buffer)
    return inputError("cannot read clang's output: " +
                      Buffer.getError().message());
  // As in clang itself; names show in comments of the PTX only.
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M = parseModule(**Buffer, Context);
  if (M && Options.Variables)
    emitLinesOnly(**M);
  return M;
}
