//===- CpiStack.cpp - Names of the causes ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/CpiStack.h"

namespace regshare::sim {

namespace {
struct Entry {
  const char *Name, *Help;
};
} // namespace

static constexpr Entry Entries[] = {
    {"issued", "an instruction was issued"},
    {"operands", "no operand collector or read port was free"},
    {"pipe", "the execution pipe could not take an instruction yet"},
    {"mem-bank-conflict", "the load/store unit resolved bank conflicts"},
    {"mem-transactions", "the load/store unit split an access"},
    {"mem-mshr", "a miss found no MSHR, or no room in it"},
    {"mem-reservation", "a miss found its cache set waiting for data"},
    {"mem-store-credits", "too many stores were on their way"},
    {"mem-queue", "the load/store unit's queue was full"},
    {"scheme-gate", "the scheme held warps back"},
    {"parked", "the warps that could issue were outside the active set"},
    {"dependency", "warps waited for arithmetic results"},
    {"dependency-shared",
     "warps waited for loads from shared memory or constants"},
    {"dependency-memory", "warps waited for loads or atomics"},
    {"control", "warps fetched after a branch"},
    {"fence", "warps waited at a fence or call for their accesses"},
    {"barrier", "warps waited at a barrier"},
    {"drain", "warps had issued all and waited for the last results"},
    {"no-warp", "no warp was resident"},
};
static_assert(sizeof(Entries) / sizeof(Entry) == NumSlotUses);

const char *slotUseName(SlotUse U) { return Entries[unsigned(U)].Name; }
const char *slotUseHelp(SlotUse U) { return Entries[unsigned(U)].Help; }

} // namespace regshare::sim
