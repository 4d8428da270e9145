// How the compiler's programs use jemalloc; see RegShareAllocator.cmake. Freed
// memory is kept for what comes next: they end soon, or compile one kernel
// after the other. The code of a large kernel is walked often, so that it lies
// on large pages. A program that compiles thousands of kernels gives back what
// it does not need: regshare-mutate would keep many gigabytes. MALLOC_CONF in
// the environment overrides this.
extern "C" {
#ifdef REGSHARE_LONG_LIVED
const char *malloc_conf = "dirty_decay_ms:1000,muzzy_decay_ms:0";
#else
const char *malloc_conf =
    "dirty_decay_ms:-1,muzzy_decay_ms:-1,thp:always,metadata_thp:auto";
#endif
}
