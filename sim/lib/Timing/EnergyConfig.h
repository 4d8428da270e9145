//===- EnergyConfig.h - Figures of the energy account -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The `timing.energy` figures of a device; Energy.h reads and uses them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_ENERGYCONFIG_H
#define REGSHARE_SIM_TIMING_ENERGYCONFIG_H

#include "regshare/Sim/Timing.h"

#include <vector>

namespace regshare::sim {

/// The figures that readEnergyFigures() reads.
std::vector<TimingFigureHelp> energyFigures();

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_ENERGYCONFIG_H
