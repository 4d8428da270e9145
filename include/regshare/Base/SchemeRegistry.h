//===- regshare/Base/SchemeRegistry.h - What schemes have -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The halves of schemes that a layer knows: passes, rules, models. Each of
/// them is registered once, for a scheme that is described. Those of
/// Schemes.def keep to that; a library that does not is refused
/// (regshare/Base/SchemeLibrary.h).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMEREGISTRY_H
#define REGSHARE_BASE_SCHEMEREGISTRY_H

#include "regshare/Base/Scheme.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace regshare {

/// What the schemes of one folder have, a \p T each.
template <typename T> struct SchemeFamilyOf {
  /// A scheme, and what it has.
  struct Member {
    const SchemeDescription &Of;
    const T &Value;
  };
  std::span<const Member> Members;
};

/// Fails if \p S is not described, or \p IsThere already. \p What is what it is
/// to have: "a model".
Result<void> checkRegistration(Scheme S, bool IsThere, std::string_view What);
/// Something has been registered, which \p Undo takes back if the library that
/// is being loaded is refused.
void noteRegistration(std::function<void()> Undo);

/// The \p T of each scheme that has one: first those of Schemes.def, then those
/// of loaded schemes. It lives as long as the process, and so do they.
template <typename T> class SchemeRegistry {
public:
  /// A scheme that is registered, and what for.
  struct Entry {
    Scheme Of;
    const T *Value;
  };

  /// \p What: "a model". \p BuiltIn are those of Schemes.def.
  SchemeRegistry(std::string_view What,
                 std::initializer_list<SchemeFamilyOf<T>> BuiltIn)
      : What(What) {
    for (const SchemeFamilyOf<T> &Family : BuiltIn)
      for (const auto &M : Family.Members)
        addBuiltIn(M.Of, M.Value);
  }
  SchemeRegistry(const SchemeRegistry &) = delete;

  Result<void> add(Scheme S, const T &Value) {
    if (Result<void> Ok = check(S); !Ok)
      return Ok;
    Entries.push_back({S, &Value});
    noteRegistration([this] { Entries.pop_back(); });
    return {};
  }

  const std::vector<Entry> &entries() const { return Entries; }
  /// Null: the scheme has none.
  const T *find(Scheme S) const {
    auto It = std::ranges::find(Entries, S, &Entry::Of);
    return It == Entries.end() ? nullptr : It->Value;
  }

protected:
  void addBuiltIn(Scheme S, const T &Value) {
    assert(check(S) && "add() would refuse it");
    Entries.push_back({S, &Value});
  }

private:
  Result<void> check(Scheme S) const {
    return checkRegistration(S, find(S), What);
  }

  std::string_view What;
  std::vector<Entry> Entries;
};

} // namespace regshare

#endif // REGSHARE_BASE_SCHEMEREGISTRY_H
