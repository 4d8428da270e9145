//===- ViewsPerfetto.cpp - A launch as a timeline -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewText.h"
#include "regshare/Sim/Views.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string_view>

namespace regshare::sim {

/// Process numbers of the trace: the device, then its SMs. Not 0, which trace
/// viewers reserve.
static constexpr unsigned DeviceProcess = 1, FirstSMProcess = 2;
/// Track numbers: CTA slots, then warp slots.
static constexpr unsigned FirstCtaTrack = 1, FirstWarpTrack = 1001;

static bool isBegin(TimelineEvent::Kind K) {
  return K == TimelineEvent::CtaBegin || K == TimelineEvent::WarpBegin ||
         K == TimelineEvent::BarrierBegin || K == TimelineEvent::WaitBegin ||
         K == TimelineEvent::HoldBegin;
}

static unsigned trackOf(const TimelineEvent &E) {
  bool IsCta = E.K == TimelineEvent::CtaBegin || E.K == TimelineEvent::CtaEnd;
  return (IsCta ? FirstCtaTrack : FirstWarpTrack) + E.Slot;
}

static std::string nameOf(const TimelineEvent &E, const PoolStats &Pool) {
  switch (E.K) {
  case TimelineEvent::CtaBegin:
  case TimelineEvent::CtaEnd:
    return "CTA " + std::to_string(E.Cta);
  case TimelineEvent::WarpBegin:
  case TimelineEvent::WarpEnd:
    return "CTA " + std::to_string(E.Cta) + " warp " + std::to_string(E.Warp);
  case TimelineEvent::BarrierBegin:
  case TimelineEvent::BarrierEnd:
    return "barrier";
  case TimelineEvent::WaitBegin:
  case TimelineEvent::WaitEnd:
    return Pool.Waits;
  case TimelineEvent::HoldBegin:
  case TimelineEvent::HoldEnd:
    break;
  }
  return Pool.Holds;
}

/// Streams the events: a long launch has more of them than one would hold.
struct PerfettoWriter::Impl {
  std::ostream &OS;
  const DeviceDescription &Device;
  const char *Separator = "\n";
  std::set<std::pair<unsigned, unsigned>> NamedTracks;
  std::set<unsigned> NamedProcesses;
  double BeginMicros = 0; ///< Of the launch.

  Impl(std::ostream &OS, const DeviceDescription &Device)
      : OS(OS), Device(Device) {}

  static std::string quoted(const std::string &Text) {
    return nlohmann::json(Text).dump();
  }
  /// Trace times are microseconds; picoseconds tell all cycles apart.
  std::string micros(uint64_t Cycle) const {
    return fixed(BeginMicros + double(Cycle) / Device.CoreClockMHz, 6);
  }
  std::ostream &event(const char *Phase, unsigned Process) {
    OS << Separator << "{\"ph\":\"" << Phase << "\",\"pid\":" << Process;
    Separator = ",\n";
    return OS;
  }
  void nameProcess(unsigned Process, const std::string &Name) {
    if (!NamedProcesses.insert(Process).second)
      return;
    event("M", Process) << ",\"name\":\"process_name\",\"args\":{\"name\":"
                        << quoted(Name) << "}}";
    event("M", Process) << ",\"name\":\"process_sort_index\",\"args\":"
                        << "{\"sort_index\":" << Process << "}}";
  }
  void nameTrack(unsigned Process, unsigned Track, const std::string &Name) {
    if (!NamedTracks.insert({Process, Track}).second)
      return;
    event("M", Process) << ",\"tid\":" << Track
                        << ",\"name\":\"thread_name\",\"args\":{\"name\":"
                        << quoted(Name) << "}}";
    event("M", Process) << ",\"tid\":" << Track
                        << ",\"name\":\"thread_sort_index\",\"args\":"
                        << "{\"sort_index\":" << Track << "}}";
  }
  void slice(unsigned Process, unsigned Track, bool Begin, uint64_t Cycle,
             const std::string &Name) {
    event(Begin ? "B" : "E", Process)
        << ",\"tid\":" << Track << ",\"ts\":" << micros(Cycle);
    if (Begin)
      OS << ",\"name\":" << quoted(Name) << ",\"args\":{\"cycle\":" << Cycle
         << "}";
    OS << "}";
  }
  void counter(uint64_t Cycle, const std::string &Name,
               const std::string &Value) {
    event("C", DeviceProcess)
        << ",\"tid\":0,\"ts\":" << micros(Cycle) << ",\"name\":\"" << Name
        << "\",\"args\":{\"value\":" << Value << "}}";
  }
  void addEvents(const TimingStats &Stats);
  void addSamples(const TimingStats &Stats);
};

void PerfettoWriter::Impl::addEvents(const TimingStats &Stats) {
  for (const TimelineEvent &E : Stats.Timeline) {
    unsigned Process = FirstSMProcess + E.SM, Track = trackOf(E);
    nameProcess(Process, "SM " + std::to_string(E.SM));
    nameTrack(Process, Track,
              (Track < FirstWarpTrack ? "CTA slot " : "warp slot ") +
                  std::to_string(E.Slot));
    slice(Process, Track, isBegin(E.K), E.When, nameOf(E, Stats.Pool));
  }
}

void PerfettoWriter::Impl::addSamples(const TimingStats &Stats) {
  uint64_t Last = 0;
  const std::string Shared = std::string(Stats.Pool.Unit) + "s in use";
  for (const OccupancySample &S : Stats.Samples) {
    counter(S.When, "resident warps", std::to_string(S.ResidentWarps));
    counter(S.When, "resident CTAs", std::to_string(S.ResidentCtas));
    counter(S.When, "IPC",
            fixed(shareOf(double(S.Issued), double(S.When - Last)), 4));
    if (!Stats.Pool.isEmpty())
      counter(S.When, Shared, std::to_string(S.PoolInUse));
    Last = S.When;
  }
  if (Stats.Samples.empty())
    return;
  // Between launches nothing is resident.
  for (const char *Name : {"resident warps", "resident CTAs", "IPC"})
    counter(Stats.Cycles, Name, "0");
  if (!Stats.Pool.isEmpty())
    counter(Stats.Cycles, Shared, "0");
}

PerfettoWriter::PerfettoWriter(std::ostream &OS,
                               const DeviceDescription &Device)
    : I(std::make_unique<Impl>(OS, Device)) {
  OS << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  I->nameProcess(DeviceProcess, Device.Name + ": " + Device.Description);
  I->nameTrack(DeviceProcess, FirstCtaTrack, "kernels");
}

PerfettoWriter::~PerfettoWriter() { I->OS << "\n]}\n"; }

void PerfettoWriter::addEvent(std::string_view Json) {
  I->OS << I->Separator << Json;
  I->Separator = ",\n";
}

void PerfettoWriter::add(const TimingStats &Stats, double BeginSeconds) {
  I->BeginMicros = BeginSeconds * 1e6;
  I->slice(DeviceProcess, FirstCtaTrack, true, 0, Stats.Kernel);
  I->addEvents(Stats);
  I->addSamples(Stats);
  I->slice(DeviceProcess, FirstCtaTrack, false, Stats.Cycles, Stats.Kernel);
}

} // namespace regshare::sim
