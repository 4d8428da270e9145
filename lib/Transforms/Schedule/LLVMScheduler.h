//===- LLVMScheduler.h - LLVM's scheduler as LLVM was built -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// llvm/CodeGen/MachineScheduler.h. The layout of ScheduleDAG depends on NDEBUG
/// (its member StressSched), and has to be that of the library, which was built
/// without assertions if ours are on and its own checks are not. Included
/// before anything else that includes ScheduleDAG.h. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SCHEDULE_LLVMSCHEDULER_H
#define REGSHARE_LIB_TRANSFORMS_SCHEDULE_LLVMSCHEDULER_H

#include "llvm/Config/abi-breaking.h"

#ifdef LLVM_CODEGEN_SCHEDULEDAG_H
#error "ScheduleDAG.h has been included with the wrong layout"
#endif

#if !defined(NDEBUG) && !LLVM_ENABLE_ABI_BREAKING_CHECKS
#define NDEBUG
#include "llvm/CodeGen/MachineScheduler.h"
#undef NDEBUG
#include <cassert>
#else
#include "llvm/CodeGen/MachineScheduler.h"
#endif

#endif // REGSHARE_LIB_TRANSFORMS_SCHEDULE_LLVMSCHEDULER_H
