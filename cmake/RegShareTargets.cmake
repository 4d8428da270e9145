# Functions every target of the project goes through, so that warnings,
# sanitizers and include paths are decided in one place.

add_library(regshare_flags INTERFACE)
target_include_directories(regshare_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_options(regshare_flags INTERFACE
  $<BUILD_INTERFACE:-Wall;-Wextra;-Wno-unused-parameter>)
if(REGSHARE_WERROR)
  target_compile_options(regshare_flags INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(REGSHARE_SANITIZE)
  # The code of a test is not what sanitizers look at; it has their run-time.
  # What a stock program loads has to do without that.
  set(sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:REGSHARE_UNSANITIZED>>>)
  target_compile_options(regshare_flags INTERFACE
    $<BUILD_INTERFACE:$<${sanitized}:-fsanitize=${REGSHARE_SANITIZE};-fno-sanitize-recover=all>;-fno-omit-frame-pointer>)
  target_compile_definitions(regshare_flags INTERFACE
    $<BUILD_INTERFACE:REGSHARE_SANITIZED>)
  target_link_options(regshare_flags INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${REGSHARE_SANITIZE}>)
endif()

# regshare_add_library(NAME [LLVM] [EXCEPTIONS] [HEADERS ...] SOURCES ... [LINK ...])
#   LLVM        the library includes LLVM headers: their paths and flags, and
#               the shared precompiled header.
#   HEADERS     the target that makes its precompiled header, otherwise.
#   EXCEPTIONS  compiled with exceptions, for the one file that has to catch
#               what a third-party library throws.
function(regshare_add_library name)
  cmake_parse_arguments(ARG "LLVM;EXCEPTIONS" "HEADERS" "SOURCES;LINK" ${ARGN})
  add_library(${name} SHARED ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
  regshare_configure(${name} "${ARG_LLVM}" "${ARG_EXCEPTIONS}" ${ARG_HEADERS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  # Calls within the library go straight to their target: nobody replaces a
  # function of ours.
  target_link_options(${name} PRIVATE
    $<$<LINK_LANG_AND_ID:CXX,Clang>:LINKER:-Bsymbolic-functions>)
  # What is missing is told when the library is linked, unless a sanitizer's
  # run-time is to come from the program.
  if(NOT REGSHARE_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:--no-undefined)
  endif()
endfunction()

# regshare_add_program(NAME [LLVM] [EXCEPTIONS] [HEADERS ...] SOURCES ... [LINK ...])
#   LLVM        it allocates as RegShareAllocator.cmake says, too.
#   HEADERS     the target that makes its precompiled header.
function(regshare_add_program name)
  cmake_parse_arguments(ARG "LLVM;EXCEPTIONS" "HEADERS" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  # Compiled as the libraries are: clang takes a precompiled header only with
  # the same choice of -fPIC or -fPIE.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  regshare_configure(${name} "${ARG_LLVM}" "${ARG_EXCEPTIONS}" ${ARG_HEADERS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_LLVM)
    target_link_libraries(${name} PRIVATE regshare_allocator)
  endif()
endfunction()

# regshare_configure(NAME LLVM EXCEPTIONS [HEADERS]): what both have. HEADERS is
# the target that makes the precompiled header, of the same options.
function(regshare_configure name llvm exceptions)
  target_link_libraries(${name} PUBLIC regshare_flags)
  if(NOT exceptions)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(llvm)
    target_link_libraries(${name} PUBLIC regshare_llvm)
  endif()
  set(headers ${ARGN})
  if(llvm AND NOT headers)
    set(headers regshare_llvm_pch)
  endif()
  if(headers AND NOT exceptions AND NOT name STREQUAL headers)
    target_precompile_headers(${name} REUSE_FROM ${headers})
  endif()
endfunction()

# What most sources without LLVM include, parsed once.
set(regshare_std_headers <algorithm> <array> <bit> <cassert> <charconv>
  <cstdint> <cstring> <functional> <map> <memory> <optional> <set> <span>
  <string> <string_view> <tl/expected.hpp> <utility> <vector>)
add_library(regshare_std_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
regshare_configure(regshare_std_pch FALSE FALSE regshare_std_pch)
target_precompile_headers(regshare_std_pch PRIVATE ${regshare_std_headers})

# regshare_collect_targets(OUT DIR): every target made in DIR and below.
function(regshare_collect_targets out dir)
  get_property(targets DIRECTORY ${dir} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subdirectories DIRECTORY ${dir} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    regshare_collect_targets(nested ${subdirectory})
    list(APPEND targets ${nested})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()
