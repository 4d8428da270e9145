//===- Printf.h - printf as kernels call it -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_FUNCTIONAL_PRINTF_H
#define REGSHARE_SIM_FUNCTIONAL_PRINTF_H

#include <cstdint>
#include <functional>
#include <string>

namespace regshare::sim {

/// Formats what vprintf prints, appending to \p Text. \p Arguments is the
/// address of the packed arguments, each aligned to its size (float comes as
/// double). Returns the number of conversions, or -1 when memory could not be
/// read.
int formatDevicePrintf(
    const std::string &Format, uint64_t Arguments,
    const std::function<bool(uint64_t, void *, unsigned)> &Read,
    const std::function<bool(uint64_t, std::string &)> &ReadString,
    std::string &Text);

} // namespace regshare::sim

#endif // REGSHARE_SIM_FUNCTIONAL_PRINTF_H
