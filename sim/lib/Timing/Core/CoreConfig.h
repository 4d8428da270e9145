//===- CoreConfig.h - Timing of an SM's core --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The `timing.core` figures of a device. Latencies and intervals are in core
/// cycles.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_CORECONFIG_H
#define REGSHARE_SIM_TIMING_CORE_CORECONFIG_H

#include "FetchStage.h"
#include "Modern/ModernConfig.h"
#include "PredicatedSides.h"
#include "regshare/Base/Device.h"
#include "regshare/Base/Result.h"
#include "regshare/Sim/Program.h"
#include "regshare/Sim/Timing.h"

#include <array>
#include <string>
#include <vector>

namespace regshare::sim {

struct CodeFamily;

enum class SchedulerPolicy : uint8_t {
  LRR,
  GTO,
  TwoLevel,
  LazyLRR,
  LazyGTO,
  OWF,
  CGGTY,
};
inline constexpr const char *SchedulerNames[] = {
    "lrr", "gto", "two-level", "ltlws-lrr", "ltlws-gto", "owf", "cggty"};
/// Whether the number of active warps is learnt from the first that ends.
inline bool isLazy(SchedulerPolicy P) {
  return P == SchedulerPolicy::LazyLRR || P == SchedulerPolicy::LazyGTO;
}
/// Whether warps that wait make room in a set of active ones.
inline bool isTwoLevel(SchedulerPolicy P) {
  return P == SchedulerPolicy::TwoLevel || isLazy(P);
}

/// How operands get from the register file to the pipes.
enum class OperandOrganisation : uint8_t {
  Collectors, ///< Banks behind an arbiter feed operand collectors.
  SubCores,   ///< Each scheduler has banks and pipes of its own.
  Modern,     ///< So has it on GPUs since Volta (Modern/ModernPath.h).
};
inline constexpr const char *OrganisationNames[] = {"collectors", "sub-cores",
                                                    "modern"};

/// Cycles from the begin of execution to the result, and between the begins of
/// two instructions in one pipe.
struct OpTiming {
  unsigned Latency = 1, Interval = 1;
};

/// Of one pipe, per scheduler (sub-cores) or per SM (collectors). The memory
/// pipe is always the SM's.
struct PipeConfig {
  unsigned Count = 0;      ///< Instructions that can begin in a cycle.
  unsigned Collectors = 0; ///< Operand collectors in front of it.
  unsigned Latch = 0;      ///< Instructions between issue and collectors.
};

struct CoreConfig {
  OperandOrganisation Organisation = OperandOrganisation::Collectors;
  SchedulerPolicy Policy = SchedulerPolicy::GTO;
  unsigned Schedulers = 0;
  unsigned ActiveWarps = 0; ///< Of an SM, for two-level.
  /// Banks that instructions read: of the SM, or of a sub-core. Those of the
  /// register cache where there is one.
  unsigned Banks = 0;
  unsigned MainBanks = 0;   ///< Of the main register file; the same otherwise.
  unsigned CacheRows = 0;   ///< Registers of a warp in a register cache.
  unsigned CacheLookUp = 0; ///< Cycles before an operand is read from it.
  /// Cycles that an access to the main register file takes, from the arbiter's
  /// grant; and how many of them are beyond those of the device's own file.
  unsigned RegisterCycles = 0, RegisterDelay = 0;
  unsigned ReadPorts = 0;   ///< Reads of a bank in a cycle.
  unsigned ReadLatency = 0; ///< From a bank's grant to the operand.
  unsigned WriteBacks = 0;  ///< Results written in a cycle.
  unsigned BranchCycles = 0;
  unsigned FrontCycles = 0;  ///< Operands to the begin of execution.
  unsigned BackCycles = 0;   ///< Result to the write of the register.
  unsigned MemoryBack = 0;   ///< The same after the load/store unit.
  unsigned LaunchCycles = 0; ///< From a launch until its first CTAs start.
  /// From the end of a CTA until the warps of the one in its place start.
  unsigned CtaCycles = 0;
  std::array<PipeConfig, NumPipes> Pipes;
  std::array<Pipe, unsigned(UnitClass::Tensor) + 1> PipeOf = {};
  OpTiming Int[5], Float[5], Double[5]; ///< By OpClass.
  OpTiming Special;
  /// Of a modern core: redux.sync and match.sync, and what multiplications take
  /// whose result is the upper half; 0: as special functions, and as others.
  unsigned ReduxLatency = 0, MatchLatency = 0, HighInterval = 0;
  /// Of products of matrices: cycles from the last in which the pipe is taken
  /// until the result, and multiplications of a sub-core in a cycle, of 16-bit
  /// floating point, of bytes, and of double precision; 0: as many as the lanes
  /// of single precision do.
  unsigned TensorLatency = 0, TensorHalf = 0, TensorByte = 0, TensorDouble = 0;
  ModernConfig Modern;                   ///< Of that organisation alone.
  std::optional<FetchStageConfig> Fetch; ///< Of the others, where given.
};

/// Fails, with the file's line, on what is missing or out of range.
Result<CoreConfig> readCoreConfig(const DeviceDescription &D);
/// The figures readCoreConfig reads.
std::vector<TimingFigureHelp> coreFigures();
/// Reads the name of a scheduler.
Result<SchedulerPolicy> parseScheduler(std::string_view Name);

/// IssueInfo::Statement of a scheme's statement under another scheme.
inline constexpr uint8_t OtherStatement = UINT8_MAX;

/// What issuing an instruction has to know of it. Rows and predicates as in
/// Function::Accesses, each once. A statement reads the registers whose results
/// it waits for.
struct IssueInfo {
  const uint32_t *Accesses = nullptr;
  uint16_t NumReads = 0, NumWrites = 0;
  Pipe Target = Pipe::None;
  LaneClass Lanes = LaneClass::Integer;
  /// Accesses below it are registers of a thread.
  uint8_t Registers = 0;
  /// One more than the highest register that it names, 0 if none. Code that a
  /// kernel calls, with registers beyond the kernel's own, and the calls name
  /// all that there are.
  uint8_t EndRow = 0;
  uint16_t Latency = 0, Interval = 0;
  /// Of a statement, Inst::Statement under a scheme of its family, and
  /// OtherStatement under others; 0: it is an instruction.
  uint8_t Statement = 0;
  /// Drains, is a fence or takes no slot: more than registers decides when it
  /// issues.
  bool IsSpecial : 1 = false;
  /// A statement that the warp steps over on its way to what comes next.
  bool TakesNoSlot : 1 = false;
  bool IsDefine : 1 = false; ///< What it writes is not written by hardware.
  bool Drains : 1 = false;   ///< Waits until the warp's registers are written.
  /// Calls the system, which has to see all memory accesses carried out.
  bool Settles : 1 = false;
  bool IsReturn : 1 = false;
  bool IsWarpSync : 1 = false;
  bool IsFence : 1 = false;
  bool IsControl : 1 = false;
  bool IsLongLoad : 1 = false; ///< Its results come from beyond the SM.
  bool LeavesSm : 1 = false;   ///< Accesses memory beyond the SM.
  /// Its registers are those of a function that the kernel calls.
  bool IsForeign : 1 = false;
  /// The next one belongs to another group, or the warp may wait for others
  /// after this one. Only of schemes that ask for it.
  bool EndsGroup : 1 = false;
  /// Of several slots, it is executed in the last; others are in the first.
  bool EndsSequence : 1 = false;
  /// Of a modern core: goes the way of memory instructions without being one;
  /// may execute or not, or is a branch; waits at a barrier.
  bool IsExchange : 1 = false;
  bool IsConstant : 1 = false; ///< Of a modern core: loads a constant.
  bool IsGuarded : 1 = false;
  bool IsBarrier : 1 = false;
  /// A sequence of single precision that calls a slow path for some operands:
  /// of a division or reciprocal, or of a square root.
  bool MayCall : 1 = false;
  bool IsRoot : 1 = false;
  IssueClass Class : 4 = IssueClass::Guard; ///< Of a modern core.
  /// The group of instructions that it belongs to, as the running scheme
  /// divides its code: an index of ProgramTiming::Groups.
  uint32_t Group = NoGroup;
  uint16_t Slots = 1; ///< NativeInst::Slots.
  ControlBits Says;   ///< NativeInst::Says.

  /// Hardware does nothing here, and so waits for nothing: native code only
  /// says that a register has some value.
  bool isNothing() const { return IsDefine && !Slots; }
};
static_assert(sizeof(IssueInfo) <= 32, "two to a cache line");

/// IssueInfo for each instruction of a function.
struct FunctionTiming {
  std::vector<IssueInfo> Insts;
  std::vector<uint32_t> Accesses;
  /// By instruction, of the program's lines (InstructionCaches.h).
  std::vector<uint32_t> Lines;
  /// By instruction, in bytes from the program's begin (FetchStage.h).
  std::vector<uint64_t> Places;
  PredicatedBranches Predicated;
  /// By instruction, where its first reads are read; empty if no function of a
  /// modern core keeps operands.
  std::vector<ReadSlots> Operands;
  /// It has control statements, and they are for this core.
  bool HasControl = false;
  std::string Error; ///< What the scheme's rules say and cannot be.
};
/// Under a scheme of the family \p Running, null if its code has no statements.
/// Groups are numbered from 0 on.
FunctionTiming computeTiming(const Program &P, const Function &F,
                             const CoreConfig &Config,
                             const CodeFamily *Running);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_CORECONFIG_H
