//===- SyntheticKernel.h - Kernels of any size --------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes kernels of a wanted size for measurements: loops, divergent and
/// uniform branches, loads, stores, integer and float arithmetic, with about
/// the register pressure of a compute kernel whatever the size.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BENCHMARKS_SYNTHETICKERNEL_H
#define REGSHARE_BENCHMARKS_SYNTHETICKERNEL_H

#include <cstdint>
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace regshare {

/// A module with one kernel of about \p Instructions IR instructions.
/// Deterministic in \p Seed.
std::unique_ptr<llvm::Module> makeSyntheticKernel(llvm::LLVMContext &Context,
                                                  unsigned Instructions,
                                                  uint64_t Seed);

} // namespace regshare

#endif // REGSHARE_BENCHMARKS_SYNTHETICKERNEL_H
