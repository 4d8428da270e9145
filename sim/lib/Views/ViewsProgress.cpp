//===- ViewsProgress.cpp - How far a launch has come ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewText.h"
#include "regshare/Sim/Views.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <unistd.h>

namespace regshare::sim {

/// Between two lines, in seconds.
static constexpr double Interval = 0.2;

static double steadySeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

ProgressLine::ProgressLine(std::string Label)
    : ProgressLine(std::move(Label), std::cerr, steadySeconds) {
  if (!isatty(STDERR_FILENO))
    OS = nullptr;
}

ProgressLine::ProgressLine(std::string Label, std::ostream &OS,
                           std::function<double()> Seconds)
    : Label(std::move(Label)), OS(&OS), Seconds(std::move(Seconds)) {
  Begin = Shown = this->Seconds();
}

static std::string lineOf(const Progress &P, double Elapsed) {
  return counted(P.Cycles, "cycle") + ", " + grouped(P.CtasDone) + " of " +
         counted(P.Ctas, "CTA") + ", " +
         grouped(uint64_t(double(P.WarpInstructions) / Elapsed / 1e3)) +
         " k warp instructions/s";
}

void ProgressLine::update(const Progress &P) {
  if (!OS)
    return;
  double Now = Seconds();
  if (Now - Shown < Interval)
    return;
  Shown = Now;
  std::string Text = Label + ": " + lineOf(P, Now - Begin);
  size_t Length = Text.size();
  Text.resize(std::max(Length, Width), ' ');
  Width = Length;
  *OS << '\r' << Text << std::flush;
}

void ProgressLine::erase() {
  if (!Width)
    return;
  *OS << '\r' << std::string(Width, ' ') << '\r' << std::flush;
  Width = 0;
}

} // namespace regshare::sim
