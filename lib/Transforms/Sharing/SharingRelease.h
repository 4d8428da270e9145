//===- SharingRelease.h - Where what is shared is given back ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Early release, which the paper leaves open (resource sharing §VIII): the
/// places after which a warp needs nothing any more of what it shares, found
/// through warp liveness.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGRELEASE_H
#define REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGRELEASE_H

#include "regshare/Analysis/Analyses.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace regshare {

struct ReleaseCounts {
  unsigned Releases = 0;   ///< Statements.
  unsigned EdgeBlocks = 0; ///< Blocks made for them.
};

/// Writes \p Pragma into \p MF wherever a warp may have executed
/// what \p Needs something shared and no lane of it, parked ones included, will
/// again: after the last such instruction, or where paths without one begin.
/// Not where the warp does nothing any more but end.
ReleaseCounts
placeReleases(llvm::MachineFunction &MF, const Analyses &A,
              llvm::function_ref<bool(const llvm::MachineInstr &)> Needs,
              const std::string &Pragma);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGRELEASE_H
