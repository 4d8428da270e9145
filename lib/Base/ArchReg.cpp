//===- ArchReg.cpp - Architected registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/ArchReg.h"

#include <charconv>

namespace regshare {

std::string ArchReg::name() const {
  assert(isValid() && "no register");
  switch (Kind) {
  case RegKind::Pred:
    return "P" + std::to_string(Index);
  case RegKind::B16:
    return "H" + std::to_string(Index);
  case RegKind::B32:
  case RegKind::B64:
  case RegKind::B128:
    break;
  }
  std::string Name = "R" + std::to_string(Index);
  for (unsigned I = 1; I < units(); ++I)
    Name += "_" + std::to_string(Index + I);
  return Name;
}

static RegKind kindForUnits(unsigned Units) {
  return Units == 1 ? RegKind::B32 : Units == 2 ? RegKind::B64 : RegKind::B128;
}

Result<ArchReg> ArchReg::parse(std::string_view Name) {
  auto Bad = [&](const char *Why) {
    return fail("'" + std::string(Name) +
                "' is not an architected register: " + Why);
  };
  if (Name.size() < 2 || std::string_view("RHP").find(Name[0]) == Name.npos)
    return Bad("expected R<n>, R<n>_<n+1>, H<n> or P<n>");
  unsigned Indices[4];
  unsigned Count = 0;
  const char *P = Name.data() + 1, *End = Name.data() + Name.size();
  while (true) {
    if (Count == 4)
      return Bad("a register has at most four units");
    auto [Next, Ec] = std::from_chars(P, End, Indices[Count]);
    if (Ec != std::errc() || Next == P)
      return Bad("expected a number");
    if (Next - P > 1 && *P == '0')
      return Bad("leading zeros");
    ++Count;
    P = Next;
    if (P == End)
      break;
    if (*P++ != '_')
      return Bad("expected '_' or the end");
  }
  unsigned First = Indices[0];
  if (Name[0] == 'P') {
    if (Count != 1 || First >= NumPredicates)
      return Bad("predicates are P0 to P6");
    return ArchReg{RegKind::Pred, uint8_t(First)};
  }
  if (Count == 3 || (Name[0] == 'H' && Count != 1))
    return Bad("a register has one, two or four units");
  if (First + Count > MaxArchUnits)
    return Bad("registers are R0 to R254");
  if (First % Count)
    return Bad("pairs and quads are aligned to their size");
  for (unsigned I = 1; I != Count; ++I)
    if (Indices[I] != First + I)
      return Bad("the units of a register are consecutive");
  RegKind Kind = Name[0] == 'H' ? RegKind::B16 : kindForUnits(Count);
  return ArchReg{Kind, uint8_t(First)};
}

std::string RegSet::str() const {
  std::string Out;
  auto Append = [&](char File, unsigned First, unsigned Last) {
    if (!Out.empty())
      Out += ' ';
    Out += File + std::to_string(First);
    if (Last != First)
      Out += std::string("-") + File + std::to_string(Last);
  };
  for (unsigned Bit = 0; Bit != PredBase; ++Bit) {
    if (!test(Bit))
      continue;
    unsigned Last = Bit;
    while (Last + 1 != PredBase && test(Last + 1))
      ++Last;
    Append('R', Bit, Last);
    Bit = Last;
  }
  for (unsigned P = 0; P != NumPredicates; ++P)
    if (test(PredBase + P))
      Append('P', P, P);
  return Out.empty() ? "-" : Out;
}

} // namespace regshare
