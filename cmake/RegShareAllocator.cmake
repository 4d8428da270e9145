# Makes `regshare_allocator`, which gives a program jemalloc where that is
# installed. A large kernel's machine code does not fit in a cache, and jemalloc
# keeps it together and on large pages: pass-bench shows what that is worth.
# Sanitizers bring an allocator of their own.

add_library(regshare_allocator INTERFACE)
if(NOT REGSHARE_SANITIZE)
  find_library(REGSHARE_JEMALLOC jemalloc)
  mark_as_advanced(REGSHARE_JEMALLOC)
endif()
if(REGSHARE_JEMALLOC AND NOT REGSHARE_SANITIZE)
  message(STATUS "jemalloc in ${REGSHARE_JEMALLOC}")
  target_sources(regshare_allocator INTERFACE
    ${PROJECT_SOURCE_DIR}/cmake/Allocator.cpp)
  target_link_libraries(regshare_allocator INTERFACE ${REGSHARE_JEMALLOC})
elseif(NOT REGSHARE_SANITIZE)
  message(STATUS "jemalloc not found: large kernels compile somewhat slower")
endif()
