//===- regshare-opt.cpp - RegShare on a file ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes a kernel as CUDA, LLVM IR, MIR, MLIR or PTX, runs RegShare's passes,
/// and writes machine code, annotated PTX or a report; or runs it on the
/// reference SM.
///
//===----------------------------------------------------------------------===//

#include "KernelName.h"
#include "LimitOptions.h"
#include "Lists.h"
#include "SimulateMode.h"
#include "UnknownOptions.h"

#include "regshare/Base/Scheme.h"
#include "regshare/Base/SchemeLoader.h"
#include "regshare/Base/Variables.h"
#include "regshare/Base/Version.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/NativeOptions.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Pipeline/Pipeline.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Pipeline/Report.h"
#include "regshare/Simulate/Simulation.h"
#include "regshare/Transforms/SchemeCompiler.h"
#include "regshare/Transforms/Session.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace regshare;

namespace {

cl::OptionCategory ToolCategory("regshare-opt options");

cl::opt<std::string> InputPath(cl::Positional, cl::desc("<input>"),
                               cl::init("-"), cl::cat(ToolCategory));
cl::opt<std::string>
    OutputPath("o", cl::desc("Where to write; '-' is standard output"),
               cl::value_desc("file"), cl::init("-"), cl::cat(ToolCategory));

enum class Emit { MIR, PTX, Report, JSON, SARIF, JUnit };
cl::opt<Emit> EmitKind(
    "emit", cl::desc("What to write:"), cl::init(Emit::Report),
    cl::values(clEnumValN(Emit::MIR, "mir", "architected machine code"),
               clEnumValN(Emit::PTX, "ptx", "annotated PTX"),
               clEnumValN(Emit::Report, "report",
                          "registers, occupancy and the live-register view; "
                          "with --simulate, what came of the run"),
               clEnumValN(Emit::JSON, "json", "the report as JSON"),
               clEnumValN(Emit::SARIF, "sarif",
                          "broken limits and peaks, for viewers of findings"),
               clEnumValN(Emit::JUnit, "junit",
                          "each limit and kernel as a test case")),
    cl::cat(ToolCategory));
cl::opt<std::string>
    Passes("passes",
           cl::desc("Machine passes to run instead of those of the scheme, "
                    "separated by commas; only what they print is shown, "
                    "unless --emit asks for more"),
           cl::value_desc("a,b,…"), cl::cat(ToolCategory));
cl::list<std::string>
    Load("load",
         cl::desc("Load a library of schemes, which then are like the others; "
                  "REGSHARE_LOAD names some, too"),
         cl::value_desc("file.so"), cl::cat(ToolCategory));
cl::opt<std::string> Kernel("kernel",
                            cl::desc("Report on this kernel only, or run it "
                                     "(its name as in the code, or demangled "
                                     "without its parameters)"),
                            cl::value_desc("name"), cl::cat(ToolCategory));

cl::opt<char> OptLevel("O",
                       cl::desc("Optimisation level, 0 to 3 (default 2; 3 for "
                                "native code)"),
                       cl::Prefix, cl::init('2'), cl::cat(ToolCategory));
cl::opt<std::string> CPU("mcpu",
                         cl::desc("Target: sm_75, sm_90, … (default: as the "
                                  "input says, else the device's, else sm_75)"),
                         cl::value_desc("sm_NN"), cl::cat(ToolCategory));
cl::opt<std::string> Features("mattr", cl::desc("Target features: +ptx88, …"),
                              cl::value_desc("list"), cl::cat(ToolCategory));
cl::opt<std::string>
    Language("x", cl::desc("Language of the input: cuda, ir, mir, mlir or ptx"),
             cl::value_desc("language"), cl::cat(ToolCategory));
cl::list<std::string> IncludeDirs("I", cl::desc("Search for CUDA headers here"),
                                  cl::value_desc("directory"), cl::Prefix,
                                  cl::cat(ToolCategory));
cl::list<std::string> Defines("D", cl::desc("Define a macro for CUDA input"),
                              cl::value_desc("name[=value]"), cl::Prefix,
                              cl::cat(ToolCategory));
cl::list<std::string> ClangArgs("Xclang-arg",
                                cl::desc("Pass to clang for CUDA input"),
                                cl::value_desc("argument"),
                                cl::cat(ToolCategory));
cl::opt<std::string> CudaPath("cuda-path",
                              cl::desc("Directory of the CUDA toolkit"),
                              cl::value_desc("directory"),
                              cl::cat(ToolCategory));
cl::opt<bool> NoCudaToolkit("no-cuda-toolkit",
                            cl::desc("Use RegShare's own CUDA headers and "
                                     "device library even where the toolkit "
                                     "is installed"),
                            cl::cat(ToolCategory));
cl::alias Scheme("scheme", cl::desc("Alias for --regshare-scheme"),
                 cl::aliasopt(schemeOption()), cl::NotHidden,
                 cl::cat(ToolCategory));
cl::alias Device("device", cl::desc("Alias for --regshare-device"),
                 cl::aliasopt(deviceOption()), cl::NotHidden,
                 cl::cat(ToolCategory));
/// Errors name the option that was typed, which is this one.
class CodeAlias final : public cl::alias {
public:
  using alias::alias;

private:
  bool addOccurrence(unsigned Position, StringRef Name, StringRef Value,
                     bool MultiArg) override {
    return codeOption().addOccurrence(Position, Name, Value, MultiArg);
  }
};
CodeAlias Code("code", cl::desc("Alias for --regshare-code"),
               cl::aliasopt(codeOption()), cl::NotHidden,
               cl::cat(ToolCategory));
cl::opt<std::string>
    Block("block",
          cl::desc("Threads of a CTA, for the occupancy and for --simulate "
                   "(default: the launch bounds', else 256)"),
          cl::value_desc("x[,y[,z]]"), cl::cat(ToolCategory));
cl::opt<unsigned> DynamicShared("dynamic-shared",
                                cl::desc("Dynamic shared memory of a CTA, for "
                                         "the occupancy and for --simulate"),
                                cl::value_desc("bytes"), cl::cat(ToolCategory));
cl::opt<std::string>
    Ptxas("ptxas",
          cl::desc("NVIDIA's assembler, whose registers and instructions stand "
                   "beside RegShare's in a report; 'none' for neither "
                   "(default: REGSHARE_PTXAS, else the one that is installed)"),
          cl::value_desc("file"), cl::cat(ToolCategory));
cl::opt<std::string> RemarksFile("pass-remarks-output",
                                 cl::desc("Write optimisation remarks as YAML"),
                                 cl::value_desc("file"), cl::cat(ToolCategory));

InputOptions inputOptions(const std::optional<DeviceDescription> &Device,
                          CodeForm Code) {
  InputOptions Options;
  if (Device)
    Options.FallbackCPU = Device->Target;
  Options.Path = InputPath;
  Options.Language = Language;
  Options.CPU = CPU;
  Options.Features = Features;
  Options.Code = Code;
  Options.OptLevel = OptLevel - '0';
  if (Code == CodeForm::Native && !OptLevel.getNumOccurrences())
    Options.OptLevel = NativeOptLevel;
  Options.IncludeDirs = IncludeDirs;
  Options.Defines = Defines;
  Options.ExtraClangArgs = ClangArgs;
  Options.CudaPath = CudaPath;
  Options.NoCudaToolkit = NoCudaToolkit;
  return Options;
}

} // namespace

/// Reports \p E and gives the exit code.
static int failed(Error E) {
  errs() << "regshare-opt: ";
  printErrors(std::move(E), errs());
  return 1;
}

/// LLVM's last resort, kept from printing a stack trace at a user.
static void onFatalError(void *, const char *Reason, bool) {
  errs() << "regshare-opt: error: " << Reason << "\n";
  sys::RunInterruptHandlers();
  exit(1);
}

/// Fails unless the module has the kernel that --kernel asks for.
static Error findKernel(Module &M) {
  std::vector<std::string> Names;
  for (const Function *F : kernelsOf(M))
    Names.push_back(F->getName().str());
  return chooseKernel(Names, Kernel, InputPath).takeError();
}

/// What a run is asked to produce.
struct Request {
  std::vector<std::string> Pipeline;
  OutputKind Output = OutputKind::None;
  bool WantsReport = false;
  std::string Ptxas; ///< To run on the PTX of a report; empty for none.
  ReportOptions Report;
  LimitRequest Limits;
  CompilerOptions Compiler;
  SharedOptions Simulation;
};

static bool inputIsPTX() {
  return Language == "ptx" ||
         (Language.empty() && sys::path::extension(InputPath) == ".ptx");
}

/// Reads the limits and sizes that reports and simulation share.
static Error readMachine(Request &R) {
  if (simulateRequested() && R.Compiler.Device.empty())
    R.Compiler.Device = DefaultSimulatedDevice;
  if (!R.Compiler.Device.empty()) {
    Result<DeviceDescription> D = loadDevice(R.Compiler.Device);
    if (!D)
      return createStringError(D.error().str());
    R.Report.Device = std::move(*D);
  }
  if (!Block.empty()) {
    Result<sim::Dim3> Extent = parseDim3(Block, "--block");
    if (!Extent)
      return createStringError(Extent.error().str());
    R.Simulation.Block = *Extent;
    R.Compiler.ThreadsPerCTA =
        unsigned(std::min<uint64_t>(Extent->count(), UINT_MAX));
    R.Compiler.Block = {Extent->X, Extent->Y, Extent->Z};
  }
  if (DynamicShared.getNumOccurrences())
    R.Compiler.DynamicSharedBytes = DynamicShared;
  R.Simulation.Kernel = Kernel;
  R.Simulation.DynamicSharedBytes = R.Compiler.DynamicSharedBytes;
  R.Report.Threads = R.Compiler.ThreadsPerCTA;
  R.Report.DynamicSharedBytes = R.Compiler.DynamicSharedBytes;
  if (R.Report.Device)
    R.Simulation.Device = *R.Report.Device;
  R.Simulation.JSON = EmitKind == Emit::JSON;
  return Error::success();
}

/// Decides what comes out at the end of the pipeline.
static Error readOutput(Request &R) {
  if (simulateRequested()) {
    if (EmitKind != Emit::Report && EmitKind != Emit::JSON)
      return createStringError(
          "--simulate writes a report: --emit=report or --emit=json");
    R.Output = OutputKind::PTX;
    return Error::success();
  }
  // A pipeline by name shows what its passes print, unless an output is asked
  // for.
  if (!Passes.empty() && !EmitKind.getNumOccurrences())
    return Error::success();
  R.WantsReport = EmitKind != Emit::MIR && EmitKind != Emit::PTX;
  R.Output = EmitKind == Emit::MIR   ? OutputKind::MIR
             : EmitKind == Emit::PTX ? OutputKind::PTX
                                     : OutputKind::None;
  bool HasPtxas = EmitKind == Emit::Report || EmitKind == Emit::JSON;
  if (HasPtxas && Passes.empty())
    R.Ptxas = findPtxas(Ptxas);
  if (!R.Ptxas.empty())
    R.Output = OutputKind::PTX;
  return Error::success();
}

/// Reads the options, and fails on names that mean nothing before any work is
/// done.
static Expected<Request> readRequest() {
  if (Error E = checkSimulateOptions())
    return std::move(E);
  Request R;
  R.Compiler = compilerOptions();
  if (!schemeOption().getNumOccurrences())
    R.Compiler.Scheme = "baseline";
  Result<regshare::Scheme> Parsed = parseScheme(R.Compiler.Scheme);
  if (!Parsed)
    return createStringError(Parsed.error().Message);
  R.Simulation.Applied = *Parsed;
  R.Simulation.Settings = R.Compiler.Settings;
  if (Error E = readMachine(R))
    return std::move(E);
  if (Error E = readOutput(R))
    return std::move(E);
  if (Error E = readLimits(R.Report.Device.has_value(), R.WantsReport)
                    .moveInto(R.Limits))
    return std::move(E);
  if (EmitKind == Emit::JUnit && !R.Limits.Limits.any())
    return createStringError("--emit=junit needs a limit, such as --no-spills; "
                             "--help lists them");
  if (Passes.empty()) {
    warnOfOtherSettings(R.Compiler, errs(), "regshare-opt");
    R.Pipeline =
        passesForScheme(R.Compiler.Scheme, R.Output, chosenCode(R.Compiler));
    return R;
  }
  Expected<std::vector<std::string>> Names = parsePassNames(Passes);
  if (!Names)
    return Names.takeError();
  R.Pipeline = std::move(*Names);
  return R;
}

/// The input as PTX without registers, in which every kernel that has its
/// registers spilled to shared memory asks ptxas to do so. What is assigned has
/// nothing left to spill.
static Expected<std::string> plainPTX(const Request &R,
                                      const InputOptions &Options) {
  Expected<LoadedInput> Input = loadInput(Options);
  if (!Input)
    return Input.takeError();
  if (Error E = prepareForCodeGen(*Input))
    return std::move(E);
  SmallString<0> PTX;
  raw_svector_ostream OS(PTX);
  if (Error E = runPipeline(*Input, new SessionPass(R.Compiler),
                            {"regshare-smem-spilling"}, OutputKind::PTX, OS))
    return std::move(E);
  return PTX.str().str();
}

/// Asks ptxas about the kernels of \p Reports. That it refuses them is an error
/// only if it was asked for by name: no ptxas knows all targets.
static Error addPtxas(const Request &R, StringRef PTX,
                      std::vector<KernelReport> &Reports) {
  if (R.Ptxas.empty() || Reports.empty())
    return Error::success();
  Expected<StringMap<PtxasKernel>> Kernels =
      runPtxas(R.Ptxas, PTX, Reports.front().Target, R.Compiler.MaxRegs);
  if (!Kernels) {
    if (Ptxas.getNumOccurrences())
      return createFileError(R.Ptxas, Kernels.takeError());
    consumeError(Kernels.takeError());
    return Error::success();
  }
  for (KernelReport &K : Reports)
    if (auto Found = Kernels->find(K.Name); Found != Kernels->end())
      K.Ptxas = Found->second;
  return Error::success();
}

/// Writes the report. Returns a line for each kernel and limit that it breaks.
static std::vector<std::string> writeReport(raw_ostream &OS,
                                            std::vector<KernelReport> Reports,
                                            const ReportOptions &Options,
                                            const LimitRequest &Limits) {
  if (!Kernel.empty())
    llvm::erase_if(Reports, [](const KernelReport &K) {
      return !namesKernel(Kernel, K.Name);
    });
  const Baseline *Before = Limits.Before ? &*Limits.Before : nullptr;
  std::vector<LimitCheck> Checks =
      checkLimits(Reports, Options, Limits.Limits, Before);
  switch (EmitKind) {
  case Emit::JSON:
    printReportJSON(OS, Reports, Options);
    break;
  case Emit::SARIF:
    printSARIF(OS, Reports, Checks);
    break;
  case Emit::JUnit:
    printJUnit(OS, InputPath, Checks);
    break;
  default:
    printReport(OS, Reports, Options);
    if (Before)
      printChanges(OS, Reports, Options, *Before);
  }
  std::vector<std::string> Broken;
  for (const LimitCheck &C : Checks)
    if (!C.Broken.empty())
      Broken.push_back(
          (Twine(C.Rule) + ": kernel " + C.Kernel->Demangled + ": " + C.Broken)
              .str());
  return Broken;
}

/// Everything from the input file to what the pipeline makes of it. Returns
/// what breaks limits.
static Expected<std::vector<std::string>> compile(const Request &R,
                                                  raw_pwrite_stream &OS) {
  if (Passes.empty())
    if (Result<void> Ok = checkCompilerOf(R.Simulation.Applied); !Ok)
      return createStringError(Ok.error().Message);
  CodeForm Code = chosenCode(R.Compiler);
  InputOptions Options = inputOptions(R.Report.Device, Code);
  Options.Variables = R.WantsReport;
  Expected<LoadedInput> Input = loadInput(Options);
  if (!Input)
    return Input.takeError();
  if (!Kernel.empty())
    if (Error E = findKernel(*Input->M))
      return std::move(E);
  if (Error E = prepareForCodeGen(*Input))
    return std::move(E);
  Expected<LLVMRemarkFileHandle> Remarks = setupLLVMOptimizationRemarks(
      *Input->Context, RemarksFile, "regshare", "yaml", false);
  if (!Remarks)
    return createFileError(RemarksFile, Remarks.takeError());
  std::vector<KernelReport> Reports;
  SmallString<0> PTX;
  raw_svector_ostream PTXStream(PTX);
  raw_pwrite_stream &Out = R.Ptxas.empty() ? OS : PTXStream;
  if (Error E = runPipeline(*Input, new SessionPass(R.Compiler), R.Pipeline,
                            R.Output, Out, R.WantsReport ? &Reports : nullptr))
    return std::move(E);
  std::vector<std::string> Broken;
  if (R.WantsReport) {
    std::string ForPtxas(PTX);
    if (!R.Ptxas.empty() && any_of(Reports, [](const KernelReport &K) {
          return K.SharedRoom.Bytes != 0;
        }))
      if (Error E = plainPTX(R, Options).moveInto(ForPtxas))
        return std::move(E);
    if (Error E = addPtxas(R, ForPtxas, Reports))
      return std::move(E);
    Broken = writeReport(OS, std::move(Reports), R.Report, R.Limits);
  }
  if (*Remarks)
    (*Remarks)->keep();
  return Broken;
}

/// Whether PTX is run as it is: it has its annotations, or none are asked for.
static bool runsAsItIs(StringRef PTX) {
  return PTX.contains("\"regshare.kernel ") ||
         !schemeOption().getNumOccurrences();
}

/// Runs the input's kernel: PTX that has its registers as it is, all else
/// compiled first.
static Error simulateInput(const Request &R, raw_pwrite_stream &OS) {
  std::string Name = InputPath == "-" ? "<stdin>" : InputPath.getValue();
  if (inputIsPTX()) {
    auto Buffer = MemoryBuffer::getFileOrSTDIN(InputPath, /*IsText=*/true);
    if (std::error_code EC = Buffer.getError())
      return createFileError(InputPath, EC);
    if (runsAsItIs((*Buffer)->getBuffer()))
      return simulatePTX((*Buffer)->getBuffer(), Name, R.Simulation, OS);
  }
  SmallString<0> PTX;
  raw_svector_ostream PTXStream(PTX);
  if (Error E = compile(R, PTXStream).takeError())
    return E;
  return simulatePTX(PTX, "<PTX of " + Name + ">", R.Simulation, OS);
}

/// Everything between the options and the exit code, which it returns.
static Expected<int> run() {
  Expected<Request> R = readRequest();
  if (!R)
    return R.takeError();
  // The output is complete before the file is touched.
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  std::vector<std::string> Broken;
  if (Error E = simulateRequested() ? simulateInput(*R, OS)
                                    : compile(*R, OS).moveInto(Broken))
    return std::move(E);
  std::error_code EC;
  ToolOutputFile File(OutputPath, EC, sys::fs::OF_Text);
  if (EC)
    return createFileError(OutputPath, EC);
  File.os() << Text;
  File.os().flush();
  File.keep();
  for (const std::string &Line : Broken)
    errs() << "regshare-opt: " << Line << "\n";
  return Broken.empty() ? 0 : 2;
}

/// Schemes that are loaded bring options, so that this comes before options are
/// parsed.
static Error loadSchemes(ArrayRef<const char *> Arguments) {
  Result<void> Ok = loadSchemesOfEnvironment();
  for (size_t N = 0; Ok && N != Arguments.size(); ++N) {
    StringRef Word = Arguments[N];
    if (!Word.consume_front("-"))
      continue;
    Word.consume_front("-");
    if (Word.consume_front("load="))
      Ok = loadSchemeLibrary(Word.str());
    else if (Word == "load" && N + 1 != Arguments.size())
      Ok = loadSchemeLibrary(Arguments[++N]);
  }
  if (Ok)
    Ok = loadSchemeCompilers();
  if (Ok)
    Ok = addSettingOptions(&simulateCategory());
  return Ok ? Error::success() : createStringError(Ok.error().str());
}

int main(int argc, char **argv) {
  InitLLVM X(argc, argv);
  setErrorStart("regshare-opt: error: ");
  if (Error E = loadSchemes(ArrayRef(argv, argc).drop_front()))
    return failed(std::move(E));
  install_fatal_error_handler(onFatalError);
  initializeTarget();
  initializeRegSharePasses();
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "RegShare " REGSHARE_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
  });
  cl::HideUnrelatedOptions({&ToolCategory, &optionCategory(), &limitCategory(),
                            &simulateCategory(), &listCategory()});
  if (Error E = checkKnownOptions(ArrayRef(argv, argc).drop_front()))
    return failed(std::move(E));
  cl::ParseCommandLineOptions(
      argc, argv,
      "regshare-opt: registers, liveness and register-file schemes for GPU "
      "kernels\n\n"
      "Takes .cu, .ll, .bc, .mir, .mlir or .ptx.\n");
  for (const std::string &Doubt : doubtsAboutVariables())
    errs() << "regshare-opt: warning: " << Doubt << "\n";
  if (printedList())
    return 0;
  if (std::string Doubt = doubtAboutProgramVariables(); !Doubt.empty())
    errs() << "regshare-opt: warning: " << Doubt << "\n";
  if (OptLevel < '0' || OptLevel > '3')
    return failed(createStringError(Twine("unknown optimisation level -O") +
                                    Twine(OptLevel) + "; there are 0 to 3"));
  Expected<int> ExitCode = run();
  return ExitCode ? *ExitCode : failed(ExitCode.takeError());
}
