//===- Target.cpp - Which GPU to compile for -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/Target.h"

#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Frontend/InputError.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace regshare;

/// The PTX version that clang 22 writes with a current toolkit; a processor
/// that is newer brings a newer one itself.
static constexpr unsigned PreferredPTX = 88;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

void regshare::initializeTarget() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

static const Target &nvptx() {
  initializeTarget();
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(Triple(DefaultTriple), Error);
  assert(T && "the linked LLVM has no NVPTX target");
  return *T;
}

Error regshare::checkTriple(const Triple &TT) {
  if (TT.getArch() == Triple::nvptx64 &&
      (TT.getOS() == Triple::CUDA || TT.getOS() == Triple::UnknownOS))
    return Error::success();
  return inputError("unsupported target triple '" + TT.str() +
                    "': kernels are compiled for " + DefaultTriple);
}

/// The version N of the feature ptxN, or 0 for another feature.
static unsigned ptxVersion(StringRef Feature) {
  unsigned Version = 0;
  if (!Feature.consume_front("ptx") || Feature.getAsInteger(10, Version))
    return 0;
  return Version;
}

static Error checkCPU(const MCSubtargetInfo &STI, StringRef CPU) {
  if (STI.isCPUStringValid(CPU))
    return Error::success();
  std::string Known;
  for (const SubtargetSubTypeKV &P : STI.getAllProcessorDescriptions())
    if (StringRef(P.Key).starts_with("sm_"))
      Known += (Known.empty() ? "" : ", ") + std::string(P.Key);
  return inputError("unknown target processor '" + CPU + "'; known are " +
                    Known);
}

static Error checkFeature(const MCSubtargetInfo &STI, StringRef Feature) {
  if (!Feature.starts_with("+") && !Feature.starts_with("-"))
    return inputError("target feature '" + Feature +
                      "' starts with neither '+' nor '-'");
  StringRef Name = Feature.drop_front();
  if (Name.starts_with("sm_"))
    return inputError("the processor is not a feature: say -mcpu=" + Name);
  if (any_of(STI.getAllProcessorFeatures(),
             [&](const SubtargetFeatureKV &F) { return Name == F.Key; }))
    return Error::success();
  return inputError("unknown target feature '" + Name + "'");
}

/// The first PTX version that knows \p CPU, from the table "target processors"
/// in the release notes of the PTX ISA 9.0 manual. LLVM aborts below it.
static unsigned minimumPTX(StringRef CPU) {
  return StringSwitch<unsigned>(CPU)
      .Cases({"sm_32", "sm_50"}, 40)
      .Cases({"sm_37", "sm_52"}, 41)
      .Case("sm_53", 42)
      .Cases({"sm_60", "sm_61", "sm_62"}, 50)
      .Case("sm_70", 60)
      .Case("sm_72", 61)
      .Case("sm_75", 63)
      .Case("sm_80", 70)
      .Case("sm_86", 71)
      .Case("sm_87", 74)
      .Cases({"sm_89", "sm_90"}, 78)
      .Case("sm_90a", 80)
      .Cases({"sm_100", "sm_100a", "sm_101", "sm_101a"}, 86)
      .Cases({"sm_120", "sm_120a"}, 87)
      .Cases({"sm_100f", "sm_101f", "sm_103", "sm_103a", "sm_103f"}, 88)
      .Cases({"sm_120f", "sm_121", "sm_121a", "sm_121f"}, 88)
      .Cases({"sm_88", "sm_110", "sm_110a", "sm_110f"}, 90)
      .Default(32);
}

/// The highest that the features name, 0 if they name none.
static unsigned ptxVersionOf(StringRef Features) {
  unsigned Version = 0;
  SmallVector<StringRef, 8> List;
  Features.split(List, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Feature : List)
    if (Feature.starts_with("+"))
      Version = std::max(Version, ptxVersion(Feature.drop_front()));
  return Version;
}

unsigned regshare::ptxVersion(const TargetMachine &TM) {
  unsigned Named = ptxVersionOf(TM.getTargetFeatureString());
  return Named ? Named : minimumPTX(TM.getTargetCPU());
}

Expected<TargetChoice> regshare::chooseTarget(StringRef CPU,
                                              StringRef Features) {
  TargetChoice Choice{CPU.empty() ? DefaultCPU : CPU.str(), Features.str()};
  Triple TT(DefaultTriple);
  std::unique_ptr<MCSubtargetInfo> Default(
      nvptx().createMCSubtargetInfo(TT, DefaultCPU, ""));
  if (Error E = checkCPU(*Default, Choice.CPU))
    return std::move(E);

  SmallVector<StringRef, 8> List;
  Features.split(List, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Feature : List)
    if (Error E = checkFeature(*Default, Feature))
      return std::move(E);
  unsigned Version = ptxVersionOf(Features);

  unsigned Minimum = minimumPTX(Choice.CPU);
  if (Version == 0) {
    Version = std::max(Minimum, PreferredPTX);
    Choice.Features +=
        (Choice.Features.empty() ? "+ptx" : ",+ptx") + std::to_string(Version);
  }
  if (Version < Minimum)
    return inputError("PTX " + Twine(Version / 10) + "." + Twine(Version % 10) +
                      " does not know the processor " + Choice.CPU +
                      ", which needs +ptx" + Twine(Minimum) + " at least");
  return Choice;
}

static StringRef attribute(const Function &F, StringRef Name) {
  return F.getFnAttribute(Name).getValueAsString();
}

/// The features a module gives, without the one that repeats the processor.
static std::string withoutProcessor(StringRef Features) {
  SmallVector<StringRef, 8> List;
  Features.split(List, ',', -1, /*KeepEmpty=*/false);
  erase_if(List, [](StringRef F) { return F.drop_front().starts_with("sm_"); });
  return join(List, ",");
}

Expected<TargetChoice> regshare::chooseTarget(const Module &M, StringRef CPU,
                                              StringRef Features) {
  if (!CPU.empty())
    return chooseTarget(CPU, Features);

  const Function *First = nullptr;
  for (const Function &F : M) {
    if (!isKernel(F) || attribute(F, "target-cpu").empty())
      continue;
    if (!First)
      First = &F;
    for (StringRef Name : {"target-cpu", "target-features"})
      if (attribute(F, Name) != attribute(*First, Name))
        return inputError({M.getModuleIdentifier(), 0, 0},
                          "kernels disagree about the target: '" +
                              First->getName() + "' says " + Name + " \"" +
                              attribute(*First, Name) + "\", '" + F.getName() +
                              "' says \"" + attribute(F, Name) +
                              "\"; name one with -mcpu");
  }
  if (!First)
    return chooseTarget(CPU, Features);

  std::string All = withoutProcessor(attribute(*First, "target-features"));
  if (!Features.empty())
    All += (All.empty() ? "" : ",") + Features.str();
  return chooseTarget(attribute(*First, "target-cpu"), All);
}

/// LLVM's own option, which a target machine reads when it is made; there is no
/// other way to say it.
static cl::opt<bool> &shortPointersOption() {
  cl::Option *Found = cl::getRegisteredOptions().lookup("nvptx-short-ptr");
  assert(Found && "the linked LLVM has no NVPTX target");
  return *static_cast<cl::opt<bool> *>(Found);
}

std::unique_ptr<TargetMachine>
regshare::createTargetMachine(const TargetChoice &Choice, unsigned OptLevel,
                              CodeGenChoice CodeGen) {
  cl::opt<bool> &ShortPointers = shortPointersOption();
  SaveAndRestore<bool> Restore(ShortPointers.getValue(), CodeGen.ShortPointers);
  TargetOptions Options;
  Options.AllowFPOpFusion =
      CodeGen.ContractAll ? FPOpFusion::Fast : FPOpFusion::Standard;
  Options.MCOptions.AsmVerbose = true;
  Options.MCOptions.PreserveAsmComments = true;
  auto Level = CodeGenOpt::getLevel(OptLevel);
  assert(Level && "optimisation levels are 0 to 3");
  return std::unique_ptr<TargetMachine>(nvptx().createTargetMachine(
      Triple(DefaultTriple), Choice.CPU, Choice.Features, Options, Reloc::PIC_,
      std::nullopt, *Level));
}

void regshare::setTargetAttributes(Module &M, const TargetChoice &Choice) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.addFnAttr("target-cpu", Choice.CPU);
    F.addFnAttr("target-features", Choice.Features + ",+" + Choice.CPU);
  }
}
