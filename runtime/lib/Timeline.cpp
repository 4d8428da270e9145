//===- Timeline.cpp - When things happen on the simulated device -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "cuda_runtime_api.h"

#include <algorithm>

namespace regshare::cudart {

Timeline::Timeline() {
  for (unsigned Number : {0u, 1u})
    Streams.push_back(std::make_unique<Stream>(Stream{Number}));
}

Stream *Timeline::find(const void *S) {
  if (!S || S == cudaStreamLegacy)
    return &legacyStream();
  if (S == cudaStreamPerThread)
    return &perThreadStream();
  for (auto &Known : Streams)
    if (Known.get() == S)
      return Known.get();
  return nullptr;
}

Stream *Timeline::create(unsigned Flags, int Priority) {
  bool Blocking = !(Flags & cudaStreamNonBlocking);
  Streams.push_back(std::make_unique<Stream>(
      Stream{NextNumber++, Flags, Priority, Blocking, Host}));
  return Streams.back().get();
}

void Timeline::destroy(Stream *S) {
  std::erase_if(Streams, [&](auto &Known) { return Known.get() == S; });
}

double Timeline::readyTime(const Stream &S) const {
  double Time = std::max(S.Ready, Host);
  if (S.Number == 0) {
    for (const auto &Other : Streams)
      if (Other->Blocking)
        Time = std::max(Time, Other->Ready);
  } else if (S.Blocking) {
    Time = std::max(Time, Streams[0]->Ready);
  }
  return Time;
}

Timeline::Interval Timeline::run(Stream &S, Engine E, double Seconds) {
  double &EngineFree = Free[unsigned(E)];
  double Begin = std::max(readyTime(S), EngineFree);
  EngineFree = S.Ready = Begin + Seconds;
  return {Begin, S.Ready};
}

void Timeline::waitUntil(Stream &S, double Time) {
  S.Ready = std::max(S.Ready, Time);
}

void Timeline::advanceHost(double Time) { Host = std::max(Host, Time); }

double Timeline::end() const {
  double Time = Host;
  for (const auto &S : Streams)
    Time = std::max(Time, S->Ready);
  return Time;
}

} // namespace regshare::cudart
