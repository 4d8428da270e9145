//===- MbarrierObject.h - The barrier in shared memory ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The 64 bits of an mbarrier, which PTX leaves open: what a phase expects,
/// what is still to arrive, bytes that are still to be copied, and the parity
/// of the phase. A token is the object as it was before an arrival.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_MBARRIEROBJECT_H
#define REGSHARE_SIM_EXEC_MBARRIEROBJECT_H

#include <cstdint>
#include <cstring>

namespace regshare::sim {

/// What an instruction does with one (Inst::Round).
enum class MbarrierOp : uint8_t {
  Init,
  Invalidate,
  Arrive,
  ArriveExpect, ///< Expects bytes first.
  Drop,         ///< Arrives, and later phases expect fewer.
  DropExpect,
  Expect,
  Complete,     ///< Bytes have been copied.
  ArriveCopies, ///< Of cp.async: an arrival beyond those that are expected,
  ArriveCopiesNoIncrease, ///< or one of them.
};

struct MbarrierObject {
  /// PTX ISA, "Size and alignment of mbarrier object", "Contents".
  static constexpr uint32_t MaxCount = (1u << 20) - 1;
  static constexpr int32_t MaxBytes = (1 << 20) - 1;

  uint32_t Expected = 0, Pending = 0;
  int32_t Bytes = 0;
  bool Parity = false;

  static MbarrierObject unpack(uint64_t Word) {
    return {uint32_t(Word & MaxCount), uint32_t(Word >> 20 & MaxCount),
            int32_t(uint32_t(Word >> 40 & 0x1FFFFF) << 11) >> 11,
            bool(Word >> 62 & 1)};
  }
  /// The top bit tells an object from zeros.
  uint64_t pack() const {
    return uint64_t(Expected) | uint64_t(Pending) << 20 |
           uint64_t(uint32_t(Bytes) & 0x1FFFFF) << 40 | uint64_t(Parity) << 62 |
           uint64_t(1) << 63;
  }
  static bool isOne(uint64_t Word) { return Word >> 63; }

  /// The next phase begins when nothing is pending.
  void endPhase() {
    if (Pending || Bytes)
      return;
    Pending = Expected;
    Parity = !Parity;
  }
  /// False if it cannot be: counts beyond their ranges.
  bool apply(MbarrierOp Op, uint32_t Count) {
    switch (Op) {
    case MbarrierOp::Init:
      *this = {Count, Count, 0, false};
      return Count && Count <= MaxCount;
    case MbarrierOp::Invalidate:
    case MbarrierOp::ArriveCopies: // Arrives as often as it adds.
      return true;
    case MbarrierOp::Expect:
      if (!addBytes(int64_t(Count)))
        return false;
      endPhase(); // The bytes may have come before they were expected.
      return true;
    case MbarrierOp::Complete:
      if (!addBytes(-int64_t(Count)))
        return false;
      endPhase();
      return true;
    case MbarrierOp::ArriveExpect:
    case MbarrierOp::DropExpect:
      if (!addBytes(int64_t(Count)))
        return false;
      return arrive(1, Op == MbarrierOp::DropExpect);
    case MbarrierOp::Arrive:
    case MbarrierOp::Drop:
      return arrive(Count, Op == MbarrierOp::Drop);
    case MbarrierOp::ArriveCopiesNoIncrease:
      return arrive(1, false);
    }
    return false;
  }

private:
  bool addBytes(int64_t More) {
    int64_t Sum = Bytes + More;
    if (Sum > MaxBytes || Sum < -MaxBytes)
      return false;
    Bytes = int32_t(Sum);
    return true;
  }
  bool arrive(uint32_t Count, bool Drops) {
    if (!Count || Count > Pending)
      return false;
    Pending -= Count;
    if (Drops)
      Expected -= Count;
    endPhase();
    return true;
  }
};

/// \p Bytes have been copied for the barrier at \p Address of \p Shared. False
/// if there is none, or it cannot take as many.
inline bool tellBarrier(uint8_t *Shared, uint32_t SharedBytes, uint32_t Address,
                        uint32_t Bytes) {
  uint64_t Word;
  if (Address % sizeof(Word) || SharedBytes < sizeof(Word) ||
      Address > SharedBytes - sizeof(Word))
    return false;
  std::memcpy(&Word, Shared + Address, sizeof(Word));
  auto Object = MbarrierObject::unpack(Word);
  if (!MbarrierObject::isOne(Word) ||
      !Object.apply(MbarrierOp::Complete, Bytes))
    return false;
  Word = Object.pack();
  std::memcpy(Shared + Address, &Word, sizeof(Word));
  return true;
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_EXEC_MBARRIEROBJECT_H
