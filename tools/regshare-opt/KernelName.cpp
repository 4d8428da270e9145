//===- KernelName.cpp - Kernels as users name them ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelName.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

bool regshare::namesKernel(StringRef Wanted, StringRef Name) {
  std::string Text = demangle(Name.str());
  StringRef Demangled = Text;
  // Instances of templates have their return type in front.
  Demangled.consume_front("void ");
  return Wanted == Name || Wanted == Demangled ||
         Wanted == Demangled.split('(').first;
}

Expected<std::string> regshare::chooseKernel(ArrayRef<std::string> Names,
                                             StringRef Wanted,
                                             StringRef Place) {
  std::string Known = join(Names, ", ");
  if (Wanted.empty()) {
    if (Names.size() == 1)
      return Names.front();
    if (Names.empty())
      return createStringError("no kernel in " + Place);
    return createStringError("more than one kernel in " + Place +
                             "; say --kernel= with one of: " + Known);
  }
  std::vector<std::string> Meant;
  for (const std::string &Name : Names) {
    if (Wanted == Name)
      return Name;
    if (namesKernel(Wanted, Name))
      Meant.push_back(Name);
  }
  if (Meant.size() == 1)
    return Meant.front();
  if (!Meant.empty())
    return createStringError("'" + Wanted + "' in " + Place +
                             " may be any of: " + join(Meant, ", "));
  return createStringError("no kernel '" + Wanted + "' in " + Place +
                           "; it has: " + Known);
}
