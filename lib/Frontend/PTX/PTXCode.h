//===- PTXCode.h - The blocks of a PTX function -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A PTX body cut into blocks of steps. A step is one instruction, or a call
/// with the loads and stores of its parameters.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_PTX_PTXCODE_H
#define REGSHARE_FRONTEND_PTX_PTXCODE_H

#include "PTXInput.h"

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace regshare {

struct PTXStep {
  unsigned Begin = 0, End = 0;             ///< Instructions.
  llvm::SmallVector<int, 4> Writes, Reads; ///< Registers, each once.
  bool IsGuarded = false; ///< What it writes may keep its old value.
  bool isCall() const { return End - Begin > 1; }
};

enum class PTXExit { Falls, Branches, Switches, Returns, Traps };

struct PTXBlock {
  std::vector<PTXStep> Steps; ///< Without the instruction that ends it.
  PTXExit Exit = PTXExit::Falls;
  int Last = -1;  ///< The instruction that ends it; -1 if it falls through.
  int Reads = -1; ///< The register that decides where it goes.
  llvm::SmallVector<unsigned, 2> Targets; ///< Blocks; not the next one.
  bool GoesOn = false;                    ///< To the next block.
  bool IsReachable = false;
};

/// The blocks of \p F. The last one is empty, and ends the kernel.
llvm::Expected<std::vector<PTXBlock>> blocksOf(const PTXInput &Input,
                                               const sim::ptx::Function &F);

/// For each register whether it may be read where something, but not on all
/// paths, has been written to it; and reads of what nothing has been written to
/// on any path, as (first instruction of the step, register).
struct PTXUnwritten {
  std::vector<bool> Sometimes;
  std::vector<std::pair<unsigned, int>> Never;
};
PTXUnwritten findUnwritten(const std::vector<PTXBlock> &Blocks,
                           size_t NumRegisters);

/// Whether %SPL is the beginning of the frame, and %SP its generic address,
/// wherever \p F sets them, as compilers do. \p Offsets: of local variables.
bool namesFrame(const sim::ptx::Function &F,
                const std::map<int, uint64_t> &Offsets);

/// Bytes from the register or symbol of \p Address: `[symbol+4]` has them with
/// the symbol, `[%rd1+4]` with the address.
inline int64_t ptxOffset(const sim::ptx::Operand &Address) {
  return Address.Value + Address.Elements[0].Value;
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_PTX_PTXCODE_H
