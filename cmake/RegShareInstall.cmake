# Install rules and the CMake package. A user's project says
#   find_package(RegShare)                      for RegShare::Base, RegShare::Sim
#   find_package(RegShare COMPONENTS Compiler)  for the LLVM half as well
# and regshare_add_executable() for a CUDA program (RegShareExecutable.cmake),
# regshare_add_scheme() for a scheme of its own (RegShareScheme.cmake).
# Libraries are exported under their names here without the leading RegShare.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/RegShare)

# Headers of an exported library come from the source tree when it is built
# here and from the install tree when it is used elsewhere.
function(regshare_relocate_includes target)
  get_target_property(dirs ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT dirs)
    return()
  endif()
  set(relocated "")
  foreach(dir IN LISTS dirs)
    cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${dir}" in_source)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${dir}" in_build)
    if(in_source OR in_build)
      set(dir "$<BUILD_INTERFACE:${dir}>")
    endif()
    list(APPEND relocated "${dir}")
  endforeach()
  set_target_properties(${target} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${relocated}")
endfunction()

# Sorts the targets of this build into what is installed, and how.
regshare_collect_targets(all_targets ${PROJECT_SOURCE_DIR})
set(base_exports regshare_flags)
set(compiler_exports "")
set(third_party "")
foreach(target IN LISTS all_targets)
  get_target_property(type ${target} TYPE)
  get_target_property(dir ${target} SOURCE_DIR)
  cmake_path(RELATIVE_PATH dir BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT dir MATCHES "^(lib|sim|tools|runtime)(/|$)")
    continue()
  elseif(type STREQUAL "EXECUTABLE")
    if(dir MATCHES "^tools/")
      install(TARGETS ${target} RUNTIME COMPONENT Programs)
    endif()
  elseif(type STREQUAL "MODULE_LIBRARY")
    install(TARGETS ${target}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Programs)
  elseif(type MATCHES "^(STATIC|SHARED|INTERFACE)_LIBRARY$")
    string(REGEX REPLACE "^RegShare" "" export_name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name})
    regshare_relocate_includes(${target})
    if(dir STREQUAL "lib/Base" OR dir MATCHES "^(sim|runtime)(/|$)")
      list(APPEND base_exports ${target})
      get_target_property(links ${target} LINK_LIBRARIES)
      list(APPEND third_party ${links})
    else()
      list(APPEND compiler_exports ${target})
    endif()
  endif()
endforeach()

# What schemes from outside are compiled against: the SM's own headers, and the
# number of all of them.
add_library(RegShareSchemeKit INTERFACE)
set_target_properties(RegShareSchemeKit PROPERTIES EXPORT_NAME SchemeKit)
target_link_libraries(RegShareSchemeKit INTERFACE RegShareSim RegShareBase
  RegShareSchemeInterface)
target_include_directories(RegShareSchemeKit INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sim/lib>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/regshare-sm>)
list(APPEND base_exports RegShareSchemeKit)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim/lib/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/regshare-sm COMPONENT Development
  FILES_MATCHING PATTERN "*.h")

set(REGSHARE_DEPENDENCIES "")
foreach(name yaml-cpp nlohmann_json Threads)
  if("${third_party}" MATCHES "${name}")
    list(APPEND REGSHARE_DEPENDENCIES ${name})
  endif()
endforeach()

install(TARGETS ${base_exports} EXPORT RegShareTargets
  ARCHIVE COMPONENT Development LIBRARY COMPONENT Programs)
install(EXPORT RegShareTargets NAMESPACE RegShare::
  DESTINATION ${package_dir} COMPONENT Development)

if(REGSHARE_BUILD_COMPILER)
  install(TARGETS regshare_llvm ${compiler_exports}
    EXPORT RegShareCompilerTargets
    ARCHIVE COMPONENT Development LIBRARY COMPONENT Programs)
  install(EXPORT RegShareCompilerTargets NAMESPACE RegShare::
    DESTINATION ${package_dir} COMPONENT Development)
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/RegShareConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/RegShareConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/RegShareConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/RegShareConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/RegShareConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/RegShareExecutable.cmake
  ${PROJECT_SOURCE_DIR}/cmake/RegShareScheme.cmake
  DESTINATION ${package_dir} COMPONENT Development)

foreach(headers include sim/include)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${headers}/regshare
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/regshare/Base/SchemeInterface.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/regshare/Base COMPONENT Development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs
  DESTINATION ${CMAKE_INSTALL_DATADIR}/regshare COMPONENT Programs
  FILES_MATCHING PATTERN "*.yaml")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Programs)
