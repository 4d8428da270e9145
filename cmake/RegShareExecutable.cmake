# regshare_add_executable(NAME SOURCES ... [OPTIONS ...])
#   An executable that runs its CUDA kernels on the reference SM.
#   SOURCES   regshare-clang++ compiles those that end in .cu, with the include
#             directories and definitions of the target; the project's own
#             compilers take all others.
#   OPTIONS   more for regshare-clang++, nvcc's or clang's: -arch=sm_80.
# CUDA sources are compiled as the build type says for C++, and with -O2 where
# there is none. The project needs the language CXX, and neither CUDA nor a toolkit.
function(regshare_add_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS" ${ARGN})
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "regshare_add_executable(${name}): expected SOURCES and "
      "its files, and perhaps OPTIONS; found '${ARGN}'")
  endif()
  if(NOT EXISTS "${RegShare_CUDA_COMPILER}")
    message(FATAL_ERROR "regshare_add_executable(${name}): this installation of "
      "RegShare has no regshare-clang++; expected '${RegShare_CUDA_COMPILER}'")
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  set(flags -O2)
  if(config)
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS_${config}}")
  endif()
  set(includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  set(objects "")
  set(others "")
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(GET source EXTENSION LAST_ONLY extension)
    if(NOT extension STREQUAL ".cu")
      list(APPEND others "${source}")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      OUTPUT_VARIABLE path)
    string(MAKE_C_IDENTIFIER "${source}" stem)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.regshare/${stem}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory
        "${CMAKE_CURRENT_BINARY_DIR}/${name}.regshare"
      COMMAND "${RegShare_CUDA_COMPILER}" ${flags} ${ARG_OPTIONS}
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        -MD -MF "${object}.d" -c "${path}" -o "${object}"
      DEPENDS "${path}" "${RegShare_CUDA_COMPILER}"
      DEPFILE "${object}.d"
      COMMENT "Compiling ${source} with regshare-clang++"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_executable(${name} ${others} ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE RegShare::regshare_cudart)
endfunction()
