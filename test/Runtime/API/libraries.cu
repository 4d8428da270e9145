// Libraries of kernels, of the driver and of the runtime, which need no
// context.
// RUN: %regshare_clang -O1 %s -lcuda -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_DEVICE=h100 REGSHARE_CODE=native %run %t
#include "../Inputs/expect.h"
#include <cstring>
#include <cuda.h>
#include <string>

static const char Text[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .global .u32 total = 5;
.visible .entry first(.param .u64 out) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], 42;
  ret;
}
.visible .entry second() { ret; }
)";

#define EXPECT_SUCCESS(CALL) EXPECT((CALL) == CUDA_SUCCESS)

int main() {
  CUlibrary Library, Owner;
  CUkernel First, Both[2];
  CUfunction Function;
  CUmodule Module;
  unsigned Count = 0;
  EXPECT(cuLibraryLoadData(&Library, Text, nullptr, nullptr, 0, nullptr,
                           nullptr, 0) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_SUCCESS(cuInit(0));
  EXPECT_SUCCESS(cuLibraryLoadData(&Library, Text, nullptr, nullptr, 0, nullptr,
                                   nullptr, 0));
  EXPECT_SUCCESS(cuLibraryGetKernelCount(&Count, Library));
  EXPECT(Count == 2);
  EXPECT_SUCCESS(cuLibraryGetKernel(&First, Library, "first"));
  EXPECT(cuLibraryGetKernel(&Both[0], Library, "none") == CUDA_ERROR_NOT_FOUND);
  EXPECT_SUCCESS(cuLibraryEnumerateKernels(Both, 2, Library));
  const char *Name = nullptr, *OtherName = nullptr;
  EXPECT_SUCCESS(cuKernelGetName(&Name, Both[0]));
  EXPECT_SUCCESS(cuKernelGetName(&OtherName, Both[1]));
  EXPECT(std::string(Name) + OtherName == "firstsecond" ||
         std::string(Name) + OtherName == "secondfirst");
  EXPECT_SUCCESS(cuKernelGetLibrary(&Owner, First));
  EXPECT(Owner == Library);
  EXPECT_SUCCESS(cuKernelGetFunction(&Function, First));
  EXPECT_SUCCESS(cuLibraryGetModule(&Module, Library));
  int Most = 0;
  EXPECT_SUCCESS(cuKernelGetAttribute(
      &Most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, First, 0));
  EXPECT(Most > 0);

  CUdeviceptr Out, Total;
  size_t Bytes = 0;
  int Result = 0;
  EXPECT_SUCCESS(cuMemAlloc(&Out, 4));
  void *Arguments[] = {&Out};
  // A kernel serves as function.
  EXPECT_SUCCESS(cuLaunchKernel((CUfunction)First, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                Arguments, nullptr));
  EXPECT_SUCCESS(cuMemcpyDtoH(&Result, Out, 4));
  EXPECT(Result == 42);
  EXPECT_SUCCESS(cuLibraryGetGlobal(&Total, &Bytes, Library, "total"));
  EXPECT_SUCCESS(cuMemcpyDtoH(&Result, Total, 4));
  EXPECT(Bytes == 4 && Result == 5);
  EXPECT_SUCCESS(cuLibraryUnload(Library));
  EXPECT(cuLibraryGetKernelCount(&Count, Library) != CUDA_SUCCESS);

  cudaLibrary_t OfRuntime;
  cudaKernel_t Kernel;
  void *Address;
  EXPECT_OK(cudaLibraryLoadData(&OfRuntime, Text, nullptr, nullptr, 0, nullptr,
                                nullptr, 0));
  EXPECT_OK(cudaLibraryGetKernelCount(&Count, OfRuntime));
  EXPECT(Count == 2);
  EXPECT_OK(cudaLibraryGetKernel(&Kernel, OfRuntime, "first"));
  EXPECT_ERROR(cudaErrorSymbolNotFound,
               cudaLibraryGetKernel(&Kernel, OfRuntime, "none"));
  EXPECT_OK(cudaMemset((void *)Out, 0, 4));
  EXPECT_OK(cudaLaunchKernel((const void *)Kernel, dim3(1), dim3(1), Arguments,
                             0, nullptr));
  EXPECT_OK(cudaMemcpy(&Result, (void *)Out, 4, cudaMemcpyDeviceToHost));
  EXPECT(Result == 42);
  EXPECT_OK(cudaLibraryGetGlobal(&Address, &Bytes, OfRuntime, "total"));
  EXPECT(Bytes == 4);
  EXPECT_OK(cudaLibraryUnload(OfRuntime));
  EXPECT_ERROR(cudaErrorFileNotFound,
               cudaLibraryLoadFromFile(&OfRuntime, "/none", nullptr, nullptr, 0,
                                       nullptr, nullptr, 0));
  return failures();
}
