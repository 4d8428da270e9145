//===- SpinLoops.cpp - Loops in which lanes wait for a lock ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpinLoops.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace regshare;

/// Whether another lane's value of \p I in a later turn of \p L is the same
/// attempt: what is compared and written does not come from an earlier turn, as
/// it does where a loop around a comparison and exchange computes a new value.
static bool repeatsItself(const Instruction &I, const Loop &L) {
  if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
    return L.isLoopInvariant(CAS->getCompareOperand());
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return L.isLoopInvariant(RMW->getValOperand());
  return all_of(drop_begin(cast<CallBase>(I).args()),
                [&](const Use &U) { return L.isLoopInvariant(U); });
}

static Value *conditionOf(const Instruction &Terminator) {
  if (auto *Branch = dyn_cast<BranchInst>(&Terminator))
    return Branch->isConditional() ? Branch->getCondition() : nullptr;
  if (auto *Switch = dyn_cast<SwitchInst>(&Terminator))
    return Switch->getCondition();
  return nullptr;
}

using Addresses = SmallSetVector<Value *, 2>;

/// The addresses of locks that the branch of \p BB tells whether they have been
/// got. In \p L the same is tried in each turn.
static Addresses acquiredBy(const BasicBlock &BB, const Loop &L) {
  Addresses Found;
  SetVector<Value *> Work;
  if (Value *Condition = conditionOf(*BB.getTerminator()))
    Work.insert(Condition);
  for (unsigned I = 0; I != Work.size() && I != 32; ++I) {
    auto *From = dyn_cast<Instruction>(Work[I]);
    if (!From)
      continue;
    if (Value *Address = acquiredAddress(*From)) {
      if (!L.contains(From) || repeatsItself(*From, L))
        Found.insert(Address);
    } else if (!From->mayReadFromMemory() && !isa<PHINode, CallBase>(From)) {
      Work.insert(From->op_begin(), From->op_end());
    }
  }
  return Found;
}

static Instruction *firstRelease(BasicBlock &BB, const Value *Address) {
  for (Instruction &I : BB)
    if (releases(I, Address))
      return &I;
  return nullptr;
}

/// Whether only lanes come to \p First that have got the lock at \p Address: an
/// unrolled loop has several branches to it, and one may be before the loop.
bool SpinLoopFinder::isEnteredWith(BasicBlock *First, Value *Address,
                                   const Loop &L) const {
  return all_of(predecessors(First), [&](BasicBlock *Before) {
    return DT.dominates(First, Before) ||
           any_of(acquiredBy(*Before, L),
                  [&](Value *V) { return isSameAddress(V, Address); });
  });
}

/// Adds to \p S what the lane of \p A executes until it gives back the lock at
/// \p Address. Returns false if it does not.
bool SpinLoopFinder::addHolding(const Acquisition &A, Value *Address,
                                SpinLoop &S) const {
  BasicBlock *First = A.Taken.To;
  SmallSetVector<BasicBlock *, 16> Seen;
  SmallSetVector<BasicBlock *, 16> Reaching;
  SmallDenseMap<BasicBlock *, Instruction *> Last;
  Seen.insert(First);
  for (unsigned I = 0; I != Seen.size(); ++I) {
    if (Instruction *Release = firstRelease(*Seen[I], Address)) {
      Last[Seen[I]] = Release;
      Reaching.insert(Seen[I]);
      continue;
    }
    for (BasicBlock *Next : successors(Seen[I]))
      if (DT.dominates(First, Next))
        Seen.insert(Next);
  }
  for (unsigned I = 0; I != Reaching.size(); ++I)
    for (BasicBlock *Before : predecessors(Reaching[I]))
      if (Seen.contains(Before) && !Last.contains(Before))
        Reaching.insert(Before);
  for (BasicBlock *BB : Reaching) {
    S.Holding.insert(BB);
    Instruction *Release = Last.lookup(BB);
    auto [End, IsNew] = S.Ends.try_emplace(BB, Release);
    // A null end is a block that the section goes on after.
    if (!IsNew && End->second &&
        (!Release || End->second->comesBefore(Release)))
      End->second = Release;
  }
  return !Reaching.empty();
}

SpinLoopFinder::Acquisitions SpinLoopFinder::acquisitions(const Loop &L) const {
  Acquisitions Found;
  for (BasicBlock *BB : L.blocks()) {
    if (LI.getLoopFor(BB) != &L)
      continue;
    for (Value *Address : acquiredBy(*BB, L))
      for (BasicBlock *To : successors(BB)) {
        SpinLoop Ignored;
        Acquisition A{{BB, To}, Address};
        if (!DT.dominates(To, BB) && isEnteredWith(To, Address, L) &&
            addHolding(A, Address, Ignored))
          Found.push_back(A);
      }
  }
  return Found;
}

void SpinLoopFinder::addTrying(const Loop &L, const Acquisitions &Found,
                               SpinLoop &S) const {
  S.Trying.insert(S.Header);
  for (unsigned I = 0; I != S.Trying.size(); ++I)
    for (BasicBlock *Next : successors(S.Trying[I]))
      if (L.contains(Next) && none_of(Found, [&](const Acquisition &A) {
            return A.Taken.From == S.Trying[I] && A.Taken.To == Next;
          }))
        S.Trying.insert(Next);
}

/// Whether a lane that does not get the lock of \p A comes to where its
/// branch's sides meet before it tries again.
bool SpinLoopFinder::passesMeeting(const Acquisition &A,
                                   const SpinLoop &S) const {
  BasicBlock *Branch = A.Taken.From;
  auto *Above = PDT.getNode(Branch)->getIDom();
  const BasicBlock *Meeting = Above ? Above->getBlock() : nullptr;
  SmallSetVector<BasicBlock *, 16> Seen;
  Seen.insert(Branch);
  for (unsigned I = 0; I != Seen.size(); ++I)
    for (BasicBlock *Next : successors(Seen[I])) {
      if (Next == Meeting || !S.Trying.contains(Next) ||
          (I == 0 && Next == A.Taken.To))
        continue;
      if (Next == Branch)
        return false;
      Seen.insert(Next);
    }
  return true;
}

std::optional<SpinLoop> SpinLoopFinder::find(const Loop &L) const {
  const Acquisitions Found = acquisitions(L);
  SpinLoop S;
  S.Header = L.getHeader();
  addTrying(L, Found, S);
  bool MayWait = any_of(Found, [&](const Acquisition &A) {
    return S.Trying.contains(A.Taken.From) && !passesMeeting(A, S);
  });
  if (!MayWait)
    return std::nullopt;
  for (const Acquisition &A : Found)
    for (const Acquisition &Other : Found)
      addHolding(A, Other.Address, S);
  for (BasicBlock *BB : S.Holding)
    if (S.Trying.contains(BB))
      return std::nullopt;
  for (const auto &Blocks : {S.Trying, S.Holding})
    for (BasicBlock *BB : Blocks)
      if (!isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(
              BB->getTerminator()))
        return std::nullopt;
  // Lanes that try would not come to what those that hold a lock wait for.
  for (BasicBlock *BB : S.Holding) {
    Instruction *End = S.Ends.lookup(BB);
    for (Instruction &I : *BB) {
      if (isSynchronisation(I))
        return std::nullopt;
      if (&I == End)
        break;
    }
  }
  return S;
}

std::optional<SpinLoop>
SpinLoopFinder::find(const SmallPtrSetImpl<BasicBlock *> &Done) const {
  const auto Loops = LI.getLoopsInPreorder();
  for (const Loop *L : reverse(Loops))
    if (!Done.contains(L->getHeader()))
      if (std::optional<SpinLoop> S = find(*L))
        return S;
  return std::nullopt;
}
