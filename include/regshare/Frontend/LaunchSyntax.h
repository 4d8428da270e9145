//===- LaunchSyntax.h - Launches with spaces in their brackets -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc takes `kernel<< <1, 1>> >()`, which formatters that know no CUDA make
/// of a launch; to clang `<<<` and `>>>` are one token each.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_LAUNCHSYNTAX_H
#define REGSHARE_FRONTEND_LAUNCHSYNTAX_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace regshare {

/// The source with the brackets of its launches in one piece and the spaces
/// after them, so that lines and columns stay. Nothing if there is nothing to
/// do.
std::optional<std::string> joinLaunchBrackets(std::string_view Source);

/// Lets clang see a source, and the files that it includes between quotes, as
/// joinLaunchBrackets() has them.
class LaunchOverlay {
public:
  LaunchOverlay() = default;
  LaunchOverlay(const LaunchOverlay &) = delete;
  ~LaunchOverlay();

  /// Looks at \p Source and what it includes, also from \p IncludeDirs. Returns
  /// options for clang: none where nothing is to be done, or where files cannot
  /// be read or written, of which clang will tell.
  std::vector<std::string>
  optionsFor(const std::string &Source,
             const std::vector<std::string> &IncludeDirs);

private:
  std::vector<std::string> Temporaries;
};

} // namespace regshare

#endif // REGSHARE_FRONTEND_LAUNCHSYNTAX_H
