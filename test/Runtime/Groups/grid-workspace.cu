// PTX of nvcc finds the barrier of a cooperative grid at an address that the
// driver says in %envreg1 and %envreg2; of another grid it is 0.
// RUN: %regshare_clang -O2 %s -o %t -lcuda
// RUN: env REGSHARE_TIMING=0 %run %t %S/Inputs/grid-workspace.ptx
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t %S/Inputs/grid-workspace.ptx
// RUN: env REGSHARE_DEVICE=hopper %run %t %S/Inputs/grid-workspace.ptx
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=regmutex %run %t %S/Inputs/grid-workspace.ptx
// Every launch of regshare-opt is one whose CTAs are resident together.
// RUN: regshare-opt %S/Inputs/grid-workspace.ptx --simulate --repeat=2 --grid=3 --block=40 --arg=buf:i32*120 --arg=buf:i32*120 --print-arg=1:4 | FileCheck %s
// RUN: regshare-opt %S/Inputs/grid-workspace.ptx --simulate --functional --code=native --grid=3 --block=40 --arg=buf:i32*120 --arg=buf:i32*120 --print-arg=1:4 | FileCheck %s
// CHECK: [0] 357 354 351 348
#include "../Inputs/expect.h"
#include <cuda.h>

int main(int, char **Arguments) {
  const unsigned Blocks = 5, Threads = 48, All = Blocks * Threads;
  CUdevice Device;
  CUcontext Context;
  CUmodule Module;
  CUfunction Across;
  EXPECT(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&Device, 0) == CUDA_SUCCESS);
  EXPECT(cuDevicePrimaryCtxRetain(&Context, Device) == CUDA_SUCCESS);
  EXPECT(cuCtxSetCurrent(Context) == CUDA_SUCCESS);
  EXPECT(cuModuleLoad(&Module, Arguments[1]) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&Across, Module, "across") == CUDA_SUCCESS);
  CUdeviceptr Numbers, Out;
  EXPECT(cuMemAlloc(&Numbers, All * 4) == CUDA_SUCCESS);
  EXPECT(cuMemAlloc(&Out, All * 4) == CUDA_SUCCESS);
  void *Parameters[] = {&Numbers, &Out};
  int Found[All];
  for (int Again = 0; Again != 2; ++Again) {
    EXPECT(cuLaunchCooperativeKernel(Across, Blocks, 1, 1, Threads, 1, 1, 0,
                                     nullptr, Parameters) == CUDA_SUCCESS);
    EXPECT(cuMemcpyDtoH(Found, Out, sizeof(Found)) == CUDA_SUCCESS);
    for (unsigned I = 0; I != All; ++I)
      EXPECT(Found[I] == int(All - 1 - I) * 3);
  }
  EXPECT(cuLaunchKernel(Across, Blocks, 1, 1, Threads, 1, 1, 0, nullptr,
                        Parameters, nullptr) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(Found, Out, sizeof(Found)) == CUDA_SUCCESS);
  for (int Each : Found)
    EXPECT(Each == -1);
  return 0;
}
