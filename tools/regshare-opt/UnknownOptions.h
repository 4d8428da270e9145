//===- UnknownOptions.h - Options that regshare-opt lacks -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_OPT_UNKNOWNOPTIONS_H
#define REGSHARE_TOOLS_REGSHARE_OPT_UNKNOWNOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace regshare {

/// Fails on the first of \p Arguments, the words after the program's name, that
/// looks like an option and is none, with the nearest option. LLVM would read
/// --operand-maping as -o with the value 'perand-maping', and --Device=x as -D.
llvm::Error checkKnownOptions(llvm::ArrayRef<const char *> Arguments);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_OPT_UNKNOWNOPTIONS_H
