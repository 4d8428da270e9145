//===- regshare/Base/Sharing/SharingStatements.h - Its statements - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of register and scratchpad sharing says: which registers are a
/// warp's own, and where it is done with what it shares.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SHARING_SHARINGSTATEMENTS_H
#define REGSHARE_BASE_SHARING_SHARINGSTATEMENTS_H

#include "regshare/Base/Annotation.h"

namespace regshare {

/// Register sharing: R0 to R<Registers-1> are a warp's own.
struct PrivateRegisters {
  unsigned Registers = 0;

  friend bool operator==(const PrivateRegisters &,
                         const PrivateRegisters &) = default;
};

/// `.pragma "regshare.release";`: from here on the warp needs nothing of what
/// it shares with another one.
/// `.pragma "regshare.unlock";` where the code is of two schemes, of which the
/// other may have a release.
std::string printSharedReleasePragma(bool InComposition = false);
/// `.pragma "regshare.sharing private=3";`: the registers from R3 on are shared
/// with the warp that this one is paired with (resource sharing §III-A).
std::string printSharingPragma(unsigned PrivateRegs);

/// The registers of a `regshare.sharing`, which may be none.
Result<unsigned> parseSharing(const Statement &D);

} // namespace regshare

#endif // REGSHARE_BASE_SHARING_SHARINGSTATEMENTS_H
