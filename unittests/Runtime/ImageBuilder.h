//===- ImageBuilder.h - Fat binaries for tests -*- C++ -*------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts PTX texts into NVIDIA's container, as fatbinary does.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_RUNTIME_IMAGEBUILDER_H
#define REGSHARE_UNITTESTS_RUNTIME_IMAGEBUILDER_H

#include <cstdint>
#include <cstring>
#include <string>

namespace regshare::test {

class ImageBuilder {
public:
  enum Kind : uint16_t { PTX = 1, Cubin = 2 };
  enum Flag : uint64_t { Plain = 0, LZ4 = 0x2000, Zstd = 0x8000 };

  /// An entry for sm_\p Arch. \p UnpackedSize goes with a compressed payload.
  void add(Kind K, unsigned Arch, const std::string &Payload,
           Flag Compression = Plain, size_t UnpackedSize = 0) {
    constexpr uint32_t HeaderSize = 0x40;
    std::string Header(HeaderSize, '\0');
    uint64_t Padded = (Payload.size() + 7) / 8 * 8;
    put<uint16_t>(Header, 0, K);
    put<uint32_t>(Header, 4, HeaderSize);
    put<uint64_t>(Header, 8, Padded);
    put<uint32_t>(Header, 0x10, Compression ? uint32_t(Payload.size()) : 0);
    put<uint32_t>(Header, 0x1c, Arch);
    put<uint64_t>(Header, 0x28, Compression);
    put<uint64_t>(Header, 0x38, UnpackedSize);
    Entries += Header + Payload + std::string(Padded - Payload.size(), '\0');
  }

  std::string image() const {
    std::string Head(16, '\0');
    put<uint32_t>(Head, 0, 0xBA55ED50);
    put<uint32_t>(Head, 4, 1 | 16 << 16);
    put<uint64_t>(Head, 8, Entries.size());
    return Head + Entries;
  }

private:
  template <typename T>
  static void put(std::string &To, size_t Offset, T Value) {
    std::memcpy(To.data() + Offset, &Value, sizeof(T));
  }

  std::string Entries;
};

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_RUNTIME_IMAGEBUILDER_H
