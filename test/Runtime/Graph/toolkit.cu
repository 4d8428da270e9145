// Calls of graphs with the headers of an installed toolkit: of CUDA 13, whose
// forms of some names differ from those of CUDA 12.
// REQUIRES: cuda-toolkit
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: %regshare_clang -O1 %s -o %t.own
// RUN: env REGSHARE_TIMING=0 %run %t.own
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %S/pools.cu -o %t.pools
// RUN: env REGSHARE_TIMING=0 %run %t.pools
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 %S/random.cu -o %t.random
// RUN: env REGSHARE_TIMING=0 %run %t.random 3000 20

#include "../Inputs/expect.h"

__global__ void add(int *P, int Value) { P[threadIdx.x] += Value; }

int main() {
  constexpr int Count = 32;
  int *P, Host[Count] = {}, Seven = 7;
  cudaStream_t S;
  EXPECT_OK(cudaMalloc(&P, sizeof(Host)));
  EXPECT_OK(cudaStreamCreate(&S));
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaMemsetAsync(P, 0, sizeof(Host), S));
  add<<<1, Count, 0, S>>>(P, 5);
  EXPECT_OK(cudaMemcpyAsync(Host, P, sizeof(Host), cudaMemcpyDeviceToHost, S));
  cudaStreamCaptureStatus Status;
  unsigned long long Id = 0;
  cudaGraph_t G;
  const cudaGraphNode_t *Last;
  const cudaGraphEdgeData *Edges;
  size_t Number = 0;
  EXPECT_OK(
      cudaStreamGetCaptureInfo(S, &Status, &Id, &G, &Last, &Edges, &Number));
  EXPECT(Status == cudaStreamCaptureStatusActive && Number == 1 && Id);
  EXPECT_OK(cudaStreamEndCapture(S, &G));
  Number = 2;
  cudaGraphNode_t From[2], To[2], New;
  cudaGraphEdgeData Data[2];
  EXPECT_OK(cudaGraphGetEdges(G, From, To, Data, &Number));
  EXPECT(Number == 2);
  cudaGraphNodeParams K = {};
  void *Args[] = {&P, &Seven};
  K.type = cudaGraphNodeTypeKernel;
  K.kernel.func = (void *)add;
  K.kernel.gridDim = dim3(1);
  K.kernel.blockDim = dim3(Count);
  K.kernel.kernelParams = Args;
  EXPECT_OK(cudaGraphAddNode(&New, G, From, nullptr, 1, &K));
  EXPECT_OK(cudaGraphAddDependencies(G, &New, &To[1], nullptr, 1));
  cudaGraphExec_t Exec;
  EXPECT_OK(cudaGraphInstantiate(&Exec, G, 0));
  EXPECT_OK(cudaGraphLaunch(Exec, S));
  EXPECT_OK(cudaStreamSynchronize(S));
  EXPECT(Host[0] == 12 && Host[Count - 1] == 12);
  cudaDeviceProp Properties;
  EXPECT_OK(cudaGetDeviceProperties(&Properties, 0));
  EXPECT(Properties.memoryPoolsSupported == 1);
  return failures();
}
