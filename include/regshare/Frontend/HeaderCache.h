//===- HeaderCache.h - Headers that are parsed once -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every CUDA source begins with the same headers, unasked: clang's for CUDA,
/// ours, and the C++ library's under both. Parsing them is most of what a short
/// program's compile takes, so clang's precompiled form of them is kept, for
/// each set of options that decides what they come to.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_HEADERCACHE_H
#define REGSHARE_FRONTEND_HEADERCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace regshare {

/// Precompiled headers for CUDA sources, one file for each set of options.
class HeaderCache {
public:
  /// Kept in REGSHARE_HEADER_CACHE, or with the user's other caches where that
  /// is not set; nowhere where it is empty.
  explicit HeaderCache(std::string Clang);
  HeaderCache(std::string Clang, std::string Folder)
      : Clang(std::move(Clang)), Folder(std::move(Folder)) {}

  /// Runs clang with \p Options, which parse headers, and then \p Rest. What it
  /// says is put into \p Said if that is given, and printed otherwise. Where
  /// clang does not take the headers' parsed form, they are parsed again.
  /// Returns its exit status; negative, with \p Message, if it cannot be run.
  int run(llvm::ArrayRef<std::string> Options, llvm::ArrayRef<std::string> Rest,
          std::string *Said, std::string &Message) const;

  /// The options that have clang take the parsed form; none if there is none,
  /// since \p Options say something that may not go with it.
  std::vector<std::string>
  optionsFor(llvm::ArrayRef<std::string> Options) const;

private:
  struct Plan;
  std::optional<Plan> planFor(llvm::ArrayRef<std::string> Options) const;
  bool isCurrent(const Plan &P) const;
  bool generate(const Plan &P) const;
  /// Whether a folder of the options may have a header that comes before one of
  /// those that the parsed form is made of.
  static bool isShadowed(const Plan &P);

  std::string Clang, Folder;
};

} // namespace regshare

#endif // REGSHARE_FRONTEND_HEADERCACHE_H
