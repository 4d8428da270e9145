# cpack runs this on what goes into the Debian package: there, a package's licence
# and changes have the names that Debian gives them, and zsh looks for completion
# in a folder of packages' own.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share")
file(RENAME "${share}/doc/RegShare" "${share}/doc/regshare")
file(RENAME "${share}/doc/regshare/LICENSE" "${share}/doc/regshare/copyright")
file(RENAME "${share}/doc/regshare/CHANGELOG.md" "${share}/doc/regshare/changelog")
# Without the compiler there are no programs to complete.
if(EXISTS "${share}/zsh/site-functions")
  file(RENAME "${share}/zsh/site-functions" "${share}/zsh/vendor-completions")
endif()
