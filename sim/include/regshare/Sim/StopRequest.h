//===- StopRequest.h - Ending launches early -*- C++ -*--------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A user who ends a long run still wants what it has found until then. A stop
/// request holds for every launch of the process, until it is withdrawn: the
/// launch returns within about a million warp instructions or, timed, within a
/// quantum of cycles. Its statistics are of what has run; LaunchStats::IsWhole
/// tells them from those of a whole launch.
///
/// Memory is as the instructions so far have left it. A Machine whose launch
/// was stopped has accesses under way and can run no other.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_STOPREQUEST_H
#define REGSHARE_SIM_STOPREQUEST_H

namespace regshare::sim {

/// Can be called in a signal handler and in any thread.
void requestStop();
/// Launches run to their ends again.
void withdrawStopRequest();
/// Whether launches are to end early.
bool isStopRequested();

} // namespace regshare::sim

#endif // REGSHARE_SIM_STOPREQUEST_H
