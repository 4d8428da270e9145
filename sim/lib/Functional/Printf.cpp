//===- Printf.cpp - printf as kernels call it -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printf.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace regshare::sim {

template <typename T>
static void append(std::string &Text, const std::string &Spec, T Value) {
  char Short[128];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  int Length = std::snprintf(Short, sizeof(Short), Spec.c_str(), Value);
  if (Length < 0)
    return;
  if (size_t(Length) < sizeof(Short)) {
    Text.append(Short, size_t(Length));
    return;
  }
  std::vector<char> Long(size_t(Length) + 1);
  std::snprintf(Long.data(), Long.size(), Spec.c_str(), Value);
#pragma GCC diagnostic pop
  Text.append(Long.data(), size_t(Length));
}

namespace {

/// Takes arguments off the buffer.
struct ArgumentReader {
  uint64_t Address;
  const std::function<bool(uint64_t, void *, unsigned)> &Read;
  bool Ok = true;

  template <typename T> T take() {
    T Value{};
    Address = (Address + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    Ok = Ok && Read(Address, &Value, sizeof(T));
    Address += sizeof(T);
    return Value;
  }
};

} // namespace

int formatDevicePrintf(
    const std::string &Format, uint64_t Arguments,
    const std::function<bool(uint64_t, void *, unsigned)> &Read,
    const std::function<bool(uint64_t, std::string &)> &ReadString,
    std::string &Text) {
  ArgumentReader Args{Arguments, Read};
  int Count = 0;
  for (size_t P = 0; P < Format.size(); ++P) {
    if (Format[P] != '%') {
      Text += Format[P];
      continue;
    }
    if (P + 1 < Format.size() && Format[P + 1] == '%') {
      Text += '%';
      ++P;
      continue;
    }
    std::string Spec = "%";
    bool Long = false;
    for (++P;
         P < Format.size() && std::strchr("-+ #0123456789.*hlzjtL", Format[P]);
         ++P) {
      if (Format[P] == '*')
        Spec += std::to_string(Args.take<int32_t>());
      else if (std::strchr("lzjt", Format[P]))
        Long = true;
      else if (!std::strchr("hL", Format[P]))
        Spec += Format[P];
    }
    if (P == Format.size())
      break;
    char Conversion = Format[P];
    ++Count;
    if (std::strchr("diuoxXc", Conversion)) {
      Spec +=
          Long ? std::string("ll") + Conversion : std::string(1, Conversion);
      if (Long)
        append(Text, Spec, Args.take<long long>());
      else
        append(Text, Spec, Args.take<int32_t>());
    } else if (std::strchr("eEfFgGaA", Conversion)) {
      append(Text, Spec + Conversion, Args.take<double>());
    } else if (Conversion == 'p') {
      append(Text, Spec + Conversion,
             reinterpret_cast<void *>(Args.take<uint64_t>()));
    } else if (Conversion == 's') {
      std::string Value;
      if (!ReadString(Args.take<uint64_t>(), Value))
        return -1;
      append(Text, Spec + Conversion, Value.c_str());
    } else {
      Text += Spec + Conversion;
    }
  }
  return Args.Ok ? Count : -1;
}

} // namespace regshare::sim
