//===- RegisterOrder.cpp - Orders of registers ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Sharing/RegisterOrder.h"

#include <algorithm>
#include <string>

namespace regshare {

std::string_view registerOrderName(RegisterOrder Order) {
  return RegisterOrderNames[unsigned(Order)];
}

Result<RegisterOrder> parseRegisterOrder(std::string_view Name) {
  const auto *Found = std::ranges::find(RegisterOrderNames, Name);
  if (Found != std::end(RegisterOrderNames))
    return RegisterOrder(Found - RegisterOrderNames);
  std::string Known;
  for (std::string_view Each : RegisterOrderNames)
    Known += (Known.empty() ? "" : ", ") + std::string(Each);
  return fail("unknown order '" + std::string(Name) + "'; known: " + Known);
}

} // namespace regshare
