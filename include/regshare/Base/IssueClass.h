//===- regshare/Base/IssueClass.h - Classes of PTX --------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which class of latency (FixedLatency.h) an instruction of native code has,
/// from the text of the PTX instruction that stands for it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_ISSUECLASS_H
#define REGSHARE_BASE_ISSUECLASS_H

#include "regshare/Base/FixedLatency.h"

#include <span>
#include <string_view>
#include <vector>

namespace regshare {

/// An instruction as its name says it: "mad.lo.s32".
struct IssueName {
  std::string_view Opcode;            ///< "mad"
  std::vector<std::string_view> Mods; ///< "lo", "s32"

  static IssueName parse(std::string_view Mnemonic);
  bool has(std::string_view Mod) const;
};

/// What else decides.
struct IssueContext {
  /// The special register that a mov reads, such as "%tid.x"; empty: none.
  std::string_view Special;
  /// Instructions that are folded into it.
  std::span<const IssueName> Folded;
  bool IsSequence = false; ///< It takes more than one issue slot.
  bool WritesUniform = false;
  /// One double-precision unit for the SM, which takes no fixed time.
  bool DoubleIsShared = false;
  bool ConvertsOnAlu = false; ///< As convertsOnAlu() says of the architecture.
};

/// Where its result comes from.
enum class IssueKind : uint8_t {
  Computed,
  Memory, ///< Or goes the way of memory.
  None,   ///< No pipe executes it: branches, barriers, fences.
};
/// What executes an operation, by its name alone.
IssueKind issueKind(const IssueName &Name);

/// Guard for what no pipe executes.
IssueClass issueClass(const IssueName &Name, const IssueContext &Context);

/// Whether GPUs of `sm_NN` have one double-precision unit for an SM (Huerta et
/// al., MICRO 2025).
bool sharesDoubleUnit(std::string_view Architecture);

/// Whether GPUs of `sm_NN` convert 32-bit integers to floats, and floats to
/// halves, on the ALU (I2FP and F2FP in nvcc's machine code for sm_90;
/// measured: docs/validation.md, cvt.*).
bool convertsOnAlu(std::string_view Architecture);

/// Whether \p From to \p To ("s32", "f32") is such a conversion.
bool isAluConversion(std::string_view To, std::string_view From);

} // namespace regshare

#endif // REGSHARE_BASE_ISSUECLASS_H
