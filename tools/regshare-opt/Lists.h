//===- Lists.h - What regshare-opt lists -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// --list-passes, --list-schemes, --list-compositions, --list-settings and
/// --list-devices.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_OPT_LISTS_H
#define REGSHARE_TOOLS_REGSHARE_OPT_LISTS_H

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace regshare {

llvm::cl::OptionCategory &listCategory();

/// Prints the list that the command line asks for; false if it asks for none.
bool printedList();

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_OPT_LISTS_H
