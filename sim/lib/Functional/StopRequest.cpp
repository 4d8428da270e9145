//===- StopRequest.cpp - Ending launches early -*- C++ -*------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/StopRequest.h"

#include <atomic>

namespace regshare::sim {

static std::atomic<bool> Requested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may store it");

void requestStop() { Requested.store(true, std::memory_order_relaxed); }

void withdrawStopRequest() {
  Requested.store(false, std::memory_order_relaxed);
}

bool isStopRequested() { return Requested.load(std::memory_order_relaxed); }

} // namespace regshare::sim
