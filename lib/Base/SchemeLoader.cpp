//===- SchemeLoader.cpp - Loading schemes ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLoader.h"

#include "LibraryFile.h"
#include "Registrations.h"
#include "regshare/Base/Scheme.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <filesystem>

namespace fs = std::filesystem;

namespace regshare {

namespace {
struct LoadedLibrary {
  std::string Path;  ///< Without links.
  std::string Given; ///< As it was named, from the root.
  std::span<const SchemeDescription *const> Schemes;
  bool HasCompilers = false; ///< They are loaded.
};
} // namespace

static std::vector<LoadedLibrary> &libraries() {
  static std::vector<LoadedLibrary> Loaded;
  return Loaded;
}

/// \p Text as one line, whoever wrote it.
static std::string oneLine(std::string Text) {
  auto IsBlank = [](unsigned char C) { return C <= ' ' || C == 0x7f; };
  std::ranges::replace_if(Text, IsBlank, ' ');
  auto Repeated = std::ranges::unique(
      Text, [](char A, char B) { return A == ' ' && B == ' '; });
  Text.erase(Repeated.begin(), Repeated.end());
  Text.erase(0, Text.find_first_not_of(' '));
  while (Text.ends_with(' '))
    Text.pop_back();
  return Text;
}

static tl::unexpected<Diagnostic> refuse(const std::string &Path,
                                         const std::string &Why) {
  const std::string Line = oneLine(Why);
  return fail("cannot load '" + Path +
              "': " + (Line.empty() ? "it does not say why" : Line));
}

/// The path of the library that is being loaded. Not a string, which would be
/// gone when the process ends.
static const char *NowLoading = nullptr;

static const char *ErrorStart = "regshare: ";

void setErrorStart(const char *Start) { ErrorStart = Start; }

/// Ends the process: the library that is being loaded has ended \p What.
[[noreturn]] static void endWithMessage(const char *What) {
  std::fprintf(stderr, "%scannot load '%s': it ended the %s\n", ErrorStart,
               NowLoading, What);
  std::fflush(nullptr);
  std::_Exit(1);
}

/// A library's code may end the process, which then says nothing and may have
/// exit code 0.
static void tellOfExit() {
  if (NowLoading)
    endWithMessage("process");
}

/// Runs \p Action, whose exceptions become errors.
template <typename Function>
static Result<void> catching(const std::string &Path, Function Action) {
  try {
    return Action();
  } catch (const std::exception &E) {
    std::string Said = oneLine(E.what());
    return refuse(Path, Said.empty() ? "it threw, and does not say why"
                                     : "it threw: " + Said);
  } catch (const abi::__forced_unwind &) {
    // Of pthread_exit(). A thread that ends cannot be kept.
    endWithMessage("thread");
  } catch (...) {
    return refuse(Path, "it threw what is no std::exception");
  }
}

/// Loads with \p Action. What that has registered when it fails or throws is
/// taken back; the library's code stays mapped.
template <typename Function>
static Result<void> loadWhole(const std::string &Path, Function Action) {
  [[maybe_unused]] static const int Noted = std::atexit(tellOfExit);
  const size_t Before = numRegistrations();
  NowLoading = Path.c_str();
  Result<void> Loaded = catching(Path, Action);
  NowLoading = nullptr;
  if (!Loaded)
    undoRegistrations(Before);
  return Loaded;
}

/// The library, mapped, and the description that it exports as \p Symbol.
static Result<const SchemeLibrary *> open(const std::string &Path,
                                          const char *Symbol) {
  if (Result<void> Ok = checkLibraryFile(Path); !Ok)
    return refuse(Path, Ok.error().Message);
  void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    // The text names the file again.
    std::string Why = dlerror();
    if (Why.starts_with(Path + ": "))
      Why.erase(0, Path.size() + 2);
    return refuse(Path, Why);
  }
  const void *Found = dlsym(Handle, Symbol);
  // A library that the file is linked to may have it.
  Dl_info Where;
  std::error_code Unknown;
  bool IsOwn = Found && dladdr(Found, &Where) &&
               fs::equivalent(Where.dli_fname, Path, Unknown);
  if (IsOwn)
    return static_cast<const SchemeLibrary *>(Found);
  std::string Why = std::string("it does not export ") + Symbol;
  if (Found)
    Why += ", '" + std::string(Where.dli_fname) + "' does, which it needs";
  dlclose(Handle);
  return refuse(Path, Why);
}

static Result<void> registerHalf(const std::string &Path,
                                 const SchemeLibrary &Library) {
  if (!Library.Register)
    return {};
  if (Result<void> Ok = Library.Register(); !Ok)
    return refuse(Path, Ok.error().Message);
  return {};
}

static Result<void>
loadCanonical(const std::string &Path,
              std::span<const SchemeDescription *const> &Schemes) {
  Result<const SchemeLibrary *> Library = open(Path, "RegShareSchemeLibrary");
  if (!Library)
    return fail(Library.error());
  Schemes = (*Library)->Schemes;
  if (Schemes.empty())
    return refuse(Path, "it describes no scheme");
  if (std::ranges::find(Schemes, nullptr) != Schemes.end())
    return refuse(Path, "one of the schemes that it names is a null pointer");
  for (const SchemeDescription *Each : Schemes)
    if (Result<void> Ok = registerScheme(*Each); !Ok)
      return refuse(Path, Ok.error().Message);
  return registerHalf(Path, **Library);
}

Result<void> loadSchemeLibrary(const std::string &Path) {
  std::error_code Failed;
  fs::path Canonical = fs::canonical(Path, Failed);
  std::string Name = Failed ? Path : Canonical.string();
  for (const LoadedLibrary &L : libraries())
    if (L.Path == Name)
      return {};
  if (Failed && fs::path(Path).is_relative() && !fs::exists(Path))
    return refuse(Path, "there is no such file in '" +
                            fs::current_path(Failed).string() + "'");
  std::span<const SchemeDescription *const> Schemes;
  Result<void> Loaded =
      loadWhole(Name, [&] { return loadCanonical(Name, Schemes); });
  if (Loaded)
    libraries().push_back(
        {Name, fs::absolute(Path, Failed).string(), Schemes, false});
  return Loaded;
}

static Result<void> loadEnvironment() {
  const char *Value = std::getenv("REGSHARE_LOAD");
  std::string Paths = Value ? Value : "";
  while (!Paths.empty()) {
    size_t End = std::min(Paths.find(':'), Paths.size());
    if (std::string Path = Paths.substr(0, End); !Path.empty())
      if (Result<void> Ok = loadSchemeLibrary(Path); !Ok)
        return fail("REGSHARE_LOAD: " + Ok.error().Message);
    Paths.erase(0, End + 1);
  }
  return {};
}

Result<void> loadSchemesOfEnvironment() {
  static const Result<void> Outcome = loadEnvironment();
  return Outcome;
}

/// libfoo-compiler.so of libfoo.so, libfoo-compiler.so.1 of libfoo.so.1.
static std::string compilerHalf(const std::string &Path) {
  fs::path Half = Path;
  std::string Name = Half.filename().string();
  Name.insert(std::min(Name.find(".so"), Name.size()), "-compiler");
  return Half.replace_filename(Name).string();
}

/// The half that compiles, beside the library or beside a link to it; empty if
/// there is none.
static std::string findCompilerHalf(const LoadedLibrary &L) {
  for (const std::string &Path : {L.Given, L.Path}) {
    std::error_code Unknown;
    std::string Half = compilerHalf(Path);
    if (fs::exists(Half, Unknown) || Unknown)
      return Half;
  }
  return "";
}

Result<void> loadSchemeCompilers() {
  for (LoadedLibrary &L : libraries()) {
    std::string Half = findCompilerHalf(L);
    if (L.HasCompilers || Half.empty())
      continue;
    Result<void> Loaded = loadWhole(Half, [&]() -> Result<void> {
      Result<const SchemeLibrary *> Library =
          open(Half, "RegShareSchemeCompilers");
      if (!Library)
        return fail(Library.error());
      return registerHalf(Half, **Library);
    });
    if (!Loaded)
      return Loaded;
    L.HasCompilers = true;
  }
  return {};
}

/// Null: no library that is loaded describes it.
static const LoadedLibrary *describing(const SchemeDescription &Described) {
  for (const LoadedLibrary &L : libraries())
    if (std::ranges::find(L.Schemes, &Described) != L.Schemes.end())
      return &L;
  return nullptr;
}

std::string libraryOf(const SchemeDescription &Described) {
  const LoadedLibrary *L = describing(Described);
  return L ? L->Given : "";
}

std::string compilerHalfOf(const SchemeDescription &Described) {
  const LoadedLibrary *L = describing(Described);
  if (!L)
    return "";
  std::string Half = findCompilerHalf(*L);
  return Half.empty() ? compilerHalf(L->Given) : Half;
}

} // namespace regshare
