//===- PrefetchCost.cpp - What a partition's PREFETCHes cost --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntervalFormer.h"

#include <optional>

namespace regshare {

PrefetchPlace placeOf(PartitionKind Kind) {
  return Kind == PartitionKind::Strands ? PrefetchPlace::Heads
                                        : PrefetchPlace::Entries;
}

std::vector<double> timesPrefetched(const RegisterGraph &G,
                                    const IntervalPartition &P,
                                    PrefetchPlace Place) {
  // By block: its first and its last part.
  std::vector<unsigned> FirstPart(G.numBlocks()), LastPart(G.numBlocks());
  for (unsigned I = P.Parts.size(); I-- != 0;)
    FirstPart[P.Parts[I].Block] = I;
  for (unsigned I = 0; I != P.Parts.size(); ++I)
    LastPart[P.Parts[I].Block] = I;

  std::vector<double> Entered(P.Intervals.size());
  auto Enter = [&](unsigned FromPart, unsigned ToPart, double Frequency) {
    unsigned To = P.Parts[ToPart].Interval;
    bool Anew = Place == PrefetchPlace::Heads && P.Intervals[To].Head == ToPart;
    if (P.Parts[FromPart].Interval != To || Anew)
      Entered[To] += Frequency;
  };
  for (const RegisterGraph::Edge &E : G.edges())
    Enter(LastPart[E.From], FirstPart[E.To], E.Frequency);
  for (unsigned I = 0; I + 1 < P.Parts.size(); ++I)
    if (P.Parts[I].Block == P.Parts[I + 1].Block)
      Enter(I, I + 1, G.frequency(P.Parts[I].Block));
  if (!P.Parts.empty())
    Entered[P.Parts[0].Interval] += 1;
  return Entered;
}

PrefetchCost prefetchCost(const RegisterGraph &G, const IntervalPartition &P) {
  return prefetchCost(G, P, placeOf(P.Kind));
}

PrefetchCost prefetchCost(const RegisterGraph &G, const IntervalPartition &P,
                          PrefetchPlace Place) {
  std::vector<double> Entered = timesPrefetched(G, P, Place);
  PrefetchCost Cost;
  for (unsigned I = 0; I != P.Intervals.size(); ++I) {
    unsigned Units = P.Intervals[I].Regs.countUnits();
    if (!Units)
      continue;
    ++Cost.Prefetches;
    Cost.Executed += Entered[I];
    Cost.Fetched += Entered[I] * Units;
  }
  return Cost;
}

/// Sums of frequencies in different order differ by rounding, which must not
/// decide.
static bool isLess(double A, double B) { return A < B - 1e-9 * (A + B); }

IntervalPartition cheapestPartition(const RegisterGraph &G,
                                    IntervalOptions Options) {
  auto Sum = [&](const PrefetchCost &Cost) {
    return Cost.Executed * Options.MaxRegisters + Cost.Fetched;
  };
  // The published algorithm's comes first.
  std::optional<PrefetchCost> Published;
  IntervalPartition Best;
  double Least = 0;
  IntervalFormer Former(G, Options.Kind);
  auto Consider = [&](DecidedBy &Decided) {
    IntervalPartition P = Former.form(Options, Decided);
    PrefetchCost Cost = prefetchCost(G, P);
    if (Published && (isLess(Published->Executed, Cost.Executed) ||
                      !isLess(Sum(Cost), Least)))
      return;
    if (!Published)
      Published = Cost;
    Best = std::move(P);
    Least = Sum(Cost);
  };
  DecidedBy Ever;
  for (JoinOrder Order :
       {JoinOrder::Arrival, JoinOrder::Frequency, JoinOrder::Density}) {
    Options.Order = Order;
    if (Order != JoinOrder::Arrival && !Ever.Order)
      break;
    Ever.Fill = false;
    for (bool Fill : {false, true}) {
      Options.FillByCutting = Fill;
      if (Fill && !Ever.Fill)
        break;
      Ever.Cut = false;
      for (CutRule Cut : {CutRule::Latest, CutRule::FewestLive}) {
        Options.Cut = Cut;
        if (Cut == CutRule::Latest || Ever.Cut)
          Consider(Ever);
      }
    }
  }
  return Best;
}

} // namespace regshare
