// Simulated time of a graph: nodes that do not depend on each other overlap on
// their engines, those that do follow each other.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_REPORT=%t.json REGSHARE_SCHEME=baseline %run %t
// RUN: FileCheck %s --input-file=%t.json
// The kernel is launched three times, by name.
// CHECK-COUNT-3: "kernel": "_Z4workPf"

#include "../Inputs/expect.h"
#include <cmath>

static constexpr size_t Bytes = 1 << 20;
__global__ void work(float *P) {
  float X = threadIdx.x;
  for (int I = 0; I < 20000; ++I)
    X = X * 0.5f + 1.0f;
  P[threadIdx.x] = X;
}

static float *P, *Q, *Host;
static cudaEvent_t Begin, End;

/// Milliseconds of a launch of a kernel and a copy, or of one of them.
static float measure(bool HasKernel, bool HasCopy, bool InOrder) {
  cudaGraph_t G;
  cudaGraphNode_t Kernel = nullptr, Copy = nullptr;
  cudaGraphExec_t Exec;
  EXPECT_OK(cudaGraphCreate(&G, 0));
  void *Args[] = {&P};
  cudaKernelNodeParams K = {(void *)work, dim3(1), dim3(64), 0, Args, nullptr};
  if (HasKernel)
    EXPECT_OK(cudaGraphAddKernelNode(&Kernel, G, nullptr, 0, &K));
  if (HasCopy)
    EXPECT_OK(cudaGraphAddMemcpyNode1D(&Copy, G, nullptr, 0, Host, Q, Bytes,
                                       cudaMemcpyDeviceToHost));
  if (InOrder)
    EXPECT_OK(cudaGraphAddDependencies(G, &Kernel, &Copy, 1));
  EXPECT_OK(cudaGraphInstantiate(&Exec, G));
  EXPECT_OK(cudaEventRecord(Begin));
  EXPECT_OK(cudaGraphLaunch(Exec, nullptr));
  EXPECT_OK(cudaEventRecord(End));
  EXPECT_OK(cudaEventSynchronize(End));
  float Milliseconds = 0;
  EXPECT_OK(cudaEventElapsedTime(&Milliseconds, Begin, End));
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT_OK(cudaGraphDestroy(G));
  return Milliseconds;
}

int main() {
  EXPECT_OK(cudaMalloc(&P, 4096));
  EXPECT_OK(cudaMalloc(&Q, Bytes));
  EXPECT_OK(cudaMallocHost(&Host, Bytes));
  EXPECT_OK(cudaEventCreate(&Begin));
  EXPECT_OK(cudaEventCreate(&End));
  float Kernel = measure(true, false, false);
  float Copy = measure(false, true, false);
  float InOrder = measure(true, true, true);
  float Both = measure(true, true, false);
  // The second run of the kernel finds warm caches.
  EXPECT(Kernel > 0 && Copy > 0);
  EXPECT(std::abs(InOrder - Kernel - Copy) < 0.01f * InOrder);
  EXPECT(std::abs(Both - std::fmax(Kernel, Copy)) < 0.01f * InOrder);
  std::printf("%g + %g: %g in order, %g side by side\n", Kernel, Copy, InOrder,
              Both);
  return failures();
}
