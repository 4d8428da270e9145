//===- MemorySystem.cpp - Interconnect, L2 and DRAM -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"

#include "DramChannel.h"
#include "Interconnect.h"
#include "L2Slice.h"
#include "Timing/Agenda.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

struct MemorySystem::Impl {
  Impl(const MemoryConfig &Config, unsigned NumSMs);

  MemoryConfig Config;
  AddressMap Map;
  Interconnect Net;
  MemoryStats Stats;
  PacketPool Packets;
  std::vector<L2Slice> Slices;
  std::vector<DramChannel> Channels;
  /// Units are the slices, then the channels: in this order they act within a
  /// cycle.
  Agenda Events;
  Cycle Now = 0;   ///< The first cycle that is not over.
  Cycle Until = 0; ///< Of the last call.
  std::vector<DramChannel::Delivery> Delivered;

  void inject(const MemoryRequest &R);
  void runUntil(Cycle End, std::vector<MemoryReply> &Replies);
  void arrive();
  void enterSlice(uint32_t Id);
  void append(Agenda::PacketList &List, uint32_t Id);
  void tick(unsigned Unit, std::vector<MemoryReply> &Replies);
  void tickSlice(unsigned Number, std::vector<MemoryReply> &Replies);
  void sendReply(unsigned Number, std::vector<MemoryReply> &Replies);
  void tickChannel(unsigned Number);
  void fillQueues(unsigned Number);

  unsigned channelUnit(unsigned Number) const {
    return Config.slices() + Number;
  }
  /// The last cycle of the DRAM's clock that has begun when \p When does.
  Cycle toDram(Cycle When) const {
    return When * Config.Dram.ClockMHz / Config.CoreMHz;
  }
  /// The first core cycle by which cycle \p When of the DRAM has begun.
  Cycle toCore(Cycle When) const {
    return (When * Config.CoreMHz + Config.Dram.ClockMHz - 1) /
           Config.Dram.ClockMHz;
  }
};

MemorySystem::Impl::Impl(const MemoryConfig &Config, unsigned NumSMs)
    : Config(Config), Map(Config), Net(this->Config, NumSMs),
      Events(Config.slices() + Config.Dram.Channels) {
  Slices.reserve(Config.slices());
  for (unsigned N = 0; N != Config.slices(); ++N)
    Slices.emplace_back(this->Config, Map, N, Packets, Stats);
  Channels.reserve(Config.Dram.Channels);
  for (unsigned N = 0; N != Config.Dram.Channels; ++N)
    Channels.emplace_back(Config.Dram, Stats);
}

void MemorySystem::Impl::inject(const MemoryRequest &R) {
  AddressMap::SliceLine Where = Map.slice(R.Address);
  uint32_t Id = Packets.take();
  Packet &P = Packets[Id];
  P.Line = Where.Line;
  P.Id = R.Id;
  P.SM = R.SM;
  P.Slice = uint16_t(Where.Slice);
  P.Bytes = R.Bytes;
  P.Op = R.Op;
  P.Sectors = R.Sectors;
  P.Partial = R.Partial;
  P.Halves = R.Halves;
  if (!P.Sectors) {
    unsigned First = R.Address % LineBytes, Last = First + R.Bytes - 1;
    assert(R.Bytes && Last < LineBytes && "a request is within a line");
    for (unsigned S = First / SectorBytes; S <= Last / SectorBytes; ++S)
      P.Sectors |= uint8_t(1u << S);
  }
  P.Waits = 0;
  unsigned Flits = Config.flits(P.bytesToSlice());
  P.When = Net.leaveSM(R.SM, R.When, P.Op, P.bytesToSlice());
  append(Events.packetsOf(P.When, Now), Id);
  ++Stats.Requests;
  Stats.FlitsToMemory += Flits;
  Stats.BytesToMemory += P.bytesToSlice();
}

void MemorySystem::Impl::append(Agenda::PacketList &List, uint32_t Id) {
  Packets[Id].Next = Agenda::NoPacket;
  if (List.First == Agenda::NoPacket)
    List.First = int32_t(Id);
  else
    Packets[uint32_t(List.Last)].Next = int32_t(Id);
  List.Last = int32_t(Id);
}

void MemorySystem::Impl::runUntil(Cycle End,
                                  std::vector<MemoryReply> &Replies) {
  while (true) {
    Cycle Next = Events.next(Now);
    if (Next >= End)
      break;
    Now = Next;
    arrive();
    for (unsigned W = 0; W != Events.words(); ++W)
      // A unit may wake one that comes after it in the same cycle.
      while (uint64_t Bits = Events.units(Now, W)) {
        unsigned Bit = unsigned(std::countr_zero(Bits));
        Events.units(Now, W) = Bits & (Bits - 1);
        tick(W * 64 + Bit, Replies);
      }
    Events.finish(Now);
    ++Now;
  }
  Now = std::max(Now, End);
}

/// Packets come to the ports of their slices.
void MemorySystem::Impl::arrive() {
  int32_t Next = Events.takePackets(Now).First;
  while (Next != Agenda::NoPacket) {
    uint32_t Id = uint32_t(Next);
    Next = Packets[Id].Next;
    if (Packets[Id].When == Now)
      enterSlice(Id);
    else
      append(Events.packetsOf(Packets[Id].When, Now), Id);
  }
}

void MemorySystem::Impl::enterSlice(uint32_t Id) {
  const Packet &P = Packets[Id];
  Cycle Done = Net.enterSlice(P.Slice, Now, P.Op, P.bytesToSlice());
  Slices[P.Slice].arrive(Id, Done);
  Events.wake(P.Slice, Done + Config.L2.RopDelay, Now);
}

void MemorySystem::Impl::tick(unsigned Unit,
                              std::vector<MemoryReply> &Replies) {
  if (Unit < Slices.size())
    tickSlice(Unit, Replies);
  else
    tickChannel(Unit - unsigned(Slices.size()));
}

void MemorySystem::Impl::tickSlice(unsigned Number,
                                   std::vector<MemoryReply> &Replies) {
  L2Slice &S = Slices[Number];
  bool HadMisses = !S.Misses.empty();
  S.tick(Now);
  if (!HadMisses && !S.Misses.empty())
    Events.wake(channelUnit(Map.channel(Number)),
                std::max(Now, S.Misses.front().When), Now);
  Cycle Free = Net.replyPortFree(Number);
  if (std::max(S.replyReady(), Free) <= Now) {
    sendReply(Number, Replies);
    Free = Net.replyPortFree(Number);
  }
  Cycle Next = S.nextTick(Now);
  if (Cycle Ready = S.replyReady(); Ready != Never)
    Next = std::min(Next, std::max(Ready, Free));
  if (Next != Never)
    Events.wake(Number, Next, Now);
}

void MemorySystem::Impl::sendReply(unsigned Number,
                                   std::vector<MemoryReply> &Replies) {
  uint32_t Id = Slices[Number].takeReply();
  const Packet &P = Packets[Id];
  unsigned Flits = Config.flits(P.bytesToSM());
  MemoryReply Reply;
  Reply.When = Net.reply(Number, P.SM, Now, P.bytesToSM());
  Reply.Id = P.Id;
  Reply.SM = P.SM;
  Replies.push_back(Reply);
  ++Stats.Replies;
  Stats.FlitsToSMs += Flits;
  Stats.BytesToSMs += P.bytesToSM();
  Packets.release(Id);
}

void MemorySystem::Impl::tickChannel(unsigned Number) {
  DramChannel &C = Channels[Number];
  Delivered.clear();
  C.issue(toDram(Now), Delivered);
  unsigned FirstSlice = Number * Config.L2.SlicesPerChannel;
  for (const DramChannel::Delivery &D : Delivered) {
    Cycle When = std::max(Now + 1, toCore(D.When));
    Slices[FirstSlice + D.Slice].deliver(D.Fetch, When);
    Events.wake(FirstSlice + D.Slice, When + Config.L2.FillLatency, Now);
  }
  fillQueues(Number);
  Cycle Next = Never;
  if (C.nextCommand() != Never)
    Next = toCore(C.nextCommand());
  for (unsigned N = 0; N != Config.L2.SlicesPerChannel; ++N) {
    const auto &Misses = Slices[FirstSlice + N].Misses;
    if (!Misses.empty() && C.canAccept(Misses.front().Access.IsWrite))
      Next = std::min(Next, Misses.front().When);
  }
  if (Next != Never)
    Events.wake(channelUnit(Number), std::max(Next, Now + 1), Now);
}

/// The oldest access of the channel's slices first.
void MemorySystem::Impl::fillQueues(unsigned Number) {
  DramChannel &C = Channels[Number];
  unsigned First = Number * Config.L2.SlicesPerChannel;
  while (true) {
    L2Slice *Oldest = nullptr;
    Cycle When = Now + 1;
    for (unsigned N = 0; N != Config.L2.SlicesPerChannel; ++N) {
      L2Slice &S = Slices[First + N];
      if (!S.Misses.empty() && S.Misses.front().When < When &&
          C.canAccept(S.Misses.front().Access.IsWrite)) {
        Oldest = &S;
        When = S.Misses.front().When;
      }
    }
    if (!Oldest)
      return;
    C.accept(Oldest->Misses.front().Access, toDram(Now) + 1);
    Oldest->Misses.pop();
    if (Oldest->isStalled())
      Events.wake(unsigned(Oldest - Slices.data()), Now + 1, Now);
  }
}

MemorySystem::MemorySystem(const MemoryConfig &Config, unsigned NumSMs)
    : I(std::make_unique<Impl>(Config, NumSMs)) {}
MemorySystem::~MemorySystem() = default;

Cycle MemorySystem::minimumRoundTrip(const MemoryConfig &Config) {
  // The decisions within the memory system are not counted: a reply's time
  // becomes known when it leaves the slice.
  return 2 * Cycle(Config.Icnt.Latency) + Config.flits(0);
}

void MemorySystem::advance(std::span<const MemoryRequest> Requests, Cycle Until,
                           std::vector<MemoryReply> &Replies) {
  // Nothing that leaves an SM later comes to a slice before this.
  Cycle Ahead = I->Config.Icnt.Latency;
  for (const MemoryRequest &R : Requests) {
    assert(R.When >= I->Until && R.When < Until && "not of this call");
    I->runUntil(R.When + Ahead, Replies);
    I->inject(R);
  }
  I->runUntil(Until + Ahead, Replies);
  I->Until = Until;
}

bool MemorySystem::isIdle() const {
  return I->Packets.empty() &&
         std::ranges::all_of(
             I->Slices, [](const L2Slice &S) { return S.Misses.empty(); }) &&
         std::ranges::all_of(I->Channels,
                             [](const DramChannel &C) { return C.isIdle(); });
}

const MemoryStats &MemorySystem::stats() const { return I->Stats; }

} // namespace regshare::sim
