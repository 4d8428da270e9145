//===- Variables.cpp - RegShare in the environment ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Variables.h"

#include "regshare/Base/Scheme.h"

#include <algorithm>
#include <unistd.h>

namespace regshare {

/// What steers programs on the reference SM.
static constexpr std::string_view OfPrograms[] = {"REGSHARE_DEVICE",
                                                  "REGSHARE_SCHEME",
                                                  "REGSHARE_CODE",
                                                  "REGSHARE_SCHEDULE",
                                                  "REGSHARE_CONTROL_CODE",
                                                  "REGSHARE_REUSE",
                                                  "REGSHARE_MAX_REGISTERS",
                                                  "REGSHARE_SMEM_SPILLING",
                                                  "REGSHARE_TIMING",
                                                  "REGSHARE_LAUNCHES",
                                                  "REGSHARE_SAMPLE",
                                                  "REGSHARE_COLD_L2",
                                                  "REGSHARE_REPORT",
                                                  "REGSHARE_TRACE",
                                                  "REGSHARE_THREADS",
                                                  "REGSHARE_CYCLE_LIMIT",
                                                  "REGSHARE_INSTRUCTION_LIMIT",
                                                  "REGSHARE_LENIENT",
                                                  "REGSHARE_KEEP_PTX"};

static constexpr std::string_view OfOthers[] = {
    // Where device files are, which code executes instructions, libraries with
    // schemes, and the ptxas of reports.
    "REGSHARE_CONFIG_PATH", "REGSHARE_SIM_HANDLERS", "REGSHARE_LOAD",
    "REGSHARE_PTXAS",
    // Of the compiler.
    "REGSHARE_HEADER_CACHE",
    // Of regshare-compare and its like, and of scripts.
    "REGSHARE_COMPILE_WITH", "REGSHARE_RUN_WITH", "REGSHARE_PARENT",
    "REGSHARE_PYTHON_CHOSEN",
    // Of tests.
    "REGSHARE_FUZZ_ITERATIONS", "REGSHARE_FUZZ_SEED", "REGSHARE_MUTANT"};

std::vector<std::string_view> ownVariables() {
  std::vector<std::string_view> All(std::begin(OfPrograms),
                                    std::end(OfPrograms));
  All.insert(All.end(), std::begin(OfOthers), std::end(OfOthers));
  return All;
}

std::span<const std::string_view> programVariables() { return OfPrograms; }

std::vector<std::string> givenVariables() {
  std::vector<std::string> Given;
  for (char **Each = environ; *Each; ++Each) {
    std::string_view Text = *Each;
    size_t End = Text.find('=');
    if (Text.starts_with(VariablePrefix) && End < Text.size() - 1)
      Given.emplace_back(Text.substr(0, End));
  }
  std::ranges::sort(Given);
  return Given;
}

std::string doubtAboutVariable(std::string_view Name) {
  std::vector<std::string> Known;
  for (std::string_view Own : ownVariables())
    Known.emplace_back(Own);
  for (const Setting *S : allSettings())
    Known.push_back(S->variable());
  if (std::ranges::find(Known, Name) != Known.end())
    return "";
  // The prefix is not what a variable is known by.
  std::vector<std::string_view> Words;
  Words.reserve(Known.size());
  for (const std::string &Each : Known)
    Words.push_back(std::string_view(Each).substr(VariablePrefix.size()));
  auto Near = nearestWord(Name.substr(VariablePrefix.size()), Words);
  return std::string(Name) + " is no variable of RegShare" +
         (Near ? "; did you mean " + std::string(VariablePrefix) +
                     std::string(*Near) + "?"
               : "");
}

std::vector<std::string> doubtsAboutVariables() {
  std::vector<std::string> Doubts;
  for (const std::string &Name : givenVariables())
    if (std::string Doubt = doubtAboutVariable(Name); !Doubt.empty())
      Doubts.push_back(std::move(Doubt));
  return Doubts;
}

std::string doubtAboutProgramVariables() {
  std::vector<std::string> Steering(programVariables().begin(),
                                    programVariables().end());
  for (const Setting *S : allSettings())
    Steering.push_back(S->variable());
  std::string Names;
  for (const std::string &Name : givenVariables())
    if (std::ranges::find(Steering, Name) != Steering.end())
      Names += (Names.empty() ? "" : ", ") + Name;
  return Names.empty() ? ""
                       : Names + ": this tool reads no such variables, only "
                                 "compiled programs do; its options are in "
                                 "--help";
}

} // namespace regshare
