// The driver's interface: a module from PTX text that the program has, kernels
// by name, a variable, memory, streams and events, beside calls of the runtime.
// RUN: split-file %s %t
// RUN: %regshare_clang -O1 %t/program.cu -lcuda -o %t/program
// RUN: env REGSHARE_TIMING=0 %run %t/program %t/kernels.ptx | FileCheck %t/program.cu
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_REPORT=%t/report.json %run %t/program %t/kernels.ptx | FileCheck %t/program.cu
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/report.json
// Eight PTX registers live in fewer of the machine's.
// REPORT: "kernel": "scale"
// REPORT: "registers_per_thread": {{[2-6]}},
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=regmutex %run %t/program %t/kernels.ptx | FileCheck %t/program.cu
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t/program %t/kernels.ptx | FileCheck %t/program.cu
// RUN: env REGSHARE_TIMING=0 %run %t/program %t/bad.ptx 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: regshare: cannot use device code (no kernels): module0.ptx:5: instruction 'frobnicate' is not supported
// BAD: load: CUDA_ERROR_INVALID_PTX
// A function of the module that calls itself: registers are not assigned.
// RUN: env REGSHARE_TIMING=0 %run %t/program %t/calls.ptx 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: regshare: warning: module0 runs with a register for every PTX register: {{.*}}'times' calls itself; RegShare takes PTX whose functions can become a part of their kernels
// CALLS: scaled: 0 wrong

//--- program.cu
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <fstream>
#include <sstream>

#ifndef __cuda_cuda_h__
#error "programs tell by it that cuda.h is there"
#endif

static const char *nameOf(CUresult Error) {
  const char *Name = nullptr;
  cuGetErrorName(Error, &Name);
  return Name ? Name : "none";
}

int main(int, char **Arguments) {
  int Device = 0, Major = 0, Count = 0;
  CUcontext Context;
  CUmodule Module;
  CUfunction Scale, Missing;
  // CHECK: before cuInit: CUDA_ERROR_NOT_INITIALIZED
  std::printf("before cuInit: %s\n", nameOf(cuDeviceGetCount(&Count)));
  cuInit(0);
  // CHECK: without a context: CUDA_ERROR_INVALID_CONTEXT
  CUdeviceptr A = 0;
  std::printf("without a context: %s\n", nameOf(cuMemAlloc(&A, 4096)));
  cuDeviceGetCount(&Count);
  cuDeviceGet(&Device, 0);
  // CHECK: second device: CUDA_ERROR_INVALID_DEVICE
  std::printf("second device: %s\n", nameOf(cuDeviceGet(&Count, 1)));
  cuDeviceGetAttribute(&Major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                       Device);
  std::printf("capability %s\n", Major >= 7 ? "7 or more" : "too low");
  // CHECK: capability 7 or more
  std::printf("context: %s\n", nameOf(cuCtxCreate(&Context, 0, Device)));
  // CHECK: context: CUDA_SUCCESS
  std::ifstream File(Arguments[1]);
  std::stringstream Text;
  Text << File.rdbuf();
  CUresult Error = cuModuleLoadData(&Module, Text.str().c_str());
  // CHECK: load: CUDA_SUCCESS
  std::printf("load: %s\n", nameOf(Error));
  if (Error != CUDA_SUCCESS)
    return 0;
  CUmodule FromFile;
  // CHECK: from a file: CUDA_SUCCESS, CUDA_ERROR_FILE_NOT_FOUND
  std::printf("from a file: %s, ",
              nameOf(cuModuleLoad(&FromFile, Arguments[1])));
  std::printf("%s\n", nameOf(cuModuleLoad(&FromFile, "/nowhere.ptx")));
  // CHECK: no such kernel: CUDA_ERROR_NOT_FOUND
  std::printf("no such kernel: %s\n",
              nameOf(cuModuleGetFunction(&Missing, Module, "missing")));
  cuModuleGetFunction(&Scale, Module, "scale");
  CUdeviceptr Factor;
  size_t Bytes = 0;
  std::printf("factor: %s",
              nameOf(cuModuleGetGlobal(&Factor, &Bytes, Module, "factor")));
  // CHECK: factor: CUDA_SUCCESS, 4 bytes
  std::printf(", %zu bytes\n", Bytes);
  int Value = 3, N = 1000, Host[1024];
  cuMemcpyHtoD(Factor, &Value, 4);
  cuMemAlloc(&A, sizeof(Host));
  cuMemsetD32(A, 7, 1024);
  CUstream Stream;
  CUevent Begin, End;
  cuStreamCreate(&Stream, CU_STREAM_NON_BLOCKING);
  cuEventCreate(&Begin, CU_EVENT_DEFAULT);
  cuEventCreate(&End, CU_EVENT_DEFAULT);
  cuEventRecord(Begin, Stream);
  void *Parameters[] = {&A, &N};
  Error =
      cuLaunchKernel(Scale, 8, 1, 1, 128, 1, 1, 0, Stream, Parameters, nullptr);
  std::printf("launch: %s\n", nameOf(Error));
  // CHECK: launch: CUDA_SUCCESS
  struct {
    CUdeviceptr At;
    int Count;
  } Buffer = {A, N};
  size_t Size = sizeof(A) + sizeof(N);
  void *Extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &Buffer,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &Size, CU_LAUNCH_PARAM_END};
  Error = cuLaunchKernel(Scale, 8, 1, 1, 128, 1, 1, 0, Stream, nullptr, Extra);
  cuEventRecord(End, Stream);
  cuStreamSynchronize(Stream);
  float Time = -1;
  cuEventElapsedTime(&Time, Begin, End);
  std::printf("again: %s, time %s\n", nameOf(Error), Time > 0 ? "passed" : "0");
  // CHECK: again: CUDA_SUCCESS, time passed
  cuMemcpyDtoH(Host, A, sizeof(Host));
  int Wrong = 0;
  for (int I = 0; I != 1024; ++I)
    Wrong += Host[I] != (I < N ? 63 : 7);
  std::printf("scaled: %d wrong\n", Wrong);
  // CHECK: scaled: 0 wrong
  int Regs = 0;
  cuFuncGetAttribute(&Regs, CU_FUNC_ATTRIBUTE_NUM_REGS, Scale);
  std::printf("registers %s\n", Regs > 0 && Regs < 40 ? "few" : "many");
  // CHECK: registers few
  // The runtime sees the same memory.
  cudaMemset(reinterpret_cast<void *>(A), 0, 4);
  cuMemcpyDtoH(Host, A, 4);
  std::printf("runtime: %d\n", Host[0]);
  // CHECK: runtime: 0
  Error = cuLaunchKernel(Scale, 8, 1, 1, 2048, 1, 1, 0, Stream, Parameters,
                         nullptr);
  std::printf("too large: %s\n", nameOf(Error));
  // CHECK: too large: CUDA_ERROR_INVALID_VALUE
  cuMemFree(A);
  cuModuleUnload(Module);
  Error = cuModuleGetFunction(&Missing, Module, "scale");
  std::printf("unloaded: %s\n", nameOf(Error));
  // CHECK: unloaded: CUDA_ERROR_INVALID_HANDLE
  cuCtxDestroy(Context);
}

//--- kernels.ptx
// clang-format off
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 factor;
.visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.u32 %r1, [scale_param_1];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r6, [%rd4];
  ld.global.u32 %r7, [factor];
  mul.lo.s32 %r6, %r6, %r7;
  st.global.u32 [%rd4], %r6;
DONE:
  ret;
}

//--- bad.ptx
.version 7.0
.target sm_75
.address_size 64
.visible .entry scale() {
  frobnicate.u32 1;
  ret;
}

//--- calls.ptx
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 factor;
.func (.param .b32 result) times(.param .b32 a, .param .b32 b)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [a];
  ld.param.u32 %r2, [b];
  mov.b32 %r3, 0;
  setp.eq.s32 %p, %r2, 0;
  @%p bra END;
  sub.s32 %r2, %r2, 1;
  {
    .param .b32 p;
    .param .b32 q;
    .param .b32 r;
    st.param.b32 [p], %r1;
    st.param.b32 [q], %r2;
    call.uni (r), times, (p, q);
    ld.param.b32 %r3, [r];
  }
  add.s32 %r3, %r3, %r1;
END:
  st.param.b32 [result], %r3;
  ret;
}
.visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.u32 %r1, [scale_param_1];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r6, [%rd4];
  ld.global.u32 %r7, [factor];
  {
    .param .b32 a;
    .param .b32 b;
    .param .b32 r;
    st.param.b32 [a], %r6;
    st.param.b32 [b], %r7;
    call.uni (r), times, (a, b);
    ld.param.b32 %r6, [r];
  }
  st.global.u32 [%rd4], %r6;
DONE:
  ret;
}
