// Graphs, captures and pools by the driver's calls, mixed with the runtime's,
// whose graphs they are.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t

#include "../Inputs/expect.h"
#include <algorithm>
#include <cuda.h>

#define EXPECT_CU(Error, Call)                                                 \
  do {                                                                         \
    CUresult Result = (Call);                                                  \
    if (Result != (Error)) {                                                   \
      std::fprintf(stderr, "%s:%d: %s gives %d\n", __FILE__, __LINE__, #Call,  \
                   int(Result));                                               \
      ++failures();                                                            \
    }                                                                          \
  } while (false)
#define EXPECT_CU_OK(Call) EXPECT_CU(CUDA_SUCCESS, Call)

static const char Source[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry add(.param .u64 P, .param .u32 Value) {
  .reg .b32 %r<4>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [P];
  ld.param.u32 %r0, [Value];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.u32 %r2, [%d2];
  add.u32 %r3, %r2, %r0;
  st.global.u32 [%d2], %r3;
  ret;
}
)";
static constexpr unsigned Count = 32;
static unsigned Host[Count];
static bool holds(unsigned Value) {
  return std::count(Host, Host + Count, Value) == Count;
}

static void explicitGraph(CUcontext Context, CUfunction Add, CUdeviceptr P) {
  CUgraph G, Clone;
  CUgraphNode Fill, Kernel, Copy;
  unsigned Value = 5;
  EXPECT_CU_OK(cuGraphCreate(&G, 0));
  CUDA_MEMSET_NODE_PARAMS F = {P, 0, 7, 4, Count, 1};
  EXPECT_CU_OK(cuGraphAddMemsetNode(&Fill, G, nullptr, 0, &F, Context));
  // Arguments in a buffer.
  struct {
    CUdeviceptr P;
    unsigned Value;
  } Buffer = {P, Value};
  size_t Size = sizeof(Buffer);
  void *Extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &Buffer,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &Size, CU_LAUNCH_PARAM_END};
  CUDA_KERNEL_NODE_PARAMS K = {Add, 1, 1, 1, Count, 1, 1, 0, nullptr, Extra};
  EXPECT_CU_OK(cuGraphAddKernelNode(&Kernel, G, &Fill, 1, &K));
  CUDA_MEMCPY3D C = {};
  C.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  C.srcDevice = P;
  C.dstMemoryType = CU_MEMORYTYPE_HOST;
  C.dstHost = Host;
  C.WidthInBytes = sizeof(Host);
  C.Height = C.Depth = 1;
  EXPECT_CU_OK(cuGraphAddMemcpyNode(&Copy, G, &Kernel, 1, &C, Context));
  CUDA_MEMCPY3D Same;
  EXPECT_CU_OK(cuGraphMemcpyNodeGetParams(Copy, &Same));
  EXPECT(Same.dstMemoryType == CU_MEMORYTYPE_HOST && Same.srcDevice == P);
  EXPECT(Same.srcMemoryType == CU_MEMORYTYPE_DEVICE && Same.dstHost == Host);
  EXPECT_CU_OK(cuGraphKernelNodeGetParams(Kernel, &K));
  EXPECT(K.func == Add && *(unsigned *)K.kernelParams[1] == 5);
  CUgraphNodeType Type;
  EXPECT_CU_OK(cuGraphNodeGetType(Copy, &Type));
  EXPECT(Type == CU_GRAPH_NODE_TYPE_MEMCPY);
  size_t Edges = 0;
  EXPECT_CU_OK(cuGraphGetEdges(G, nullptr, nullptr, &Edges));
  EXPECT(Edges == 2);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cuGraphAddDependencies(G, &Kernel, &Copy, 1));

  CUgraphExec Exec;
  EXPECT_CU_OK(cuGraphInstantiate(&Exec, G, 0));
  EXPECT_CU_OK(cuGraphLaunch(Exec, nullptr));
  EXPECT(holds(12));
  void *Args[] = {&P, &Value};
  K.kernelParams = Args;
  Value = 20;
  EXPECT_CU_OK(cuGraphExecKernelNodeSetParams(Exec, Kernel, &K));
  EXPECT_CU_OK(cuGraphLaunch(Exec, nullptr));
  EXPECT(holds(27));
  EXPECT_CU_OK(cuGraphClone(&Clone, G));
  EXPECT_CU_OK(cuGraphNodeFindInClone(&Fill, Fill, Clone));
  F.value = 1;
  EXPECT_CU_OK(cuGraphMemsetNodeSetParams(Fill, &F));
  CUgraphExecUpdateResultInfo Info;
  EXPECT_CU_OK(cuGraphExecUpdate(Exec, Clone, &Info));
  // By the runtime's call.
  EXPECT_OK(cudaGraphLaunch(Exec, nullptr));
  EXPECT(holds(6));
  EXPECT_CU_OK(cuGraphExecDestroy(Exec));
  EXPECT_CU_OK(cuGraphDestroy(Clone));
  EXPECT_CU_OK(cuGraphDestroy(G));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(G));
}

static void captured(CUfunction Add) {
  CUstream S;
  CUgraph G;
  CUgraphExec Exec;
  CUdeviceptr Memory;
  unsigned Value = 3;
  void *Args[] = {&Memory, &Value};
  EXPECT_CU_OK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING));
  EXPECT_CU_OK(cuStreamBeginCapture(S, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_CU_OK(cuMemAllocAsync(&Memory, sizeof(Host), S));
  EXPECT_CU_OK(cuMemsetD32Async(Memory, 0x10001, Count, S));
  EXPECT_CU_OK(cuLaunchKernel(Add, 1, 1, 1, Count, 1, 1, 0, S, Args, nullptr));
  EXPECT_CU_OK(cuMemcpyDtoHAsync(Host, Memory, sizeof(Host), S));
  EXPECT_CU_OK(cuMemFreeAsync(Memory, S));
  CUstreamCaptureStatus Status;
  cuuint64_t Id = 0;
  const CUgraphNode *Last = nullptr;
  size_t Number = 0;
  EXPECT_CU_OK(cuStreamGetCaptureInfo(S, &Status, &Id, &G, &Last, &Number));
  EXPECT(Status == CU_STREAM_CAPTURE_STATUS_ACTIVE && Number == 1);
  CUgraphNodeType Type;
  EXPECT_CU_OK(cuGraphNodeGetType(*Last, &Type));
  EXPECT(Type == CU_GRAPH_NODE_TYPE_MEM_FREE);
  EXPECT_CU_OK(cuStreamEndCapture(S, &G));
  EXPECT_CU_OK(cuGraphInstantiate(&Exec, G, 0));
  for (int I = 0; I < 2; ++I) {
    std::fill(Host, Host + Count, 0);
    EXPECT_CU_OK(cuGraphLaunch(Exec, S));
    EXPECT_CU_OK(cuStreamSynchronize(S));
    EXPECT(holds(0x10004));
  }
  EXPECT_CU_OK(cuStreamBeginCapture(S, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(S));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(S, &G));
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(S, &G));
}

static void pools() {
  CUmemoryPool Pool;
  CUmemPoolProps Props = {};
  Props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  Props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUdeviceptr P;
  cuuint64_t Used = 0;
  EXPECT_CU_OK(cuMemPoolCreate(&Pool, &Props));
  EXPECT_CU_OK(cuMemAllocFromPoolAsync(&P, 1000, Pool, nullptr));
  EXPECT_CU_OK(
      cuMemPoolGetAttribute(Pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &Used));
  EXPECT(Used == 1000);
  EXPECT_CU_OK(cuMemFreeAsync(P, nullptr));
  EXPECT_CU_OK(cuMemPoolTrimTo(Pool, 0));
  EXPECT_CU_OK(
      cuMemPoolGetAttribute(Pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &Used));
  EXPECT(Used == 0);
  EXPECT_CU_OK(cuMemPoolDestroy(Pool));
}

int main() {
  CUdevice Device;
  CUcontext Context;
  CUmodule Module;
  CUfunction Add;
  CUdeviceptr P;
  CUgraph G;
  EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuGraphCreate(&G, 0));
  EXPECT_CU_OK(cuInit(0));
  EXPECT_CU_OK(cuDeviceGet(&Device, 0));
  EXPECT_CU_OK(cuDevicePrimaryCtxRetain(&Context, Device));
  EXPECT_CU_OK(cuCtxSetCurrent(Context));
  EXPECT_CU_OK(cuModuleLoadData(&Module, Source));
  EXPECT_CU_OK(cuModuleGetFunction(&Add, Module, "add"));
  EXPECT_CU_OK(cuMemAlloc(&P, sizeof(Host)));
  explicitGraph(Context, Add, P);
  captured(Add);
  pools();
  return failures();
}
