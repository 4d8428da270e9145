// Loads and stores with cache hints, of one value and of vectors, for each
// type's width, and atomic addition of bfloat16.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gv100 REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: 0 wrong
// CHECK: 12 34
// CHECK: 32.5 and 64
// CHECK: 33 and 128

#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>

struct alignas(16) Slot {
  char Bytes[32];
};

template <typename T> __device__ T pattern(int Seed) {
  T Value;
  for (unsigned I = 0; I != sizeof(T); ++I)
    reinterpret_cast<unsigned char *>(&Value)[I] = Seed + 3 * I;
  return Value;
}

template <typename T> __device__ void store(Slot *&At, int &Seed) {
  __stwb(reinterpret_cast<T *>(At++), pattern<T>(++Seed));
  __stcg(reinterpret_cast<T *>(At++), pattern<T>(++Seed));
  __stcs(reinterpret_cast<T *>(At++), pattern<T>(++Seed));
}

template <typename... T> __device__ void storeAll(Slot *At) {
  int Seed = 0;
  (store<T>(At, Seed), ...);
}

// No pattern of four bytes is a NaN, whose bits a move may change.
#define TYPES                                                                  \
  char, signed char, unsigned char, short, unsigned short, int, unsigned,      \
      long, unsigned long, long long, unsigned long long, float, double,       \
      char2, char4, uchar2, uchar4, short2, short4, ushort2, ushort4, int2,    \
      int4, uint2, uint4, longlong2, ulonglong2, float2, float4, double2

__global__ void k(Slot *At) { storeAll<TYPES>(At); }

template <typename T> __device__ void load(const Slot *At, Slot *&To) {
  auto *From = reinterpret_cast<const T *>(At);
  *reinterpret_cast<T *>(To++) = __ldcg(From);
  *reinterpret_cast<T *>(To++) = __ldcs(From);
  *reinterpret_cast<T *>(To++) = __ldca(From);
  *reinterpret_cast<T *>(To++) = __ldlu(From);
}

template <typename... T> __device__ void loadAll(const Slot *At, Slot *To) {
  ((load<T>(At, To), At += 3), ...);
}

__global__ void loads(const Slot *At, Slot *To) { loadAll<TYPES>(At, To); }

// What was stored before is what is loaded.
__global__ void order(int *P) {
  int Seen = 0;
#pragma unroll
  for (int I = 1; I <= 2; ++I) {
    P[0] = I;
    Seen = 10 * Seen + __ldcg(P);
  }
  P[1] = Seen;
  Seen = 0;
#pragma unroll
  for (int I = 3; I <= 4; ++I) {
    P[0] = I;
    Seen = 10 * Seen + __ldcs(P);
  }
  P[2] = Seen;
}

template <typename... T> void sizes(size_t *Into) {
  for (size_t Size : {sizeof(T)...})
    for (int Hint = 0; Hint != 3; ++Hint)
      *Into++ = Size;
}

__global__ void add(__nv_bfloat16 *One, __nv_bfloat162 *Pair) {
  atomicAdd(One + 1, __float2bfloat16(0.5f));
  atomicAdd(Pair, __floats2bfloat162_rn(1, 2));
}

int main() {
  constexpr int Slots = 90;
  Slot *Device, Host[Slots];
  size_t Size[Slots];
  sizes<TYPES>(Size);
  cudaMalloc(&Device, sizeof(Host));
  cudaMemset(Device, 0xee, sizeof(Host));
  k<<<1, 1>>>(Device);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  int Wrong = 0;
  for (int I = 0; I != Slots; ++I)
    for (unsigned J = 0; J != sizeof(Slot); ++J) {
      unsigned char Expected = J < Size[I] ? I + 1 + 3 * J : 0xee;
      Wrong += Expected != (unsigned char)Host[I].Bytes[J];
    }
  Slot *DeviceCopies, Copies[Slots / 3 * 4];
  cudaMalloc(&DeviceCopies, sizeof(Copies));
  cudaMemset(DeviceCopies, 0xee, sizeof(Copies));
  loads<<<1, 1>>>(Device, DeviceCopies);
  cudaMemcpy(Copies, DeviceCopies, sizeof(Copies), cudaMemcpyDeviceToHost);
  for (int I = 0; I != Slots / 3 * 4; ++I)
    Wrong += std::memcmp(&Copies[I], &Host[I / 4 * 3], sizeof(Slot)) != 0;
  std::printf("%d wrong\n", Wrong);

  int *Ordered, Seen[3];
  cudaMalloc(&Ordered, sizeof(Seen));
  order<<<1, 1>>>(Ordered);
  cudaMemcpy(Seen, Ordered, sizeof(Seen), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", Seen[1], Seen[2]);

  __nv_bfloat16 Sums[4] = {0.5f, 0.5f, 1.0f, 0.0f}, *Sum;
  cudaMalloc(&Sum, sizeof(Sums));
  cudaMemcpy(Sum, Sums, sizeof(Sums), cudaMemcpyHostToDevice);
  add<<<2, 32>>>(Sum, reinterpret_cast<__nv_bfloat162 *>(Sum + 2));
  cudaMemcpy(Sums, Sum, sizeof(Sums), cudaMemcpyDeviceToHost);
  std::printf("%g and %g\n", float(Sums[1]), float(Sums[2]) - 1);
  std::printf("%g and %g\n", float(Sums[0]) + float(Sums[1]), float(Sums[3]));
}
