# What schemes from outside are compiled against, as one number: a hash of the
# headers that are installed for them. A library built against other headers has
# another number and is refused, whoever forgot what.
#
# regshare_scheme_headers(OUT ROOT): these headers, in a tree at ROOT.
# As a script, with ROOT and OUTPUT, writes the header with the number.
cmake_minimum_required(VERSION 3.25)

function(regshare_scheme_headers out root)
  set(patterns "${root}/include/regshare/*.h" "${root}/sim/include/regshare/*.h"
    "${root}/sim/lib/*.h")
  if(CMAKE_SCRIPT_MODE_FILE)
    file(GLOB_RECURSE headers LIST_DIRECTORIES FALSE ${patterns})
  else()
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS LIST_DIRECTORIES FALSE
      ${patterns})
  endif()
  set(${out} ${headers} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

file(STRINGS ${ROOT}/include/regshare/Base/Version.h version
  REGEX "^#define REGSHARE_VERSION ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")
regshare_scheme_headers(headers ${ROOT})
set(lines "")
foreach(header IN LISTS headers)
  file(SHA256 ${header} hash)
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${ROOT})
  list(APPEND lines "${header}:${hash}")
endforeach()
# In an order that does not depend on where the tree lies.
list(SORT lines)
string(SHA256 hash "${lines}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
//===- regshare/Base/SchemeInterface.h - Made by the build -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMEINTERFACE_H
#define REGSHARE_BASE_SCHEMEINTERFACE_H

/// What a library of schemes is built against: the version and a hash of the
/// headers.
#define REGSHARE_SCHEME_INTERFACE "@version@-@hash@"

#endif // REGSHARE_BASE_SCHEMEINTERFACE_H
]])
