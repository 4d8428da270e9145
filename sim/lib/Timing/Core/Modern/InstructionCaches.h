//===- InstructionCaches.h - Where a modern SM's code comes from *- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The instruction caches of a modern SM (Huerta et al., MICRO 2025): each
/// sub-core has an L0, behind which a stream buffer asks for the lines that
/// follow; the SM has an L1, which asks the L2. All are fully associative and
/// give up the line that was used last the longest ago.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_INSTRUCTIONCACHES_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_INSTRUCTIONCACHES_H

#include "ModernConfig.h"
#include "Timing/Memory/MemoryPort.h"

#include <deque>
#include <vector>

namespace regshare::sim {

/// Lines by number, of which a cache keeps those used last.
class CodeLines {
public:
  /// Has \p Capacity of a program's \p Lines.
  CodeLines(unsigned Capacity, unsigned Lines)
      : Capacity(Capacity), All(Lines) {}

  bool has(uint32_t Line) const { return All[Line].IsIn; }
  /// When its instructions are there.
  Cycle readyAt(uint32_t Line) const { return All[Line].Ready; }
  void use(uint32_t Line) {
    remove(Line);
    append(Line);
  }
  /// One that it has not; what was used last the longest ago gives way.
  void insert(uint32_t Line, Cycle Ready);

private:
  static constexpr uint32_t None = ~uint32_t(0);
  struct Entry {
    Cycle Ready = 0;
    uint32_t Before = None, After = None; ///< By their last use.
    bool IsIn = false;
  };
  void append(uint32_t Line);
  void remove(uint32_t Line);

  unsigned Capacity, Count = 0;
  uint32_t Oldest = None, Newest = None;
  std::vector<Entry> All;
};

class InstructionCaches {
public:
  static constexpr unsigned LineBytes = 128;
  /// Of an instruction since Volta.
  static constexpr unsigned InstructionBytes = 16;

  /// \p Lines: of the program, numbered from 0 on.
  InstructionCaches(const FetchConfig &Config, unsigned SubCores,
                    uint32_t Lines);

  /// A warp of \p SubCore comes to \p Line: the cycle from which on it can
  /// issue what is there.
  Cycle fetch(unsigned SubCore, uint32_t Line, Cycle Now);

private:
  struct SubCore {
    CodeLines L0;
    /// What the stream buffer has or awaits: lines from FirstAhead on.
    std::deque<Cycle> Ahead;
    uint32_t FirstAhead = 0;
  };
  unsigned latencyOf(uint32_t Line);
  Cycle askL1(uint32_t Line, Cycle Now);

  FetchConfig Config;
  uint32_t Lines;
  CodeLines L1;
  std::vector<bool> WasAskedFor; ///< If the L2 is empty at first.
  std::vector<SubCore> Cores;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_INSTRUCTIONCACHES_H
