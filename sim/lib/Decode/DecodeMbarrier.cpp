//===- DecodeMbarrier.cpp - Barriers in shared memory ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec/MbarrierObject.h"

namespace regshare::sim {

/// What an arrival does with the bytes and counts of the object.
static MbarrierOp arrivalOf(bool Drops, bool Expects) {
  return Drops ? (Expects ? MbarrierOp::DropExpect : MbarrierOp::Drop)
               : (Expects ? MbarrierOp::ArriveExpect : MbarrierOp::Arrive);
}

/// An access to the object, as an atomic is. Ops: result, address, operand.
bool FunctionDecoder::accessesMbarrier(const ptx::Operand &Address,
                                       bool Changes) {
  I.Size = 8;
  zeroFrom(0);
  I.IsLoad = true;
  I.IsStore = I.IsAtomic = Changes;
  return addressOperand(Address, 1);
}

/// arrive and arrive_drop: {state,} [address] {, count}.
bool FunctionDecoder::arriveAtMbarrier(bool Drops) {
  bool Expects = takeMod("expect_tx");
  takeMod("noComplete");
  if (!expectOps(1, 3))
    return false;
  // Without a state where the object is another CTA's, or the result dropped.
  unsigned First = op(0).K == ptx::Operand::Address ? 0 : 1;
  bool HasCount = numOps() == First + 2;
  if (!HasCount && (Expects || numOps() != First + 1))
    return fail("wrong number of operands");
  I.Round = uint8_t(arrivalOf(Drops, Expects));
  if (!accessesMbarrier(op(First), true))
    return false;
  I.Ops[2] = State.Pool.word(1);
  if (HasCount && !source(op(First + 1), ScalarType::U32, I.Ops[2]))
    return false;
  I.IsLoad = First && op(0).K != ptx::Operand::Sink;
  return !I.IsLoad || dest(op(0), ScalarType::B64, I.Ops[0]);
}

/// test_wait and try_wait{.parity}: p, [address], state or parity {, hint}.
bool FunctionDecoder::testMbarrier() {
  bool ByParity = takeMod("parity");
  if (!expectOps(3, 4) || !accessesMbarrier(op(1), false) ||
      !source(op(2), ByParity ? ScalarType::U32 : ScalarType::B64, I.Ops[2]) ||
      !predDest(op(0), I.Ops[0]))
    return false;
  uint32_t Hint;
  return (numOps() == 3 || source(op(3), ScalarType::U32, Hint)) &&
         handler(ByParity ? "mbarrier.test.parity" : "mbarrier.test");
}

/// mbarrier.OPERATION, and cp.async.mbarrier.arrive, whose copies are done.
bool FunctionDecoder::mbarrier() {
  bool OfCopies = takeMod("mbarrier");
  bool Drops = takeMod("arrive_drop");
  bool Arrives = Drops || takeMod("arrive");
  bool Tests = takeMod("test_wait") || takeMod("try_wait");
  bool Ignored;
  if (!memoryMods(Ignored))
    return false;
  if (!takeMod("b64"))
    return fail("a barrier in shared memory is of .b64");
  if (takeMod("pending_count")) {
    I.Kind = InstKind::Compute;
    I.Unit = UnitClass::Int;
    return expectOps(2, 2) && handler("mbarrier.pending") &&
           source(op(1), ScalarType::B64, I.Ops[1]) &&
           dest(op(0), ScalarType::B32, I.Ops[0]);
  }
  if (I.Where != Space::Shared && I.Where != Space::Generic)
    return fail("the barrier is in shared memory");
  if (Tests)
    return testMbarrier();
  if (!handler("mbarrier.change"))
    return false;
  if (Arrives && !OfCopies)
    return arriveAtMbarrier(Drops);
  bool NoIncrease = takeMod("noinc");
  MbarrierOp Op = OfCopies ? (NoIncrease ? MbarrierOp::ArriveCopiesNoIncrease
                                         : MbarrierOp::ArriveCopies)
                  : takeMod("init")        ? MbarrierOp::Init
                  : takeMod("inval")       ? MbarrierOp::Invalidate
                  : takeMod("expect_tx")   ? MbarrierOp::Expect
                  : takeMod("complete_tx") ? MbarrierOp::Complete
                                           : MbarrierOp::Arrive;
  if (Op == MbarrierOp::Arrive)
    return fail("an operation on a barrier is missing or not supported");
  bool HasCount = Op == MbarrierOp::Init || Op == MbarrierOp::Expect ||
                  Op == MbarrierOp::Complete;
  I.Round = uint8_t(Op);
  if (!expectOps(1 + HasCount, 1 + HasCount) || !accessesMbarrier(op(0), true))
    return false;
  I.IsLoad = false;
  return !HasCount || source(op(1), ScalarType::U32, I.Ops[2]);
}

} // namespace regshare::sim
