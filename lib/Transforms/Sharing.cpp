//===- Sharing.cpp - What paired CTAs share -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Sharing.h"

#include "Renumber.h"
#include "SharingOrder.h"
#include "SharingRelease.h"

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Analysis/References.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/Sharing.h"
#include "regshare/CodeGen/Directives.h"
#include "regshare/Transforms/RegisterLimit.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// The options that hold for a kernel: without a device those that were given;
/// where nothing would be shared on the device, those that leave it as it is.
static Expected<CompilerOptions> optionsFor(const MachineFunction &MF,
                                            SharedResource What, unsigned Regs,
                                            CompilerOptions Options) {
  if (Options.Device.empty())
    return Options;
  Result<DeviceDescription> Device = loadDevice(Options.Device);
  if (!Device)
    return createStringError(Device.error().str());
  KernelResources K = expectedResources(MF.getFunction(), Regs, Options);
  if (!sharingResidency(What, *Device, K, Options.PrivatePerMille).Pairs) {
    Options.Order = RegisterOrder::Declared;
    Options.EarlyRelease = false;
  }
  return Options;
}

/// How far a warp comes with \p Own.
static BeforeShared beforeShared(const SharingReach &Reach, const RegSet &Own) {
  return {Reach.least(Own), Reach.expected(Own)};
}

static SharingReach reachOfRegisters(const MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const FlowFacts &Facts) {
  return SharingReach(MF, Facts.MBPI, [&](const MachineInstr &MI) {
    return Assignment.named(MI) & lowestUnits(MaxArchUnits);
  });
}

/// Gives the registers the numbers of Options.Order.
static Expected<RegisterAssignment> renumber(MachineFunction &MF,
                                             RegisterAssignment Assignment,
                                             const FlowFacts &Facts,
                                             const CompilerOptions &Options) {
  if (Options.Order == RegisterOrder::Declared)
    return std::move(Assignment);
  SharingReach Reach = reachOfRegisters(MF, Assignment, Facts);
  OrderInput Input{Reach, firstUseOrder(MF, Assignment, BlockOrder::Layout),
                   registerGranules(MF, Assignment)};
  renumberRegisters(
      MF, Assignment,
      numbersInOrder(Options.Order, Input, Options.PrivatePerMille));
  // Read again: code can have numbers without registers, and lose copies.
  return RegisterAssignment::fromNames(MF);
}

/// Invalidates everything known about \p MF.
static void release(MachineFunction &MF, RegisterAssignment Assignment,
                    const FlowFacts &Facts,
                    function_ref<bool(const MachineInstr &)> Needs,
                    SharingResult &R) {
  Analyses A(MF, std::move(Assignment), Facts.PDT);
  ReleaseCounts Counts = placeReleases(MF, A, Needs);
  R.Releases = Counts.Releases;
  R.EdgeBlocks = Counts.EdgeBlocks;
}

Expected<SharingResult> applyRegisterSharing(MachineFunction &MF,
                                             const FlowFacts &Facts,
                                             const CompilerOptions &Options) {
  eraseDirectives(MF, schemeVerbs());
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  Expected<CompilerOptions> Here = optionsFor(MF, SharedResource::Registers,
                                              Assignment->numUnits(), Options);
  if (!Here)
    return Here.takeError();
  SharingResult R;
  R.Order = Here->Order;
  auto Private = [&](const RegisterAssignment &A) {
    return privateRegisters(A.numUnits(), Options.PrivatePerMille);
  };
  R.BeforeRenumbering = beforeShared(reachOfRegisters(MF, *Assignment, Facts),
                                     lowestUnits(Private(*Assignment)));
  Assignment = renumber(MF, std::move(*Assignment), Facts, *Here);
  if (!Assignment)
    return Assignment.takeError();
  R.Registers = Assignment->numUnits();
  R.PrivateRegs = Private(*Assignment);
  SharingReach Reach = reachOfRegisters(MF, *Assignment, Facts);
  R.Before = beforeShared(Reach, lowestUnits(*R.PrivateRegs));
  R.InstrsExecuted = Reach.expected(lowestUnits(MaxArchUnits));
  if (Here->EarlyRelease) {
    // Also what is called may use them.
    const RegisterAssignment Names = *Assignment;
    const RegSet Own = lowestUnits(*R.PrivateRegs);
    release(
        MF, std::move(*Assignment), Facts,
        [&](const MachineInstr &MI) {
          RegSet Units = Names.named(MI) & lowestUnits(MaxArchUnits);
          return MI.isCall() || !(Units - Own).empty();
        },
        R);
  }
  MachineBasicBlock &Entry = MF.front();
  insertDirective(Entry, Entry.SkipPHIsAndLabels(Entry.begin()),
                  printSharingPragma(*R.PrivateRegs));
  return R;
}

Expected<SharingResult> applyScratchpadSharing(MachineFunction &MF,
                                               const FlowFacts &Facts,
                                               const CompilerOptions &Options) {
  eraseDirectives(MF, schemeVerbs());
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  Expected<CompilerOptions> Here = optionsFor(MF, SharedResource::Scratchpad,
                                              Assignment->numUnits(), Options);
  if (!Here)
    return Here.takeError();
  const InstrFacts &Instrs = InstrFacts::get(*MF.getSubtarget().getInstrInfo());
  const RegSet Scratchpad = lowestUnits(1);
  SharingReach Reach(MF, Facts.MBPI, [&](const MachineInstr &MI) {
    return Instrs.mayAccessShared(MI) ? Scratchpad : RegSet();
  });
  SharingResult R;
  R.Registers = Assignment->numUnits();
  R.Before = R.BeforeRenumbering = beforeShared(Reach, RegSet());
  R.InstrsExecuted = Reach.expected(Scratchpad);
  if (Here->EarlyRelease)
    release(
        MF, std::move(*Assignment), Facts,
        [&](const MachineInstr &MI) { return Instrs.mayAccessShared(MI); }, R);
  return R;
}

} // namespace regshare
