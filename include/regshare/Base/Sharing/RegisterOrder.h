//===- regshare/Base/RegisterOrder.h - Orders of registers  -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In which order register sharing numbers a thread's registers: the lowest
/// numbers are those that a warp has of its own (resource sharing §IV-B).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SHARING_REGISTERORDER_H
#define REGSHARE_BASE_SHARING_REGISTERORDER_H

#include "regshare/Base/Result.h"

#include <cstdint>
#include <string_view>

namespace regshare {

/// What gets the lowest numbers.
enum class RegisterOrder : uint8_t {
  FirstUse, ///< What the text names first: the published order (§IV-B).
  Declared, ///< The numbers stay as assignment left them.
  Earliest, ///< What the fewest instructions lead to, of all paths.
  Weight,   ///< What lets most instructions run before a shared register.
};

/// In the order of the enumeration, as options spell them.
inline constexpr std::string_view RegisterOrderNames[] = {
    "first-use", "declared", "earliest", "weight"};

std::string_view registerOrderName(RegisterOrder Order);
/// Fails on what is none of the names, naming all.
Result<RegisterOrder> parseRegisterOrder(std::string_view Name);

} // namespace regshare

#endif // REGSHARE_BASE_SHARING_REGISTERORDER_H
