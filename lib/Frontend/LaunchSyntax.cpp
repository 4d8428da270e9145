//===- LaunchSyntax.cpp - Launches with spaces in their brackets ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/LaunchSyntax.h"

#include "CodeText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

namespace {

class Joiner : CodeText {
public:
  explicit Joiner(StringRef Source) : CodeText(Source) {}
  /// Whether anything has changed.
  bool run();
  using CodeText::takeText;

private:
  size_t endOfRun(char Bracket, unsigned &Count) const;
  bool mayOpenLaunch() const;
  bool join(size_t End);

  bool InLaunch = false; ///< Between its brackets.
  unsigned Depth = 0;    ///< Of other brackets in there.
};

} // namespace

/// After the last of the brackets that only spaces are between.
size_t Joiner::endOfRun(char Bracket, unsigned &Count) const {
  size_t End = At;
  Count = 0;
  for (size_t N = At;
       N < Text.size() && (Text[N] == Bracket || isSpace(Text[N])); ++N)
    if (Text[N] == Bracket) {
      End = N + 1;
      ++Count;
    }
  return End;
}

/// After the name of a kernel, perhaps with template arguments. `operator<<
/// <T>` is none.
bool Joiner::mayOpenLaunch() const {
  StringRef Before = StringRef(Text).take_front(At).rtrim();
  return !Before.empty() && !Before.ends_with("operator") &&
         (isAlnum(Before.back()) || StringRef("_>)]").contains(Before.back()));
}

/// Puts the last three brackets before \p End together.
bool Joiner::join(size_t End) {
  size_t Begin = End;
  std::string Brackets, Spaces;
  while (Brackets.size() != 3) {
    char C = Text[--Begin];
    (isSpace(C) ? Spaces : Brackets) += C;
  }
  At = End;
  if (Spaces.empty())
    return false;
  std::reverse(Spaces.begin(), Spaces.end());
  // Apart from one that ends template arguments.
  bool IsFree = Begin == 0 || Text[Begin - 1] != Brackets[0];
  Text.replace(Begin, End - Begin,
               IsFree ? Brackets + Spaces
                      : Spaces[0] + Brackets + Spaces.substr(1));
  return true;
}

bool Joiner::run() {
  bool Changed = false;
  while (At < Text.size()) {
    if (skipUncode())
      continue;
    char C = Text[At];
    unsigned Count = 0;
    if (!InLaunch && C == '<' && mayOpenLaunch()) {
      size_t End = endOfRun('<', Count);
      if (Count == 3) {
        Changed |= join(End);
        InLaunch = true;
        Depth = 0;
      } else {
        At = End;
      }
      continue;
    }
    if (InLaunch && !Depth && C == '>') {
      size_t End = endOfRun('>', Count);
      if (Count >= 3) {
        Changed |= join(End);
        InLaunch = false;
      } else {
        At = End;
      }
      continue;
    }
    if (InLaunch && StringRef("([{").contains(C))
      ++Depth;
    if (InLaunch && StringRef(")]}").contains(C))
      InLaunch = Depth-- != 0;
    if (C == ';')
      InLaunch = false;
    ++At;
  }
  return Changed;
}

std::optional<std::string> joinLaunchBrackets(std::string_view Source) {
  Joiner J(Source);
  if (!J.run())
    return std::nullopt;
  return J.takeText();
}

/// "unroll" of "#define UNROLL #pragma unroll": nvcc reads what the
/// preprocessor wrote once more, where the macro's text has become a directive.
static StringRef pragmaInDefinition(StringRef Line) {
  StringRef Rest = Line.ltrim();
  if (!Rest.consume_front("#") ||
      !(Rest = Rest.ltrim()).consume_front("define"))
    return {};
  size_t Hash = Rest.find('#');
  if (Hash == StringRef::npos || Hash == 0)
    return {};
  // A name, without parameters, and nothing else.
  StringRef Name = Rest.take_front(Hash).trim();
  if (Name.empty() ||
      !all_of(Name, [](char C) { return isAlnum(C) || C == '_'; }))
    return {};
  Rest = Rest.drop_front(Hash + 1).ltrim();
  if (!Rest.consume_front("pragma") || Rest.empty() || !isSpace(Rest.front()) ||
      Rest.rtrim().ends_with("\\"))
    return {};
  return Rest.split("//").first.trim();
}

std::optional<std::string> makePragmaOperators(std::string_view Source) {
  if (Source.find("pragma") == Source.npos)
    return std::nullopt;
  std::string Text;
  bool Changed = false;
  for (StringRef Rest = Source; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    StringRef Pragma = pragmaInDefinition(Line);
    if (Pragma.empty()) {
      Text += Line;
    } else {
      Text += Line.take_front(Line.find('#', Line.find('#') + 1));
      Text += "_Pragma(\"";
      for (char C : Pragma)
        Text += C == '"' || C == '\\' ? std::string{'\\', C} : std::string{C};
      Text += "\")";
      Changed = true;
    }
    if (Line.size() != Rest.size())
      Text += '\n';
    Rest = After;
  }
  return Changed ? std::optional(std::move(Text)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The file \p Name in the first of \p Folders that has it; empty: none has.
static std::string findInclude(StringRef Name, ArrayRef<std::string> Folders) {
  for (const std::string &Each : Folders) {
    SmallString<128> Path(Each);
    sys::path::append(Path, Name);
    if (sys::fs::is_regular_file(Path))
      return std::string(Path);
  }
  return "";
}

/// The files that \p Source, which lies in \p Folder, includes: those between
/// angled brackets only where \p IncludeDirs have them.
static std::vector<std::string>
includedFiles(StringRef Source, StringRef Folder,
              const std::vector<std::string> &IncludeDirs) {
  std::vector<std::string> Near{Folder.str()}, Found;
  append_range(Near, IncludeDirs);
  for (StringRef Line : split(Source, '\n')) {
    Line = Line.ltrim();
    if (!Line.consume_front("#") ||
        !(Line = Line.ltrim()).consume_front("include"))
      continue;
    Line = Line.ltrim();
    std::string File;
    if (Line.consume_front("\""))
      File = findInclude(Line.split('"').first, Near);
    else if (Line.consume_front("<"))
      File = findInclude(Line.split('>').first, IncludeDirs);
    if (!File.empty())
      Found.push_back(std::move(File));
  }
  return Found;
}

/// A string of YAML, which is JSON's as well.
static std::string quoted(StringRef Text) {
  return "\"" + yaml::escape(Text) + "\"";
}

static std::optional<std::string> temporaryWith(StringRef Text,
                                                StringRef Suffix) {
  SmallString<128> Path;
  int Descriptor = 0;
  if (sys::fs::createTemporaryFile("regshare", Suffix, Descriptor, Path))
    return std::nullopt;
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  OS << Text;
  return std::string(Path);
}

LaunchOverlay::~LaunchOverlay() {
  for (const std::string &Path : Temporaries)
    consumeError(errorCodeToError(sys::fs::remove(Path)));
}

/// What clang is to see instead; nothing if it may see the file.
std::optional<std::string>
LaunchOverlay::replacement(const std::string &Path,
                           std::string_view Text) const {
  std::optional<std::string> Joined = joinLaunchBrackets(Text);
  for (auto *Change : {makePragmaOperators, doublePercentSigns})
    if (auto Changed = Change(Joined ? *Joined : Text))
      Joined = std::move(Changed);
  auto Objects = Unconstructed.find(Path);
  if (Objects == Unconstructed.end())
    return Joined;
  // Of declarations nothing has moved.
  return leaveUnconstructed(Joined ? StringRef(*Joined) : StringRef(Text),
                            Objects->second);
}

std::vector<std::string>
LaunchOverlay::optionsWithout(const std::vector<SharedObject> &Objects,
                              const std::string &Source,
                              const std::vector<std::string> &IncludeDirs) {
  for (const SharedObject &O : Objects) {
    SmallString<128> Path(O.File);
    if (sys::fs::make_absolute(Path))
      continue;
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    Unconstructed[std::string(Path)].push_back(O);
  }
  return optionsFor(Source, IncludeDirs);
}

std::vector<std::string>
LaunchOverlay::optionsFor(const std::string &Source,
                          const std::vector<std::string> &IncludeDirs) {
  std::vector<std::string> Left{Source};
  for (const auto &[Path, Objects] : Unconstructed)
    Left.push_back(Path);
  StringSet<> Seen;
  std::string Roots;
  while (!Left.empty()) {
    SmallString<128> Path(Left.back());
    Left.pop_back();
    if (sys::fs::make_absolute(Path))
      continue;
    if (!Seen.insert(Path).second)
      continue;
    auto Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer)
      continue;
    StringRef Text = (*Buffer)->getBuffer();
    append_range(
        Left, includedFiles(Text, sys::path::parent_path(Path), IncludeDirs));
    MayHaveObjects |= regshare::mayHaveSharedObjects(Text);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    std::optional<std::string> New = replacement(std::string(Path), Text);
    if (!New)
      continue;
    std::optional<std::string> File = temporaryWith(*New, "cu");
    if (!File)
      return {};
    Temporaries.push_back(*File);
    Roots += (Roots.empty() ? "" : ",\n") +
             ("  {\"type\": \"file\", \"name\": " + quoted(Path) +
              ", \"external-contents\": " + quoted(*File) + "}");
  }
  if (Roots.empty())
    return {};
  std::optional<std::string> File = temporaryWith(
      "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n" + Roots +
          "\n]}\n",
      "yaml");
  if (!File)
    return {};
  Temporaries.push_back(*File);
  return {"-ivfsoverlay", *File};
}

} // namespace regshare
