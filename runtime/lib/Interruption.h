//===- Interruption.h - Programs that a signal ends -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SIGINT and SIGTERM end a program whose settings ask for files only after
/// these are written, with what has run so far. The launch under way stops and
/// is a part of it. Then the signal has its usual effect, so that a shell or a
/// job system sees what it expects; a second signal has it at once. Programs
/// with handlers of their own, and those that ignore a signal, keep them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_INTERRUPTION_H
#define REGSHARE_RUNTIME_INTERRUPTION_H

namespace regshare::cudart {

class Report;

/// From now on the signals are handled; \p Log is what they write. It lives as
/// long as the process. Where the host has no thread or pipe left, signals end
/// the program without files, and a warning says so.
void awaitInterruptions(Report &Log);

/// From now on the signals end the program at once. The caller holds apiLock().
void forgetInterruptions();

/// "SIGINT" or "SIGTERM" if one has come; null if none has.
const char *interruption();

/// Does not return if a signal has come: writes \p Log, ends the process. The
/// caller holds apiLock().
void endIfInterrupted(Report &Log);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_INTERRUPTION_H
