//===- FatBinary.cpp - What a program embeds as device code -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace regshare::cudart {

/// "BC\xC0\xDE", LLVM's bitstream.
static constexpr uint32_t BitcodeMagic = 0xDEC04342;
/// LLVM's wrapper around a bitstream: magic, version, offset, size, processor.
static constexpr uint32_t BitcodeWrapperMagic = 0x0B17C0DE;
/// "RSN1": what regshare-clang++ puts after the wrapper's header where native
/// code is there, too, and then its offset and its size. LLVM skips it.
static constexpr uint32_t NativeMagic = 0x314E5352;
static constexpr uint32_t ContainerMagic = 0xBA55ED50;
/// Of FatBinaryWrapper.
static constexpr uint32_t FatBinaryMagic = 0x466243B1;
/// Of machine code, which is an object file.
static constexpr uint32_t ElfMagic = 0x464C457F;

static uint32_t word(const void *Data, size_t Offset) {
  uint32_t Value;
  std::memcpy(&Value, static_cast<const char *>(Data) + Offset, sizeof(Value));
  return Value;
}

static uint64_t doubleWord(const void *Data, size_t Offset) {
  uint64_t Value;
  std::memcpy(&Value, static_cast<const char *>(Data) + Offset, sizeof(Value));
  return Value;
}

/// The size of a bitstream of which only the start is known. At its top level
/// there is one block after the other; each begins with abbreviation 1
/// (ENTER_SUBBLOCK) in two bits, its number in chunks of 8 bits, the width of
/// its abbreviations in chunks of 4, and at the next word the words it has.
static size_t bitstreamSize(const void *Image) {
  size_t Offset = 4;
  while (true) {
    uint32_t Head = word(Image, Offset);
    uint32_t Block = Head >> 2 & 0xff, Width = Head >> 10 & 0xf;
    // Identification, module, string and symbol tables: no number needs a
    // second chunk. Anything else is not of this stream any more.
    bool IsBlock = (Head & 3) == 1 && Width >= 2 && Width < 8 &&
                   (Head >> 14) == 0 &&
                   (Block == 13 || Block == 8 || Block == 23 || Block == 25);
    if (!IsBlock)
      return Offset;
    Offset += 8 + size_t(word(Image, Offset + 4)) * 4;
  }
}

namespace {
/// An entry of NVIDIA's container.
struct Entry {
  enum : uint16_t { PTX = 1, Cubin = 2 };
  enum : uint64_t { CompressedLZ4 = 0x2000, CompressedZstd = 0x8000 };
  uint16_t Kind = 0;
  uint32_t Arch = 0; ///< 75 for sm_75.
  uint64_t Flags = 0;
  uint64_t UnpackedSize = 0;
  std::string_view Payload;
};
} // namespace

/// Offsets within an entry's header, found by comparing containers that
/// fatbinary makes of known inputs.
static std::vector<Entry> readEntries(const char *Image) {
  size_t Offset = word(Image, 4) >> 16;
  size_t End = Offset + doubleWord(Image, 8);
  std::vector<Entry> Entries;
  while (Offset + 0x40 <= End) {
    const char *Header = Image + Offset;
    uint32_t HeaderSize = word(Header, 4);
    uint64_t Size = doubleWord(Header, 8);
    if (HeaderSize < 0x40 || Offset + HeaderSize + Size > End)
      break;
    Entry E;
    E.Kind = uint16_t(word(Header, 0));
    E.Arch = word(Header, 0x1c);
    E.Flags = doubleWord(Header, 0x28);
    bool Compressed = E.Flags & (Entry::CompressedLZ4 | Entry::CompressedZstd);
    // The payload is padded to a multiple of eight.
    uint32_t Packed = word(Header, 0x10);
    E.Payload = {Header + HeaderSize, Compressed && Packed ? Packed : Size};
    E.UnpackedSize = HeaderSize >= 0x40 ? doubleWord(Header, 0x38) : 0;
    Entries.push_back(E);
    Offset += HeaderSize + Size;
  }
  return Entries;
}

/// Unpacks a block of the LZ4 format: literals, then a copy from what has been
/// written, over and over. Empty if it is damaged.
static std::string unpackLZ4(std::string_view In, size_t Size) {
  std::string Out;
  Out.reserve(Size);
  size_t At = 0;
  auto Length = [&](size_t N) {
    for (unsigned char Byte = 255; N >= 15 && Byte == 255 && At < In.size();) {
      Byte = static_cast<unsigned char>(In[At++]);
      N += Byte;
    }
    return N;
  };
  while (At < In.size()) {
    unsigned char Token = static_cast<unsigned char>(In[At++]);
    size_t Literals = Length(Token >> 4);
    if (Literals > In.size() - At)
      return {};
    Out.append(In.substr(At, Literals));
    At += Literals;
    if (At + 2 > In.size())
      break;
    size_t Distance = static_cast<unsigned char>(In[At]) |
                      static_cast<unsigned char>(In[At + 1]) << 8;
    At += 2;
    size_t Copy = Length(Token & 15) + 4;
    if (!Distance || Distance > Out.size() || Out.size() + Copy > Size)
      return {};
    // Source and target may overlap: what is copied is copied again.
    for (size_t N = 0; N != Copy; ++N)
      Out.push_back(Out[Out.size() - Distance]);
  }
  return Out.size() == Size ? Out : std::string();
}

static Result<DeviceImage> readPTX(const Entry &E, ZstdUnpacker UnpackZstd) {
  std::string Text(E.Payload);
  if (E.Flags & Entry::CompressedZstd) {
    Result<std::string> Unpacked = UnpackZstd(E.Payload, E.UnpackedSize);
    if (!Unpacked)
      return fail("its compressed PTX cannot be read: " +
                  Unpacked.error().Message);
    Text = std::move(*Unpacked);
  }
  if (E.Flags & Entry::CompressedLZ4) {
    Text = unpackLZ4(E.Payload, E.UnpackedSize);
    if (Text.empty())
      return fail("its compressed PTX is damaged");
  }
  // Padding, and the zero that ends it.
  Text.resize(std::strlen(Text.c_str()));
  return DeviceImage{DeviceImage::PTX, CodeForm::PTX, std::move(Text)};
}

static Result<DeviceImage> readContainer(const char *Image,
                                         ZstdUnpacker UnpackZstd) {
  Result<DeviceImage> Best =
      fail("it holds machine code for GPUs and no PTX; build it with "
           "regshare-clang++, or keep the PTX (clang: --cuda-include-ptx=all)");
  bool BestAnnotated = false;
  uint32_t BestArch = 0;
  for (const Entry &E : readEntries(Image)) {
    if (E.Kind != Entry::PTX)
      continue;
    Result<DeviceImage> Read = readPTX(E, UnpackZstd);
    bool Annotated =
        Read && Read->Contents.find("regshare.kernel") != std::string::npos;
    bool Better =
        !Best || (Read && (Annotated > BestAnnotated ||
                           (Annotated == BestAnnotated && E.Arch > BestArch)));
    if (!Better)
      continue;
    Best = std::move(Read);
    BestAnnotated = Annotated;
    BestArch = E.Arch;
  }
  return Best;
}

/// The module in LLVM's wrapper, or the one of native code beside it.
static DeviceImage readWrapper(const char *Bytes, CodeForm Wanted) {
  constexpr size_t HeaderSize = 20, ExtendedSize = 32;
  bool HasNative =
      word(Bytes, 8) >= ExtendedSize && word(Bytes, HeaderSize) == NativeMagic;
  if (HasNative && Wanted == CodeForm::Native)
    return {DeviceImage::Bitcode,
            CodeForm::Native,
            {Bytes + word(Bytes, HeaderSize + 4), word(Bytes, HeaderSize + 8)}};
  return {DeviceImage::Bitcode,
          CodeForm::PTX,
          {Bytes + word(Bytes, 8), word(Bytes, 12)}};
}

Result<DeviceImage> readImage(const void *Image, CodeForm Wanted,
                              ZstdUnpacker UnpackZstd) {
  const char *Bytes = static_cast<const char *>(Image);
  switch (word(Image, 0)) {
  case BitcodeMagic:
    return DeviceImage{
        DeviceImage::Bitcode, CodeForm::PTX, {Bytes, bitstreamSize(Image)}};
  case BitcodeWrapperMagic:
    return readWrapper(Bytes, Wanted);
  case ContainerMagic:
    return readContainer(Bytes, UnpackZstd);
  case ElfMagic:
    return fail("it is machine code for a GPU; RegShare takes PTX");
  default:
    break;
  }
  if (std::strstr(Bytes, ".version"))
    return DeviceImage{DeviceImage::PTX, CodeForm::PTX, Bytes};
  return fail("it is neither PTX nor LLVM bitcode nor a fat binary");
}

std::string copyOfImage(const void *Image) {
  const char *Bytes = static_cast<const char *>(Image);
  // A text that is shorter than the number by which an image is known.
  if (strnlen(Bytes, 4) < 4)
    return Bytes;
  switch (word(Image, 0)) {
  case FatBinaryMagic:
    return {};
  case BitcodeMagic:
    return {Bytes, bitstreamSize(Image)};
  case BitcodeWrapperMagic: {
    size_t End = word(Image, 8) + size_t(word(Image, 12));
    if (word(Image, 8) >= 32 && word(Image, 20) == NativeMagic)
      End = std::max(End, word(Image, 24) + size_t(word(Image, 28)));
    return {Bytes, End};
  }
  case ContainerMagic:
    return {Bytes, (word(Image, 4) >> 16) + doubleWord(Image, 8)};
  case ElfMagic:
    return {Bytes, 4};
  default:
    return Bytes;
  }
}

} // namespace regshare::cudart
