//===- CodeForm.cpp - The code that a device runs -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/CodeForm.h"

namespace regshare {

std::string_view codeFormName(CodeForm Form) {
  return Form == CodeForm::Native ? "native" : "ptx";
}

Result<CodeForm> parseCodeForm(std::string_view Name) {
  if (Name == "ptx")
    return CodeForm::PTX;
  if (Name == "native")
    return CodeForm::Native;
  return fail("unknown form of code '" + std::string(Name) +
              "'; there are ptx and native");
}

} // namespace regshare
