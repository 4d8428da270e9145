//===- LoadStoreUnit.cpp - Coalescer, shared memory and L1 ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadStoreUnit.h"

#include "ConstantCache.h"
#include "SharedBanks.h"
#include "Timing/Memory/L1Cache.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

namespace {
/// An access that waits for data, or whose transactions are being made.
struct Flight {
  uint32_t Token = 0;
  uint32_t Waits = 0;
  Cycle Ready = 0; ///< Of what needed no reply.
};
} // namespace

struct LoadStoreUnit::Impl {
  Impl(const MemoryConfig &Config, unsigned SM)
      : Config(Config), L1(this->Config, SM, Stats),
        Constants(this->Config.Constant) {}

  MemoryConfig Config;
  LoadStoreStats Stats;
  L1Cache L1;
  ConstantCache Constants;
  ScratchpadPort Scratchpad;
  RingQueue<MemoryAccess> Queue;
  RingQueue<MemoryReply> Replies;
  std::vector<Flight> Flights;
  std::vector<uint32_t> FreeFlights;

  /// Of the access at the head of the queue.
  bool Started = false;
  Cycle LastPass = 0; ///< If it goes by passes.
  Cycle LineFree = 0; ///< The data path of the L1 takes the next line.
  std::vector<Transaction> Transactions;
  std::vector<Transaction> Unsorted; ///< Of sortByTagBanks().
  size_t NextTransaction = 0;
  bool HasTagBanks = false;
  unsigned Passes = 1;     ///< Of the banks, from the next look-up on.
  unsigned LaterWords = 0; ///< Cycles that a lane's other words take.
  uint32_t HeadFlight = 0;

  MemoryStall Why = MemoryStall::None;
  Cycle LastTick = 0;

  static bool byPasses(Space Where) {
    return Where == Space::Shared || Where == Space::Const ||
           Where == Space::Param;
  }

  void stepHead(Cycle Now, std::vector<Completion> &Done);
  void startPasses(Cycle Now, std::vector<Completion> &Done);
  void occupy(Cycle Now, unsigned Cycles, unsigned Latency,
              std::vector<Completion> &Done);
  void startTransactions();
  void stepTransactions(Cycle Now, std::vector<Completion> &Done);
  unsigned tagBankOf(uint64_t Line) const;
  void sortByTagBanks();
  bool lookUp(Cycle Now);
  void finishHead();
  void landed(uint32_t Slot, Cycle Now, std::vector<Completion> &Done);
};

void LoadStoreUnit::Impl::stepHead(Cycle Now, std::vector<Completion> &Done) {
  Why = MemoryStall::None;
  if (Queue.empty())
    return;
  if (Started && byPasses(Queue.front().Where)) {
    if (Now >= LastPass)
      finishHead();
    else
      Why = MemoryStall::BankConflict;
    if (Now <= LastPass || Queue.empty())
      return;
  }
  if (byPasses(Queue.front().Where)) {
    startPasses(Now, Done);
    return;
  }
  if (!Started)
    startTransactions();
  stepTransactions(Now, Done);
}

void LoadStoreUnit::Impl::startPasses(Cycle Now,
                                      std::vector<Completion> &Done) {
  const MemoryAccess &Access = Queue.front();
  if (Access.Where != Space::Shared) {
    ConstantCache::Outcome O = Constants.access(Access);
    ++Stats.ConstantAccesses;
    Stats.ConstantPasses += O.Passes;
    occupy(Now, O.Passes * O.Cycles, O.Latency + (O.Passes - 1) * O.Cycles,
           Done);
    return;
  }
  const SharedConfig &S = Config.Shared;
  unsigned Passes = sharedPasses(Access, S.WholeWarp);
  unsigned Cycles = Passes * S.PassCycles;
  if (!Scratchpad.takeForAccess(Now, Cycles)) {
    Why = MemoryStall::BankConflict;
    LastPass = Now + 1;
    return;
  }
  ++Stats.SharedAccesses;
  Stats.SharedPasses += Passes;
  unsigned Further = S.PassLatency ? S.PassLatency : S.PassCycles;
  occupy(Now, Cycles, S.Latency + (Passes - 1) * Further, Done);
}

/// The access at the head has the banks for \p Cycles from \p Now on, and its
/// result after \p Latency.
void LoadStoreUnit::Impl::occupy(Cycle Now, unsigned Cycles, unsigned Latency,
                                 std::vector<Completion> &Done) {
  Done.push_back({Now + Latency, Queue.front().Token});
  Started = true;
  LastPass = Now + Cycles - 1;
  if (Cycles == 1)
    finishHead();
  else
    Why = MemoryStall::BankConflict;
}

void LoadStoreUnit::Impl::startTransactions() {
  const MemoryAccess &Access = Queue.front();
  coalesce(Access, Transactions);
  Stats.Transactions += Transactions.size();
  NextTransaction = 0;
  if (FreeFlights.empty()) {
    FreeFlights.push_back(uint32_t(Flights.size()));
    Flights.emplace_back();
  }
  HeadFlight = FreeFlights.back();
  FreeFlights.pop_back();
  // One wait for the transactions still to be made.
  Flights[HeadFlight] = {Access.Token, 1, 0};
  Started = true;
  Passes = 1;
  HasTagBanks = false;
  LaterWords = 0;
  if (Access.Op != MemoryOp::Load)
    return;
  LaterWords =
      Config.L1.WordLatency * ((std::max<unsigned>(Access.Bytes, 4) - 1) / 4);
  if (Config.L1.TagBanks && Access.More.empty()) {
    HasTagBanks = true;
    sortByTagBanks();
    Passes = sharedPasses(Access);
  }
}

/// The exclusive or of the digits of the line's number, whose base is the
/// number of banks (docs/validation.md, "Against an A100").
unsigned LoadStoreUnit::Impl::tagBankOf(uint64_t Line) const {
  unsigned Bank = 0, Bits = unsigned(std::countr_zero(Config.L1.TagBanks));
  for (; Line && Bits; Line >>= Bits)
    Bank ^= unsigned(Line) & (Config.L1.TagBanks - 1);
  return Bank;
}

/// First one line of each bank, then the next one of each.
void LoadStoreUnit::Impl::sortByTagBanks() {
  if (Transactions.size() <= 1)
    return;
  uint8_t Before[32] = {};
  Unsorted.assign(Transactions.begin(), Transactions.end());
  auto To = Transactions.begin();
  for (uint8_t Round = 0; To != Transactions.end(); ++Round) {
    std::ranges::fill(Before, uint8_t(0));
    for (const Transaction &T : Unsorted)
      if (Before[tagBankOf(T.Line)]++ == Round)
        *To++ = T;
  }
}

/// Looks up the lines whose turn it is. False if one has to wait.
bool LoadStoreUnit::Impl::lookUp(Cycle Now) {
  Flight &F = Flights[HeadFlight];
  uint32_t Banks = 0;
  for (; NextTransaction != Transactions.size(); ++NextTransaction) {
    uint64_t Line = Transactions[NextTransaction].Line;
    uint32_t Bank = HasTagBanks ? 1u << tagBankOf(Line) : 1;
    if (Banks & Bank)
      break;
    Banks |= Bank;
    L1Cache::Outcome O = L1.access(Queue.front(), Transactions[NextTransaction],
                                   HeadFlight, Now);
    Why = O.Stall;
    if (Why != MemoryStall::None)
      return false;
    F.Waits += O.Waits;
    F.Ready = std::max(F.Ready, O.Ready);
  }
  return true;
}

void LoadStoreUnit::Impl::stepTransactions(Cycle Now,
                                           std::vector<Completion> &Done) {
  if (Now < LineFree) {
    Why = MemoryStall::Transactions;
    return;
  }
  if (!lookUp(Now))
    return;
  if (!Transactions.empty())
    LineFree = Now + Config.L1.LineCycles;
  if (NextTransaction != Transactions.size()) {
    // The banks give the data of these meanwhile.
    Passes -= Passes > 1;
    Why = MemoryStall::Transactions;
    return;
  }
  unsigned Later = (Passes - 1) * Config.L1.LineCycles;
  LineFree += Later;
  Flights[HeadFlight].Ready += std::max(Later, LaterWords);
  finishHead();
  landed(HeadFlight, Now, Done);
}

void LoadStoreUnit::Impl::finishHead() {
  Queue.pop();
  Started = false;
}

void LoadStoreUnit::Impl::landed(uint32_t Slot, Cycle Now,
                                 std::vector<Completion> &Done) {
  Flight &F = Flights[Slot];
  if (--F.Waits)
    return;
  Done.push_back({std::max(F.Ready, Now), F.Token});
  FreeFlights.push_back(Slot);
}

LoadStoreUnit::LoadStoreUnit(const MemoryConfig &Config, unsigned SM)
    : I(std::make_unique<Impl>(Config, SM)) {}
LoadStoreUnit::~LoadStoreUnit() = default;

bool LoadStoreUnit::canAccept() const {
  return I->Queue.size() < I->Config.Lsu.Queue;
}

void LoadStoreUnit::accept(const MemoryAccess &Access, Cycle Now) {
  assert(canAccept() && "the queue is full");
  assert(Now >= I->LastTick && "accepted in the past");
  ++I->Stats.Accesses;
  I->Queue.push(Access);
}

void LoadStoreUnit::tick(Cycle Now, std::vector<Completion> &Done,
                         std::vector<MemoryRequest> &Requests) {
  I->Stats.StallCycles[size_t(I->Why)] += Now - I->LastTick;
  I->LastTick = Now;
  for (; !I->Replies.empty() && I->Replies.front().When <= Now;
       I->Replies.pop())
    I->L1.arrive(I->Replies.front().Id, [this, Now, &Done](uint32_t Slot) {
      I->landed(Slot, Now, Done);
    });
  I->stepHead(Now, Done);
  RingQueue<MemoryRequest> &Outgoing = I->L1.Outgoing;
  for (; !Outgoing.empty() && Outgoing.front().When <= Now; Outgoing.pop())
    Requests.push_back(Outgoing.front());
}

void LoadStoreUnit::receive(const MemoryReply &Reply) {
  assert(Reply.When > I->LastTick && "a reply for a cycle that is over");
  assert((I->Replies.empty() || I->Replies.back().When <= Reply.When) &&
         "replies come in the order of their arrival");
  I->Replies.push(Reply);
}

Cycle LoadStoreUnit::nextEvent(Cycle Now) const {
  Cycle Next = Never;
  if (!I->Replies.empty())
    Next = I->Replies.front().When;
  if (!I->L1.Outgoing.empty())
    Next = std::min(Next, I->L1.Outgoing.front().When);
  bool AwaitsReply = I->Why == MemoryStall::Mshr ||
                     I->Why == MemoryStall::Reservation ||
                     I->Why == MemoryStall::StoreCredits;
  if (!I->Queue.empty() && !AwaitsReply)
    Next = std::min(Next, I->Why == MemoryStall::BankConflict ? I->LastPass
                          : I->Why == MemoryStall::Transactions
                              ? std::max(Now + 1, I->LineFree)
                              : Now + 1);
  return Next == Never ? Never : std::max(Next, Now + 1);
}

MemoryStall LoadStoreUnit::stall() const { return I->Why; }

bool LoadStoreUnit::isIdle() const {
  return I->Queue.empty() && I->L1.Outgoing.empty() && !I->L1.awaitsReplies();
}

void LoadStoreUnit::invalidate() {
  assert(isIdle() && "accesses are under way");
  I->L1.invalidate();
  I->Constants.invalidate();
}

const LoadStoreStats &LoadStoreUnit::stats() const { return I->Stats; }

ScratchpadPort &LoadStoreUnit::scratchpad() { return I->Scratchpad; }

} // namespace regshare::sim
