// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cuda.h>

// Launches the kernel of another source, whose device code it reads from files.
int main() {
  CUcontext Context;
  CUdeviceptr Out;
  int Found = 0;
  cuInit(0);
  cuCtxCreate(&Context, 0, 0);
  cuMemAlloc(&Out, sizeof(int));
  const char *Names[] = {"steps.fatbin", "steps.ptx"};
  for (const char *Name : Names) {
    CUmodule Module;
    CUfunction Step;
    if (cuModuleLoad(&Module, Name) ||
        cuModuleGetFunction(&Step, Module, "step"))
      return 1;
    void *Parameters[] = {&Out};
    cuMemsetD32(Out, 41, 1);
    cuLaunchKernel(Step, 1, 1, 1, 1, 1, 1, 0, nullptr, Parameters, nullptr);
    cuMemcpyDtoH(&Found, Out, sizeof(int));
    if (Found == 42)
      std::printf("%s launched\n", Name);
  }
}
