//===- HeaderCache.cpp - Headers that are parsed once -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/HeaderCache.h"

#include "regshare/Frontend/SharedObjects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace regshare {

using Words = std::vector<std::string>;

/// What LLVM's pruning of caches goes by.
static constexpr char Prefix[] = "llvmcache-";
/// Parsed headers take 8 MB for a set of options.
static constexpr char Policy[] =
    "prune_interval=1h:prune_after=7d:cache_size_bytes=1g";

static std::string joined(StringRef Directory, const Twine &Name) {
  SmallString<128> Path(Directory);
  sys::path::append(Path, Name);
  return std::string(Path);
}

static std::string defaultFolder() {
  if (auto Given = sys::Process::GetEnv("REGSHARE_HEADER_CACHE"))
    return *Given;
  SmallString<128> Path;
  return sys::path::cache_directory(Path)
             ? joined(joined(Path, "regshare"), "headers")
             : std::string();
}

HeaderCache::HeaderCache(std::string Clang)
    : HeaderCache(std::move(Clang), defaultFolder()) {}

//===----------------------------------------------------------------------===//
// Which options decide what headers come to
//===----------------------------------------------------------------------===//

struct HeaderCache::Plan {
  Words Options;              ///< Of a compile of the headers alone.
  std::string Header;         ///< The last that comes unasked.
  Words Folders;              ///< Of the user, where headers may be, too.
  Words SystemFolders;        ///< Such folders that the parsed form knows.
  std::string Parsed, Inputs; ///< Paths of the cache.
};

namespace {

enum class Role {
  Decides,      ///< May change what the headers come to.
  Indifferent,  ///< Is of the link, of files that are written, or of the code.
  Folder,       ///< Names a folder of the user's own headers.
  SystemFolder, ///< One that is searched after those.
  Header,       ///< Names a header that comes unasked.
  Opposed,      ///< Does not go with parsed headers, or is not known to.
};

struct Spelling {
  StringRef Text;
  Role R;
  /// The operand is the next word; otherwise it ends the word, where there is
  /// one.
  bool Separate = false;
};

} // namespace

/// The first that an option begins with counts, and must be all of the option
/// where the operand is separate.
static constexpr Spelling Spellings[] = {
    {"-I", Role::Folder, true},
    {"-I", Role::Folder},
    {"-iquote", Role::Folder, true},
    {"-isystem", Role::SystemFolder, true},
    {"-idirafter", Role::SystemFolder, true},
    {"-include", Role::Header, true},
    {"-imacros", Role::Header, true},
    {"-i", Role::Opposed},
    {"--sysroot", Role::Opposed},
    {"-L", Role::Indifferent, true},
    {"-L", Role::Indifferent},
    {"-l", Role::Indifferent, true},
    {"-l", Role::Indifferent},
    {"-Wl,", Role::Indifferent},
    {"-Xlinker", Role::Indifferent, true},
    {"-MF", Role::Indifferent, true},
    {"-MT", Role::Indifferent, true},
    {"-MQ", Role::Indifferent, true},
    {"-M", Role::Indifferent},
    {"-cuid=", Role::Indifferent},
    {"-fpass-plugin=", Role::Indifferent},
    {"-x", Role::Decides, true},
    {"-D", Role::Decides, true},
    {"-U", Role::Decides, true},
    {"-Xclang", Role::Decides, true},
    {"-mllvm", Role::Decides, true},
    {"-Wp,", Role::Opposed},
    {"-Xpreprocessor", Role::Opposed},
    {"-save-temps", Role::Opposed},
    {"--save-temps", Role::Opposed},
    {"-fmodule", Role::Opposed},
    {"-fpch", Role::Opposed},
    {"-fprofile", Role::Opposed},
    {"-fcoverage", Role::Opposed},
    {"-ftest-coverage", Role::Opposed},
    {"--coverage", Role::Opposed},
    {"-fsyntax-only", Role::Opposed},
    {"-ftime", Role::Opposed},
    {"--include", Role::Opposed},
    {"--imacros", Role::Opposed},
    {"-E", Role::Opposed},
    {"-", Role::Decides},
    // Not an option: an input, or a file of options.
    {"", Role::Opposed},
};

static const Spelling &spellingOf(StringRef Word) {
  return *find_if(Spellings, [&](const Spelling &S) {
    return S.Separate ? Word == S.Text : Word.starts_with(S.Text);
  });
}

/// The compiler itself is among what a file of the cache is for.
static std::string identityOf(const std::string &Program) {
  sys::fs::file_status Status;
  if (sys::fs::status(Program, Status))
    return Program;
  return Program + "\n" + utostr(Status.getSize()) + "\n" +
         itostr(Status.getLastModificationTime().time_since_epoch().count());
}

std::optional<HeaderCache::Plan>
HeaderCache::planFor(ArrayRef<std::string> Options) const {
  for (const char *Variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                               "CCC_OVERRIDE_OPTIONS"})
    if (sys::Process::GetEnv(Variable))
      return std::nullopt;
  Plan P;
  for (size_t N = 0; N != Options.size(); ++N) {
    StringRef Word = Options[N];
    const Spelling &S = spellingOf(Word);
    if (S.R == Role::Opposed || (S.Separate && N + 1 == Options.size()))
      return std::nullopt;
    StringRef Operand =
        S.Separate ? StringRef(Options[N + 1]) : Word.substr(S.Text.size());
    bool MayBeRelative =
        S.R == Role::Folder || S.R == Role::Decides || S.R == Role::Indifferent;
    if (!MayBeRelative && !sys::path::is_absolute(Operand))
      return std::nullopt;
    if (S.R == Role::Header)
      P.Header = Operand.str();
    if (S.R == Role::Folder)
      P.Folders.push_back(Operand.str());
    if (S.R == Role::SystemFolder)
      P.SystemFolders.push_back(Operand.str());
    if (S.R != Role::Folder && S.R != Role::Indifferent)
      P.Options.insert(P.Options.end(), Options.begin() + N,
                       Options.begin() + N + 1 + S.Separate);
    N += S.Separate;
  }
  if (P.Header.empty())
    return std::nullopt;
  std::string Key = identityOf(Clang);
  for (const std::string &Word : P.Options)
    Key += "\n" + Word;
  std::string Name = Prefix + utohexstr(xxh3_64bits(Key), /*LowerCase=*/true);
  P.Parsed = joined(Folder, Name + ".pch");
  P.Inputs = joined(Folder, Name + ".inputs");
  return P;
}

//===----------------------------------------------------------------------===//
// What the parsed form is made of
//===----------------------------------------------------------------------===//

/// The files that clang names in the rule of make in \p Text.
static Words filesOfRule(StringRef Text) {
  Words Files;
  std::string File;
  auto Finish = [&] {
    if (!File.empty())
      Files.push_back(std::exchange(File, {}));
  };
  Text = Text.split(": ").second;
  for (size_t N = 0; N < Text.size(); ++N) {
    char Next = N + 1 < Text.size() ? Text[N + 1] : '\n';
    if (Text[N] == '\\' && (Next == ' ' || Next == '#' || Next == '\\'))
      File += Text[++N];
    else if (Text[N] == '$' && Next == '$')
      File += Text[++N];
    else if (Text[N] == '\\' && Next == '\n')
      ++N;
    else if (isSpace(Text[N]))
      Finish();
    else
      File += Text[N];
  }
  Finish();
  return Files;
}

/// When something was last put into \p Directory or taken out.
static std::string timeOf(StringRef Directory) {
  sys::fs::file_status Status;
  if (sys::fs::status(Directory, Status))
    return "missing";
  return itostr(Status.getLastModificationTime().time_since_epoch().count());
}

/// The folders of \p Files, and those out of which `..` leads in their paths,
/// as it does in that of a compiler's version: a header that is new there may
/// come before one of \p Files.
static Words foldersOf(ArrayRef<std::string> Files) {
  Words Folders;
  StringSet<> Seen;
  auto Add = [&](StringRef Folder) {
    if (!Folder.empty() && Seen.insert(Folder).second)
      Folders.push_back(Folder.str());
  };
  for (StringRef File : Files) {
    Add(sys::path::parent_path(File));
    if (size_t Up = File.find("/.."); Up != StringRef::npos) {
      Add(File.take_front(Up));
      Add(sys::path::parent_path(File.take_front(Up)));
    }
  }
  return Folders;
}

/// \p Folder has a file, none of \p Known, that an #include of \p File's could
/// mean.
static bool shadows(StringRef Folder, StringRef File,
                    const StringSet<> &Known) {
  StringRef Above = File;
  while (!(Above = sys::path::parent_path(Above)).empty() && Above != "/") {
    std::string Candidate =
        joined(Folder, File.substr(Above.size()).ltrim('/'));
    if (!Known.contains(Candidate) && sys::fs::exists(Candidate) &&
        !sys::fs::equivalent(Candidate, File))
      return true;
  }
  return false;
}

/// The parsed form is there, no folder of its inputs has changed since, and
/// none of the user's folders has a header that comes before an input. That the
/// inputs themselves are as they were is for clang to see.
bool HeaderCache::isCurrent(const Plan &P) const {
  auto Inputs = MemoryBuffer::getFile(P.Inputs);
  if (!Inputs || !sys::fs::exists(P.Parsed))
    return false;
  SmallVector<StringRef, 0> Lines;
  (*Inputs)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return all_of(Lines, [](StringRef Line) {
    auto [Time, Folder] = Line.split(' ');
    return Time == "file" || timeOf(Folder) == Time;
  });
}

bool HeaderCache::isShadowed(const Plan &P) {
  auto Buffer = MemoryBuffer::getFile(P.Inputs);
  if (!Buffer)
    return true;
  SmallVector<StringRef, 0> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  StringSet<> Files;
  for (StringRef Line : Lines)
    if (Line.consume_front("file "))
      Files.insert(Line);
  // In a folder that was searched for the parsed form, what comes before
  // another input, as a header that wraps it does, is among the inputs. If not,
  // it is new.
  return any_of(Files.keys(), [&](StringRef File) {
    return any_of(
               P.Folders,
               [&](StringRef Folder) { return shadows(Folder, File, {}); }) ||
           any_of(P.SystemFolders, [&](StringRef Folder) {
             return shadows(Folder, File, Files);
           });
  });
}

//===----------------------------------------------------------------------===//
// Writing and using it
//===----------------------------------------------------------------------===//

/// Puts \p Contents into a file that is there whole or not at all.
static bool replaceFile(const std::string &Path, StringRef Contents) {
  return !errorToBool(writeToOutput(Path, [&](raw_ostream &OS) {
    OS << Contents;
    return Error::success();
  }));
}

bool HeaderCache::generate(const Plan &P) const {
  SmallString<128> Parsed, Rule;
  if (sys::fs::create_directories(Folder) ||
      sys::fs::createUniqueFile(joined(Folder, Prefix + Twine("%%%%%%%%.pch")),
                                Parsed))
    return false;
  sys::RemoveFileOnSignal(Parsed);
  FileRemover RemoveParsed(Parsed);
  if (sys::fs::createTemporaryFile("regshare", "d", Rule))
    return false;
  FileRemover RemoveRule(Rule);
  Words Command{Clang};
  append_range(Command, P.Options);
  for (StringRef Word :
       {StringRef("-emit-pch"), StringRef("-o"), StringRef(Parsed)})
    append_range(Command, Words{"-Xclang", Word.str()});
  append_range(Command, Words{"-fsyntax-only", "-MD", "-MF", std::string(Rule),
                              P.Header});
  std::string Said, Message;
  if (executeHoldingErrors(
          Clang, SmallVector<StringRef, 64>(Command.begin(), Command.end()),
          Said, Message))
    return false;
  auto Written = MemoryBuffer::getFile(Rule);
  if (!Written)
    return false;
  Words Files = filesOfRule((*Written)->getBuffer());
  std::string Inputs;
  for (const std::string &Name : foldersOf(Files))
    Inputs += timeOf(Name) + " " + Name + "\n";
  for (const std::string &Name : Files)
    Inputs += "file " + Name + "\n";
  if (sys::fs::rename(Parsed, P.Parsed) || !replaceFile(P.Inputs, Inputs))
    return false;
  if (Expected<CachePruningPolicy> Pruning = parseCachePruningPolicy(Policy))
    pruneCache(Folder, *Pruning);
  else
    consumeError(Pruning.takeError());
  return true;
}

Words HeaderCache::optionsFor(ArrayRef<std::string> Options) const {
  if (Folder.empty())
    return {};
  std::optional<Plan> P = planFor(Options);
  if (!P || (!isCurrent(*P) && !generate(*P)) || isShadowed(*P))
    return {};
  // Without the last, clang would not look at the system's headers again.
  return {"-Xclang", "-include-pch", "-Xclang",
          P->Parsed, "-Xclang",      "-fmodules-validate-system-headers"};
}

int HeaderCache::run(ArrayRef<std::string> Options, ArrayRef<std::string> Rest,
                     std::string *Said, std::string &Message) const {
  auto Execute = [&](ArrayRef<std::string> Parsed, std::string *Held) {
    SmallVector<StringRef, 64> Command{Clang};
    if (Held && errs().has_colors())
      Command.push_back("-fcolor-diagnostics");
    append_range(Command, Options);
    append_range(Command, Parsed);
    append_range(Command, Rest);
    return Held ? executeHoldingErrors(Clang, Command, *Held, Message)
                : sys::ExecuteAndWait(Clang, Command, std::nullopt, {}, 0, 0,
                                      &Message);
  };
  Words Parsed = optionsFor(Options);
  if (Parsed.empty())
    return Execute({}, Said);
  std::string Held;
  int Status = Execute(Parsed, &Held);
  // What is wrong is said of the headers themselves.
  if (Status) {
    Status = Execute({}, Said);
    if (!Status)
      FileRemover Stale(Parsed[3]);
    return Status;
  }
  if (Said)
    *Said = std::move(Held);
  else
    errs() << Held;
  return 0;
}

} // namespace regshare
