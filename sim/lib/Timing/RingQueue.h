//===- RingQueue.h - First in, first out, no allocation ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A queue in a ring that doubles when it is full and never shrinks, so that
/// nothing is allocated in the steady state.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_RINGQUEUE_H
#define REGSHARE_SIM_TIMING_RINGQUEUE_H

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace regshare::sim {

template <typename T> class RingQueue {
public:
  bool empty() const { return Count == 0; }
  size_t size() const { return Count; }
  const T &front() const {
    assert(Count);
    return Items[Head];
  }
  T &front() {
    assert(Count);
    return Items[Head];
  }
  const T &back() const {
    assert(Count);
    return Items[(Head + Count - 1) & (Items.size() - 1)];
  }
  void push(const T &Item) {
    if (Count == Items.size())
      grow();
    Items[(Head + Count++) & (Items.size() - 1)] = Item;
  }
  void pop() {
    assert(Count);
    Head = (Head + 1) & (Items.size() - 1);
    --Count;
  }

private:
  void grow() {
    std::vector<T> Larger(Items.empty() ? 8 : Items.size() * 2);
    for (size_t N = 0; N != Count; ++N)
      Larger[N] = Items[(Head + N) & (Items.size() - 1)];
    Items = std::move(Larger);
    Head = 0;
  }

  std::vector<T> Items; ///< A power of two of them.
  size_t Head = 0, Count = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_RINGQUEUE_H
