//===- DramChannel.cpp - A channel's scheduler and banks ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DramChannel.h"

#include <bit>
#include <cassert>

namespace regshare::sim {

DramChannel::DramChannel(const DramConfig &Config, MemoryStats &Stats)
    : Config(Config), Stats(Stats), Entries(Config.Queue + Config.WriteQueue),
      Banks(Config.Banks), Queues(Config.Banks),
      GroupColumn(Config.BankGroups) {
  if (Config.RefreshInterval)
    NextRefresh = Config.RefreshInterval;
  ClosedBanks = ~uint64_t(0) >> (64 - Config.Banks);
  for (int32_t Id = int32_t(Entries.size()); Id-- != 0;) {
    Entries[Id].After = FirstFree;
    FirstFree = Id;
  }
}

void DramChannel::append(List &To, int32_t Id) {
  Entries[Id].Before = To.Last;
  Entries[Id].After = None;
  (To.Last == None ? To.First : Entries[To.Last].After) = Id;
  To.Last = Id;
}

void DramChannel::remove(List &From, int32_t Id) {
  Entry &E = Entries[Id];
  (E.Before == None ? From.First : Entries[E.Before].After) = E.After;
  (E.After == None ? From.Last : Entries[E.After].Before) = E.Before;
}

bool DramChannel::isAged(int32_t Id, Cycle Now) const {
  return Now - Entries[Id].Arrival > Config.AgeLimit;
}

void DramChannel::accept(const DramAccess &Access, Cycle Now) {
  assert(canAccept(Access.IsWrite) && Access.Bank < Banks.size());
  while (Now >= NextRefresh)
    refresh();
  int32_t Id = FirstFree;
  FirstFree = Entries[Id].After;
  Entries[Id].Access = Access;
  Entries[Id].Arrival = Now;
  Entries[Id].Order = Accepted++;
  Bank &B = Banks[Access.Bank];
  append(Queues[Access.Bank].Of[Access.IsWrite], Id);
  if (Access.IsWrite && NumWrites++ == 0)
    OldestWrite = Now;
  NumReads += !Access.IsWrite;
  if (turn(Now) || Access.IsWrite != Writing)
    return;
  // A hit goes before an entry whose row is not open yet.
  bool Overtakes = B.Chosen != None && B.OpenRow == Access.Row &&
                   B.Row != B.OpenRow && !isAged(B.Chosen, Now);
  if (B.Chosen == None || Overtakes) {
    choose(B, Id);
    place(Access.Bank, Now);
  }
}

/// The oldest entry for the open row; the oldest of all if there is none, or if
/// it has waited too long.
int32_t DramChannel::best(unsigned Number, Cycle Now) const {
  int32_t Oldest = Queues[Number].Of[Writing].First;
  if (Oldest == None || isAged(Oldest, Now))
    return Oldest;
  for (int32_t Id = Oldest; Id != None; Id = Entries[Id].After)
    if (Entries[Id].Access.Row == Banks[Number].OpenRow)
      return Id;
  return Oldest;
}

void DramChannel::choose(Bank &B, int32_t Id) {
  B.Chosen = Id;
  if (Id == None)
    return;
  B.Row = Entries[Id].Access.Row;
  B.Order = Entries[Id].Order;
}

/// The state of the bank, or what is chosen, has changed.
void DramChannel::place(unsigned Number, Cycle From) {
  const Bank &B = Banks[Number];
  uint64_t Bit = uint64_t(1) << Number;
  ColumnBanks &= ~Bit;
  RowBanks &= ~Bit;
  if (B.Chosen != None)
    (B.Row == B.OpenRow ? ColumnBanks : RowBanks) |= Bit;
  if (NextColumnCommand.Bank == int32_t(Number))
    planColumn(From);
  else if (ColumnBanks & Bit)
    NextColumnCommand.improve(std::max(From, columnReady(B)), B.Order,
                              int32_t(Number));
  if (NextRowCommand.Bank == int32_t(Number))
    planRow(From);
  else if (RowBanks & Bit)
    NextRowCommand.improve(std::max(From, rowReady(B)), B.Order,
                           int32_t(Number));
}

void DramChannel::planColumn(Cycle From) {
  NextColumnCommand = Command();
  for (uint64_t Left = ColumnBanks; Left; Left &= Left - 1) {
    int32_t Number = std::countr_zero(Left);
    const Bank &B = Banks[Number];
    NextColumnCommand.improve(std::max(From, columnReady(B)), B.Order, Number);
  }
}

void DramChannel::planRow(Cycle From) {
  NextRowCommand = Command();
  From = std::max(From, NextRow);
  improveRow(RowBanks & ~ClosedBanks, From);
  improveRow(RowBanks & ClosedBanks, std::max(From, NextActivate));
}

void DramChannel::improveRow(uint64_t Among, Cycle From) {
  for (; Among; Among &= Among - 1) {
    int32_t Number = std::countr_zero(Among);
    const Bank &B = Banks[Number];
    NextRowCommand.improve(std::max(From, B.NextRow), B.Order, Number);
  }
}

Cycle DramChannel::columnReady(const Bank &B) const {
  return std::max({B.Column, NextColumn, Writing ? NextWrite : NextRead,
                   GroupColumn[groupOf(unsigned(&B - Banks.data()))]});
}

Cycle DramChannel::rowReady(const Bank &B) const {
  Cycle Ready = std::max(B.NextRow, NextRow);
  return B.OpenRow == NoRow ? std::max(Ready, NextActivate) : Ready;
}

bool DramChannel::wantsWrites(Cycle Now) const {
  bool IsBound =
      Must != NoOrder || (Budget && (!Writing || NumWrites > Config.WriteLow));
  bool HaveGathered = NumWrites >= Config.WriteHigh;
  if (Config.Turns == WriteTurns::Gathered) {
    if (Writing)
      return NumWrites > Config.WriteLow && (IsBound || !NumReads);
    return HaveGathered && !(IsBound && NumReads);
  }
  if (!NumWrites || !NumReads)
    return NumWrites != 0;
  if (Writing)
    return IsBound;
  return !IsBound && (HaveGathered || Now - OldestWrite > Config.AgeLimit);
}

/// Decides between reads and writes. True if the direction has changed, and
/// everything with it. Called when an entry comes or goes, not when time
/// passes: so the result does not depend on how often the channel is looked at.
bool DramChannel::turn(Cycle Now) {
  bool Write = wantsWrites(Now);
  if (Write == Writing)
    return false;
  Writing = Write;
  beginTurn(Now);
  return true;
}

void DramChannel::beginTurn(Cycle Now) {
  ColumnBanks = RowBanks = 0;
  int32_t Oldest = None;
  for (unsigned N = 0; N != Banks.size(); ++N) {
    Bank &B = Banks[N];
    choose(B, best(N, Now));
    if (B.Chosen == None)
      continue;
    (B.Row == B.OpenRow ? ColumnBanks : RowBanks) |= uint64_t(1) << N;
    int32_t First = Queues[N].Of[Writing].First;
    if (Oldest == None || Entries[First].Order < Entries[Oldest].Order)
      Oldest = First;
  }
  Must =
      Oldest != None && isAged(Oldest, Now) ? Entries[Oldest].Order : NoOrder;
  // Writes that only fill a pause give way to the next read.
  bool FillPause = !NumReads && Config.Turns == WriteTurns::Idle;
  Budget = !Writing ? NumReads : FillPause ? 0 : NumWrites;
  planColumn(Now);
  planRow(Now);
}

void DramChannel::issue(Cycle Now, std::vector<Delivery> &Done) {
  for (Cycle At; (At = nextCommand()) <= Now;)
    if (At == NextRefresh)
      refresh();
    else if (NextRowCommand.When == At)
      issueRow(At);
    else
      issueColumn(At, Done);
}

/// Closes all rows and refreshes all banks, in the cycle in which it is due:
/// the next command waits for that. A refresh while there is nothing to do
/// delays nobody.
void DramChannel::refresh() {
  Cycle Begin = NextRefresh;
  for (Bank &B : Banks)
    if (B.OpenRow != NoRow) {
      Begin = std::max(Begin, B.NextRow + Config.RP);
      B.OpenRow = NoRow;
      ++Stats.DramPrecharges;
    }
  ClosedBanks = ~uint64_t(0) >> (64 - Config.Banks);
  for (Bank &B : Banks) {
    B.NextRow = std::max({B.NextRow, B.Activate, Begin + Config.Refresh});
    B.Fresh = false;
  }
  Cycle Due = NextRefresh;
  NextRefresh += Config.RefreshInterval;
  replan(Due);
}

/// The state of all banks has changed.
void DramChannel::replan(Cycle From) {
  ColumnBanks = RowBanks = 0;
  for (unsigned N = 0; N != Banks.size(); ++N) {
    Bank &B = Banks[N];
    choose(B, best(N, From));
    if (B.Chosen != None)
      (B.Row == B.OpenRow ? ColumnBanks : RowBanks) |= uint64_t(1) << N;
  }
  planColumn(From);
  planRow(From);
}

void DramChannel::issueRow(Cycle Now) {
  unsigned Number = unsigned(NextRowCommand.Bank);
  Bank &B = Banks[Number];
  NextRow = Now + 1;
  ClosedBanks ^= uint64_t(1) << Number;
  if (B.OpenRow != NoRow) {
    B.OpenRow = NoRow;
    B.NextRow = std::max(B.Activate, Now + Config.RP);
    ++Stats.DramPrecharges;
  } else {
    B.OpenRow = B.Row;
    B.Fresh = true;
    B.Column = Now + Config.RCD;
    B.NextRow = Now + Config.RAS;
    B.Activate = Now + Config.RC;
    NextActivate = Now + Config.RRD;
    ++Stats.DramActivates;
  }
  place(Number, Now + 1);
}

void DramChannel::issueColumn(Cycle Now, std::vector<Delivery> &Done) {
  unsigned Number = unsigned(NextColumnCommand.Bank);
  Bank &B = Banks[Number];
  const DramAccess &Access = Entries[B.Chosen].Access;
  Cycle Step = std::max(Config.CCD, Config.BurstCycles);
  // Bursts of other groups go between those of one.
  Cycle InGroup = std::max<Cycle>(Step, Config.CCDLong);
  Cycle Last = std::max(Now + (Access.Bursts - 1) * InGroup, AfterLastColumn);
  AfterLastColumn = Last + Step;
  NextColumn = Now + Access.Bursts * Step;
  GroupColumn[groupOf(Number)] = Now + Access.Bursts * InGroup;
  Stats.DramBusyCycles += Access.Bursts * Config.BurstCycles;
  Stats.DramRowHits += Access.Bursts - unsigned(B.Fresh);
  B.Fresh = false;
  if (Access.IsWrite) {
    Cycle End = Last + Config.WL + Config.BurstCycles;
    NextRead = std::max(NextRead, End + Config.WTR);
    B.NextRow = std::max(B.NextRow, End + Config.WR);
    Stats.DramWrites += Access.Bursts;
  } else {
    Cycle End = Last + Config.CL + Config.BurstCycles;
    NextWrite = std::max(NextWrite, End + Config.Turnaround - Config.WL);
    B.NextRow = std::max(B.NextRow, Last + Config.RTP);
    Done.push_back({End, Access.Fetch, Access.Slice});
    Stats.DramReads += Access.Bursts;
  }
  retire(Number, Now);
}

/// The chosen entry has got what it wanted.
void DramChannel::retire(unsigned Number, Cycle Now) {
  int32_t Id = Banks[Number].Chosen;
  const Entry &E = Entries[Id];
  bool IsWrite = E.Access.IsWrite;
  remove(Queues[Number].Of[IsWrite], Id);
  --(IsWrite ? NumWrites : NumReads);
  Budget -= Budget != 0;
  if (Must == E.Order)
    Must = NoOrder;
  if (IsWrite && E.Arrival == OldestWrite && NumWrites) {
    OldestWrite = Never;
    for (const Waiting &Other : Queues)
      if (int32_t First = Other.Of[1].First; First != None)
        OldestWrite = std::min(OldestWrite, Entries[First].Arrival);
  }
  Entries[Id].After = FirstFree;
  FirstFree = Id;
  choose(Banks[Number], best(Number, Now));
  if (!turn(Now + 1))
    place(Number, Now + 1);
}

} // namespace regshare::sim
