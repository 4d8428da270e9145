//===- regshare/Base/Statements.h - For schemes' statements - -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_STATEMENTS_H
#define REGSHARE_BASE_STATEMENTS_H

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"

namespace regshare {

/// `.pragma "regshare.<Text>";`
std::string statement(const std::string &Text);
/// "R3,R4"
std::string printUnits(std::span<const unsigned> Units);

/// An error at the statement's place.
tl::unexpected<Diagnostic> failAt(const Statement &D,
                                  const std::string &Message);
/// Fails on what is not a number from \p Least to \p Most.
Result<unsigned> parseNumber(const Statement &D, const std::string &Key,
                             const std::string &Value, unsigned Least,
                             unsigned Most);
/// "0,2": the bits of \p Mask.
std::string printMask(uint64_t Mask);
/// Reads what printMask writes. Fails on numbers above \p Most, and unless they
/// ascend.
Result<unsigned> parseMask(const Statement &D, const std::string &Key,
                           const std::string &List, unsigned Most);
/// The value of each of \p Keys, all of which have to be there.
Result<std::vector<std::string>> fieldsOf(const Statement &D,
                                          std::span<const char *const> Keys);
/// Reads what printUnits writes. Fails unless the units ascend.
Result<std::vector<unsigned>> parseUnits(const Statement &D,
                                         std::string_view List);
/// Fails if there is any key.
Result<void> checkNoFields(const Statement &S);
/// Fails if the last of \p Units is not among those of \p K.
Result<void> checkUnits(const Statement &D, const KernelDescriptor &K,
                        const std::vector<unsigned> &Units);

} // namespace regshare

#endif // REGSHARE_BASE_STATEMENTS_H
