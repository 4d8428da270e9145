//===- UnknownOptions.cpp - Options that regshare-opt lacks ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnknownOptions.h"

#include "regshare/Base/Setting.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace regshare {

/// The option of \p Name, which may have its value attached where the option is
/// a letter after one dash: -O3, -DN=4. Null: there is none.
static const cl::Option *findOption(StringRef Name, bool HasOneDash) {
  const auto &Known = cl::getRegisteredOptions();
  if (const cl::Option *Whole = Known.lookup(Name))
    return Whole;
  const cl::Option *Letter = Known.lookup(Name.take_front());
  bool TakesRest = Letter && HasOneDash &&
                   (Letter->getFormattingFlag() == cl::Prefix ||
                    Letter->getFormattingFlag() == cl::AlwaysPrefix);
  return TakesRest ? Letter : nullptr;
}

/// "; did you mean '--scheme'?", of the options that --help lists.
static std::string nearestTo(StringRef Name) {
  std::vector<std::string_view> Listed;
  for (const auto &[Each, Option] : cl::getRegisteredOptions())
    if (Option->getOptionHiddenFlag() == cl::NotHidden)
      Listed.emplace_back(Each);
  auto Near = nearestWord(Name, Listed);
  return Near ? "; did you mean '--" + std::string(*Near) + "'?" : "";
}

Error checkKnownOptions(ArrayRef<const char *> Arguments) {
  for (size_t N = 0; N != Arguments.size(); ++N) {
    StringRef Word = Arguments[N], Name = Word;
    if (Word == "--")
      break;
    if (!Name.consume_front("-") || Name.empty())
      continue;
    const bool HasOneDash = !Name.consume_front("-");
    Name = Name.split('=').first;
    const cl::Option *Option = findOption(Name, HasOneDash);
    if (!Option)
      return createStringError("unknown option '" + Word + "'" +
                               nearestTo(Name) + "; --help lists all");
    // The next word may be its value, whatever that looks like.
    if (Option->getValueExpectedFlag() == cl::ValueRequired &&
        Option->ArgStr == Name && !Word.contains('='))
      ++N;
  }
  return Error::success();
}

} // namespace regshare
