//===- HeldSources.h - Registers that memory has yet to read ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A load or store reads its registers some cycles after it has been issued,
/// and what writes one of them before waits for it. Where registers cost
/// nothing, others are written. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_HELDSOURCES_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_HELDSOURCES_H

#include "LiveValues.h"

namespace regshare {

/// Lengthens the stretches of values beyond their last readers to where each of
/// their readers in that block, first or last, has read them, as many
/// instructions are issued later as it takes cycles (\p Eighths of these, of an
/// access to memory), and to the end of the block at most. The values of one
/// register stay apart.
void holdSources(LiveValues &Live, unsigned Eighths);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_HELDSOURCES_H
