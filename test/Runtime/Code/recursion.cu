// A function that reaches itself becomes a part of the kernel: registers are
// assigned to both together, and what a call has to keep is on the thread's
// stack. Lanes go to different depths, through cycles of two functions, through
// pointers, with variables that have an address, and with structures by value.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=ltrf-plus %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=rfv %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=expars %run %t | FileCheck %s
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
// A thread's stack has as many bytes as the program asks for.
// RUN: env REGSHARE_TIMING=0 %run %t deep 2>&1 | FileCheck %s --check-prefix=DEEP
#include <cstdio>
#include <cstring>

// Twice in one expression, so that the first result is kept.
__host__ __device__ __noinline__ int fibonacci(int N) {
  return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2);
}

__host__ __device__ __noinline__ int ackermann(int M, int N) {
  return M == 0   ? N + 1
         : N == 0 ? ackermann(M - 1, 1)
                  : ackermann(M - 1, ackermann(M, N - 1));
}

// Two functions that call each other, and themselves.
__host__ __device__ int odd(int N, long long *Calls);
__host__ __device__ __noinline__ int even(int N, long long *Calls) {
  ++*Calls;
  return N == 0 ? 1 : N % 5 == 3 ? even(N - 2, Calls) : odd(N - 1, Calls);
}
__host__ __device__ __noinline__ int odd(int N, long long *Calls) {
  *Calls += 3;
  return N == 0 ? 0 : even(N - 1, Calls) + odd(N / 2, Calls) * 10;
}

// Variables whose addresses live as long as their call, a loop around calls.
__host__ __device__ __noinline__ unsigned permutations(unsigned char *Of, int N,
                                                       unsigned Hash) {
  if (N == 1)
    return Hash * 31 + Of[0];
  unsigned char Own[5];
  for (int I = 0; I != N; ++I) {
    for (int J = 0, K = 0; J != N; ++J)
      if (J != I)
        Own[K++] = Of[J];
    Hash = permutations(Own, N - 1, Hash * 7 + Of[I]) ^ Own[N / 2 - 1];
  }
  return Hash;
}

// A structure by value, which the callee changes for itself.
struct Range {
  int First, Last;
  double Weights[3];
};
__host__ __device__ __noinline__ double weigh(Range R, int Depth) {
  R.Weights[Depth % 3] += R.Last - R.First;
  if (R.Last - R.First < 2 || Depth > 5)
    return R.Weights[0] + 2 * R.Weights[1] + 4 * R.Weights[2];
  int Middle = (R.First + R.Last) / 2;
  Range Left = R, Right = R;
  Left.Last = Right.First = Middle;
  double L = weigh(Left, Depth + 1);
  return L - weigh(Right, Depth + 1) / 2 + R.Weights[1];
}

// A tree of expressions, which calls itself through virtual functions.
struct Node {
  __host__ __device__ virtual int value(int X) const { return X; }
};
struct Sum : Node {
  const Node *L, *R;
  __host__ __device__ Sum(const Node *A, const Node *B) : L(A), R(B) {}
  __host__ __device__ int value(int X) const override {
    return L->value(X + 1) + R->value(X);
  }
};
struct Product : Node {
  const Node *L, *R;
  __host__ __device__ Product(const Node *A, const Node *B) : L(A), R(B) {}
  __host__ __device__ int value(int X) const override {
    return L->value(X) * R->value(X ^ 1);
  }
};
__host__ __device__ int evaluate(int X) {
  Node Leaf;
  Sum A(&Leaf, &Leaf);
  Product B(&A, &Leaf);
  Sum C(&B, &A);
  Product D(&C, &B);
  const Node *All[] = {&Leaf, &A, &B, &C, &D};
  return All[X % 5]->value(X);
}

struct Results {
  int Fibonacci, Ackermann, Odd, Tree;
  long long Calls;
  unsigned Hash;
  double Weight;
};

__host__ __device__ void compute(Results &R, int I) {
  unsigned char Own[5] = {1, 2, 3, 4, 5};
  // Two calls, one in a loop: what the caller keeps is in registers.
  R.Fibonacci = 0;
  for (int K = 0; K != 2; ++K)
    R.Fibonacci = R.Fibonacci * 100 + fibonacci(I % 7 + K);
  R.Ackermann = I % 3 ? ackermann(I % 3, I % 4) : -1;
  R.Calls = I;
  R.Odd = odd(I % 11, &R.Calls);
  R.Hash = 0;
  for (int K = 0; K != 100; ++K)
    R.Hash += permutations(Own, I % 4 + 1, I);
  R.Weight = weigh({I, 2 * I, {1.5, 0, I / 4.0}}, 0);
  R.Tree = evaluate(I);
}

__global__ void all(Results *Out) {
  Results R = {};
  compute(R, threadIdx.x);
  Out[threadIdx.x] = R;
}

__host__ __device__ __noinline__ int depthOf(int N) {
  return N == 0 ? 0 : 1 + depthOf(N - 1) % 1000000;
}
__global__ void deep(int *Out, int N) { *Out = depthOf(N); }

static void goDeep(int N) {
  int *D, H = 0;
  cudaMalloc(&D, sizeof(int));
  deep<<<1, 1>>>(D, N);
  cudaError_t Error = cudaMemcpy(&H, D, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d: %d, %s\n", N, H, cudaGetErrorName(Error));
  std::fflush(stdout);
}

int main(int Count, char **) {
  if (Count > 1) {
    goDeep(10);
    cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10);
    goDeep(1000);
    cudaDeviceSetLimit(cudaLimitStackSize, 1 << 10);
    goDeep(1000);
    // DEEP: 10: 10, cudaSuccess
    // DEEP-NEXT: 1000: 1000, cudaSuccess
    // DEEP-NEXT: regshare: {{.*}}: stack overflow: no room for {{[0-9]+}} bytes, {{[0-9]+}} of the 1024 of a thread's stack are in use; cudaDeviceSetLimit with cudaLimitStackSize says how many there are
    // DEEP: 1000: 0, cudaErrorHardwareStackError
    return 0;
  }
  constexpr int N = 64;
  static Results H[N];
  Results *D;
  cudaMalloc(&D, sizeof(H));
  cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10);
  all<<<1, N>>>(D);
  cudaError_t Error = cudaMemcpy(H, D, sizeof(H), cudaMemcpyDeviceToHost);
  int Wrong = 0;
  for (int I = 0; I != N; ++I) {
    Results R = {};
    compute(R, I);
    Wrong += std::memcmp(&R, &H[I], sizeof(R)) != 0;
  }
  // CHECK: cudaSuccess, 0 of 64 wrong
  std::printf("%s, %d of %d wrong\n", cudaGetErrorName(Error), Wrong, N);
}
