//===- regshare/Base/Variables.h - RegShare in the environment --*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_VARIABLES_H
#define REGSHARE_BASE_VARIABLES_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regshare {

/// What the names of all of RegShare's variables begin with: "REGSHARE_".
inline constexpr std::string_view VariablePrefix = "REGSHARE_";

/// The variables that are no scheme's setting, whoever of RegShare's programs,
/// libraries and tests reads them.
std::vector<std::string_view> ownVariables();
/// Those of them that compiled programs read, and nobody else.
std::span<const std::string_view> programVariables();

/// The names of variables in the environment that have the prefix and a value,
/// in alphabetical order.
std::vector<std::string> givenVariables();

/// A sentence if nobody reads a variable of this name, with the nearest one
/// that somebody does; else nothing.
std::string doubtAboutVariable(std::string_view Name);
/// Those sentences on the variables that are given.
std::vector<std::string> doubtsAboutVariables();
/// A sentence on the variables that are given and that only programs read, the
/// settings of schemes included, for who runs kernels and reads none of them;
/// empty if none is given.
std::string doubtAboutProgramVariables();

} // namespace regshare

#endif // REGSHARE_BASE_VARIABLES_H
