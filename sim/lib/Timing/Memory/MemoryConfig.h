//===- MemoryConfig.h - Figures of the memory hierarchy ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What the load/store units, the interconnect, the L2 and the DRAM are made
/// of, as the `timing:` part of a device file gives it.
/// Latencies are core cycles; those of the DRAM's commands are cycles of its
/// own clock.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_MEMORYCONFIG_H
#define REGSHARE_SIM_TIMING_MEMORY_MEMORYCONFIG_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Result.h"
#include "regshare/Sim/MemoryStats.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace regshare::sim {

struct LsuConfig {
  unsigned Queue = 0;        ///< Instructions that wait in order.
  unsigned StoreCredits = 0; ///< Stores that await their acknowledgement.
};

struct SharedConfig {
  unsigned Latency = 0;    ///< Of an access with one pass.
  unsigned PassCycles = 1; ///< That a pass takes of the banks.
  /// Cycles that each further pass puts the result off; 0: PassCycles.
  unsigned PassLatency = 0;
  /// All lanes of an access of 8 or 16 bytes share its passes.
  bool WholeWarp = false;
};

struct ConstantConfig {
  unsigned Latency = 0;     ///< Of an access to one address.
  unsigned PassCycles = 1;  ///< That a pass takes of the port.
  unsigned PassBytes = 16;  ///< Of an address that a pass gives.
  unsigned WordCycles = 0;  ///< Of a pass of one word; 0: as of others.
  unsigned Lines = 0;       ///< Of the nearest cache; 0: all accesses hit.
  unsigned MissLatency = 0; ///< More than a hit's.
  /// The same of a line's first access, if the L2 is empty when a launch
  /// begins; 0: as others.
  unsigned ColdLatency = 0;
};

enum class GlobalStores : uint8_t {
  WriteEvict,   ///< To the L2; the L1 gives up its copy.
  WriteThrough, ///< To the L2 and into the L1's copy.
};

enum class LocalStores : uint8_t {
  WriteBack,    ///< Stay in the L1 until their line gives way.
  WriteThrough, ///< Also go to the L2, as stores of their own.
};

enum class SetIndex : uint8_t { Linear, Hashed };
/// Which line of a set gives way.
enum class Replacement : uint8_t { LRU, Random };

struct L1Config {
  unsigned Sets = 0, Ways = 0;
  unsigned FetchSectors = 0; ///< Fetched at a time, aligned: 1, 2 or 4.
  unsigned HitLatency = 0;
  unsigned MissLatency = 0; ///< Until the request leaves the SM.
  unsigned LineCycles = 1;  ///< That a line takes of the data path.
  /// Each looks up a line of a load in a cycle. The data then take the passes
  /// of shared memory's banks in place of a line each; 0: they do not.
  unsigned TagBanks = 0;
  unsigned WordLatency = 0; ///< Of each further word of a lane's load.
  unsigned Mshrs = 0, Merges = 0;
  GlobalStores Stores = GlobalStores::WriteEvict;
  LocalStores Spills = LocalStores::WriteBack;
  SetIndex Index = SetIndex::Linear;
  /// Bytes of shared memory that can be set aside, in growing order: with the
  /// first, the L1 has all its ways. Empty if neither takes from the other.
  std::vector<unsigned> Carveouts = {};

  /// While kernels use \p SharedBytes of an SM's shared memory: the least that
  /// is enough is set aside.
  unsigned waysBeside(unsigned SharedBytes) const;
};

struct IcntConfig {
  unsigned FlitBytes = 0;
  unsigned HeaderBytes = 0; ///< Of a packet, besides its data.
  unsigned Latency = 0;     ///< From port to port, one way.
  /// Whether a packet can begin in the cycle in which another ends.
  unsigned IsPacked = 0;
  /// Of stores, where they are not as other packets; 0: they are.
  unsigned StoreBytes = 0;
  unsigned StoreHeaderBytes = 0;
};

struct L2Config {
  unsigned SlicesPerChannel = 0;
  unsigned Sets = 0, Ways = 0; ///< Of a slice.
  unsigned RopDelay = 0;       ///< From the port to the tags.
  unsigned HitLatency = 0;     ///< From the tags to the port.
  unsigned FillLatency = 0;    ///< From the DRAM's last data to the reply.
  unsigned Mshrs = 0, Merges = 0;
  unsigned PortBytes = 0;    ///< Data that a slice moves in a cycle.
  unsigned AtomicCycles = 0; ///< That the slice spends on an atomic.
  /// Those that it spends on each further sector of one.
  unsigned AtomicSectorCycles = 0;
  unsigned MissQueue = 0;    ///< Accesses on their way to the DRAM.
  unsigned FetchSectors = 1; ///< Fetched at a time, aligned: 1, 2 or 4.
  unsigned DirtyWays = 0;    ///< Most dirty lines of a set; 0: all may be.
  /// Bytes by which a slice knows what stores have written of a sector; 0: it
  /// knows only of stores that write all of it.
  unsigned WrittenUnit = 0;
  SetIndex Index = SetIndex::Linear;
  Replacement Policy = Replacement::LRU;
};

enum class Interleave : uint8_t { Linear, Hashed };

/// When a channel turns to its writes: once they have gathered, where nothing
/// is to be read, or one is old; or only once they have gathered.
enum class WriteTurns : uint8_t { Idle, Gathered };

struct DramConfig {
  unsigned Channels = 0;
  unsigned ClockMHz = 0;     ///< Of commands.
  unsigned QueueLatency = 0; ///< Core cycles from the L2 to the queue.
  unsigned Queue = 0;        ///< Reads of lines the scheduler chooses from.
  unsigned WriteQueue = 0;   ///< Writes of lines, likewise.
  unsigned WriteHigh = 0;    ///< Writes that make it turn to them,
  unsigned WriteLow = 0;     ///< and at which it returns to reads.
  unsigned Banks = 0;
  unsigned RowBytes = 0; ///< Of a channel, all its chips.
  unsigned BurstBytes = 0, BurstCycles = 0;
  unsigned WriteBurstBytes = 0; ///< Of a write; 0: the same.
  unsigned CCD = 0, RRD = 0, RCD = 0, RAS = 0, RP = 0, RC = 0;
  unsigned CL = 0, WL = 0, WR = 0, WTR = 0, RTP = 0, Turnaround = 0;
  unsigned BankGroups = 1; ///< A bank is of group bank mod groups.
  unsigned CCDLong = 0;    ///< Between columns of a group; 0: as CCD.
  /// Between refreshes of all banks, and that one takes; 0: none.
  unsigned RefreshInterval = 0, Refresh = 0;
  unsigned AgeLimit = 0; ///< After which a line goes before row hits.
  Interleave Mapping = Interleave::Linear;
  WriteTurns Turns = WriteTurns::Idle;
};

struct MemoryConfig {
  unsigned CoreMHz = 0;
  LsuConfig Lsu;
  SharedConfig Shared;
  ConstantConfig Constant;
  L1Config L1;
  IcntConfig Icnt;
  L2Config L2;
  DramConfig Dram;

  unsigned slices() const { return Dram.Channels * L2.SlicesPerChannel; }
  /// Flits of a packet with \p Bytes of data.
  unsigned flits(unsigned Bytes) const {
    return (Icnt.HeaderBytes + Bytes + Icnt.FlitBytes - 1) / Icnt.FlitBytes;
  }
};

/// The memory's figures of \p D. Fails, with file and line, on what is missing,
/// out of range, or does not fit together.
Result<MemoryConfig> readMemoryConfig(const DeviceDescription &D);

/// A figure that readMemoryConfig reads.
struct MemoryFigure {
  std::string Key;
  std::string Help;
};
std::vector<MemoryFigure> memoryFigures();

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_MEMORYCONFIG_H
