//===- CodeText.cpp - Source that is changed as text ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeText.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regshare {

static bool isOfWord(char C) { return isAlnum(C) || C == '_'; }

bool CodeText::followsWord() const { return At && isOfWord(Text[At - 1]); }

StringRef CodeText::takeWord() {
  if (followsWord())
    return {};
  StringRef Word = StringRef(Text).substr(At).take_while(isOfWord);
  At += Word.size();
  return Word;
}

/// R"x(…)x"
void CodeText::skipRawString() {
  size_t Open = Text.find('(', At);
  if (Open == Text.npos) {
    At = Text.size();
    return;
  }
  std::string Close = ")" + Text.substr(At + 2, Open - At - 2) + "\"";
  size_t End = Text.find(Close, Open);
  At = End == Text.npos ? Text.size() : End + Close.size();
}

void CodeText::skipLiteral(char Quote) {
  for (++At; At < Text.size() && Text[At] != Quote && Text[At] != '\n'; ++At)
    At += Text[At] == '\\';
  At = std::min(At + 1, Text.size());
}

/// True if there was something that is no code.
bool CodeText::skipUncode() {
  if (isAt("//")) {
    At = std::min(Text.find('\n', At), Text.size());
  } else if (isAt("/*")) {
    size_t End = Text.find("*/", At + 2);
    At = End == Text.npos ? Text.size() : End + 2;
  } else if (isAt("R\"") && !followsWord()) {
    skipRawString();
  } else if (Text[At] == '"') {
    skipLiteral('"');
  } else if (Text[At] == '\'' && !followsWord()) {
    skipLiteral('\'');
  } else {
    return false;
  }
  return true;
}

} // namespace regshare
