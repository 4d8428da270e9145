//===- FetchStage.cpp - One fetch a cycle into instruction buffers --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FetchStage.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace regshare::sim {

/// Where code lies for the L2: above all allocations, below local memory.
static constexpr uint64_t CodeBase = uint64_t(1) << 45;

static constexpr TimingField<FetchStageConfig> Fields[] = {
    {"core.icache.sets",
     "optional: sets of an SM's instruction cache, a power of two",
     &FetchStageConfig::Sets, 1, 1u << 12},
    {"core.icache.ways", "optional: its lines of 128 bytes in a set",
     &FetchStageConfig::Ways, 1, 256},
    {"core.icache.mshrs",
     "optional: its lines under way from the L2; 0: it has all lines",
     &FetchStageConfig::Mshrs, 0, 64},
    {"core.icache.merges", "optional: warps that wait for one of them",
     &FetchStageConfig::Merges, 1, 64},
    {"core.icache.buffer",
     "optional: instructions that a warp's buffer gets at a time",
     &FetchStageConfig::Buffer, 1, 16},
    {"core.icache.instruction_bytes", "optional: bytes of an instruction",
     &FetchStageConfig::InstructionBytes, 1, 16},
};
std::span<const TimingField<FetchStageConfig>> fetchStageFields() {
  return Fields;
}

bool CodeCache::touch(uint64_t Line) {
  CacheLine *Found = Tags.find(Line);
  if (Found)
    Tags.use(*Found);
  return Found;
}

void CodeCache::fill(uint64_t Line) {
  CacheLine *Victim = Tags.victim(Line);
  assert(Victim && "no line is ever pending");
  Tags.replace(*Victim, Line);
}

FetchStage::FetchStage(const FetchStageConfig &Config, CodeCache &Cache,
                       unsigned SM, unsigned Warps)
    : Config(Config), Cache(Cache), SM(SM), Warps(Warps), Under(Config.Mshrs) {
  assert(Warps <= 64 && "a mask has a bit for each warp");
}

bool FetchStage::wants(unsigned Warp, uint64_t Address, Cycle Now) {
  WarpState &W = Warps[Warp];
  if (!W.Knows) {
    W.Knows = true;
    W.First = Address;
  }
  if (W.Wanted != Address) {
    W.Wanted = Address;
    W.WantedSince = Now;
  }
  note(Warp);
  return W.Count && W.First == Address;
}

void FetchStage::take(unsigned Warp, unsigned Count) {
  WarpState &W = Warps[Warp];
  assert(W.Count && "nothing to issue");
  W.Count -= std::min(W.Count, Count);
  W.First += uint64_t(Count) * Config.InstructionBytes;
  W.Wanted = W.First; // Straight on, until it says otherwise.
  note(Warp);
}

/// A warp that is elsewhere is seen when it would issue, in the cycle after it
/// came there.
void FetchStage::flush(Cycle Now) {
  for (uint64_t Rest = Elsewhere; Rest; Rest &= Rest - 1) {
    unsigned Warp = unsigned(std::countr_zero(Rest));
    WarpState &W = Warps[Warp];
    if (W.WantedSince >= Now)
      continue;
    W.Count = 0;
    W.First = W.Wanted;
    note(Warp);
  }
}

int FetchStage::decode() {
  int Warp = Fetched;
  if (Warp >= 0) {
    Warps[size_t(Warp)].Count = Config.Buffer;
    note(unsigned(Warp));
  }
  Fetched = -1;
  return Warp;
}

/// The warp asks the cache. Whether its instructions are there.
bool FetchStage::look(unsigned Warp, Cycle Now,
                      std::vector<MemoryRequest> &Requests) {
  uint64_t Line = Warps[Warp].First / LineBytes;
  if (!Config.Mshrs || Cache.touch(Line))
    return true;
  auto Free = std::ranges::find_if(
      Under, [](const Miss &M) { return M.Waiting.empty(); });
  auto Same = std::ranges::find_if(Under, [Line](const Miss &M) {
    return !M.Waiting.empty() && M.Line == Line;
  });
  bool IsNew = Same == Under.end();
  if (IsNew ? Free == Under.end() : Same->Waiting.size() == Config.Merges)
    return false;
  Miss &M = IsNew ? *Free : *Same;
  M.Line = Line;
  M.Waiting.push_back(Warp);
  Warps[Warp].Awaits = true;
  note(Warp);
  ++Misses;
  if (!IsNew)
    return false;
  ++LinesUnderWay;
  Requests.push_back({Now, CodeBase + Line * LineBytes,
                      OwnReply | uint32_t(&M - Under.data()), uint16_t(SM),
                      LineBytes, MemoryOp::Load,
                      uint8_t((1u << SectorsPerLine) - 1)});
  return false;
}

/// A line that has come goes first; else the next warp whose buffer is empty
/// asks for its instructions, whether or not they are there.
void FetchStage::fetch(Cycle Now, std::vector<MemoryRequest> &Requests) {
  if (!Came.empty()) {
    Fetched = int(Came.front());
    Came.pop_front();
    Warps[size_t(Fetched)].Awaits = false;
    note(unsigned(Fetched));
    return;
  }
  if (!Asking)
    return;
  uint64_t After = Last == 63 ? 0 : Asking & (~uint64_t(0) << (Last + 1));
  Last = unsigned(std::countr_zero(After ? After : Asking));
  if (look(Last, Now, Requests))
    Fetched = int(Last);
}

int FetchStage::advance(Cycle Now, std::vector<MemoryRequest> &Requests) {
  for (; !Replies.empty() && Replies.front().When <= Now; Replies.pop()) {
    Miss &M = Under[Replies.front().Id & ~OwnReply];
    Cache.fill(M.Line);
    Came.insert(Came.end(), M.Waiting.begin(), M.Waiting.end());
    M.Waiting.clear();
    --LinesUnderWay;
  }
  flush(Now);
  int Filled = decode();
  fetch(Now, Requests);
  Cycle Reply = Replies.empty() ? Never : Replies.front().When;
  Next = Filled >= 0 || isAtWork() ? Now + 1 : Reply;
  return Filled;
}

void FetchStage::receive(const MemoryReply &Reply) {
  Replies.push(Reply);
  Next = std::min(Next, Reply.When);
}

} // namespace regshare::sim
