//===- PercentSigns.cpp - Registers in inline PTX -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeText.h"

#include "regshare/Frontend/LaunchSyntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regshare {

namespace {

class Doubler : CodeText {
public:
  explicit Doubler(StringRef Source) : CodeText(Source) {}
  /// Whether anything has changed.
  bool run();
  using CodeText::takeText;

private:
  bool takeAsm();
  bool takeTemplate();
  void noteSigns(size_t Begin);

  SmallVector<size_t, 4> Signs; ///< Of an asm, in their order.
};

} // namespace

/// `asm volatile (`
bool Doubler::takeAsm() {
  if (!is_contained({"asm", "__asm", "__asm__"}, takeWord()))
    return false;
  while (At < Text.size() && Text[At] != '(') {
    if (isSpace(Text[At]))
      ++At;
    else if (takeWord().empty())
      return false;
  }
  At = std::min(At + 1, Text.size());
  return true;
}

/// Those of the literal from \p Begin to here that begin the name of a
/// register. A sign and a single letter may be a modifier of the host's asm.
void Doubler::noteSigns(size_t Begin) {
  auto MayBegin = [this](size_t N) {
    return isAlpha(Text[N]) || Text[N] == '_';
  };
  for (size_t N = Begin; N + 2 < At; ++N) {
    if (Text[N] != '%')
      continue;
    if (Text[N + 1] == '%')
      ++N;
    else if (MayBegin(N + 1) && MayBegin(N + 2))
      Signs.push_back(N);
  }
}

/// To the colon before the operands; false if there is none: then a sign is
/// taken as it is.
bool Doubler::takeTemplate() {
  Signs.clear();
  while (At < Text.size()) {
    size_t Begin = At;
    bool IsLiteral = Text[At] == '"' || isAt("R\"");
    if (skipUncode()) {
      if (IsLiteral)
        noteSigns(Begin);
      continue;
    }
    if (Text[At] == ':')
      return true;
    if (Text[At] == ')' || Text[At] == ';')
      return false;
    ++At;
  }
  return false;
}

bool Doubler::run() {
  bool Changed = false;
  while (At < Text.size()) {
    if (skipUncode())
      continue;
    if (!isAlpha(Text[At]) && Text[At] != '_') {
      ++At;
      continue;
    }
    size_t Begin = At;
    if (takeAsm() && takeTemplate()) {
      for (size_t N : reverse(Signs))
        Text.insert(N, "%");
      At += Signs.size();
      Changed |= !Signs.empty();
    }
    // Within a word that does not begin here.
    At += At == Begin;
  }
  return Changed;
}

std::optional<std::string> doublePercentSigns(std::string_view Source) {
  if (Source.find("asm") == Source.npos)
    return std::nullopt;
  Doubler D(Source);
  if (!D.run())
    return std::nullopt;
  return D.takeText();
}

} // namespace regshare
