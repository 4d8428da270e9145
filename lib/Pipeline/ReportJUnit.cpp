//===- ReportJUnit.cpp - Limits as test cases -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/ReportLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

static std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

void printJUnit(raw_ostream &OS, StringRef Input, ArrayRef<LimitCheck> Checks) {
  size_t Failures =
      count_if(Checks, [](const LimitCheck &C) { return !C.Broken.empty(); });
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "
        "name=\"regshare-opt "
     << escaped(Input) << "\" tests=\"" << Checks.size() << "\" failures=\""
     << Failures << "\">\n";
  for (const LimitCheck &C : Checks) {
    OS << "  <testcase classname=\"" << escaped(C.Kernel->Demangled)
       << "\" name=\"" << C.Rule << "\"";
    if (C.Broken.empty())
      OS << "/>\n";
    else
      OS << ">\n    <failure message=\"" << escaped(C.Broken)
         << "\"/>\n  </testcase>\n";
  }
  OS << "</testsuite>\n";
}

} // namespace regshare
