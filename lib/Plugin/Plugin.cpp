//===- Plugin.cpp - RegShare in stock clang and llc -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// libRegSharePlugin.so, for `clang++-22 -fpass-plugin=` and
/// `llc-22 -load-pass-plugin=`. Loading it is enough: without options the code
/// is analysed and left as it is.
///
//===----------------------------------------------------------------------===//

#include "regshare/Base/Device.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/SchemeLoader.h"
#include "regshare/Base/Variables.h"
#include "regshare/Base/Version.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Frontend/NativeFrontEnd.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Target/TargetMachine.h"

#include <utility>

using namespace llvm;

/// What came of REGSHARE_LOAD.
static regshare::Result<void> SchemesLoaded;

/// Fails on names that mean nothing, before any function is looked at.
static Error checkNames(const regshare::CompilerOptions &Options) {
  if (!SchemesLoaded)
    return createStringError(SchemesLoaded.error().str());
  if (!Options.Scheme.empty()) {
    auto Scheme = regshare::parseScheme(Options.Scheme);
    if (!Scheme)
      return createStringError(Scheme.error().str());
    if (auto Ok = regshare::checkCompilerOf(*Scheme); !Ok)
      return createStringError(Ok.error().str());
  }
  if (!Options.Device.empty())
    if (auto Device = regshare::loadDevice(Options.Device); !Device)
      return createStringError(Device.error().str());
  return Error::success();
}

/// A compiler may generate code for several modules; once is enough.
static void warnOfVariables() {
  static bool IsTold = false;
  if (std::exchange(IsTold, true))
    return;
  for (const std::string &Doubt : regshare::doubtsAboutVariables())
    errs() << "regshare: warning: " << Doubt << "\n";
}

/// A scheme speaks of whole kernels: their device functions become part of
/// them. Without one the code stays as it is.
static Error prepare(Module &M, TargetMachine &TM) {
  const regshare::CompilerOptions Options = regshare::compilerOptions();
  if (Error E = checkNames(Options))
    return E;
  warnOfVariables();
  regshare::warnOfOtherSettings(Options, errs());
  if (Options.Scheme.empty())
    return Error::success();
  if (Error E =
          regshare::inlineDeviceFunctions(M, unsigned(TM.getOptLevel()), &TM))
    return E;
  if (regshare::chosenCode(Options) == regshare::CodeForm::Native)
    regshare::prepareNativeCode(M, TM);
  return Error::success();
}

/// After an error stock code generation goes on to the end, where clang and llc
/// see it and remove their output; our passes would only repeat it.
static bool beforeCodeGen(Module &M, TargetMachine &TM, CodeGenFileType,
                          raw_pwrite_stream &) {
  if (!TM.getTargetTriple().isNVPTX())
    return false;
  Error E = prepare(M, TM);
  regshare::withholdPasses(bool(E));
  if (E)
    M.getContext().emitError("regshare: " + toString(std::move(E)));
  return false;
}

extern "C" LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  SchemesLoaded = regshare::loadSchemesOfEnvironment();
  if (SchemesLoaded)
    SchemesLoaded = regshare::loadSchemeCompilers();
  if (SchemesLoaded)
    SchemesLoaded = regshare::addSettingOptions();
  regshare::placePassesInCodeGen();
  llvm::PassPluginLibraryInfo Info;
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "RegShare";
  Info.PluginVersion = REGSHARE_VERSION;
  Info.PreCodeGenCallback = beforeCodeGen;
  return Info;
}
