//===- SchemeRegistry.cpp - What schemes have -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeRegistry.h"

#include "Registrations.h"

namespace regshare {

Result<void> checkRegistration(Scheme S, bool IsThere, std::string_view What) {
  std::string Start = "scheme '" + std::string(S.name()) + "': ";
  std::vector<Scheme> Known = allSchemes();
  if (std::ranges::find(Known, S) == Known.end())
    return fail(Start + "it is given " + std::string(What) +
                ", but nobody has described it");
  if (IsThere)
    return fail(Start + "it has " + std::string(What) + " already");
  return {};
}

static std::vector<std::function<void()>> &undos() {
  static std::vector<std::function<void()>> All;
  return All;
}

void noteRegistration(std::function<void()> Undo) {
  undos().push_back(std::move(Undo));
}

size_t numRegistrations() { return undos().size(); }

void undoRegistrations(size_t Kept) {
  for (; undos().size() > Kept; undos().pop_back())
    undos().back()();
}

} // namespace regshare
