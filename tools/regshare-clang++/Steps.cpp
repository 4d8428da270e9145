//===- Steps.cpp - Running clang for each half -*- C++ -*------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "DeviceLink.h"
#include "DeviceModule.h"
#include "ManagedVariables.h"

#include "regshare/Base/CodeForm.h"
#include "regshare/Frontend/HeaderCache.h"
#include "regshare/Frontend/LaunchSyntax.h"
#include "regshare/Frontend/NativeOptions.h"
#include "regshare/Frontend/NvccHabits.h"
#include "regshare/Frontend/SpinLocks.h"
#include "regshare/Frontend/UnsetArguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <deque>
#include <future>

using namespace llvm;

namespace regshare {

using Words = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Finding things
//===----------------------------------------------------------------------===//

static std::string joined(StringRef Directory, StringRef Rest) {
  SmallString<128> Path(Directory);
  sys::path::append(Path, Rest);
  return std::string(Path);
}

static Expected<std::string> findClang() {
  for (StringRef Name : {"clang++", "clang++-" REGSHARE_LLVM_VERSION_MAJOR}) {
    if (auto Path = sys::findProgramByName(Name, {REGSHARE_LLVM_TOOLS_DIR}))
      return *Path;
  }
  for (StringRef Name : {"clang++-" REGSHARE_LLVM_VERSION_MAJOR, "clang++"})
    if (auto Path = sys::findProgramByName(Name))
      return *Path;
  return createStringError("cannot find clang++-" REGSHARE_LLVM_VERSION_MAJOR
                           " in " REGSHARE_LLVM_TOOLS_DIR " or on PATH");
}

/// The library directory of the build or installation that this program is
/// part of, wherever that was moved.
static Expected<std::string> findLibraries(const char *Argv0) {
  static int Anchor;
  std::string Program = sys::fs::getMainExecutable(Argv0, &Anchor);
  StringRef Root = sys::path::parent_path(sys::path::parent_path(Program));
  for (const char *Name : {"lib", REGSHARE_INSTALL_LIBDIR}) {
    std::string Directory = joined(Root, Name);
    if (sys::fs::exists(joined(Directory, "libregshare_cudart.so")))
      return Directory;
  }
  return createStringError("libregshare_cudart.so is not in '" +
                           joined(Root, "lib") + "'");
}

Expected<Toolchain> findToolchain(const char *Argv0, const CommandLine &C) {
  Toolchain T;
  Expected<std::string> Clang = findClang();
  if (!Clang)
    return Clang.takeError();
  T.Clang = std::move(*Clang);
  Expected<std::string> Libraries = findLibraries(Argv0);
  if (!Libraries)
    return Libraries.takeError();
  T.LibraryDir = std::move(*Libraries);
  T.CudaPath =
      C.CudaPath.empty() ? joined(T.LibraryDir, "regshare/cuda") : C.CudaPath;
  if (!sys::fs::exists(joined(T.CudaPath, "include/cuda_runtime.h")))
    return createStringError("no CUDA headers in '" + T.CudaPath + "'");
  return T;
}

//===----------------------------------------------------------------------===//
// Running clang
//===----------------------------------------------------------------------===//

namespace {

class Runner {
public:
  Runner(const CommandLine &C, const Toolchain &T) : C(C), T(T) {}

  Expected<int> compileAndLink();
  Expected<int> writeDeviceCode();
  Expected<int> ask();

private:
  Expected<int> run(const Words &Arguments);
  Expected<int> compileCuda(const Words &Options, const Words &Rest,
                            std::string *Said = nullptr);
  Expected<int> compileForDevice(const std::string &Source,
                                 const std::string &Bitcode, CodeForm Form,
                                 std::vector<SharedObject> &Objects);
  Expected<std::string> temporary(StringRef Suffix);
  Words optionsOf(Argument::Kind Half) const;
  Words cudaOptions(Argument::Kind Half) const;
  Words includeDirs() const;
  Words relocationOptions(StringRef Source) const;
  Expected<std::string> registerLinked(ArrayRef<std::string> Objects);
  Expected<int> compileDevice(const std::string &Source,
                              const std::string &Bitcode, CodeForm Form);
  Expected<int> compileForms(const std::string &Source, const std::string &PTX,
                             const std::string &Native);
  Words deviceOptions(CodeForm Form) const;
  Error wrap(const std::string &Bitcode, const std::string &Native);
  Expected<int> compileDeviceForms(const std::string &Source,
                                   std::string &Image);
  Expected<int> writePTX(const std::string &Source, const std::string &Output);
  Error defineManaged(const std::string &Bitcode);
  Expected<int> compileHost(const Argument &Input, const std::string &Object);
  Expected<int> compileInput(const Argument &Input, const std::string &Object);
  Expected<int> link(ArrayRef<std::string> Objects);

  const CommandLine &C;
  const Toolchain &T;
  std::deque<FileRemover> Temporaries;
  LaunchOverlay Overlay;
  /// Of the input at hand.
  Words OverlayOptions, RelocationOptions, ManagedOptions;
};

} // namespace

static void print(const Words &Command) {
  for (const std::string &Word : Command) {
    errs() << (&Word == &Command.front() ? "" : " ");
    sys::printArg(errs(), Word, /*Quote=*/false);
  }
  errs() << "\n";
}

Expected<int> Runner::run(const Words &Arguments) {
  Words Command{T.Clang};
  append_range(Command, Arguments);
  if (C.Verbose || C.DryRun)
    print(Command);
  if (C.DryRun)
    return 0;
  std::string Message;
  int Status = sys::ExecuteAndWait(
      T.Clang, SmallVector<StringRef, 64>(Command.begin(), Command.end()),
      std::nullopt, {}, 0, 0, &Message);
  if (Status < 0)
    return createStringError(T.Clang + ": " + Message);
  return Status;
}

Expected<std::string> Runner::temporary(StringRef Suffix) {
  SmallString<128> Path;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("regshare", Suffix, Path))
    return createStringError("cannot create a temporary file: " + EC.message());
  sys::RemoveFileOnSignal(Path);
  Temporaries.emplace_back(Path);
  return std::string(Path);
}

/// What the user said for one half, or for both, without the inputs.
Words Runner::optionsOf(Argument::Kind Half) const {
  // Every step sees options that are another's.
  Words Options{"-Wno-unused-command-line-argument"};
  for (const Argument &A : C.Arguments)
    if (A.K == Argument::Both || A.K == Half)
      append_range(Options, A.Words);
  return Options;
}

/// Whether this is CMake asking which compiler it has. It takes what defines
/// __NVCC__ for nvcc, whose other programs it then looks for.
static bool identifiesCompiler(const CommandLine &C) {
  return any_of(C.Arguments, [](const Argument &A) {
    return A.K == Argument::Input &&
           sys::path::filename(A.Words[0]) == "CMakeCUDACompilerId.cu";
  });
}

Words Runner::cudaOptions(Argument::Kind Half) const {
  Words Options{"-x", "cuda", "--cuda-path=" + T.CudaPath,
                "--cuda-gpu-arch=" + C.Arch, "-Wno-unknown-cuda-version"};
  append_range(Options, nvccHabits(joined(T.LibraryDir, "regshare/cuda")));
  if (identifiesCompiler(C))
    Options.push_back("-DREGSHARE_COMPILER_IDENTIFICATION");
  append_range(Options, optionsOf(Half));
  append_range(Options, libraryHeaders(C.LibraryPath, T.CudaPath));
  append_range(Options, OverlayOptions);
  append_range(Options, RelocationOptions);
  return Options;
}

/// Those of -I, as one word or two.
Words Runner::includeDirs() const {
  Words Found;
  for (const Argument &A : C.Arguments)
    if (A.K == Argument::Both && StringRef(A.Words[0]).starts_with("-I"))
      Found.push_back(A.Words.size() > 1 ? A.Words[1] : A.Words[0].substr(2));
  return Found;
}

/// Has clang compile a CUDA source. \p Options decide what headers come to;
/// \p Said takes the messages where it is given.
Expected<int> Runner::compileCuda(const Words &Options, const Words &Rest,
                                  std::string *Said) {
  bool Prints = C.DryRun || C.Verbose;
  if (Prints) {
    Words Command{T.Clang};
    append_range(Command, Options);
    append_range(Command, Rest);
    print(Command);
  }
  if (C.DryRun)
    return 0;
  // A step that is printed is one that can be repeated.
  std::string Message;
  int Status = (Prints ? HeaderCache(T.Clang, "") : HeaderCache(T.Clang))
                   .run(Options, Rest, Said, Message);
  if (Status < 0)
    return createStringError(T.Clang + ": " + Message);
  return Status;
}

/// Holds back what clang says if that is only of \p Objects in shared memory,
/// which it refuses to construct.
Expected<int> Runner::compileForDevice(const std::string &Source,
                                       const std::string &Bitcode,
                                       CodeForm Form,
                                       std::vector<SharedObject> &Objects) {
  Words Rest{"-c", Source, "-o", Bitcode};
  if (!Overlay.mayHaveSharedObjects())
    return compileCuda(deviceOptions(Form), Rest);
  std::string Said;
  Expected<int> Status = compileCuda(deviceOptions(Form), Rest, &Said);
  if (Status && *Status)
    Objects = sharedObjectsIn(Said);
  if (Objects.empty())
    errs() << Said;
  return Status;
}

Expected<int> Runner::compileDevice(const std::string &Source,
                                    const std::string &Bitcode, CodeForm Form) {
  std::vector<SharedObject> Objects;
  Expected<int> Status = compileForDevice(Source, Bitcode, Form, Objects);
  if (Objects.empty())
    return Status;
  warnOfUnconstructed(Objects);
  OverlayOptions = Overlay.optionsWithout(Objects, Source, includeDirs());
  return compileCuda(deviceOptions(Form), {"-c", Source, "-o", Bitcode});
}

/// Both forms at the same time, where the messages of one are not needed for
/// the other and steps are not shown in their order.
Expected<int> Runner::compileForms(const std::string &Source,
                                   const std::string &PTX,
                                   const std::string &Native) {
  if (C.Verbose) // CMake reads its default from here, as of clang's own -v.
    errs() << "device code of clang: -target-cpu " << C.Arch << "\n";
  if (C.DryRun || C.Verbose || Overlay.mayHaveSharedObjects()) {
    Expected<int> Status = compileDevice(Source, PTX, CodeForm::PTX);
    if (!Status || *Status)
      return Status;
    return compileDevice(Source, Native, CodeForm::Native);
  }
  std::string Said;
  std::future<Expected<int>> OfNative = std::async(std::launch::async, [&] {
    return compileCuda(deviceOptions(CodeForm::Native),
                       {"-c", Source, "-o", Native}, &Said);
  });
  Expected<int> Status = compileDevice(Source, PTX, CodeForm::PTX);
  Expected<int> NativeStatus = OfNative.get();
  if (!Status || *Status) {
    // What is wrong with one is wrong with the other.
    consumeError(NativeStatus.takeError());
    if (StringRef(Said).contains("requires -fgpu-rdc"))
      errs() << "regshare-clang++: note: kernels launch kernels in relocatable "
                "device code: compile and link with -rdc=true\n";
    return Status;
  }
  errs() << Said;
  return NativeStatus;
}

/// Messages of the SM name source lines: line directives are always there, and
/// nothing else of -g, which would be text in the PTX. Use-lists are kept so
/// that code generation meets the module exactly as clang's own would.
Words Runner::deviceOptions(CodeForm Form) const {
  Words Arguments = cudaOptions(Argument::Device);
  if (Form == CodeForm::Native) {
    append_range(Arguments, nativeClangOptions(T.CudaPath));
    if (C.OptimiseDevice)
      Arguments.push_back("-O" + std::to_string(NativeOptLevel));
    // The other form has had its warnings.
    Arguments.push_back("-w");
  } else {
    Arguments.push_back(unsetArgumentsOption(T.LibraryDir));
  }
  append_range(Arguments,
               Words{"--cuda-device-only", "-emit-llvm", "-Xclang",
                     "-emit-llvm-uselists", spinLocksOption(T.LibraryDir),
                     "-gline-directives-only"});
  return Arguments;
}

/// Puts what clang is to embed in \p Bitcode's place.
Error Runner::wrap(const std::string &Bitcode, const std::string &Native) {
  if (C.DryRun)
    return Error::success();
  Expected<std::string> Contents = readDeviceModule(Bitcode, C);
  if (!Contents)
    return Contents.takeError();
  Expected<std::string> Other = readDeviceModule(Native, C);
  if (!Other)
    return Other.takeError();
  std::string Image = makeImage(*Contents, *Other);
  return writeFile(Bitcode,
                   C.Relocatable ? makeOffloadObject(Image, C.Arch) : Image);
}

/// Has the host's half define what managed variables of the device code in
/// \p Bitcode need.
Error Runner::defineManaged(const std::string &Bitcode) {
  ManagedOptions.clear();
  if (C.DryRun || C.Relocatable)
    return Error::success();
  Expected<std::string> Definitions = managedDefinitions(Bitcode);
  if (!Definitions)
    return Definitions.takeError();
  if (Definitions->empty())
    return Error::success();
  Expected<std::string> Path = temporary("h");
  if (!Path)
    return Path.takeError();
  ManagedOptions = {"-include", *Path};
  return writeFile(*Path, *Definitions);
}

/// Compiles both forms of device code; \p Image becomes the name of the file
/// with what the runtime reads.
Expected<int> Runner::compileDeviceForms(const std::string &Source,
                                         std::string &Image) {
  Expected<std::string> Bitcode = temporary("bc");
  if (!Bitcode)
    return Bitcode.takeError();
  Expected<std::string> Native = temporary("bc");
  if (!Native)
    return Native.takeError();
  Expected<int> Status = compileForms(Source, *Bitcode, *Native);
  if (!Status || *Status)
    return Status;
  if (Error E = defineManaged(*Bitcode))
    return E;
  if (Error E = wrap(*Bitcode, *Native))
    return std::move(E);
  Image = *Bitcode;
  return 0;
}

Expected<int> Runner::compileHost(const Argument &Input,
                                  const std::string &Object) {
  std::string Image;
  Expected<int> Status = compileDeviceForms(Input.Words[0], Image);
  if (!Status || *Status)
    return Status;
  Words Options = cudaOptions(Argument::Host);
  Options.push_back("--cuda-host-only");
  Words Rest;
  if (C.Relocatable)
    Rest = {"--offload-new-driver", "-Xclang",
            "-fembed-offload-object=" + Image};
  else
    Rest = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", Image};
  append_range(Rest, ManagedOptions);
  append_range(Rest, Words{"-c", Input.Words[0], "-o", Object});
  return compileCuda(Options, Rest);
}

Expected<int> Runner::compileInput(const Argument &Input,
                                   const std::string &Object) {
  if (Input.Lang == Language::CUDA) {
    OverlayOptions = Overlay.optionsFor(Input.Words[0], includeDirs());
    RelocationOptions = relocationOptions(Input.Words[0]);
    return compileHost(Input, Object);
  }
  Words Arguments = optionsOf(Argument::Host);
  // What was said of C++ is not meant for C.
  if (Input.LanguageName == "c")
    erase_if(Arguments, [](StringRef Word) {
      return Word.starts_with("-std=c++") || Word.starts_with("-std=gnu++");
    });
  if (!Input.LanguageName.empty())
    append_range(Arguments, Words{"-x", Input.LanguageName});
  append_range(Arguments, libraryHeaders(C.LibraryPath, T.CudaPath));
  append_range(Arguments, Words{"-isystem", joined(T.CudaPath, "include"), "-c",
                                Input.Words[0], "-o", Object});
  return run(Arguments);
}

/// Both halves have to give static variables the same name, which is not
/// another source's.
Words Runner::relocationOptions(StringRef Source) const {
  if (!C.Relocatable)
    return {};
  SmallString<128> Path(Source);
  if (sys::fs::make_absolute(Path))
    Path = Source;
  std::string Name = utohexstr(xxh3_64bits(Path), /*LowerCase=*/true);
  return {"-fgpu-rdc", "-cuid=" + Name};
}

/// The object that registers relocatable device code; empty if there is none.
Expected<std::string> Runner::registerLinked(ArrayRef<std::string> Objects) {
  Expected<std::string> Host =
      C.DryRun ? std::string() : linkDeviceCode(Objects);
  if (!Host || Host->empty())
    return Host;
  Expected<std::string> Bitcode = temporary("bc");
  if (!Bitcode)
    return Bitcode;
  Expected<std::string> Object = temporary("o");
  if (!Object)
    return Object;
  if (Error E = writeFile(*Bitcode, *Host))
    return std::move(E);
  Expected<int> Status =
      run({"-fPIC", "-c", "-x", "ir", *Bitcode, "-o", *Object});
  if (!Status)
    return Status.takeError();
  if (*Status)
    return createStringError(
        "the registration of device code does not compile");
  return Object;
}

Expected<int> Runner::link(ArrayRef<std::string> Objects) {
  Expected<std::string> Registration = registerLinked(Objects);
  if (!Registration)
    return Registration.takeError();
  Words Arguments{"-Wno-unused-command-line-argument"};
  const std::string *Object = Objects.begin();
  for (const Argument &A : C.Arguments) {
    if (A.K == Argument::Input)
      Arguments.push_back(*Object++);
    else if (A.K != Argument::Device)
      append_range(Arguments, A.Words);
  }
  if (!Registration->empty())
    Arguments.push_back(*Registration);
  append_range(Arguments, Words{"-L" + T.LibraryDir, "-lregshare_cudart",
                                "-Wl,-rpath," + T.LibraryDir});
  if (!C.Output.empty())
    append_range(Arguments, Words{"-o", C.Output});
  return run(Arguments);
}

/// What is written for \p Source where nothing else is said: a file of its name
/// in \p Folder if that is not empty, otherwise here.
static std::string outputName(StringRef Source, StringRef Folder,
                              StringRef Extension) {
  SmallString<64> Name(sys::path::filename(Source));
  sys::path::replace_extension(Name, Extension);
  return joined(Folder, Name);
}

/// The bitcode is already optimised, and the options that clang has no word for
/// are applied to it; the step from bitcode to PTX does neither.
Expected<int> Runner::writePTX(const std::string &Source,
                               const std::string &Output) {
  Expected<std::string> Bitcode = temporary("bc");
  if (!Bitcode)
    return Bitcode.takeError();
  Expected<int> Status = compileDevice(Source, *Bitcode, CodeForm::PTX);
  if (!Status || *Status)
    return Status;
  Words Arguments{"--target=nvptx64-nvidia-cuda",
                  "-march=" + C.Arch,
                  "-nogpulib",
                  C.OptimiseDevice ? "-O3" : "-O0",
                  "-Xclang",
                  "-disable-llvm-passes"};
  if (!C.DryRun) {
    Expected<std::string> Contents = readDeviceModule(*Bitcode, C);
    if (!Contents)
      return Contents.takeError();
    if (Error E = writeFile(*Bitcode, *Contents))
      return std::move(E);
    Expected<std::string> Version = ptxVersionOf(*Contents);
    if (!Version)
      return Version.takeError();
    if (!Version->empty())
      append_range(Arguments, Words{"-Xclang", "-target-feature", "-Xclang",
                                    "+" + *Version});
  }
  append_range(Arguments, Words{"-x", "ir", "-S", *Bitcode, "-o", Output});
  return run(Arguments);
}

Expected<int> Runner::writeDeviceCode() {
  bool IsText = C.What == Action::PTX;
  for (const Argument &A : C.Arguments) {
    if (A.K != Argument::Input)
      continue;
    const std::string &Source = A.Words[0];
    OverlayOptions = Overlay.optionsFor(Source, includeDirs());
    std::string Image, Output = C.Output;
    if (Output.empty())
      Output = outputName(Source, C.OutputDirectory, IsText ? "ptx" : "fatbin");
    Expected<int> Status =
        IsText ? writePTX(Source, Output) : compileDeviceForms(Source, Image);
    if (!Status || *Status)
      return Status;
    if (IsText || C.DryRun)
      continue;
    if (std::error_code EC = sys::fs::copy_file(Image, Output))
      return createFileError(Output, EC);
  }
  return 0;
}

Expected<int> Runner::compileAndLink() {
  bool Links = C.What == Action::Link;
  std::vector<std::string> Objects;
  for (const Argument &A : C.Arguments) {
    if (A.K != Argument::Input)
      continue;
    Objects.push_back(A.Words[0]);
    if (A.Lang == Language::Object)
      continue;
    if (Links) {
      Expected<std::string> Temporary = temporary("o");
      if (!Temporary)
        return Temporary.takeError();
      Objects.back() = std::move(*Temporary);
    } else {
      Objects.back() = C.Output.empty()
                           ? outputName(A.Words[0], C.OutputDirectory, "o")
                           : C.Output;
    }
    Expected<int> Status = compileInput(A, Objects.back());
    if (!Status || *Status)
      return Status;
  }
  return Links ? link(Objects) : Expected<int>(0);
}

/// Has clang look at the inputs and answer: -E, -M, -fsyntax-only.
Expected<int> Runner::ask() {
  for (const Argument &A : C.Arguments) {
    if (A.K != Argument::Input)
      continue;
    OverlayOptions = Overlay.optionsFor(A.Words[0], includeDirs());
    Words Arguments = cudaOptions(Argument::Host);
    Arguments.push_back(A.Words[0]);
    if (!C.Output.empty())
      append_range(Arguments, Words{"-o", C.Output});
    if (C.What == Action::Preprocess)
      Arguments.push_back("--cuda-host-only");
    Expected<int> Status = run(Arguments);
    if (!Status || *Status)
      return Status;
  }
  return 0;
}

Expected<int> runSteps(const CommandLine &C, const Toolchain &T) {
  Runner R(C, T);
  if (C.What == Action::Link || C.What == Action::Compile)
    return R.compileAndLink();
  if (C.writesDeviceCode())
    return R.writeDeviceCode();
  return R.ask();
}

} // namespace regshare
