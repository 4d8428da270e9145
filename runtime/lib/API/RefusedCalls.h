//===- RefusedCalls.h - What calls that we lack are for ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LIB_API_REFUSEDCALLS_H
#define REGSHARE_RUNTIME_LIB_API_REFUSEDCALLS_H

#include <string_view>

namespace regshare::cudart {

/// A call of CUDA's that only fails.
struct RefusedCall {
  std::string_view Stem; ///< Its name without interface and version.
  std::string_view Does, Lack;
};

namespace refused {
#define REGSHARE_REASON(NAME, TEXT) inline constexpr char NAME[] = TEXT;
#include "RefusedCalls.def"
} // namespace refused

inline constexpr RefusedCall RefusedCalls[] = {
#define REGSHARE_REFUSED(STEM, REASON, TEXT) {#STEM, TEXT, refused::REASON},
#include "RefusedCalls.def"
};

/// What the runtime's and the driver's name of a call have in common:
/// "MemcpyAtoD" of "cuMemcpyAtoD_v2".
constexpr std::string_view stemOf(std::string_view Name) {
  for (std::string_view Prefix : {"__", "cuda", "cu"})
    if (Name.starts_with(Prefix))
      Name.remove_prefix(Prefix.size());
  return Name.substr(0, Name.find('_'));
}

/// Null for a call that the table lacks.
constexpr const RefusedCall *refusedCall(std::string_view Name) {
  for (const RefusedCall &Each : RefusedCalls)
    if (Each.Stem == stemOf(Name))
      return &Each;
  return nullptr;
}

/// Says once for each call what it is for, and that it returns \p Code.
void sayRefused(std::string_view Name, std::string_view Code);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LIB_API_REFUSEDCALLS_H
