// Loads, stores, atomics and asynchronous copies with a cache policy do what
// they do without. pmevent and swapped bytes are in here, too.
// RUN: %regshare_clang -O2 --cuda-gpu-arch=sm_90 %s -o %t
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_SCHEME=rfv %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_CODE=native %run %t | FileCheck %s
// CHECK: 0 wrong
// CHECK: 640 added
// CHECK: 3412 78563412 f0debc9a78563412

#include <cstdio>
#include <vector>

using Policy = unsigned long long;

template <int Kind> __device__ Policy policy(const void *Near, float Part) {
  Policy P;
  if (Kind == 0)
    asm("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(P));
  else if (Kind == 1)
    asm("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, %1;"
        : "=l"(P)
        : "f"(Part));
  else if (Kind == 2)
    asm("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, "
        "[%1], "
        "%2, %3;"
        : "=l"(P)
        : "l"(Near), "r"(256), "r"(512));
  else
    asm("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(P) : "l"(0x10000000ull));
  return P;
}

template <int Kind>
__global__ void copy(const uint4 *From, uint4 *To, unsigned *Sum, float Part) {
  __shared__ uint4 Copied[64];
  Policy P = policy<Kind>(From, Part);
  unsigned I = threadIdx.x;
  unsigned Place = __cvta_generic_to_shared(&Copied[I]);
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;"
               "cp.async.wait_all;" ::"r"(Place),
               "l"(From + I), "l"(P)
               : "memory");
  uint4 V;
  asm volatile("ld.global.L1::evict_first.L2::cache_hint.v4.b32 "
               "{%0, %1, %2, %3}, [%4], %5;"
               : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
               : "l"(From + I), "l"(P));
  V.y = Copied[I].y;
  asm volatile(
      "st.global.L2::cache_hint.v4.b32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(To +
                                                                          I),
      "r"(V.x), "r"(V.y), "r"(V.z), "r"(V.w), "l"(P)
      : "memory");
  unsigned Old;
  asm volatile("atom.global.add.L2::cache_hint.u32 %0, [%1], %2, %3;"
               : "=r"(Old)
               : "l"(Sum), "r"(1), "l"(P)
               : "memory");
  if (Old < 1000000)
    asm volatile("red.global.add.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(Sum),
                 "r"(4), "l"(P)
                 : "memory");
  __prof_trigger(Kind);
}

__global__ void swapBytes(unsigned long long *To, unsigned long long V) {
  To[0] = __nv_bswap16(V >> 48);
  To[1] = __nv_bswap32(V >> 32);
  To[2] = __nv_bswap64(V);
}

int main() {
  std::vector<uint4> In(64), Out(64);
  for (unsigned I = 0; I != 64; ++I)
    In[I] = {I, 3 * I, ~I, I * I};
  uint4 *From, *To;
  unsigned *Sum, Added;
  cudaMalloc(&From, 1024);
  cudaMalloc(&To, 1024);
  cudaMalloc(&Sum, 4);
  cudaMemset(Sum, 0, 4);
  cudaMemcpy(From, In.data(), 1024, cudaMemcpyHostToDevice);
  int Wrong = 0;
  auto Check = [&](auto Kernel) {
    cudaMemset(To, 0, 1024);
    Kernel<<<1, 32>>>(From, To, Sum, 0.5f);
    cudaMemcpy(Out.data(), To, 1024, cudaMemcpyDeviceToHost);
    for (unsigned I = 0; I != 32; ++I)
      Wrong += Out[I].x != In[I].x || Out[I].y != In[I].y ||
               Out[I].z != In[I].z || Out[I].w != In[I].w;
  };
  Check(copy<0>);
  Check(copy<1>);
  Check(copy<2>);
  Check(copy<3>);
  cudaMemcpy(&Added, Sum, 4, cudaMemcpyDeviceToHost);
  printf("%d wrong\n%u added\n", Wrong, Added);

  unsigned long long Swapped[3];
  swapBytes<<<1, 1>>>(reinterpret_cast<unsigned long long *>(To),
                      0x123456789ABCDEF0);
  cudaMemcpy(Swapped, To, sizeof(Swapped), cudaMemcpyDeviceToHost);
  printf("%llx %llx %llx\n", Swapped[0], Swapped[1], Swapped[2]);
}
