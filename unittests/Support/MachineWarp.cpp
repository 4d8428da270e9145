//===- MachineWarp.cpp - Runs a machine function on a warp ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineWarp.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/Base/Sharing/SharingStatements.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace regshare::test {

static uint64_t mix(uint64_t A, uint64_t B) {
  A ^= B + 0x9e3779b97f4a7c15 + (A << 6) + (A >> 2);
  A *= 0xff51afd7ed558ccd;
  return A ^ A >> 32;
}

MachineWarp::MachineWarp(const MachineFunction &MF, Reconvergence Meetings,
                         uint64_t SidesFrom)
    : MF(MF), Meetings(std::move(Meetings)),
      Assignment(cantFail(RegisterAssignment::fromNames(MF))),
      Random(SidesFrom) {
  for (const MachineInstr &MI : MF.front())
    if (statementVerb(MI) == "regmutex") {
      StringRef Text = inlinePTXText(MI).split("base=").second;
      unsigned N = 0;
      Text.consumeInteger(10, N);
      Base = N;
    }
  readIntervals();
}

static Statement directiveOf(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).split('"').second.rsplit('"').first;
  return *parseStatement({Text.data(), Text.size()});
}

/// Which interval is whose follows from the text alone.
void MachineWarp::readIntervals() {
  std::optional<unsigned> Now;
  bool Any = false;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      StringRef Verb = statementVerb(MI);
      if (Verb == "prefetch") {
        PrefetchVector P = *parsePrefetch(directiveOf(MI));
        Now = P.Interval;
        for (unsigned Unit : P.Units)
          Vectors[P.Interval].set(Unit);
        Any = true;
      } else if (Verb == "interval") {
        Now = *parseInterval(directiveOf(MI));
        Any = true;
      } else if (Any && Verb.empty()) {
        Intervals[&MI] = Now;
      }
    }
}

void MachineWarp::violate(const MachineInstr &MI, const char *Rule) {
  if (!Violation.empty())
    return;
  raw_string_ostream OS(Violation);
  OS << Rule << " in bb." << MI.getParent()->getNumber() << ": ";
  MI.print(OS);
}

/// Where the instruction reads a unit.
const MachineWarp::Unit &MachineWarp::unit(unsigned Lane,
                                           unsigned Number) const {
  for (const CachePlace &P : Places.Read)
    if (P.Unit == Number)
      return Slots[Lane][P.Slot];
  if (hasLine(Number))
    return Lines[Lane][Bundles->Cache.lineOf(Number)];
  return Units[Lane][Number];
}

uint64_t MachineWarp::read(unsigned Lane, ArchReg R) const {
  if (R.isPred())
    return Preds[Lane][R.Index];
  uint64_t Value = unit(Lane, R.Index).Value;
  for (unsigned I = 0; I != R.units(); ++I) {
    const Unit &U = unit(Lane, R.Index + I);
    if (U.Value != Value || U.Part != I)
      Value = mix(mix(Value, U.Value), U.Part); // Torn.
  }
  return Value;
}

void MachineWarp::write(unsigned Lane, ArchReg R, uint64_t Value) {
  if (R.isPred()) {
    Preds[Lane][R.Index] = Value;
    return;
  }
  for (unsigned I = 0; I != R.units(); ++I) {
    bool IsCachedAlone = false;
    for (const auto *Filled : {&Places.Cache, &Places.Both})
      for (const CachePlace &P : *Filled)
        if (P.Unit == R.Index + I) {
          Slots[Lane][P.Slot] = {Value, I};
          IsCachedAlone = Filled == &Places.Cache;
        }
    if (hasLine(R.Index + I))
      Lines[Lane][Bundles->Cache.lineOf(R.Index + I)] = {Value, I};
    else if (!IsCachedAlone)
      Units[Lane][R.Index + I] = {Value, I};
  }
}

uint64_t MachineWarp::read(unsigned Lane, Register VReg) const {
  ArchReg R = Assignment.lookup(VReg);
  return R.isValid() ? read(Lane, R) : Placeless[Lane].lookup(VReg);
}

void MachineWarp::write(unsigned Lane, Register VReg, uint64_t Value) {
  ArchReg R = Assignment.lookup(VReg);
  if (R.isValid())
    write(Lane, R, Value);
  else
    Placeless[Lane][VReg] = Value;
}

void MachineWarp::fetch(unsigned Lane) {
  for (const CachePlace &P : Places.Fetch)
    Slots[Lane][P.Slot] = Units[Lane][P.Unit];
}

/// Writes back what the operand cache has; other warps take its lines.
void MachineWarp::evictLines() {
  for (unsigned Line = 0; Line != LineOwner.size(); ++Line)
    for (unsigned L = 0; L != NumLanes; ++L) {
      if (LineOwner[Line])
        Units[L][*LineOwner[Line]] = Lines[L][Line];
      Lines[L][Line] = {mix(++Poison, 0x11e), 99};
    }
  LineOwner.fill(std::nullopt);
}

/// A later register takes the line of an earlier one.
void MachineWarp::fillLines(ArrayRef<unsigned> Vector) {
  ++Prefs;
  evictLines();
  LateInBundle = {};
  for (unsigned Unit : Vector) {
    unsigned Line = Bundles->Cache.lineOf(Unit);
    LineOwner[Line] = Unit;
    for (unsigned L = 0; L != NumLanes; ++L)
      Lines[L][Line] = Units[L][Unit];
  }
}

void MachineWarp::checkLines(const MachineInstr &MI) {
  if (!Bundles || MI.isMetaInstruction())
    return;
  Assignment.named(MI).forEach([&](unsigned Bit) {
    if (Bit >= RegSet::PredBase || !hasLine(Bit))
      return;
    ++LineReads;
    if (LineOwner[Bundles->Cache.lineOf(Bit)] != Bit)
      violate(MI, "register that is not in the operand cache");
  });
}

void MachineWarp::loseCache() {
  ++CacheLosses;
  for (auto &Lane : Slots)
    for (unsigned Slot = 0; Slot != NumSlots; ++Slot)
      Lane[Slot] = {mix(++Poison, 0xcace), 99};
}

/// A warp that waits for memory, or for others, leaves the active set. What
/// \p MI writes late comes too late for the cache.
void MachineWarp::waitForLate(const MachineInstr &MI) {
  const InstrFacts &Facts = InstrFacts::get(MF);
  RegEffects E = Assignment.effects(MI);
  RegSet Named = E.Uses | E.Defs | E.Temps;
  if (!(Named & Late).empty() || Facts.canStopLanes(MI) || Facts.isFence(MI))
    loseCache();
  // Who waits within its bundle for what that has begun would hold its lines
  // for all of the latency.
  if (!(Named & LateInBundle).empty())
    evictLines();
  Late -= Named;
  if (Facts.isLongLatency(MI)) {
    Late |= E.Defs;
    LateInBundle |= E.Defs;
  } else if (!Facts.canStopLanes(MI))
    return;
  if (!Places.Cache.empty() || !Places.Both.empty())
    violate(MI, "late result in the cache");
}

uint64_t MachineWarp::reads(const MachineInstr &MI, unsigned Lane) const {
  uint64_t H = MI.getOpcode();
  for (const MachineOperand &MO : MI.operands()) {
    if (MO.isReg() && MO.isUse() && MO.getReg().isVirtual())
      H = mix(H, read(Lane, MO.getReg()));
    else if (MO.isImm())
      H = mix(H, MO.getImm());
  }
  return H;
}

void MachineWarp::statement(const MachineInstr &MI, StringRef Verb) {
  if (Verb == "acquire") {
    Acquires += !Held;
    Held = true;
  } else if (Verb == "release") {
    Releases += Base ? Held : !Released;
    Held = false;
    Released = !Base;
    for (unsigned U = Base.value_or(Private.value_or(256)); U != 256; ++U)
      poison(U);
  } else if (Verb == "unlock") {
    Releases += !Released;
    Released = true;
  } else if (Verb == "prefetch") {
    ++Prefetches;
    Cached = parsePrefetch(directiveOf(MI))->Interval;
    Popped = false;
  } else if (Verb == "dead") {
    ++DeadOperands;
    const std::vector<unsigned> Dead = *parseDead(directiveOf(MI));
    for (unsigned Unit : Dead)
      poison(Unit);
  } else if (Verb == "cache") {
    NumSlots = *parseCache(directiveOf(MI));
  } else if (Verb == "strand") {
    loseCache();
    --CacheLosses;
  } else if (Verb == "operands") {
    Places = *parseOperands(directiveOf(MI));
    CacheReads += Places.Read.size();
  } else if (Verb == "sharing") {
    Private = *parseSharing(directiveOf(MI));
  } else if (Verb == "bundles") {
    Bundles = *parseBundles(directiveOf(MI));
  } else if (Verb == "pref" && Bundles) {
    fillLines(*parsePref(directiveOf(MI)));
  }
}

void MachineWarp::poison(unsigned Unit) {
  for (auto &Lane : Units)
    Lane[Unit] = {mix(++Poison, 0xdead), 99};
}

/// LTRF's rules for one instruction.
void MachineWarp::checkInterval(const MachineInstr &MI, const RegSet &Named) {
  auto It = Intervals.find(&MI);
  if (It == Intervals.end() || MI.isMetaInstruction())
    return;
  if (It->second && Popped && Cached != It->second) {
    Cached = It->second;
    ++PopPrefetches;
  }
  Popped = false;
  if (It->second && Cached != It->second)
    violate(MI, "interval without prefetch");
  RegSet Allowed = It->second ? Vectors[*It->second] : RegSet();
  (Named - Allowed).forEach([&](unsigned Bit) {
    if (Bit < RegSet::PredBase)
      violate(MI, "register that is not cached");
  });
}

/// What is shared is registers, or scratchpad where no register is private.
void MachineWarp::checkReleased(const MachineInstr &MI) {
  if (!Released)
    return;
  if (!Private) {
    if (InstrFacts::get(MF).mayAccessShared(MI))
      violate(MI, "access to shared memory after a release");
    return;
  }
  Assignment.named(MI).forEach([&](unsigned Bit) {
    if (Bit >= *Private && Bit < RegSet::PredBase)
      violate(MI, "shared register after a release");
  });
}

/// The schemes' rules for one instruction.
void MachineWarp::check(const MachineInstr &MI) {
  RegEffects E = Assignment.effects(MI);
  RegSet Named = E.Uses | E.Defs | E.Temps;
  checkInterval(MI, Named);
  checkReleased(MI);
  if (!Base)
    return;
  bool Names = false;
  Named.forEach(
      [&](unsigned Bit) { Names |= Bit >= *Base && Bit < RegSet::PredBase; });
  if (Names && !Held)
    violate(MI, "extended register without acquire");
  if (Held && InstrFacts::get(MF).isBarrier(MI))
    violate(MI, "barrier while acquired");
}

void MachineWarp::step(const MachineInstr &MI, LaneMask Lanes) {
  if (StringRef Verb = statementVerb(MI); !Verb.empty())
    return statement(MI, Verb);
  check(MI);
  waitForLate(MI);
  checkLines(MI);
  const InstrFacts &Facts = InstrFacts::get(MF);
  std::array<uint64_t, NumLanes> H{};
  uint64_t Together = 0;
  bool IsCopy = NVPTXOpcodes::get(MF).isCopy(MI);
  for (unsigned L = 0; L != NumLanes; ++L)
    if (Lanes >> L & 1) {
      H[L] = IsCopy ? read(L, MI.getOperand(1).getReg()) : reads(MI, L);
      Together += mix(H[L], L);
    }
  if (MI.mayLoad())
    ++Now;
  for (unsigned L = 0; L != NumLanes; ++L) {
    if (!(Lanes >> L & 1))
      continue;
    fetch(L);
    if (MI.mayStore())
      Trace[L].push_back(H[L]);
    uint64_t Value = H[L];
    if (MI.mayLoad())
      Value = mix(Value, Now);
    ResultDivergence D = Facts.resultDivergence(MI);
    if (D == ResultDivergence::AsLanes)
      Value = mix(Together, 1);
    else if (D == ResultDivergence::Always)
      Value = mix(Value, L);
    unsigned Index = 0;
    for (const MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.isDef() && MO.getReg().isVirtual())
        write(L, MO.getReg(), IsCopy ? Value : mix(Value, ++Index));
  }
  // They are those of the whole group.
  if (!isFolded(MI))
    Places = {};
  if (Facts.mayWait(MI))
    evictLines();
}

void MachineWarp::execute(const MachineBasicBlock &MBB, LaneMask Lanes) {
  for (const MachineInstr &MI : MBB)
    if (!MI.isTerminator())
      step(MI, Lanes);
  for (const MachineInstr &MI : MBB.terminators()) {
    check(MI);
    waitForLate(MI);
    checkLines(MI);
  }
}

const MachineBasicBlock *MachineWarp::target(const MachineBasicBlock &MBB,
                                             unsigned Lane) {
  std::vector<const MachineBasicBlock *> Targets;
  uint64_t H = 0;
  for (const MachineInstr &MI : MBB.terminators())
    for (const MachineOperand &MO : MI.operands()) {
      if (MO.isMBB())
        Targets.push_back(MO.getMBB());
      if (MO.isReg() && MO.getReg().isVirtual())
        H = mix(H, read(Lane, MO.getReg()));
    }
  if (Targets.size() < MBB.succ_size())
    Targets.push_back(MBB.getNextNode()); // Over the end.
  const MachineBasicBlock *To = Targets[H % Targets.size()];
  if (MBB.succ_size() > 1)
    Trace[Lane].push_back(H);
  return To;
}

/// Goes on after \p MBB, the top entry's.
void MachineWarp::leave(const MachineBasicBlock &MBB) {
  StackEntry Top = Stack.back();
  if (MBB.succ_empty())
    return pop();
  std::vector<std::pair<const MachineBasicBlock *, LaneMask>> Sides;
  Branches += MBB.succ_size() > 1;
  for (unsigned L = 0; L != NumLanes; ++L) {
    if (!(Top.Lanes >> L & 1))
      continue;
    const MachineBasicBlock *To = target(MBB, L);
    auto I = llvm::find_if(Sides, [&](auto &S) { return S.first == To; });
    if (I == Sides.end())
      Sides.push_back({To, 1u << L});
    else
      I->second |= 1u << L;
  }
  if (Sides.size() == 1) {
    Stack.back().At = Sides[0].first;
    return;
  }
  Diverged = true;
  loseCache();
  evictLines();
  // A block that is put on an edge takes the place among the successors of the
  // one that it leads to.
  auto Rank = [&](const MachineBasicBlock *To) {
    return std::distance(MBB.succ_begin(), llvm::find(MBB.successors(), To));
  };
  llvm::sort(Sides,
             [&](auto &A, auto &B) { return Rank(A.first) < Rank(B.first); });
  if (Random() & 1)
    std::reverse(Sides.begin(), Sides.end());
  const MachineBasicBlock *Meet = Meetings.meetingPoint(MBB);
  Stack.back().At = Meet;
  for (auto [To, Lanes] : Sides)
    if (To != Meet)
      Stack.push_back({To, Meet, Lanes});
}

/// Lanes that were parked go on.
void MachineWarp::pop() {
  Stack.pop_back();
  Popped = true;
  loseCache();
  evictLines();
}

void MachineWarp::run(unsigned MaxBranches) {
  Stack = {{&MF.front(), nullptr, (1u << NumLanes) - 1}};
  // Endless loops without a branch end, too.
  for (unsigned Blocks = 0; !Stack.empty() && Blocks != 20 * MaxBranches;
       ++Blocks) {
    StackEntry Top = Stack.back();
    if (!Top.At || Top.At == Top.Meet) {
      pop();
      continue;
    }
    if (Branches >= MaxBranches)
      return;
    execute(*Top.At, Top.Lanes);
    leave(*Top.At);
  }
  Ended = Stack.empty();
  Cut = !Ended;
}

MachineWarp runWarp(MachineFunction &MF, uint64_t SidesFrom) {
  MachinePostDominatorTree PDT;
  PDT.recalculate(MF);
  MachineWarp Warp(MF, Reconvergence(MF, PDT), SidesFrom);
  constexpr unsigned MaxBranches = 80;
  Warp.run(MaxBranches);
  return Warp;
}

void expectSameLanes(const MachineWarp &Before, const MachineWarp &After) {
  bool Cut = Before.Cut || After.Cut;
  if (!Cut)
    EXPECT_EQ(Before.Ended, After.Ended);
  for (unsigned L = 0; L != MachineWarp::NumLanes; ++L) {
    std::vector<uint64_t> B = Before.Trace[L], A = After.Trace[L];
    if (Cut) {
      auto [Common, Longer] = std::minmax({B.size(), A.size()});
      EXPECT_LE(Longer, 2 * Common + 1) << "lane " << L;
      B.resize(Common);
      A.resize(Common);
    }
    EXPECT_EQ(B, A) << "lane " << L;
  }
}

void expectSameRuns(MachineFunction &Before, MachineFunction &After,
                    function_ref<void(const MachineWarp &)> Show) {
  for (unsigned Order = 0; Order != 4; ++Order) {
    MachineWarp A = runWarp(Before, Order), B = runWarp(After, Order);
    EXPECT_EQ(B.Violation, "");
    expectSameLanes(A, B);
    Show(B);
  }
}

} // namespace regshare::test
