//===- InstrPlace.h - Where a mistake is ------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The text of a mistake in native code and of the instruction that it is of.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_ANNOTATION_INSTRPLACE_H
#define REGSHARE_LIB_ANNOTATION_INSTRPLACE_H

#include <string>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace regshare {

/// "bb.1: <What>, at: <MI>"
std::string atInstr(const std::string &What, const llvm::MachineInstr &MI);

} // namespace regshare

#endif // REGSHARE_LIB_ANNOTATION_INSTRPLACE_H
