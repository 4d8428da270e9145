//===- regshare-opt.cpp - RegShare on a file ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes a kernel as CUDA, LLVM IR, MIR or MLIR, runs RegShare's passes, and
/// writes machine code, annotated PTX or a report.
///
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Options.h"
#include "regshare/CodeGen/Pipeline.h"
#include "regshare/CodeGen/Placement.h"
#include "regshare/CodeGen/Report.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Transforms/Session.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
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

enum class Emit { MIR, PTX, Report, JSON };
cl::opt<Emit> EmitKind(
    "emit", cl::desc("What to write:"), cl::init(Emit::Report),
    cl::values(clEnumValN(Emit::MIR, "mir", "architected machine code"),
               clEnumValN(Emit::PTX, "ptx", "annotated PTX"),
               clEnumValN(Emit::Report, "report",
                          "registers, occupancy and the live-register view"),
               clEnumValN(Emit::JSON, "json", "the report as JSON")),
    cl::cat(ToolCategory));
cl::opt<std::string>
    Passes("passes",
           cl::desc("Machine passes to run instead of those of the scheme, "
                    "separated by commas; the output is MIR"),
           cl::value_desc("a,b,…"), cl::cat(ToolCategory));
cl::opt<bool> ListPasses("list-passes",
                         cl::desc("List RegShare's passes and exit"),
                         cl::cat(ToolCategory));
cl::opt<std::string> Kernel("kernel",
                            cl::desc("Report on this kernel only (its name as "
                                     "in the code, or demangled without its "
                                     "parameters)"),
                            cl::value_desc("name"), cl::cat(ToolCategory));

cl::opt<char> OptLevel("O", cl::desc("Optimisation level, 0 to 3 (default 2)"),
                       cl::Prefix, cl::init('2'), cl::cat(ToolCategory));
cl::opt<std::string> CPU("mcpu", cl::desc("Target: sm_75, sm_90, …"),
                         cl::value_desc("sm_NN"), cl::cat(ToolCategory));
cl::opt<std::string> Features("mattr", cl::desc("Target features: +ptx88, …"),
                              cl::value_desc("list"), cl::cat(ToolCategory));
cl::opt<std::string> Language(
    "x", cl::desc("Language of the input: cuda, ir, mir or mlir"),
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
                 cl::NotHidden, cl::cat(ToolCategory));
cl::alias Device("device", cl::desc("Alias for --regshare-device"),
                 cl::NotHidden, cl::cat(ToolCategory));
cl::opt<std::string>
    RemarksFile("pass-remarks-output",
                cl::desc("Write optimisation remarks as YAML"),
                cl::value_desc("file"), cl::cat(ToolCategory));

InputOptions inputOptions() {
  InputOptions Options;
  Options.Path = InputPath;
  Options.Language = Language;
  Options.CPU = CPU;
  Options.Features = Features;
  Options.OptLevel = OptLevel - '0';
  Options.IncludeDirs = IncludeDirs;
  Options.Defines = Defines;
  Options.ExtraClangArgs = ClangArgs;
  Options.CudaPath = CudaPath;
  Options.NoCudaToolkit = NoCudaToolkit;
  return Options;
}

} // namespace
