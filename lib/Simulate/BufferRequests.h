//===- BufferRequests.h - What to do with buffers at the end - -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_SIMULATE_BUFFERREQUESTS_H
#define REGSHARE_LIB_SIMULATE_BUFFERREQUESTS_H

#include "regshare/Simulate/Simulation.h"

namespace regshare {

/// A simulation's arguments, and where their buffers are.
struct BoundArguments {
  std::vector<Argument> Arguments;
  std::vector<uint64_t> Addresses; ///< 0 for what is no buffer.
  std::vector<uint8_t> Bytes;      ///< The kernel's parameter space.
};

/// A --print-arg, --check-arg or --write-arg, understood.
struct BufferRequest {
  unsigned Argument = 0;
  uint64_t Count = 0;            ///< Elements to look at, from the first on.
  std::vector<uint8_t> Expected; ///< Of a check.
  double Tolerance = 0;          ///< Of a check.
  std::string Path;              ///< Where to write.
};

struct BufferRequests {
  std::vector<BufferRequest> Prints, Checks, Writes;
};

/// Reads the options of \p Request; errors name the option.
Result<BufferRequests> parseRequests(const SimulationRequest &Request,
                                     const std::vector<Argument> &Arguments);

/// These fail if the kernel has freed the buffer.
Result<BufferContents> showBuffer(const BoundArguments &B,
                                  const sim::GlobalMemory &Memory,
                                  const BufferRequest &R);
/// Fails with the first elements that are not as expected.
Result<void> checkBuffer(const BoundArguments &B,
                         const sim::GlobalMemory &Memory,
                         const BufferRequest &R);
Result<void> writeBuffer(const BoundArguments &B,
                         const sim::GlobalMemory &Memory,
                         const BufferRequest &R);

} // namespace regshare

#endif // REGSHARE_LIB_SIMULATE_BUFFERREQUESTS_H
