//===- regshare/Base/Result.h - A value or a diagnostic -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the LLVM-free libraries report what a user can cause: a value, or a
/// diagnostic that says where and what. Nothing here throws.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_RESULT_H
#define REGSHARE_BASE_RESULT_H

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace regshare {

/// One message for a user. Line and Column count from 1; 0 is "not known".
struct Diagnostic {
  std::string Message;
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;

  /// "file:line:column: message", leaving out what is not known.
  std::string str() const;
};

template <typename T> using Result = tl::expected<T, Diagnostic>;

/// `return fail("…");` out of a function that returns a Result.
inline tl::unexpected<Diagnostic> fail(std::string Message) {
  return tl::make_unexpected(Diagnostic{std::move(Message), {}, 0, 0});
}
inline tl::unexpected<Diagnostic> fail(Diagnostic D) {
  return tl::make_unexpected(std::move(D));
}

} // namespace regshare

#endif // REGSHARE_BASE_RESULT_H
