// Each function of DPX, of many numbers, on the device, and with our own header
// on the host, which has those of a toolkit for nvcc alone; prints a sum of all
// results.
#include <cstdio>
#include <cuda_runtime.h>

#ifdef REGSHARE_CUDA_RUNTIME_H
#define BOTH __host__ __device__
#else
#define BOTH __device__
#endif

#define THREE(F, T) Sum = Sum * 31 + (unsigned)F((T)A, (T)B, (T)C);
#define ALL(NAME)                                                              \
  THREE(NAME##_s32, int)                                                       \
  THREE(NAME##_u32, unsigned)                                                  \
  THREE(NAME##_s32_relu, int)                                                  \
  THREE(NAME##_s16x2, unsigned)                                                \
  THREE(NAME##_u16x2, unsigned)                                                \
  THREE(NAME##_s16x2_relu, unsigned)
#define CHOICE(NAME, T, S)                                                     \
  {                                                                            \
    bool First = false, High = false, Low = false;                             \
    Sum = Sum * 31 + (unsigned)NAME##_##S##32((T)A, (T)B, &First);             \
    Sum = Sum * 31 + NAME##_##S##16x2(A, B, &High, &Low);                      \
    Sum = Sum * 31 + First + 2 * High + 4 * Low;                               \
  }

BOTH unsigned sumOf(unsigned A, unsigned B, unsigned C) {
  unsigned Sum = 0;
  ALL(__vimax3)
  ALL(__vimin3)
  ALL(__viaddmax)
  ALL(__viaddmin)
  Sum = Sum * 31 + (unsigned)__vimax_s32_relu((int)A, (int)B);
  Sum = Sum * 31 + (unsigned)__vimin_s32_relu((int)A, (int)B);
  Sum = Sum * 31 + __vimax_s16x2_relu(A, B);
  Sum = Sum * 31 + __vimin_s16x2_relu(A, B);
  CHOICE(__vibmax, int, s)
  CHOICE(__vibmax, unsigned, u)
  CHOICE(__vibmin, int, s)
  CHOICE(__vibmin, unsigned, u)
  return Sum;
}

/// Numbers of any size, some of them equal, from a thread's.
BOTH unsigned numberOf(unsigned N) {
  unsigned X = N * 2654435761u;
  X ^= X >> 15;
  return N % 5 ? X >> N % 29 : 0xffff0000u + N % 3;
}
BOTH unsigned resultOf(unsigned N) {
  return sumOf(numberOf(N), numberOf(N % 7 ? 3 * N + 1 : N),
               numberOf(5 * N + 2));
}

__global__ void kernel(unsigned *Out) {
  unsigned N = blockIdx.x * blockDim.x + threadIdx.x;
  Out[N] = resultOf(N);
}

int main() {
  constexpr unsigned Count = 4096;
  static unsigned Out[Count];
  unsigned *Device, Sum = 0, Differ = 0;
  cudaMalloc(&Device, sizeof(Out));
  kernel<<<Count / 128, 128>>>(Device);
  cudaMemcpy(Out, Device, sizeof(Out), cudaMemcpyDeviceToHost);
  for (unsigned N = 0; N != Count; ++N) {
#ifdef REGSHARE_CUDA_RUNTIME_H
    Differ += Out[N] != resultOf(N);
#endif
    Sum = Sum * 33 + Out[N];
  }
  std::printf("%u differ, %08x\n", Differ, Sum);
  return Differ != 0;
}
