//===- regshare/Transforms/CodeGrowth.h - What vectors add -  ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How much longer register bit-vectors make code: LTRF's PREFETCHes and
/// EXPARS's PREFs.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_CODEGROWTH_H
#define REGSHARE_TRANSFORMS_CODEGROWTH_H

#include <cstdint>

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// A machine instruction of LLVM counts as one of the hardware's.
struct CodeGrowth {
  unsigned Instrs = 0;       ///< Machine instructions.
  double InstrsExecuted = 0; ///< For each entry, as LLVM expects them.
  /// Bytes of Instrs, and what vectors add to them in either encoding.
  uint64_t CodeBytes = 0, EmbeddedBytes = 0, ExplicitBytes = 0;
};

/// Of \p MF with \p Vectors bit-vectors.
CodeGrowth codeGrowth(const llvm::MachineFunction &MF,
                      const llvm::MachineBlockFrequencyInfo &MBFI,
                      unsigned Vectors);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_CODEGROWTH_H
