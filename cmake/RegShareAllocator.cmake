# Makes `regshare_allocator`, which gives a program jemalloc where that is
# installed, or not with -DREGSHARE_JEMALLOC=OFF. A large kernel's machine code
# does not fit in a cache, and jemalloc keeps it together and on large pages:
# pass-bench shows what that is worth. Sanitizers bring an allocator of their own.

add_library(regshare_allocator INTERFACE)
if(REGSHARE_SANITIZE)
  return()
endif()
find_library(REGSHARE_JEMALLOC jemalloc)
mark_as_advanced(REGSHARE_JEMALLOC)
if(REGSHARE_JEMALLOC)
  message(STATUS "jemalloc in ${REGSHARE_JEMALLOC}")
  target_sources(regshare_allocator INTERFACE
    ${PROJECT_SOURCE_DIR}/cmake/Allocator.cpp)
  target_link_libraries(regshare_allocator INTERFACE ${REGSHARE_JEMALLOC})
else()
  message(STATUS "Without jemalloc: large kernels compile somewhat slower")
endif()
