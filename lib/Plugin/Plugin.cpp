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

#include "regshare/CodeGen/Options.h"
#include "regshare/CodeGen/Placement.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// A scheme speaks of whole kernels: their device functions become part of
/// them. Without one the code stays as it is.
static bool inlineBeforeCodeGen(Module &M, TargetMachine &TM, CodeGenFileType,
                                raw_pwrite_stream &) {
  if (!TM.getTargetTriple().isNVPTX() ||
      regshare::compilerOptions().Scheme.empty())
    return false;
  if (Error E =
          regshare::inlineDeviceFunctions(M, unsigned(TM.getOptLevel()), &TM))
    M.getContext().emitError("regshare: " + toString(std::move(E)));
  return false;
}

extern "C" LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  regshare::placePassesInCodeGen();
  llvm::PassPluginLibraryInfo Info;
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "RegShare";
  Info.PluginVersion = REGSHARE_VERSION;
  Info.PreCodeGenCallback = inlineBeforeCodeGen;
  return Info;
}
