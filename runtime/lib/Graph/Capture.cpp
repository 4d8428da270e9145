//===- Capture.cpp - Streams whose work becomes a graph ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Capture.h"

#include "Runtime.h"

#include <algorithm>
#include <utility>

namespace regshare::cudart {

cudaStreamCaptureMode &threadCaptureMode() {
  static thread_local cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal;
  return Mode;
}

CapturedPoint *CaptureTable::find(const Stream &S) {
  auto It = Streams.find(&S);
  return It == Streams.end() ? nullptr : &It->second;
}

CapturedPoint *CaptureTable::find(const Event &E) {
  auto It = Events.find(&E);
  return It == Events.end() ? nullptr : &It->second;
}

bool CaptureTable::isLegacyStreamBlocked() const {
  return std::any_of(Streams.begin(), Streams.end(),
                     [](const auto &Each) { return Each.first->Blocking; });
}

void CaptureTable::begin(const Stream &S, Capture C,
                         std::vector<GraphNode *> Last) {
  C.Id = NextId++;
  C.Origin = &S;
  C.Thread = std::this_thread::get_id();
  Streams[&S] = {std::make_shared<Capture>(std::move(C)), std::move(Last)};
}

std::shared_ptr<Capture> CaptureTable::end(const Stream &S) {
  std::shared_ptr<Capture> C = Streams.at(&S).In;
  C->IsOver = true;
  std::erase_if(Streams, [&](const auto &Each) { return Each.second.In == C; });
  // An event of it stays one until it is recorded again, without the nodes,
  // which belong to the program now.
  for (auto &[E, Point] : Events)
    if (Point.In == C)
      Point.Last.clear();
  return C;
}

/// \p Nodes and everything that they depend on.
static std::set<const GraphNode *>
withAncestors(const std::vector<GraphNode *> &Nodes) {
  std::set<const GraphNode *> Seen;
  std::vector<const GraphNode *> Next(Nodes.begin(), Nodes.end());
  while (!Next.empty()) {
    const GraphNode *Node = Next.back();
    Next.pop_back();
    if (Seen.insert(Node).second)
      Next.insert(Next.end(), Node->Dependencies.begin(),
                  Node->Dependencies.end());
  }
  return Seen;
}

bool CaptureTable::isJoined(const Capture &C) const {
  std::set<const GraphNode *> Waited = withAncestors(Streams.at(C.Origin).Last);
  for (const auto &[S, Point] : Streams)
    if (Point.In.get() == &C)
      for (const GraphNode *Node : Point.Last)
        if (!Waited.count(Node))
          return false;
  return std::all_of(C.Left.begin(), C.Left.end(),
                     [&](const GraphNode *Node) { return Waited.count(Node); });
}

GraphNode *CaptureTable::add(const Stream &S, Work W) {
  CapturedPoint &Point = Streams.at(&S);
  GraphNode *Node = Point.In->Target->add(std::move(W), Point.Last);
  Point.Last = {Node};
  return Node;
}

void CaptureTable::record(const Stream &S, const Event &E) {
  Events[&E] = Streams.at(&S);
}

void CaptureTable::wait(const Stream &S, const CapturedPoint &E) {
  auto [It, IsNew] = Streams.try_emplace(&S, CapturedPoint{E.In, {}});
  std::vector<GraphNode *> &Last = It->second.Last;
  for (GraphNode *Node : E.Last)
    if (std::find(Last.begin(), Last.end(), Node) == Last.end())
      Last.push_back(Node);
}

void CaptureTable::forget(const Stream &S) {
  auto It = Streams.find(&S);
  if (It == Streams.end())
    return;
  // Without its origin nobody can end a capture.
  if (It->second.In->Origin == &S) {
    end(S);
    return;
  }
  auto &[In, Last] = It->second;
  In->Left.insert(In->Left.end(), Last.begin(), Last.end());
  Streams.erase(It);
}

void CaptureTable::forget(const GraphNode *Node) {
  for (auto &[S, Point] : Streams) {
    std::erase(Point.Last, Node);
    std::erase(Point.In->Left, Node);
  }
  for (auto &[E, Point] : Events)
    std::erase(Point.Last, Node);
}

bool CaptureTable::isTarget(const CUgraph_st &Graph) const {
  return std::any_of(Streams.begin(), Streams.end(), [&](const auto &Each) {
    return Each.second.In->Target == &Graph;
  });
}

void CaptureTable::invalidate(bool OnlyBlocking) {
  for (auto &[S, Point] : Streams)
    if (S->Blocking || !OnlyBlocking)
      Point.In->IsInvalid = true;
}

cudaError_t CaptureTable::allowUnsafeCall() {
  cudaStreamCaptureMode Mine = threadCaptureMode();
  if (Mine == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  cudaError_t Result = cudaSuccess;
  for (auto &[S, Point] : Streams) {
    Capture &C = *Point.In;
    bool IsMine = C.Thread == std::this_thread::get_id();
    bool Forbids = IsMine ? C.Mode != cudaStreamCaptureModeRelaxed
                          : Mine == cudaStreamCaptureModeGlobal &&
                                C.Mode == cudaStreamCaptureModeGlobal;
    if (!Forbids)
      continue;
    C.IsInvalid = true;
    Result = cudaErrorStreamCaptureUnsupported;
  }
  return Result;
}

/// The legacy stream waits for streams that are capturing, which have no work
/// to wait for.
static cudaError_t checkLegacy(Runtime &R, const Stream &S) {
  if (&S != &R.Clock.legacyStream() || !R.Captures.isLegacyStreamBlocked())
    return cudaSuccess;
  R.Captures.invalidate(/*OnlyBlocking=*/true);
  return cudaErrorStreamCaptureImplicit;
}

cudaError_t findStream(Runtime &R, cudaStream_t Handle, Stream *&S) {
  S = R.Clock.find(Handle);
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (CapturedPoint *Point = R.Captures.find(*S))
    return Point->In->IsInvalid ? cudaErrorStreamCaptureInvalidated
                                : cudaSuccess;
  return checkLegacy(R, *S);
}

cudaError_t findStreamToSynchronize(Runtime &R, cudaStream_t Handle,
                                    Stream *&S) {
  if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
    return Error;
  CapturedPoint *Point = R.Captures.find(*S);
  if (!Point)
    return cudaSuccess;
  Point->In->IsInvalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

} // namespace regshare::cudart

using namespace regshare::cudart;

/// Begins to capture \p Handle into \p Graph, or into a new one if it is null.
static cudaError_t beginCapture(Runtime &R, cudaStream_t Handle,
                                CUgraph_st *Graph, NodeList Dependencies,
                                cudaStreamCaptureMode Mode) {
  Stream *S = R.Clock.find(Handle);
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (Mode < cudaStreamCaptureModeGlobal || Mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (S == &R.Clock.legacyStream())
    return cudaErrorStreamCaptureUnsupported;
  if (R.Captures.isCapturing(*S))
    return cudaErrorIllegalState;
  Capture C;
  C.Mode = Mode;
  if (!Graph)
    C.Graph = std::make_shared<CUgraph_st>(R.Graphs);
  C.Target = Graph ? Graph : C.Graph.get();
  R.Captures.begin(*S, std::move(C),
                   {Dependencies.begin(), Dependencies.end()});
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t Handle,
                                   enum cudaStreamCaptureMode Mode) {
  return apiCall(
      [&](Runtime &R) { return beginCapture(R, Handle, nullptr, {}, Mode); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t Handle,
                                          cudaGraph_t Graph,
                                          const cudaGraphNode_t *Dependencies,
                                          const cudaGraphEdgeData *Data,
                                          size_t Count,
                                          enum cudaStreamCaptureMode Mode) {
  return apiCall([&](Runtime &R) {
    if (!R.Graphs.isAlive(Graph) || (Count && !Dependencies))
      return cudaErrorInvalidValue;
    NodeList List(Dependencies, Count);
    if (!Graph->areDistinctNodes(List))
      return cudaErrorInvalidValue;
    if (cudaError_t Error = checkEdges(Data, Count); Error != cudaSuccess)
      return Error;
    return beginCapture(R, Handle, Graph, List, Mode);
  });
}

/// The capture that \p S, which is its origin, can end in this thread.
static cudaError_t checkEnd(Runtime &R, const Stream &S) {
  CapturedPoint *Point = R.Captures.find(S);
  if (!Point)
    return cudaErrorIllegalState;
  Capture &C = *Point->In;
  if (C.Origin != &S) {
    C.IsInvalid = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  bool IsMine = C.Thread == std::this_thread::get_id();
  return IsMine || C.Mode == cudaStreamCaptureModeRelaxed
             ? cudaSuccess
             : cudaErrorStreamCaptureWrongThread;
}

cudaError_t cudaStreamEndCapture(cudaStream_t Handle, cudaGraph_t *Graph) {
  return apiCall([&](Runtime &R) {
    Stream *S = R.Clock.find(Handle);
    if (!S)
      return cudaErrorInvalidResourceHandle;
    if (!Graph)
      return cudaErrorInvalidValue;
    *Graph = nullptr;
    if (cudaError_t Error = checkEnd(R, *S); Error != cudaSuccess)
      return Error;
    bool IsJoined = R.Captures.isJoined(*R.Captures.find(*S)->In);
    std::shared_ptr<Capture> C = R.Captures.end(*S);
    if (C->IsInvalid)
      return cudaErrorStreamCaptureInvalidated;
    if (!IsJoined)
      return cudaErrorStreamCaptureUnjoined;
    *Graph = C->Graph ? R.Graphs.keep(std::move(C->Graph)) : C->Target;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Handle,
                                  enum cudaStreamCaptureStatus *Status) {
  return cudaStreamGetCaptureInfo_v3(Handle, Status);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t Handle,
                                        enum cudaStreamCaptureStatus *Status,
                                        unsigned long long *Id,
                                        cudaGraph_t *Graph,
                                        const cudaGraphNode_t **Dependencies,
                                        const cudaGraphEdgeData **Data,
                                        size_t *Count) {
  return apiCall([&](Runtime &R) {
    Stream *S = R.Clock.find(Handle);
    if (!S)
      return cudaErrorInvalidResourceHandle;
    if (!Status)
      return cudaErrorInvalidValue;
    // Unlike work in that stream the question does not invalidate the capture.
    if (S == &R.Clock.legacyStream() && R.Captures.isLegacyStreamBlocked())
      return cudaErrorStreamCaptureImplicit;
    CapturedPoint *Point = R.Captures.find(*S);
    *Status = !Point                 ? cudaStreamCaptureStatusNone
              : Point->In->IsInvalid ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
    if (*Status != cudaStreamCaptureStatusActive)
      return cudaSuccess;
    if (Id)
      *Id = Point->In->Id;
    if (Graph)
      *Graph = Point->In->Target;
    if (Dependencies)
      *Dependencies = Point->Last.empty() ? nullptr : Point->Last.data();
    if (Data)
      *Data = nullptr;
    if (Count)
      *Count = Point->Last.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t Handle,
                                        enum cudaStreamCaptureStatus *Status,
                                        unsigned long long *Id,
                                        cudaGraph_t *Graph,
                                        const cudaGraphNode_t **Dependencies,
                                        size_t *Count) {
  return cudaStreamGetCaptureInfo_v3(Handle, Status, Id, Graph, Dependencies,
                                     nullptr, Count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(
    cudaStream_t Handle, cudaGraphNode_t *Dependencies,
    const cudaGraphEdgeData *Data, size_t Count, unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
      return Error;
    CapturedPoint *Point = R.Captures.find(*S);
    if (!Point)
      return cudaErrorIllegalState;
    if ((Count && !Dependencies) || Flags > cudaStreamSetCaptureDependencies ||
        !Point->In->Target->areDistinctNodes({Dependencies, Count}))
      return cudaErrorInvalidValue;
    if (cudaError_t Error = checkEdges(Data, Count); Error != cudaSuccess)
      return Error;
    if (Flags == cudaStreamSetCaptureDependencies)
      Point->Last.clear();
    R.Captures.wait(*S, {Point->In, {Dependencies, Dependencies + Count}});
    return cudaSuccess;
  });
}

cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *Mode) {
  return apiCall([&](Runtime &) {
    if (!Mode || *Mode < cudaStreamCaptureModeGlobal ||
        *Mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    std::swap(*Mode, threadCaptureMode());
    return cudaSuccess;
  });
}
