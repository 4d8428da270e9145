// Launches with attributes: cudaLaunchKernelEx converts the arguments, takes
// the shape and the barrier of the grid, and says what it does not have.
// RUN: %regshare_clang -std=c++14 -O1 %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// CHECK-NOT: {{.}}
// CHECK: regshare: cudaLaunchKernelEx: there are no clusters of more than one CTA, 2x1x1 are asked for; it returns cudaErrorNotSupported
// CHECK-NEXT: regshare: cudaLaunchKernelEx: events are recorded by cudaEventRecord alone, attribute 7 asks for one within a launch; it returns cudaErrorNotSupported
// CHECK-NOT: {{.}}

#include "../Inputs/expect.h"
#include <cooperative_groups.h>

__global__ void scaled(float *P, double Factor, int N) {
  extern __shared__ float S[];
  S[threadIdx.x] = float(Factor) * float(N);
  __syncthreads();
  P[blockIdx.x * blockDim.x + threadIdx.x] = S[threadIdx.x ^ 1];
}

__global__ void together(float *P) {
  auto Grid = cooperative_groups::this_grid();
  P[Grid.thread_rank()] = Grid.is_valid();
  if (Grid.is_valid())
    Grid.sync();
}

__global__ void nothing() {}

static float last(const float *P) {
  float F = -1;
  EXPECT_OK(cudaMemcpy(&F, P + 63, 4, cudaMemcpyDeviceToHost));
  return F;
}

int main() {
  float *P;
  EXPECT_OK(cudaMalloc(&P, 64 * sizeof(float)));
  cudaLaunchAttribute Attributes[2] = {};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 2;
  Config.blockDim = 32;
  Config.dynamicSmemBytes = 128;
  EXPECT_OK(cudaLaunchKernelEx(&Config, scaled, P, 1.5f, 2L));
  EXPECT(last(P) == 3);
  EXPECT_OK(cudaLaunchKernelEx(&Config, nothing));

  Config.attrs = Attributes;
  Config.numAttrs = 2;
  Attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Attributes[0].val.programmaticStreamSerializationAllowed = 1;
  Attributes[1].id = cudaLaunchAttributeClusterDimension;
  Attributes[1].val.clusterDim.x = 1;
  Attributes[1].val.clusterDim.y = 1;
  Attributes[1].val.clusterDim.z = 1;
  EXPECT_OK(cudaLaunchKernelEx(&Config, together, P));
  EXPECT(last(P) == 0);
  Attributes[0].id = cudaLaunchAttributeCooperative;
  Attributes[0].val.cooperative = 1;
  EXPECT_OK(cudaLaunchKernelEx(&Config, together, P));
  EXPECT(last(P) == 1);

  Attributes[1].val.clusterDim.x = 2;
  EXPECT_ERROR(cudaErrorNotSupported, cudaLaunchKernelEx(&Config, nothing));
  Attributes[1].id = cudaLaunchAttributeProgrammaticEvent;
  EXPECT_ERROR(cudaErrorNotSupported, cudaLaunchKernelEx(&Config, nothing));
  Config.attrs = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaLaunchKernelEx(&Config, nothing));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaLaunchKernelExC(nullptr, (const void *)nothing, nullptr));
  return failures();
}
