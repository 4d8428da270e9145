// Work of streams that becomes a graph: all that can, forks and joins, and what
// is forbidden meanwhile.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_REPORT=%t.txt %run %t
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt
// A launch of a graph is reported as launches of its kernels.
// REPORT: add(int*, int)

#include "../Inputs/expect.h"
#include <algorithm>
#include <thread>

static constexpr int Count = 64;
static __device__ int Variable[Count];
__global__ void add(int *P, int Value) { P[threadIdx.x] += Value; }
__global__ void sum(int *P, const int *Q) { P[threadIdx.x] += Q[threadIdx.x]; }

static int *A, *B, *Host;
static cudaStream_t S, T;
static cudaEvent_t Fork, Join;

static void launch(cudaGraph_t G, int Times = 1) {
  cudaGraphExec_t Exec;
  EXPECT_OK(cudaGraphInstantiate(&Exec, G));
  EXPECT_OK(cudaGraphUpload(Exec, S));
  for (int I = 0; I < Times; ++I)
    EXPECT_OK(cudaGraphLaunch(Exec, S));
  EXPECT_OK(cudaStreamSynchronize(S));
  EXPECT_OK(cudaGraphExecDestroy(Exec));
}

static size_t nodes(cudaGraph_t G) {
  size_t Number = 0;
  EXPECT_OK(cudaGraphGetNodes(G, nullptr, &Number));
  return Number;
}

static int Calls = 0;
static void called(void *Value) { Calls += *(int *)Value; }

/// Begins and ends a capture around \p Body(), and gives the graph.
template <typename Fn> static cudaGraph_t capture(Fn &&Body) {
  cudaGraph_t G = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  Body();
  EXPECT_OK(cudaStreamEndCapture(S, &G));
  return G;
}

static void everything() {
  int Ten = 10;
  std::fill(Host, Host + Count, -1);
  cudaGraph_t G = capture([&] {
    EXPECT_OK(cudaMemsetAsync(A, 0, Count * sizeof(int), S));
    add<<<1, Count, 0, S>>>(A, 5);
    EXPECT_OK(cudaMemcpyToSymbolAsync(Variable, A, Count * sizeof(int), 0,
                                      cudaMemcpyDeviceToDevice, S));
    EXPECT_OK(cudaMemcpyFromSymbolAsync(B, Variable, Count * sizeof(int), 0,
                                        cudaMemcpyDeviceToDevice, S));
    EXPECT_OK(
        cudaMemcpy2DAsync(Host, 64, B, 64, 32, 4, cudaMemcpyDeviceToHost, S));
    EXPECT_OK(cudaMemset2DAsync(B, 64, 1, 4, 4, S));
    EXPECT_OK(cudaMemset3DAsync(make_cudaPitchedPtr(A, 16, 16, 4), 2,
                                make_cudaExtent(4, 2, 4), S));
    EXPECT_OK(cudaLaunchHostFunc(S, called, &Ten));
    void *P;
    EXPECT_OK(cudaMallocAsync(&P, 4096, S));
    EXPECT_OK(cudaMemsetAsync(P, 0, 4096, S));
    EXPECT_OK(cudaFreeAsync(P, S));
  });
  // A fill of layers that do not follow each other is one for each.
  EXPECT(nodes(G) == 14);
  EXPECT(Calls == 0 && Host[0] == -1);
  launch(G, 2);
  EXPECT(Calls == 20);
  for (int I = 0; I < Count; ++I)
    EXPECT(Host[I] == (I < 64 && I % 16 < 8 ? 5 : -1));
  int Back[2 * Count];
  EXPECT_OK(cudaMemcpy(Back, A, Count * sizeof(int), cudaMemcpyDefault));
  EXPECT_OK(
      cudaMemcpy(Back + Count, B, Count * sizeof(int), cudaMemcpyDefault));
  for (int I = 0; I < Count; ++I) {
    EXPECT(Back[I] == (I % 4 == 0 && I / 4 % 4 < 2 ? 0x02020202 : 5));
    EXPECT(Back[Count + I] == (I % 16 == 0 ? 0x01010101 : 5));
  }
  EXPECT_OK(cudaGraphDestroy(G));
}

static void forkAndJoin() {
  cudaGraph_t G = capture([&] {
    EXPECT_OK(cudaMemsetAsync(A, 0, Count * sizeof(int), S));
    EXPECT_OK(cudaEventRecord(Fork, S));
    EXPECT_OK(cudaStreamWaitEvent(T, Fork, 0));
    cudaStreamCaptureStatus Status;
    EXPECT_OK(cudaStreamIsCapturing(T, &Status));
    EXPECT(Status == cudaStreamCaptureStatusActive);
    EXPECT_OK(cudaMemsetAsync(B, 0, Count * sizeof(int), T));
    add<<<1, Count, 0, T>>>(B, 30);
    add<<<1, Count, 0, S>>>(A, 4);
    EXPECT_OK(cudaEventRecord(Join, T));
    EXPECT_OK(cudaStreamWaitEvent(S, Join, 0));
    // What comes next depends on both.
    const cudaGraphNode_t *Last;
    size_t Number = 0;
    unsigned long long Id = 0;
    cudaGraph_t Target;
    EXPECT_OK(
        cudaStreamGetCaptureInfo(S, &Status, &Id, &Target, &Last, &Number));
    EXPECT(Number == 2 && Id != 0 && nodes(Target) == 4);
    sum<<<1, Count, 0, S>>>(A, B);
    EXPECT_OK(cudaMemcpyAsync(Host, A, Count * sizeof(int),
                              cudaMemcpyDeviceToHost, S));
  });
  cudaStreamCaptureStatus Status;
  EXPECT_OK(cudaStreamIsCapturing(T, &Status));
  EXPECT(Status == cudaStreamCaptureStatusNone);
  size_t Edges;
  EXPECT_OK(cudaGraphGetEdges(G, nullptr, nullptr, &Edges));
  EXPECT(nodes(G) == 6 && Edges == 6);
  launch(G);
  EXPECT(std::count(Host, Host + Count, 34) == Count);
  // Events of the capture stand for nothing after it, until they are recorded.
  EXPECT_ERROR(cudaErrorCapturedEvent, cudaEventQuery(Join));
  EXPECT_ERROR(cudaErrorCapturedEvent, cudaStreamWaitEvent(S, Join, 0));
  EXPECT_OK(cudaEventRecord(Join, S));
  EXPECT_OK(cudaEventQuery(Join));

  // A graph launched in a stream that is capturing is a node.
  cudaGraphExec_t Exec;
  EXPECT_OK(cudaGraphInstantiate(&Exec, G));
  cudaGraph_t Outer = capture([&] {
    EXPECT_OK(cudaGraphLaunch(Exec, S));
    add<<<1, Count, 0, S>>>(A, 100);
    EXPECT_OK(cudaMemcpyAsync(Host, A, Count * sizeof(int),
                              cudaMemcpyDeviceToHost, S));
  });
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT_OK(cudaGraphDestroy(G));
  EXPECT(nodes(Outer) == 3);
  launch(Outer);
  EXPECT(std::count(Host, Host + Count, 134) == Count);
  EXPECT_OK(cudaGraphDestroy(Outer));
}

/// Into a graph that is there, after one of its nodes.
static void intoGraph() {
  cudaGraph_t G, Same;
  cudaGraphNode_t Fill, Other;
  EXPECT_OK(cudaGraphCreate(&G, 0));
  cudaMemsetParams P = {A, 0, 9, 4, Count, 1};
  EXPECT_OK(cudaGraphAddMemsetNode(&Fill, G, nullptr, 0, &P));
  EXPECT_OK(cudaGraphAddEmptyNode(&Other, G, nullptr, 0));
  EXPECT_OK(cudaStreamBeginCaptureToGraph(S, G, &Fill, nullptr, 1,
                                          cudaStreamCaptureModeRelaxed));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(G));
  add<<<1, Count, 0, S>>>(A, 1);
  EXPECT_OK(cudaStreamUpdateCaptureDependencies(
      S, &Other, 1, cudaStreamAddCaptureDependencies));
  EXPECT_OK(
      cudaMemcpyAsync(Host, A, Count * sizeof(int), cudaMemcpyDefault, S));
  EXPECT_OK(cudaStreamEndCapture(S, &Same));
  EXPECT(Same == G);
  size_t Edges;
  EXPECT_OK(cudaGraphGetEdges(G, nullptr, nullptr, &Edges));
  EXPECT(Edges == 3);
  launch(G);
  EXPECT(std::count(Host, Host + Count, 10) == Count);
  EXPECT_OK(cudaGraphDestroy(G));
}

/// Events that a graph records and waits for as what it does.
static void externalEvents() {
  cudaGraph_t G = capture([&] {
    EXPECT_OK(cudaEventRecordWithFlags(Fork, S, cudaEventRecordExternal));
    add<<<1, Count, 0, S>>>(A, 1);
    EXPECT_OK(cudaStreamWaitEvent(S, Join, cudaEventWaitExternal));
    EXPECT_OK(cudaEventRecordWithFlags(Join, S, cudaEventRecordExternal));
  });
  EXPECT(nodes(G) == 4);
  launch(G);
  float Milliseconds = -1;
  EXPECT_OK(cudaEventElapsedTime(&Milliseconds, Fork, Join));
  EXPECT(Milliseconds > 0);
  EXPECT_OK(cudaGraphDestroy(G));
}

/// \p Body() makes a call that \p Error forbids in a capture, which is invalid
/// then.
template <typename Fn>
static void
forbidden(cudaError_t Error, Fn &&Body,
          cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal) {
  cudaGraph_t G = (cudaGraph_t)1;
  EXPECT_OK(cudaStreamBeginCapture(S, Mode));
  EXPECT_ERROR(Error, Body());
  cudaStreamCaptureStatus Status;
  EXPECT_OK(cudaStreamIsCapturing(S, &Status));
  EXPECT(Status == cudaStreamCaptureStatusInvalidated);
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(A, 0, 4, S));
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(S, &G));
  EXPECT(!G);
  EXPECT_OK(cudaStreamIsCapturing(S, &Status));
  EXPECT(Status == cudaStreamCaptureStatusNone);
}

static void errors() {
  cudaGraph_t G;
  EXPECT_ERROR(cudaErrorStreamCaptureUnsupported,
               cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  EXPECT_ERROR(cudaErrorIllegalState, cudaStreamEndCapture(S, &G));
  G = capture([&] {
    EXPECT_ERROR(cudaErrorIllegalState,
                 cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureStatus Status;
    EXPECT_ERROR(cudaErrorStreamCaptureImplicit,
                 cudaStreamIsCapturing(nullptr, &Status));
  });
  EXPECT(nodes(G) == 0);
  launch(G);
  EXPECT_OK(cudaGraphDestroy(G));

  constexpr auto Unsupported = cudaErrorStreamCaptureUnsupported;
  forbidden(Unsupported, [] { return cudaStreamSynchronize(S); });
  forbidden(Unsupported, [] { return cudaStreamQuery(S); });
  forbidden(Unsupported, [] { return cudaDeviceSynchronize(); });
  forbidden(Unsupported, [] {
    return cudaStreamAddCallback(
        S, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0);
  });
  void *P;
  forbidden(Unsupported, [&] { return cudaMalloc(&P, 16); });
  forbidden(
      Unsupported, [&] { return cudaMalloc(&P, 16); },
      cudaStreamCaptureModeThreadLocal);
  forbidden(cudaErrorStreamCaptureImplicit, [] { return cudaMemset(A, 0, 4); });
  forbidden(cudaErrorStreamCaptureImplicit,
            [] { return cudaMemcpy(Host, A, 4, cudaMemcpyDefault); });
  forbidden(cudaErrorCapturedEvent, [] {
    EXPECT_OK(cudaEventRecord(Fork, S));
    return cudaEventSynchronize(Fork);
  });
  EXPECT_OK(cudaEventRecord(Join, T));
  forbidden(cudaErrorStreamCaptureIsolation,
            [] { return cudaStreamWaitEvent(S, Join, 0); });
  forbidden(cudaErrorStreamCaptureUnmatched, [&] {
    EXPECT_OK(cudaEventRecord(Fork, S));
    EXPECT_OK(cudaStreamWaitEvent(T, Fork, 0));
    return cudaStreamEndCapture(T, &G);
  });
  forbidden(cudaErrorStreamCaptureMerge, [&] {
    EXPECT_OK(cudaStreamBeginCapture(T, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaEventRecord(Join, T));
    return cudaStreamWaitEvent(S, Join, 0);
  });
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(T, &G));

  // A stream that joined has work that nobody waits for.
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaEventRecord(Fork, S));
  EXPECT_OK(cudaStreamWaitEvent(T, Fork, 0));
  add<<<1, Count, 0, T>>>(A, 1);
  EXPECT_ERROR(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(S, &G));
  EXPECT(!G);
  cudaGetLastError();
}

/// A stream may be destroyed after it took part.
static void destroyedStreams() {
  for (bool IsJoined : {true, false}) {
    cudaGraph_t G = nullptr;
    cudaStream_t U;
    EXPECT_OK(cudaStreamCreate(&U));
    EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaEventRecord(Fork, S));
    EXPECT_OK(cudaStreamWaitEvent(U, Fork, 0));
    add<<<1, Count, 0, U>>>(A, 1);
    EXPECT_OK(cudaEventRecord(Join, U));
    if (IsJoined)
      EXPECT_OK(cudaStreamWaitEvent(S, Join, 0));
    EXPECT_OK(cudaStreamDestroy(U));
    EXPECT_ERROR(IsJoined ? cudaSuccess : cudaErrorStreamCaptureUnjoined,
                 cudaStreamEndCapture(S, &G));
    if (G)
      EXPECT_OK(cudaGraphDestroy(G));
  }
  cudaGetLastError();
}

static void threads() {
  cudaGraph_t G;
  void *P;
  // Calls that may synchronise are another thread's business in one mode.
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeThreadLocal));
  std::thread([&] {
    EXPECT_OK(cudaMalloc(&P, 16));
    EXPECT_ERROR(cudaErrorStreamCaptureWrongThread,
                 cudaStreamEndCapture(S, &G));
  }).join();
  EXPECT_OK(cudaStreamEndCapture(S, &G));
  EXPECT_OK(cudaGraphDestroy(G));
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeRelaxed));
  EXPECT_OK(cudaMalloc(&P, 16));
  std::thread([&] { EXPECT_OK(cudaStreamEndCapture(S, &G)); }).join();
  EXPECT_OK(cudaGraphDestroy(G));
  // In the default mode it is not, but for threads that say so.
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  std::thread([&] {
    cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
    EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&Mode));
    EXPECT(Mode == cudaStreamCaptureModeGlobal);
    EXPECT_OK(cudaMalloc(&P, 16));
    EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&Mode));
    EXPECT(Mode == cudaStreamCaptureModeRelaxed);
    EXPECT_ERROR(cudaErrorStreamCaptureUnsupported, cudaMalloc(&P, 16));
  }).join();
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(S, &G));
  cudaGetLastError();
}

int main() {
  EXPECT_OK(cudaMalloc(&A, Count * sizeof(int)));
  EXPECT_OK(cudaMalloc(&B, Count * sizeof(int)));
  EXPECT_OK(cudaMallocHost(&Host, Count * sizeof(int)));
  EXPECT_OK(cudaStreamCreate(&S));
  EXPECT_OK(cudaStreamCreate(&T));
  EXPECT_OK(cudaEventCreate(&Fork));
  EXPECT_OK(cudaEventCreate(&Join));
  everything();
  forkAndJoin();
  intoGraph();
  externalEvents();
  errors();
  destroyedStreams();
  threads();
  // A capture that its stream's end ends.
  cudaStreamCaptureStatus Status;
  EXPECT_OK(cudaStreamBeginCapture(T, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaStreamDestroy(T));
  EXPECT_OK(cudaStreamIsCapturing(nullptr, &Status));
  EXPECT_OK(cudaDeviceSynchronize());
  return failures();
}
