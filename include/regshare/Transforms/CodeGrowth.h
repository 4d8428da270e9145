//===- regshare/Transforms/CodeGrowth.h - What vectors add -  ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How much longer register bit-vectors make code, which name the registers to
/// fetch for what follows.
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

/// How such a vector is written in machine code (Sadrosadati et
/// al., ASPLOS 2018, §3.2).
enum class VectorEncoding {
  /// A bit in each instruction says that a vector follows.
  EmbeddedBit,
  /// An instruction of its own precedes the vector.
  Instruction,
};

/// A machine's code, as far as its size matters.
struct CodeFormat {
  unsigned InstructionBytes = 8;
  unsigned VectorBits = 256; ///< One for each register that code can name.
};
/// Of the device for which sm_<Target> code is made: 8-byte instructions up to
/// sm_6x, 16 bytes from sm_70 on; 64 registers on Fermi, 256 later (CUDA binary
/// utilities; CUDA programming guide, compute capabilities).
CodeFormat codeFormat(unsigned Target);

/// Bytes that \p Vectors add to the code.
uint64_t vectorBytes(VectorEncoding Encoding, unsigned Vectors,
                     const CodeFormat &Format);

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
