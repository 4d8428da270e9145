//===- StraightRuns.cpp - Instructions that run without questions ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StraightRuns.h"

#include "CodeGraph.h"
#include "Exec/ExecContext.h"

#include <algorithm>
#include <limits>
#include <span>

namespace regshare::sim {

namespace {
/// Entries of Function::Accesses.
class RowSet {
public:
  RowSet(size_t Count, bool Value)
      : Words((Count + 63) / 64, Value ? ~uint64_t(0) : 0) {}
  bool has(uint32_t Row) const { return Words[Row / 64] >> Row % 64 & 1; }
  void add(uint32_t Row) { Words[Row / 64] |= uint64_t(1) << Row % 64; }
  void remove(uint32_t Row) { Words[Row / 64] &= ~(uint64_t(1) << Row % 64); }
  void keep(const RowSet &Also) {
    for (size_t K = 0; K != Words.size(); ++K)
      Words[K] &= Also.Words[K];
  }
  bool operator==(const RowSet &) const = default;

private:
  std::vector<uint64_t> Words;
};
} // namespace

static std::span<const uint32_t> readsOf(const Function &F, const Inst &I) {
  return std::span(F.Accesses).subspan(I.FirstAccess, I.NumReads);
}

static std::span<const uint32_t> writesOf(const Function &F, const Inst &I) {
  return std::span(F.Accesses)
      .subspan(size_t(I.FirstAccess) + I.NumReads, I.NumWrites);
}

namespace {
/// Finds the registers that nobody need keep track of.
class WrittenRows {
public:
  explicit WrittenRows(const Function &F)
      : F(F), G(F), Known(F.numAccesses(), true) {}
  RowSet find();

private:
  void write(RowSet &Rows, const Inst &I) const;
  void leaveOutLost();
  void leaveOutRead(const RowSet &AtStart, uint32_t Block);

  const Function &F;
  const CodeGraph G;
  RowSet Known;
};
} // namespace

void WrittenRows::write(RowSet &Rows, const Inst &I) const {
  if (I.Guard != PredTrue)
    return;
  for (uint32_t Row : writesOf(F, I))
    Rows.add(Row);
}

/// Native code loses what is in scratch registers, and in the uniform registers
/// of threads that are elsewhere.
void WrittenRows::leaveOutLost() {
  for (const Inst &I : F.Code) {
    if (!(I.Attention & AttendNative))
      continue;
    const NativeInst &Native = F.Native[size_t(&I - F.Code.data())];
    std::span<const uint32_t> Writes = writesOf(F, I);
    for (uint32_t Row :
         Native.WritesUniform ? Writes : Writes.subspan(F.numResults(I)))
      Known.remove(Row);
  }
}

/// Those that an instruction of the block may read before a write.
void WrittenRows::leaveOutRead(const RowSet &AtStart, uint32_t Block) {
  RowSet Rows = AtStart;
  for (uint32_t N = G.Starts[Block]; N != G.endOf(Block); ++N) {
    for (uint32_t Row : readsOf(F, F.Code[N]))
      if (!Rows.has(Row))
        Known.remove(Row);
    write(Rows, F.Code[N]);
  }
}

RowSet WrittenRows::find() {
  const size_t Count = F.numAccesses();
  leaveOutLost();
  // By block: written on every way to its start, to its end. Nothing is known
  // of blocks that nobody comes to, and need not be.
  std::vector<RowSet> Start(G.Exit, RowSet(Count, true)), End = Start;
  Start[0] = RowSet(Count, false);
  Start[0].add(F.AlwaysWritten);
  for (bool Changed = true, First = true; Changed; First = false) {
    Changed = First;
    for (uint32_t B = 0; B != G.Exit; ++B) {
      for (uint32_t From : G.Predecessors[B])
        Start[B].keep(End[From]);
      RowSet New = Start[B];
      for (uint32_t N = G.Starts[B]; N != G.endOf(B); ++N)
        write(New, F.Code[N]);
      Changed |= New != End[B];
      End[B] = std::move(New);
    }
  }
  for (uint32_t B = 0; B != G.Exit; ++B)
    leaveOutRead(Start[B], B);
  return std::move(Known);
}

/// Nothing has to be decided before it or after it.
static bool isStraight(const Inst &I) {
  static const Handler Clock = findHandler("clock");
  return (I.Kind == InstKind::Compute || I.Kind == InstKind::Memory) &&
         I.Guard == PredTrue && !I.Attention && !I.IsTracked && I.Fn != Clock;
}

static void findRuns(Function &F) {
  const CodeGraph G(F);
  for (uint32_t B = 0; B != G.Exit; ++B)
    for (uint32_t N = G.endOf(B), Run = 0; N-- != G.Starts[B];) {
      constexpr uint32_t Most = std::numeric_limits<uint16_t>::max();
      Run = isStraight(F.Code[N]) ? std::min(Run + 1, Most) : 0;
      F.Code[N].Run = uint16_t(Run);
    }
}

void findStraightRuns(Program &P) {
  // A scheme's statements take back what was written, in callers as well.
  bool AnyRules = std::ranges::any_of(P.Functions,
                                      [](const auto &F) { return !!F->Rules; });
  for (auto &F : P.Functions) {
    if (F->Code.empty())
      continue;
    RowSet Known(F->numAccesses(), false);
    if (!AnyRules)
      Known = WrittenRows(*F).find();
    Known.add(F->AlwaysWritten);
    F->WrittenAtStart.clear();
    for (uint32_t Row = 0; Row != F->numAccesses(); ++Row)
      F->WrittenAtStart.push_back(Known.has(Row) ? FullMask : 0);
    auto IsTracked = [&](uint32_t Row) { return !Known.has(Row); };
    for (Inst &I : F->Code)
      I.IsTracked = std::ranges::any_of(readsOf(*F, I), IsTracked) ||
                    std::ranges::any_of(writesOf(*F, I), IsTracked);
    findRuns(*F);
  }
}

} // namespace regshare::sim
