//===- b+tree.cu - Searches in a B+ tree -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Point and range queries on a B+ tree. A CTA answers one query: in every node
/// each thread looks at one key, and the thread whose key interval holds the
/// sought one tells the others where to descend.
///
/// usage: b+tree [KEYS [QUERIES]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <climits>

static constexpr int Order = 128;

/// Slot I covers keys from Keys[I] up to, not including, Keys[I + 1]. In an
/// inner node a slot is a child's number, in a leaf a record's.
struct Node {
  int NumKeys;
  int FirstRank;
  int Keys[Order + 1];
  int Slots[Order];
};

/// The leaf that holds \p Key if any does. All threads of the CTA take part;
/// \p Current is shared by them.
__device__ int descend(const Node *Nodes, int Root, int Height, int Key,
                       int *Current) {
  int T = threadIdx.x;
  if (T == 0)
    *Current = Root;
  __syncthreads();
  for (int Level = 1; Level < Height; ++Level) {
    const Node &N = Nodes[*Current];
    bool Mine = T < N.NumKeys && N.Keys[T] <= Key && Key < N.Keys[T + 1];
    int Next = Mine ? N.Slots[T] : 0;
    __syncthreads();
    if (Mine)
      *Current = Next;
    __syncthreads();
  }
  return *Current;
}

/// Records[I] is the record of Queries[I], or -1.
__global__ void findKernel(const Node *Nodes, int Root, int Height,
                           const int *Queries, int *Records) {
  __shared__ int Current;
  int Key = Queries[blockIdx.x];
  const Node &Leaf = Nodes[descend(Nodes, Root, Height, Key, &Current)];
  int T = threadIdx.x;
  if (T < Leaf.NumKeys && Leaf.Keys[T] == Key)
    Records[blockIdx.x] = Leaf.Slots[T];
}

/// Counts[I] is the number of keys K with Low[I] <= K < High[I].
__global__ void countRangeKernel(const Node *Nodes, int Root, int Height,
                                 const int *Low, const int *High, int *Counts) {
  __shared__ int Current;
  __shared__ int Smaller[2];
  int T = threadIdx.x;
  if (T < 2)
    Smaller[T] = 0;
  for (int End = 0; End < 2; ++End) {
    int Key = End == 0 ? Low[blockIdx.x] : High[blockIdx.x];
    const Node &Leaf = Nodes[descend(Nodes, Root, Height, Key, &Current)];
    if (T < Leaf.NumKeys && Leaf.Keys[T] < Key)
      atomicAdd(&Smaller[End], 1);
    if (T == 0)
      atomicAdd(&Smaller[End], Leaf.FirstRank);
    __syncthreads();
  }
  if (T == 0)
    Counts[blockIdx.x] = Smaller[1] - Smaller[0];
}

/// Groups \p Keys, one per slot, into nodes filled between half and all.
static std::vector<int> addLevel(std::vector<Node> &Nodes,
                                 const std::vector<int> &Keys,
                                 const std::vector<int> &Slots, bool Leaves,
                                 Random &R) {
  std::vector<int> Made;
  for (size_t First = 0; First < Keys.size();) {
    size_t Fill = Order / 2 + R.below(Order / 2 + 1);
    size_t Count = std::min(Fill, Keys.size() - First);
    Node N = {};
    N.NumKeys = (int)Count;
    N.FirstRank = (int)First;
    std::copy_n(Keys.begin() + First, Count, N.Keys);
    std::copy_n(Slots.begin() + First, Count, N.Slots);
    N.Keys[Count] = INT_MAX;
    if (!Leaves && Made.empty())
      N.Keys[0] = INT_MIN;
    Made.push_back((int)Nodes.size());
    Nodes.push_back(N);
    First += Count;
  }
  return Made;
}

int main(int ArgC, char **ArgV) {
  int NumKeys = sizeArgument(ArgC, ArgV, 1, "KEYS", 20000, 1, 10000000);
  int NumQueries = sizeArgument(ArgC, ArgV, 2, "QUERIES", 256, 1, 65535);
  Random R(6);
  std::vector<int> Keys(NumKeys), Slots(NumKeys);
  for (int I = 0; I < NumKeys; ++I) {
    Keys[I] = (I == 0 ? 0 : Keys[I - 1]) + 1 + (int)R.below(4);
    Slots[I] = (int)(I * 2654435761u % (unsigned)NumKeys);
  }
  std::vector<Node> Nodes;
  std::vector<int> Level = addLevel(Nodes, Keys, Slots, true, R);
  int Height = 1;
  for (; Level.size() > 1; ++Height) {
    std::vector<int> FirstKeys;
    for (int Child : Level)
      FirstKeys.push_back(Nodes[Child].Keys[0]);
    Level = addLevel(Nodes, FirstKeys, Level, false, R);
  }
  int Root = Level[0];

  std::vector<int> Queries(NumQueries), Low(NumQueries), High(NumQueries);
  for (int I = 0; I < NumQueries; ++I) {
    Queries[I] = (int)R.below(Keys.back() + 10);
    Low[I] = (int)R.below(Keys.back() + 10);
    High[I] = Low[I] + (int)R.below(5000);
  }
  DeviceArray<Node> Tree(Nodes);
  DeviceArray<int> DeviceQueries(Queries), DeviceLow(Low), DeviceHigh(High),
      Records(NumQueries), Counts(NumQueries);
  Records.fillBytes(0xff);
  findKernel<<<NumQueries, Order>>>(Tree.get(), Root, Height,
                                    DeviceQueries.get(), Records.get());
  countRangeKernel<<<NumQueries, Order>>>(Tree.get(), Root, Height,
                                          DeviceLow.get(), DeviceHigh.get(),
                                          Counts.get());
  finishKernels();

  auto Rank = [&](int Key) {
    return std::lower_bound(Keys.begin(), Keys.end(), Key) - Keys.begin();
  };
  std::vector<int> GotRecords = Records.toHost(), GotCounts = Counts.toHost();
  Verifier V;
  for (int I = 0; I < NumQueries; ++I) {
    size_t At = Rank(Queries[I]);
    bool Found = At < Keys.size() && Keys[At] == Queries[I];
    V.compare("record", I, GotRecords[I], Found ? Slots[At] : -1);
    V.compare("count", I, GotCounts[I], (double)(Rank(High[I]) - Rank(Low[I])));
  }
  return V.report();
}
