# Programs of unit tests, by folder, and the labels of tests.
#
# Each folder with a *Test.cpp gets one program, of all its sources: nothing is
# listed, a file or a folder joins by being there. A test's labels are its kind
# (`unit`), its folders in lower case, so that unittests/Sim/Foo has `sim` and
# `foo`, and `slow` or `quick`; utils/run-tests chooses by them.

include(GoogleTest)

# The code of a test runs once, so that its compile time counts: it is not
# optimised, nor checked by sanitizers; what it tests is.
set(regshare_test_options -O0 -g1)

# regshare_configure_test(TARGET [OPTION ...])
function(regshare_configure_test target)
  target_compile_options(${target} PRIVATE ${ARGN} ${regshare_test_options})
  set_target_properties(${target} PROPERTIES REGSHARE_UNSANITIZED ON)
endfunction()

# regshare_test_headers(OUT LLVM [OPTION ...]): the target that makes the
# precompiled header of tests with those options.
function(regshare_test_headers out llvm)
  string(MAKE_C_IDENTIFIER "regshare_test_pch${llvm}${ARGN}" name)
  set(${out} ${name} PARENT_SCOPE)
  if(TARGET ${name})
    return()
  endif()
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
  regshare_configure(${name} "${llvm}" FALSE ${name})
  target_link_libraries(${name} PRIVATE GTest::gmock)
  regshare_configure_test(${name} ${ARGN})
  set(headers <gmock/gmock.h> <gtest/gtest.h> <random> <sstream>
    ${regshare_std_headers})
  if(llvm)
    list(APPEND headers ${regshare_llvm_headers})
  endif()
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()

# regshare_add_tests(SUITE [LLVM] [LINK ...] [OPTIONS ...] [OPTIMISE ...] [SLOW ...]
#                    [PLAIN ...])
#   RegShareSUITETests of this folder, and RegShareSUITEFooTests of each folder
#   Foo below it that has no CMakeLists.txt of its own. Sources of this folder
#   that are no tests serve the folders below, too.
#   OPTIONS  what they are compiled with.
#   OPTIMISE sources of which the own code does run for long: searches, models.
#   SLOW     tests that take longer than three seconds, as regular expressions
#            of their names; they get the label `slow`.
#   PLAIN    folders with tests that are not run with sanitizers
#            (utils/sanitized.py). The programs of the others are built only if
#            asked for where REGSHARE_EVERY_TEST is off.
# Sets SUITE_PROGRAMS. A test finds its data in REGSHARE_TEST_DATA, the folder
# `data` beside it or beside the CMakeLists.txt.
function(regshare_add_tests suite)
  cmake_parse_arguments(ARG "LLVM" "" "LINK;OPTIONS;OPTIMISE;SLOW;PLAIN" ${ARGN})
  # A precompiled header is one without optimisation.
  set_source_files_properties(${ARG_OPTIMISE} PROPERTIES
    COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
  set(llvm "")
  if(ARG_LLVM)
    set(llvm LLVM)
  endif()
  include_directories(${CMAKE_CURRENT_SOURCE_DIR})
  regshare_test_headers(headers "${llvm}" ${ARG_OPTIONS})

  file(GLOB helpers CONFIGURE_DEPENDS *.cpp)
  list(FILTER helpers EXCLUDE REGEX "Test\\.cpp$")
  if(helpers)
    set(helper RegShare${suite}TestHelpers)
    add_library(${helper} OBJECT ${helpers})
    regshare_configure(${helper} "${ARG_LLVM}" FALSE ${headers})
    target_link_libraries(${helper} PUBLIC ${ARG_LINK} PRIVATE GTest::gmock)
    regshare_configure_test(${helper} ${ARG_OPTIONS})
    list(APPEND ARG_LINK ${helper})
  endif()

  file(GLOB_RECURSE tests CONFIGURE_DEPENDS
    RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *Test.cpp)
  set(folders "")
  foreach(test IN LISTS tests)
    cmake_path(GET test PARENT_PATH folder)
    list(APPEND folders "${folder}/")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(programs "")
  foreach(folder IN LISTS folders)
    if(folder STREQUAL "/")
      set(folder ".")
      set(program RegShare${suite}Tests)
      file(GLOB sources CONFIGURE_DEPENDS *Test.cpp)
    elseif(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      continue()
    else()
      string(REPLACE "/" "" program "RegShare${suite}${folder}Tests")
      file(GLOB sources CONFIGURE_DEPENDS ${folder}*.cpp)
    endif()
    regshare_add_program(${program} ${llvm} HEADERS ${headers}
      SOURCES ${sources}
      LINK ${ARG_LINK} GTest::gmock GTest::gtest_main)
    regshare_configure_test(${program} ${ARG_OPTIONS})
    string(REGEX REPLACE "/$" "" name ${folder})
    if(NOT REGSHARE_EVERY_TEST AND NOT name IN_LIST ARG_PLAIN)
      set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    cmake_path(APPEND CMAKE_CURRENT_SOURCE_DIR ${folder} data
      OUTPUT_VARIABLE data)
    cmake_path(NORMAL_PATH data)
    if(NOT IS_DIRECTORY ${data})
      set(data ${CMAKE_CURRENT_SOURCE_DIR}/data)
    endif()
    target_compile_definitions(${program} PRIVATE
      REGSHARE_TEST_DATA="${data}" REGSHARE_DOCS="${PROJECT_SOURCE_DIR}/docs")
    regshare_discover_tests(${program} ${folder} SLOW ${ARG_SLOW})
    list(APPEND programs ${program})
  endforeach()
  set(${suite}_PROGRAMS ${programs} PARENT_SCOPE)
endfunction()

# regshare_discover_tests(PROGRAM FOLDER [PREFIX ...] [SLOW ...] [PROPERTIES ...])
#   Each test of a program, which is made from FOLDER under this one.
function(regshare_discover_tests program folder)
  cmake_parse_arguments(ARG "" "PREFIX" "SLOW;PROPERTIES" ${ARGN})
  string(MAKE_C_IDENTIFIER "${ARG_PREFIX}${program}_TESTS" list)
  set(properties "")
  if(ARG_PROPERTIES)
    set(properties PROPERTIES ${ARG_PROPERTIES})
  endif()
  gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}" TEST_LIST ${list}
    ${properties})
  # gtest_discover_tests cannot pass a list as a property.
  regshare_labels(labels ${folder} unit)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${list}.cmake)
  file(CONFIGURE OUTPUT ${script} @ONLY CONTENT [[
if(NOT DEFINED @list@)
  set(@list@ @program@_NOT_BUILT)
endif()
foreach(test IN LISTS @list@)
  set(pace quick)
  foreach(slow IN ITEMS @ARG_SLOW@)
    if(test MATCHES "${slow}")
      set(pace slow)
    endif()
  endforeach()
  set_tests_properties("${test}" PROPERTIES LABELS "@labels@;${pace}")
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# regshare_labels(OUT FOLDER LABEL...): those labels, and the folders that lead
# from unittests to FOLDER under this one.
function(regshare_labels out folder)
  cmake_path(APPEND CMAKE_CURRENT_SOURCE_DIR ${folder} OUTPUT_VARIABLE path)
  cmake_path(NORMAL_PATH path)
  cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/unittests)
  string(REGEX REPLACE "/+" ";" folders "${path}")
  list(REMOVE_ITEM folders "" ".")
  string(TOLOWER "${ARGN};${folders}" labels)
  list(REMOVE_DUPLICATES labels)
  set(${out} ${labels} PARENT_SCOPE)
endfunction()

# regshare_label_all(LABEL...): every test that add_test() has made in this
# folder gets those labels, and its folders.
function(regshare_label_all)
  regshare_labels(labels . ${ARGN})
  get_property(tests DIRECTORY PROPERTY TESTS)
  set_tests_properties(${tests} PROPERTIES LABELS "${labels}")
endfunction()
