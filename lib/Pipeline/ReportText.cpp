//===- ReportText.cpp - A report for people -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceText.h"

#include "regshare/CodeGen/SharedSpilling.h"
#include "regshare/Pipeline/Report.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <regex>
#include <tuple>

using namespace llvm;

namespace regshare {

static unsigned threadsPerCTA(const KernelReport &K,
                              const ReportOptions &Options) {
  if (Options.Threads)
    return Options.Threads;
  return K.Bounds.MaxThreads ? K.Bounds.MaxThreads : 256;
}

KernelResources resourcesOf(const KernelReport &K,
                            const ReportOptions &Options) {
  uint64_t Shared = uint64_t(K.SharedBytes) +
                    (K.DynamicShared ? Options.DynamicSharedBytes : 0);
  return {K.Stats.Units, threadsPerCTA(K, Options),
          unsigned(std::min<uint64_t>(Shared, UINT_MAX))};
}

KernelResources ptxasResourcesOf(const KernelReport &K,
                                 const ReportOptions &Options) {
  KernelResources Resources = resourcesOf(K, Options);
  Resources.RegsPerThread = K.Ptxas->Registers;
  if (K.Ptxas->SharedBytes)
    Resources.SharedPerCTA = *K.Ptxas->SharedBytes;
  return Resources;
}

std::string limitOfSharedSpills(const KernelReport &K) {
  constexpr unsigned Least = 4; // Bytes of a spilled register.
  if (K.Stats.Spilled == K.Stats.SharedSpilled)
    return "";
  bool HasRoom = K.SharedRoom.Bytes &&
                 K.Stats.SharedSpillBytes + Least * K.SharedRoom.Threads <=
                     K.SharedRoom.Bytes;
  return HasRoom ? "a register with their address costs more"
                 : K.SharedRoom.Limit;
}

ReportedLaunch launchOf(const KernelReport &K, const ReportOptions &Options) {
  return {Options.Device ? &*Options.Device : nullptr, resourcesOf(K, Options)};
}

namespace {

struct LineCounts {
  unsigned Live = 0;
  unsigned WarpLive = 0;
  unsigned Instructions = 0;
};

} // namespace

static std::string withCommas(uint64_t N) {
  std::string S = std::to_string(N);
  for (int I = int(S.size()) - 3; I > 0; I -= 3)
    S.insert(I, ",");
  return S;
}

static std::string dynamicShared(const KernelReport &K,
                                 const ReportOptions &Options) {
  if (!K.DynamicShared)
    return "";
  if (Options.DynamicSharedBytes)
    return " and " + withCommas(Options.DynamicSharedBytes) + " B dynamic";
  return " and dynamic (none assumed; --dynamic-shared=n)";
}

static void printSpills(raw_ostream &OS, const KernelReport &K) {
  const AssignStats &S = K.Stats;
  const char *Start = "  spilled     ";
  if (S.SharedSpilled) {
    OS << Start << S.SharedSpilled << " values to shared memory ("
       << S.SharedSpillLoads << " loads, " << S.SharedSpillStores << " stores; "
       << withCommas(S.SharedSpillBytes) << " B per CTA)\n";
    Start = "              ";
  }
  if (S.Spilled == S.SharedSpilled)
    return;
  OS << Start << S.Spilled - S.SharedSpilled << " values to local memory ("
     << S.SpillLoads - S.SharedSpillLoads << " loads, "
     << S.SpillStores - S.SharedSpillStores << " stores)";
  if (std::string Why = limitOfSharedSpills(K); !Why.empty())
    OS << "; shared memory takes " << (S.SharedSpilled ? "no more" : "none")
       << ": " << Why;
  OS << "\n";
}

static void printHeader(raw_ostream &OS, const KernelReport &K,
                        const ReportOptions &Options) {
  OS << (K.IsKernel ? "kernel " : "function ") << K.Demangled << "\n";
  const AssignStats &S = K.Stats;
  OS << "  target      " << K.Target << ", "
     << withCommas(K.HardwareInstructions.value_or(K.Instructions))
     << " instructions";
  if (K.HardwareInstructions)
    OS << " in hardware, " << withCommas(K.Instructions) << " of PTX";
  OS << ", " << K.Branches << " branches (" << K.DivergentBranches
     << " can diverge)\n";
  OS << "  registers   " << S.Units << " per thread (" << S.AssignedPeak
     << " live at the peak, " << K.WarpPeak << " with parked lanes), "
     << S.Preds << " predicates\n";
  if (S.PeakUnits > S.AssignedPeak)
    OS << "              " << S.PeakUnits
       << " were live at the peak before values were computed again or "
          "spilled\n";
  OS << "  memory      " << withCommas(K.SharedBytes) << " B shared per CTA"
     << dynamicShared(K, Options) << ", " << withCommas(K.LocalBytes)
     << " B local per thread\n";
  printSpills(OS, K);
  if (S.SpilledPreds)
    OS << "              " << S.SpilledPreds << " predicates to registers\n";
  if (S.Rematerialized)
    OS << "  recomputed  " << S.Rematerialized
       << " values at their uses (constants, kernel parameters)\n";
  if (S.GroupCopies)
    OS << "  copies      " << S.GroupCopies
       << " to line up the operands of vector accesses\n";
}

static void printOccupancy(raw_ostream &OS, const KernelReport &K,
                           const ReportOptions &Options) {
  if (!Options.Device)
    return;
  const DeviceDescription &D = *Options.Device;
  KernelResources Resources = resourcesOf(K, Options);
  Occupancy O = occupancy(D, Resources);
  OS << "  occupancy   " << D.Name << ", " << Resources.ThreadsPerCTA
     << " threads per CTA"
     << (Options.Threads || K.Bounds.MaxThreads ? "" : " (assumed; --block=n)")
     << ": ";
  if (!O.CTAs) {
    OS << "does not fit";
  } else {
    OS << O.CTAs << (O.CTAs == 1 ? " CTA, " : " CTAs, ") << O.Warps << " of "
       << D.MaxWarps << " warps"
       << format(" (%.0f%%)", 100.0 * O.Warps / D.MaxWarps);
  }
  ListSeparator Comma(" and ");
  OS << ", limited by ";
  for (Limiter L : O.Limiters)
    OS << Comma << limiterName(L);
  OS << "\n";
  if (std::optional<unsigned> Regs = regsForOneMoreCTA(D, Resources))
    OS << "              one more CTA would fit with " << *Regs
       << " registers per thread\n";
}

/// What a GPU would run of the same PTX.
static void printPtxas(raw_ostream &OS, const KernelReport &K,
                       const ReportOptions &Options) {
  if (!K.Ptxas)
    return;
  OS << "  ptxas       " << K.Ptxas->Registers << " registers per thread, "
     << withCommas(K.Ptxas->Instructions) << " instructions";
  if (K.Ptxas->SpillStores || K.Ptxas->SpillLoads)
    OS << ", spills " << withCommas(K.Ptxas->SpillStores) << " B of stores and "
       << withCommas(K.Ptxas->SpillLoads) << " B of loads";
  if (K.Ptxas->SharedBytes)
    OS << ", with " << SharedSpillingPragma << " "
       << withCommas(*K.Ptxas->SharedBytes) << " B shared per CTA";
  if (Options.Device) {
    Occupancy O = occupancy(*Options.Device, ptxasResourcesOf(K, Options));
    OS << ", " << O.Warps << " of " << Options.Device->MaxWarps << " warps";
  }
  OS << "; a GPU runs ptxas's code\n";
}

static void printCount(raw_ostream &OS, const LineCounts &C, unsigned Peak,
                       bool IsPeak) {
  constexpr unsigned Width = 24;
  unsigned Bar = Peak ? (C.Live * Width + Peak - 1) / Peak : 0;
  OS << format("%5u %5u  ", C.Live, C.WarpLive)
     << left_justify(std::string(Bar, '#'), Width)
     << (IsPeak ? " <-- " : "     ");
}

/// Live registers by source line; a line's count is its most demanding
/// instruction's.
static void printSourceView(raw_ostream &OS, const KernelReport &K) {
  std::map<std::pair<std::string, unsigned>, LineCounts> Lines;
  unsigned Peak = 0;
  for (const ReportPoint &P : K.Points) {
    if (P.File.empty())
      continue;
    LineCounts &C = Lines[{P.File, P.Line}];
    C.Live = std::max(C.Live, P.Live);
    C.WarpLive = std::max(C.WarpLive, P.WarpLive);
    ++C.Instructions;
    Peak = std::max(Peak, P.Live);
  }
  SourceText Source;
  StringRef File;
  for (const auto &[Key, C] : Lines) {
    if (File != Key.first) {
      File = Key.first;
      OS << "\n  live registers in " << sys::path::filename(File) << "\n";
      OS << "   line  live  warp\n";
    }
    OS << format("  %5u ", Key.second);
    printCount(OS, C, Peak, C.Live == Peak);
    OS << Source.line(File, Key.second).substr(0, 90) << "\n";
  }
}

/// Without debug information: every instruction.
static void printInstructionView(raw_ostream &OS, const KernelReport &K) {
  unsigned Peak = 0;
  for (const ReportPoint &P : K.Points)
    Peak = std::max(Peak, P.Live);
  OS << "\n  live registers by instruction (no line information in the "
        "input)\n  block  live  warp\n";
  for (const ReportPoint &P : K.Points) {
    OS << format("  %5u ", P.Block);
    printCount(OS, {P.Live, P.WarpLive, 1}, Peak, P.Live == Peak);
    OS << StringRef(P.Text).split(" :: ").first.substr(0, 90) << "\n";
  }
}

/// "71", and "math.h:12" where the file is another than the peak's.
static std::string lineOf(const SourcePlace &P, const KernelPeak &Peak) {
  if (!P.isKnown())
    return "?";
  std::string Line = std::to_string(P.Line);
  return P.File == Peak.Place.File
             ? Line
             : (sys::path::filename(P.File) + ":" + Line).str();
}

/// "Sum[…]" for "Sum[17]".
static std::string withoutIndices(StringRef Title) {
  static const std::regex Index("\\[[0-9]+\\]");
  return std::regex_replace(Title.str(), Index, "[…]");
}

/// Variables, those that are elements of one array once if \p Indices do not
/// count.
static std::string namesOf(const PeakValue &V, bool Indices) {
  std::vector<std::string> Texts;
  // What only uses the value says less than its own name.
  bool AnyWhole = any_of(V.Names, [](const ValueName &N) { return N.IsWhole; });
  for (const ValueName &N : V.Names) {
    if (!N.IsWhole && AnyWhole)
      continue;
    std::string Text = (N.IsWhole ? "" : "for ") + N.Variable +
                       (N.Function.empty() ? "" : " (" + N.Function + ")");
    if (!Indices)
      Text = withoutIndices(Text);
    if (!is_contained(Texts, Text))
      Texts.push_back(Text);
  }
  return join(Texts, ", ");
}

/// The value in the source's words, as far as there are any.
static std::string titleOf(const PeakValue &V, bool Indices) {
  for (const std::string &Text : {namesOf(V, Indices), V.Expression, V.Purpose})
    if (!Text.empty())
      return Indices ? Text : withoutIndices(Text);
  return V.Instruction;
}

/// \p Text in \p Width columns.
static std::string column(StringRef Text, unsigned Width) {
  unsigned Columns = sys::unicode::columnWidthUTF8(Text);
  if (Columns <= Width)
    return Text.str() + std::string(Width - Columns, ' ');
  // Not within a character.
  while (sys::unicode::columnWidthUTF8(Text) != int(Width - 1))
    Text = Text.drop_back();
  return Text.str() + "…";
}

namespace {
/// Values that a reader need not tell from each other: elements of an array.
struct PeakRow {
  std::string Set, Read, Title, Again;
  unsigned Values = 0, Units = 0;
  std::optional<unsigned> Distance; ///< Of that which is read last.
};
} // namespace

static std::vector<PeakRow> rowsOf(const KernelPeak &Peak) {
  std::vector<PeakRow> Rows;
  std::map<std::tuple<std::string, std::string, std::string, ComputeAgain>,
           size_t>
      Found;
  for (const PeakValue &V : Peak.Values) {
    PeakRow R;
    R.Set = V.Definitions.empty() ? "?" : lineOf(V.Definitions[0], Peak);
    if (V.Definitions.size() > 1)
      R.Set += ", …";
    R.Read = V.ReadBy ? lineOf(V.NextUse, Peak) : "never";
    R.Title = titleOf(V, /*Indices=*/true);
    R.Again = describe(V);
    if (V.ReadBy)
      R.Distance = V.Distance;
    std::string Alike = titleOf(V, /*Indices=*/false);
    auto [It, New] =
        Found.try_emplace({R.Set, R.Read, Alike, V.Again}, Rows.size());
    if (New)
      Rows.push_back(R);
    PeakRow &Row = Rows[It->second];
    Row.Units += V.Units;
    if (++Row.Values == 1)
      continue;
    Row.Title = Alike;
    if (Row.Again != R.Again) {
      PeakValue Any;
      Any.Again = V.Again;
      Row.Again = describe(Any);
    }
  }
  return Rows;
}

/// Who holds the registers where most are live.
static void printPeak(raw_ostream &OS, const KernelReport &K) {
  const KernelPeak &Peak = K.Peak;
  if (Peak.Values.empty())
    return;
  OS << "\n  values that hold registers at ";
  if (Peak.Place.isKnown())
    OS << "line " << Peak.Place.Line;
  else
    OS << "the peak, in block " << K.Points[Peak.Point].Block;
  OS << "; those read last come first\n  regs  set at    read at     in  "
     << column("value", 36) << "  could be computed again\n";
  for (const PeakRow &R : rowsOf(Peak)) {
    std::string Title = R.Title;
    if (R.Values > 1) {
      std::string Count = " (" + std::to_string(R.Values) + " values)";
      Title = StringRef(column(Title, 36 - Count.size())).rtrim().str() + Count;
    }
    OS << format("  %4u  ", R.Units) << column(R.Set, 8) << "  "
       << column(R.Read, 8);
    if (R.Distance)
      OS << format("  %4u", *R.Distance);
    else
      OS << "      ";
    OS << "  " << column(Title, 36) << "  " << R.Again << "\n";
  }
}

void printReport(raw_ostream &OS, ArrayRef<KernelReport> Kernels,
                 const ReportOptions &Options) {
  ListSeparator Gap("\n");
  for (const KernelReport &K : Kernels) {
    OS << Gap;
    printHeader(OS, K, Options);
    printOccupancy(OS, K, Options);
    printPtxas(OS, K, Options);
    for (const auto &Its : K.OfScheme)
      Its->print(OS, launchOf(K, Options));
    bool HasLines = llvm::any_of(
        K.Points, [](const ReportPoint &P) { return !P.File.empty(); });
    if (HasLines)
      printSourceView(OS, K);
    else
      printInstructionView(OS, K);
    printPeak(OS, K);
  }
}

} // namespace regshare
