//===- Elements.cpp - Values as people write them -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Elements.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

using namespace regshare;
using namespace regshare::sim;

namespace {
struct NamedType {
  std::string_view Name;
  ScalarType Type;
};
} // namespace

static constexpr NamedType Types[] = {
    {"i8", ScalarType::S8},   {"i16", ScalarType::S16},
    {"i32", ScalarType::S32}, {"i64", ScalarType::S64},
    {"u8", ScalarType::U8},   {"u16", ScalarType::U16},
    {"u32", ScalarType::U32}, {"u64", ScalarType::U64},
    {"b8", ScalarType::B8},   {"b16", ScalarType::B16},
    {"b32", ScalarType::B32}, {"b64", ScalarType::B64},
    {"f16", ScalarType::F16}, {"bf16", ScalarType::BF16},
    {"f32", ScalarType::F32}, {"f64", ScalarType::F64}};

ScalarType regshare::parseElementType(std::string_view Name) {
  for (const NamedType &T : Types)
    if (T.Name == Name)
      return T.Type;
  return ScalarType::None;
}

std::string_view regshare::elementTypeName(ScalarType Type) {
  for (const NamedType &T : Types)
    if (T.Type == Type)
      return T.Name;
  return sim::typeName(Type);
}

std::string regshare::elementTypeNames() {
  std::string Names;
  for (const NamedType &T : Types)
    Names += (Names.empty() ? "" : ", ") + std::string(T.Name);
  return Names;
}

//===----------------------------------------------------------------------===//
// 16-bit floating point
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of the fields of a 16-bit format.
struct SmallFloat {
  int ExponentBits, MantissaBits;
  int bias() const { return (1 << (ExponentBits - 1)) - 1; }
  uint64_t infinity() const {
    return ((uint64_t(1) << ExponentBits) - 1) << MantissaBits;
  }
};
} // namespace

static SmallFloat formatOf(ScalarType Type) {
  return Type == ScalarType::F16 ? SmallFloat{5, 10} : SmallFloat{8, 7};
}

static uint64_t encode(SmallFloat F, double Value) {
  uint64_t Sign = std::signbit(Value) ? 0x8000 : 0;
  Value = std::fabs(Value);
  if (std::isnan(Value))
    return F.infinity() | uint64_t(1) << (F.MantissaBits - 1);
  if (std::isinf(Value))
    return Sign | F.infinity();
  int Smallest = 1 - F.bias();
  int Exponent = Value == 0 ? Smallest : std::max(std::ilogb(Value), Smallest);
  // In units of the last place; nearbyint() rounds to nearest even.
  auto Units =
      uint64_t(std::nearbyint(std::ldexp(Value, F.MantissaBits - Exponent)));
  // A carry out of the mantissa, or a subnormal number's missing leading one,
  // comes out right in the exponent field.
  uint64_t Bits = (uint64_t(Exponent + F.bias() - 1) << F.MantissaBits) + Units;
  return Sign | std::min(Bits, F.infinity());
}

static double decode(SmallFloat F, uint64_t Bits) {
  uint64_t Magnitude = Bits & 0x7FFF;
  uint64_t Mantissa = Magnitude & ((uint64_t(1) << F.MantissaBits) - 1);
  int Exponent = int(Magnitude >> F.MantissaBits);
  double Value;
  if (Magnitude > F.infinity())
    Value = std::nan("");
  else if (Magnitude == F.infinity())
    Value = HUGE_VAL;
  else if (Exponent == 0)
    Value = std::ldexp(double(Mantissa), 1 - F.bias() - F.MantissaBits);
  else
    Value = std::ldexp(double(Mantissa + (uint64_t(1) << F.MantissaBits)),
                       Exponent - F.bias() - F.MantissaBits);
  return Bits & 0x8000 ? -Value : Value;
}

//===----------------------------------------------------------------------===//
// Numbers and bits
//===----------------------------------------------------------------------===//

static uint64_t maskOf(ScalarType Type) {
  return ~uint64_t(0) >> (64 - 8 * sizeOf(Type));
}

/// Of b8 to b64 nobody knows: they take both.
static bool isUnsigned(ScalarType Type) {
  return Type >= ScalarType::U8 && Type <= ScalarType::U64;
}

static int64_t signExtend(ScalarType Type, uint64_t Bits) {
  unsigned Shift = 64 - 8 * sizeOf(Type);
  return int64_t(Bits << Shift) >> Shift;
}

double regshare::elementValue(ScalarType Type, uint64_t Bits) {
  switch (Type) {
  case ScalarType::F16:
  case ScalarType::BF16:
    return decode(formatOf(Type), Bits);
  case ScalarType::F32:
    return std::bit_cast<float>(uint32_t(Bits));
  case ScalarType::F64:
    return std::bit_cast<double>(Bits);
  default:
    return isSigned(Type) ? double(signExtend(Type, Bits)) : double(Bits);
  }
}

uint64_t regshare::elementOf(ScalarType Type, double Value) {
  switch (Type) {
  case ScalarType::F16:
  case ScalarType::BF16:
    return encode(formatOf(Type), Value);
  case ScalarType::F32:
    return std::bit_cast<uint32_t>(float(Value));
  case ScalarType::F64:
    return std::bit_cast<uint64_t>(Value);
  default:
    return (Value < 0 ? uint64_t(int64_t(Value)) : uint64_t(Value)) &
           maskOf(Type);
  }
}

static tl::unexpected<Diagnostic> notA(ScalarType Type, std::string_view Text,
                                       const char *Why) {
  return fail("'" + std::string(Text) + "' " + Why + " " +
              std::string(elementTypeName(Type)));
}

static Result<uint64_t> parseFloat(ScalarType Type, std::string_view Text) {
  const char *End = Text.data() + Text.size();
  double Value = 0;
  std::from_chars_result R{};
  // Read as what it is: through a double it would be rounded twice.
  if (Type == ScalarType::F32) {
    float Narrow = 0;
    R = std::from_chars(Text.data(), End, Narrow);
    Value = double(Narrow);
  } else {
    R = std::from_chars(Text.data(), End, Value);
  }
  if (R.ec == std::errc::invalid_argument || R.ptr != End)
    return notA(Type, Text, "is no number of type");
  uint64_t Bits = elementOf(Type, Value);
  bool Overflows = std::isinf(elementValue(Type, Bits)) && !std::isinf(Value);
  if (R.ec == std::errc::result_out_of_range || Overflows)
    return notA(Type, Text, "is out of the range of");
  return Bits;
}

static Result<uint64_t> parseInteger(ScalarType Type, std::string_view Text) {
  const char *End = Text.data() + Text.size();
  uint64_t Magnitude = 0;
  bool Negative = Text.starts_with("-");
  auto R = std::from_chars(Text.data() + Negative, End, Magnitude);
  if (R.ec == std::errc::invalid_argument || R.ptr != End)
    return notA(Type, Text, "is no number of type");
  uint64_t Half = maskOf(Type) / 2;
  uint64_t Most = isSigned(Type) ? Half : maskOf(Type);
  if (Negative)
    Most = isUnsigned(Type) ? 0 : Half + 1;
  if (R.ec == std::errc::result_out_of_range || Magnitude > Most)
    return notA(Type, Text, "is out of the range of");
  return (Negative ? 0 - Magnitude : Magnitude) & maskOf(Type);
}

Result<uint64_t> regshare::parseElement(ScalarType Type,
                                        std::string_view Text) {
  if (!Text.starts_with("0x") && !Text.starts_with("0X"))
    return isFloat(Type) ? parseFloat(Type, Text) : parseInteger(Type, Text);
  const char *End = Text.data() + Text.size();
  uint64_t Bits = 0;
  auto R = std::from_chars(Text.data() + 2, End, Bits, 16);
  if (R.ec == std::errc::invalid_argument || R.ptr != End)
    return notA(Type, Text, "is no number of type");
  if (R.ec == std::errc::result_out_of_range || Bits > maskOf(Type))
    return notA(Type, Text, "is out of the range of");
  return Bits;
}

/// Shortest digits that read back as \p Value in its own type.
template <typename T> static std::string shortest(T Value, int Base = 0) {
  char Buffer[64];
  std::to_chars_result R{};
  if constexpr (std::is_floating_point_v<T>)
    R = std::to_chars(Buffer, std::end(Buffer), Value);
  else
    R = std::to_chars(Buffer, std::end(Buffer), Value, Base);
  return std::string(Buffer, R.ptr);
}

std::string regshare::printElement(ScalarType Type, uint64_t Bits) {
  if (isFloat(Type)) {
    double Value = elementValue(Type, Bits);
    if (std::isnan(Value))
      return "nan";
    // 16-bit values are exact in f32, whose digits are the shorter ones.
    return Type == ScalarType::F64 ? shortest(Value) : shortest(float(Value));
  }
  if (isSigned(Type))
    return shortest(signExtend(Type, Bits), 10);
  if (isUnsigned(Type))
    return shortest(Bits, 10);
  std::string Digits = shortest(Bits, 16);
  return "0x" + std::string(2 * sizeOf(Type) - Digits.size(), '0') + Digits;
}
