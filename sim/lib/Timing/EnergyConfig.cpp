//===- EnergyConfig.cpp - The energy account ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EnergyConfig.h"

#include "Config/ConfigTable.h"
#include "Timing/Memory/MemoryPort.h"
#include "regshare/Sim/Energy.h"

#include <algorithm>
#include <cassert>

namespace regshare::sim {

namespace {
struct Counted {
  const TimingStats &S;
  unsigned BurstBytes;

  const RegisterCacheStats &cache() const { return S.RegisterCache; }
  bool hasCache() const { return !S.RegisterCache.isEmpty(); }
  uint64_t dramBytes() const {
    return (S.Memory.DramReads + S.Memory.DramWrites) * BurstBytes;
  }
};

/// An event: its key below `timing.energy`, what it belongs to, what one takes.
/// An instruction in \c Lanes lanes takes its figure, an active lane its share.
struct EventRow {
  const char *Key, *Part, *Help;
  uint64_t (*Count)(const Counted &);
  unsigned Lanes = 1;
  bool IsMainFile = false;
};
} // namespace

template <LaneClass C> static uint64_t laneOps(const Counted &E) {
  return E.S.LaneOps[unsigned(C)];
}

static uint64_t mainReads(const Counted &E) {
  if (E.hasCache())
    return E.cache().Fetched;
  uint64_t Others = E.S.Operands.Reads + E.S.ReusedOperands;
  return E.S.BankReads - std::min(E.S.BankReads, Others);
}

static uint64_t mainWrites(const Counted &E) {
  const OperandCacheStats &O = E.S.Operands;
  return E.hasCache() ? E.cache().mainAccesses() - E.cache().Fetched
                      : E.S.BankWrites - O.Writes - O.LateWrites;
}

/// A register that is written back is read; one that is brought is written.
static uint64_t cacheReads(const Counted &E) {
  return E.cache().Reads + E.cache().WrittenBack;
}

static uint64_t cacheWrites(const Counted &E) {
  return E.cache().Writes + E.cache().Filled;
}

static uint64_t operandReads(const Counted &E) {
  return E.S.Operands.Reads + E.S.Operands.WrittenBack;
}

static uint64_t operandWrites(const Counted &E) {
  return E.S.Operands.Writes + E.S.Operands.Fetched;
}

/// Those of the kernel's accesses, and one for each row of registers.
static uint64_t scratchpadPasses(const Counted &E) {
  const OperandCacheStats &O = E.S.Operands;
  return E.S.LoadStore.SharedPasses + O.Fetched + O.WrittenBack + O.LateWrites;
}

static uint64_t constantPasses(const Counted &E) {
  return E.S.LoadStore.ConstantPasses;
}

/// Transactions that look at the L1, fills and lines read for a write-back.
static uint64_t l1Accesses(const Counted &E) {
  const LoadStoreStats &L = E.S.LoadStore;
  return L.LoadHits + L.LoadMerges + 2 * L.LoadMisses + L.StoreHits +
         L.StoreMisses + L.Atomics + L.WriteBacks;
}

static uint64_t flits(const Counted &E) {
  return E.S.Memory.FlitsToMemory + E.S.Memory.FlitsToSMs;
}

/// Data that SMs read and write, and what comes from the DRAM or goes there.
static uint64_t l2Sectors(const Counted &E) {
  const MemoryStats &M = E.S.Memory;
  return (M.BytesToSMs + M.BytesToMemory + E.dramBytes()) / SectorBytes;
}

static uint64_t dramSectors(const Counted &E) {
  return E.dramBytes() / SectorBytes;
}

/// A PREF takes no issue slot, but is fetched and decoded.
static uint64_t instructions(const Counted &E) {
  return E.S.Functional.issueSlots() + E.S.Operands.Prefs;
}

static uint64_t smCycles(const Counted &E) { return E.S.Cycles * E.S.NumSMs; }

static constexpr EventRow Rows[] = {
    {"register_read", "registers",
     "a row of 32 lanes read from the main register file: the unit of all",
     mainReads, 1, true},
    {"register_write", "registers", "a row written into the main register file",
     mainWrites, 1, true},
    {"cache_read", "register cache", "a row read from a register cache",
     cacheReads},
    {"cache_write", "register cache", "a row written into a register cache",
     cacheWrites},
    {"operand_cache_read", "operand cache",
     "a row read from an operand cache for registers in scratchpad",
     operandReads},
    {"operand_cache_write", "operand cache", "a row written into that",
     operandWrites},
    {"scratchpad_pass", "scratchpad",
     "a pass of an access to shared memory, 32 banks of 32 bits",
     scratchpadPasses},
    {"constant_pass", "constants",
     "an access to one constant or kernel parameter", constantPasses},
    {"l1_access", "L1", "a line looked up, filled or read for a write-back",
     l1Accesses},
    {"flit", "interconnect", "a flit between an SM and an L2 slice", flits},
    {"l2_sector", "L2", "32 bytes read from or written into an L2 slice",
     l2Sectors},
    {"dram_sector", "DRAM", "32 bytes read from or written into the DRAM",
     dramSectors},
    {"instruction", "issue",
     "a warp instruction fetched, decoded, scheduled and issued", instructions},
    {"lanes.integer", "pipes",
     "a simple integer operation, move, shuffle or address in 32 lanes",
     laneOps<LaneClass::Integer>, 32},
    {"lanes.integer_multiply", "pipes",
     "an integer multiplication, with or without addition, in 32 lanes",
     laneOps<LaneClass::IntegerMultiply>, 32},
    {"lanes.float", "pipes",
     "a simple operation on floats or halves in 32 lanes",
     laneOps<LaneClass::Float>, 32},
    {"lanes.float_multiply", "pipes",
     "a multiplication of floats or halves, with or without addition, in 32 "
     "lanes",
     laneOps<LaneClass::FloatMultiply>, 32},
    {"lanes.double", "pipes", "an operation on doubles in 32 lanes",
     laneOps<LaneClass::Double>, 32},
    {"lanes.special", "pipes", "an operation of the special unit in 32 lanes",
     laneOps<LaneClass::Special>, 32},
    {"lanes.divide", "pipes",
     "a division or square root in 32 lanes, all its instructions",
     laneOps<LaneClass::Divide>, 32},
    {"sm_cycle", "constant",
     "leakage and clock of an SM, and its share of the chip's, in a core cycle",
     smCycles},
};

/// Beyond any event of any machine; finds typing errors.
static constexpr double MaxEnergy = 1e6;

static std::string keyOf(const EventRow &Row) {
  return std::string("energy.") + Row.Key;
}

Result<EnergyFigures> readEnergyFigures(const DeviceDescription &D) {
  EnergyFigures F;
  for (const EventRow &Row : Rows) {
    Result<double> Value = readDecimal(D, keyOf(Row), 0, MaxEnergy);
    if (!Value)
      return tl::make_unexpected(Value.error());
    F.OfEvent.push_back(*Value * (Row.IsMainFile ? D.RegisterFile.Power : 1));
  }
  Result<unsigned> Burst =
      readFigure(D, "dram.burst_bytes", SectorBytes, LineBytes);
  if (!Burst)
    return tl::make_unexpected(Burst.error());
  F.BurstBytes = *Burst;
  return F;
}

std::vector<TimingFigureHelp> energyFigures() {
  std::vector<TimingFigureHelp> All;
  for (const EventRow &Row : Rows)
    All.push_back({keyOf(Row), Row.Help});
  return All;
}

double EnergyAccount::total() const {
  double Sum = 0;
  for (const EnergyEntry &E : Entries)
    Sum += E.total();
  return Sum;
}

std::vector<EnergyPart> EnergyAccount::parts() const {
  std::vector<EnergyPart> All;
  for (const EnergyEntry &E : Entries) {
    auto It = std::ranges::find(All, E.Part, &EnergyPart::Name);
    if (It == All.end())
      It = All.insert(All.end(), {E.Part, 0});
    It->Total += E.total();
  }
  return All;
}

EnergyAccount energyOf(const TimingStats &S, const EnergyFigures &Figures) {
  assert(Figures.OfEvent.size() == std::size(Rows) && "figures of a device");
  Counted Events{S, Figures.BurstBytes};
  EnergyAccount Account;
  for (size_t N = 0; N != std::size(Rows); ++N)
    Account.Entries.push_back({Rows[N].Key, Rows[N].Part, Rows[N].Count(Events),
                               Figures.OfEvent[N] / Rows[N].Lanes});
  return Account;
}

} // namespace regshare::sim
