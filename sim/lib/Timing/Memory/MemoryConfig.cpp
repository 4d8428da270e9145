//===- MemoryConfig.cpp - Figures of the memory hierarchy -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryConfig.h"

#include "Config/ConfigTable.h"
#include "MemoryPort.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <ranges>

namespace regshare::sim {

static constexpr unsigned MaxLatency = 1u << 20;
static constexpr unsigned MaxQueue = 1u << 16, MaxPortBytes = 4096,
                          MaxCommand = 4096, MaxClockMHz = 100'000;

static constexpr TimingField<LsuConfig> LsuFields[] = {
    {"lsu.queue", "memory instructions that wait in order", &LsuConfig::Queue,
     1, MaxQueue},
    {"lsu.store_credits",
     "store and reduction requests that await their acknowledgement",
     &LsuConfig::StoreCredits, 1, MaxQueue},
};

static constexpr TimingField<SharedConfig> SharedFields[] = {
    {"shared.latency", "cycles of a shared-memory access with one pass",
     &SharedConfig::Latency, 1, MaxLatency},
};

/// Of a device with a modern core; elsewhere they are 1.
static constexpr TimingField<SharedConfig> ModernSharedFields[] = {
    {"shared.pass_cycles", "modern: cycles of the banks that a pass takes",
     &SharedConfig::PassCycles, 1, 64},
};

static constexpr TimingField<ConstantConfig> ConstantFields[] = {
    {"constant.latency",
     "cycles of an access to one constant or kernel parameter",
     &ConstantConfig::Latency, 1, MaxLatency},
};

/// Beyond any machine's, and small enough that a typing error does not take the
/// host's memory.
static constexpr unsigned MaxSets = 1 << 16, MaxWays = 256, MaxMshrs = 4096,
                          MaxMerges = 1024;

static constexpr TimingField<L1Config> L1Fields[] = {
    {"l1.sets", "sets, a power of two", &L1Config::Sets, 1, MaxSets},
    {"l1.ways", "lines of 128 bytes in a set", &L1Config::Ways, 1, MaxWays},
    {"l1.fetch_sectors",
     "sectors of 32 bytes fetched together, aligned: 1, 2 or 4",
     &L1Config::FetchSectors, 1, 4},
    {"l1.hit_latency", "cycles of an access with one transaction that hits",
     &L1Config::HitLatency, 1, MaxLatency},
    {"l1.miss_latency", "cycles until a request leaves the SM",
     &L1Config::MissLatency, 0, MaxLatency},
    {"l1.mshrs", "requests of loads and atomics under way", &L1Config::Mshrs, 1,
     MaxMshrs},
    {"l1.merges", "transactions that wait for one request", &L1Config::Merges,
     1, MaxMerges},
};

static constexpr TimingField<L1Config> ModernL1Fields[] = {
    {"l1.line_cycles", "modern: cycles of the data path that a line takes",
     &L1Config::LineCycles, 1, 64},
};

static constexpr TimingField<IcntConfig> IcntFields[] = {
    {"icnt.flit_bytes", "bytes a port moves in a cycle", &IcntConfig::FlitBytes,
     1, MaxPortBytes},
    {"icnt.header_bytes", "bytes of a packet besides its data",
     &IcntConfig::HeaderBytes, 1, MaxPortBytes},
    {"icnt.latency", "cycles from port to port, one way", &IcntConfig::Latency,
     1, MaxLatency},
};

static constexpr TimingField<L2Config> L2Fields[] = {
    {"l2.slices_per_channel", "slices of a DRAM channel, a power of two",
     &L2Config::SlicesPerChannel, 1, 64},
    {"l2.sets", "sets of a slice, a power of two", &L2Config::Sets, 1, MaxSets},
    {"l2.ways", "lines of 128 bytes in a set", &L2Config::Ways, 1, MaxWays},
    {"l2.rop_delay", "cycles from a slice's port to its tags",
     &L2Config::RopDelay, 0, MaxLatency},
    {"l2.hit_latency", "cycles from the tags back to the port",
     &L2Config::HitLatency, 1, MaxLatency},
    {"l2.fill_latency", "cycles from the end of the DRAM's data to the reply",
     &L2Config::FillLatency, 1, MaxLatency},
    {"l2.mshrs", "line fetches of a slice under way", &L2Config::Mshrs, 1,
     MaxMshrs},
    {"l2.merges", "requests that wait for one fetch", &L2Config::Merges, 1,
     MaxMerges},
    {"l2.port_bytes", "bytes a slice reads or writes in a cycle",
     &L2Config::PortBytes, 1, MaxPortBytes},
    {"l2.atomic_cycles", "cycles a slice spends on an atomic request",
     &L2Config::AtomicCycles, 1, MaxCommand},
    {"l2.miss_queue",
     "reads and writes of lines on their way from a slice to the DRAM",
     &L2Config::MissQueue, 2, MaxQueue},
};

static constexpr TimingField<DramConfig> DramFields[] = {
    {"dram.channels", "channels", &DramConfig::Channels, 1, 1024},
    {"dram.clock_mhz", "clock of commands in MHz", &DramConfig::ClockMHz, 1,
     MaxClockMHz},
    {"dram.queue_latency", "core cycles from the L2 to the channel's queue",
     &DramConfig::QueueLatency, 0, MaxLatency},
    {"dram.queue", "reads of lines that the scheduler chooses from",
     &DramConfig::Queue, 1, 4096},
    {"dram.write_queue", "writes of lines that the scheduler chooses from",
     &DramConfig::WriteQueue, 1, 4096},
    {"dram.write_high", "waiting writes that make the scheduler turn to them",
     &DramConfig::WriteHigh, 1, 4096},
    {"dram.write_low", "waiting writes at which it returns to reads",
     &DramConfig::WriteLow, 0, 4096},
    {"dram.banks", "banks of a channel, a power of two", &DramConfig::Banks, 1,
     64},
    {"dram.row_bytes", "bytes of a row, of all chips of the channel",
     &DramConfig::RowBytes, 256, 1u << 20},
    {"dram.burst_bytes", "bytes of a burst: 32, 64 or 128",
     &DramConfig::BurstBytes, 32, 128},
    {"dram.burst_cycles", "cycles of the data bus that a burst takes",
     &DramConfig::BurstCycles, 1, MaxCommand},
    {"dram.ccd", "cycles from a column command to the next", &DramConfig::CCD,
     1, MaxCommand},
    {"dram.rrd", "cycles from an activation to another bank's",
     &DramConfig::RRD, 1, MaxCommand},
    {"dram.rcd", "cycles from activation to column command", &DramConfig::RCD,
     1, MaxCommand},
    {"dram.ras", "cycles from activation to precharge", &DramConfig::RAS, 1,
     MaxCommand},
    {"dram.rp", "cycles from precharge to activation", &DramConfig::RP, 1,
     MaxCommand},
    {"dram.rc", "cycles from activation to activation of a bank",
     &DramConfig::RC, 1, MaxCommand},
    {"dram.cl", "cycles from read command to data", &DramConfig::CL, 1,
     MaxCommand},
    {"dram.wl", "cycles from write command to data", &DramConfig::WL, 1,
     MaxCommand},
    {"dram.wr", "cycles from the end of written data to precharge",
     &DramConfig::WR, 1, MaxCommand},
    {"dram.wtr", "cycles from the end of written data to a read command",
     &DramConfig::WTR, 1, MaxCommand},
    {"dram.rtp", "cycles from read command to precharge", &DramConfig::RTP, 1,
     MaxCommand},
    {"dram.turnaround", "idle cycles of the data bus from a read to a write",
     &DramConfig::Turnaround, 0, 1024},
    {"dram.age_limit", "cycles after which a burst goes before row hits",
     &DramConfig::AgeLimit, 1, MaxLatency},
};

/// Of devices that say something of them; the others are without.
static constexpr TimingField<L2Config> GivenL2Fields[] = {
    {"l2.fetch_sectors",
     "optional: sectors of 32 bytes fetched together, aligned: 1, 2 or 4",
     &L2Config::FetchSectors, 1, 4},
    {"l2.atomic_sector_cycles",
     "optional: cycles more for each further sector of an atomic request (0)",
     &L2Config::AtomicSectorCycles, 1, MaxCommand},
    {"l2.dirty_ways",
     "optional: lines of a set that may be dirty; the oldest is written back "
     "for one more (all)",
     &L2Config::DirtyWays, 1, MaxWays},
    {"l2.written_unit",
     "optional: a sector that several stores have written is whole, by units "
     "of so many bytes: 2 (only one store makes a sector whole)",
     &L2Config::WrittenUnit, 2, 2},
};
static constexpr TimingField<IcntConfig> GivenIcntFields[] = {
    {"icnt.packed",
     "optional: 1 if a packet can begin in the cycle in which another ends (0)",
     &IcntConfig::IsPacked, 0, 1},
    {"icnt.store_bytes",
     "optional: bytes of a store that a port moves in a cycle (flit_bytes)",
     &IcntConfig::StoreBytes, 1, MaxPortBytes},
    {"icnt.store_header_bytes",
     "optional: bytes of a store besides its data (header_bytes)",
     &IcntConfig::StoreHeaderBytes, 1, MaxPortBytes},
};
static constexpr TimingField<SharedConfig> GivenSharedFields[] = {
    {"shared.pass_latency",
     "optional: cycles that each further pass puts the result off "
     "(pass_cycles)",
     &SharedConfig::PassLatency, 1, 64},
};
static constexpr TimingField<L1Config> GivenL1Fields[] = {
    {"l1.tag_banks",
     "optional: banks of tags, a power of two, which look a load's lines up at "
     "the same time; its data take the passes of shared memory's banks (a line "
     "at a time)",
     &L1Config::TagBanks, 1, 32},
    {"l1.word_latency",
     "optional: cycles that a load takes longer for each further word of a "
     "lane (0)",
     &L1Config::WordLatency, 1, 64},
};
static constexpr TimingField<ConstantConfig> GivenConstantFields[] = {
    {"constant.pass_cycles",
     "optional: cycles of the constant cache's port that a pass takes (1)",
     &ConstantConfig::PassCycles, 1, 64},
    {"constant.pass_bytes",
     "optional: bytes that a pass gives of an address (16)",
     &ConstantConfig::PassBytes, 1, 16},
    {"constant.word_cycles",
     "optional: the same of an access of at most 4 bytes (as of others)",
     &ConstantConfig::WordCycles, 1, 64},
    {"constant.lines",
     "optional: lines of 64 bytes in the nearest constant cache (all hit)",
     &ConstantConfig::Lines, 1, 1024},
    {"constant.miss_latency",
     "optional: cycles that an access takes longer if it misses there",
     &ConstantConfig::MissLatency, 1, MaxLatency},
    {"constant.cold_latency",
     "optional: the same of a line's first access, if the L2 is empty when a "
     "launch begins (as of any that misses)",
     &ConstantConfig::ColdLatency, 1, MaxLatency},
};
static constexpr TimingField<DramConfig> GivenDramFields[] = {
    {"dram.write_burst_bytes",
     "optional: bytes of a burst that writes: 32, 64 or 128 (burst_bytes)",
     &DramConfig::WriteBurstBytes, 32, 128},
    {"dram.bank_groups", "optional: groups of banks, a power of two",
     &DramConfig::BankGroups, 1, 16},
    {"dram.ccd_long",
     "optional: cycles from a column command to the next of a group",
     &DramConfig::CCDLong, 1, MaxCommand},
    {"dram.refresh_interval",
     "optional: cycles from a refresh of all banks to the next",
     &DramConfig::RefreshInterval, 64, MaxLatency},
    {"dram.refresh", "optional: cycles that a refresh takes",
     &DramConfig::Refresh, 1, MaxCommand},
};

static constexpr const char *StoreNames[] = {"write_evict", "write_through"};
static constexpr const char *LocalNames[] = {"write_back", "write_through"};
static constexpr const char *IndexNames[] = {"linear", "hashed"};
static constexpr const char *PolicyNames[] = {"lru", "random"};

struct ChoiceRow {
  const char *Key, *Help;
  std::span<const char *const> Names;
};
static constexpr ChoiceRow StoresRow = {
    "l1.global_stores", "what a global store does to the L1's copy",
    StoreNames};
static constexpr ChoiceRow LocalRow = {
    "l1.local_stores",
    "optional: when a store to local memory goes to the L2, with its line or "
    "at once (write_back)",
    LocalNames};
static constexpr ChoiceRow SetIndexRow = {
    "l1.set_index", "how the set is computed from the address", IndexNames};
static constexpr const char *TogetherNames[] = {"part", "warp"};
static constexpr ChoiceRow TogetherRow = {
    "shared.together",
    "optional: who shares the passes of an access of 8 or 16 bytes, a half or "
    "a quarter of the warp, or all of it (part)",
    TogetherNames};
static constexpr ChoiceRow L2IndexRow = {
    "l2.set_index", "how the set is computed from the address in the slice",
    IndexNames};
static constexpr ChoiceRow L2PolicyRow = {
    "l2.replacement", "optional: which line of a set gives way (lru)",
    PolicyNames};
static constexpr ChoiceRow MappingRow = {
    "dram.mapping", "how addresses are spread over channels and banks",
    IndexNames};
static constexpr const char *TurnNames[] = {"idle", "gathered"};
static constexpr ChoiceRow TurnsRow = {
    "dram.write_turns",
    "optional: fewer writes than write_high wait for a time without reads, or "
    "until there are as many (idle)",
    TurnNames};

template <typename Enum>
static Result<void> readEnum(const DeviceDescription &D, const ChoiceRow &Row,
                             Enum &To) {
  Result<unsigned> N = readChoice(D, Row.Key, Row.Names);
  if (!N)
    return tl::make_unexpected(N.error());
  To = Enum(*N);
  return {};
}

static bool hasModernCore(const DeviceDescription &D) {
  return std::ranges::any_of(D.Timing, [](const TimingFigure &F) {
    return F.Key == "core.organisation" && F.Value == "modern";
  });
}

unsigned L1Config::waysBeside(unsigned SharedBytes) const {
  if (Carveouts.empty())
    return Ways;
  auto Enough = std::ranges::lower_bound(Carveouts, SharedBytes);
  if (Enough == Carveouts.end())
    --Enough;
  unsigned Taken = (*Enough - Carveouts.front()) / (Sets * LineBytes);
  return Ways - std::min(Taken, Ways);
}

static const MemoryFigure CarveoutsFigure = {
    "l1.carveouts", "optional: KiB of shared memory that can be set aside, as "
                    "`32 64`: with the first, the L1 has all its ways"};

static Result<void> readCarveouts(const DeviceDescription &D, L1Config &To) {
  auto F = std::ranges::find(D.Timing, CarveoutsFigure.Key, &TimingFigure::Key);
  if (F == D.Timing.end())
    return {};
  bool IsList = true;
  for (auto Word : std::views::split(std::string_view(F->Value), ' ')) {
    unsigned KiB = 0;
    const char *Begin = std::ranges::data(Word);
    const char *End = Begin + std::ranges::distance(Word);
    auto [Rest, Error] = std::from_chars(Begin, End, KiB);
    IsList &= Error == std::errc() && Rest == End && KiB <= 1024 &&
              (To.Carveouts.empty() || KiB * 1024 > To.Carveouts.back());
    To.Carveouts.push_back(std::min(KiB, 1024u) * 1024);
  }
  if (!IsList || To.Carveouts.empty())
    return fail(Diagnostic{"'timing.l1.carveouts' is '" + F->Value +
                               "'; expected whole numbers from 0 to 1024 that "
                               "grow, with a blank between them",
                           D.File, F->Line, 0});
  return {};
}

static Result<void> readAll(const DeviceDescription &D, MemoryConfig &C) {
  auto Table = [&D]<typename Config, size_t N>(
                   const TimingField<Config>(&Fields)[N], Config &To) {
    return readFigures<Config>(D, Fields, To);
  };
  auto Given = [&D](const auto &Fields, auto &To) {
    return readGiven<std::remove_reference_t<decltype(To)>>(D, Fields, To);
  };
  auto GivenChoice = [&D](const ChoiceRow &Row, auto &To) {
    return hasFigure(D, Row.Key) ? readEnum(D, Row, To) : Result<void>();
  };
  auto OfModern = [&](const auto &Fields, auto &To) -> Result<void> {
    return hasModernCore(D) ? Table(Fields, To) : Result<void>();
  };
  for (const Result<void> &R : {OfModern(ModernSharedFields, C.Shared),
                                OfModern(ModernL1Fields, C.L1),
                                Table(LsuFields, C.Lsu),
                                Table(SharedFields, C.Shared),
                                Table(ConstantFields, C.Constant),
                                Table(L1Fields, C.L1),
                                Table(IcntFields, C.Icnt),
                                Table(L2Fields, C.L2),
                                Table(DramFields, C.Dram),
                                readEnum(D, StoresRow, C.L1.Stores),
                                GivenChoice(LocalRow, C.L1.Spills),
                                readEnum(D, SetIndexRow, C.L1.Index),
                                readEnum(D, L2IndexRow, C.L2.Index),
                                readCarveouts(D, C.L1),
                                Given(GivenL2Fields, C.L2),
                                Given(GivenDramFields, C.Dram),
                                Given(GivenConstantFields, C.Constant),
                                Given(GivenSharedFields, C.Shared),
                                Given(GivenL1Fields, C.L1),
                                Given(GivenIcntFields, C.Icnt),
                                GivenChoice(TogetherRow, C.Shared.WholeWarp),
                                GivenChoice(L2PolicyRow, C.L2.Policy),
                                readEnum(D, MappingRow, C.Dram.Mapping),
                                GivenChoice(TurnsRow, C.Dram.Turns)})
    if (!R)
      return R;
  return {};
}

static const char *whatDoesNotFit(const MemoryConfig &C) {
  if (!std::has_single_bit(C.L1.Sets) || !std::has_single_bit(C.L2.Sets))
    return "'l1.sets' and 'l2.sets' must be powers of two";
  if (!C.L1.waysBeside(~0u))
    return "'l1.carveouts' leaves no way of 'l1.ways'";
  if (C.L1.TagBanks && !std::has_single_bit(C.L1.TagBanks))
    return "'l1.tag_banks' must be a power of two";
  if (!std::has_single_bit(C.L1.FetchSectors))
    return "'l1.fetch_sectors' must be 1, 2 or 4";
  if (!std::has_single_bit(C.L2.FetchSectors))
    return "'l2.fetch_sectors' must be 1, 2 or 4";
  if (C.L2.DirtyWays > C.L2.Ways)
    return "'l2.dirty_ways' is more than 'l2.ways'";
  if (!std::has_single_bit(C.Dram.BurstBytes))
    return "'dram.burst_bytes' must be 32, 64 or 128";
  if (C.Dram.WriteBurstBytes && !std::has_single_bit(C.Dram.WriteBurstBytes))
    return "'dram.write_burst_bytes' must be 32, 64 or 128";
  if (!std::has_single_bit(C.Dram.RowBytes))
    return "'dram.row_bytes' must be a power of two";
  if (!std::has_single_bit(C.L2.SlicesPerChannel) ||
      !std::has_single_bit(C.Dram.Banks) ||
      C.L2.SlicesPerChannel > C.Dram.Banks)
    return "'dram.banks' and 'l2.slices_per_channel' must be powers of two, "
           "and every slice needs a bank";
  if (!std::has_single_bit(C.Dram.BankGroups) ||
      C.Dram.BankGroups > C.Dram.Banks)
    return "'dram.bank_groups' must be a power of two, and every group needs a "
           "bank";
  if (C.Dram.CCDLong && C.Dram.CCDLong < C.Dram.CCD)
    return "'dram.ccd_long' is less than 'dram.ccd'";
  if (!C.Constant.Lines != !C.Constant.MissLatency)
    return "'constant.lines' and 'constant.miss_latency' belong together";
  if (C.Constant.ColdLatency && C.Constant.ColdLatency < C.Constant.MissLatency)
    return "'constant.cold_latency' must be at least 'constant.miss_latency'";
  if (!C.Dram.RefreshInterval != !C.Dram.Refresh)
    return "'dram.refresh_interval' and 'dram.refresh' belong together";
  if (C.Dram.RefreshInterval && C.Dram.RefreshInterval < 2 * C.Dram.Refresh)
    return "'dram.refresh_interval' must be twice 'dram.refresh' or more";
  if (C.Dram.WL > C.Dram.CL + C.Dram.BurstCycles)
    return "'dram.wl' is longer than 'dram.cl' and a burst";
  if (C.Dram.WriteLow >= C.Dram.WriteHigh ||
      C.Dram.WriteHigh > C.Dram.WriteQueue)
    return "'dram.write_low', 'dram.write_high' and 'dram.write_queue' must "
           "grow in this order";
  return nullptr;
}

Result<MemoryConfig> readMemoryConfig(const DeviceDescription &D) {
  MemoryConfig C;
  C.CoreMHz = D.CoreClockMHz;
  if (Result<void> R = readAll(D, C); !R)
    return tl::make_unexpected(R.error());
  if (const char *Why = whatDoesNotFit(C))
    return fail(Diagnostic{"device '" + D.Name + "': " + Why, D.File, 0, 0});
  return C;
}

std::vector<MemoryFigure> memoryFigures() {
  std::vector<MemoryFigure> All;
  auto Table = [&All](const auto &Fields) {
    for (const auto &F : Fields)
      All.push_back({F.Key, F.Help});
  };
  Table(LsuFields);
  Table(SharedFields);
  Table(ConstantFields);
  Table(ModernSharedFields);
  Table(L1Fields);
  Table(ModernL1Fields);
  Table(IcntFields);
  Table(L2Fields);
  Table(DramFields);
  All.push_back(CarveoutsFigure);
  Table(GivenL2Fields);
  Table(GivenDramFields);
  Table(GivenConstantFields);
  Table(GivenSharedFields);
  Table(GivenL1Fields);
  Table(GivenIcntFields);
  for (const ChoiceRow *Row :
       {&StoresRow, &LocalRow, &SetIndexRow, &L2IndexRow, &MappingRow,
        &TurnsRow, &L2PolicyRow, &TogetherRow}) {
    std::string Help = Row->Help;
    for (const char *Name : Row->Names)
      Help += std::string(Name == Row->Names.front() ? ": " : " or ") + Name;
    All.push_back({Row->Key, Help});
  }
  return All;
}

} // namespace regshare::sim
