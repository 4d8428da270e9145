//===- NativeTrial.h - Who notices a wrong fold or order -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVETRIAL_H
#define REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVETRIAL_H

#include "Trial.h"

namespace regshare::mutation {

/// Makes native code of one random kernel and mutates its groups and their
/// order; MaxMutants of \p Options are spread evenly over the kinds of
/// mistakes.
llvm::Error tryNativeKernel(uint64_t Seed, const TrialOptions &Options,
                            Tally &T);

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVETRIAL_H
