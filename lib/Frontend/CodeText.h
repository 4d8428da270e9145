//===- CodeText.h - Source that is changed as text --------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_CODETEXT_H
#define REGSHARE_FRONTEND_CODETEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace regshare {

/// C++ and a place in it: what is code there, and what a comment or a literal.
class CodeText {
public:
  explicit CodeText(llvm::StringRef Source) : Text(Source.str()) {}

  std::string takeText() { return std::move(Text); }

  /// Goes over a comment or a literal; false if there is neither.
  bool skipUncode();
  bool isAt(llvm::StringRef What) const {
    return llvm::StringRef(Text).substr(At).starts_with(What);
  }
  /// Whether the place is within a word or directly after one.
  bool followsWord() const;
  /// Goes over the word at the place, if it begins one; else empty.
  llvm::StringRef takeWord();

  std::string Text;
  size_t At = 0;

private:
  void skipLiteral(char Quote);
  void skipRawString();
};

} // namespace regshare

#endif // REGSHARE_FRONTEND_CODETEXT_H
