//===- regshare/Base/CodeForm.h - The code that a device runs -*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_CODEFORM_H
#define REGSHARE_BASE_CODEFORM_H

#include "regshare/Base/Result.h"

#include <cstdint>
#include <string_view>

namespace regshare {

/// Which code of a kernel a device executes.
enum class CodeForm : uint8_t {
  PTX,   ///< Each PTX instruction is an instruction of the device.
  Native ///< As hardware has it: instructions are joined, or are several.
};

/// "ptx" or "native".
std::string_view codeFormName(CodeForm Form);
/// Reads what codeFormName() writes.
Result<CodeForm> parseCodeForm(std::string_view Name);

} // namespace regshare

#endif // REGSHARE_BASE_CODEFORM_H
