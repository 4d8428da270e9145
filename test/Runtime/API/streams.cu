// Streams, events and callbacks. Simulated time is the same in every run: a
// kernel takes as long between two events as the report says.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_REPORT=%t.json %run %t > %t.out
// RUN: %python %S/Inputs/check-streams.py %t.json %t.out
// RUN: env REGSHARE_THREADS=2 %run %t > %t.again
// RUN: diff %t.out %t.again
// RUN: env REGSHARE_TIMING=0 %run %t

#include "../Inputs/expect.h"
#include <vector>

__global__ void work(float *P, int Steps) {
  float X = threadIdx.x;
  for (int I = 0; I < Steps; ++I)
    X = X * 0.5f + 1.0f;
  P[blockIdx.x * blockDim.x + threadIdx.x] = X;
}

static int Calls = 0;
static void called(void *Value) { Calls += *(int *)Value; }
static void calledBack(cudaStream_t, cudaError_t Status, void *) {
  Calls += Status == cudaSuccess ? 100 : 0;
}

static float between(cudaEvent_t Begin, cudaEvent_t End) {
  float Milliseconds = -1;
  EXPECT_OK(cudaEventElapsedTime(&Milliseconds, Begin, End));
  return Milliseconds;
}

int main() {
  float *P, Host[64];
  cudaStream_t A, B;
  cudaEvent_t E[4], Untimed;
  EXPECT_OK(cudaMalloc(&P, 4096));
  EXPECT_OK(cudaStreamCreate(&A));
  EXPECT_OK(cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking));
  for (cudaEvent_t &Each : E)
    EXPECT_OK(cudaEventCreate(&Each));
  EXPECT_OK(cudaEventCreateWithFlags(&Untimed, cudaEventDisableTiming));
  unsigned Flags;
  EXPECT_OK(cudaStreamGetFlags(B, &Flags));
  EXPECT(Flags == cudaStreamNonBlocking);

  // One kernel between two events.
  EXPECT_OK(cudaEventRecord(E[0], A));
  work<<<4, 64, 0, A>>>(P, 100);
  EXPECT_OK(cudaEventRecord(E[1], A));
  EXPECT_OK(cudaEventSynchronize(E[1]));
  EXPECT_OK(cudaEventQuery(E[1]));
  float First = between(E[0], E[1]);
  EXPECT(First > 0);
  printf("%.6f\n", First * 1e3);

  // A stream that waits for an event of another has its work after it.
  EXPECT_OK(cudaStreamWaitEvent(B, E[1], 0));
  work<<<1, 64, 0, B>>>(P, 10);
  EXPECT_OK(cudaEventRecord(E[2], B));
  EXPECT(between(E[1], E[2]) > 0);
  EXPECT_OK(cudaMemcpyAsync(Host, P, sizeof(Host), cudaMemcpyDeviceToHost, B));
  EXPECT_OK(cudaEventRecord(E[3], B));
  EXPECT_OK(cudaStreamSynchronize(B));
  EXPECT_OK(cudaStreamQuery(B));
  EXPECT(between(E[2], E[3]) > 0);
  EXPECT(Host[0] > 1.99f && Host[0] <= 2);

  int One = 1;
  EXPECT_OK(cudaLaunchHostFunc(A, called, &One));
  EXPECT_OK(cudaStreamAddCallback(B, calledBack, nullptr, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(Calls == 101);

  float Milliseconds;
  EXPECT_OK(cudaEventRecord(Untimed, A));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaEventElapsedTime(&Milliseconds, E[0], Untimed));
  cudaGetLastError();
  for (cudaEvent_t Each : E)
    EXPECT_OK(cudaEventDestroy(Each));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventDestroy(E[0]));
  EXPECT_OK(cudaStreamDestroy(A));
  EXPECT_OK(cudaStreamDestroy(B));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(A));
  return failures();
}
