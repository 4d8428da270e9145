//===- HeaderCacheTest.cpp - Headers that are parsed once -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Headers with and without the cache have to come to the same. A source here
/// returns a number that its headers decide, so that the object says which
/// headers clang took.
///
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/HeaderCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

#include <cstdlib>
#include <optional>

using namespace llvm;
using namespace regshare;
using testing::IsEmpty;

namespace {

using Words = std::vector<std::string>;

class HeaderCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("header cache", Root));
    write("implicit/before.h", "#define LIMIT 1\n");
    write("implicit/own.h", "#ifndef OWN_H\n#define OWN_H\n"
                            "#include <deep/value.h>\n#endif\n");
    write("system/deep/value.h",
          "#ifndef VALUE_H\n#define VALUE_H\n#ifndef EXTRA\n#define EXTRA 0\n"
          "#endif\nstatic inline int value() { return 10 + EXTRA; }\n#endif\n");
    write("source.cpp", "int answer() { return value() + LIMIT; }\n");
  }
  void TearDown() override { EXPECT_FALSE(sys::fs::remove_directories(Root)); }

  std::string path(StringRef Name) const {
    SmallString<128> Path(Root);
    sys::path::append(Path, Name);
    return std::string(Path);
  }

  void write(StringRef Name, StringRef Text) const {
    std::string Path = path(Name);
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(Path)));
    std::error_code EC;
    raw_fd_ostream(Path, EC) << Text;
    ASSERT_FALSE(EC);
  }

  Words options(Words More = {}) const {
    Words Options{"-x",       "c++",
                  "-O1",      "-w",
                  "-imacros", path("implicit/before.h"),
                  "-include", path("implicit/own.h"),
                  "-isystem", path("system")};
    append_range(Options, More);
    return Options;
  }

  HeaderCache cache() const { return {REGSHARE_CLANG, path("cache")}; }

  /// What source.cpp returns, by its object in LLVM IR; nothing if it does not
  /// compile.
  std::optional<int> answer(const Words &Options) {
    std::string Message;
    Said.clear();
    int Status = cache().run(
        Options, {"-S", "-emit-llvm", path("source.cpp"), "-o", path("out.ll")},
        &Said, Message);
    EXPECT_GE(Status, 0) << Message;
    if (Status)
      return std::nullopt;
    auto Text = MemoryBuffer::getFile(path("out.ll"));
    EXPECT_TRUE(bool(Text));
    StringRef After = (*Text)->getBuffer().split("ret i32 ").second;
    int Value = -1;
    After.consumeInteger(10, Value);
    return Value;
  }

  unsigned numParsed() const {
    unsigned Count = 0;
    std::error_code EC;
    for (sys::fs::directory_iterator It(path("cache"), EC), End;
         It != End && !EC; It.increment(EC))
      Count += StringRef(It->path()).ends_with(".pch");
    return Count;
  }

  SmallString<128> Root;
  std::string Said;
};

TEST_F(HeaderCacheTest, TakesTheParsedFormAndKeepsIt) {
  EXPECT_FALSE(cache().optionsFor(options()).empty());
  EXPECT_EQ(answer(options()), 11);
  EXPECT_EQ(numParsed(), 1u);
  // The parsed form is what is taken: the header may not even be read.
  write("source.cpp",
        "#include <deep/value.h>\nint answer() { return value(); }\n");
  EXPECT_EQ(answer(options()), 10);
  EXPECT_EQ(numParsed(), 1u);
}

TEST_F(HeaderCacheTest, OptionsThatDecideHaveTheirOwn) {
  EXPECT_EQ(answer(options()), 11);
  EXPECT_EQ(answer(options({"-DEXTRA=5"})), 16);
  EXPECT_EQ(answer(options({"-D", "EXTRA=6"})), 17);
  EXPECT_EQ(numParsed(), 3u);
  EXPECT_EQ(answer(options({"-I" + path("none"), "-lm", "-MD", "-MF",
                            path("out.d"), "-Wl,-x"})),
            11);
  EXPECT_EQ(numParsed(), 3u);
  auto Rule = MemoryBuffer::getFile(path("out.d"));
  ASSERT_TRUE(bool(Rule));
  EXPECT_TRUE((*Rule)->getBuffer().contains("value.h"));
}

TEST_F(HeaderCacheTest, ChangedHeadersAreParsedAgain) {
  EXPECT_EQ(answer(options()), 11);
  write("system/deep/value.h", "static inline int value() { return 200; }\n");
  EXPECT_EQ(answer(options()), 201);
  EXPECT_EQ(answer(options()), 201);
  write("implicit/before.h", "#define LIMIT 1000\n");
  EXPECT_EQ(answer(options()), 1200);
  EXPECT_EQ(answer(options()), 1200);
  EXPECT_EQ(numParsed(), 1u);
}

TEST_F(HeaderCacheTest, HeadersThatComeBeforeAreSeen) {
  EXPECT_EQ(answer(options()), 11);
  write("mine/deep/value.h", "static inline int value() { return 300; }\n");
  EXPECT_EQ(answer(options({"-I" + path("mine")})), 301);
  EXPECT_EQ(answer(options({"-I", path("mine")})), 301);
  EXPECT_EQ(answer(options({"-iquote", path("mine")})), 11);
  EXPECT_EQ(answer(options()), 11);
  // Beside the header that includes it, which the name in brackets does not
  // mean; the folder has changed all the same.
  write("implicit/deep/value.h", "static inline int value() { return 400; }\n");
  EXPECT_EQ(answer(options()), 11);
}

TEST_F(HeaderCacheTest, AHeaderMayWrapOneOfItsName) {
  write("wrap/deep/value.h", "#include_next <deep/value.h>\n");
  Words Wrapped = {"-isystem", path("wrap")};
  append_range(Wrapped, options());
  EXPECT_EQ(answer(Wrapped), 11);
  EXPECT_FALSE(cache().optionsFor(Wrapped).empty());
  EXPECT_EQ(numParsed(), 1u);
  // A header of such a folder that is new comes before the others.
  Words Late = {"-isystem", path("late")};
  append_range(Late, Wrapped);
  EXPECT_EQ(answer(Late), 11);
  EXPECT_FALSE(cache().optionsFor(Late).empty());
  write("late/deep/value.h", "static inline int value() { return 500; }\n");
  EXPECT_EQ(answer(Late), 501);
}

TEST_F(HeaderCacheTest, TheUsersFolderMayHoldTheHeadersThemselves) {
  EXPECT_EQ(answer(options({"-I" + path("system")})), 11);
  EXPECT_EQ(numParsed(), 1u);
  EXPECT_FALSE(cache().optionsFor(options({"-I" + path("system")})).empty());
}

TEST_F(HeaderCacheTest, WhatDoesNotGoWithItIsDoneWithout) {
  for (const Words &More :
       {Words{"-include", "deep/value.h"}, Words{"-fsyntax-only"},
        Words{"-save-temps"}, Words{"-ivfsoverlay", path("none.yaml")},
        Words{"-Wp,-DX"}, Words{path("source.cpp")}, Words{"-I"}})
    EXPECT_THAT(cache().optionsFor(options(More)), IsEmpty()) << More[0];
  EXPECT_THAT(cache().optionsFor({"-x", "c++"}), IsEmpty());
  setenv("CPATH", path("system").c_str(), 1);
  EXPECT_THAT(cache().optionsFor(options()), IsEmpty());
  unsetenv("CPATH");
  EXPECT_THAT(HeaderCache(REGSHARE_CLANG, "").optionsFor(options()), IsEmpty());
  EXPECT_EQ(numParsed(), 0u);
}

TEST_F(HeaderCacheTest, ErrorsAreSaidOnceAndOfTheSource) {
  write("source.cpp", "int answer() { return valu(); }\n");
  EXPECT_EQ(answer(options()), std::nullopt);
  EXPECT_EQ(StringRef(Said).count("error:"), 1u) << Said;
  EXPECT_TRUE(StringRef(Said).contains("source.cpp:1")) << Said;
  EXPECT_EQ(numParsed(), 1u);
}

TEST_F(HeaderCacheTest, ADamagedFileIsMadeAgain) {
  EXPECT_EQ(answer(options()), 11);
  Words Options = cache().optionsFor(options());
  ASSERT_GT(Options.size(), 3u);
  {
    std::error_code EC;
    raw_fd_ostream(Options[3], EC) << "no parsed headers";
  }
  EXPECT_EQ(answer(options()), 11);
  EXPECT_EQ(answer(options()), 11);
  uint64_t Size = 0;
  ASSERT_FALSE(sys::fs::file_size(Options[3], Size));
  EXPECT_GT(Size, 1000u);
}

TEST_F(HeaderCacheTest, AFolderThatCannotBeWrittenIsNoError) {
  write("file", "");
  std::string Message;
  int Status =
      HeaderCache(REGSHARE_CLANG, path("file") + "/cache")
          .run(options(), {"-c", path("source.cpp"), "-o", path("out.o")},
               &Said, Message);
  EXPECT_EQ(Status, 0) << Said << Message;
}

} // namespace
