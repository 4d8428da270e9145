//===- Options.cpp - Options of the compiler half -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Options.h"

#include "regshare/Base/Device.h"
#include "regshare/Base/SharedSpilling.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace regshare {

cl::OptionCategory &optionCategory() {
  static cl::OptionCategory Category("RegShare options");
  return Category;
}

cl::opt<std::string> &schemeOption() {
  static cl::opt<std::string> Scheme(
      "regshare-scheme",
      cl::desc("Scheme to apply (baseline assigns registers and "
               "annotates); in clang and llc, without it the code is analysed "
               "and left as it is"),
      cl::value_desc("name"), cl::cat(optionCategory()));
  return Scheme;
}

cl::opt<std::string> &deviceOption() {
  static cl::opt<std::string> Device(
      "regshare-device",
      cl::desc("Device whose register limits and occupancy count: a name such "
               "as gtx480, or a .yaml file; figures of it to change follow, "
               "as in gtx480,registers=16384"),
      cl::value_desc("name"), cl::cat(optionCategory()));
  return Device;
}

bool CodeFormParser::parse(cl::Option &O, StringRef Name, StringRef Text,
                           CodeForm &Value) {
  Result<CodeForm> Form = parseCodeForm(Text.str());
  if (!Form)
    return O.error(Form.error().Message, Name);
  Value = *Form;
  return false;
}

cl::opt<CodeForm, false, CodeFormParser> &codeOption() {
  static cl::opt<CodeForm, false, CodeFormParser> Code(
      "regshare-code",
      cl::desc("Form of the code (default: what the device runs, ptx without "
               "one):"),
      cl::values(clEnumValN(CodeForm::PTX, "ptx",
                            "each PTX instruction is an instruction"),
                 clEnumValN(CodeForm::Native, "native",
                            "PTX instructions are joined, or are several, as "
                            "in hardware")),
      cl::cat(optionCategory()));
  return Code;
}

static cl::opt<unsigned>
    MaxRegs("regshare-max-regs",
            cl::desc("Registers per thread at most, in 32-bit units; beyond "
                     "it values are computed again or spilled to local memory"),
            cl::value_desc("n"), cl::cat(optionCategory()));

/// Its name is the setting's, which lives as long as the option.
static const std::string SharedSpillingName =
    settings::SharedSpilling.option().substr(1);
static const std::string SharedSpillingHelp =
    "Beyond these, " + std::string(settings::SharedSpilling.Help) +
    " (default off)";
static cl::opt<bool> SharedSpilling(StringRef(SharedSpillingName),
                                    cl::desc(SharedSpillingHelp),
                                    cl::init(false), cl::cat(optionCategory()));

static cl::opt<bool> Rematerialize(
    "regshare-rematerialize",
    cl::desc("Compute constants and kernel parameters again at their uses "
             "where that lowers the peak of live registers (default on)"),
    cl::init(true), cl::cat(optionCategory()));

static cl::opt<unsigned> ThreadsPerCTA(
    "regshare-threads",
    cl::desc("Threads of a CTA, where the choice of registers to share depends "
             "on the occupancy (default: the launch bounds', else 256)"),
    cl::value_desc("n"), cl::cat(optionCategory()));

static cl::opt<unsigned> DynamicSharedBytes(
    "regshare-dynamic-shared",
    cl::desc("Dynamic shared memory of a CTA, for the same choice"),
    cl::value_desc("bytes"), cl::cat(optionCategory()));

static cl::opt<bool> Schedule(
    "regshare-schedule-code",
    cl::desc("Put native code in an order that hides latency (default on)"),
    cl::init(true), cl::cat(optionCategory()));

static cl::opt<unsigned> ScheduleCTAs(
    "regshare-schedule-ctas",
    cl::desc("CTAs on an SM that the order of native code leaves registers "
             "for (default: as many as with the order it had)"),
    cl::value_desc("n"), cl::cat(optionCategory()));

static cl::opt<bool> GiveControl(
    "regshare-control-code",
    cl::desc("Say in native code how long a warp waits after an instruction, "
             "and for which (default off)"),
    cl::init(false), cl::cat(optionCategory()));

static cl::opt<bool> GiveReuse(
    "regshare-reuse-bits",
    cl::desc("Say in native code which operands the register-file cache keeps "
             "(default on)"),
    cl::init(true), cl::cat(optionCategory()));

static cl::opt<std::string>
    Anchor("regshare-anchor",
           cl::desc("Machine pass to run after, instead of the one that the "
                    "placement table names for the optimisation level"),
           cl::value_desc("pass"), cl::Hidden, cl::cat(optionCategory()));

// Options exist from the moment the program, or the plugin, is loaded.
[[maybe_unused]] static auto &LoadedScheme = schemeOption();
[[maybe_unused]] static auto &LoadedDevice = deviceOption();
[[maybe_unused]] static auto &LoadedCode = codeOption();

CodeForm chosenCode(const CompilerOptions &Options) {
  if (Options.Code)
    return *Options.Code;
  if (!Options.Device.empty())
    if (Result<DeviceDescription> Device = loadDevice(Options.Device))
      return Device->Code;
  return CodeForm::PTX;
}

CompilerOptions compilerOptions() {
  CompilerOptions Options;
  Options.Scheme = schemeOption();
  Options.Device = deviceOption();
  if (codeOption().getNumOccurrences())
    Options.Code = codeOption();
  Options.MaxRegs = MaxRegs;
  Options.SharedSpilling = SharedSpilling;
  Options.Rematerialize = Rematerialize;
  Options.ThreadsPerCTA = ThreadsPerCTA;
  Options.DynamicSharedBytes = DynamicSharedBytes;
  Options.Schedule = Schedule;
  Options.ScheduleCTAs = ScheduleCTAs;
  Options.Control = GiveControl;
  Options.Reuse = GiveReuse;
  Options.Settings = givenSettings();
  Options.Anchor = Anchor;
  return Options;
}

} // namespace regshare
