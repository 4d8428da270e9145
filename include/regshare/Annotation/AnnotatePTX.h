//===- regshare/Annotation/AnnotatePTX.h - Write annotations into the code - -*-
// C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts the kernel descriptor and the map from PTX registers to architected
/// registers into a machine function, as `.pragma` statements that come out in
/// its PTX. The grammar is Base/Annotation.h's.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_ANNOTATEPTX_H
#define REGSHARE_ANNOTATION_ANNOTATEPTX_H

#include "regshare/CodeGen/RegisterAssignment.h"

#include <string>
#include <vector>

namespace regshare {

/// The names under which \p MF's virtual registers will appear in its PTX
/// (%r1, %rd2, …), by virtual register index; the asm printer counts them per
/// class in the order of their indices. Empty for a class it does not print.
std::vector<std::string> ptxRegisterNames(const llvm::MachineFunction &MF);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_ANNOTATEPTX_H
