//===- RegMutexChoose.cpp - Size of the extended set ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexTransform.h"

#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/RegisterLimit.h"

#include <cmath>

using namespace llvm;

namespace regshare {

static Error toError(const Diagnostic &D) { return createStringError(D.str()); }

/// Sets what \p R says about places where warps wait for each other.
static void findMinBase(const MachineFunction &MF, const Analyses &A,
                        const WaitPoints &Waits, RegMutexResult &R) {
  R.Waits = Waits.count();
  R.MinBase = A.Assignment.reserved();
  for (const MachineBasicBlock &MBB : MF)
    A.Warp.forEachBackward(MBB, [&](const MachineInstr &MI,
                                    const RegSet &Before, const RegSet &After) {
      if (!Waits.isWait(MI))
        return;
      HeldRegisters Held = heldDuring(A.Assignment.effects(MI), Before, After);
      unsigned Units = Held.Units + A.Assignment.reserved();
      if (Units < R.MinBase || (Units == R.MinBase && !R.MinBaseAt.empty()))
        return;
      R.MinBase = Units;
      R.MinBaseAt = placeOf(MI);
    });
}

Error RegMutexTransform::loadTheDevice() {
  Result<DeviceDescription> Loaded = loadDevice(Options.Device);
  if (!Loaded)
    return toError(Loaded.error());
  // A scheme beside this one may lift other limits of the occupancy.
  Result<Scheme> S = parseScheme(Options.Scheme);
  const SchemeDescription *Own = S ? S->claimantOf(Domain::Rows) : nullptr;
  KernelResources K = expectedResources(MF.getFunction(), R.Regs, Options);
  Device = Own ? S->deviceFor(*Own, *Loaded, K, Options.Settings) : *Loaded;
  return Error::success();
}

Error RegMutexTransform::chooseAsTold() {
  unsigned Extended = extendedAsked();
  if (Extended >= R.Regs) {
    R.Untouched = "the kernel has " + std::to_string(R.Regs) +
                  ", which leaves none for the base set";
    return Error::success();
  }
  if (!Options.Device.empty()) {
    if (Error E = loadTheDevice())
      return E;
    KernelResources K = expectedResources(MF.getFunction(), R.Regs, Options);
    Result<ExtendedSetCandidate> C =
        evaluateExtendedSet(kind(), *Device, K, R.MinBase, Extended);
    if (!C)
      return toError(C.error());
    R.Choice = {kind(), R.Regs,      R.MinBase, occupancy(*Device, K),
                {*C},   std::nullopt};
    if (!C->Residency.CTAs) {
      R.Untouched = "not one CTA is resident on " + Device->Name +
                    " with a section of the pool";
      return Error::success();
    }
    R.Choice->Candidates[0].Refused = CandidateRefusal::None;
    R.Choice->Chosen = 0;
  }
  R.Split = RegMutexSplit{R.Regs - Extended, Extended};
  return Error::success();
}

Error RegMutexTransform::chooseByPolicy(unsigned MinBase) {
  if (Error E = loadTheDevice())
    return E;
  Result<ExtendedSetChoice> Choice = chooseExtendedSet(
      kind(), *Device, expectedResources(MF.getFunction(), R.Regs, Options),
      MinBase);
  if (!Choice)
    return toError(Choice.error());
  R.Choice = std::move(*Choice);
  if (R.Choice->Chosen)
    R.Split = R.Choice->Candidates[*R.Choice->Chosen].Split;
  else if (!R.Choice->Baseline.CTAs)
    R.Untouched = "not one CTA is resident on " + Device->Name;
  else
    R.Untouched = "the policy chooses no extended set";
  return Error::success();
}

Error RegMutexTransform::choose() {
  Expected<RegisterAssignment> Given = RegisterAssignment::fromNames(MF);
  if (!Given)
    return Given.takeError();
  R.Regs = Given->numUnits();
  WarpFacts W(MF, std::move(*Given), Facts.PDT);
  findMinBase(MF, W.A, W.Waits, R);
  R.LeastBase = R.MinBase;
  ExecutedBefore = executed(W.A);
  if (!extendedAsked() && Options.Device.empty())
    return createStringError(
        MF.getName() + ": RegMutex chooses the extended set by the device's "
                       "occupancy: say -regshare-device=<name>, or "
                       "-regshare-es=<n>");
  if (const MachineInstr *Unknown = W.Stops.unknownMeeting()) {
    R.Untouched = "lanes may meet anywhere after " + placeOf(*Unknown);
    return Error::success();
  }
  if (R.Regs < 2) {
    R.Untouched = "a kernel with less than two registers cannot share any";
    return Error::success();
  }
  return extendedAsked() ? chooseAsTold() : chooseByPolicy(R.MinBase);
}

/// Asks the policy again where less has to be in the base set if values are
/// computed again, if that can matter.
Error RegMutexTransform::lowerMinBase() {
  if (!Options.Rematerialize || R.MinBase < 2)
    return Error::success();
  Expected<RegisterAssignment> Places = RegisterAssignment::fromNames(MF);
  if (!Places)
    return Places.takeError();
  Recomputation Again(MF, &*Places);
  Expected<unsigned> Least =
      planRecompute({/*AtWaits=*/true, /*Target=*/0, HUGE_VAL}, Again, *Places,
                    /*Apply=*/false);
  unsigned CopiesRemoved = 0;
  eraseStatements(MF, {"temps", "scratch"});
  rewriteToArchitected(MF, *Places, CopiesRemoved);
  if (!Least)
    return Least.takeError();
  R.LeastBase = std::min(R.MinBase, *Least);
  R.Split.reset();
  R.Untouched.clear();
  Error E = chooseByPolicy(R.LeastBase);
  if (!E)
    R.Choice->MinBase = R.MinBase;
  return E;
}

/// The candidates of the registers rounded up to a multiple of four, as the
/// paper's Table I has them.
void RegMutexTransform::addRoundedCandidates() {
  ExtendedSetChoice &C = *R.Choice;
  KernelResources K =
      expectedResources(MF.getFunction(), alignTo(R.Regs, 4), Options);
  Result<ExtendedSetChoice> More =
      chooseExtendedSet(kind(), *Device, K, R.LeastBase);
  if (!More)
    return; // The device has not so many.
  for (ExtendedSetCandidate &New : More->Candidates) {
    if (llvm::any_of(C.Candidates, [&](const ExtendedSetCandidate &Old) {
          return Old.Split.Base == New.Split.Base;
        }))
      continue;
    if (New.Refused == CandidateRefusal::None &&
        New.Residency.Warps <= C.Baseline.Warps)
      New.Refused = CandidateRefusal::NoGain;
    auto Where = llvm::find_if(C.Candidates, [&](auto &Old) {
      return Old.Split.Base < New.Split.Base;
    });
    size_t At = Where - C.Candidates.begin();
    C.Candidates.insert(Where, New);
    if (C.Chosen && *C.Chosen >= At)
      ++*C.Chosen;
  }
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// What is tried for one split.
static std::vector<Approach> approaches(bool Recompute) {
  std::vector<Approach> Ways = {{}};
  for (unsigned Slack : {0, 2})
    for (double Moves : {1, 6, 30})
      Ways.push_back({ChangeCost + Moves * MoveCost, Slack, std::nullopt});
  if (!Recompute)
    return Ways;
  for (unsigned Slack : {0, 3})
    Ways.push_back({std::nullopt, Slack, RecomputeGoal{true, 0, HUGE_VAL}});
  for (double MostCost : {0.5, 4.0, HUGE_VAL})
    for (std::optional<double> Crossing :
         {std::optional<double>(), std::optional(ChangeCost + 6 * MoveCost)})
      Ways.push_back({Crossing, 0, RecomputeGoal{false, 0, MostCost}});
  return Ways;
}

/// How fast warps get on together that execute \p Executed instructions each
/// if \p Warps are under way. Doubling the warps of the suite's kernels where
/// registers limit them makes them 1.1 to 1.4 times as fast.
static double speed(double Warps, double Executed) {
  constexpr double Gain = 0.3;
  return std::pow(Warps, Gain) / Executed;
}

double RegMutexTransform::scoreBefore() const {
  return speed(R.Choice->Baseline.Warps, ExecutedBefore);
}

/// What \p O comes to with no more extended registers than it uses.
RegMutexTransform::Found
RegMutexTransform::judgeForPolicy(const Approach &How, const Outcome &O,
                                  RegMutexSplit Split) const {
  // Warps do not come to take a section in the moment it is given back.
  constexpr double Busy = 0.8;
  unsigned Used = std::max(O.Units, Split.Base + 1) - Split.Base;
  Split.Extended = std::min<unsigned>(Split.Extended, alignTo(Used, 2));
  Result<RegMutexResidency> Resident = regMutexResidency(
      kind(), *Device,
      expectedResources(MF.getFunction(), Split.Base + 1, Options), Split);
  assert(Resident && "smaller than a candidate");
  double Warps = warpsUnderWay(*Resident, O.HeldShare / Busy);
  return Found{How, Split, O.HeldShare, Warps, speed(Warps, O.Executed)};
}

void RegMutexTransform::setUntouched(const SplitRefusal &Why) {
  R.Split.reset();
  R.Untouched = Why.Why;
  if (Why.At)
    R.Untouched += ", at " + placeOf(*Why.At);
}

/// The best way to have \p Split; if there is none, says so in R.
Expected<std::optional<RegMutexTransform::Found>>
RegMutexTransform::search(RegMutexSplit Split) {
  R.Split = Split;
  std::optional<Found> Best;
  SplitRefusal Refusal;
  for (const Approach &How : approaches(Options.Rematerialize)) {
    Expected<Outcome> O = attempt(How, /*Commit=*/false);
    if (!O)
      return O.takeError();
    if (Refusal.Why.empty())
      Refusal = O->Refusal;
    if (!O->Possible)
      continue;
    Found F{How, Split, O->HeldShare, 0, -O->Cost};
    if (!isGiven())
      F = judgeForPolicy(How, *O, Split);
    if (!Best || F.Score > Best->Score)
      Best = F;
  }
  if (!Best)
    setUntouched(Refusal);
  return Best;
}

/// Rewrites the kernel in a way that the search has found. What the search
/// judged last was undone since, which may leave the code with its registers in
/// another order, so that the way has to prove itself again.
Error RegMutexTransform::commit(const Approach &How) {
  Expected<Outcome> Result = attempt(How, /*Commit=*/true);
  if (!Result)
    return Result.takeError();
  if (!Result->Possible)
    setUntouched(Result->Refusal);
  return Error::success();
}

/// A size that was asked for, or that the published policy chooses, is taken as
/// it is.
Error RegMutexTransform::applyGiven() {
  Expected<std::optional<Found>> Best = search(*R.Split);
  if (!Best)
    return Best.takeError();
  if (!*Best) {
    if (R.Choice && R.Choice->Chosen) {
      R.Choice->Candidates[*R.Choice->Chosen].Refused =
          CandidateRefusal::NoAssignment;
      R.Choice->Chosen.reset();
    }
    return Error::success();
  }
  return commit((*Best)->How);
}

/// Of all candidates, the policy's one unless another promises more. What is
/// after all slower than Baseline is refused.
Error RegMutexTransform::applyBest() {
  ExtendedSetChoice &C = *R.Choice;
  std::optional<Found> Best;
  std::optional<size_t> BestAt;
  const std::optional<size_t> Policy = C.Chosen;
  C.Chosen.reset();
  std::string Why;
  for (size_t I = 0; I != C.Candidates.size(); ++I) {
    ExtendedSetCandidate &E = C.Candidates[I];
    if (E.Refused != CandidateRefusal::None)
      continue;
    Expected<std::optional<Found>> F = search(E.Split);
    if (!F)
      return F.takeError();
    if (!*F) {
      E.Refused = CandidateRefusal::NoAssignment;
      Why = R.Untouched;
      continue;
    }
    if ((*F)->Warps <= C.Baseline.Warps || (*F)->Score <= scoreBefore()) {
      E.Refused = CandidateRefusal::HeldTooLong;
      Why = "the extended set would be held for " +
            std::to_string(std::lround(100 * (*F)->HeldShare)) +
            "% of the instructions, too long for its sections";
      continue;
    }
    // Of equals the policy's, then what the policy prefers: more sections.
    constexpr double Tie = 1.002;
    double Score = (*F)->Score * (I == Policy ? Tie : 1);
    if (!Best || Score >= Best->Score) {
      Best = **F;
      Best->Score = Score;
      BestAt = I;
    }
  }
  if (!Best) {
    setUntouched({Why, nullptr});
    return Error::success();
  }
  C.Chosen = BestAt;
  R.Untouched.clear();
  R.Split = C.Candidates[*BestAt].Split;
  if (Error E = commit(Best->How))
    return E;
  if (R.Split)
    R.Split = Best->Split;
  else
    C.Chosen.reset();
  return Error::success();
}

Error RegMutexTransform::apply() {
  eraseStatements(MF, schemeVerbs());
  if (Error E = choose())
    return E;
  if (isGiven() && R.Split) {
    if (Error E = applyGiven())
      return E;
  } else if (R.Choice && !isGiven()) {
    if (Error E = lowerMinBase())
      return E;
    addRoundedCandidates();
    if (llvm::any_of(R.Choice->Candidates, [](auto &C) {
          return C.Refused == CandidateRefusal::None;
        }))
      if (Error E = applyBest())
        return E;
  }
  // Attempts that were undone leave marks on results that nobody read for a
  // while.
  if (Error E = LiveValues::collect(MF).takeError())
    return E;
  if (R.Split)
    place(*R.Split);
  return Error::success();
}

} // namespace regshare
