//===- regshare/Base/Setmaxnreg/Setmaxnreg.h - A CTA's registers -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Register sharing that ships: from sm_90a on, the warps of a CTA hand
/// registers to each other through a pool (PTX ISA, setmaxnreg).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SETMAXNREG_SETMAXNREG_H
#define REGSHARE_BASE_SETMAXNREG_SETMAXNREG_H

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"

#include <string>
#include <vector>

namespace regshare {

namespace schemes {
extern const SchemeDescription Setmaxnreg;
} // namespace schemes

/// What an instruction may ask for (PTX ISA, setmaxnreg): a multiple of Unit.
namespace register_count {
inline constexpr unsigned Least = 24, Most = 256, Unit = 8;
} // namespace register_count

/// Warps that execute each setmaxnreg together (PTX ISA, warpgroup).
inline constexpr unsigned WarpsOfGroup = 4;

/// `setmaxnreg.inc` or `setmaxnreg.dec`.
struct CountChange {
  bool Increases = false;
  unsigned Count = 0; ///< Registers that a thread has after it.

  friend bool operator==(const CountChange &, const CountChange &) = default;
};
/// "setmaxnreg.dec 24".
std::string printChange(const CountChange &C);

/// Why no instruction may ask for \p Count registers; empty: it may.
std::string whyNoCount(unsigned Count);
/// Why a thread that has \p Before registers may not execute \p C; empty: it
/// may.
std::string whyNoChange(const CountChange &C, unsigned Before);

/// Why a device does not have the instruction; empty: it does.
std::string whyNotOn(const DeviceDescription &D);

/// Registers of a thread when the kernel starts, a multiple of
/// register_count::Unit; what a kernel says once.
struct LaunchRegisters {
  unsigned PerThread = 0;

  friend bool operator==(const LaunchRegisters &,
                         const LaunchRegisters &) = default;
};
/// `.pragma "regshare.pool launch=80";`.
std::string printPoolPragma(LaunchRegisters Launch);
/// Reads what printPoolPragma writes.
Result<LaunchRegisters> parsePool(const Statement &S);

/// What a CTA takes of an SM: the registers that it starts with, whatever its
/// warps have later.
KernelResources atLaunch(KernelResources K, const SchemeFacts &Facts);

/// The registers of a CTA, in rows: registers per thread of one warp. What a
/// warp gives up others can have; a warp that ends gives up nothing, since PTX
/// has .dec alone release registers.
class RegisterPool {
public:
  RegisterPool() = default;
  RegisterPool(unsigned Warps, unsigned PerThread) : Counts(Warps, PerThread) {}

  unsigned numWarps() const { return unsigned(Counts.size()); }
  /// Rows that a warp has.
  unsigned countOf(unsigned Warp) const { return Counts[Warp]; }
  /// Rows that no warp has.
  unsigned left() const { return Left; }
  /// Whether there are the rows that \p Warp needs to have \p Count.
  bool has(unsigned Warp, unsigned Count) const {
    return Count <= Counts[Warp] + Left;
  }
  /// \p Warp has \p Count rows from now on, for which there are enough.
  void change(unsigned Warp, unsigned Count);

private:
  std::vector<unsigned> Counts; ///< By warp of the CTA.
  unsigned Left = 0;
};

} // namespace regshare

#endif // REGSHARE_BASE_SETMAXNREG_SETMAXNREG_H
