//===- FatBinary.h - What a program embeds as device code -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The image that __cudaRegisterFatBinary is given: LLVM bitcode, plain or in
/// its wrapper, as regshare-clang++ embeds it; or NVIDIA's container with PTX
/// texts, as a stock build has it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_FATBINARY_H
#define REGSHARE_RUNTIME_FATBINARY_H

#include "regshare/Base/CodeForm.h"
#include "regshare/Base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace regshare::cudart {

/// What clang and nvcc hand to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  uint32_t Magic;
  uint32_t Version;
  const void *Image;
  const void *Unused;
};

struct DeviceImage {
  enum Kind { Bitcode, PTX };
  Kind K = Bitcode;
  /// What bitcode was compiled for. PTX says in its annotations what it is.
  CodeForm Form = CodeForm::PTX;
  /// The bitcode, or the PTX text.
  std::string Contents;
};

/// Unpacks \p Size bytes from a frame of the zstd format.
using ZstdUnpacker = Result<std::string> (*)(std::string_view Packed,
                                             size_t Size);

/// Reads the image at \p Image, whose size only its contents say: it may be PTX
/// as text, too. Fails on a container of another kind and on one that holds
/// machine code only. Of several PTX texts it takes the one for the newest
/// processor that has annotations, else the newest. Of bitcode in two forms it
/// takes \p Wanted.
Result<DeviceImage> readImage(const void *Image, CodeForm Wanted,
                              ZstdUnpacker UnpackZstd);

/// All bytes of an image that a program hands over at run time, PTX as text
/// among them, with a zero after them; empty for the structure that wraps an
/// image of the program's own.
std::string copyOfImage(const void *Image);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_FATBINARY_H
