//===- regshare/Pipeline/Placement.h - Where our passes run --- -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Places RegShare's machine passes in NVPTX's code generation. All that
/// depends on LLVM's pipeline stands here and in Placement.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_PLACEMENT_H
#define REGSHARE_PIPELINE_PLACEMENT_H

#include "regshare/Base/CodeForm.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace regshare {

/// The passes that apply the scheme called \p Name, in order: native code is
/// folded, each value gets a register, the scheme does its part, and the
/// annotations are written. All doors take them from here.
std::vector<std::string> schemePasses(llvm::StringRef Name,
                                      CodeForm Code = CodeForm::PTX);

/// Registers RegShare's passes with LLVM's pass registry, by name.
void initializeRegSharePasses();

/// From now on every code generation for NVPTX in this process runs RegShare's
/// passes under the options of the command line. Code generation for other
/// targets, as the host half of a CUDA compilation, is left alone. An anchor
/// pass that does not run makes the compilation fail with an error that names
/// it.
void placePassesInCodeGen();

/// Whether code generations that start from now on go without RegShare's
/// passes all the same.
void withholdPasses(bool Withhold);

} // namespace regshare

#endif // REGSHARE_PIPELINE_PLACEMENT_H
