//===- LaunchChoice.h - Which launches are timed -*- C++ -*----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// REGSHARE_LAUNCHES: a long program is timed where it matters, and executed
/// without timing elsewhere.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LAUNCHCHOICE_H
#define REGSHARE_RUNTIME_LAUNCHCHOICE_H

#include "regshare/Base/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace regshare::cudart {

/// Launches by their number in the program, or by their number among those of a
/// kernel. Without any, all are chosen.
class LaunchChoice {
public:
  /// Reads what stands between commas: `3`, `3-8`, `KERNEL`, `KERNEL:3` or
  /// `KERNEL:3-8`, the first launch being 1. A kernel has its name as in the
  /// code, or demangled without its parameters. Commas in `<>` and `()` belong
  /// to a name. Fails on what is none of these.
  static Result<LaunchChoice> parse(const std::string &Text);

  bool isAll() const { return Chosen.empty(); }
  /// Whether the next launch, one of \p Kernel (mangled), is chosen. To be
  /// asked once for each launch of the program, in their order.
  bool next(const std::string &Kernel);

private:
  struct Range {
    std::string Kernel; ///< Empty: of the program's launches.
    uint64_t First = 1, Last = UINT64_MAX;
  };
  static Result<Range> parseRange(const std::string &Text);

  std::vector<Range> Chosen;
  uint64_t Launches = 0; ///< So far.
  std::map<std::string, uint64_t> LaunchesOf;
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LAUNCHCHOICE_H
