//===- SharingDirectives.cpp - The pragmas of resource sharing ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Statements.h"

#include "regshare/Base/Scheme.h"

#include <cassert>

namespace regshare {

std::string printSharingPragma(unsigned PrivateRegs) {
  return statement("sharing private=" + std::to_string(PrivateRegs));
}

Result<unsigned> parseSharing(const Directive &D) {
  static constexpr const char *Keys[] = {"private"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  return parseNumber(D, Keys[0], (*Values)[0], 0, MaxArchUnits);
}

static bool isOf(const KernelDescriptor &K, Scheme S) {
  return K.Scheme == schemeName(S);
}

bool isSharingDirective(std::string_view Verb, const KernelDescriptor &K) {
  return Verb == "sharing" ||
         (Verb == "release" && (isOf(K, Scheme::RegisterSharing) ||
                                isOf(K, Scheme::ScratchpadSharing)));
}

Result<void> addSharingDirective(const Directive &D, const KernelDescriptor &K,
                                 std::optional<unsigned> &PrivateRegs) {
  assert(isSharingDirective(D.Verb, K) && "a directive of another scheme");
  if (D.Verb == "release") {
    if (!D.Fields.empty())
      return failAt(D, "takes no keys");
    if (!PrivateRegs && isOf(K, Scheme::RegisterSharing))
      return failAt(D, "before the function's regshare.sharing");
    return {};
  }
  if (!isOf(K, Scheme::RegisterSharing))
    return failAt(
        D, "belongs to scheme register-sharing, but the descriptor says " +
               K.Scheme);
  Result<unsigned> Parsed = parseSharing(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (PrivateRegs)
    return failAt(D, "a function has it once");
  if (*Parsed > K.Regs)
    return failAt(
        D, "private=" + std::to_string(*Parsed) +
               " is beyond the descriptor's regs=" + std::to_string(K.Regs));
  PrivateRegs = *Parsed;
  return {};
}

} // namespace regshare
