// A graph as a structure: nodes, edges, clones, parameters, what is wrong with
// them; and launches of what comes out of it.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t %t.dot 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=DOT --input-file=%t.dot
// CHECK-DAG: regshare: edges of graphs are plain dependencies, a programmatic one is asked for; the call returns cudaErrorNotSupported
// CHECK-DAG: regshare: nodes of type 13 (conditional nodes and external semaphores) are not implemented; the call returns cudaErrorNotSupported
// CHECK-DAG: regshare: kernels cannot launch graphs; cudaGraphInstantiate with cudaGraphInstantiateFlagDeviceLaunch returns cudaErrorNotSupported
// CHECK: done
// DOT: digraph
// DOT: n0 [label="memset\n16x1 of 4 B to 7"];
// DOT: n1 [label="kernel\n_Z3addPiii\n1x1x1 CTAs of 16x1x1 threads, 0 B shared"];
// DOT: n0 -> n1;
// DOT: n2 [label="memcpy\n64x1x1, kind 2"];
// DOT: n1 -> n2;
// DOT: n3 [label="graph"];
// DOT: subgraph cluster_n3 {
// DOT: n3_n0 [label="empty"];

#include "../Inputs/expect.h"
#include <algorithm>
#include <vector>

static constexpr int Count = 16;
static __device__ int Variable[Count];
__global__ void add(int *P, int Value, int Times) {
  P[threadIdx.x] += Value * Times;
}

static int *Device, Host[Count];

static cudaGraphNode_t addKernel(cudaGraph_t G, cudaGraphNode_t After,
                                 int Value, int Times) {
  void *Args[] = {&Device, &Value, &Times};
  cudaKernelNodeParams P = {(void *)add, dim3(1), dim3(Count),
                            0,           Args,    nullptr};
  cudaGraphNode_t Node = nullptr;
  EXPECT_OK(cudaGraphAddKernelNode(&Node, G, &After, After ? 1 : 0, &P));
  return Node;
}

static cudaGraphNode_t addFill(cudaGraph_t G, unsigned Value) {
  cudaMemsetParams P = {Device, 0, Value, 4, Count, 1};
  cudaGraphNode_t Node = nullptr;
  EXPECT_OK(cudaGraphAddMemsetNode(&Node, G, nullptr, 0, &P));
  return Node;
}

static bool holds(int Value) {
  return std::all_of(Host, Host + Count, [&](int V) { return V == Value; });
}

static void launch(cudaGraphExec_t Exec) {
  std::fill(Host, Host + Count, -1);
  EXPECT_OK(cudaGraphLaunch(Exec, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
}

static cudaGraphExec_t instantiate(cudaGraph_t G) {
  cudaGraphExec_t Exec = nullptr;
  EXPECT_OK(cudaGraphInstantiate(&Exec, G, 0));
  return Exec;
}

static void edges(cudaGraph_t G, const std::vector<cudaGraphNode_t> &N) {
  size_t Number = 0;
  EXPECT_OK(cudaGraphGetNodes(G, nullptr, &Number));
  EXPECT(Number == N.size());
  std::vector<cudaGraphNode_t> All(Number + 1, N[0]);
  Number = All.size();
  EXPECT_OK(cudaGraphGetNodes(G, All.data(), &Number));
  EXPECT(Number == N.size() && !All.back());
  EXPECT(std::equal(N.begin(), N.end(), All.begin()));
  Number = 1;
  cudaGraphNode_t Root = nullptr;
  EXPECT_OK(cudaGraphGetRootNodes(G, &Root, &Number));
  EXPECT(Number == 1 && Root == N[0]);
  EXPECT_OK(cudaGraphGetEdges(G, nullptr, nullptr, &Number));
  EXPECT(Number == 2);
  cudaGraphNode_t From[2], To[2];
  cudaGraphEdgeData Data[2];
  EXPECT_OK(cudaGraphGetEdges(G, From, To, Data, &Number));
  EXPECT(From[0] == N[0] && To[0] == N[1] && From[1] == N[1] && To[1] == N[2]);
  EXPECT(Data[1].type == cudaGraphDependencyTypeDefault);
  Number = 1;
  cudaGraphNode_t Other = nullptr;
  EXPECT_OK(cudaGraphNodeGetDependencies(N[2], &Other, &Number));
  EXPECT(Number == 1 && Other == N[1]);
  EXPECT_OK(cudaGraphNodeGetDependentNodes(N[0], &Other, nullptr, &Number));
  EXPECT(Number == 1 && Other == N[1]);
  cudaGraphNodeType Type;
  EXPECT_OK(cudaGraphNodeGetType(N[1], &Type));
  EXPECT(Type == cudaGraphNodeTypeKernel);
}

static void wrongDependencies(cudaGraph_t G,
                              const std::vector<cudaGraphNode_t> &N) {
  cudaGraph_t Other;
  cudaGraphNode_t Foreign, New;
  EXPECT_OK(cudaGraphCreate(&Other, 0));
  EXPECT_OK(cudaGraphAddEmptyNode(&Foreign, Other, nullptr, 0));
  cudaGraphNode_t Twice[] = {N[0], N[0]};
  // Twice the same, of another graph, itself, not there, already there.
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&New, G, Twice, 2));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddEmptyNode(&New, G, &Foreign, 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddDependencies(G, &N[0], &Foreign, 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddDependencies(G, &N[0], &N[0], 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddDependencies(G, &N[0], &N[1], 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphRemoveDependencies(G, &N[0], &N[2], 1));
  cudaGraphEdgeData Programmatic = {1, 0, cudaGraphDependencyTypeProgrammatic};
  EXPECT_ERROR(cudaErrorNotSupported,
               cudaGraphAddDependencies(G, &N[0], &N[2], &Programmatic, 1));
  // A cycle is found when the graph is to be executed.
  EXPECT_OK(cudaGraphAddDependencies(G, &N[2], &N[0], 1));
  cudaGraphExec_t Exec;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(&Exec, G, 0));
  cudaGraphInstantiateParams Params = {};
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphInstantiateWithParams(&Exec, G, &Params));
  EXPECT(Params.result_out == cudaGraphInstantiateInvalidStructure);
  EXPECT(Params.errNode_out == N[0]);
  EXPECT_OK(cudaGraphRemoveDependencies(G, &N[2], &N[0], 1));
  EXPECT_OK(cudaGraphDestroy(Other));
  // Handles of what is gone.
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(Other));
  cudaGraphNodeType Type;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphNodeGetType(Foreign, &Type));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(&Exec, Other, 0));
}

static void wrongNodes(cudaGraph_t G) {
  cudaGraphNode_t New;
  cudaMemsetParams Fill = {Device, 0, 0, 3, 1, 1};
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddMemsetNode(&New, G, nullptr, 0, &Fill));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddMemcpyNode1D(&New, G, nullptr, 0, nullptr, Device, 4,
                                        cudaMemcpyDeviceToHost));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaGraphAddMemcpyNode1D(&New, G, nullptr, 0, Host, Device, 4,
                                        cudaMemcpyKind(9)));
  cudaHostNodeParams NoFunction = {nullptr, nullptr};
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddHostNode(&New, G, nullptr, 0, &NoFunction));
  void *Args[] = {&Device, &Device, &Device};
  cudaKernelNodeParams TooLarge = {(void *)add, dim3(1), dim3(4096),
                                   0,           Args,    nullptr};
  EXPECT_ERROR(cudaErrorInvalidConfiguration,
               cudaGraphAddKernelNode(&New, G, nullptr, 0, &TooLarge));
  cudaKernelNodeParams NoKernel = {Host, dim3(1), dim3(1), 0, Args, nullptr};
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction,
               cudaGraphAddKernelNode(&New, G, nullptr, 0, &NoKernel));
  cudaGraphNodeParams Conditional = {};
  Conditional.type = cudaGraphNodeTypeConditional;
  EXPECT_ERROR(cudaErrorNotSupported,
               cudaGraphAddNode(&New, G, nullptr, 0, &Conditional));
  cudaGraphExec_t Exec;
  EXPECT_ERROR(
      cudaErrorNotSupported,
      cudaGraphInstantiate(&Exec, G, cudaGraphInstantiateFlagDeviceLaunch));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(&Exec, G, 1 << 9));
}

/// Parameters read back, and changed in the graph and in what came out of it.
static void parameters(cudaGraph_t G, const std::vector<cudaGraphNode_t> &N) {
  cudaKernelNodeParams K;
  EXPECT_OK(cudaGraphKernelNodeGetParams(N[1], &K));
  EXPECT(K.func == (void *)add && K.blockDim.x == Count);
  EXPECT(*(int *)K.kernelParams[1] == 5 && *(int *)K.kernelParams[2] == 2);
  cudaMemsetParams F;
  EXPECT_OK(cudaGraphMemsetNodeGetParams(N[0], &F));
  EXPECT(F.value == 7 && F.elementSize == 4);
  cudaMemcpy3DParms C;
  EXPECT_OK(cudaGraphMemcpyNodeGetParams(N[2], &C));
  EXPECT(C.dstPtr.ptr == Host && C.extent.width == sizeof(Host));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(N[1], &F));

  cudaGraphExec_t Exec = instantiate(G);
  launch(Exec);
  EXPECT(holds(17));
  // The graph's nodes are not those of the executable graph.
  F.value = 100;
  EXPECT_OK(cudaGraphMemsetNodeSetParams(N[0], &F));
  launch(Exec);
  EXPECT(holds(17));
  EXPECT_OK(cudaGraphExecMemsetNodeSetParams(Exec, N[0], &F));
  launch(Exec);
  EXPECT(holds(110));
  int Three = 3;
  void *Args[] = {&Device, &Three, &Three};
  K.kernelParams = Args;
  EXPECT_OK(cudaGraphExecKernelNodeSetParams(Exec, N[1], &K));
  launch(Exec);
  EXPECT(holds(109));
  EXPECT_OK(cudaGraphNodeSetEnabled(Exec, N[1], 0));
  unsigned Enabled = 1;
  EXPECT_OK(cudaGraphNodeGetEnabled(Exec, N[1], &Enabled));
  EXPECT(!Enabled);
  launch(Exec);
  EXPECT(holds(100));
  // The direction of a copy stays.
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphExecMemcpyNodeSetParams1D(Exec, N[2], Device, Host, 4,
                                                  cudaMemcpyHostToDevice));
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphLaunch(Exec, nullptr));
  F.value = 7;
  EXPECT_OK(cudaGraphMemsetNodeSetParams(N[0], &F));
}

static void clones(cudaGraph_t G, const std::vector<cudaGraphNode_t> &N) {
  cudaGraph_t Clone, Inner;
  cudaGraphNode_t Copy, Child;
  EXPECT_OK(cudaGraphClone(&Clone, G));
  EXPECT_OK(cudaGraphNodeFindInClone(&Copy, N[1], Clone));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&Copy, N[1], G));
  EXPECT_OK(cudaGraphDestroyNode(Copy));
  cudaGraphExec_t Exec = instantiate(Clone);
  launch(Exec);
  // Nothing orders the fill and the copy any more but their creation.
  EXPECT(holds(7));
  EXPECT_OK(cudaGraphExecDestroy(Exec));

  // A graph in a node is a copy, with nodes that the program can name.
  EXPECT_OK(cudaGraphAddChildGraphNode(&Child, Clone, nullptr, 0, G));
  EXPECT_OK(cudaGraphChildGraphNodeGetGraph(Child, &Inner));
  EXPECT(Inner != G);
  cudaGraphNode_t Inside;
  EXPECT_OK(cudaGraphNodeFindInClone(&Inside, N[0], Inner));
  addKernel(Clone, Child, 1, 1000);
  Exec = instantiate(Clone);
  launch(Exec);
  EXPECT(holds(17));
  EXPECT_OK(cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost));
  EXPECT(holds(1017));
  cudaMemsetParams F = {Device, 0, 1, 4, Count, 1};
  EXPECT_OK(cudaGraphExecMemsetNodeSetParams(Exec, Inside, &F));
  launch(Exec);
  EXPECT(holds(11));
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(Inner));
  EXPECT_OK(cudaGraphDestroy(Clone));
}

static void updates(cudaGraph_t G) {
  cudaGraphExec_t Exec = instantiate(G);
  cudaGraphExecUpdateResultInfo Info;
  cudaGraph_t Other;
  EXPECT_OK(cudaGraphCreate(&Other, 0));
  cudaGraphNode_t Kernel = addKernel(Other, addFill(Other, 50), 4, 5), Copy;
  EXPECT_ERROR(cudaErrorGraphExecUpdateFailure,
               cudaGraphExecUpdate(Exec, Other, &Info));
  EXPECT(Info.result == cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&Copy, Other, nullptr, 0, Host, Device,
                                     sizeof(Host), cudaMemcpyDeviceToHost));
  EXPECT_ERROR(cudaErrorGraphExecUpdateFailure,
               cudaGraphExecUpdate(Exec, Other, &Info));
  EXPECT(Info.result == cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT(Info.errorNode == Copy);
  EXPECT_OK(cudaGraphAddDependencies(Other, &Kernel, &Copy, 1));
  EXPECT_OK(cudaGraphExecUpdate(Exec, Other, &Info));
  EXPECT(Info.result == cudaGraphExecUpdateSuccess);
  launch(Exec);
  EXPECT(holds(70));
  cudaGraphNode_t Last;
  EXPECT_OK(cudaGraphDestroyNode(Copy));
  EXPECT_OK(cudaGraphAddEmptyNode(&Last, Other, &Kernel, 1));
  EXPECT_ERROR(cudaErrorGraphExecUpdateFailure,
               cudaGraphExecUpdate(Exec, Other, &Info));
  EXPECT(Info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT(Info.errorNode == Last);
  launch(Exec);
  EXPECT(holds(70));
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT_OK(cudaGraphDestroy(Other));
}

static int Calls = 0;
static void called(void *Value) { Calls += *(int *)Value; }

/// Every type of node in a row, by the call that takes all of them.
static void everyType() {
  cudaGraph_t G, Child;
  cudaEvent_t E;
  int Hundred = 100, Source[Count];
  for (int I = 0; I < Count; ++I)
    Source[I] = I;
  EXPECT_OK(cudaEventCreate(&E));
  EXPECT_OK(cudaGraphCreate(&G, 0));
  EXPECT_OK(cudaGraphCreate(&Child, 0));
  addKernel(Child, nullptr, 1, 1);
  std::vector<cudaGraphNode_t> Nodes;
  auto Add = [&](cudaGraphNodeParams P) {
    cudaGraphNode_t Node = nullptr;
    EXPECT_OK(cudaGraphAddNode(&Node, G, Nodes.empty() ? 0 : &Nodes.back(),
                               nullptr, !Nodes.empty(), &P));
    Nodes.push_back(Node);
  };
  cudaGraphNode_t First, Second;
  EXPECT_OK(cudaGraphAddMemcpyNodeToSymbol(&First, G, nullptr, 0, Variable,
                                           Source, sizeof(Source), 0,
                                           cudaMemcpyHostToDevice));
  Nodes.push_back(First);
  EXPECT_OK(cudaGraphAddMemcpyNodeFromSymbol(&Second, G, &First, 1, Device,
                                             Variable, sizeof(Source), 0,
                                             cudaMemcpyDeviceToDevice));
  Nodes.push_back(Second);
  cudaGraphNodeParams P = {};
  P.type = cudaGraphNodeTypeGraph;
  P.graph.graph = Child;
  Add(P);
  P = {};
  P.type = cudaGraphNodeTypeHost;
  P.host = {called, &Hundred};
  Add(P);
  P = {};
  P.type = cudaGraphNodeTypeEventRecord;
  P.eventRecord.event = E;
  Add(P);
  P = {};
  P.type = cudaGraphNodeTypeWaitEvent;
  P.eventWait.event = E;
  Add(P);
  P = {};
  P.type = cudaGraphNodeTypeMemcpy;
  P.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(Device, 16, 4, 4);
  P.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(Host, 16, 4, 4);
  P.memcpy.copyParams.extent = make_cudaExtent(8, 2, 2);
  P.memcpy.copyParams.srcPtr.ysize = 2;
  P.memcpy.copyParams.dstPtr.ysize = 2;
  P.memcpy.copyParams.kind = cudaMemcpyDefault;
  Add(P);
  cudaGraphExec_t Exec = instantiate(G);
  launch(Exec);
  EXPECT(Calls == 100);
  for (int I = 0; I < Count; ++I)
    EXPECT(Host[I] == (I % 4 < 2 ? I + 1 : -1));
  EXPECT_OK(cudaEventQuery(E));
  cudaEvent_t Same = nullptr;
  EXPECT_OK(cudaGraphEventRecordNodeGetEvent(Nodes[4], &Same));
  EXPECT(Same == E);
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT_OK(cudaGraphDestroy(Child));
  EXPECT_OK(cudaGraphDestroy(G));
}

static int Destroyed = 0;
static void destroy(void *Value) { Destroyed += *(int *)Value; }

static void userObjects() {
  int One = 1;
  cudaUserObject_t Object;
  cudaGraph_t G, Clone;
  EXPECT_OK(cudaGraphCreate(&G, 0));
  EXPECT_OK(cudaUserObjectCreate(&Object, &One, destroy, 1,
                                 cudaUserObjectNoDestructorSync));
  EXPECT_OK(cudaGraphRetainUserObject(G, Object, 1, cudaGraphUserObjectMove));
  cudaGraphExec_t Exec = instantiate(G);
  EXPECT_OK(cudaGraphClone(&Clone, G));
  EXPECT_OK(cudaGraphDestroy(G));
  EXPECT_OK(cudaGraphExecDestroy(Exec));
  EXPECT(!Destroyed);
  EXPECT_OK(cudaGraphReleaseUserObject(Clone, Object));
  EXPECT(Destroyed == 1);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaUserObjectRetain(Object));
  EXPECT_OK(cudaGraphDestroy(Clone));
}

int main(int, char **Args) {
  EXPECT_OK(cudaMalloc(&Device, sizeof(Host)));
  cudaGraph_t G;
  EXPECT_OK(cudaGraphCreate(&G, 0));
  std::vector<cudaGraphNode_t> N = {addFill(G, 7)};
  N.push_back(addKernel(G, N[0], 5, 2));
  N.push_back(nullptr);
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&N[2], G, &N[1], 1, Host, Device,
                                     sizeof(Host), cudaMemcpyDeviceToHost));
  edges(G, N);
  wrongDependencies(G, N);
  wrongNodes(G);
  parameters(G, N);
  clones(G, N);
  updates(G);
  everyType();
  userObjects();

  cudaGraph_t Inner;
  cudaGraphNode_t Node;
  EXPECT_OK(cudaGraphCreate(&Inner, 0));
  EXPECT_OK(cudaGraphAddEmptyNode(&Node, Inner, nullptr, 0));
  EXPECT_OK(cudaGraphAddChildGraphNode(&Node, G, nullptr, 0, Inner));
  unsigned Shown = cudaGraphDebugDotFlagsKernelNodeParams |
                   cudaGraphDebugDotFlagsMemcpyNodeParams |
                   cudaGraphDebugDotFlagsMemsetNodeParams;
  EXPECT_OK(cudaGraphDebugDotPrint(G, Args[1], Shown));
  EXPECT_OK(cudaGraphDestroy(G));
  // What is left is for the reset.
  EXPECT_OK(cudaDeviceReset());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(Inner));
  if (!failures())
    puts("done");
  return failures();
}
