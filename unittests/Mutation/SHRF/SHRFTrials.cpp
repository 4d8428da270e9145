//===- SHRFTrials.cpp - Mistakes in code of SHRF --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/CodeGen/Statements.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare::mutation {

/// Nothing in it for other statements.
static OperandPlaces placesOf(const MachineInstr &MI) {
  return statementVerb(MI) == "operands" ? *parseOperands(statementOf(MI))
                                         : OperandPlaces();
}

static Outcome replacePlaces(MachineInstr &MI, const OperandPlaces &P) {
  if (!P.isEmpty())
    return replaceStatement(MI, printOperandsPragma(P));
  MI.eraseFromParent();
  return Outcome::Made;
}

/// The number of slots of the function that \p MI is in.
static unsigned numSlots(const MachineInstr &MI) {
  for (const MachineInstr &Each : MI.getMF()->front())
    if (statementVerb(Each) == "cache")
      return *parseCache(statementOf(Each));
  return 0;
}

static unsigned numPlaces(const MachineInstr &MI, const RegisterAssignment &) {
  OperandPlaces P = placesOf(MI);
  unsigned Count = 0;
  for (const OperandPlacesField &F : OperandPlacesFields)
    Count += (P.*F.Places).size();
  return Count;
}

/// Drops a place, or names the next slot that no other place has.
static Outcome changePlace(MachineInstr &MI, bool IsDropped, unsigned Which) {
  OperandPlaces P = placesOf(MI);
  std::vector<bool> Taken(numSlots(MI));
  std::vector<CachePlace> *List = nullptr;
  size_t Index = 0;
  for (const OperandPlacesField &F : OperandPlacesFields)
    for (CachePlace &C : P.*F.Places) {
      Taken[C.Slot] = true;
      if (Which-- == 0) {
        List = &(P.*F.Places);
        Index = &C - List->data();
      }
    }
  if (IsDropped) {
    List->erase(List->begin() + Index);
    return replacePlaces(MI, P);
  }
  unsigned &Slot = (*List)[Index].Slot;
  for (unsigned Next = 1; Next != Taken.size(); ++Next)
    if (unsigned Other = (Slot + Next) % Taken.size(); !Taken[Other]) {
      Slot = Other;
      return replacePlaces(MI, P);
    }
  return Outcome::None;
}

static Outcome dropPlace(MachineInstr &MI, const RegisterAssignment &,
                         unsigned Which) {
  return changePlace(MI, /*IsDropped=*/true, Which);
}

static Outcome otherSlot(MachineInstr &MI, const RegisterAssignment &,
                         unsigned Which) {
  return changePlace(MI, /*IsDropped=*/false, Which);
}

static unsigned resultsInBoth(const MachineInstr &MI,
                              const RegisterAssignment &) {
  return placesOf(MI).Both.size();
}

static Outcome keepFromMain(MachineInstr &MI, const RegisterAssignment &,
                            unsigned Which) {
  OperandPlaces P = placesOf(MI);
  P.Cache.push_back(P.Both[Which]);
  P.Both.erase(P.Both.begin() + Which);
  llvm::sort(P.Cache, [](const CachePlace &A, const CachePlace &B) {
    return A.Unit < B.Unit;
  });
  return replacePlaces(MI, P);
}

namespace {

constexpr char InMainToo[] = "proved sound: the main file has it as well";
constexpr OwnChange Changes[] = {
    {"drop a place", InMainToo, numPlaces, dropPlace},
    {"other slot", "proved sound: nobody reads it from its slot", numPlaces,
     otherSlot},
    {"cache alone", "proved sound: nobody reads it from the main file",
     resultsInBoth, keepFromMain}};

/// The size is a warp's part of the cache.
class CacheTrial final : public SchemeTrial {
  SettingValues settings(unsigned Size) const override {
    return Size ? SettingValues().set(settings::IntervalRegisters, Size)
                : SettingValues();
  }
  unsigned randomSize(uint64_t Seed) const override { return 4 + Seed % 4 * 4; }
  std::vector<unsigned> programSizes() const override { return {8, 16, 32}; }
  std::span<const OwnChange> ownChanges() const override { return Changes; }
  const char *reasonWithout(StringRef Verb) const override {
    return Verb == "operands"
               ? InMainToo
               : "proved sound: nothing is read that was there before";
  }
};

constexpr CacheTrial Trial;

constexpr TrialFamily::Member Members[] = {{schemes::SHRF, Trial}};

} // namespace

extern const TrialFamily SHRFTrials;
const TrialFamily SHRFTrials = {Members};

} // namespace regshare::mutation
