//===- GroupedCode.cpp - Code in groups of instructions -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupedCode.h"

namespace regshare::sim {

std::optional<uint32_t> GroupedCode::firstMissing(const Inst &I) const {
  uint32_t Group = GroupOf[size_t(&I - F.Code.data())];
  return firstNamed(F, I, [&](uint32_t Access) {
    bool IsBrought =
        Group != NoGroup && std::ranges::binary_search(Brought[Group], Access);
    return Access < F.RegsPerThread && Access >= Kept && !IsBrought;
  });
}

uint8_t GroupedCode::attentionTo(size_t Number) const {
  const Inst &I = F.Code[Number];
  // A Define is no instruction of the hardware's.
  return I.Kind != InstKind::Define && firstMissing(I) ? AttendBefore : 0;
}

uint32_t GroupedCode::addGroups(std::any &All) const {
  return appendGroups(All, Brought);
}

} // namespace regshare::sim
