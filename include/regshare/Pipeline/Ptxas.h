//===- regshare/Pipeline/Ptxas.h - What ptxas makes of PTX ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs NVIDIA's assembler on PTX, for figures to stand beside ours: what it
/// says of registers and spills, and how large its code is. The code is
/// counted, not decoded.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_PTXAS_H
#define REGSHARE_PIPELINE_PTXAS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace regshare {

/// A kernel as ptxas compiles it.
struct PtxasKernel {
  unsigned Registers = 0;                   ///< Per thread.
  unsigned SpillStores = 0, SpillLoads = 0; ///< In bytes.
  /// Of a CTA; nothing where its PTX has no pragma by which spills add to them.
  std::optional<unsigned> SharedBytes;
  /// In its code: 16 bytes each since Volta, without what fills the section
  /// after the last one.
  unsigned Instructions = 0;
};

/// The ptxas to run: \p Given if it is not empty, else what REGSHARE_PTXAS
/// says, else the one on the path or in CUDA's folder. Empty if there is none,
/// or if it is "none".
std::string findPtxas(llvm::StringRef Given);

/// The kernels of \p PTX by name, compiled for \p Arch ("sm_75"). Fails with
/// the first thing that ptxas says if it refuses. \p MaxRegs is its bound on a
/// thread's registers, 0 for none. PTX with the pragma for shared spilling is
/// taken as of the first version that has it, if it is of an older one.
llvm::Expected<llvm::StringMap<PtxasKernel>> runPtxas(llvm::StringRef Ptxas,
                                                      llvm::StringRef PTX,
                                                      llvm::StringRef Arch,
                                                      unsigned MaxRegs);

} // namespace regshare

#endif // REGSHARE_PIPELINE_PTXAS_H
