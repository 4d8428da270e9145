//===- HostThreads.cpp - Threads that simulate SMs ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostThreads.h"

#include <cfenv>

namespace regshare::sim {

/// Polls this often before it sleeps: about the length of a quantum.
static constexpr unsigned Polls = 20000;

template <typename T> static void waitWhile(std::atomic<T> &Value, T Old) {
  for (unsigned N = 0; N != Polls; ++N)
    if (Value.load(std::memory_order_acquire) != Old)
      return;
  Value.wait(Old, std::memory_order_acquire);
}

HostThreads::HostThreads(unsigned Count) {
  for (unsigned N = 1; N < Count; ++N)
    Others.emplace_back([this, N] { serve(N); });
}

HostThreads::~HostThreads() {
  Stop = true;
  ++Round;
  Round.notify_all();
  for (std::thread &T : Others)
    T.join();
}

void HostThreads::serve(unsigned Number) {
  // The functional core relies on the default rounding.
  std::fesetenv(FE_DFL_ENV);
  for (unsigned Seen = 0;;) {
    waitWhile(Round, Seen);
    Seen = Round.load(std::memory_order_acquire);
    if (Stop)
      return;
    (*Work)(Number);
    if (Busy.fetch_sub(1, std::memory_order_acq_rel) == 1)
      Busy.notify_one();
  }
}

void HostThreads::run(const std::function<void(unsigned)> &F) {
  if (Others.empty())
    return F(0);
  Work = &F;
  Busy.store(unsigned(Others.size()), std::memory_order_relaxed);
  Round.fetch_add(1, std::memory_order_release);
  Round.notify_all();
  F(0);
  while (unsigned Left = Busy.load(std::memory_order_acquire))
    waitWhile(Busy, Left);
}

} // namespace regshare::sim
