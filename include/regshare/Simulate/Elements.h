//===- regshare/Simulate/Elements.h - Values as people write them -*- C++ -*-=//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Text to bits and back, for the scalars and buffer elements that a user
/// passes to a kernel: i8 … i64, u8 … u64, f16, bf16, f32, f64, and b8 … b64,
/// which are printed in hexadecimal.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIMULATE_ELEMENTS_H
#define REGSHARE_SIMULATE_ELEMENTS_H

#include "regshare/Base/Result.h"
#include "regshare/Sim/Types.h"

#include <string>
#include <string_view>

namespace regshare {

/// The type that "f32" or "i16" names; ScalarType::None if it names none.
sim::ScalarType parseElementType(std::string_view Name);
/// "i32" for S32; only for types that parseElementType delivers.
std::string_view elementTypeName(sim::ScalarType Type);
/// "i8, i16, …", for messages.
std::string elementTypeNames();

/// The bits of the number \p Text, in the low sizeOf(Type) bytes. "0x…" is the
/// bits themselves, whatever the type. Fails on what is no number and on what
/// the type cannot hold; floating-point numbers are rounded to nearest even.
Result<uint64_t> parseElement(sim::ScalarType Type, std::string_view Text);
/// The shortest text from which parseElement makes \p Bits again; a NaN is
/// "nan" whatever its payload.
std::string printElement(sim::ScalarType Type, uint64_t Bits);

/// The value of \p Bits as a number; exact for all but 64-bit integers.
double elementValue(sim::ScalarType Type, uint64_t Bits);
/// \p Value in \p Type: rounded for floating point; integers wrap around.
uint64_t elementOf(sim::ScalarType Type, double Value);

} // namespace regshare

#endif // REGSHARE_SIMULATE_ELEMENTS_H
