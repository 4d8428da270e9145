//===- Arguments.cpp - Kernel arguments as text -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Arguments.h"

#include "regshare/Simulate/Elements.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace regshare;
using namespace regshare::sim;

/// What one buffer can have; the device's memory is what it is taken from.
static constexpr uint64_t MaxBufferBytes = uint64_t(1) << 32;

const std::vector<GrammarRule> &regshare::argumentGrammar() {
  static const std::vector<GrammarRule> Rules = {
      {"<number>", "a scalar of the type that the kernel declares: 5, -1, 1.5"},
      {"<type>:<number>",
       "a scalar of this type: i32:5, u64:7, f32:1.5; 0x… gives its bits"},
      {"hex:<digits>",
       "the bytes of a struct passed by value, in memory order"},
      {"null", "a null pointer"},
      {"buf:<type>*<count>[=<contents>]",
       "the address of a new buffer, zeros without contents"},
      {"buf:<type>=<contents>", "the same, as long as its contents"},
      {"ref:<n>[+<bytes>|-<bytes>]",
       "an address in the buffer of argument <n>, counted from 0"},
      {"freed:<type>*<count>", "the address of a buffer that has been freed"},
      {"<contents>: <a>,<b>,...", "these numbers, then zeros"},
      {"<contents>: @<file>", "the bytes of a file, then zeros"},
      {"<contents>: iota[:<first>[:<step>]]", "0, 1, 2, …, or from <first> on"},
      {"<contents>: fill:<number>", "the same number everywhere"},
      {"<contents>: random:<seed>[:<lo>:<hi>]",
       "pseudo-random: floating point from [0,1), integers of all values, or "
       "from [<lo>,<hi>)"}};
  return Rules;
}

namespace {
/// Where reading is, and how it fails.
class Cursor {
public:
  explicit Cursor(std::string_view Text) : Text(Text) {}

  bool atEnd() const { return At == Text.size(); }
  std::string_view rest() const { return Text.substr(At); }
  size_t position() const { return At; }
  bool take(std::string_view Prefix) {
    if (!rest().starts_with(Prefix))
      return false;
    At += Prefix.size();
    return true;
  }
  /// Everything before the first of \p Stops.
  std::string_view takeUntil(std::string_view Stops) {
    std::string_view Word = rest().substr(0, rest().find_first_of(Stops));
    At += Word.size();
    return Word;
  }
  tl::unexpected<Diagnostic> fail(const std::string &Message) const {
    return failAt(At, Message);
  }
  tl::unexpected<Diagnostic> failAt(size_t Place,
                                    const std::string &Message) const {
    return regshare::fail(Message + "\n  " + std::string(Text) + "\n  " +
                          std::string(Place, ' ') + "^");
  }

private:
  std::string_view Text;
  size_t At = 0;
};
} // namespace

template <typename T>
static Result<T> takeInteger(Cursor &C, std::string_view Stops,
                             const char *What) {
  size_t Place = C.position();
  std::string_view Word = C.takeUntil(Stops);
  T Value = 0;
  auto R = std::from_chars(Word.data(), Word.data() + Word.size(), Value);
  if (Word.empty() || R.ec != std::errc() || R.ptr != Word.data() + Word.size())
    return C.failAt(Place, std::string("expected ") + What);
  return Value;
}

static Result<uint64_t> takeElement(Cursor &C, ScalarType Type,
                                    std::string_view Stops) {
  size_t Place = C.position();
  std::string_view Word = C.takeUntil(Stops);
  if (Word.empty())
    return C.failAt(Place, "expected a number of type " +
                               std::string(elementTypeName(Type)));
  Result<uint64_t> Bits = parseElement(Type, Word);
  if (!Bits)
    return C.failAt(Place, Bits.error().Message);
  return Bits;
}

static Result<ScalarType> takeType(Cursor &C, std::string_view Stops,
                                   const char *Expected) {
  size_t Place = C.position();
  ScalarType Type = parseElementType(C.takeUntil(Stops));
  if (Type == ScalarType::None)
    return C.failAt(Place, std::string("expected ") + Expected +
                               "; the types are " + elementTypeNames());
  return Type;
}

//===----------------------------------------------------------------------===//
// Contents of buffers
//===----------------------------------------------------------------------===//

static void append(std::vector<uint8_t> &Bytes, ScalarType Type,
                   uint64_t Bits) {
  for (unsigned K = 0; K != sizeOf(Type); ++K)
    Bytes.push_back(uint8_t(Bits >> 8 * K));
}

static Result<std::vector<uint8_t>> takeList(Cursor &C, ScalarType Type,
                                             uint64_t Count) {
  std::vector<uint8_t> Bytes;
  do {
    size_t Place = C.position();
    Result<uint64_t> Bits = takeElement(C, Type, ",");
    if (!Bits)
      return tl::make_unexpected(Bits.error());
    append(Bytes, Type, *Bits);
    if (Count && Bytes.size() > Count * sizeOf(Type))
      return C.failAt(Place, "the buffer has only " + std::to_string(Count) +
                                 " elements");
  } while (C.take(","));
  return Bytes;
}

static Result<std::vector<uint8_t>> takeFile(Cursor &C, ScalarType Type,
                                             uint64_t Count) {
  size_t Place = C.position();
  std::string Path(C.takeUntil(""));
  std::vector<uint8_t> Bytes;
  // Reading a directory throws.
  if (std::error_code Ignored; !std::filesystem::is_directory(Path, Ignored)) {
    std::ifstream File(Path, std::ios::binary);
    Bytes.assign(std::istreambuf_iterator<char>(File), {});
  }
  if (Bytes.empty())
    return C.failAt(Place, "cannot read '" + Path + "', or it is empty");
  std::string Has =
      "'" + Path + "' has " + std::to_string(Bytes.size()) + " bytes, ";
  if (Bytes.size() % sizeOf(Type))
    return C.failAt(Place, Has + "which is no multiple of the " +
                               std::to_string(sizeOf(Type)) + " of " +
                               std::string(elementTypeName(Type)));
  if (Count && Bytes.size() > Count * sizeOf(Type))
    return C.failAt(Place,
                    Has + "the buffer " + std::to_string(Count * sizeOf(Type)));
  return Bytes;
}

static Result<std::vector<uint8_t>> takeIota(Cursor &C, ScalarType Type,
                                             uint64_t Count) {
  uint64_t First = 0, Step = elementOf(Type, 1);
  for (uint64_t *Value : {&First, &Step}) {
    if (!C.take(":"))
      break;
    Result<uint64_t> Bits = takeElement(C, Type, ":");
    if (!Bits)
      return tl::make_unexpected(Bits.error());
    *Value = *Bits;
  }
  std::vector<uint8_t> Bytes;
  double Start = elementValue(Type, First), Stride = elementValue(Type, Step);
  for (uint64_t K = 0; K != Count; ++K)
    append(Bytes, Type,
           isFloat(Type) ? elementOf(Type, Start + double(K) * Stride)
                         : First + K * Step);
  return Bytes;
}

static Result<std::vector<uint8_t>> takeFill(Cursor &C, ScalarType Type,
                                             uint64_t Count) {
  if (!C.take(":"))
    return C.fail("expected ':' and the number to fill with");
  Result<uint64_t> Bits = takeElement(C, Type, "");
  if (!Bits)
    return tl::make_unexpected(Bits.error());
  std::vector<uint8_t> Bytes;
  for (uint64_t K = 0; K != Count; ++K)
    append(Bytes, Type, *Bits);
  return Bytes;
}

/// The sequence is that of std::mt19937_64, the same on every machine.
static Result<std::vector<uint8_t>> takeRandom(Cursor &C, ScalarType Type,
                                               uint64_t Count) {
  if (!C.take(":"))
    return C.fail("expected ':' and a seed");
  Result<uint64_t> Seed = takeInteger<uint64_t>(C, ":", "a seed");
  if (!Seed)
    return tl::make_unexpected(Seed.error());
  uint64_t Low = 0, High = isFloat(Type) ? elementOf(Type, 1) : 0;
  size_t Place = C.position();
  if (C.take(":")) {
    Result<uint64_t> From = takeElement(C, Type, ":");
    if (!From)
      return tl::make_unexpected(From.error());
    if (!C.take(":"))
      return C.fail("expected ':' and the end of the range");
    Result<uint64_t> To = takeElement(C, Type, "");
    if (!To)
      return tl::make_unexpected(To.error());
    Low = *From;
    High = *To;
    if (!(elementValue(Type, Low) < elementValue(Type, High)))
      return C.failAt(Place + 1, "the range is empty");
  }
  std::mt19937_64 Random(*Seed);
  std::vector<uint8_t> Bytes;
  double Start = elementValue(Type, Low);
  double Width = elementValue(Type, High) - Start;
  for (uint64_t K = 0; K != Count; ++K) {
    uint64_t Word = Random();
    if (isFloat(Type))
      // 2^-64 would round up to 1 at the end: 24 bits are exact in an f32.
      append(Bytes, Type,
             elementOf(Type, Start + Width * double(Word >> 40) * 0x1p-24));
    else
      append(Bytes, Type, High == Low ? Word : Low + Word % (High - Low));
  }
  return Bytes;
}

static Result<std::vector<uint8_t>> takeContents(Cursor &C, ScalarType Type,
                                                 uint64_t Count) {
  if (C.take("@"))
    return takeFile(C, Type, Count);
  size_t Place = C.position();
  using Taker =
      Result<std::vector<uint8_t>> (*)(Cursor &, ScalarType, uint64_t);
  const std::pair<const char *, Taker> Generators[] = {
      {"iota", takeIota}, {"fill", takeFill}, {"random", takeRandom}};
  for (auto [Name, Take] : Generators) {
    if (!C.take(Name))
      continue;
    if (!Count)
      return C.failAt(
          Place, std::string("'") + Name +
                     "' needs to know how many: buf:<type>*<count>=" + Name);
    return Take(C, Type, Count);
  }
  if (C.atEnd() || !(C.rest().find_first_of("0123456789.-in") == 0))
    return C.fail("expected numbers, iota, fill:, random: or @file");
  return takeList(C, Type, Count);
}

static Result<void> expectEnd(const Cursor &C) {
  if (!C.atEnd())
    return C.fail("expected the argument to end here");
  return {};
}

Result<std::vector<uint8_t>> regshare::parseContents(ScalarType Type,
                                                     uint64_t Count,
                                                     std::string_view Text) {
  Cursor C(Text);
  Result<std::vector<uint8_t>> Bytes = takeContents(C, Type, Count);
  if (!Bytes)
    return Bytes;
  if (Result<void> End = expectEnd(C); !End)
    return tl::make_unexpected(End.error());
  return Bytes;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Result<void> takeBuffer(Cursor &C, Argument &A) {
  Result<ScalarType> Type = takeType(C, "*=", "an element type");
  if (!Type)
    return tl::make_unexpected(Type.error());
  A.Type = *Type;
  size_t Place = C.position() + 1;
  if (C.take("*")) {
    Result<uint64_t> Count =
        takeInteger<uint64_t>(C, "=", "a number of elements, 1 or more");
    if (!Count)
      return tl::make_unexpected(Count.error());
    A.Count = *Count;
    if (!A.Count)
      return C.failAt(Place, "expected a number of elements, 1 or more");
    if (A.Count > MaxBufferBytes / sizeOf(A.Type))
      return C.failAt(Place, "the buffer is larger than 4 GiB");
  }
  if (C.take("=")) {
    Result<std::vector<uint8_t>> Bytes = takeContents(C, A.Type, A.Count);
    if (!Bytes)
      return tl::make_unexpected(Bytes.error());
    A.Bytes = std::move(*Bytes);
    if (!A.Count)
      A.Count = A.Bytes.size() / sizeOf(A.Type);
  } else if (!A.Count) {
    return C.fail("expected '*' and a number of elements, or '=' and contents");
  }
  A.Bytes.resize(A.Count * sizeOf(A.Type));
  return {};
}

static Result<void> takeHex(Cursor &C, Argument &A) {
  A.K = Argument::Raw;
  size_t Place = C.position();
  std::string_view Digits = C.takeUntil("");
  for (size_t K = 0; K + 1 < Digits.size(); K += 2) {
    uint8_t Byte = 0;
    const char *Pair = Digits.data() + K;
    if (std::from_chars(Pair, Pair + 2, Byte, 16).ptr != Pair + 2)
      return C.failAt(Place + K, "expected two hexadecimal digits");
    A.Bytes.push_back(Byte);
  }
  if (Digits.size() % 2 || Digits.empty())
    return C.failAt(Place + Digits.size(),
                    "expected two hexadecimal digits for each byte");
  return {};
}

static Result<void> takeReference(Cursor &C, Argument &A) {
  A.K = Argument::Reference;
  Result<unsigned> Target =
      takeInteger<unsigned>(C, "+-", "an argument's number");
  if (!Target)
    return tl::make_unexpected(Target.error());
  A.Target = *Target;
  bool Plus = C.take("+");
  if (!Plus && C.atEnd())
    return {};
  Result<int64_t> Offset = takeInteger<int64_t>(C, "", "a number of bytes");
  if (!Offset)
    return tl::make_unexpected(Offset.error());
  A.Offset = *Offset;
  return {};
}

/// True if \p Text can only be a number.
static bool isBareNumber(std::string_view Text) {
  return Text.find(':') == std::string_view::npos && !Text.empty() &&
         (Text == "inf" || Text == "nan" ||
          Text.find_first_of("0123456789.-") == 0);
}

static Result<void> takeScalar(Cursor &C, Argument &A) {
  if (isBareNumber(C.rest())) {
    A.K = Argument::Number;
    C.takeUntil("");
    return {};
  }
  Result<ScalarType> Type =
      takeType(C, ":", "a number, a type, buf:, freed:, hex:, ref: or null");
  if (!Type)
    return tl::make_unexpected(Type.error());
  A.Type = *Type;
  if (!C.take(":"))
    return C.fail("expected ':' and a number of type " +
                  std::string(elementTypeName(A.Type)));
  Result<uint64_t> Bits = takeElement(C, A.Type, "");
  if (!Bits)
    return tl::make_unexpected(Bits.error());
  append(A.Bytes, A.Type, *Bits);
  return {};
}

Result<Argument> regshare::parseArgument(std::string_view Text) {
  Cursor C(Text);
  Argument A;
  A.Text = Text;
  Result<void> Ok;
  if (C.take("buf:")) {
    A.K = Argument::Buffer;
    Ok = takeBuffer(C, A);
  } else if (C.take("freed:")) {
    A.K = Argument::Freed;
    Ok = takeBuffer(C, A);
  } else if (C.take("hex:")) {
    Ok = takeHex(C, A);
  } else if (C.take("ref:")) {
    Ok = takeReference(C, A);
  } else if (C.take("null")) {
    A.Type = ScalarType::B64;
    A.Bytes.resize(8);
  } else {
    Ok = takeScalar(C, A);
  }
  if (Ok)
    Ok = expectEnd(C);
  if (!Ok)
    return tl::make_unexpected(Ok.error());
  return A;
}
