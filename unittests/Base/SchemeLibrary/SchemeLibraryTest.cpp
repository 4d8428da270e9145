//===- SchemeLibraryTest.cpp - Tests of schemes from outside --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLibrary.h"

#include "Inputs/TestedRegistry.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace regshare;
namespace fs = std::filesystem;

static const int OfRFV = 1;

SchemeRegistry<int> &testedRegistry() {
  static const SchemeFamilyOf<int>::Member Members[] = {
      {**parseScheme("rfv"), OfRFV}};
  static SchemeRegistry<int> All("a number", {{Members}});
  return All;
}

namespace {

std::string library(const std::string &Kind) {
  return REGSHARE_TEST_LIBRARIES "/lib" + Kind + ".so";
}

/// What loading says, after "cannot load '<path>': ".
std::string refusal(const std::string &Path) {
  size_t Before = allSchemes().size();
  size_t Entries = testedRegistry().entries().size();
  Result<void> Loaded = loadSchemeLibrary(Path);
  if (Loaded)
    return "loaded";
  EXPECT_EQ(allSchemes().size(), Before) << "half loaded";
  EXPECT_EQ(testedRegistry().entries().size(), Entries) << "half loaded";
  std::string Text = Loaded.error().str(), Start = "cannot load '" + Path + "'";
  EXPECT_TRUE(Text.starts_with(Start + ": ")) << Text;
  return Text.substr(std::min(Text.size(), Start.size() + 2));
}

TEST(SchemeLibrary, Loads) {
  size_t Before = allSchemes().size();
  ASSERT_FALSE(parseScheme("loud"));
  Result<void> Loaded = loadSchemeLibrary(library("Sound"));
  ASSERT_TRUE(Loaded) << Loaded.error().str();
  EXPECT_EQ(allSchemes().size(), Before + 1);
  Result<Scheme> S = parseScheme("loud");
  ASSERT_TRUE(S);
  EXPECT_EQ((*S)->Summary, "a scheme from outside");
  ASSERT_TRUE((*S)->findSetting("loudness"));
  EXPECT_EQ((*S)->findSetting("loudness")->variable(), "REGSHARE_LOUDNESS");
  EXPECT_EQ(allSettings().back()->Name, "loudness");
  ASSERT_TRUE(testedRegistry().find(*S));
  EXPECT_EQ(*testedRegistry().find(*S), 7);
  // Once more, by another path, changes nothing.
  EXPECT_TRUE(loadSchemeLibrary(REGSHARE_TEST_LIBRARIES "/./libSound.so"));
  EXPECT_EQ(allSchemes().size(), Before + 1);
  // It has no compiler half.
  EXPECT_TRUE(loadSchemeCompilers());
}

TEST(SchemeLibrary, RefusesWhatIsNone) {
  EXPECT_EQ(refusal("nowhere.so"),
            "there is no such file in '" + fs::current_path().string() + "'");
  EXPECT_EQ(refusal("/nowhere.so"), "there is no such file");
  EXPECT_EQ(refusal(fs::canonical(".").string()),
            "it is a directory; expected a shared library");
  std::string Text = (fs::canonical(testing::TempDir()) / "text.so").string();
  std::ofstream(Text) << "RegShare scheme interface " REGSHARE_SCHEME_INTERFACE;
  EXPECT_EQ(refusal(Text), "it is no shared library");
  fs::remove(Text);
  EXPECT_EQ(refusal(library("NoLibrary")),
            "it is no library of schemes, which ends with "
            "REGSHARE_SCHEME_LIBRARY");
  EXPECT_EQ(refusal(library("Undescribed")),
            "it does not export RegShareSchemeLibrary");
  EXPECT_EQ(refusal(library("Empty")), "it describes no scheme");
  EXPECT_EQ(refusal(library("NullScheme")),
            "one of the schemes that it names is a null pointer");
  // It has the mark that the loader looks for, without a version.
  Dl_info Base;
  ASSERT_TRUE(
      ::dladdr(reinterpret_cast<const void *>(&loadSchemeLibrary), &Base));
  EXPECT_EQ(refusal(fs::canonical(Base.dli_fname).string()),
            "it is no library of schemes, which ends with "
            "REGSHARE_SCHEME_LIBRARY");
}

TEST(SchemeLibrary, RefusesWhatIsNoFile) {
  EXPECT_EQ(refusal("/dev/zero"),
            "it is no regular file; expected a shared library");
  const fs::path Pipe = fs::canonical(testing::TempDir()) / "pipe.so";
  fs::remove(Pipe);
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(Pipe.string()),
            "it is no regular file; expected a shared library");
  fs::remove(Pipe);
}

/// Whatever is missing at the end, the loader never maps the file.
TEST(SchemeLibrary, RefusesWhatIsCutShort) {
  const fs::path Cut = fs::canonical(testing::TempDir()) / "cut.so";
  const uint64_t Whole = fs::file_size(library("Sound"));
  for (uint64_t Size = 0; Size < Whole; Size += Whole / 97) {
    fs::copy_file(library("Sound"), Cut, fs::copy_options::overwrite_existing);
    fs::resize_file(Cut, Size);
    std::string Why = refusal(Cut.string());
    EXPECT_TRUE(Why == "it is no shared library" ||
                Why.ends_with("found " + std::to_string(Size)))
        << Size << ": " << Why;
  }
  fs::remove(Cut);
}

TEST(SchemeLibrary, RefusesDescriptionsThatDoNotHold) {
  EXPECT_EQ(refusal(library("TakesName")),
            "scheme 'takesname': setting 'threads': REGSHARE_THREADS or "
            "-regshare-threads is RegShare's own; a setting needs another "
            "name");
}

TEST(SchemeLibraryDeathTest, TellsOfALibraryThatEndsTheProcess) {
  std::string Path = fs::canonical(library("ExitsAtOnce")).string();
  EXPECT_EXIT((void)loadSchemeLibrary(Path), testing::ExitedWithCode(1),
              "^regshare: cannot load '.*libExitsAtOnce.so': it ended the "
              "process\n$");
}

TEST(SchemeLibraryDeathTest, TellsOfALibraryThatEndsTheThread) {
  std::string Path = fs::canonical(library("EndsThread")).string();
  EXPECT_EXIT((void)loadSchemeLibrary(Path), testing::ExitedWithCode(1),
              "^regshare: cannot load '.*libEndsThread.so': it ended the "
              "thread\n$");
  Path = fs::canonical(library("RegistersAndEnds")).string();
  auto LoadAsTool = [&] {
    setErrorStart("a-tool: error: ");
    (void)loadSchemeLibrary(Path);
  };
  EXPECT_EXIT(LoadAsTool(), testing::ExitedWithCode(1),
              "^a-tool: error: cannot load '.*libRegistersAndEnds.so': it "
              "ended the thread\n$");
}

TEST(SchemeLibrary, RefusesAnotherVersion) {
  EXPECT_EQ(refusal(library("OtherInterface")),
            "it was built against other headers of RegShare: expected "
            "interface " REGSHARE_SCHEME_INTERFACE
            ", found 0.0.7-3; build it again against this RegShare");
}

TEST(SchemeLibrary, RefusesRepeatedNamesAsAWhole) {
  EXPECT_EQ(refusal(library("Repeats")),
            "scheme 'rfv': there is a scheme of that name already");
  EXPECT_FALSE(parseScheme("repeats"));
}

TEST(SchemeLibrary, RefusesWhatCannotBeRegistered) {
  EXPECT_EQ(refusal(library("RegistersTwice")),
            "scheme 'registerstwice': it has a number already");
  EXPECT_EQ(refusal(library("RegistersUndescribed")),
            "scheme 'undescribed': it is given a number, but nobody has "
            "described it");
}

TEST(SchemeLibrary, ARefusedCompilerHalfIsRefusedAgain) {
  const fs::path Folder = fs::canonical(testing::TempDir()) / "halves";
  fs::create_directories(Folder);
  const fs::path Whole = Folder / "libHalved.so",
                 Half = Folder / "libHalved-compiler.so";
  fs::copy_file(library("Halved"), Whole, fs::copy_options::overwrite_existing);
  fs::copy_file(library("RefusedCompilers"), Half,
                fs::copy_options::overwrite_existing);
  ASSERT_TRUE(loadSchemeLibrary(Whole.string()));
  const size_t Entries = testedRegistry().entries().size();
  for (unsigned Time = 0; Time != 2; ++Time) {
    Result<void> Loaded = loadSchemeCompilers();
    ASSERT_FALSE(Loaded);
    EXPECT_EQ(Loaded.error().str(),
              "cannot load '" + Half.string() +
                  "': scheme 'rfv': it has a number already");
    EXPECT_EQ(testedRegistry().entries().size(), Entries) << "half loaded";
  }
  EXPECT_TRUE(parseScheme("halved"));
  fs::remove_all(Folder);
}

TEST(SchemeLibrary, ExceptionsEndHere) {
  EXPECT_EQ(refusal(library("Throws")), "it threw: not today");
  EXPECT_EQ(refusal(library("ThrowsNumber")),
            "it threw what is no std::exception");
  EXPECT_EQ(refusal(library("ThrowsAtOnce")), "it threw: at once");
}

TEST(SchemeLibrary, AReasonIsOneLine) {
  EXPECT_EQ(refusal(library("ThrowsLines")), "it threw: first second");
  EXPECT_EQ(refusal(library("ThrowsNothing")),
            "it threw, and does not say why");
  EXPECT_EQ(refusal(library("FailsWithLines")), "first second");
  EXPECT_EQ(refusal(library("FailsWithNothing")), "it does not say why");
}

TEST(SchemeLibrary, RefusesMissingSymbols) {
  std::string Why = refusal(library("MissesSymbol"));
  EXPECT_TRUE(Why.starts_with("undefined symbol: ")) << Why;
}

TEST(SchemeLibrary, TheEnvironmentIsReadOnce) {
  std::string Paths = library("Throws") + ":" + library("Sound");
  ::setenv("REGSHARE_LOAD", Paths.c_str(), 1);
  Result<void> First = loadSchemesOfEnvironment();
  ASSERT_FALSE(First);
  EXPECT_EQ(First.error().str(), "REGSHARE_LOAD: cannot load '" +
                                     library("Throws") +
                                     "': it threw: not today");
  ::unsetenv("REGSHARE_LOAD");
  EXPECT_FALSE(loadSchemesOfEnvironment());
}

} // namespace
