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

#include "regshare/CodeGen/Placement.h"

#include "llvm/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  regshare::placePassesInCodeGen();
  llvm::PassPluginLibraryInfo Info;
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "RegShare";
  Info.PluginVersion = REGSHARE_VERSION;
  return Info;
}
