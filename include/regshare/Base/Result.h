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

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace regshare {

/// What kind of thing is wrong, for programs that decide by it.
enum class ErrorKind : uint8_t {
  Other,
  Unsupported,  ///< RegShare does not have it.
  BadInput,     ///< An option, a setting, a file or an argument is none.
  NotForDevice, ///< The device cannot have the scheme.
  NotForScheme, ///< The scheme cannot run the code.
  DoesNotFit,   ///< The device cannot hold a CTA, or the whole launch.
  // What a kernel does wrong.
  IllegalAddress,
  MisalignedAddress,
  Assertion,
  Trap,
  StackOverflow,
  InvalidCall,
  KernelFault, ///< Any other.
  // Why a launch does not come to its end.
  Deadlock,
  Livelock,
  Limit, ///< More cycles or instructions than the user allows.
};

/// "illegal-address": as reports and records have it.
std::string_view errorKindName(ErrorKind Kind);

/// One message for a user. Line and Column count from 1; 0 is "not known".
struct Diagnostic {
  std::string Message;
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  ErrorKind Kind = ErrorKind::Other;

  /// "file:line:column: message", leaving out what is not known.
  std::string str() const;
};

/// A \p T, or what a user has to hear instead.
template <typename T> using Result = tl::expected<T, Diagnostic>;

/// `return fail("…");` out of a function that returns a Result.
inline tl::unexpected<Diagnostic> fail(std::string Message,
                                       ErrorKind Kind = ErrorKind::Other) {
  return tl::make_unexpected(Diagnostic{std::move(Message), {}, 0, 0, Kind});
}
/// The same with a place, or handed on.
inline tl::unexpected<Diagnostic> fail(Diagnostic D) {
  return tl::make_unexpected(std::move(D));
}

} // namespace regshare

#endif // REGSHARE_BASE_RESULT_H
