//===- Timeline.h - When things happen on the simulated device -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Simulated time, in seconds since the program's first call. Work executes on
/// the host at the moment it is issued, which is an order that streams and
/// events allow; this class says when it would have executed on the device: no
/// earlier than the work before it in its stream and what that waits for, and
/// one piece of work at a time on each of the device's engines. The host's own
/// code takes no time.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_TIMELINE_H
#define REGSHARE_RUNTIME_TIMELINE_H

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace regshare::cudart {

struct Stream {
  unsigned Number = 0; ///< 0 is the legacy default stream.
  unsigned Flags = 0;
  int Priority = 0;
  /// Waits for the legacy default stream, and that for it.
  bool Blocking = true;
  double Ready = 0; ///< When all its work so far is done.
  /// Hints by the numbers of CUDA's attributes, which change nothing.
  std::map<int, std::array<char, 64>> Hints = {};
};

/// What does work independently of the others.
enum class Engine { SMs, ToDevice, ToHost, OnDevice };
inline constexpr unsigned NumEngines = 4;

class Timeline {
public:
  Timeline();

  Stream &legacyStream() { return *Streams[0]; }
  Stream &perThreadStream() { return *Streams[1]; }
  /// Null if \p S is no stream of this device.
  Stream *find(const void *S);
  Stream *create(unsigned Flags, int Priority);
  void destroy(Stream *S);

  struct Interval {
    double Begin = 0, End = 0;
  };
  /// Work in \p S that takes \p E for \p Seconds.
  Interval run(Stream &S, Engine E, double Seconds);
  /// When the work issued to \p S so far is done.
  double readyTime(const Stream &S) const;
  /// Later work of \p S begins no earlier than \p Time.
  void waitUntil(Stream &S, double Time);
  /// The host waits for \p Time, and issues nothing before.
  void advanceHost(double Time);
  /// When everything issued so far is done.
  double end() const;

private:
  std::vector<std::unique_ptr<Stream>> Streams;
  unsigned NextNumber = 2;
  double Host = 0;
  std::array<double, NumEngines> Free = {};
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_TIMELINE_H
