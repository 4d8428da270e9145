# With REGSHARE_UNITY, the sources of each target are compiled in groups, which
# takes half the time from nothing. utils/source_groups.py says which sources go
# together; CMake compiles one by itself that has options of its own.
#
# regshare_compile_in_groups(): does so for all targets there are.
function(regshare_compile_in_groups)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  regshare_collect_targets(targets ${PROJECT_SOURCE_DIR})
  set(lines "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "EXECUTABLE|LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    set(own "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      if(source MATCHES "\\.cpp$" AND EXISTS "${source}")
        string(APPEND own "${target};${source}\n")
      endif()
    endforeach()
    if(own MATCHES "\n.")
      string(APPEND lines "${own}")
      set_target_properties(${target} PROPERTIES
        UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    endif()
  endforeach()
  set(list ${PROJECT_BINARY_DIR}/unity-sources.txt)
  set(groups ${PROJECT_BINARY_DIR}/unity-groups.cmake)
  file(WRITE ${list} "${lines}")
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/utils/source_groups.py
    INPUT_FILE ${list} OUTPUT_FILE ${groups} COMMAND_ERROR_IS_FATAL ANY)
  include(${groups})
endfunction()
