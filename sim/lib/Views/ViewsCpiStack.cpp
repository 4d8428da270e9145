//===- ViewsCpiStack.cpp - Where the issue slots went ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewText.h"
#include "regshare/Sim/Views.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <tuple>
#include <vector>

namespace regshare::sim {

/// The uses that occur: issued slots, then the causes by their weight.
static std::vector<SlotUse> usesByWeight(const CpiStack &Slots) {
  std::vector<SlotUse> Uses;
  for (unsigned N = 0; N != NumSlotUses; ++N)
    if (Slots.Slots[N])
      Uses.push_back(SlotUse(N));
  auto Rank = [&](SlotUse U) {
    return std::tuple(U != SlotUse::Issued, ~Slots[U], U);
  };
  std::ranges::sort(Uses, {}, Rank);
  return Uses;
}

void printCpiStack(std::ostream &OS, const TimingStats &Stats) {
  constexpr double BarWidth = 30;
  constexpr size_t NameWidth = 18;
  auto Total = double(Stats.Slots.total());
  auto Issued = double(Stats.Slots[SlotUse::Issued]);
  OS << "issue slots: " << grouped(Stats.Slots.total()) << ", "
     << Stats.SlotsPerCycle << " in each cycle of an SM\n"
     << "   share  cycles per instruction\n";
  for (SlotUse U : usesByWeight(Stats.Slots)) {
    double Share = double(Stats.Slots[U]) / Total;
    std::string Bar(size_t(std::lround(Share * BarWidth)), '#');
    std::string Name = slotUseName(U);
    Name.resize(std::max(NameWidth, Name.size()), ' ');
    std::string Cpi =
        Issued != 0 ? fixed(double(Stats.Slots[U]) / Issued, 3) : "-";
    Cpi.insert(0, 9 - std::min<size_t>(9, Cpi.size()), ' ');
    Bar.resize(size_t(BarWidth), ' ');
    OS << "  " << percent(Share) << Cpi << "  " << Bar << "  " << Name << " "
       << slotUseHelp(U) << "\n";
  }
}

static void printLine(std::ostream &OS, const std::string &Where,
                      const CpiStack &Slots) {
  OS << Where;
  for (uint64_t Count : Slots.Slots)
    OS << "," << Count;
  OS << "\n";
}

void printCpiStackCsv(std::ostream &OS, const TimingStats &Stats, bool PerSM) {
  OS << "sm";
  for (unsigned N = 0; N != NumSlotUses; ++N)
    OS << "," << slotUseName(SlotUse(N));
  OS << "\n";
  printLine(OS, "all", Stats.Slots);
  if (!PerSM)
    return;
  for (size_t SM = 0; SM != Stats.SlotsOfSM.size(); ++SM)
    printLine(OS, std::to_string(SM), Stats.SlotsOfSM[SM]);
}

} // namespace regshare::sim
