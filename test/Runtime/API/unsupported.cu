// A call that the runtime lacks fails, and says what it is for, once each.
// RUN: %regshare_clang %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: not %regshare_clang -DNOWHERE %s -o %t.none 2>&1 | FileCheck %s --check-prefix=LINK

#include <cstdio>
#include <cuda_runtime.h>

extern "C" cudaError_t cudaImportExternalMemory(void **, const void *);
extern "C" cudaError_t cudaMallocMipmappedArray(void **, const void *, size_t,
                                                size_t, unsigned);
#ifdef NOWHERE
// LINK: undefined {{.*}}nvrtcVersion
extern "C" int nvrtcVersion(int *, int *);
#endif

int main() {
  void *Handle = nullptr;
  // CHECK: regshare: cudaImportExternalMemory imports memory of another interface or process: RegShare shares nothing with other interfaces or processes; it returns cudaErrorNotSupported
  // CHECK-NEXT: cudaErrorNotSupported
  fprintf(stderr, "%s\n",
          cudaGetErrorName(cudaImportExternalMemory(&Handle, nullptr)));
  // CHECK-NEXT: cudaErrorNotSupported
  fprintf(stderr, "%s\n",
          cudaGetErrorName(cudaImportExternalMemory(&Handle, nullptr)));
  // CHECK-NEXT: regshare: cudaMallocMipmappedArray makes a mipmapped array: RegShare has no mipmapped arrays; it returns cudaErrorNotSupported
  cudaMallocMipmappedArray(&Handle, nullptr, 1, 1, 0);
  // CHECK-NEXT: cudaErrorNotSupported
  fprintf(stderr, "%s\n", cudaGetErrorName(cudaGetLastError()));
#ifdef NOWHERE
  int Major, Minor;
  return nvrtcVersion(&Major, &Minor);
#endif
  return 0;
}
