//===- Sharing.cpp - What paired CTAs share -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Sharing/Sharing.h"
#include "regshare/Base/Sharing/SharingStatements.h"

#include "SharingOrder.h"
#include "SharingRelease.h"
#include "Transforms/Renumber.h"

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Analysis/References.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/RegisterLimit.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

namespace {
struct Start {
  RegisterAssignment Assignment;
  unsigned PrivatePerMille;
  // As the options say, but where nothing would be shared on the device: there
  // they leave the kernel as it is.
  RegisterOrder Order;
  bool ReleasesEarly;
};
} // namespace

/// Whether another scheme is applied as well.
static bool isComposed(const CompilerOptions &Options) {
  Result<Scheme> S = parseScheme(Options.Scheme);
  return S && S->isComposed();
}

/// Reads a kernel without the statements that it may have of a scheme.
static Expected<Start> startOn(MachineFunction &MF, SharedResource What,
                               const CompilerOptions &Options) {
  eraseOldStatements(MF, Options.Scheme,
                     What == SharedResource::Registers
                         ? schemes::RegisterSharing
                         : schemes::ScratchpadSharing);
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  unsigned Regs = Assignment->numUnits();
  const SettingValues &Values = Options.Settings;
  Start S{std::move(*Assignment), Values.get<unsigned>(settings::PrivateShare),
          Values.get<RegisterOrder>(settings::Order),
          Values.get<bool>(settings::EarlyRelease)};
  if (Options.Device.empty())
    return S;
  Result<DeviceDescription> Device = loadDevice(Options.Device);
  if (!Device)
    return createStringError(Device.error().str());
  KernelResources K = expectedResources(MF.getFunction(), Regs, Options);
  // Where another scheme gives out registers, they may be no limit.
  if (What == SharedResource::Scratchpad && isComposed(Options))
    K.RegsPerThread = 0;
  if (!sharingResidency(What, *Device, K, S.PrivatePerMille).Pairs) {
    S.Order = RegisterOrder::Declared;
    S.ReleasesEarly = false;
  }
  return S;
}

/// How far a warp comes with \p Own.
static BeforeShared beforeShared(const SharingReach &Reach, const RegSet &Own) {
  return {Reach.least(Own), Reach.expected(Own)};
}

/// Registers that an instruction needs. A call needs one more, which is never
/// private: those of what is called are shared, and the SM takes the lock.
static RegSet registersNeeded(const MachineInstr &MI,
                              const RegisterAssignment &Assignment) {
  RegSet Units = Assignment.named(MI) & lowestUnits(MaxArchUnits);
  if (MI.isCall())
    Units.set(NeverPrivate);
  return Units;
}

static SharingReach reachOfRegisters(const MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const FlowFacts &Facts) {
  return SharingReach(MF, Facts.MBPI, [&](const MachineInstr &MI) {
    return registersNeeded(MI, Assignment);
  });
}

/// Takes over the assignment of \p S.
static Expected<RegisterAssignment> renumber(MachineFunction &MF, Start &S,
                                             const FlowFacts &Facts) {
  RegisterAssignment Assignment = std::move(S.Assignment);
  if (S.Order == RegisterOrder::Declared)
    return std::move(Assignment);
  SharingReach Reach = reachOfRegisters(MF, Assignment, Facts);
  OrderInput Input{Reach, firstUseOrder(MF, Assignment, BlockOrder::Layout),
                   registerGranules(MF, Assignment), Assignment.reserved()};
  renumberRegisters(MF, Assignment,
                    numbersInOrder(S.Order, Input, S.PrivatePerMille));
  // Read again: code can have numbers without registers, and lose copies.
  return RegisterAssignment::fromNames(MF);
}

/// Invalidates everything known about \p MF.
static void release(MachineFunction &MF, RegisterAssignment Assignment,
                    const FlowFacts &Facts,
                    function_ref<bool(const MachineInstr &)> Needs,
                    const std::string &Pragma, SharingResult &R) {
  Analyses A(MF, std::move(Assignment), Facts.PDT);
  ReleaseCounts Counts = placeReleases(MF, A, Needs, Pragma);
  R.Releases = Counts.Releases;
  R.EdgeBlocks = Counts.EdgeBlocks;
}

Expected<SharingResult> applyRegisterSharing(MachineFunction &MF,
                                             const FlowFacts &Facts,
                                             const CompilerOptions &Options) {
  Expected<Start> S = startOn(MF, SharedResource::Registers, Options);
  if (!S)
    return S.takeError();
  SharingResult R;
  R.Order = S->Order;
  auto Private = [&](const RegisterAssignment &A) {
    return privateRegisters(A.numUnits(), S->PrivatePerMille);
  };
  R.BeforeRenumbering = beforeShared(reachOfRegisters(MF, S->Assignment, Facts),
                                     lowestUnits(Private(S->Assignment)));
  Expected<RegisterAssignment> Assignment = renumber(MF, *S, Facts);
  if (!Assignment)
    return Assignment.takeError();
  R.Registers = Assignment->numUnits();
  R.PrivateRegs = Private(*Assignment);
  SharingReach Reach = reachOfRegisters(MF, *Assignment, Facts);
  R.Before = beforeShared(Reach, lowestUnits(*R.PrivateRegs));
  R.InstrsExecuted = Reach.expected(lowestUnits(NeverPrivate + 1));
  if (S->ReleasesEarly) {
    const RegisterAssignment Names = *Assignment;
    const RegSet Own = lowestUnits(*R.PrivateRegs);
    release(
        MF, std::move(*Assignment), Facts,
        [&](const MachineInstr &MI) {
          return !(registersNeeded(MI, Names) - Own).empty();
        },
        printSharedReleasePragma(), R);
  }
  MachineBasicBlock &Entry = MF.front();
  insertStatement(Entry, Entry.SkipPHIsAndLabels(Entry.begin()),
                  printSharingPragma(*R.PrivateRegs));
  return R;
}

Expected<SharingResult> applyScratchpadSharing(MachineFunction &MF,
                                               const FlowFacts &Facts,
                                               const CompilerOptions &Options) {
  Expected<Start> S = startOn(MF, SharedResource::Scratchpad, Options);
  if (!S)
    return S.takeError();
  const InstrFacts &Instrs = InstrFacts::get(MF);
  const RegSet Scratchpad = lowestUnits(1);
  SharingReach Reach(MF, Facts.MBPI, [&](const MachineInstr &MI) {
    return Instrs.mayAccessShared(MI) ? Scratchpad : RegSet();
  });
  SharingResult R;
  R.Registers = S->Assignment.numUnits();
  R.Before = R.BeforeRenumbering = beforeShared(Reach, RegSet());
  R.InstrsExecuted = Reach.expected(Scratchpad);
  if (S->ReleasesEarly)
    release(
        MF, std::move(S->Assignment), Facts,
        [&](const MachineInstr &MI) { return Instrs.mayAccessShared(MI); },
        printSharedReleasePragma(isComposed(Options)), R);
  return R;
}

} // namespace regshare
