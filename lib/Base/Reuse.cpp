//===- Reuse.cpp - The register-file cache --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Reuse.h"

#include "regshare/Base/Statements.h"

#include <cassert>

namespace regshare {

std::string printReusePragma(unsigned Slots) {
  assert(Slots && Slots < 1u << NumOperandSlots && "no such slots");
  return statement("reuse slots=" + printMask(Slots));
}

Result<unsigned> parseReuse(const Statement &S) {
  const char *Key = "slots";
  Result<std::vector<std::string>> Values = fieldsOf(S, {&Key, 1});
  if (!Values)
    return fail(Values.error());
  return parseMask(S, Key, Values->front(), NumOperandSlots - 1);
}

} // namespace regshare
