//===- regshare/Base/SchemeFacts.h - What a kernel says once -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the statements of a kernel say once, such as how its registers are
/// divided. A scheme has types of its own for it; shared code hands them on
/// from the text to the SM without looking inside. A kernel of a composition
/// has those of both parts.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMEFACTS_H
#define REGSHARE_BASE_SCHEMEFACTS_H

#include <algorithm>
#include <any>
#include <utility>
#include <vector>

namespace regshare {

/// A value of any one type: the facts of a kernel's scheme.
class SchemeFacts {
public:
  /// Null if the kernel has said nothing of that type.
  template <typename T> const T *get() const {
    for (const std::any &Each : Values)
      if (const T *Found = std::any_cast<T>(&Each))
        return Found;
    return nullptr;
  }
  /// Replaces what was there of that type.
  template <typename T> T &set(T Facts) {
    for (std::any &Each : Values)
      if (T *Found = std::any_cast<T>(&Each))
        return *Found = std::move(Facts);
    return Values.emplace_back().emplace<T>(std::move(Facts));
  }
  /// Takes over what \p More says of types that nothing was said of here.
  void merge(const SchemeFacts &More) {
    for (const std::any &New : More.Values) {
      auto IsSame = [&](const std::any &Old) {
        return Old.type() == New.type();
      };
      if (std::none_of(Values.begin(), Values.end(), IsSame))
        Values.push_back(New);
    }
  }
  bool isEmpty() const { return Values.empty(); }

private:
  std::vector<std::any> Values; ///< Of different types.
};

} // namespace regshare

#endif // REGSHARE_BASE_SCHEMEFACTS_H
