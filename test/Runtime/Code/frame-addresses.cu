// Addresses in a thread's frame, which native code has from its stack pointer:
// chosen between, kept in the frame, passed on, compared, generic, and beside
// the frame's begin and end.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=ptx %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=rtx6000 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=1 REGSHARE_SCHEME=regmutex %run %t | FileCheck %s

// By the same loops over arrays, elsewhere:
// CHECK: chosen 8 8 158 808513
// CHECK-NEXT: kept 4002 4002 4002 568563
// CHECK-NEXT: passed 6 7 25 408416
// CHECK-NEXT: compared 71 71 71 448619
// CHECK-NEXT: generic 3 3 7 339420

#include <cstdio>

__device__ __noinline__ int sumOf(const int *From, int Count) {
  int Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += From[I];
  return Sum;
}

__global__ void chosen(const int *In, int *Out) {
  int A[6], B[10];
  for (int I = 0; I < 6; ++I)
    A[I] = In[I] + threadIdx.x;
  for (int I = 0; I < 10; ++I)
    B[I] = In[I] * threadIdx.x;
  int *Either = threadIdx.x % 3 ? A : B + 2;
  Either[In[0]] += 5;
  Out[threadIdx.x] = A[In[1]] + B[In[2]];
}

__global__ void kept(const int *In, int *Out) {
  int A[4] = {1, 2, 3, 4}, B[4] = {10, 20, 30, 40};
  int *Table[3] = {A, B + 1, A + 2};
  *Table[In[1] % 3] = 7 + threadIdx.x;
  Out[threadIdx.x] = A[In[0] & 3] + 100 * B[In[2] & 3];
}

__global__ void passed(const int *In, int *Out) {
  int A[8];
  for (int I = 0; I < 8; ++I)
    A[I] = In[I] ^ threadIdx.x;
  Out[threadIdx.x] = sumOf(A + In[0], In[2]) - sumOf(A, 2);
}

__global__ void compared(const int *In, int *Out) {
  int A[8] = {}, *End = A + 8;
  for (int *P = A + In[0]; P < End; P += 2)
    *P = P - A;
  int *Back = A + 7;
  while (Back != A && *Back == 0)
    --Back;
  Out[threadIdx.x] = 10 * (Back - A) + (End - Back);
}

__global__ void generic(int *In, int *Out) {
  int A[4] = {5, 6, 7, 8};
  A[threadIdx.x & 3] = 9;
  int *Any = threadIdx.x & 4 ? A : In;
  Out[threadIdx.x] = Any[In[1]];
}

static void show(const char *Name, const int *Out) {
  long Sum = 0;
  for (int I = 0; I < 32; ++I)
    Sum = Sum * 31 % 1000003 + Out[I];
  printf("%s %d %d %d %ld\n", Name, Out[0], Out[1], Out[31], Sum);
}

int main() {
  int *In, *Out;
  cudaMallocManaged(&In, 16 * sizeof(int));
  cudaMallocManaged(&Out, 32 * sizeof(int));
  for (int I = 0; I < 16; ++I)
    In[I] = I + 1;
  using Kernel = void (*)(const int *, int *);
  const struct {
    const char *Name;
    Kernel Run;
  } All[] = {{"chosen", chosen},
             {"kept", kept},
             {"passed", passed},
             {"compared", compared}};
  for (auto &K : All) {
    K.Run<<<1, 32>>>(In, Out);
    cudaDeviceSynchronize();
    show(K.Name, Out);
  }
  generic<<<1, 32>>>(In, Out);
  cudaDeviceSynchronize();
  show("generic", Out);
}
