//===- Capture.h - Streams whose work becomes a graph -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// While a stream is capturing, its work is added to a graph instead of being
/// done. Other streams join the capture by waiting for an event recorded in it.
/// What cannot be captured invalidates the capture.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_GRAPH_CAPTURE_H
#define REGSHARE_RUNTIME_GRAPH_CAPTURE_H

#include "Graph.h"

#include <thread>

namespace regshare::cudart {

struct Event;
struct Stream;

/// From cudaStreamBeginCapture to cudaStreamEndCapture.
struct Capture {
  unsigned long long Id = 0;
  std::shared_ptr<CUgraph_st> Graph; ///< Null: it is one of the program's.
  CUgraph_st *Target = nullptr;      ///< Where nodes are added.
  const Stream *Origin = nullptr;
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal;
  std::thread::id Thread;
  /// Of streams that took part and are destroyed.
  std::vector<const GraphNode *> Left;
  bool IsInvalid = false;
  bool IsOver = false;
};

/// A stream's or an event's part in a capture.
struct CapturedPoint {
  std::shared_ptr<Capture> In;
  /// What the next node depends on.
  std::vector<GraphNode *> Last;
};

class CaptureTable {
public:
  bool isCapturing(const Stream &S) const { return Streams.count(&S); }
  /// Null if the stream is not capturing.
  CapturedPoint *find(const Stream &S);
  /// Null if the event was recorded last outside of captures.
  CapturedPoint *find(const Event &E);
  /// A capture of a stream that waits for the legacy one is under way.
  bool isLegacyStreamBlocked() const;

  void begin(const Stream &S, Capture C, std::vector<GraphNode *> Last);
  /// Ends the capture of \p S. The graph is null where it is the program's.
  std::shared_ptr<Capture> end(const Stream &S);
  /// Every other stream's work is waited for by the origin's.
  bool isJoined(const Capture &C) const;

  /// Adds the next node of a stream that is capturing.
  GraphNode *add(const Stream &S, Work W);
  /// \p E stands for what \p S has done so far.
  void record(const Stream &S, const Event &E);
  /// \p S goes on after \p E, too, and is in the event's capture from now on.
  void wait(const Stream &S, const CapturedPoint &E);
  void forget(const Event &E) { Events.erase(&E); }
  /// The stream is destroyed.
  void forget(const Stream &S);
  /// Nodes that are destroyed are no more to be depended on.
  void forget(const GraphNode *Node);

  /// Invalidates all captures, or those of streams that wait for the legacy
  /// one.
  void invalidate(bool OnlyBlocking);
  /// cudaSuccess if calls that may synchronise are allowed in this thread; else
  /// the captures that forbid them are invalidated.
  cudaError_t allowUnsafeCall();
  bool empty() const { return Streams.empty(); }
  /// Nodes are being added to \p Graph.
  bool isTarget(const CUgraph_st &Graph) const;

private:
  std::map<const Stream *, CapturedPoint> Streams;
  std::map<const Event *, CapturedPoint> Events;
  unsigned long long NextId = 1;
};

/// The stream of a call that adds work to it. An error, which invalidates
/// captures as CUDA does, if there is none or it cannot take work.
cudaError_t findStream(Runtime &R, cudaStream_t Handle, Stream *&S);
/// The stream of a call that waits for its work, or asks for it.
cudaError_t findStreamToSynchronize(Runtime &R, cudaStream_t Handle,
                                    Stream *&S);
/// How this thread's calls are affected by captures.
cudaStreamCaptureMode &threadCaptureMode();

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_GRAPH_CAPTURE_H
