//===- SharedObjects.cpp - Constructors in shared memory ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/SharedObjects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

static constexpr StringLiteral Shared = "__shared__";

static bool isWordPart(char C) { return isAlnum(C) || C == '_'; }

static StringRef firstWord(StringRef Text) {
  return Text.take_while(isWordPart);
}

/// Drops "(…)" with the brackets in it.
static StringRef afterBrackets(StringRef Text) {
  unsigned Depth = 0;
  for (size_t N = 0; N != Text.size(); ++N) {
    Depth += Text[N] == '(';
    Depth -= Text[N] == ')';
    if (!Depth)
      return Text.substr(N + 1);
  }
  return "";
}

/// What comes before a type and is no part of it: alignments, `static`.
static StringRef takeSpecifiers(StringRef &Declaration) {
  StringRef Whole = Declaration;
  while (true) {
    StringRef Rest = Declaration.ltrim(), Word = firstWord(Rest);
    if (Word == "static") {
      Declaration = Rest.substr(Word.size());
      continue;
    }
    if (Word != "alignas" && Word != "__align__" && Word != "__attribute__")
      break;
    Declaration = afterBrackets(Rest.substr(Word.size()).ltrim());
  }
  return Whole.drop_back(Declaration.size());
}

bool mayHaveSharedObjects(StringRef Source) {
  static const StringSet<> Plain = {
      "bool",    "char",     "short",    "int",     "long",  "signed",
      "float",   "unsigned", "double",   "size_t",  "half",  "int8_t",
      "int16_t", "int32_t",  "int64_t",  "uint",    "uchar", "ushort",
      "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  for (size_t At = Source.find(Shared); At != StringRef::npos;
       At = Source.find(Shared, At + 1)) {
    if (Source.take_front(At).rtrim().ends_with("extern"))
      continue;
    StringRef Rest = Source.substr(At + Shared.size());
    takeSpecifiers(Rest);
    StringRef Word = firstWord(Rest.ltrim());
    while (Word == "volatile" || Word == "const") {
      Rest = Rest.ltrim().substr(Word.size());
      Word = firstWord(Rest.ltrim());
    }
    // float4 and its like have none either.
    if (!Word.empty() && Word != "extern" &&
        !Plain.contains(Word.rtrim("1234")) && !Plain.contains(Word))
      return true;
  }
  return false;
}

/// Without what makes a terminal show colours.
static std::string withoutColours(StringRef Text) {
  std::string Plain;
  while (!Text.empty()) {
    auto [Before, After] = Text.split('\033');
    Plain += Before;
    Text = After.split('m').second;
  }
  return Plain;
}

std::vector<SharedObject> sharedObjectsIn(StringRef Messages) {
  constexpr StringLiteral Says =
      ": error: initialization is not supported for __shared__ variables";
  std::vector<SharedObject> Objects;
  std::string Plain = withoutColours(Messages);
  for (StringRef Line : split(Plain, '\n')) {
    size_t End = Line.find(Says);
    if (End == StringRef::npos)
      continue;
    auto [Place, Column] = Line.take_front(End).rsplit(':');
    auto [File, Number] = Place.rsplit(':');
    SharedObject O{File.str()};
    if (!Number.getAsInteger(10, O.Line) && !Column.getAsInteger(10, O.Column))
      Objects.push_back(std::move(O));
  }
  return Objects;
}

/// The source's size if it has no such line.
static size_t offsetOf(StringRef Source, unsigned Line, unsigned Column) {
  size_t At = 0;
  while (--Line) {
    At = Source.find('\n', At);
    if (At++ == StringRef::npos)
      return Source.size();
  }
  return At + Column - 1;
}

/// `__shared__ T Name[N];` becomes storage without constructor and a reference
/// to the object in it. Names are looked for backwards from the last one, so
/// that offsets stay.
static bool rewrite(std::string &Text, size_t NameAt) {
  StringRef Source = Text;
  size_t Begin = Source.take_front(NameAt).rfind(Shared);
  if (Begin == StringRef::npos)
    return false;
  StringRef Name = firstWord(Source.substr(NameAt));
  StringRef Type = Source.slice(Begin + Shared.size(), NameAt);
  StringRef Rest = Source.substr(NameAt + Name.size());
  size_t Semicolon = Rest.find(';');
  StringRef Extents = Rest.take_front(Semicolon).trim();
  bool IsSimple =
      Extents.empty() || (Extents.starts_with("[") && Extents.ends_with("]") &&
                          Extents.find_first_of(",={}") == StringRef::npos);
  if (Name.empty() || Semicolon == StringRef::npos || !IsSimple ||
      Type.find_first_of(";{}") != StringRef::npos)
    return false;
  StringRef Specifiers = takeSpecifiers(Type);
  std::string New = (Shared + Specifiers + " regshare_unconstructed<" + Type +
                     Extents + "> " + Name + "_unconstructed; auto &" + Name +
                     " = " + Name + "_unconstructed.Value")
                        .str();
  Text.replace(Begin, NameAt + Name.size() + Semicolon - Begin, New);
  return true;
}

std::optional<std::string> leaveUnconstructed(StringRef Source,
                                              ArrayRef<SharedObject> Objects) {
  std::vector<size_t> Places;
  for (const SharedObject &O : Objects)
    Places.push_back(offsetOf(Source, O.Line, O.Column));
  // A template's instances have one declaration.
  sort(Places);
  Places.erase(llvm::unique(Places), Places.end());
  std::string Text = Source.str();
  for (size_t At : reverse(Places))
    if (At >= Text.size() || !rewrite(Text, At))
      return std::nullopt;
  return Text;
}

void warnOfUnconstructed(ArrayRef<SharedObject> Objects) {
  StringSet<> Told;
  for (const SharedObject &O : Objects) {
    std::string Place = O.File + ":" + std::to_string(O.Line) + ":" +
                        std::to_string(O.Column) + ": ";
    if (!Told.insert(Place).second)
      continue;
    errs() << Place;
    WithColor::warning() << "a variable in shared memory is not constructed, "
                            "as nvcc has it\n";
  }
}

int executeHoldingErrors(StringRef Program, ArrayRef<StringRef> Command,
                         std::string &Said, std::string &Message) {
  SmallString<128> Path;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("regshare", "txt", Path)) {
    Message = "cannot create a temporary file: " + EC.message();
    return -1;
  }
  FileRemover Remover(Path);
  std::optional<StringRef> Redirects[] = {std::nullopt, std::nullopt,
                                          StringRef(Path)};
  int Status = sys::ExecuteAndWait(Program, Command, std::nullopt, Redirects, 0,
                                   0, &Message);
  if (auto Buffer = MemoryBuffer::getFile(Path))
    Said = (*Buffer)->getBuffer().str();
  return Status;
}

} // namespace regshare
