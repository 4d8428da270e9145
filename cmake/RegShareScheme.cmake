# regshare_add_scheme(NAME SM ... [COMPILER ...])
#   Builds a library of schemes that RegShare's programs load with
#   --load=libNAME.so or REGSHARE_LOAD, from a project that has found RegShare.
#   SM        sources of the description and the SM's half; no LLVM. One of them
#             says REGSHARE_SCHEME_LIBRARY.
#   COMPILER  sources of the passes and the verifier's rules, which become
#             libNAME-compiler.so beside it; one says REGSHARE_SCHEME_COMPILERS.
#             Needs find_package(RegShare COMPONENTS Compiler).
function(regshare_add_scheme name)
  cmake_parse_arguments(ARG "" "" "SM;COMPILER" ${ARGN})
  if(NOT ARG_SM OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "regshare_add_scheme(${name}): expected SM and its "
      "sources, and perhaps COMPILER and its; found '${ARGN}'")
  endif()
  add_library(${name} SHARED ${ARG_SM})
  target_link_libraries(${name} PRIVATE RegShare::SchemeKit)
  set(libraries ${name})
  if(ARG_COMPILER)
    if(NOT TARGET RegShare::Pipeline)
      message(FATAL_ERROR "regshare_add_scheme(${name}): COMPILER needs "
        "find_package(RegShare COMPONENTS Compiler)")
    endif()
    add_library(${name}-compiler MODULE ${ARG_COMPILER})
    # What both use, such as the description, is the first one's.
    target_link_libraries(${name}-compiler PRIVATE ${name} RegShare::Pipeline)
    list(APPEND libraries ${name}-compiler)
  endif()
  foreach(library IN LISTS libraries)
    target_compile_features(${library} PRIVATE cxx_std_20)
    # The SM's cycle is compiled into the library: optimised as RegShare's own
    # schemes are, unless the project chooses a build type.
    # A function that only looks like a hook is an error. GCC would not say so of
    # hooks in a system's header, which those of a package are otherwise.
    target_compile_options(${library} PRIVATE -fno-exceptions
      -Werror=overloaded-virtual
      "$<$<CONFIG:>:-O2;-DNDEBUG>")
    set_target_properties(${library} PROPERTIES NO_SYSTEM_FROM_IMPORTED ON)
    set_target_properties(${library} PROPERTIES
      BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN")
  endforeach()
  # The SM's half is optimised across sources, as RegShare's own are: else its cycle
  # takes a seventh more instructions. A project may decide by itself.
  if(NOT DEFINED CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT has_lto OUTPUT why LANGUAGES CXX)
    set_target_properties(${name} PROPERTIES
      INTERPROCEDURAL_OPTIMIZATION "${has_lto}"
      INTERPROCEDURAL_OPTIMIZATION_DEBUG OFF)
  endif()
endfunction()
