//===- UnknownOptions.cpp - Options that nobody knows ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace regshare {

Expected<std::string> askClang(ArrayRef<StringRef> Words, const Toolchain &T) {
  SmallString<128> Path;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("regshare", "txt", Path))
    return createStringError("cannot create a temporary file: " + EC.message());
  FileRemover Remover(Path);
  SmallVector<StringRef, 16> Command{T.Clang};
  append_range(Command, Words);
  std::optional<StringRef> Outputs[] = {StringRef(""), StringRef(Path),
                                        StringRef(Path)};
  std::string Message;
  if (sys::ExecuteAndWait(T.Clang, Command, std::nullopt, Outputs, 0, 0,
                          &Message) < 0)
    return createStringError(T.Clang + ": " + Message);
  auto Said = MemoryBuffer::getFile(Path, /*IsText=*/true);
  return Said ? (*Said)->getBuffer().str() : std::string();
}

/// "'--fmad'" between the quotes.
static StringRef firstQuoted(StringRef Text) {
  return Text.split('\'').second.split('\'').first;
}

/// The one of our table, unless clang's own is nearer: "; did you mean '-x'?".
static std::string nearestTo(StringRef Word, StringRef OfClang) {
  // A quarter of the letters may be wrong.
  const unsigned Farthest = std::max<unsigned>(1, Word.size() / 4);
  std::string Ours;
  unsigned Distance = optionTable().findNearest(Word, Ours);
  if (!OfClang.empty() && Word.edit_distance(OfClang) < Distance)
    return ("; did you mean '" + OfClang + "'?").str();
  if (Distance <= Farthest)
    return "; did you mean '" + Ours + "'?";
  return "";
}

Error checkUnknownOptions(const CommandLine &C, const Toolchain &T) {
  if (C.Unknown.empty())
    return Error::success();
  // Without compiling anything.
  SmallVector<StringRef, 16> Words{"-###", "-fsyntax-only", "-x", "c++",
                                   "-w",   "/dev/null"};
  append_range(Words, C.Unknown);
  Expected<std::string> Said = askClang(Words, T);
  if (!Said)
    return Said.takeError();
  for (StringRef Line : split(*Said, '\n')) {
    auto [Before, After] = Line.split("unknown argument");
    if (After.empty() || !Before.contains("error:"))
      continue;
    StringRef Word = firstQuoted(After);
    StringRef OfClang = firstQuoted(After.split("did you mean").second);
    return createStringError("unknown option '" + Word + "'" +
                             nearestTo(Word, OfClang));
  }
  return Error::success();
}

} // namespace regshare
