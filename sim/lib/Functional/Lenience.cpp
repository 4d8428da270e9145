//===- Lenience.cpp - Faults that are let pass ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Lenience.h"

#include "Warp.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

void LenienceLog::add(const PassedFault &F) {
  auto Same = std::ranges::find_if(Faults, [&](const PassedFault &Known) {
    return Known.Place == F.Place && Known.Sort == F.Sort &&
           Known.Kernel == F.Kernel;
  });
  if (Same == Faults.end())
    Faults.push_back(F);
  else
    Same->Count += F.Count;
}

uint64_t LenienceLog::total() const {
  uint64_t Sum = 0;
  for (const PassedFault &F : Faults)
    Sum += F.Count;
  return Sum;
}

std::string LenienceLog::summary() const {
  auto Counted = [](uint64_t Count, const char *Noun) {
    return std::to_string(Count) + " " + Noun + (Count == 1 ? "" : "s");
  };
  return "lenient mode let " + Counted(total(), "fault") + " pass at " +
         Counted(Faults.size(), "place");
}

void LaunchState::tellPassed() const {
  if (!Options.Lenient)
    return;
  for (const Passed &Each : PassedFaults)
    Options.Lenient->add(Each.What);
}

/// \p Message says what \p Sort means at its first place.
template <typename Fn>
void Warp::notePassed(const CodePlace &Place, const char *Sort, unsigned Lane,
                      Fn Message) {
  auto Known =
      std::ranges::find_if(L.PassedFaults, [&](const LaunchState::Passed &P) {
        return P.At == Place.At && P.What.Sort == Sort;
      });
  if (Known != L.PassedFaults.end()) {
    ++Known->What.Count;
    return;
  }
  const ptx::Instruction &S = Place.In->Syntax->Body[Place.At->Source];
  std::string Where = L.P.Syntax.describeLocation(S.Location);
  if (Where.empty())
    Where = "PTX line " + std::to_string(S.Line);
  std::string Who =
      ", lane " + std::to_string(Lane) + " (thread " + threadName(Lane) + ")";
  L.PassedFaults.push_back({Place.At,
                            {L.Kernel.Name, Sort, std::move(Where),
                             describe(Message(), Who, Place), 1}});
}

/// Within reach of an allocation, where a GPU has a page.
bool Warp::isStray() const {
  const Fault &F = C.F;
  return F.Kind == FaultKind::OutOfBounds &&
         (F.Where == Space::Global || F.Where == Space::Const) &&
         L.Memory.isNear(F.Address, LenientReach);
}

/// What the lanes of the mask read where there is nothing.
void Warp::readNothing(const Inst &I, const CodePlace &Place) {
  if (I.IsLoad && I.IsStore && !I.IsAtomic) {
    // A copy of no bytes fills its destination with zeros.
    Inst Fill = I;
    Fill.Round = 1;
    Fill.Ops[2] = SpecialRow | unsigned(SpecialReg::Zero);
    Fill.Fn(C, Fill);
    return;
  }
  const Inst &Of = *Place.At;
  for (unsigned K = 0; K != Place.In->numResults(Of); ++K) {
    uint32_t *Words =
        C.dest(Place.In->Accesses[Of.FirstAccess + Of.NumReads + K]);
    for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1)
      Words[std::countr_zero(Rest)] = 0;
  }
}

/// Executes an access that has faulted again, lane by lane. Those that stray
/// read zeros and write nothing; any other fault stays.
void Warp::letPass(const Inst &I, const CodePlace &Place) {
  if (!L.Options.Lenient || !isStray())
    return;
  const Fault First = C.F;
  const uint32_t Mask = C.Mask;
  uint64_t Addresses[WarpSize];
  std::copy_n(C.Addresses, WarpSize, Addresses);
  uint32_t Strays = 0;
  for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
    C.F = {};
    C.Mask = Rest & -Rest;
    I.Fn(C, I);
    if (C.F.Kind == FaultKind::None)
      continue;
    if (!isStray())
      break;
    Strays |= C.Mask;
  }
  if (C.F.Kind != FaultKind::None && !isStray()) {
    C.Mask = Mask;
    return;
  }
  C.F = First;
  const char *Sort = I.IsAtomic ? "out-of-bounds atomic access"
                     : I.IsLoad ? "out-of-bounds read"
                                : "out-of-bounds write";
  notePassed(Place, Sort, First.Lane, [&] {
    return explainAccess(I).Rule +
           (I.IsLoad ? "; it reads zeros" : "; it is dropped");
  });
  C.F = {};
  C.Mask = Strays;
  if (I.IsLoad)
    readNothing(I, Place);
  C.Mask = Mask;
  C.Accessed = First.Where;
  std::copy_n(Addresses, WarpSize, C.Addresses);
}

/// Without the lanes that its mask names and that do not come.
void Warp::goOnWithout(const std::string &Rule, unsigned Lane) {
  C.Silent = ~C.Mask;
  notePassed({&function(), Last}, "missing threads", Lane, [&] {
    return Rule + "; it goes on without them, and shuffles read zeros there";
  });
}

} // namespace regshare::sim
