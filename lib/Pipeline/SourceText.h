//===- SourceText.h - Lines and expressions of source files -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_PIPELINE_SOURCETEXT_H
#define REGSHARE_LIB_PIPELINE_SOURCETEXT_H

#include "regshare/Pipeline/PeakValues.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace regshare {

/// The source files that debug information names, as far as they are there.
class SourceText {
public:
  /// Without what ends the line; empty if there is no such line.
  llvm::StringRef line(llvm::StringRef File, unsigned Line);

private:
  llvm::StringMap<llvm::SmallVector<llvm::StringRef, 0>> Files;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Buffers;
};

/// The place of \p MI in the kernel's own file, if what it was inlined from
/// stands elsewhere (CUDA's headers).
SourcePlace placeOf(const llvm::MachineInstr &MI);

/// The expression of a line that debug information means by a column, counted
/// from 1: a name with what it is applied to, or an operator with its operands.
/// Empty if there is none: where a statement begins, for one.
std::string expressionAt(llvm::StringRef Line, unsigned Column);

} // namespace regshare

#endif // REGSHARE_LIB_PIPELINE_SOURCETEXT_H
