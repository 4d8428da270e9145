//===- Options.cpp - Options of the compiler half -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Options.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace regshare {

static cl::OptionCategory Category("RegShare options");

static cl::opt<std::string>
    Scheme("regshare-scheme",
           cl::desc("Sharing system to apply (baseline assigns registers and "
                    "annotates); without it the code is analysed and left as "
                    "it is"),
           cl::value_desc("name"), cl::cat(Category));

static cl::opt<std::string>
    Device("regshare-device",
           cl::desc("Device whose register limits and occupancy count: a name "
                    "such as gtx480, or a .yaml file"),
           cl::value_desc("name"), cl::cat(Category));

static cl::opt<unsigned>
    MaxRegs("regshare-max-regs",
            cl::desc("Registers per thread at most, in 32-bit units; beyond "
                     "it values are computed again or spilled to local memory"),
            cl::value_desc("n"), cl::cat(Category));

static cl::opt<std::string>
    Anchor("regshare-anchor",
           cl::desc("Machine pass to run after, instead of the one that the "
                    "placement table names for the optimisation level"),
           cl::value_desc("pass"), cl::Hidden, cl::cat(Category));

CompilerOptions compilerOptions() { return {Scheme, Device, MaxRegs, Anchor}; }

} // namespace regshare
