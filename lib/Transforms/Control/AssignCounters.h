//===- AssignCounters.h - Which counter is raised ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_CONTROL_ASSIGNCOUNTERS_H
#define REGSHARE_LIB_TRANSFORMS_CONTROL_ASSIGNCOUNTERS_H

#include "regshare/CodeGen/Native/ControlCode.h"

namespace regshare {

/// Gives each unit without a fixed latency the counters that it raises.
void assignCounters(ControlCode &Code);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_CONTROL_ASSIGNCOUNTERS_H
