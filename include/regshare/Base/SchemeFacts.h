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
/// divided. A scheme has a type of its own for it; shared code hands it on from
/// the text to the SM without looking inside.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMEFACTS_H
#define REGSHARE_BASE_SCHEMEFACTS_H

#include <any>
#include <utility>

namespace regshare {

/// A value of any one type: the facts of a kernel's scheme.
class SchemeFacts {
public:
  /// Null if the kernel has said nothing of that type.
  template <typename T> const T *get() const {
    return std::any_cast<T>(&Value);
  }
  /// Replaces what was there.
  template <typename T> T &set(T Facts) {
    return Value.emplace<T>(std::move(Facts));
  }
  bool isEmpty() const { return !Value.has_value(); }

private:
  std::any Value;
};

} // namespace regshare

#endif // REGSHARE_BASE_SCHEMEFACTS_H
