//===- regshare/Sim/Types.h - PTX scalar types and state spaces -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PTX scalar types and state spaces (PTX ISA 8.8, chapter 5), and the layout
/// of the generic address space of the reference SM.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TYPES_H
#define REGSHARE_SIM_TYPES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace regshare::sim {

/// PTX's types of registers and memory.
enum class ScalarType : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F64,
  U16x2,
  S16x2,
};

/// The type that a modifier such as "f32" names; nothing if it names none.
std::optional<ScalarType> parseScalarType(std::string_view Name);
/// "f32"; "none" for ScalarType::None.
std::string_view typeName(ScalarType T);

/// Bytes a value takes in memory; 0 for predicates.
constexpr unsigned sizeOf(ScalarType T) {
  switch (T) {
  case ScalarType::None:
  case ScalarType::Pred:
    return 0;
  case ScalarType::B8:
  case ScalarType::U8:
  case ScalarType::S8:
    return 1;
  case ScalarType::B16:
  case ScalarType::U16:
  case ScalarType::S16:
  case ScalarType::F16:
  case ScalarType::BF16:
    return 2;
  case ScalarType::B64:
  case ScalarType::U64:
  case ScalarType::S64:
  case ScalarType::F64:
    return 8;
  case ScalarType::B128:
    return 16;
  case ScalarType::B32:
  case ScalarType::U32:
  case ScalarType::S32:
  case ScalarType::F32:
  case ScalarType::F16x2:
  case ScalarType::BF16x2:
  case ScalarType::U16x2:
  case ScalarType::S16x2:
    return 4;
  }
  return 0;
}

/// Whether it is an integer with a sign.
constexpr bool isSigned(ScalarType T) {
  return T == ScalarType::S8 || T == ScalarType::S16 || T == ScalarType::S32 ||
         T == ScalarType::S64 || T == ScalarType::S16x2;
}

/// Whether it is one floating-point number.
constexpr bool isFloat(ScalarType T) {
  return T >= ScalarType::F16 && T <= ScalarType::F64;
}

/// Rows of 32-bit registers that a register of type \p T takes; 0 for
/// predicates.
constexpr unsigned rowsOf(ScalarType T) { return (sizeOf(T) + 3) / 4; }

/// PTX's state spaces.
enum class Space : uint8_t {
  Generic,
  Global,
  Shared,
  Local,
  Const,
  Param,
};

/// "global"
std::string_view spaceName(Space S);

/// Windows of the generic address space. Whatever lies outside of them is
/// global memory (which holds the constant bank as well).
inline constexpr uint64_t WindowSize = uint64_t(1) << 24;
inline constexpr uint64_t SharedWindow = uint64_t(0x10) << 24;
inline constexpr uint64_t LocalWindow = uint64_t(0x20) << 24;
inline constexpr uint64_t ParamWindow = uint64_t(0x30) << 24;
/// Where global memory begins: high enough to be free in every process that was
/// seen, AddressSanitizer's included. Addresses of constants that have 32 bits
/// count from here.
inline constexpr uint64_t DeviceBase = uint64_t(0x2000) << 32;

/// Threads of a warp.
inline constexpr unsigned WarpSize = 32;
inline constexpr uint32_t FullMask = ~uint32_t(0);

/// A grid's or a CTA's extent.
struct Dim3 {
  uint32_t X = 1, Y = 1, Z = 1;
  constexpr uint64_t count() const { return uint64_t(X) * Y * Z; }
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TYPES_H
