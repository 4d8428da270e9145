// The driver's functions by their names, from the runtime and from the driver;
// kernels' handles, and where their parameters lie.
// RUN: %regshare_clang -Wall -Werror %s -lcuda -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
#include "../Inputs/expect.h"
#include <cuda.h>

struct Pair {
  short First;
  double Second;
};

__global__ void store(char, Pair P, int *To) { *To = int(P.Second) + P.First; }

static void find() {
  void *Found = nullptr;
  cudaDriverEntryPointQueryResult Status;
  EXPECT(cudaGetDriverEntryPoint("cuDriverGetVersion", &Found,
                                 cudaEnableDefault, &Status) == cudaSuccess);
  EXPECT(Status == cudaDriverEntryPointSuccess);
  int ByName = 0, Direct = 1;
  EXPECT(reinterpret_cast<CUresult (*)(int *)>(Found)(&ByName) == CUDA_SUCCESS);
  EXPECT(cuDriverGetVersion(&Direct) == CUDA_SUCCESS && ByName == Direct);

  // The form that cuda.h has.
  EXPECT(cudaGetDriverEntryPointByVersion("cuMemAlloc", &Found, 12000,
                                          cudaEnableDefault) == cudaSuccess);
  EXPECT(Found == reinterpret_cast<void *>(&cuMemAlloc_v2));

  EXPECT(cudaGetDriverEntryPoint("cuMemCreate", &Found, cudaEnableDefault,
                                 &Status) == cudaSuccess);
  EXPECT(!Found && Status == cudaDriverEntryPointSymbolNotFound);
  EXPECT(cudaGetDriverEntryPoint(nullptr, &Found, cudaEnableDefault) ==
         cudaErrorInvalidValue);
  cudaGetLastError();

  CUdriverProcAddressQueryResult OfDriver;
  EXPECT(cuGetProcAddress("cuGetProcAddress", &Found, 12000,
                          CU_GET_PROC_ADDRESS_DEFAULT,
                          &OfDriver) == CUDA_SUCCESS);
  EXPECT(OfDriver == CU_GET_PROC_ADDRESS_SUCCESS &&
         Found == reinterpret_cast<void *>(&cuGetProcAddress_v2));
  EXPECT(cuGetProcAddress("cuNothing", &Found, 12000, 0, &OfDriver) ==
         CUDA_SUCCESS);
  EXPECT(OfDriver == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !Found);
}

static void launch() {
  cudaFunction_t Function;
  EXPECT(cudaGetFuncBySymbol(&Function, (const void *)store) == cudaSuccess);
  int *To, Result = 0;
  EXPECT(cudaMalloc(&To, sizeof(*To)) == cudaSuccess);
  char C = 0;
  Pair P = {2, 40.0};
  void *Arguments[] = {&C, &P, &To};
  EXPECT(cuLaunchKernel(Function, 1, 1, 1, 1, 1, 1, 0, nullptr, Arguments,
                        nullptr) == CUDA_SUCCESS);
  EXPECT(cudaMemcpy(&Result, To, sizeof(Result), cudaMemcpyDeviceToHost) ==
         cudaSuccess);
  EXPECT(Result == 42);
  int Other = 0;
  EXPECT(cudaGetFuncBySymbol(&Function, &Other) ==
         cudaErrorInvalidDeviceFunction);
  cudaGetLastError();

  size_t Offset, Bytes;
  EXPECT(cudaFuncGetParamInfo((const void *)store, 1, &Offset, &Bytes) ==
         cudaSuccess);
  EXPECT(Offset == 8 && Bytes == sizeof(Pair));
  EXPECT(cuFuncGetParamInfo(Function, 3, &Offset, &Bytes) != CUDA_SUCCESS);
  cudaKernel_t Kernel;
  EXPECT(cudaGetKernel(&Kernel, (const void *)store) == cudaSuccess);
  EXPECT(cuKernelGetParamInfo(Kernel, 2, &Offset, &Bytes) == CUDA_SUCCESS);
  EXPECT(Offset == 24 && Bytes == sizeof(int *));
  EXPECT(cuKernelGetParamInfo(Kernel, 3, &Offset, &Bytes) ==
         CUDA_ERROR_INVALID_VALUE);
}

int main() {
  find();
  launch();
  return 0;
}
