// How the compiler's programs use jemalloc; see RegShareAllocator.cmake. They
// end soon, so that freed memory is kept for what comes next; and the code of a
// large kernel is walked often, so that it lies on large pages. MALLOC_CONF in
// the environment overrides this.
extern "C" {
const char *malloc_conf =
    "dirty_decay_ms:-1,muzzy_decay_ms:-1,thp:always,metadata_thp:auto";
}
