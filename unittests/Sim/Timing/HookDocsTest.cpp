//===- HookDocsTest.cpp - docs/timing.md has every hook -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

std::string textOf(const std::string &Path) {
  std::ifstream File(Path);
  EXPECT_TRUE(File) << Path;
  return {std::istreambuf_iterator<char>(File), {}};
}

/// The first group of each match.
std::set<std::string> all(const std::string &Text, const char *Pattern) {
  std::set<std::string> Found;
  const std::regex Of(Pattern);
  for (std::sregex_iterator It(Text.begin(), Text.end(), Of), End; It != End;
       ++It)
    Found.insert((*It)[1]);
  return Found;
}

/// What the second column of the table names that follows \p Heading.
std::set<std::string> documented(const std::string &Heading) {
  const std::string Page = textOf(REGSHARE_DOCS "/timing.md");
  size_t Begin = Page.find(Heading);
  EXPECT_NE(Begin, Page.npos);
  const std::string Table =
      Page.substr(Begin, Page.find("\n\n", Begin) - Begin);
  std::set<std::string> Names;
  for (const std::string &Row : all(Table, "\n(\\|[^\n]*)")) {
    size_t First = Row.find('|', Heading.starts_with("| point") ? 1 : 0);
    const std::string Cell =
        Row.substr(First, Row.find('|', First + 1) - First);
    Names.merge(all(Cell, "`([a-zA-Z]+)[(`]"));
  }
  return Names;
}

std::set<std::string> declared(const std::string &Header) {
  return all(textOf(REGSHARE_DOCS "/../sim/lib/Schemes/" + Header),
             "virtual [^~();]*?(\\w+)\\(");
}

TEST(HookDocs, HaveEveryHook) {
  EXPECT_GT(declared("Scheme.h").size(), 30u);
  EXPECT_EQ(documented("| point | hook |"), declared("Scheme.h"));
}

TEST(HookDocs, HaveEachQuestionToTheModel) {
  EXPECT_EQ(documented("| the model's |"), declared("SchemeModel.h"));
}

} // namespace
