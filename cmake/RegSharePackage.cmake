# `cpack -G DEB` in a build tree packs what `cmake --install` installs. Which
# packages the libraries need is read from them by dpkg-shlibdeps; the programs
# that ours start are named here.

set(CPACK_PACKAGE_NAME regshare)
set(CPACK_PACKAGE_VENDOR RegShare)
set(CPACK_PACKAGE_CONTACT "RegShare developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "register-file toolchain for GPUs")
set(CPACK_PACKAGE_DESCRIPTION
  "Gives the values of a CUDA kernel architected registers, applies published
register-file schemes, and runs, checks and times the code on a reference SM.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/debian/prerm")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/RegShareDebianLayout.cmake")
if(REGSHARE_BUILD_COMPILER)
  set(llvm ${LLVM_VERSION_MAJOR})
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "clang-${llvm}, libclang-common-${llvm}-dev, python3 (>= 3.11)")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "python3-pandas, python3-matplotlib, python3-yaml, snakemake, mlir-${llvm}-tools")
  # For CMake projects with CUDA programs, for pip, and for projects that link with
  # RegShare's libraries or make schemes of their own.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "cmake, g++, python3-venv, llvm-${llvm}-dev, libyaml-cpp-dev, nlohmann-json3-dev, libexpected-dev")
endif()
include(CPack)
