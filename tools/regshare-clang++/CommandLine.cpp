//===- CommandLine.cpp - The options of a CUDA compile -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace regshare {

namespace {

class Parser {
public:
  explicit Parser(ArrayRef<const char *> Words) : Words(Words) {}
  Expected<CommandLine> run();

  // What rules do.
  void option(Argument::Kind K, ArrayRef<std::string> Option) {
    C.Arguments.push_back({K, Option, {}, {}});
  }
  Error architecture(StringRef Value);

  CommandLine C;
  std::string InputLanguage; ///< Of -x; empty: by the input's name.

private:
  Error readOption(StringRef Word);
  void readInput(StringRef Word);
  Expected<std::string> takeValue(StringRef Word);
  Error check();

  ArrayRef<const char *> Words;
  size_t Next = 0;
  /// The highest that was asked for, since one half can be embedded.
  unsigned HighestArch = 0;
};

struct Rule;
using ActFn = Error (*)(Parser &P, const Rule &R, StringRef Value);

/// An option that is not simply clang's.
struct Rule {
  const char *Name;
  /// How a value follows; an option with NoValue has to match as a whole.
  enum Form { NoValue, Separate, Joined, EqualsOrSeparate } F;
  ActFn Act;
  const char *Help; ///< Null: nothing to tell.
};

} // namespace

//===----------------------------------------------------------------------===//
// What options do
//===----------------------------------------------------------------------===//

/// For what nvcc needs to be told and clang does anyway, or what steers
/// ptxas and nvlink, which have no part in this.
static Error ignore(Parser &, const Rule &, StringRef) {
  return Error::success();
}

static Error hostOption(Parser &P, const Rule &R, StringRef) {
  P.option(Argument::Host, {R.Name});
  return Error::success();
}

static Error hostOptionWithValue(Parser &P, const Rule &R, StringRef Value) {
  P.option(Argument::Host, {R.Name, Value.str()});
  return Error::success();
}

/// Splits "-Xcompiler -Wall,-O3", as nvcc does.
static Error hostOptions(Parser &P, const Rule &, StringRef Value) {
  for (StringRef Option : split(Value, ','))
    P.option(Argument::Host, {Option.str()});
  return Error::success();
}

static Error linkerOptions(Parser &P, const Rule &, StringRef Value) {
  P.option(Argument::Host, {("-Wl," + Value).str()});
  return Error::success();
}

/// CUDA's runtime library is what ours stands in for.
static Error library(Parser &P, const Rule &, StringRef Value) {
  bool IsOurs = Value == "cudart" || Value == "cudart_static" ||
                Value == "cudadevrt" || Value == "regshare_cudart";
  if (!IsOurs)
    P.option(Argument::Host, {("-l" + Value).str()});
  return Error::success();
}

static Error fastMath(Parser &P, const Rule &, StringRef) {
  for (const char *Option : {"-ffast-math", "-fgpu-approx-transcendentals",
                             "-fgpu-flush-denormals-to-zero"})
    P.option(Argument::Device, {Option});
  return Error::success();
}

static Error unoptimisedDevice(Parser &P, const Rule &, StringRef) {
  P.option(Argument::Device, {"-O0"});
  P.C.OptimiseDevice = false;
  return Error::success();
}

/// nvcc's options about floating point are true or false.
static Expected<bool> truthOf(const Rule &R, StringRef Value) {
  if (Value == "true" || Value == "false")
    return Value == "true";
  return createStringError(StringRef(R.Name) + "=" + Value +
                           ": write true or false");
}

static Error flushSubnormals(Parser &P, const Rule &R, StringRef Value) {
  Expected<bool> On = truthOf(R, Value);
  if (!On)
    return On.takeError();
  P.option(Argument::Device, {*On ? "-fgpu-flush-denormals-to-zero"
                                  : "-fno-gpu-flush-denormals-to-zero"});
  return Error::success();
}

static Error multiplyAdd(Parser &P, const Rule &R, StringRef Value) {
  Expected<bool> On = truthOf(R, Value);
  if (!On)
    return On.takeError();
  P.option(Argument::Device,
           {*On ? "-ffp-contract=fast" : "-ffp-contract=off"});
  return Error::success();
}

template <bool CommandLine::*Member>
static Error precision(Parser &P, const Rule &R, StringRef Value) {
  Expected<bool> On = truthOf(R, Value);
  if (!On)
    return On.takeError();
  P.C.*Member = *On;
  return Error::success();
}

static Error output(Parser &P, const Rule &, StringRef Value) {
  P.C.Output = Value.str();
  return Error::success();
}

template <Action What>
static Error action(Parser &P, const Rule &R, StringRef) {
  P.C.What = What;
  if (What != Action::Compile)
    P.option(Argument::Host, {R.Name});
  return Error::success();
}

template <bool CommandLine::*Member>
static Error flag(Parser &P, const Rule &, StringRef) {
  P.C.*Member = true;
  return Error::success();
}

static Error language(Parser &P, const Rule &, StringRef Value) {
  P.InputLanguage = Value == "cu" ? "cuda" : Value == "none" ? "" : Value.str();
  return Error::success();
}

static Error architecture(Parser &P, const Rule &, StringRef Value) {
  return P.architecture(Value);
}

/// arch=compute_75,code=[sm_75,sm_80]
static Error generate(Parser &P, const Rule &R, StringRef Value) {
  StringRef Arch = Value;
  if (!Arch.consume_front("arch="))
    return createStringError(StringRef(R.Name) + "=" + Value +
                             ": write arch=compute_75,code=sm_75");
  return P.architecture(Arch.split(',').first);
}

static Error toolkit(Parser &P, const Rule &, StringRef Value) {
  P.C.CudaPath = Value.str();
  return Error::success();
}

static Error refuse(const Rule &R, const char *Why) {
  return createStringError(StringRef(R.Name) + " is not supported: " + Why);
}

static Error refuseRDC(Parser &, const Rule &R, StringRef Value) {
  if (Value == "false")
    return Error::success();
  return refuse(R, "without relocatable device code, kernels can call only "
                   "functions of their own source file");
}

static Error refuseDeviceOutput(Parser &, const Rule &R, StringRef) {
  return refuse(R, "for device code alone use regshare-opt --emit=ptx, or "
                   "clang++ with --cuda-device-only");
}

static Error refuseHostOutput(Parser &, const Rule &R, StringRef) {
  return refuse(R, "for the host half alone use clang++");
}

static Error maxRegisters(Parser &P, const Rule &R, StringRef Value) {
  if (Value.getAsInteger(10, P.C.MaxRegisters) || !P.C.MaxRegisters)
    return createStringError(StringRef(R.Name) + "=" + Value +
                             ": write a number of registers");
  return Error::success();
}

static const Rule Rules[] = {
    {"-o", Rule::Joined, output, "write the object or program to this file"},
    {"-c", Rule::NoValue, action<Action::Compile>,
     "compile to objects and do not link"},
    {"-E", Rule::NoValue, action<Action::Preprocess>,
     "preprocess the host half"},
    {"-M", Rule::NoValue, action<Action::Preprocess>, nullptr},
    {"-MM", Rule::NoValue, action<Action::Preprocess>, nullptr},
    {"-fsyntax-only", Rule::NoValue, action<Action::CheckSyntax>,
     "check both halves and write nothing"},
    {"-x", Rule::Joined, language,
     "language of the inputs that follow; 'cu' and 'cuda' are CUDA"},

    {"-arch", Rule::EqualsOrSeparate, architecture,
     "processor to compile device code for (default sm_75)"},
    {"--gpu-architecture", Rule::EqualsOrSeparate, architecture, "the same"},
    {"--cuda-gpu-arch", Rule::EqualsOrSeparate, architecture, "the same"},
    {"--offload-arch", Rule::EqualsOrSeparate, architecture, "the same"},
    {"-gencode", Rule::EqualsOrSeparate, generate,
     "the same, as arch=compute_75,code=sm_75; the newest of several"},
    {"--generate-code", Rule::EqualsOrSeparate, generate, nullptr},
    {"-code", Rule::EqualsOrSeparate, ignore, nullptr},
    {"--gpu-code", Rule::EqualsOrSeparate, ignore, nullptr},
    {"--cuda-path", Rule::EqualsOrSeparate, toolkit,
     "use the headers of this CUDA toolkit instead of RegShare's own"},
    {"-use_fast_math", Rule::NoValue, fastMath,
     "approximate functions and flushing of subnormals in device code"},
    {"--use_fast_math", Rule::NoValue, fastMath, nullptr},
    {"-ftz", Rule::EqualsOrSeparate, flushSubnormals,
     "true: flush subnormals in device code"},
    {"--ftz", Rule::EqualsOrSeparate, flushSubnormals, nullptr},
    {"-fmad", Rule::EqualsOrSeparate, multiplyAdd,
     "false: keep multiplies and adds of device code apart"},
    {"--fmad", Rule::EqualsOrSeparate, multiplyAdd, nullptr},
    {"-prec-div", Rule::EqualsOrSeparate,
     precision<&CommandLine::PreciseDivision>,
     "false: divide with the accuracy of div.full in device code"},
    {"--prec-div", Rule::EqualsOrSeparate,
     precision<&CommandLine::PreciseDivision>, nullptr},
    {"-prec-sqrt", Rule::EqualsOrSeparate,
     precision<&CommandLine::PreciseSquareRoot>,
     "false: approximate square roots in device code"},
    {"--prec-sqrt", Rule::EqualsOrSeparate,
     precision<&CommandLine::PreciseSquareRoot>, nullptr},
    {"-maxrregcount", Rule::EqualsOrSeparate, maxRegisters,
     "registers of a thread at most, where the source does not say"},
    {"--maxrregcount", Rule::EqualsOrSeparate, maxRegisters, nullptr},
    {"-G", Rule::NoValue, unoptimisedDevice, "do not optimise device code"},
    {"-Xcompiler", Rule::EqualsOrSeparate, hostOptions,
     "options for the host half, separated by commas"},
    {"--compiler-options", Rule::EqualsOrSeparate, hostOptions, nullptr},
    {"-Xlinker", Rule::EqualsOrSeparate, linkerOptions, nullptr},
    {"--linker-options", Rule::EqualsOrSeparate, linkerOptions, nullptr},
    {"-l", Rule::Joined, library, nullptr},

    {"-MD", Rule::NoValue, hostOption, nullptr},
    {"-MMD", Rule::NoValue, hostOption, nullptr},
    {"-MP", Rule::NoValue, hostOption, nullptr},
    {"-MF", Rule::Joined, hostOptionWithValue, nullptr},
    {"-MT", Rule::Joined, hostOptionWithValue, nullptr},
    {"-MQ", Rule::Joined, hostOptionWithValue, nullptr},

    {"-lineinfo", Rule::NoValue, ignore, nullptr},
    {"--generate-line-info", Rule::NoValue, ignore, nullptr},
    {"--expt-relaxed-constexpr", Rule::NoValue, ignore, nullptr},
    {"-expt-relaxed-constexpr", Rule::NoValue, ignore, nullptr},
    {"--expt-extended-lambda", Rule::NoValue, ignore, nullptr},
    {"-expt-extended-lambda", Rule::NoValue, ignore, nullptr},
    {"--extended-lambda", Rule::NoValue, ignore, nullptr},
    {"-extended-lambda", Rule::NoValue, ignore, nullptr},
    {"-Wno-deprecated-gpu-targets", Rule::NoValue, ignore, nullptr},
    {"-Xptxas", Rule::EqualsOrSeparate, ignore, nullptr},
    {"--ptxas-options", Rule::EqualsOrSeparate, ignore, nullptr},
    {"-Xcuda-ptxas", Rule::Separate, ignore, nullptr},
    {"-Xnvlink", Rule::EqualsOrSeparate, ignore, nullptr},
    {"-ccbin", Rule::EqualsOrSeparate, ignore, nullptr},
    {"--compiler-bindir", Rule::EqualsOrSeparate, ignore, nullptr},
    {"-cudart", Rule::EqualsOrSeparate, ignore, nullptr},
    {"--cudart", Rule::EqualsOrSeparate, ignore, nullptr},

    {"-rdc", Rule::EqualsOrSeparate, refuseRDC, nullptr},
    {"--relocatable-device-code", Rule::EqualsOrSeparate, refuseRDC, nullptr},
    {"-fgpu-rdc", Rule::NoValue, refuseRDC, nullptr},
    {"-dc", Rule::NoValue, refuseRDC, nullptr},
    {"--device-c", Rule::NoValue, refuseRDC, nullptr},
    {"-dlink", Rule::NoValue, refuseRDC, nullptr},
    {"--device-link", Rule::NoValue, refuseRDC, nullptr},
    {"-ptx", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"--ptx", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"-cubin", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"--cubin", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"-fatbin", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"--fatbin", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"-S", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"-emit-llvm", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"--cuda-device-only", Rule::NoValue, refuseDeviceOutput, nullptr},
    {"--cuda-host-only", Rule::NoValue, refuseHostOutput, nullptr},

    {"-v", Rule::NoValue, flag<&CommandLine::Verbose>, "print the steps"},
    {"-###", Rule::NoValue, flag<&CommandLine::DryRun>,
     "print the steps and do none of them"},
    {"--dryrun", Rule::NoValue, flag<&CommandLine::DryRun>, nullptr},
    {"--help", Rule::NoValue, flag<&CommandLine::Help>, "print this"},
    {"--version", Rule::NoValue, flag<&CommandLine::PassThrough>,
     "print clang's version"},
};

//===----------------------------------------------------------------------===//
// Reading the words
//===----------------------------------------------------------------------===//

/// clang's options whose value is the next word; without them it would look
/// like an input.
static bool takesNextWord(StringRef Word) {
  static constexpr StringLiteral Options =
      " -I -D -U -L -T -u -z -include -isystem -cxx-isystem -iquote -idirafter "
      "-imacros -isysroot -iprefix -iwithprefix -resource-dir -rpath -target "
      "--param -mllvm -Xclang -Xassembler -Xpreprocessor -Xarch_host "
      "-Xarch_device -Xopenmp-target ";
  return Options.contains((" " + Word + " ").str());
}

/// The value of \p Word if it is \p R's option; Next says that it is the next
/// word.
static bool matches(const Rule &R, StringRef Word, StringRef &Value,
                    bool &Next) {
  Next = false;
  if (!Word.consume_front(R.Name))
    return false;
  Value = Word;
  switch (R.F) {
  case Rule::NoValue:
    return Word.empty();
  case Rule::Separate:
    Next = true;
    return Word.empty();
  case Rule::Joined:
    Next = Word.empty();
    return true;
  case Rule::EqualsOrSeparate:
    Next = Word.empty();
    return Next || Value.consume_front("=");
  }
  return false;
}

/// Of several rules the one with the longest name is meant: -MD is not -M.
static const Rule *findRule(StringRef Word, StringRef &Value, bool &Next) {
  const Rule *Best = nullptr;
  for (const Rule &R : Rules) {
    StringRef Its;
    bool ItsNext;
    if ((!Best || StringRef(R.Name).size() > StringRef(Best->Name).size()) &&
        matches(R, Word, Its, ItsNext)) {
      Best = &R;
      Value = Its;
      Next = ItsNext;
    }
  }
  return Best;
}

/// "sm_75", "compute_75", "75" of "sm_90a": nothing if it is none of these.
static unsigned processorNumber(StringRef Name) {
  Name.consume_front("sm_") || Name.consume_front("compute_");
  unsigned Number = 0;
  Name.take_while(isDigit).getAsInteger(10, Number);
  return Number;
}

Error Parser::architecture(StringRef Value) {
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

void Parser::readInput(StringRef Word) {
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
  C.Arguments.push_back(std::move(A));
}

Expected<std::string> Parser::takeValue(StringRef Word) {
  if (Next == Words.size())
    return createStringError("no value after " + Word);
  return std::string(Words[Next++]);
}

Error Parser::readOption(StringRef Word) {
  StringRef Value;
  bool ValueIsNext = false;
  if (const Rule *R = findRule(Word, Value, ValueIsNext)) {
    std::string Taken;
    if (ValueIsNext) {
      Expected<std::string> NextWord = takeValue(Word);
      if (!NextWord)
        return NextWord.takeError();
      Taken = std::move(*NextWord);
      Value = Taken;
    }
    return R->Act(*this, *R, Value);
  }
  std::vector<std::string> Option{Word.str()};
  if (takesNextWord(Word)) {
    Expected<std::string> NextWord = takeValue(Word);
    if (!NextWord)
      return NextWord.takeError();
    Option.push_back(std::move(*NextWord));
  }
  option(Argument::Both, Option);
  return Error::success();
}

Error Parser::check() {
  if (C.Help || C.PassThrough)
    return Error::success();
  unsigned Sources = 0;
  for (const Argument &A : C.Arguments)
    Sources += A.K == Argument::Input && A.Lang != Language::Object;
  if (!C.numInputs())
    return createStringError("no input files");
  if (C.What == Action::Compile && !C.Output.empty() && Sources > 1)
    return createStringError("-o with -c goes with one source file");
  return Error::success();
}

Expected<CommandLine> Parser::run() {
  while (Next != Words.size()) {
    StringRef Word = Words[Next++];
    if (!Word.starts_with("-") || Word == "-")
      readInput(Word);
    else if (Error E = readOption(Word))
      return std::move(E);
  }
  if (Error E = check())
    return std::move(E);
  return std::move(C);
}

unsigned CommandLine::numInputs() const {
  return unsigned(count_if(
      Arguments, [](const Argument &A) { return A.K == Argument::Input; }));
}

Expected<CommandLine> parseCommandLine(ArrayRef<const char *> Arguments) {
  return Parser(Arguments).run();
}

std::string optionHelp() {
  std::string Text;
  for (const Rule &R : Rules)
    if (R.Help)
      Text += formatv("  {0,-22} {1}\n", R.Name, R.Help);
  return Text;
}

} // namespace regshare
