//===- UnsetArguments.h - Arguments that only some lanes have -*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A lane may pass what it has not set, as in `int v; if (lane == 0) v =
/// atomicAdd(p, 1); v = fromFirst(v);`, which nvcc lets it. clang marks every
/// argument and result as set (`noundef`), and LLVM then leaves the condition
/// out: every lane adds. In the form of PTX a plug-in of clang takes the mark
/// from arguments and results that are not set on every way to them, and from
/// no others, so that the code of other programs is as it was. Native code has
/// no such marks at all; see NativeOptions.h.
///
/// Header only: regshare-clang++ has no front end linked in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_UNSETARGUMENTS_H
#define REGSHARE_FRONTEND_UNSETARGUMENTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace regshare {

/// Has clang load the plug-in, which is in the directory \p Libraries of a
/// build or an installation.
inline std::string unsetArgumentsOption(llvm::StringRef Libraries) {
  return ("-fpass-plugin=" + Libraries + "/libRegShareUnsetArguments.so").str();
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_UNSETARGUMENTS_H
