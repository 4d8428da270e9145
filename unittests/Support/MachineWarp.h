//===- MachineWarp.h - Runs a machine function on a warp -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_MACHINEWARP_H
#define REGSHARE_UNITTESTS_SUPPORT_MACHINEWARP_H

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Reconvergence.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace regshare::test {

/// Executes architected machine code on a warp of a few lanes with a SIMT
/// stack. Operations are uninterpreted: a result is a hash of the opcode and
/// what it read. Registers remember which part of which value they hold, and
/// the schemes' statements do what an SM would: a release poisons the extended
/// set or the shared registers, dead operands are poisoned, and what is cached
/// is the last PREFETCH's or, after a pop, that of the interval gone on in;
/// EXPARS's operand cache is read without a look at whose value a line has. Two
/// functions that do the same to each lane leave the same traces, as long as
/// the order of sides is the same.
class MachineWarp {
public:
  static constexpr unsigned NumLanes = 5;

  /// \p SidesFrom decides in which order the sides of a branch run.
  MachineWarp(const llvm::MachineFunction &MF, Reconvergence Meetings,
              uint64_t SidesFrom);

  /// At most \p MaxBranches branches that can part lanes.
  void run(unsigned MaxBranches);

  /// By lane: what it stored and where it went.
  std::array<std::vector<uint64_t>, NumLanes> Trace;
  /// The first thing that the scheme's rules forbid; empty: nothing.
  std::string Violation;
  unsigned Acquires = 0, Releases = 0; ///< That changed the state.
  unsigned Prefetches = 0;             ///< That the code has.
  unsigned PopPrefetches = 0;          ///< That pops made necessary.
  unsigned DeadOperands = 0;           ///< Statements executed.
  unsigned CacheReads = 0;             ///< SHRF: registers read there.
  unsigned CacheLosses = 0;            ///< Beside strands' begins.
  unsigned Prefs = 0;                  ///< EXPARS: that the code has.
  unsigned LineReads = 0; ///< EXPARS: registers named in the operand cache.
  bool Diverged = false;
  bool Ended = false; ///< All lanes returned.
  bool Cut = false;   ///< After so many blocks, in a loop that parts no lanes.

private:
  using LaneMask = unsigned;
  struct StackEntry {
    const llvm::MachineBasicBlock *At; ///< Null: nowhere.
    const llvm::MachineBasicBlock *Meet;
    LaneMask Lanes;
  };
  struct Unit {
    uint64_t Value = 0;
    unsigned Part = 0;
  };

  void execute(const llvm::MachineBasicBlock &MBB, LaneMask Lanes);
  void step(const llvm::MachineInstr &MI, LaneMask Lanes);
  void statement(const llvm::MachineInstr &MI, llvm::StringRef Verb);
  void check(const llvm::MachineInstr &MI);
  void readIntervals();
  void checkReleased(const llvm::MachineInstr &MI);
  void checkInterval(const llvm::MachineInstr &MI, const RegSet &Named);
  void poison(unsigned Unit);
  void loseCache();
  void waitForLate(const llvm::MachineInstr &MI);
  void fetch(unsigned Lane);
  void evictLines();
  void fillLines(llvm::ArrayRef<unsigned> Units);
  bool hasLine(unsigned Unit) const { return Bundles && Unit >= Bundles->Kept; }
  void checkLines(const llvm::MachineInstr &MI);
  void pop();
  void leave(const llvm::MachineBasicBlock &MBB);
  const llvm::MachineBasicBlock *target(const llvm::MachineBasicBlock &MBB,
                                        unsigned Lane);
  const Unit &unit(unsigned Lane, unsigned Number) const;
  uint64_t read(unsigned Lane, ArchReg R) const;
  uint64_t read(unsigned Lane, llvm::Register VReg) const;
  void write(unsigned Lane, llvm::Register VReg, uint64_t Value);
  uint64_t reads(const llvm::MachineInstr &MI, unsigned Lane) const;
  void write(unsigned Lane, ArchReg R, uint64_t Value);
  void violate(const llvm::MachineInstr &MI, const char *Rule);

  const llvm::MachineFunction &MF;
  Reconvergence Meetings;
  RegisterAssignment Assignment;
  std::mt19937_64 Random;
  std::vector<StackEntry> Stack;
  std::array<std::array<Unit, 256>, NumLanes> Units{};
  std::array<std::array<uint64_t, NumPredicates>, NumLanes> Preds{};
  /// Of native code: values that are in no register.
  std::array<llvm::DenseMap<llvm::Register, uint64_t>, NumLanes> Placeless;
  std::optional<unsigned> Base; ///< Of a function that is split.
  bool Held = false;
  std::optional<unsigned> Private; ///< Under register sharing.
  bool Released = false;           ///< What is shared, for good.
  /// By instruction: its interval, or nothing if it may name no registers.
  llvm::DenseMap<const llvm::MachineInstr *, std::optional<unsigned>> Intervals;
  std::map<unsigned, RegSet> Vectors; ///< By interval.
  std::optional<unsigned> Cached;     ///< The interval that is.
  bool Popped = false;                ///< And nothing executed since.
  /// SHRF: a cache of its own, and what the instruction has there.
  std::array<std::array<Unit, 256>, NumLanes> Slots{};
  unsigned NumSlots = 0;
  OperandPlaces Places;
  RegSet Late;         ///< On its way from memory.
  RegSet LateInBundle; ///< EXPARS: what the bundle has begun of it.
  /// EXPARS: the operand cache, as if registers that can be in scratchpad were,
  /// and whose value each line holds.
  std::optional<BundleBounds> Bundles;
  std::array<std::array<Unit, 32>, NumLanes> Lines{};
  std::array<std::optional<unsigned>, 32> LineOwner;
  uint64_t Poison = 0;
  uint64_t Now = 0; ///< Loads so far: memory changes with time.
  unsigned Branches = 0;
};

/// Runs \p MF to its end, or until lanes could have parted so often.
MachineWarp runWarp(llvm::MachineFunction &MF, uint64_t SidesFrom);

/// Expects the lanes of both to have done the same, up to the same branch. Only
/// where one was cut may the other have come further: its blocks may be fewer.
void expectSameLanes(const MachineWarp &Before, const MachineWarp &After);

/// Runs both with sides in several orders, expects the same of their lanes and
/// that no rule is broken after, and shows what the warp did after.
void expectSameRuns(llvm::MachineFunction &Before, llvm::MachineFunction &After,
                    llvm::function_ref<void(const MachineWarp &)> Show);

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_MACHINEWARP_H
