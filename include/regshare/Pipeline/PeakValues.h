//===- regshare/Pipeline/PeakValues.h - Who holds registers -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values that hold a kernel's registers where most are live: what the
/// source calls them, where they come from, and when they are read next.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_PEAKVALUES_H
#define REGSHARE_PIPELINE_PEAKVALUES_H

#include "regshare/Frontend/InputError.h"

#include <optional>
#include <string>
#include <vector>

namespace regshare {

/// What the source, or the PTX, calls a value.
struct ValueName {
  std::string Variable; ///< "Size", "C.Ambient", "%f12".
  std::string Function; ///< The variable's own, if it was inlined.
  /// The value is the variable; else the variable is computed from it.
  bool IsWhole = true;

  friend bool operator==(const ValueName &, const ValueName &) = default;
};

/// Whether a value could be dropped here and computed where it is read next.
enum class ComputeAgain {
  Constant,        ///< Yes: a constant, or the address of a symbol.
  Parameter,       ///< Yes: of the kernel.
  SpecialRegister, ///< Yes: threadIdx and the like.
  FromOthers,      ///< Yes: all that it is computed from is live here, too.
  SourcesGone,     ///< No: something that it is computed from is not.
  Memory,          ///< No: memory may have changed since.
  SeveralPlaces,   ///< No: which definition counts depends on the path.
  Opaque,          ///< No: inline PTX, a call or an atomic operation.
};

/// One value among those that hold registers at the peak.
struct PeakValue {
  std::string Register; ///< "R4_5", as it is assigned.
  unsigned Units = 0;   ///< 32-bit registers that it takes.
  std::vector<ValueName> Names;
  /// What stands in the source where it is defined; empty if that is not known.
  std::string Expression;
  /// The same of where it is read next: "address of A[I]", "for B + 1".
  std::string Purpose;
  std::string Instruction; ///< LLVM's opcode that defines it.
  /// The instructions that define it, indices of KernelReport::Points; and
  /// their places, as far as they are known.
  std::vector<unsigned> DefinedBy;
  std::vector<SourcePlace> Definitions;
  /// The instruction that reads it next, and its place; nothing where none
  /// does.
  std::optional<unsigned> ReadBy;
  SourcePlace NextUse;
  unsigned Distance = 0; ///< Instructions on the shortest way there.
  ComputeAgain Again = ComputeAgain::Opaque;
  /// For SourcesGone, where it has a name: a value that is gone. For Memory,
  /// the space, if the instruction says it.
  std::string Cause;
};

/// The values at the point of a kernel where most registers are live.
struct KernelPeak {
  unsigned Point = 0; ///< The instruction, an index of KernelReport::Points.
  SourcePlace Place;
  /// Who is read last comes first.
  std::vector<PeakValue> Values;
};

/// "no: read from shared memory"; at most some 30 characters.
std::string describe(const PeakValue &V);
/// "constant", "memory", …: for programs.
const char *keyOf(ComputeAgain A);

} // namespace regshare

#endif // REGSHARE_PIPELINE_PEAKVALUES_H
