// Random graphs: nodes of all kinds that read and write cells of memory, with
// the dependencies that their cells ask for and some more. What a graph leaves
// is what its nodes leave one after the other on the host, for one that is
// built node by node, for one that is captured from several streams, for a
// clone, for one inside a node, and for one whose work an update gave it.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 1 150
// RUN: env REGSHARE_DEVICE=h100 %run %t 1000 3

#include "../Inputs/expect.h"
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

static constexpr int Cells = 6, Width = 32;
using Memory = int[2][Cells][Width]; // On the device, on the host.

/// To = To * A + From + B, or a cell's part of it.
__global__ void combine(int *To, const int *From, int A, int B) {
  To[threadIdx.x] = To[threadIdx.x] * A + From[threadIdx.x] + B;
}

enum Kind { Kernel, Fill, DeviceCopy, ToHost, ToDevice, Call, Nothing, Kinds };
struct Operation {
  Kind What;
  int To, From, A, B;
  bool writesHost() const { return What == ToHost || What == Call; }
  bool readsHost() const { return What == ToDevice || What == Call; }
};

static int *Device;
static Memory Now;
static int *cell(bool OnHost, int N) {
  return OnHost ? Now[1][N] : Device + N * Width;
}

/// The slow way, on the host's own memory.
static void doOnHost(const Operation &O, Memory &M) {
  int *To = M[O.writesHost()][O.To], *From = M[O.readsHost()][O.From];
  for (int I = 0; I < Width; ++I)
    switch (O.What) {
    case Kernel:
    case Call:
      To[I] = int(unsigned(To[I]) * O.A + From[I] + O.B);
      break;
    case Fill:
      To[I] = O.B;
      break;
    case Nothing:
      break;
    default:
      To[I] = From[I];
    }
}

struct HostCall {
  Operation O;
  static void run(void *Data) { doOnHost(((HostCall *)Data)->O, Now); }
};

struct Problem {
  std::vector<Operation> Operations;
  std::vector<std::vector<int>> Before;
  std::vector<HostCall> Calls; // Their addresses are the nodes' arguments.
};

/// Both touch a cell, and one writes it.
static bool conflict(const Operation &X, const Operation &Y) {
  auto Id = [](bool OnHost, int N) { return OnHost * Cells + N; };
  auto Writes = [&](const Operation &O) {
    return O.What == Nothing ? -1 : Id(O.writesHost(), O.To);
  };
  auto Reads = [&](const Operation &O) {
    return O.What == Nothing || O.What == Fill ? -2 : Id(O.readsHost(), O.From);
  };
  return (Writes(X) >= 0 &&
          (Writes(X) == Writes(Y) || Writes(X) == Reads(Y))) ||
         (Writes(Y) >= 0 && Writes(Y) == Reads(X));
}

static Problem make(std::mt19937 &Random, int Size, const Problem *Like) {
  Problem P;
  for (int N = 0; N < Size; ++N) {
    Operation O = {Kind(Random() % Kinds), int(Random() % Cells),
                   int(Random() % Cells), int(Random() % 5),
                   int(Random() % 1000)};
    if (Like) {
      // Another's work in the same places.
      O.What = Like->Operations[N].What;
      O.To = Like->Operations[N].To;
      O.From = Like->Operations[N].From;
    }
    // A fill is one of bytes, too.
    if (O.What == Fill)
      O.B = O.B % 128 * 0x01010101;
    // A cell does not overlap itself in a copy.
    if (O.To == O.From)
      O.From = (O.From + 1) % Cells;
    std::vector<int> Before;
    for (int Each = 0; Each < N; ++Each)
      if (Like ? false : conflict(P.Operations[Each], O) || Random() % 16 == 0)
        Before.push_back(Each);
    P.Operations.push_back(O);
    P.Before.push_back(Like ? Like->Before[N] : Before);
    P.Calls.push_back({O});
  }
  return P;
}

static cudaGraphNode_t add(cudaGraph_t G, Problem &P, int N,
                           const std::vector<cudaGraphNode_t> &Before) {
  const Operation &O = P.Operations[N];
  int *To = cell(O.writesHost(), O.To), *From = cell(O.readsHost(), O.From);
  size_t Bytes = Width * sizeof(int);
  cudaGraphNode_t Node = nullptr;
  if (O.What == Kernel) {
    void *Args[] = {&To, &From, (void *)&O.A, (void *)&O.B};
    cudaKernelNodeParams K = {(void *)combine, dim3(1), dim3(Width), 0, Args,
                              nullptr};
    EXPECT_OK(
        cudaGraphAddKernelNode(&Node, G, Before.data(), Before.size(), &K));
  } else if (O.What == Fill) {
    cudaMemsetParams F = {To, 0, unsigned(O.B), 4, Width, 1};
    EXPECT_OK(
        cudaGraphAddMemsetNode(&Node, G, Before.data(), Before.size(), &F));
  } else if (O.What == Call) {
    cudaHostNodeParams H = {HostCall::run, &P.Calls[N]};
    EXPECT_OK(cudaGraphAddHostNode(&Node, G, Before.data(), Before.size(), &H));
  } else if (O.What == Nothing) {
    EXPECT_OK(cudaGraphAddEmptyNode(&Node, G, Before.data(), Before.size()));
  } else {
    EXPECT_OK(cudaGraphAddMemcpyNode1D(&Node, G, Before.data(), Before.size(),
                                       To, From, Bytes, cudaMemcpyDefault));
  }
  return Node;
}

/// Nodes are created in a random order, and connected after that.
static cudaGraph_t build(Problem &P, std::mt19937 &Random) {
  cudaGraph_t G;
  EXPECT_OK(cudaGraphCreate(&G, 0));
  int Size = int(P.Operations.size());
  std::vector<cudaGraphNode_t> Nodes(Size);
  std::vector<int> Order(Size);
  for (int N = 0; N < Size; ++N)
    std::swap(Order[N] = N, Order[Random() % (N + 1)]);
  for (int N : Order)
    Nodes[N] = add(G, P, N, {});
  for (int N = 0; N < Size; ++N)
    for (int Each : P.Before[N])
      EXPECT_OK(
          cudaGraphAddDependencies(G, &Nodes[Each], &Nodes[N], nullptr, 1));
  return G;
}

/// Each operation in a random stream, which waits for events of those before.
static cudaGraph_t capture(Problem &P, std::mt19937 &Random) {
  constexpr int Streams = 3;
  cudaStream_t S[Streams];
  cudaEvent_t Start;
  std::vector<cudaEvent_t> Events(P.Operations.size());
  for (cudaStream_t &Each : S)
    EXPECT_OK(cudaStreamCreateWithFlags(&Each, cudaStreamNonBlocking));
  for (cudaEvent_t &Each : Events)
    EXPECT_OK(cudaEventCreate(&Each));
  EXPECT_OK(cudaEventCreate(&Start));
  EXPECT_OK(cudaStreamBeginCapture(S[0], cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaEventRecord(Start, S[0]));
  for (int N = 1; N < Streams; ++N)
    EXPECT_OK(cudaStreamWaitEvent(S[N], Start, 0));
  for (size_t N = 0; N < P.Operations.size(); ++N) {
    const Operation &O = P.Operations[N];
    cudaStream_t In = S[Random() % Streams];
    int *To = cell(O.writesHost(), O.To), *From = cell(O.readsHost(), O.From);
    for (int Each : P.Before[N])
      EXPECT_OK(cudaStreamWaitEvent(In, Events[Each], 0));
    if (O.What == Kernel)
      combine<<<1, Width, 0, In>>>(To, From, O.A, O.B);
    else if (O.What == Fill)
      EXPECT_OK(cudaMemsetAsync(To, O.B & 0xff, Width * sizeof(int), In));
    else if (O.What == Call)
      EXPECT_OK(cudaLaunchHostFunc(In, HostCall::run, &P.Calls[N]));
    else if (O.What != Nothing)
      EXPECT_OK(cudaMemcpyAsync(To, From, Width * sizeof(int),
                                cudaMemcpyDefault, In));
    EXPECT_OK(cudaEventRecord(Events[N], In));
  }
  for (int N = 1; N < Streams; ++N) {
    EXPECT_OK(cudaEventRecord(Start, S[N]));
    EXPECT_OK(cudaStreamWaitEvent(S[0], Start, 0));
  }
  cudaGraph_t G = nullptr;
  EXPECT_OK(cudaStreamEndCapture(S[0], &G));
  for (cudaStream_t Each : S)
    EXPECT_OK(cudaStreamDestroy(Each));
  Events.push_back(Start);
  for (cudaEvent_t Each : Events)
    EXPECT_OK(cudaEventDestroy(Each));
  return G;
}

static void start(Memory &M, unsigned Seed) {
  std::mt19937 Random(Seed);
  for (auto &Side : M)
    for (auto &Cell : Side)
      for (int &Each : Cell)
        Each = int(Random() % 100);
}

/// Launches what comes out of \p G once, and compares what it leaves.
static void expectSame(cudaGraphExec_t Exec, const Problem &P, unsigned Seed,
                       const char *What) {
  Memory Wanted;
  start(Wanted, Seed);
  for (const Operation &O : P.Operations)
    doOnHost(O, Wanted);
  start(Now, Seed);
  EXPECT_OK(cudaMemcpy(Device, Now[0], sizeof(Now[0]), cudaMemcpyDefault));
  EXPECT_OK(cudaGraphLaunch(Exec, nullptr));
  EXPECT_OK(cudaMemcpy(Now[0], Device, sizeof(Now[0]), cudaMemcpyDefault));
  if (std::memcmp(Now, Wanted, sizeof(Now)) != 0) {
    std::fprintf(stderr, "seed %u: %s leaves something else\n", Seed, What);
    ++failures();
  }
}

static cudaGraphExec_t instantiate(cudaGraph_t G) {
  cudaGraphExec_t Exec = nullptr;
  EXPECT_OK(cudaGraphInstantiate(&Exec, G));
  return Exec;
}

/// What comes out of \p G, which is destroyed before the launch.
static void expectSame(cudaGraph_t G, const Problem &P, unsigned Seed,
                       const char *What) {
  cudaGraphExec_t Exec = instantiate(G);
  EXPECT_OK(cudaGraphDestroy(G));
  expectSame(Exec, P, Seed, What);
  EXPECT_OK(cudaGraphExecDestroy(Exec));
}

static void test(unsigned Seed) {
  std::mt19937 Random(Seed);
  Problem P = make(Random, 1 + int(Random() % 24), nullptr);
  cudaGraph_t G = build(P, Random), Clone, Outer;
  EXPECT_OK(cudaGraphClone(&Clone, G));
  EXPECT_OK(cudaGraphCreate(&Outer, 0));
  cudaGraphNode_t Inside;
  EXPECT_OK(cudaGraphAddChildGraphNode(&Inside, Outer, nullptr, 0, G));
  expectSame(Clone, P, Seed, "a clone");
  expectSame(Outer, P, Seed, "a graph in a node");

  // The same creation order for both, so that nodes belong together.
  std::mt19937 First(Seed + 1), Second(Seed + 1);
  Problem Other = make(Random, int(P.Operations.size()), &P);
  cudaGraph_t Before = build(Other, First), After = build(P, Second);
  cudaGraphExec_t Exec = instantiate(Before);
  expectSame(Exec, Other, Seed, "a graph before its update");
  cudaGraphExecUpdateResultInfo Info;
  EXPECT_OK(cudaGraphExecUpdate(Exec, After, &Info));
  EXPECT_OK(cudaGraphDestroy(Before));
  EXPECT_OK(cudaGraphDestroy(After));
  expectSame(Exec, P, Seed, "an updated graph");
  EXPECT_OK(cudaGraphExecDestroy(Exec));

  expectSame(G, P, Seed, "a graph");
  expectSame(capture(P, Random), P, Seed, "a captured graph");
}

int main(int, char **Args) {
  unsigned First = std::atoi(Args[1]), Number = std::atoi(Args[2]);
  EXPECT_OK(cudaMalloc(&Device, sizeof(Now[0])));
  for (unsigned Seed = First; Seed != First + Number && !failures(); ++Seed)
    test(Seed);
  return failures();
}
