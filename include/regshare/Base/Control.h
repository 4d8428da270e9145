//===- regshare/Base/Control.h - Control of dependences ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an instruction of a GPU since Volta says of its dependences, which its
/// hardware does not find by itself (Huerta et al., MICRO 2025), as a statement
/// of annotated PTX: `regshare.control`.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_CONTROL_H
#define REGSHARE_BASE_CONTROL_H

#include "regshare/Base/Annotation.h"

#include <cstdint>
#include <optional>

namespace regshare {

/// Dependence counters of a warp.
inline constexpr unsigned NumDependenceCounters = 6;
inline constexpr unsigned MaxStall = 15;
/// Cycles from the issue of what raises a counter to the first issue that finds
/// it raised.
inline constexpr unsigned RaiseCycles = 2;

/// What an instruction says: how long the warp waits after it, and for what.
struct Control {
  /// Cycles from the issue until the warp may issue its next instruction.
  unsigned Stall = 1;
  /// The counter that is raised until the results are written.
  std::optional<unsigned> Write;
  /// The counter that is raised until the operands have been read.
  std::optional<unsigned> Read;
  /// A mask of counters that have to be zero before the instruction issues.
  unsigned Wait = 0;
  /// If not 0, all else is as by default, and so many instructions wait each
  /// until nothing of the warp is under way, as does what comes after them.
  unsigned Serial = 0;

  bool isDefault() const { return *this == Control(); }
  friend bool operator==(const Control &, const Control &) = default;
};

/// A Control in two bytes, for who looks at it in each cycle.
class ControlBits {
public:
  constexpr ControlBits() = default;
  constexpr explicit ControlBits(const Control &C)
      : Bits(uint16_t(C.Serial ? 0
                               : C.Stall | (C.Write ? *C.Write + 1 : 0) << 4 |
                                     (C.Read ? *C.Read + 1 : 0) << 7 |
                                     C.Wait << 10)) {}
  unsigned stall() const { return Bits & 15; } ///< 0: it is serial.
  bool isSerial() const { return !stall(); }
  /// One more than the number of the counter; 0: none.
  unsigned write() const { return Bits >> 4 & 7; }
  unsigned read() const { return Bits >> 7 & 7; }
  unsigned wait() const { return Bits >> 10; }

private:
  uint16_t Bits = 1;
};

/// `.pragma "regshare.control stall=4 write=0 wait=1,2";`, without what is as
/// by default. \p C is not the default.
std::string printControlPragma(const Control &C);
/// Fails on a key that is not known, and on a value out of its range.
Result<Control> parseControl(const Statement &S);

} // namespace regshare

#endif // REGSHARE_BASE_CONTROL_H
