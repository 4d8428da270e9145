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

#include "regshare/Frontend/SharedObjects.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace regshare {

/// The source with the brackets of its launches in one piece and the spaces
/// after them, so that lines and columns stay. Nothing if there is nothing to
/// do.
std::optional<std::string> joinLaunchBrackets(std::string_view Source);

/// The source with `#define NAME _Pragma("unroll")` where it has `#define NAME
/// #pragma unroll`, of which nvcc makes the same. Nothing if there is nothing
/// to do.
std::optional<std::string> makePragmaOperators(std::string_view Source);

/// The source with `%%laneid` where an asm with operands has `%laneid`, of
/// which nvcc makes the same. Nothing if there is nothing to do.
std::optional<std::string> doublePercentSigns(std::string_view Source);

/// Lets clang see a source, and the files that it includes, as
/// joinLaunchBrackets(), makePragmaOperators() and doublePercentSigns() have
/// them, and without the constructions that clang has refused.
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

  /// Some file that was looked at may have objects in shared memory.
  bool mayHaveSharedObjects() const { return MayHaveObjects; }
  /// The same once more without the construction of \p Objects. No options if
  /// one of their declarations cannot be changed.
  std::vector<std::string>
  optionsWithout(const std::vector<SharedObject> &Objects,
                 const std::string &Source,
                 const std::vector<std::string> &IncludeDirs);

private:
  std::optional<std::string> replacement(const std::string &Path,
                                         std::string_view Text) const;

  std::vector<std::string> Temporaries;
  std::map<std::string, std::vector<SharedObject>> Unconstructed; ///< By path.
  bool MayHaveObjects = false;
};

} // namespace regshare

#endif // REGSHARE_FRONTEND_LAUNCHSYNTAX_H
