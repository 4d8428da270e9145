//===- LibraryFile.cpp - A library before it is loaded --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryFile.h"

#include "regshare/Base/SchemeLoader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace fs = std::filesystem;

namespace regshare {

static constexpr std::string_view NoLibrary = "it is no shared library";

/// Null: \p Bytes have no \p T at \p Offset. What is found may be anything.
template <typename T>
static std::optional<T> readAt(std::string_view Bytes, uint64_t Offset) {
  if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof(T))
    return std::nullopt;
  T Value;
  std::memcpy(&Value, Bytes.data() + Offset, sizeof(T));
  return Value;
}

/// Fails on what is no file, where reading might not end.
static Result<std::string> readRegular(const std::string &Path) {
  std::error_code Failed;
  fs::file_status Status = fs::status(Path, Failed);
  if (Status.type() == fs::file_type::not_found)
    return fail("there is no such file");
  if (Failed)
    return fail("it cannot be looked at: " + Failed.message());
  if (Status.type() == fs::file_type::directory)
    return fail("it is a directory; expected a shared library");
  if (Status.type() != fs::file_type::regular)
    return fail("it is no regular file; expected a shared library");
  errno = 0;
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return fail(std::string("it cannot be read: ") + std::strerror(errno));
  return std::string{std::istreambuf_iterator<char>(File), {}};
}

/// The bytes that a part of a file needs it to have; the largest number on
/// overflow.
static uint64_t endOf(uint64_t Offset, uint64_t Size) {
  uint64_t End = 0;
  return __builtin_add_overflow(Offset, Size, &End) ? UINT64_MAX : End;
}

/// Of a processor other than this one's are libraries for other machines.
static bool isForThisMachine(const Elf64_Ehdr &Head) {
  std::ifstream Self("/proc/self/exe", std::ios::binary);
  Elf64_Ehdr Own{};
  if (!Self.read(reinterpret_cast<char *>(&Own), sizeof(Own)))
    return true;
  return Head.e_machine == Own.e_machine;
}

/// Fails unless the file is as long as its headers say: the loader maps what
/// they name, and to touch what is not there ends the process.
static Result<void> checkWhole(std::string_view Bytes) {
  auto Head = readAt<Elf64_Ehdr>(Bytes, 0);
  if (!Head || !Bytes.starts_with(ELFMAG) ||
      Head->e_ident[EI_CLASS] != ELFCLASS64 ||
      Head->e_ident[EI_DATA] != ELFDATA2LSB || Head->e_type != ET_DYN)
    return fail(std::string(NoLibrary));
  if (!isForThisMachine(*Head))
    return fail("it is a shared library for another kind of processor");
  uint64_t Needed =
      Head->e_shoff
          ? endOf(Head->e_shoff, uint64_t(Head->e_shentsize) * Head->e_shnum)
          : 0;
  for (unsigned N = 0; N != Head->e_phnum; ++N) {
    uint64_t At = endOf(Head->e_phoff, uint64_t(N) * Head->e_phentsize);
    auto Segment = readAt<Elf64_Phdr>(Bytes, At);
    Needed = std::max(Needed, endOf(At, sizeof(Elf64_Phdr)));
    if (Segment)
      Needed = std::max(Needed, endOf(Segment->p_offset, Segment->p_filesz));
  }
  if (Needed > Bytes.size())
    return fail("it is cut short: expected " + std::to_string(Needed) +
                " bytes at least, as its headers say, found " +
                std::to_string(Bytes.size()));
  return {};
}

/// What follows the mark of REGSHARE_SCHEME_INTERFACE_NOTE, up to its ';'.
/// Nothing if there is none; the mark alone is a literal of this library's.
static std::optional<std::string_view> interfaceOf(std::string_view Bytes) {
  constexpr std::string_view Mark = "RegShare scheme interface ";
  constexpr size_t Longest = 64;
  for (size_t At = Bytes.find(Mark); At != Bytes.npos;
       At = Bytes.find(Mark, At)) {
    At += Mark.size();
    std::string_view Rest = Bytes.substr(At, Longest);
    size_t End = Rest.find(';');
    bool IsWord = std::ranges::all_of(
        Rest.substr(0, End), [](char C) { return C > ' ' && C < 0x7f; });
    if (End != Rest.npos && End && IsWord)
      return Rest.substr(0, End);
  }
  return std::nullopt;
}

Result<void> checkLibraryFile(const std::string &Path) {
  Result<std::string> Bytes = readRegular(Path);
  if (!Bytes)
    return fail(Bytes.error());
  if (Result<void> Ok = checkWhole(*Bytes); !Ok)
    return Ok;
  std::optional<std::string_view> Built = interfaceOf(*Bytes);
  if (!Built)
    return fail("it is no library of schemes, which ends with "
                "REGSHARE_SCHEME_LIBRARY");
  if (*Built != schemeInterface())
    return fail("it was built against other headers of RegShare: expected "
                "interface " +
                std::string(schemeInterface()) + ", found " +
                std::string(*Built) + "; build it again against this RegShare");
  return {};
}

} // namespace regshare
