// Managed variables are one for host and device, with any launch's form of the
// code: with their initial values before and after the first call, written by
// either side, in the words that programs use.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
// CHECK: 3 7 -1.5 b 2.25 0
// CHECK: 11 7 8.5 c 4.5 99
// CHECK: 5 from the host: 5, cudaSuccess

// RUN: not %regshare_clang -DADDRESS %s -o %t 2>&1 | FileCheck --check-prefix=ADDRESS %s
// ADDRESS: managed variable 'Where' is initialised with an address
// RUN: not %regshare_clang -rdc=true -c %s -o %t.o 2>&1 | FileCheck --check-prefix=RDC %s
// RDC: error: 'Counter' is unavailable: relocatable device code has no __managed__ variables; use cudaMallocManaged

#include <cstdio>
#include <cuda_runtime.h>

struct Pair {
  char Letter;
  double Value;
};

__managed__ int Counter = 3;
__device__ __managed__ float Factors[4] = {1, -1.5f};
static __managed__ Pair Both = {'b', 2.25};
namespace {
__managed__ long long Untouched = 7;
}
__managed__ unsigned Zero;
static __managed__ int OnlyDevice = 8;
#ifdef ADDRESS
__managed__ int *Where = &Counter;
#endif

__global__ void change(int *Out) {
  Counter += OnlyDevice;
  Factors[1] += 10;
  ++Both.Letter;
  Both.Value *= 2;
  Zero = Untouched == 7 ? 99 : 1;
  *Out = Counter;
}

__global__ void read(int *Out) { *Out = Counter; }

static void print() {
  std::printf("%d %lld %g %c %g %u\n", Counter, Untouched, Factors[1],
              Both.Letter, Both.Value, Zero);
}

int main() {
  print();
  int *Out, Host = 0;
  cudaMalloc(&Out, sizeof(int));
  change<<<1, 1>>>(Out);
  cudaDeviceSynchronize();
  print();
  Counter = 5;
  read<<<1, 1>>>(Out);
  cudaMemcpy(&Host, Out, sizeof(int), cudaMemcpyDeviceToHost);
  int Symbol = 0;
  cudaError_t Error = cudaMemcpyFromSymbol(&Symbol, Counter, sizeof(int));
  std::printf("%d from the host: %d, %s\n", Host, Symbol,
              cudaGetErrorName(Error));
}
