//===- regshare/Base/Version.h - Which RegShare this is -------- -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_VERSION_H
#define REGSHARE_BASE_VERSION_H

/// CMakeLists.txt reads it from here.
#define REGSHARE_VERSION "0.1.0"

#endif // REGSHARE_BASE_VERSION_H
