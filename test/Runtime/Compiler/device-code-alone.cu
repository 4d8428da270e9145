// Device code in a file of its own, which a program loads by the driver's
// interface: as the image of -fatbin, in both forms, and as the text of -ptx.
// RUN: rm -rf %t && split-file %s %t
// RUN: %regshare_clang -O2 %t/program.cu -lcuda -o %t/program
// RUN: %regshare_clang -O2 -fatbin %t/kernels.cu -o %t/kernels.fatbin
// RUN: cd %t && %regshare_clang -O2 --ptx -arch=sm_80 -odir %t kernels.cu
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/kernels.ptx
// PTX: .target sm_80
// PTX: .visible .entry scale(
// PTX: rsqrt.approx
// RUN: env REGSHARE_TIMING=0 %run %t/program %t/kernels.fatbin | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t/program %t/kernels.fatbin | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=regmutex %run %t/program %t/kernels.fatbin | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_DEVICE=hopper %run %t/program %t/kernels.ptx | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t/program %t/kernels.ptx | FileCheck %s
// CHECK: CUDA_SUCCESS, 0 wrong

// What clang has no word for is carried out in text, too.
// RUN: %regshare_clang -O2 -ptx -prec-sqrt=false -maxrregcount=24 %t/roots.cu -o %t/roots.ptx
// RUN: FileCheck %s --check-prefix=ROOTS --input-file=%t/roots.ptx
// ROOTS: .maxnreg 24
// ROOTS: sqrt.approx.f32

// RUN: not regshare-clang++ -fatbin %t/kernels.cu %t/roots.cu -o %t/both 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: -o with -fatbin goes with one source file
// RUN: not regshare-clang++ -ptx -rdc=true %t/kernels.cu 2>&1 | FileCheck %s --check-prefix=RDC
// RDC: error: -ptx is not supported with relocatable device code
// RUN: not regshare-clang++ -fatbin %t/host.cpp 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: '{{.*}}host.cpp' is not a CUDA source, and -fatbin is for device code
// RUN: not regshare-clang++ -fatbin %t/kernels.cu -o %t/nowhere/kernels.fatbin 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: '{{.*}}nowhere/kernels.fatbin': No such file or directory
// RUN: not regshare-clang++ -ptx %t/broken.cu -o %t/broken.ptx 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.cu:1:{{.*}}error: use of undeclared identifier 'Nothing'
// RUN: not ls %t/broken.ptx

//--- kernels.cu
__device__ int Offset = 3;
extern "C" __global__ void scale(float *Values, int Count) {
  int N = blockIdx.x * blockDim.x + threadIdx.x;
  if (N < Count)
    Values[N] = 2 * Values[N] + Offset + 0 * rsqrtf(Values[N] + 1);
}

//--- roots.cu
extern "C" __global__ void roots(float *Values) {
  Values[threadIdx.x] = sqrtf(Values[threadIdx.x]);
}

//--- broken.cu
extern "C" __global__ void broken(int *Out) { *Out = Nothing; }

//--- host.cpp
int main() {}

//--- program.cu
#include <cstdio>
#include <cuda.h>
#include <fstream>
#include <sstream>

int main(int, char **Arguments) {
  CUdevice Device;
  CUcontext Context;
  CUmodule Module;
  CUfunction Scale;
  CUdeviceptr Values;
  cuInit(0);
  cuDeviceGet(&Device, 0);
  cuCtxCreate(&Context, 0, Device);
  std::ifstream File(Arguments[1], std::ios::binary);
  std::stringstream Image;
  Image << File.rdbuf();
  CUresult Error = cuModuleLoadData(&Module, Image.str().c_str());
  const char *Name = "none";
  cuGetErrorName(Error, &Name);
  if (Error == CUDA_SUCCESS)
    Error = cuModuleGetFunction(&Scale, Module, "scale");
  int Count = 1000, Wrong = 0;
  float Host[1024];
  for (int I = 0; I != 1024; ++I)
    Host[I] = float(I);
  cuMemAlloc(&Values, sizeof(Host));
  cuMemcpyHtoD(Values, Host, sizeof(Host));
  void *Parameters[] = {&Values, &Count};
  if (Error == CUDA_SUCCESS)
    cuLaunchKernel(Scale, 8, 1, 1, 128, 1, 1, 0, nullptr, Parameters, nullptr);
  cuMemcpyDtoH(Host, Values, sizeof(Host));
  for (int I = 0; I != 1024; ++I)
    Wrong += Host[I] != float(I < Count ? 2 * I + 3 : I);
  std::printf("%s, %d wrong\n", Name, Wrong);
  cuCtxDestroy(Context);
}
