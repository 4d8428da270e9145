// Constants and types that programs name in passing: error codes of things that
// do not happen here, attributes about clusters, a device's UUID.
// RUN: %regshare_clang %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void kernel() {}

static const char *kindOf(cudaError_t Error) {
  switch (Error) {
  case cudaErrorMpsConnectionFailed:
  case cudaErrorMpsRpcFailure:
  case cudaErrorMpsServerNotReady:
  case cudaErrorMpsMaxClientsReached:
  case cudaErrorMpsMaxConnectionsReached:
  case cudaErrorMpsClientTerminated:
    return "server";
  case cudaErrorInvalidClusterSize:
  case cudaErrorFunctionNotLoaded:
  case cudaErrorInvalidResourceType:
  case cudaErrorInvalidResourceConfiguration:
  case cudaErrorCdpNotSupported:
  case cudaErrorCdpVersionMismatch:
  case cudaErrorUnsupportedDevSideSync:
    return "use";
  case cudaErrorExternalDevice:
  case cudaErrorContained:
  case cudaErrorTensorMemoryLeak:
  case cudaErrorLossyQuery:
    return "device";
  default:
    return cudaGetErrorName(Error);
  }
}

static void set(cudaFuncAttribute Attribute, int Value) {
  std::printf("%d to %d: %s\n", int(Attribute), Value,
              kindOf(cudaFuncSetAttribute(kernel, Attribute, Value)));
}

int main() {
  // CHECK: server use device cudaErrorMpsServerNotReady 807
  std::printf("%s %s %s %s %d\n", kindOf(cudaErrorMpsRpcFailure),
              kindOf(cudaErrorInvalidClusterSize), kindOf(cudaErrorContained),
              cudaGetErrorName(cudaErrorMpsServerNotReady),
              int(cudaErrorMpsServerNotReady));
  // CHECK-NEXT: 14 to 1: cudaSuccess
  set(cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  // CHECK-NEXT: 15 to 0: cudaSuccess
  set(cudaFuncAttributeClusterSchedulingPolicyPreference, 0);
  // CHECK-NEXT: 11 to 1: cudaSuccess
  set(cudaFuncAttributeRequiredClusterWidth, 1);
  // CHECK-NEXT: 12 to 2: cudaErrorNotSupported
  set(cudaFuncAttributeRequiredClusterHeight, 2);
  // CHECK-NEXT: 13 to -1: cudaErrorInvalidValue
  set(cudaFuncAttributeRequiredClusterDepth, -1);
  // CHECK-NEXT: 10 to 1: cudaErrorInvalidValue
  set(cudaFuncAttributeClusterDimMustBeSet, 1);
  cudaDeviceProp P;
  cudaGetDeviceProperties(&P, 0);
  cudaUUID_t Id = P.uuid;
  CUuuid Same = Id;
  // CHECK-NEXT: uuid of 16, round 0
  std::printf("uuid of %zu, round %d\n", sizeof(Same.bytes),
              int(cudaRoundNearest));
}
