//===- RegisterRuns.cpp - How far N registers reach -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterRuns.h"

#include <array>

namespace regshare {

RegisterRuns::Piece RegisterRuns::longest(unsigned Begin, unsigned End,
                                          RegSet Held) const {
  Piece Run{Begin, {}};
  RegSet All = Held;
  for (; Run.End != End; ++Run.End) {
    RegSet Named = G.named(Run.End, Run.End + 1);
    All |= Named;
    if (All.countUnits() > Options.MaxRegisters)
      return Run;
    Run.Regs |= Named;
  }
  return Run;
}

std::vector<RegisterRuns::Piece> RegisterRuns::divide(unsigned Begin,
                                                      unsigned End) const {
  if (Options.Cut == CutRule::FewestLive)
    return divideWhereFewestLive(Begin, End);
  std::vector<Piece> Pieces;
  while (Begin != End) {
    Pieces.push_back(longest(Begin, End));
    Begin = Pieces.back().End;
  }
  return Pieces;
}

/// For each instruction from \p Begin on, the end of the longest run that
/// starts there. A window slides over the code and counts how often each unit
/// is named in it.
std::vector<unsigned> RegisterRuns::reach(unsigned Begin, unsigned End) const {
  std::vector<unsigned> Reach(End - Begin);
  std::array<unsigned, 256> Count{};
  unsigned Distinct = 0, Stop = Begin;
  for (unsigned I = Begin; I != End; ++I) {
    for (; Stop != End; ++Stop) {
      unsigned More = 0;
      for (uint8_t Unit : G.units(Stop))
        More += Count[Unit]++ == 0;
      Distinct += More;
      if (Distinct <= Options.MaxRegisters)
        continue;
      for (uint8_t Unit : G.units(Stop))
        --Count[Unit];
      Distinct -= More;
      break;
    }
    Reach[I - Begin] = Stop;
    for (uint8_t Unit : G.units(I))
      Distinct -= --Count[Unit] == 0;
  }
  return Reach;
}

/// Cutting late makes the fewest pieces. A piece may end earlier as long as
/// what follows it still takes no more pieces than were left.
std::vector<RegisterRuns::Piece>
RegisterRuns::divideWhereFewestLive(unsigned Begin, unsigned End) const {
  std::vector<unsigned> Reach = reach(Begin, End);
  std::vector<unsigned> Left(End - Begin + 1); // pieces from here to the end
  for (unsigned I = End; I-- != Begin;)
    Left[I - Begin] = 1 + Left[Reach[I - Begin] - Begin];
  std::vector<Piece> Pieces;
  while (Begin != End) {
    unsigned First = End - (Left.size() - 1);
    unsigned Cut = Reach[Begin - First];
    for (unsigned At = Cut; At != Begin && Cut != End; --At) {
      if (Left[At - First] + 1 > Left[Begin - First])
        break;
      if (G.live(At) < G.live(Cut))
        Cut = At;
    }
    Pieces.push_back({Cut, G.named(Begin, Cut)});
    Begin = Cut;
  }
  return Pieces;
}

} // namespace regshare
