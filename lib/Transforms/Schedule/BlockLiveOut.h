//===- BlockLiveOut.h - What lives at the ends of blocks --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The virtual registers that are live where each block ends. Private to the
/// library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SCHEDULE_BLOCKLIVEOUT_H
#define REGSHARE_LIB_TRANSFORMS_SCHEDULE_BLOCKLIVEOUT_H

#include "Transforms/Assign/LiveValues.h"

namespace regshare {

class BlockLiveOut {
public:
  explicit BlockLiveOut(const LiveValues &Live);

  /// By the block's place in the layout.
  llvm::ArrayRef<llvm::Register> at(uint32_t Block) const {
    return Registers[Block];
  }

private:
  std::vector<std::vector<llvm::Register>> Registers;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SCHEDULE_BLOCKLIVEOUT_H
