//===- VerifyReuse.cpp - Reuse is right -----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes each block with a cache that never loses an entry to another warp,
/// since what is there longest is what can be wrong.
///
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifyReuse.h"

#include "regshare/Base/Reuse.h"

#include <algorithm>
#include <map>

namespace regshare {

namespace {

class ReuseCheck {
public:
  ReuseCheck(unsigned Block, std::vector<ReuseViolation> &Found)
      : Block(Block), Found(Found) {}
  void run(const ControlBlock &B);

private:
  struct Entry {
    unsigned Keeper = 0; ///< Its unit.
    bool IsStale = false;
  };
  void visit(const ControlUnit &U, unsigned Number);
  void read(const ControlUnit &U, unsigned Number);
  void endAll(const std::string &Where);
  void report(unsigned Unit, std::string What) {
    Found.push_back({Block, Unit, std::move(What)});
  }

  unsigned Block;
  std::vector<ReuseViolation> &Found;
  /// By slot and register: no two registers end each other's entries, as if
  /// each had a bank of its own.
  std::map<std::pair<unsigned, Access>, Entry> Kept;
};

} // namespace

static std::string inSlot(Access Row, unsigned Slot) {
  return nameOfAccess(Row) + " in operand slot " + std::to_string(Slot);
}

/// Where nothing may be kept.
void ReuseCheck::endAll(const std::string &Where) {
  for (const auto &[Place, E] : Kept)
    report(E.Keeper, inSlot(Place.second, Place.first) + " is kept " + Where +
                         "; expected who reads it there before");
  Kept.clear();
}

void ReuseCheck::read(const ControlUnit &U, unsigned Number) {
  for (const OperandRead &R : U.Operands) {
    auto It = Kept.find({R.Slot, R.Row});
    if (It == Kept.end())
      continue;
    if (It->second.IsStale && U.looksForOperands())
      report(Number, inSlot(R.Row, R.Slot) +
                         " has been written since it was kept; expected no "
                         "reuse of it");
    Kept.erase(It);
  }
}

void ReuseCheck::visit(const ControlUnit &U, unsigned Number) {
  unsigned Slots = 0;
  for (const OperandRead &R : U.Operands)
    Slots |= 1u << R.Slot;
  if (U.endsReuse())
    endAll("across an instruction that ends it");
  if (U.Reuse && (U.endsReuse() || !U.looksForOperands()))
    report(Number, "it keeps operands; expected an instruction of one slot and "
                   "fixed latency");
  else if (U.Reuse & ~Slots)
    report(Number, "it keeps operand slots that it does not read");
  if (U.Slots)
    read(U, Number);
  for (const OperandRead &R : U.Operands)
    if (U.Reuse >> R.Slot & 1)
      Kept[{R.Slot, R.Row}] = {Number};
  for (auto &[Place, E] : Kept)
    E.IsStale |= std::ranges::find(U.Writes, Place.second) != U.Writes.end();
}

void ReuseCheck::run(const ControlBlock &B) {
  for (unsigned N = 0; N != B.Units.size(); ++N)
    visit(B.Units[N], N);
  endAll("beyond the block");
}

std::vector<ReuseViolation> verifyReuse(const ControlCode &Code) {
  std::vector<ReuseViolation> Found;
  for (unsigned B = 0; B != Code.size(); ++B)
    ReuseCheck(B, Found).run(Code[B]);
  return Found;
}

} // namespace regshare
