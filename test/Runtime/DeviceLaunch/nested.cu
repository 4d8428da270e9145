// Grids launch grids: a sort that halves what it has, the order in a stream and
// of tail launches, copies and fills, and as deep as grids may be nested.
// RUN: %regshare_clang -O2 -rdc=true %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.errors
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: %regshare_clang -O0 -rdc=true %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
// CHECK: sort: 0 of 500 are in a wrong place
// CHECK: order: 0 1 2 10 11 12 | 21 22
// CHECK: tails: 1 2 3 4 5 6 7
// CHECK: fill: 7 7 7 0, copy: 7 7 7 5
// CHECK: deepest: 24, code 65 cudaErrorLaunchMaxDepthExceeded, then 65, then 0
// CHECK: event: after the children
// CHECK: graph: 1 2 3 4 5 6 7 1 2 3 4 5 6 7
// WARNING: regshare: warning: kernel '{{.*}}deepen{{.*}}' cannot launch kernel '{{.*}}deepen{{.*}}': at most 24 grids launch each other; the call returns cudaErrorLaunchMaxDepthExceeded
// WARNING-NOT: warning
#include <algorithm>
#include <cstdio>
#include <vector>

/// One thread each, as in NVIDIA's cdpSimpleQuicksort.
__global__ void sort(int *First, int Count) {
  if (Count < 2)
    return;
  int Pivot = First[Count / 2], I = 0, J = Count - 1;
  while (I <= J) {
    while (First[I] < Pivot)
      ++I;
    while (First[J] > Pivot)
      --J;
    if (I <= J) {
      int Swapped = First[I];
      First[I++] = First[J];
      First[J--] = Swapped;
    }
  }
  cudaStream_t S;
  if (J > 0) {
    cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking);
    sort<<<1, 1, 0, S>>>(First, J + 1);
    cudaStreamDestroy(S);
  }
  if (I < Count - 1)
    sort<<<1, 1, 0, cudaStreamFireAndForget>>>(First + I, Count - I);
}

__device__ int Log[64], Logged;

__global__ void note(int What) { Log[Logged++] = What; }

/// Tail launches come last, whenever they are launched; CTA 1's launches after
/// CTA 0's. A warp that comes later launches later.
__global__ void order() {
  int Warp = threadIdx.x / 32;
  for (int Turn = 2; Turn >= 0; --Turn) {
    __syncthreads();
    if (threadIdx.x % 32 == 0 && Warp == Turn)
      note<<<1, 1>>>(10 * blockIdx.x + 2 - Turn);
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(21);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(22);
  }
}

/// The tail of a tail comes before the next one of the grid, and after what
/// the tail has launched.
__global__ void tails(int From) {
  note<<<1, 1>>>(From + 1);
  if (From == 0) {
    tails<<<1, 1, 0, cudaStreamTailLaunch>>>(2);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(7);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(2);
  } else if (From < 5) {
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(From + 2);
    if (From == 2)
      tails<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
  }
}

__device__ unsigned char Bytes[4], Copied[4] = {1, 2, 3, 5};

__global__ void fill() {
  cudaMemsetAsync(Bytes, 7, 3);
  cudaMemcpyAsync(Copied, Bytes, 3, cudaMemcpyDeviceToDevice, 0);
}

__device__ int Deepest, Codes[3];

__global__ void deepen(int Depth) {
  Deepest = Depth;
  deepen<<<1, 1>>>(Depth + 1);
  if (cudaPeekAtLastError() != cudaSuccess)
    for (int &Code : Codes)
      Code = &Code == Codes ? cudaPeekAtLastError() : cudaGetLastError();
}

__global__ void work(int *To) {
  for (int I = 0; I != 100; ++I)
    atomicAdd(To, I);
}
__global__ void launchWork(int *To) { work<<<4, 64>>>(To); }

static void printLog(const char *What) {
  int Host[64], Count, Zero = 0;
  cudaMemcpyFromSymbol(Host, Log, sizeof(Host));
  cudaMemcpyFromSymbol(&Count, Logged, sizeof(Count));
  cudaMemcpyToSymbol(Logged, &Zero, sizeof(Zero));
  printf("%s:", What);
  for (int I = 0; I != Count; ++I)
    printf("%s %d", Host[I] == 21 ? " |" : "", Host[I]);
  printf("\n");
}

int main() {
  std::vector<int> Values;
  for (int I = 0; I != 500; ++I)
    Values.push_back(I * 7919 % 1009);
  int *Sorted;
  cudaMalloc(&Sorted, 500 * sizeof(int));
  cudaMemcpy(Sorted, Values.data(), 500 * sizeof(int), cudaMemcpyHostToDevice);
  sort<<<1, 1>>>(Sorted, 500);
  std::vector<int> Got(500);
  cudaMemcpy(Got.data(), Sorted, 500 * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(Values.begin(), Values.end());
  int Wrong = 0;
  for (int I = 0; I != 500; ++I)
    Wrong += Got[I] != Values[I];
  printf("sort: %d of 500 are in a wrong place\n", Wrong);

  order<<<2, 96>>>();
  printLog("order");
  tails<<<1, 1>>>(0);
  printLog("tails");

  fill<<<1, 1>>>();
  unsigned char A[4], B[4];
  cudaMemcpyFromSymbol(A, Bytes, 4);
  cudaMemcpyFromSymbol(B, Copied, 4);
  printf("fill: %d %d %d %d, copy: %d %d %d %d\n", A[0], A[1], A[2], A[3], B[0],
         B[1], B[2], B[3]);

  deepen<<<1, 1>>>(0);
  int Depth, C[3];
  cudaMemcpyFromSymbol(&Depth, Deepest, sizeof(Depth));
  cudaMemcpyFromSymbol(C, Codes, sizeof(C));
  printf("deepest: %d, code %d %s, then %d, then %d\n", Depth, C[0],
         cudaGetErrorName(cudaError_t(C[0])), C[1], C[2]);

  // The parent's end, for streams and events, is that of its children.
  cudaEvent_t Begin, Middle, End;
  cudaEventCreate(&Begin);
  cudaEventCreate(&Middle);
  cudaEventCreate(&End);
  cudaEventRecord(Begin);
  work<<<4, 64>>>(Sorted);
  cudaEventRecord(Middle);
  launchWork<<<1, 1>>>(Sorted);
  cudaEventRecord(End);
  float Alone, Both;
  cudaEventElapsedTime(&Alone, Begin, Middle);
  cudaEventElapsedTime(&Both, Middle, End);
  printf("event: %s\n", Both > 0.5f * Alone ? "after the children" : "before");

  cudaStream_t S;
  cudaGraph_t Graph;
  cudaGraphExec_t Made;
  cudaStreamCreate(&S);
  cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal);
  tails<<<1, 1, 0, S>>>(0);
  cudaStreamEndCapture(S, &Graph);
  cudaGraphInstantiate(&Made, Graph, 0);
  cudaGraphLaunch(Made, S);
  cudaGraphLaunch(Made, S);
  cudaStreamSynchronize(S);
  printLog("graph");
}
