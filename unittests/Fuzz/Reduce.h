//===- Reduce.h - Small reproducers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_REDUCE_H
#define REGSHARE_UNITTESTS_FUZZ_REDUCE_H

#include "Check.h"

namespace regshare::fuzz {

/// Leaves out statements as long as the kernel still fails in the same way,
/// for about \p Seconds at most.
Kernel reduce(const Kernel &K, const Failure &F, CheckOptions Options,
              unsigned Seconds);

/// Writes what is needed to look into a failure to a folder of its own below
/// \p Folder: the CUDA source, the PTX, and what went wrong. The new folder's
/// path.
llvm::Expected<std::string> writeReproducer(const Kernel &K, const Failure &F,
                                            const CheckOptions &Options,
                                            llvm::StringRef Folder);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_REDUCE_H
