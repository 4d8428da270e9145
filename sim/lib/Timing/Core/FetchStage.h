//===- FetchStage.h - One fetch a cycle into instruction buffers *- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The front end of an SM as GPGPU-Sim 4.2 has it (shader.cc, fetch and
/// decode): every warp has a buffer of some instructions. In each cycle one
/// warp whose buffer is empty asks the instruction cache, in turns; what it
/// gets is in the buffer at the end of the next cycle. A miss goes to the L2
/// with the SM's other requests. A warp that goes elsewhere than straight on
/// loses its buffer.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_FETCHSTAGE_H
#define REGSHARE_SIM_TIMING_CORE_FETCHSTAGE_H

#include "Config/ConfigTable.h"
#include "Timing/Memory/MemoryPort.h"
#include "Timing/Memory/TagArray.h"
#include "Timing/RingQueue.h"

#include <deque>
#include <span>
#include <vector>

namespace regshare::sim {

/// A device that says nothing of it has all code at hand.
struct FetchStageConfig {
  unsigned Sets = 0, Ways = 0; ///< Of the instruction cache.
  unsigned Mshrs = 0;          ///< Lines under way.
  unsigned Merges = 0;         ///< Warps that wait for one.
  unsigned Buffer = 0;         ///< Instructions of a fetch.
  unsigned InstructionBytes = 0;
};
std::span<const TimingField<FetchStageConfig>> fetchStageFields();

/// The instruction cache of an SM, whose lines stay from launch to launch.
class CodeCache {
public:
  explicit CodeCache(const FetchStageConfig &Config)
      : Tags(Config.Sets, Config.Ways, SetIndex::Linear) {}

  /// Whether it has the line, which counts as used.
  bool touch(uint64_t Line);
  void fill(uint64_t Line);

private:
  TagArray Tags;
};

class FetchStage {
public:
  /// Replies with this bit in their names are the stage's; the L1 has the
  /// highest one.
  static constexpr uint32_t OwnReply = 1u << 30;

  FetchStage(const FetchStageConfig &Config, CodeCache &Cache, unsigned SM,
             unsigned Warps);

  void arrive(unsigned Warp) {
    Warps[Warp] = {.Alive = true};
    note(Warp);
  }
  void leave(unsigned Warp) {
    Warps[Warp].Alive = false;
    note(Warp);
  }
  /// The warp is to issue what is at \p Address next; whether it has that.
  bool wants(unsigned Warp, uint64_t Address, Cycle Now);
  /// It has issued that, which counts for \p Count instructions.
  void take(unsigned Warp, unsigned Count);

  /// The last of a cycle. Appends requests; returns the warp whose buffer has
  /// been filled, or -1.
  int tick(Cycle Now, std::vector<MemoryRequest> &Requests) {
    Cycle Reply = Replies.empty() ? Never : Replies.front().When;
    if (Reply > Now && !isAtWork()) {
      Next = Reply;
      return -1;
    }
    return advance(Now, Requests);
  }
  /// A reply with OwnReply; in the order of When.
  void receive(const MemoryReply &Reply);
  /// The next cycle whose tick changes anything.
  Cycle nextEvent() const { return Next; }
  bool isIdle() const { return !LinesUnderWay; }
  uint64_t misses() const { return Misses; }

private:
  struct WarpState {
    uint64_t First = 0; ///< Of the buffer, or where it is filled from.
    uint64_t Wanted = 0;
    Cycle WantedSince = 0;
    unsigned Count = 0; ///< Instructions in the buffer.
    bool Alive = false;
    bool Knows = false;  ///< Where to begin.
    bool Awaits = false; ///< A line.

    bool asks() const { return Alive && Knows && !Awaits && !Count; }
    bool isElsewhere() const { return Alive && Count && Wanted != First; }
  };
  struct Miss {
    uint64_t Line = 0;
    std::vector<unsigned> Waiting; ///< Warps; none: the entry is free.
  };
  /// Whether the next tick does something even if no line comes.
  bool isAtWork() const {
    return Fetched >= 0 || !Came.empty() || Asking || Elsewhere;
  }
  /// Keeps the masks up to date, after each change of the warp's state.
  void note(unsigned Warp) {
    const WarpState &W = Warps[Warp];
    uint64_t Bit = uint64_t(1) << Warp;
    Asking = (Asking & ~Bit) | (W.asks() ? Bit : 0);
    Elsewhere = (Elsewhere & ~Bit) | (W.isElsewhere() ? Bit : 0);
  }
  int advance(Cycle Now, std::vector<MemoryRequest> &Requests);
  void flush(Cycle Now);
  int decode();
  void fetch(Cycle Now, std::vector<MemoryRequest> &Requests);
  bool look(unsigned Warp, Cycle Now, std::vector<MemoryRequest> &Requests);

  FetchStageConfig Config;
  CodeCache &Cache;
  unsigned SM;
  std::vector<WarpState> Warps;
  uint64_t Asking = 0;    ///< Masks of warps whose asks() holds,
  uint64_t Elsewhere = 0; ///< and isElsewhere().
  std::vector<Miss> Under;
  std::deque<unsigned> Came; ///< Warps whose line has come.
  RingQueue<MemoryReply> Replies;
  int Fetched = -1;  ///< The warp whose instructions are to be decoded.
  unsigned Last = 0; ///< That fetched last.
  unsigned LinesUnderWay = 0;
  uint64_t Misses = 0;
  Cycle Next = Never;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_FETCHSTAGE_H
