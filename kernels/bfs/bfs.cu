//===- bfs.cu - Breadth-first search -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Distances from one vertex of a graph, level by level. One kernel lets every
/// vertex of the frontier mark its unvisited neighbours; a second one makes the
/// marked vertices the next frontier and says whether there are any.
///
/// usage: bfs [VERTICES [DEGREE]]    (DEGREE is the average number of edges)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <queue>

static constexpr int Threads = 256;

/// The edges of a vertex are Count entries of the edge list from First on.
struct Vertex {
  int First, Count;
};

__global__ void expandKernel(const Vertex *Vertices, const int *Edges,
                             unsigned char *Frontier, unsigned char *Marked,
                             const unsigned char *Visited, int *Distance,
                             int NumVertices) {
  int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= NumVertices || !Frontier[V])
    return;
  Frontier[V] = 0;
  int Last = Vertices[V].First + Vertices[V].Count;
  for (int E = Vertices[V].First; E < Last; ++E) {
    int Neighbour = Edges[E];
    if (Visited[Neighbour])
      continue;
    // Several threads may write here, all of them the same value.
    Distance[Neighbour] = Distance[V] + 1;
    Marked[Neighbour] = 1;
  }
}

__global__ void advanceKernel(unsigned char *Frontier, unsigned char *Marked,
                              unsigned char *Visited, int *More,
                              int NumVertices) {
  int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= NumVertices || !Marked[V])
    return;
  Frontier[V] = 1;
  Visited[V] = 1;
  Marked[V] = 0;
  *More = 1;
}

static std::vector<int> hostDistances(const std::vector<Vertex> &Vertices,
                                      const std::vector<int> &Edges) {
  std::vector<int> Distance(Vertices.size(), -1);
  std::queue<int> Queue;
  Distance[0] = 0;
  Queue.push(0);
  while (!Queue.empty()) {
    int V = Queue.front();
    Queue.pop();
    for (int E = 0; E < Vertices[V].Count; ++E) {
      int Neighbour = Edges[Vertices[V].First + E];
      if (Distance[Neighbour] >= 0)
        continue;
      Distance[Neighbour] = Distance[V] + 1;
      Queue.push(Neighbour);
    }
  }
  return Distance;
}

int main(int ArgC, char **ArgV) {
  int NumVertices = sizeArgument(ArgC, ArgV, 1, "VERTICES", 8192, 1, 1 << 24);
  int Degree = sizeArgument(ArgC, ArgV, 2, "DEGREE", 5, 1, 120);
  Random R(8);
  std::vector<Vertex> Vertices(NumVertices);
  std::vector<int> Edges;
  for (Vertex &V : Vertices) {
    // Degrees differ, so that the lanes of a warp have different work.
    V = {(int)Edges.size(), (int)R.below(2 * Degree + 1)};
    for (int E = 0; E < V.Count; ++E)
      Edges.push_back((int)R.below(NumVertices));
  }
  if (Edges.empty())
    Edges.push_back(0);

  DeviceArray<Vertex> DeviceVertices(Vertices);
  DeviceArray<int> DeviceEdges(Edges), More(1);
  std::vector<unsigned char> OnlyFirst(NumVertices, 0);
  OnlyFirst[0] = 1;
  DeviceArray<unsigned char> Frontier(OnlyFirst), Visited(OnlyFirst),
      Marked(NumVertices);
  Marked.fillBytes(0);
  std::vector<int> Distance(NumVertices, -1);
  Distance[0] = 0;
  DeviceArray<int> DeviceDistance(Distance);

  int Blocks = divideUp(NumVertices, Threads);
  bool Continue = true;
  while (Continue) {
    More.fillBytes(0);
    expandKernel<<<Blocks, Threads>>>(
        DeviceVertices.get(), DeviceEdges.get(), Frontier.get(), Marked.get(),
        Visited.get(), DeviceDistance.get(), NumVertices);
    advanceKernel<<<Blocks, Threads>>>(Frontier.get(), Marked.get(),
                                       Visited.get(), More.get(), NumVertices);
    finishKernels();
    Continue = More.toHost()[0] != 0;
  }

  Verifier V;
  V.compareAll("distance", DeviceDistance.toHost(),
               hostDistances(Vertices, Edges));
  return V.report();
}
