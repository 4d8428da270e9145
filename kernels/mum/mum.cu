//===- mum.cu - Matching sequences against a reference -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For every position of every query, the longest match with the reference that
/// ends there. A thread walks one query through the suffix automaton of the
/// reference, so that its path through memory depends on the data.
///
/// usage: mum [REFERENCE [QUERIES]]    (the reference's length, the number of
///                                      queries)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <string>

static constexpr int QueryLength = 40;
static constexpr int Threads = 128;

/// A set of substrings that occur at the same places. Next[B] is the state
/// after base B, or -1; Link the state of their longest suffix that occurs
/// elsewhere too; Length that of the longest of them.
struct State {
  int Next[4];
  int Link;
  int Length;
};

/// Queries and Matches have a query a column, so that a warp's accesses are
/// coalesced.
__global__ void matchKernel(const State *States, const unsigned char *Queries,
                            int *Matches, int NumQueries) {
  int Query = blockIdx.x * blockDim.x + threadIdx.x;
  if (Query >= NumQueries)
    return;
  int Current = 0, Length = 0;
  for (int I = 0; I < QueryLength; ++I) {
    int Base = Queries[I * NumQueries + Query];
    while (Current != 0 && States[Current].Next[Base] < 0) {
      Current = States[Current].Link;
      Length = States[Current].Length;
    }
    int Next = States[Current].Next[Base];
    if (Next >= 0) {
      Current = Next;
      ++Length;
    }
    Matches[I * NumQueries + Query] = Length;
  }
}

/// The suffix automaton of \p Text, built base by base.
static std::vector<State> suffixAutomaton(const std::string &Text) {
  std::vector<State> States = {{{-1, -1, -1, -1}, -1, 0}};
  int Last = 0;
  for (char Letter : Text) {
    int Base = Letter - 'a';
    int Current = (int)States.size();
    States.push_back({{-1, -1, -1, -1}, 0, States[Last].Length + 1});
    int P = Last;
    for (; P >= 0 && States[P].Next[Base] < 0; P = States[P].Link)
      States[P].Next[Base] = Current;
    if (P >= 0) {
      int Q = States[P].Next[Base];
      int Target = Q;
      if (States[P].Length + 1 != States[Q].Length) {
        Target = (int)States.size();
        State Clone = States[Q];
        Clone.Length = States[P].Length + 1;
        States.push_back(Clone);
        for (; P >= 0 && States[P].Next[Base] == Q; P = States[P].Link)
          States[P].Next[Base] = Target;
        States[Q].Link = Target;
      }
      States[Current].Link = Target;
    }
    Last = Current;
  }
  return States;
}

int main(int ArgC, char **ArgV) {
  int ReferenceLength =
      sizeArgument(ArgC, ArgV, 1, "REFERENCE", 4000, QueryLength, 1 << 24);
  int NumQueries = sizeArgument(ArgC, ArgV, 2, "QUERIES", 768, 1, 1 << 20);
  Random R(15);
  std::string Reference(ReferenceLength, 'a');
  for (char &C : Reference)
    C = (char)('a' + R.below(4));
  std::vector<std::string> Queries(NumQueries);
  std::vector<unsigned char> Bases((size_t)NumQueries * QueryLength);
  for (int Q = 0; Q < NumQueries; ++Q) {
    // A piece of the reference in which some bases were read wrongly.
    size_t First = R.below(ReferenceLength - QueryLength + 1);
    Queries[Q] = Reference.substr(First, QueryLength);
    for (char &C : Queries[Q])
      if (R.below(20) == 0)
        C = (char)('a' + R.below(4));
    for (int I = 0; I < QueryLength; ++I)
      Bases[(size_t)I * NumQueries + Q] = (unsigned char)(Queries[Q][I] - 'a');
  }

  DeviceArray<State> States(suffixAutomaton(Reference));
  DeviceArray<unsigned char> DeviceQueries(Bases);
  DeviceArray<int> Matches(Bases.size());
  matchKernel<<<divideUp(NumQueries, Threads), Threads>>>(
      States.get(), DeviceQueries.get(), Matches.get(), NumQueries);
  finishKernels();

  Verifier V;
  std::vector<int> Got = Matches.toHost();
  for (int Q = 0; Q < NumQueries; ++Q) {
    int Length = 0;
    for (int I = 0; I < QueryLength; ++I) {
      ++Length;
      while (Reference.find(Queries[Q].substr(I + 1 - Length, Length)) ==
             std::string::npos)
        --Length;
      size_t Index = (size_t)I * NumQueries + Q;
      V.compare("match", Index, Got[Index], Length);
    }
  }
  return V.report();
}
