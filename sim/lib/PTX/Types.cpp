//===- Types.cpp - PTX scalar types and state spaces -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Types.h"

namespace regshare::sim {

static constexpr std::string_view TypeNames[] = {
    "none",  "pred", "b8",     "b16", "b32", "b64",   "b128", "u8",
    "u16",   "u32",  "u64",    "s8",  "s16", "s32",   "s64",  "f16",
    "f16x2", "bf16", "bf16x2", "f32", "f64", "u16x2", "s16x2"};

std::optional<ScalarType> parseScalarType(std::string_view Name) {
  for (unsigned I = 1; I != std::size(TypeNames); ++I)
    if (TypeNames[I] == Name)
      return ScalarType(I);
  return std::nullopt;
}

std::string_view typeName(ScalarType T) { return TypeNames[unsigned(T)]; }

std::string_view spaceName(Space S) {
  constexpr std::string_view Names[] = {"generic", "global", "shared",
                                        "local",   "const",  "param"};
  return Names[unsigned(S)];
}

} // namespace regshare::sim
