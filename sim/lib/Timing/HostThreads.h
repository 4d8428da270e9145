//===- HostThreads.h - Threads that simulate SMs ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_HOSTTHREADS_H
#define REGSHARE_SIM_TIMING_HOSTTHREADS_H

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace regshare::sim {

/// A team that does short pieces of work together, thousands of times a
/// second. The thread that calls run() is one of it.
class HostThreads {
public:
  explicit HostThreads(unsigned Count);
  ~HostThreads();

  unsigned size() const { return unsigned(Others.size()) + 1; }
  /// Calls \p F with each number below size(), at the same time; returns when
  /// all have.
  void run(const std::function<void(unsigned)> &F);

private:
  void serve(unsigned Number);

  std::vector<std::thread> Others;
  const std::function<void(unsigned)> *Work = nullptr;
  std::atomic<unsigned> Round{0}; ///< Changes when there is work.
  std::atomic<unsigned> Busy{0};
  std::atomic<bool> Stop{false};
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_HOSTTHREADS_H
