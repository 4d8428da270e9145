// Programs with the headers of an installed toolkit run as well.
// REQUIRES: cuda-toolkit
// Other tests make the same calls with sanitizers.
// UNSUPPORTED: asan
// RUN: %regshare_clang --cuda-path=%cuda_path -O2 %S/properties.cu -o %t.properties
// RUN: env REGSHARE_DEVICE=hopper %run %t.properties | FileCheck %S/properties.cu --check-prefixes=ALL,H100
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %S/memory.cu -o %t.memory
// RUN: env REGSHARE_TIMING=0 %run %t.memory
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %S/streams.cu -o %t.streams
// RUN: %run %t.streams
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %S/symbols.cu -o %t.symbols
// RUN: env REGSHARE_TIMING=0 %run %t.symbols
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %S/printf.cu -o %t.printf
// RUN: %run %t.printf | FileCheck %S/printf.cu
// RUN: %regshare_clang --cuda-path=%cuda_path -O2 %kernels/hotspot/hotspot.cu -o %t.hotspot
// RUN: %run %t.hotspot | FileCheck %s
// RUN: %regshare_clang --cuda-path=%cuda_path -O0 %kernels/monteCarlo/monteCarlo.cu -o %t.monteCarlo
// RUN: env REGSHARE_TIMING=0 %run %t.monteCarlo | FileCheck %s
// Per-thread default streams have names of their own.
// RUN: %regshare_clang --cuda-path=%cuda_path -O2 -DCUDA_API_PER_THREAD_DEFAULT_STREAM %kernels/srad/srad.cu -o %t.srad
// RUN: env REGSHARE_TIMING=0 %run %t.srad | FileCheck %s
// CHECK: PASSED
