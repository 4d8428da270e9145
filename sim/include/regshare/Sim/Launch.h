//===- regshare/Sim/Launch.h - Running kernels without timing -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The embedding interface of the functional mode: load a program, allocate
/// memory, launch.
///
///     GlobalMemory Memory;
///     auto Program = loadProgram(Text, "k.ptx", Memory);
///     uint64_t Buffer = Memory.allocate(4096);
///     const Function *K = (*Program)->findKernel("kernel");
///     LaunchConfig Config{{64}, {128}, 0, *packArguments(*K, {Buffer, 1024})};
///     auto Stats = runKernel(**Program, Memory, "kernel", Config);
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_LAUNCH_H
#define REGSHARE_SIM_LAUNCH_H

#include "regshare/Sim/GlobalMemory.h"
#include "regshare/Sim/Lenience.h"
#include "regshare/Sim/Program.h"

#include <functional>

namespace regshare::sim {

/// Of a thread: as much as local memory may have.
inline constexpr uint32_t MaxStackBytes = 512 * 1024;

/// What a host gives a kernel.
struct LaunchConfig {
  Dim3 Grid, Block;
  uint32_t DynamicSharedBytes = 0;
  /// The kernel's parameters as they lie in its parameter space.
  std::vector<uint8_t> Arguments;
  /// What a thread may allocate on its stack beyond the frame that the kernel
  /// says it needs; this much unless the host says (cudaLimitStackSize).
  uint32_t StackBytes = 1024;
  /// Where the barrier of a cooperative grid is, for code that asks for it by
  /// %envreg1 and %envreg2; 0 where there is none. GridBarrier sets it.
  uint64_t GridWorkspace = 0;
};

class DeviceRuntime;

/// How a launch is executed, and what it may not exceed.
struct LaunchOptions {
  /// Most warp instructions to execute; 0 is no limit.
  uint64_t InstructionLimit = 0;
  /// Number in the grid of the first CTA that is executed; those before it have
  /// been. Without timing only.
  uint64_t FirstCta = 0;
  uint32_t MaxThreadsPerCta = 1024;
  uint32_t MaxSharedBytes = 227 * 1024;
  uint32_t MaxLocalBytes = MaxStackBytes; ///< Per thread.
  /// CTAs that run interleaved when they wait for each other.
  uint32_t MaxResidentCtas = 256;
  /// Reading a register that was never written is an error.
  bool CheckUnwritten = true;
  /// Waiting at a barrier with something that the warps waited for may need is
  /// an error. Without this a launch can deadlock, which is found out later.
  bool CheckHolding = true;
  /// Not null: lenient mode. Faults that it lets pass are added here when the
  /// launch has ended, in an error as well.
  LenienceLog *Lenient = nullptr;
  /// Takes the grids that threads launch (DeviceRuntime.h); null: none can.
  DeviceRuntime *Device = nullptr;
  /// Receives what kernels print; standard output if empty.
  std::function<void(std::string_view)> Output;
};

/// What a launch executed.
struct LaunchStats {
  /// Of native code, a group counts once, and what takes no issue slot does
  /// not.
  uint64_t WarpInstructions = 0;
  uint64_t ThreadInstructions = 0; ///< Active lanes, summed.
  uint64_t Ctas = 0;
  bool IsNative = false; ///< The kernel is native code.
  bool IsWhole = true;   ///< False if a stop request ended the launch.
  /// Issue slots beyond one of each instruction.
  uint64_t MoreSlots = 0;

  uint64_t issueSlots() const { return WarpInstructions + MoreSlots; }
};

/// Lays out arguments one after the other, each aligned to its size. Sizes
/// are 1, 2, 4 or 8 bytes, from Function::Params of the kernel.
Result<std::vector<uint8_t>> packArguments(const Function &Kernel,
                                           const std::vector<uint64_t> &Values);

/// Executes a kernel to its end, or to a stop request (StopRequest.h). Fails on
/// what the program does wrong, with kernel, source line, PTX line, warp,
/// instruction and rule.
Result<LaunchStats> runKernel(const Program &P, GlobalMemory &Memory,
                              std::string_view Kernel,
                              const LaunchConfig &Config,
                              const LaunchOptions &Options = {});

} // namespace regshare::sim

#endif // REGSHARE_SIM_LAUNCH_H
