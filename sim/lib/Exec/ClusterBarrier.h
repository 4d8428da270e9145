//===- ClusterBarrier.h - The barrier of a cluster --------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// barrier.cluster among the instructions of kind InstKind::Barrier. Every CTA
/// is a cluster of its own, so its barrier is one more of the CTA, at which
/// arriving (BarrierOp::Arrive) and waiting (BarrierOp::Sync) are two
/// instructions.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_CLUSTERBARRIER_H
#define REGSHARE_SIM_EXEC_CLUSTERBARRIER_H

#include "regshare/Sim/Program.h"

namespace regshare::sim {

/// Its number, after those that code can name.
constexpr unsigned ClusterBarrier = 16;

/// Inst::Round of such instructions; that of other barriers is 0.
constexpr uint8_t RoundOfCluster = 1;

} // namespace regshare::sim

#endif // REGSHARE_SIM_EXEC_CLUSTERBARRIER_H
