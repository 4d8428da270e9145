//===- dependent_launch.h - Launches that overlap -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel says of the launch before it and after it in its stream
/// (programmatic dependent launch, from sm_90 on). Launches follow each other
/// here, so that the reference SM has nothing to do.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_DEPENDENT_LAUNCH_H
#define REGSHARE_CUDA_DEPENDENT_LAUNCH_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static inline __attribute__((device, unused)) void
cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
static inline __attribute__((device, unused)) void
cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif

#endif // REGSHARE_CUDA_DEPENDENT_LAUNCH_H
