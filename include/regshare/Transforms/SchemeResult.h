//===- regshare/Transforms/SchemeResult.h - What a scheme did ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the passes of a scheme did to one kernel, and how reports show it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SCHEMERESULT_H
#define REGSHARE_TRANSFORMS_SCHEMERESULT_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace regshare {

/// Where a report says that a kernel runs.
struct ReportedLaunch {
  const DeviceDescription *Device; ///< Null: none is named.
  KernelResources Resources;       ///< What a CTA takes of an SM.
};

/// What a scheme's passes did to a kernel; each scheme has a subclass.
class SchemeResult {
public:
  virtual ~SchemeResult() = default;

  /// Under which --emit=json has toJSON().
  virtual llvm::StringRef key() const = 0;
  /// docs/report.md has the fields.
  virtual llvm::json::Object toJSON(const ReportedLaunch &Launch) const = 0;
  /// For people: whole lines. The first begins with two spaces and the scheme's
  /// name, padded to the width of Indent, the others with Indent.
  virtual void print(llvm::raw_ostream &OS,
                     const ReportedLaunch &Launch) const = 0;

  /// The registers of a thread, in 32-bit units, if the passes have closed the
  /// gaps in their numbers.
  virtual std::optional<unsigned> renumbered() const { return {}; }

  static constexpr llvm::StringLiteral Indent = "              ";
};

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_SCHEMERESULT_H
