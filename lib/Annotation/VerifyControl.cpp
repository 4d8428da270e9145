//===- VerifyControl.cpp - Control is right -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An abstract interpretation over all paths. A lane's registers are its own,
/// so each path that a lane can take through the code is looked at as if the
/// warp took it: what other lanes of the warp execute in between only takes
/// time.
///
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifyControl.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <deque>
#include <map>

namespace regshare {

namespace {

constexpr unsigned NoCounter = NumDependenceCounters;
constexpr unsigned NumChoices = NumDependenceCounters + 1;

/// Which pair of counters, or none, an instruction raised that may still have
/// something to read or to write: a set of pairs.
using Raisers = std::bitset<NumChoices * NumChoices>;

size_t pairOf(const Control &Says) {
  return Says.Write.value_or(NoCounter) * NumChoices +
         Says.Read.value_or(NoCounter);
}

/// What a register may be waiting for.
struct RegisterState {
  /// By class of fixed latency: the fewest cycles since one of the class was
  /// issued that writes it; NeverWritten if none matters.
  static constexpr uint8_t NeverWritten = UINT8_MAX;
  std::array<uint8_t, NumIssueClasses> Since;
  Raisers Writers, Readers;

  RegisterState() { Since.fill(NeverWritten); }
  bool operator==(const RegisterState &) const = default;
};

struct WarpState {
  std::map<Access, RegisterState> Registers;
  /// Fewest cycles since each counter was raised, RaiseCycles at most.
  std::array<uint8_t, NumDependenceCounters> Raised;

  WarpState() { Raised.fill(RaiseCycles); }
  bool operator==(const WarpState &) const = default;
};

class ControlChecker {
public:
  ControlChecker(const ControlCode &Code, const FixedLatencies &L)
      : Code(Code), L(L), Starts(Code.size()), Seen(Code.size()) {
    for (unsigned C = 0; C != NumIssueClasses; ++C)
      if (hasFixedLatency(IssueClass(C)))
        Longest = std::max({Longest, L.longest(IssueClass(C), false),
                            L.longest(IssueClass(C), true)});
  }
  std::vector<ControlViolation> run();

private:
  void execute(unsigned Block);
  void step(const ControlUnit &U);
  void passTime(unsigned Cycles);
  void await(const Control &Says);
  void checkForm(const ControlUnit &U);
  void checkRead(const ControlUnit &U, Access A);
  void checkWrite(const ControlUnit &U, Access A);
  void report(const std::string &What) {
    if (Reports)
      Found.push_back({Block, Unit, What});
  }

  const ControlCode &Code;
  const FixedLatencies &L;
  std::vector<WarpState> Starts;
  std::vector<bool> Seen;
  unsigned Longest = 0;
  WarpState S;
  bool Reports = false;
  unsigned Block = 0, Unit = 0;
  std::vector<ControlViolation> Found;
};

} // namespace

static void joinInto(WarpState &To, const WarpState &From) {
  for (const auto &[A, Theirs] : From.Registers) {
    RegisterState &Mine = To.Registers[A];
    for (unsigned C = 0; C != NumIssueClasses; ++C)
      Mine.Since[C] = std::min(Mine.Since[C], Theirs.Since[C]);
    Mine.Writers |= Theirs.Writers;
    Mine.Readers |= Theirs.Readers;
  }
  for (unsigned C = 0; C != NumDependenceCounters; ++C)
    To.Raised[C] = std::min(To.Raised[C], From.Raised[C]);
}

void ControlChecker::passTime(unsigned Cycles) {
  for (uint8_t &R : S.Raised)
    R = uint8_t(std::min(R + Cycles, RaiseCycles));
  for (auto It = S.Registers.begin(); It != S.Registers.end();) {
    RegisterState &R = It->second;
    for (uint8_t &Since : R.Since)
      if (Since != RegisterState::NeverWritten) {
        unsigned Now = Since + Cycles;
        Since = Now < Longest ? uint8_t(Now) : RegisterState::NeverWritten;
      }
    It = R == RegisterState() ? S.Registers.erase(It) : std::next(It);
  }
}

/// A counter that is zero says that all who raised it have read or written;
/// who writes has read.
void ControlChecker::await(const Control &Says) {
  Raisers Written, Read;
  for (unsigned C = 0; C != NumDependenceCounters; ++C) {
    // One that was raised in the cycle before still seems to be zero.
    if (!(Says.Wait >> C & 1) || S.Raised[C] < RaiseCycles)
      continue;
    for (unsigned Other = 0; Other != NumChoices; ++Other) {
      Written.set(C * NumChoices + Other);
      Read.set(C * NumChoices + Other);
      Read.set(Other * NumChoices + C);
    }
  }
  for (auto &[A, R] : S.Registers) {
    R.Writers &= ~Written;
    R.Readers &= ~Read;
  }
}

static std::string describe(const Raisers &Of, bool Writes) {
  for (unsigned P = 0; P != Of.size(); ++P) {
    if (!Of.test(P))
      continue;
    unsigned Write = P / NumChoices, Read = P % NumChoices;
    unsigned C = Writes || Read == NoCounter ? Write : Read;
    return C == NoCounter
               ? std::string("by an instruction that raised no counter for it")
               : "by an instruction that raised counter " + std::to_string(C);
  }
  return "";
}

/// Only what a pipe executes can raise a counter and let it fall again.
void ControlChecker::checkForm(const ControlUnit &U) {
  bool IsSerial = U.Is == ControlUnit::Serial;
  if (U.Says.Serial != (IsSerial ? U.Instructions : 0))
    report(IsSerial ? "expected serial=" + std::to_string(U.Instructions) +
                          " before inline PTX of as many instructions"
                    : "expected no serial, which is for inline PTX of several "
                      "instructions");
  if ((U.Says.Write || U.Says.Read) && !U.HasPipe)
    report("a counter is raised by what no pipe executes: it would not fall");
  if (!U.Slots && U.Says.Stall != 1)
    report("a stall of what takes no issue slot");
}

void ControlChecker::checkRead(const ControlUnit &U, Access A) {
  auto It = S.Registers.find(A);
  if (It == S.Registers.end())
    return;
  const RegisterState &R = It->second;
  if (R.Writers.any())
    report(nameOfAccess(A) + " is read and may not have been written yet " +
           describe(R.Writers, true));
  for (unsigned C = 0; C != NumIssueClasses; ++C) {
    if (R.Since[C] == RegisterState::NeverWritten)
      continue;
    unsigned Cycles = cyclesToRead(L, IssueClass(C), U, A);
    if (R.Since[C] < Cycles)
      report(nameOfAccess(A) + " is read " + std::to_string(R.Since[C]) +
             " cycles after the issue of what writes it; expected at least " +
             std::to_string(Cycles));
  }
}

void ControlChecker::checkWrite(const ControlUnit &U, Access A) {
  auto It = S.Registers.find(A);
  if (It == S.Registers.end())
    return;
  const RegisterState &R = It->second;
  if (R.Readers.any())
    report(nameOfAccess(A) + " is overwritten and may not have been read yet " +
           describe(R.Readers, false));
  if (R.Writers.any())
    report(nameOfAccess(A) +
           " is overwritten and may be written later than that " +
           describe(R.Writers, true));
  for (unsigned C = 0; C != NumIssueClasses; ++C) {
    if (R.Since[C] == RegisterState::NeverWritten)
      continue;
    unsigned Cycles = cyclesToOverwrite(L, IssueClass(C), U);
    if (R.Since[C] < Cycles)
      report(nameOfAccess(A) + " is overwritten " + std::to_string(R.Since[C]) +
             " cycles after the issue of what writes it; expected at least " +
             std::to_string(Cycles));
  }
}

void ControlChecker::step(const ControlUnit &U) {
  checkForm(U);
  if (U.Is != ControlUnit::Ordinary) {
    S = {};
    return;
  }
  await(U.Says);
  for (Access A : U.Reads)
    checkRead(U, A);
  for (Access A : U.Writes)
    checkWrite(U, A);
  if (!U.Slots)
    return;
  // The last of its slots is the one in which its latency begins.
  passTime(U.Slots - 1);
  if (U.isFixed())
    for (Access A : U.Writes)
      S.Registers[A].Since[unsigned(U.Class)] = 0;
  if (U.isDecoupled()) {
    for (Access A : U.Writes)
      S.Registers[A].Writers.set(pairOf(U.Says));
    for (Access A : U.Reads)
      S.Registers[A].Readers.set(pairOf(U.Says));
  }
  for (std::optional<unsigned> C : {U.Says.Write, U.Says.Read})
    if (C)
      S.Raised[*C] = 0;
  passTime(U.Says.Stall);
}

void ControlChecker::execute(unsigned Number) {
  Block = Number;
  S = Starts[Number];
  for (Unit = 0; Unit != Code[Number].Units.size(); ++Unit)
    step(Code[Number].Units[Unit]);
}

std::vector<ControlViolation> ControlChecker::run() {
  if (Code.empty())
    return {};
  std::deque<unsigned> Work = {0};
  Seen[0] = true;
  while (!Work.empty()) {
    unsigned At = Work.front();
    Work.pop_front();
    execute(At);
    for (unsigned Next : Code[At].Successors) {
      WarpState Before = Starts[Next];
      joinInto(Starts[Next], S);
      if (Seen[Next] && Before == Starts[Next])
        continue;
      Seen[Next] = true;
      if (std::ranges::find(Work, Next) == Work.end())
        Work.push_back(Next);
    }
  }
  Reports = true;
  for (unsigned B = 0; B != Code.size(); ++B)
    if (Seen[B])
      execute(B);
  return std::move(Found);
}

std::vector<ControlViolation> verifyControl(const ControlCode &Code,
                                            const FixedLatencies &Latencies) {
  return ControlChecker(Code, Latencies).run();
}

} // namespace regshare
