//===- BufferRequests.cpp - What to do with buffers at the end ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferRequests.h"

#include "regshare/Simulate/Elements.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

using namespace regshare;
using namespace regshare::sim;

/// Reads the leading "N" of \p Text, an argument that has a buffer, and leaves
/// what follows it.
static Result<BufferRequest>
parseBufferNumber(const std::vector<Argument> &Arguments,
                  std::string_view &Text) {
  BufferRequest R;
  auto [Rest, Status] =
      std::from_chars(Text.data(), Text.data() + Text.size(), R.Argument);
  if (Status != std::errc())
    return fail("expected an argument's number");
  std::string Number = std::to_string(R.Argument);
  if (R.Argument >= Arguments.size())
    return fail("there is no argument " + Number);
  if (Arguments[R.Argument].K != Argument::Buffer)
    return fail("argument " + Number + " is no buffer");
  Text.remove_prefix(size_t(Rest - Text.data()));
  R.Count = Arguments[R.Argument].Count;
  return R;
}

static Result<BufferRequest> parsePrint(const std::vector<Argument> &Arguments,
                                        std::string_view Text) {
  Result<BufferRequest> R = parseBufferNumber(Arguments, Text);
  if (!R || Text.empty())
    return R;
  uint64_t Count = 0;
  const char *End = Text.data() + Text.size();
  auto [Rest, Status] = std::from_chars(Text.data() + 1, End, Count);
  if (Text.front() != ':' || Status != std::errc() || Rest != End)
    return fail("expected ':' and a number of elements after the argument's "
                "number");
  if (Count > R->Count)
    return fail("the buffer has " + std::to_string(R->Count) + " elements");
  R->Count = Count;
  return R;
}

static Result<BufferRequest> parseCheck(const std::vector<Argument> &Arguments,
                                        std::string_view Text) {
  Result<BufferRequest> R = parseBufferNumber(Arguments, Text);
  if (!R)
    return R;
  ScalarType Type = Arguments[R->Argument].Type;
  if (Text.starts_with("~")) {
    const char *Begin = Text.data() + 1, *End = Text.data() + Text.size();
    auto [Rest, Status] = std::from_chars(Begin, End, R->Tolerance);
    if (Status != std::errc() || !(R->Tolerance >= 0))
      return fail("expected a tolerance after '~', such as 1e-6");
    Text.remove_prefix(size_t(Rest - Text.data()));
  }
  if (!Text.starts_with("="))
    return fail("expected '=' and contents after the argument's number");
  Result<std::vector<uint8_t>> Contents =
      parseContents(Type, R->Count, Text.substr(1));
  if (!Contents)
    return tl::make_unexpected(Contents.error());
  R->Count = Contents->size() / sizeOf(Type);
  R->Expected = std::move(*Contents);
  return R;
}

static Result<BufferRequest> parseWrite(const std::vector<Argument> &Arguments,
                                        std::string_view Text) {
  Result<BufferRequest> R = parseBufferNumber(Arguments, Text);
  if (!R)
    return R;
  if (!Text.starts_with("=") || Text.size() == 1)
    return fail("expected '=' and a file after the argument's number");
  R->Path = Text.substr(1);
  return R;
}

/// Applies \p Parse to each of an option's values, naming the one that fails.
template <typename Parser>
static Result<std::vector<BufferRequest>>
parseAll(const std::vector<Argument> &Arguments,
         const std::vector<std::string> &Texts, const char *Option,
         Parser Parse) {
  std::vector<BufferRequest> Requests;
  for (const std::string &Text : Texts) {
    Result<BufferRequest> R = Parse(Arguments, Text);
    if (!R)
      return fail(std::string(Option) + "=" + Text + ": " + R.error().Message);
    Requests.push_back(std::move(*R));
  }
  return Requests;
}

Result<BufferRequests>
regshare::parseRequests(const SimulationRequest &Request,
                        const std::vector<Argument> &Arguments) {
  Result<std::vector<BufferRequest>> Prints =
      parseAll(Arguments, Request.Prints, "--print-arg", parsePrint);
  if (!Prints)
    return tl::make_unexpected(Prints.error());
  Result<std::vector<BufferRequest>> Checks =
      parseAll(Arguments, Request.Checks, "--check-arg", parseCheck);
  if (!Checks)
    return tl::make_unexpected(Checks.error());
  Result<std::vector<BufferRequest>> Writes =
      parseAll(Arguments, Request.Writes, "--write-arg", parseWrite);
  if (!Writes)
    return tl::make_unexpected(Writes.error());
  return BufferRequests{std::move(*Prints), std::move(*Checks),
                        std::move(*Writes)};
}

static uint64_t elementAt(const std::vector<uint8_t> &Bytes, ScalarType Type,
                          uint64_t Index) {
  uint64_t Bits = 0;
  for (unsigned K = 0; K != sizeOf(Type); ++K)
    Bits |= uint64_t(Bytes[Index * sizeOf(Type) + K]) << 8 * K;
  return Bits;
}

/// Fails if the kernel has freed the buffer.
static Result<std::vector<uint8_t>> readBuffer(const BoundArguments &B,
                                               const GlobalMemory &Memory,
                                               const BufferRequest &R) {
  std::vector<uint8_t> Bytes(R.Count * sizeOf(B.Arguments[R.Argument].Type));
  if (!Memory.read(B.Addresses[R.Argument], Bytes.data(), Bytes.size()))
    return fail("the kernel has freed the buffer of argument " +
                std::to_string(R.Argument));
  return Bytes;
}

/// Equal in value: zeros of either sign, and NaNs of any payload; or as close
/// as the tolerance says, which is relative for what is larger than 1.
static bool equal(ScalarType Type, uint64_t Is, uint64_t Wanted,
                  double Tolerance) {
  if (Is == Wanted || (Tolerance == 0 && !isFloat(Type)))
    return Is == Wanted;
  double X = elementValue(Type, Is), Y = elementValue(Type, Wanted);
  return X == Y || (X != X && Y != Y) ||
         std::fabs(X - Y) <= Tolerance * std::max(1.0, std::fabs(Y));
}

Result<void> regshare::checkBuffer(const BoundArguments &B,
                                   const GlobalMemory &Memory,
                                   const BufferRequest &R) {
  constexpr uint64_t MaxShown = 8;
  Result<std::vector<uint8_t>> Bytes = readBuffer(B, Memory, R);
  if (!Bytes)
    return tl::make_unexpected(Bytes.error());
  ScalarType Type = B.Arguments[R.Argument].Type;
  uint64_t Different = 0;
  std::string Shown;
  for (uint64_t K = 0; K != R.Count; ++K) {
    uint64_t Is = elementAt(*Bytes, Type, K);
    uint64_t Wanted = elementAt(R.Expected, Type, K);
    if (equal(Type, Is, Wanted, R.Tolerance))
      continue;
    if (++Different <= MaxShown)
      Shown += "\n  [" + std::to_string(K) + "] is " + printElement(Type, Is) +
               ", expected " + printElement(Type, Wanted);
  }
  if (!Different)
    return {};
  if (Different > MaxShown)
    Shown += "\n  and " + std::to_string(Different - MaxShown) + " more";
  return fail("argument " + std::to_string(R.Argument) + ": " +
              std::to_string(Different) + " of " + std::to_string(R.Count) +
              " elements differ" + Shown);
}

Result<BufferContents> regshare::showBuffer(const BoundArguments &B,
                                            const GlobalMemory &Memory,
                                            const BufferRequest &R) {
  Result<std::vector<uint8_t>> Bytes = readBuffer(B, Memory, R);
  if (!Bytes)
    return tl::make_unexpected(Bytes.error());
  const Argument &A = B.Arguments[R.Argument];
  BufferContents Contents{R.Argument, A.Type, A.Count, {}};
  for (uint64_t K = 0; K != R.Count; ++K)
    Contents.Elements.push_back(elementAt(*Bytes, A.Type, K));
  return Contents;
}

Result<void> regshare::writeBuffer(const BoundArguments &B,
                                   const GlobalMemory &Memory,
                                   const BufferRequest &R) {
  Result<std::vector<uint8_t>> Bytes = readBuffer(B, Memory, R);
  if (!Bytes)
    return tl::make_unexpected(Bytes.error());
  std::ofstream File(R.Path, std::ios::binary);
  File.write(reinterpret_cast<const char *>(Bytes->data()),
             std::streamsize(Bytes->size()));
  if (!File.flush())
    return fail("--write-arg=" + std::to_string(R.Argument) + "=" + R.Path +
                ": cannot write the file");
  return {};
}
