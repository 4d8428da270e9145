// What only some lanes have set may be given to a shuffle and to any function,
// and be a result: the condition under which they set it stays.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=rtx6000 %run %t | FileCheck %s
// RUN: %if cuda-toolkit %{ %regshare_clang --cuda-path=%cuda_path -O2 %s -o %t.toolkit %}
// RUN: %if cuda-toolkit %{ env REGSHARE_TIMING=0 %run %t.toolkit | FileCheck %s %}

#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void shuffle(int *Count) {
  int V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  V = __shfl_sync(~0u, V, 0);
  Count[1 + threadIdx.x] = V;
}

__global__ void wide(int *Count) {
  double V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  V = __shfl_sync(~0u, V, 0);
  Count[1 + threadIdx.x] = int(V);
}

__global__ void active(int *Count) {
  cg::coalesced_group Group = cg::coalesced_threads();
  int V;
  if (Group.thread_rank() == 0)
    V = atomicAdd(Count, 1);
  Count[1 + threadIdx.x] = Group.shfl(V, 0);
}

__global__ void tile(int *Count) {
  auto Tile = cg::tiled_partition<32>(cg::this_thread_block());
  int V;
  if (Tile.thread_rank() == 0)
    V = atomicAdd(Count, 1);
  Count[1 + threadIdx.x] = Tile.shfl(V, 0);
}

__device__ __noinline__ int fromFirst(int V) { return __shfl_sync(~0u, V, 0); }

__global__ void function(int *Count) {
  int V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  Count[1 + threadIdx.x] = fromFirst(V);
}

__device__ int inlined(int V) { return __shfl_sync(~0u, V, 0); }
__device__ int nested(int V) { return inlined(V + 1) - 1; }

__global__ void functions(int *Count) {
  int V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  Count[1 + threadIdx.x] = nested(V);
}

template <class T> __device__ T fromReference(const T &V) { return inlined(V); }

__global__ void reference(int *Count) {
  int V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  Count[1 + threadIdx.x] = fromReference(V);
}

__device__ bool fromFirstBool(bool B) { return __shfl_sync(~0u, int(B), 0); }

__global__ void boolean(int *Count) {
  bool V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1) & 1;
  Count[1 + threadIdx.x] = fromFirstBool(V);
}

__device__ __noinline__ int taken(int *Count) {
  int V;
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  return V;
}

__global__ void result(int *Count) {
  Count[1 + threadIdx.x] = inlined(taken(Count));
}

__global__ void lambda(int *Count) {
  int V;
  auto First = [](int W) { return inlined(W); };
  if (threadIdx.x % 32 == 0)
    V = atomicAdd(Count, 1);
  Count[1 + threadIdx.x] = First(V);
}

static void run(const char *Name, void (*Kernel)(int *)) {
  static int Host[65];
  int *Count;
  cudaMalloc(&Count, sizeof(Host));
  cudaMemset(Count, 0, sizeof(Host));
  Kernel<<<1, 64>>>(Count);
  cudaMemcpy(Host, Count, sizeof(Host), cudaMemcpyDeviceToHost);
  // Each warp has one number, 0 or 1.
  bool OneEach = Host[1] + Host[33] == 1;
  for (int I = 0; I < 64; ++I)
    OneEach &= Host[1 + I] == Host[1 + I / 32 * 32];
  printf("%s: %d additions, %s\n", Name, Host[0],
         OneEach ? "one a warp" : "not one a warp");
}

int main() {
  run("shuffle", shuffle);
  run("double", wide);
  run("active", active);
  run("tile", tile);
  run("function", function);
  run("functions", functions);
  run("reference", reference);
  run("boolean", boolean);
  run("result", result);
  run("lambda", lambda);
  // CHECK: shuffle: 2 additions, one a warp
  // CHECK: double: 2 additions, one a warp
  // CHECK: active: 2 additions, one a warp
  // CHECK: tile: 2 additions, one a warp
  // CHECK: function: 2 additions, one a warp
  // CHECK: functions: 2 additions, one a warp
  // CHECK: reference: 2 additions, one a warp
  // CHECK: boolean: 2 additions, one a warp
  // CHECK: result: 2 additions, one a warp
  // CHECK: lambda: 2 additions, one a warp
}
