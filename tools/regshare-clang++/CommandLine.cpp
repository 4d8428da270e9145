//===- CommandLine.cpp - The options of a CUDA compile -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "ClangWords.h"
#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace regshare {

namespace {

class Parser {
public:
  explicit Parser(ArrayRef<const char *> Words)
      : Words(Words.begin(), Words.end()), Args(Words.begin(), Words.end()) {}
  Expected<CommandLine> run();

private:
  Error readNext();
  Error read(const opt::Arg &A);
  Error readOption(const opt::Arg &A);
  Error readFloatingPoint(const opt::Arg &A);
  Error readOfGroup(const opt::Arg &A, unsigned Group);
  bool readOfHost(const opt::Arg &A);
  bool readAction(const opt::Arg &A);
  bool readPlain(const opt::Arg &A);
  void readInput(StringRef Word);
  void readErrorKinds();
  Error readStream(const opt::Arg &A);
  Error readRegisters(const opt::Arg &A);
  Error readGeneration(const opt::Arg &A);
  Error readArchitecture(StringRef Value);
  void readLibrary(StringRef Value);
  Error check();
  Error checkDeviceAlone();

  void add(Argument::Kind K, ArrayRef<std::string> Option) {
    C.Arguments.push_back({K, Option, {}, {}});
  }
  /// The option as it was typed.
  void addTyped(Argument::Kind K) {
    add(K,
        std::vector<std::string>(Words.begin() + First, Words.begin() + Next));
  }

  std::vector<std::string> Words;
  opt::InputArgList Args;
  unsigned First = 0, Next = 0; ///< The words of the option that is read.
  CommandLine C;
  std::string InputLanguage; ///< Of -x; empty: by the input's name.
  /// What nobody here knows is the host's.
  bool UnknownIsForHost = false;
  bool IsForDevice = false, WritesText = false; ///< As clang says -ptx.
  /// The highest that was asked for, since one half can be embedded.
  unsigned HighestArch = 0;
};

} // namespace

/// As it was typed: "-prec-div" of "-prec-div=false".
static StringRef nameOf(const opt::Arg &A) {
  return (A.getAlias() ? A.getAlias() : &A)->getSpelling().rtrim('=');
}

static StringRef valueOf(const opt::Arg &A) {
  return A.getNumValues() ? A.getValue() : "";
}

static Error refuse(const opt::Arg &A, StringRef Why) {
  return createStringError(nameOf(A) + " is not supported: " + Why);
}

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

/// "sm_75", "compute_75", "75" of "sm_90a": nothing if it is none of these.
static unsigned processorNumber(StringRef Name) {
  Name.consume_front("sm_") || Name.consume_front("compute_");
  unsigned Number = 0;
  Name.take_while(isDigit).getAsInteger(10, Number);
  return Number;
}

Error Parser::readArchitecture(StringRef Value) {
  if (Value == "native" || Value == "all" || Value == "all-major")
    return Error::success();
  for (StringRef One : split(Value, ',')) {
    unsigned Number = processorNumber(One);
    if (!Number)
      return createStringError("unknown processor '" + One +
                               "'; write sm_75, sm_90, …");
    if (Number < HighestArch)
      continue;
    HighestArch = Number;
    if (Number < OldestArch) {
      WithColor::warning(errs(), "regshare-clang++")
          << One << " is older than the headers know; compiling for sm_"
          << OldestArch << "\n";
      Number = OldestArch;
    }
    // "sm_90a" has instructions that sm_90 lacks.
    StringRef Suffix = One.ltrim("smcopute_").drop_while(isDigit);
    C.Arch = ("sm_" + Twine(Number) + Suffix).str();
  }
  return Error::success();
}

/// arch=compute_75,code=[sm_75,sm_80]
Error Parser::readGeneration(const opt::Arg &A) {
  StringRef Arch = valueOf(A);
  if (!Arch.consume_front("arch="))
    return createStringError(nameOf(A) + "=" + Arch +
                             ": write arch=compute_75,code=sm_75");
  return readArchitecture(Arch.split(',').first);
}

Error Parser::readRegisters(const opt::Arg &A) {
  if (valueOf(A).getAsInteger(10, C.MaxRegisters) || !C.MaxRegisters)
    return createStringError(nameOf(A) + "=" + valueOf(A) +
                             ": write a number of registers");
  return Error::success();
}

/// Either default stream is accepted: the reference SM executes what streams
/// do in one order, which suits both.
Error Parser::readStream(const opt::Arg &A) {
  StringRef Value = valueOf(A);
  if (Value == "legacy" || Value == "null" || Value == "per-thread")
    return Error::success();
  return createStringError(nameOf(A) + "=" + Value +
                           ": write legacy, null or per-thread");
}

/// nvcc's options about floating point are true or false.
Error Parser::readFloatingPoint(const opt::Arg &A) {
  StringRef Value = valueOf(A);
  if (Value != "true" && Value != "false")
    return createStringError(nameOf(A) + "=" + Value + ": write true or false");
  bool On = Value == "true";
  switch (A.getOption().getID()) {
  case OPT_ftz:
    add(Argument::Device, {On ? "-fgpu-flush-denormals-to-zero"
                              : "-fno-gpu-flush-denormals-to-zero"});
    break;
  case OPT_fmad:
    add(Argument::Device, {On ? "-ffp-contract=fast" : "-ffp-contract=off"});
    break;
  case OPT_prec_div:
    C.PreciseDivision = On;
    break;
  default:
    C.PreciseSquareRoot = On;
    break;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The host half and the link
//===----------------------------------------------------------------------===//

/// CUDA's runtime and driver libraries are what ours stands in for.
void Parser::readLibrary(StringRef Value) {
  bool IsOurs = Value == "cuda" || Value == "cudart" ||
                Value == "cudart_static" || Value == "cudadevrt" ||
                Value == "regshare_cudart";
  if (!IsOurs)
    add(Argument::Host, {("-l" + Value).str()});
}

/// Where the path is a library of the toolkit's that ours stands in for.
static bool isStubOfRuntime(StringRef Path) {
  StringRef Name = sys::path::filename(Path);
  return Name == "libcuda.so" || Name == "libcudart_static.a" ||
         Name == "libcudadevrt.a" || Name == "libcudart.so" ||
         Name.starts_with("libcudart.so.");
}

/// What is after nvcc's -Werror: kinds of warnings, one of which is all.
/// clang's has nothing after it.
void Parser::readErrorKinds() {
  static constexpr StringLiteral Kinds[] = {"all-warnings",
                                            "cross-execution-space-call",
                                            "reorder",
                                            "default-stream-launch",
                                            "missing-launch-bounds",
                                            "ext-lambda-captures-this",
                                            "deprecated-declarations"};
  StringRef Given = Words[First];
  if (Given.consume_front("--Werror=") || Given.consume_front("-Werror=")) {
  } else if (Next != Words.size()) {
    Given = Words[Next];
  }
  SmallVector<StringRef> Parts;
  Given.split(Parts, ',');
  if (!all_of(Parts, [](StringRef P) { return is_contained(Kinds, P); }))
    return addTyped(Argument::Both);
  if (!StringRef(Words[First]).contains('='))
    ++Next;
  if (is_contained(Parts, "all-warnings"))
    add(Argument::Both, {"-Werror"});
}

/// True if \p A was one of those that are another word for clang.
bool Parser::readOfHost(const opt::Arg &A) {
  if (A.getOption().getID() == OPT_O) {
    // nvcc's level may be a word of its own.
    std::string Level = Words[First];
    if (valueOf(A).empty() && Next != Words.size() && Words[Next].size() == 1 &&
        isDigit(Words[Next][0]))
      Level = "-O" + Words[Next++];
    add(Argument::Both, {Level});
    return true;
  }
  const auto *W = find_if(ClangWords, [&](const ClangWord &Each) {
    return Each.ID == A.getOption().getID();
  });
  if (W == std::end(ClangWords))
    return false;
  if (W->How == ClangWord::Typed && nameOf(A) == W->Word)
    addTyped(W->For);
  else if (W->How == ClangWord::Alone)
    add(W->For, {W->Word});
  else if (W->How == ClangWord::Joined)
    add(W->For, {(W->Word + valueOf(A)).str()});
  else
    add(W->For, {W->Word, valueOf(A).str()});
  return true;
}

//===----------------------------------------------------------------------===//
// All options
//===----------------------------------------------------------------------===//

Error Parser::readOfGroup(const opt::Arg &A, unsigned Group) {
  switch (Group) {
  case OPT_idle_Group:
    WithColor::warning(errs(), "regshare-clang++")
        << nameOf(A) << " has no effect here\n";
    break;
  case OPT_refused_Group:
    return refuse(A, optionTable().getOptionHelpText(A.getOption().getID()));
  case OPT_host_Group:
    addTyped(Argument::Host);
    break;
  case OPT_clang_Group:
    addTyped(Argument::Both);
    break;
  default:
    break;
  }
  return Error::success();
}

/// True if \p A says what is to be done, and where the result goes.
bool Parser::readAction(const opt::Arg &A) {
  switch (A.getOption().getID()) {
  case OPT_output:
    C.Output = valueOf(A).str();
    break;
  case OPT_output_directory:
    C.OutputDirectory = valueOf(A).str();
    break;
  case OPT_compile:
    C.What = Action::Compile;
    break;
  case OPT_fatbin:
    C.What = Action::Image;
    break;
  case OPT_ptx:
    C.What = Action::PTX;
    break;
  case OPT_device_only:
    IsForDevice = true;
    break;
  case OPT_assembly:
    WritesText = true;
    break;
  case OPT_preprocess:
  case OPT_dependencies:
  case OPT_user_dependencies:
    C.What = Action::Preprocess;
    add(Argument::Host, {A.getOption().getID() == OPT_preprocess     ? "-E"
                         : A.getOption().getID() == OPT_dependencies ? "-M"
                                                                     : "-MM"});
    break;
  case OPT_syntax_only:
    C.What = Action::CheckSyntax;
    addTyped(Argument::Host);
    break;
  case OPT_link:
    C.What = Action::Link;
    break;
  case OPT_dryrun:
  case OPT_verbose:
    (A.getOption().getID() == OPT_dryrun ? C.DryRun : C.Verbose) = true;
    break;
  case OPT_help:
    C.Help = true;
    break;
  case OPT_version:
    C.Question = {"--version"};
    break;
  default:
    return false;
  }
  return true;
}

/// True if \p A is one of the other options that nothing is wrong with.
bool Parser::readPlain(const opt::Arg &A) {
  switch (A.getOption().getID()) {
  case OPT_smem_spilling:
  case OPT_restrict:
    (A.getOption().getID() == OPT_restrict ? C.Restrict : C.SharedSpilling) =
        true;
    break;
  case OPT_device_debug:
    add(Argument::Device, {"-O0"});
    C.OptimiseDevice = false;
    break;
  case OPT_device_c:
    C.What = Action::Compile;
    [[fallthrough]];
  case OPT_gpu_rdc:
    C.Relocatable = true;
    break;
  case OPT_cuda_path:
    C.CudaPath = valueOf(A).str();
    break;
  case OPT_cccl_path:
    C.LibraryPath = valueOf(A).str();
    break;
  case OPT_library:
    readLibrary(valueOf(A));
    break;
  case OPT_werror:
  case OPT_werror_kind:
    readErrorKinds();
    break;
  case OPT_compiler_options: // '-Wall -O3', or with commas.
    for (StringRef Option : split(valueOf(A), ','))
      for (StringRef Word : split(Option, ' '))
        if (!Word.empty())
          add(Argument::Host, {Word.str()});
    break;
  default:
    return false;
  }
  return true;
}

Error Parser::readOption(const opt::Arg &A) {
  switch (A.getOption().getID()) {
  case OPT_language:
    InputLanguage = StringSwitch<std::string>(valueOf(A).ltrim('='))
                        .Case("cu", "cuda")
                        .Case("none", "")
                        .Default(valueOf(A).ltrim('=').str());
    break;
  case OPT_gpu_architecture:
    return readArchitecture(valueOf(A));
  case OPT_generate_code:
    return readGeneration(A);
  case OPT_ftz:
  case OPT_fmad:
  case OPT_prec_div:
  case OPT_prec_sqrt:
    return readFloatingPoint(A);
  case OPT_maxrregcount:
    return readRegisters(A);
  case OPT_default_stream:
    return readStream(A);
  case OPT_use_fast_math:
    for (const char *Option : {"-ffast-math", "-fgpu-approx-transcendentals",
                               "-fgpu-flush-denormals-to-zero"})
      add(Argument::Device, {Option});
    break;
  case OPT_relocatable:
    if (valueOf(A) != "true" && valueOf(A) != "false")
      return createStringError(nameOf(A) + "=" + valueOf(A) +
                               ": write true or false");
    C.Relocatable = valueOf(A) == "true";
    break;
  case OPT_machine:
    if (valueOf(A) != "64")
      return refuse(A, "there is 64-bit code only");
    break;
  default:
    break;
  }
  return Error::success();
}

Error Parser::read(const opt::Arg &A) {
  unsigned ID = A.getOption().getID();
  if (ID == OPT_INPUT) {
    readInput(valueOf(A));
    return Error::success();
  }
  if (ID == OPT_UNKNOWN) {
    addTyped(UnknownIsForHost ? Argument::Host : Argument::Both);
    C.Unknown.push_back(Words[First]);
    return Error::success();
  }
  if (StringRef(Words[First]).ltrim('-').starts_with("print-")) {
    C.Question = Words;
    return Error::success();
  }
  if (opt::Option Group = A.getOption().getGroup(); Group.isValid())
    return readOfGroup(A, Group.getID());
  return readOfHost(A) || readAction(A) || readPlain(A) ? Error::success()
                                                        : readOption(A);
}

void Parser::readInput(StringRef Word) {
  if (isStubOfRuntime(Word))
    return;
  Argument A{Argument::Input, {Word.str()}, Language::Object, InputLanguage};
  StringRef Extension = sys::path::extension(Word);
  if (!InputLanguage.empty())
    A.Lang = InputLanguage == "cuda" ? Language::CUDA : Language::Other;
  else
    A.Lang = StringSwitch<Language>(Extension)
                 .Case(".cu", Language::CUDA)
                 .Cases({".cpp", ".cc", ".cxx", ".C", ".c++", ".c", ".s", ".S"},
                        Language::Other)
                 .Default(Language::Object);
  // clang++ takes C for C++ otherwise, and warns.
  if (InputLanguage.empty() && Extension == ".c")
    A.LanguageName = "c";
  C.Arguments.push_back(std::move(A));
}

Error Parser::readNext() {
  First = Next;
  if (Words[First].empty()) {
    ++Next;
    return Error::success();
  }
  unsigned After = First;
  std::unique_ptr<opt::Arg> A = optionTable().ParseOneArg(Args, After);
  if (!A)
    return createStringError("no value after " + Words[First]);
  Next = After;
  return read(*A);
}

Error Parser::check() {
  if (C.Help || !C.Question.empty())
    return Error::success();
  if (IsForDevice != WritesText)
    return createStringError(
        Twine(IsForDevice ? "--cuda-device-only" : "-S") +
        " is not supported: for device code alone use -fatbin, -ptx or "
        "regshare-opt --emit=ptx");
  if (IsForDevice)
    C.What = Action::PTX;
  unsigned Sources = 0;
  for (const Argument &A : C.Arguments)
    Sources += A.K == Argument::Input && A.Lang != Language::Object;
  if (!C.numInputs())
    return createStringError("no input files");
  if (C.What == Action::Compile && !C.Output.empty() && Sources > 1)
    return createStringError("-o with -c goes with one source file");
  return C.writesDeviceCode() ? checkDeviceAlone() : Error::success();
}

/// What is loaded by itself is of one source, whose functions are all there.
Error Parser::checkDeviceAlone() {
  const char *Name = C.What == Action::PTX ? "-ptx" : "-fatbin";
  if (C.Relocatable)
    return createStringError(Twine(Name) +
                             " is not supported with relocatable device code");
  if (C.numInputs() > 1 && !C.Output.empty())
    return createStringError(Twine("-o with ") + Name +
                             " goes with one source file");
  for (const Argument &A : C.Arguments)
    if (A.K == Argument::Input && A.Lang != Language::CUDA)
      return createStringError("'" + A.Words[0] +
                               "' is not a CUDA source, and " + Name +
                               " is for device code");
  return Error::success();
}

Expected<CommandLine> Parser::run() {
  for (StringRef Word : Words)
    UnknownIsForHost |= Word.ltrim('-').starts_with("forward-unknown-");
  while (Next != Words.size())
    if (Error E = readNext())
      return std::move(E);
  if (UnknownIsForHost)
    C.Unknown.clear();
  if (Error E = check())
    return std::move(E);
  return std::move(C);
}

unsigned CommandLine::numInputs() const {
  return unsigned(count_if(
      Arguments, [](const Argument &A) { return A.K == Argument::Input; }));
}

//===----------------------------------------------------------------------===//
// Files of options
//===----------------------------------------------------------------------===//

/// Replaces "--options-file FILE" by what is in the file.
static Error expandFiles(SmallVectorImpl<const char *> &Words,
                         StringSaver &Saver) {
  constexpr unsigned MostFiles = 1000; // One may name itself.
  unsigned Files = 0;
  for (size_t N = 0; N < Words.size();) {
    StringRef Word = Words[N], Path;
    size_t Taken = 1;
    if (Word == "-optf" || Word == "--options-file") {
      if (N + 1 == Words.size())
        return createStringError("no value after " + Word);
      Path = Words[N + 1];
      Taken = 2;
    } else if (Word.consume_front("-optf=") ||
               Word.consume_front("--options-file=")) {
      Path = Word;
    } else {
      ++N;
      continue;
    }
    auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
    if (!Buffer)
      return createFileError(Path, Buffer.getError());
    if (++Files > MostFiles)
      return createStringError("files of options name each other: " + Path);
    SmallVector<const char *, 16> More;
    cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, More);
    Words.erase(Words.begin() + N, Words.begin() + N + Taken);
    Words.insert(Words.begin() + N, More.begin(), More.end());
  }
  return Error::success();
}

Expected<CommandLine> parseCommandLine(ArrayRef<const char *> Arguments) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 64> Words(Arguments.begin(), Arguments.end());
  if (Error E = expandFiles(Words, Saver))
    return std::move(E);
  if (!cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Words))
    return createStringError("cannot read a file that an '@' names");
  return Parser(Words).run();
}

} // namespace regshare
