//===- SharedSpilling.h - The setting -*- C++ -*---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shared spilling as users ask for it: registers that do not fit go to shared
/// memory first. docs/shared-spilling.md explains it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SHAREDSPILLING_H
#define REGSHARE_BASE_SHAREDSPILLING_H

#include "regshare/Base/Setting.h"

namespace regshare::settings {

/// Under every scheme; the compiler's option and programs' variable come from
/// it.
inline constexpr Setting SharedSpilling = Setting::flag(
    "smem-spilling", SettingUse::Compiler, false,
    "registers that do not fit go to shared memory where that costs no CTA, "
    "and to local memory beyond it");

} // namespace regshare::settings

#endif // REGSHARE_BASE_SHAREDSPILLING_H
