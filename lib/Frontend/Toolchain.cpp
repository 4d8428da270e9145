//===- Toolchain.cpp - Programs and files the front ends need -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toolchain.h"

#include "regshare/Frontend/HeaderCache.h"
#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/NativeOptions.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;
using namespace regshare;

static constexpr char LibdevicePath[] = "nvvm/libdevice/libdevice.10.bc";

static std::string joined(StringRef Directory, const Twine &Rest) {
  SmallString<128> Path(Directory);
  sys::path::append(Path, Rest);
  return std::string(Path);
}

static bool holdsToolkit(StringRef Directory) {
  return sys::fs::exists(joined(Directory, "include/cuda_runtime.h")) &&
         sys::fs::exists(joined(Directory, LibdevicePath));
}

static constexpr char OwnToolkit[] = "regshare/cuda";

/// Beside the bin directory we run from, which is right in the build tree and
/// wherever the install tree was moved.
std::string regshare::libraryDirectory() {
  static int Anchor;
  std::string Program = sys::fs::getMainExecutable(nullptr, &Anchor);
  StringRef Root = sys::path::parent_path(sys::path::parent_path(Program));
  for (const char *Name : {"lib", REGSHARE_INSTALL_LIBDIR}) {
    std::string Directory = joined(Root, Name);
    if (holdsToolkit(joined(Directory, OwnToolkit)))
      return Directory;
  }
  return joined(Root, "lib");
}

std::string regshare::ownDirectory() {
  return joined(libraryDirectory(), OwnToolkit);
}

Expected<std::string> regshare::findCuda(const InputOptions &Options) {
  if (!Options.CudaPath.empty()) {
    if (holdsToolkit(Options.CudaPath))
      return Options.CudaPath;
    return inputError("no CUDA toolkit in '" + Options.CudaPath + "'");
  }
  if (!Options.NoCudaToolkit) {
    for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
      if (std::optional<std::string> Path = sys::Process::GetEnv(Variable))
        if (holdsToolkit(*Path))
          return *Path;
    if (holdsToolkit("/usr/local/cuda"))
      return "/usr/local/cuda";
  }
  std::string Own = ownDirectory();
  if (holdsToolkit(Own))
    return Own;
  return inputError("no CUDA toolkit in use, and '" + Own +
                    "', which stands in for it, is missing");
}

Expected<std::string> regshare::findLibdevice(const InputOptions &Options) {
  Expected<std::string> Cuda = findCuda(Options);
  if (!Cuda)
    return Cuda.takeError();
  if (Options.Code == CodeForm::Native)
    if (std::string Math = nativeMath(*Cuda); !Math.empty())
      return Math;
  return joined(*Cuda, LibdevicePath);
}

Expected<TemporaryFile> TemporaryFile::create(StringRef Suffix) {
  SmallString<128> Path;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("regshare", Suffix, Path))
    return inputError("cannot create a temporary file: " + EC.message());
  sys::RemoveFileOnSignal(Path);
  return TemporaryFile(Path);
}

static Expected<std::string> findTool(StringRef Name) {
  std::string Versioned = (Name + "-" + REGSHARE_LLVM_VERSION_MAJOR).str();
  if (auto Path = sys::findProgramByName(Name, {REGSHARE_LLVM_TOOLS_DIR}))
    return *Path;
  for (StringRef Candidate : {StringRef(Versioned), Name})
    if (auto Path = sys::findProgramByName(Candidate))
      return *Path;
  return inputError("cannot find " + Versioned + " in " +
                    REGSHARE_LLVM_TOOLS_DIR " or on PATH");
}

/// \p Status and \p Message are as sys::ExecuteAndWait() has them.
static Error errorOf(int Status, StringRef Message, StringRef Name,
                     StringRef Input, StringRef Verb) {
  if (Status == 0)
    return Error::success();
  std::string Reason = Message.empty() ? "" : ": " + Message.str();
  return inputError({Input.str(), 0, 0},
                    Name + " could not " + Verb + " it" + Reason);
}

Error regshare::runTool(StringRef Name, ArrayRef<std::string> Args,
                        StringRef Input, StringRef Verb) {
  Expected<std::string> Program = findTool(Name);
  if (!Program)
    return Program.takeError();
  SmallVector<StringRef, 32> Argv{*Program};
  append_range(Argv, Args);
  std::string Message;
  int Status =
      sys::ExecuteAndWait(*Program, Argv, std::nullopt, {}, 0, 0, &Message);
  return errorOf(Status, Message, Name, Input, Verb);
}

Error regshare::compileByClang(ArrayRef<std::string> Options,
                               ArrayRef<std::string> Rest, StringRef Input,
                               std::string *Said) {
  Expected<std::string> Program = findTool("clang++");
  if (!Program)
    return Program.takeError();
  std::string Message;
  int Status = HeaderCache(*Program).run(Options, Rest, Said, Message);
  return errorOf(Status, Message, "clang++", Input, "compile");
}
