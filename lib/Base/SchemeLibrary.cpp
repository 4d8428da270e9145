//===- SchemeLibrary.cpp - Schemes from outside ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLibrary.h"

#include "Registrations.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace regshare {

namespace {
struct LoadedLibrary {
  std::string Path;
  bool HasCompilers = false; ///< They are loaded.
};
} // namespace

static std::vector<LoadedLibrary> &libraries() {
  static std::vector<LoadedLibrary> Loaded;
  return Loaded;
}

static tl::unexpected<Diagnostic> refuse(const std::string &Path,
                                         const std::string &Why) {
  return fail("cannot load '" + Path + "': " + Why);
}

/// Looks into the file before any of its code runs. Fails unless it was built
/// against this version.
static Result<void> checkInterface(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File || fs::is_directory(Path))
    return refuse(Path, "there is no such file");
  const std::string Bytes{std::istreambuf_iterator<char>(File), {}};
  if (!Bytes.starts_with("\x7f"
                         "ELF"))
    return refuse(Path, "it is no shared library");
  const std::string Mark = "RegShare scheme interface ";
  size_t At = Bytes.find(Mark);
  if (At == Bytes.npos)
    return refuse(Path, "it is no library of schemes, which ends with "
                        "REGSHARE_SCHEME_LIBRARY");
  At += Mark.size();
  std::string Built = Bytes.substr(At, Bytes.find(';', At) - At);
  if (Built != REGSHARE_SCHEME_INTERFACE)
    return refuse(Path, "it was built against interface " + Built +
                            " of RegShare, and this is " +
                            REGSHARE_SCHEME_INTERFACE "; build it again");
  return {};
}

/// Runs \p Action, whose exceptions become errors.
template <typename Function>
static Result<void> catching(const std::string &Path, Function Action) {
  try {
    return Action();
  } catch (const std::exception &E) {
    return refuse(Path, std::string("it threw: ") + E.what());
  } catch (...) {
    return refuse(Path, "it threw what is no std::exception");
  }
}

/// Loads with \p Action. What that has registered when it fails or throws is
/// taken back; the library's code stays mapped.
template <typename Function>
static Result<void> loadWhole(const std::string &Path, Function Action) {
  const size_t Before = numRegistrations();
  Result<void> Loaded = catching(Path, Action);
  if (!Loaded)
    undoRegistrations(Before);
  return Loaded;
}

/// The library, mapped, and the description that it exports as \p Symbol.
static Result<const SchemeLibrary *> open(const std::string &Path,
                                          const char *Symbol) {
  if (Result<void> Ok = checkInterface(Path); !Ok)
    return fail(Ok.error());
  void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    // The text names the file again.
    std::string Why = dlerror();
    if (Why.starts_with(Path + ": "))
      Why.erase(0, Path.size() + 2);
    return refuse(Path, Why);
  }
  const void *Found = dlsym(Handle, Symbol);
  if (Found)
    return static_cast<const SchemeLibrary *>(Found);
  dlclose(Handle);
  return refuse(Path, std::string("it does not export ") + Symbol);
}

static Result<void> registerHalf(const std::string &Path,
                                 const SchemeLibrary &Library) {
  if (!Library.Register)
    return {};
  if (Result<void> Ok = Library.Register(); !Ok)
    return refuse(Path, Ok.error().Message);
  return {};
}

static Result<void> loadCanonical(const std::string &Path) {
  Result<const SchemeLibrary *> Library = open(Path, "RegShareSchemeLibrary");
  if (!Library)
    return fail(Library.error());
  if ((*Library)->Schemes.empty())
    return refuse(Path, "it describes no scheme");
  for (const SchemeDescription *Each : (*Library)->Schemes)
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
  Result<void> Loaded = loadWhole(Name, [&] { return loadCanonical(Name); });
  if (Loaded)
    libraries().push_back({Name, false});
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

/// libfoo-compiler.so of libfoo.so.
static std::string compilerHalf(const std::string &Path) {
  fs::path Half = Path;
  Half.replace_filename(Half.stem().string() + "-compiler" +
                        Half.extension().string());
  return Half.string();
}

Result<void> loadSchemeCompilers() {
  for (LoadedLibrary &L : libraries()) {
    std::string Half = compilerHalf(L.Path);
    if (L.HasCompilers || !fs::exists(Half))
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

} // namespace regshare
