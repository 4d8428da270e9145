# Manual pages, and completion for bash and zsh, made of what the programs say to --help.
set(manuals ${PROJECT_BINARY_DIR}/share/manuals)
file(GLOB regshare_help CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/python/regshare/*.py
  ${PROJECT_SOURCE_DIR}/python/regshare/*/*.py)
add_custom_command(OUTPUT ${manuals}/made
  COMMAND ${PROJECT_SOURCE_DIR}/utils/make-manuals
    ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${manuals} --version=${PROJECT_VERSION}
  COMMAND ${CMAKE_COMMAND} -E touch ${manuals}/made
  DEPENDS regshare-opt regshare-clang++ ${regshare_help}
    ${PROJECT_SOURCE_DIR}/utils/make-manuals
  COMMENT "Making manual pages and completion" VERBATIM)
add_custom_target(regshare_manuals ALL DEPENDS ${manuals}/made)
install(DIRECTORY ${manuals}/man1
  DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT Programs)
install(DIRECTORY ${manuals}/completions
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion COMPONENT Programs)
install(DIRECTORY ${manuals}/site-functions
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh COMPONENT Programs)
