//===- ReportText.cpp - A report for people -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Report.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

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

Result<EXPARSResidency> residencyOf(const KernelReport &K,
                                    const ReportOptions &Options) {
  // What the code needs in the register file is at least what τ leaves there.
  constexpr unsigned All = 1000;
  return exparsResidency(*Options.Device, resourcesOf(K, Options), All,
                         K.EXPARS->Kept);
}

namespace {

/// The lines of a source file, or none if it is not there.
class SourceText {
public:
  StringRef line(StringRef File, unsigned Line) {
    auto [It, New] = Files.try_emplace(File);
    if (New)
      if (auto Buffer = MemoryBuffer::getFile(File)) {
        Buffers.push_back(std::move(*Buffer));
        Buffers.back()->getBuffer().split(It->second, '\n');
      }
    ArrayRef<StringRef> Lines = It->second;
    return Line && Line <= Lines.size() ? Lines[Line - 1].rtrim() : StringRef();
  }

private:
  StringMap<SmallVector<StringRef, 0>> Files;
  std::vector<std::unique_ptr<MemoryBuffer>> Buffers;
};

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

static void printHeader(raw_ostream &OS, const KernelReport &K,
                        const ReportOptions &Options) {
  OS << (K.IsKernel ? "kernel " : "function ") << K.Demangled << "\n";
  const AssignStats &S = K.Stats;
  OS << "  target      " << K.Target << ", " << withCommas(K.Instructions)
     << " instructions, " << K.Branches << " branches (" << K.DivergentBranches
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
  if (S.Spilled)
    OS << "  spilled     " << S.Spilled << " values to local memory ("
       << S.SpillLoads << " loads, " << S.SpillStores << " stores)\n";
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

static void printRegMutex(raw_ostream &OS, const KernelReport &K) {
  if (!K.RegMutex)
    return;
  const RegMutexResult &R = *K.RegMutex;
  OS << "  RegMutex    ";
  if (!R.Split) {
    OS << "stays as it is: " << R.Untouched << "\n";
  } else {
    OS << R.Split->Base << " base and " << R.Split->Extended
       << " extended registers, " << R.Acquires << " acquires, " << R.Releases
       << " releases, " << R.Copies << " copies\n";
    if (R.Recomputed)
      OS << "              " << R.Recomputed
         << " instructions compute values again\n";
    OS << "              held during " << R.HeldInstrs << " of " << R.Instrs
       << " instructions, " << format("%.1f%%", 100 * R.heldShare())
       << " of those expected to execute\n";
  }
  if (!R.Choice)
    return;
  SmallVector<StringRef, 8> Lines;
  std::string Table = printChoice(*R.Choice);
  StringRef(Table).trim('\n').split(Lines, '\n');
  for (StringRef Line : Lines)
    OS << "              " << Line << "\n";
}

static void printLTRF(raw_ostream &OS, const KernelReport &K) {
  if (!K.LTRF)
    return;
  const LTRFResult &R = *K.LTRF;
  const char *Indent = "              ";
  OS << "  LTRF        " << R.Intervals
     << (R.Kind == PartitionKind::Strands ? " strands" : " intervals")
     << " of at most " << R.MaxRegisters << " registers";
  if (R.MaxRegisters != R.AskedRegisters)
    OS << ", since one instruction names as many";
  OS << ", " << R.Cost.Prefetches << " prefetches\n"
     << Indent
     << format("expected for each warp: %.1f prefetches of %.1f registers, in "
               "%.1f instructions\n",
               R.Cost.Executed, R.Cost.Fetched, R.InstrsExecuted);
  if (R.Published)
    OS << Indent
       << format("as published: %.1f prefetches of %.1f registers\n",
                 R.Published->Executed, R.Published->Fetched);
  auto Percent = [&](uint64_t Bytes) {
    return R.CodeBytes ? 100.0 * Bytes / R.CodeBytes : 0;
  };
  OS << Indent
     << format("vectors add %.1f%% to the code, %.1f%% with an instruction "
               "for each\n",
               Percent(R.EmbeddedBytes), Percent(R.ExplicitBytes));
  if (R.DeadOperands)
    OS << Indent << R.DeadOperands << " operands marked dead\n";
  if (R.Renumbered)
    OS << Indent
       << format("most registers from one of %u banks, over all prefetches: "
                 "%.1f, %.1f before renumbering\n",
                 R.Renumbered->Count, R.Renumbered->After,
                 R.Renumbered->Before);
}

static void printSHRF(raw_ostream &OS, const KernelReport &K) {
  if (!K.SHRF)
    return;
  const SHRFResult &R = *K.SHRF;
  const char *Indent = "              ";
  OS << "  SHRF        " << R.Strands << " strands, " << R.Slots
     << " cache registers: " << R.Alone << " results in the cache alone, "
     << R.Both << " in both files, " << R.Fetched << " sources fetched\n"
     << Indent
     << format("expected for each warp: %.1f accesses to the main file in "
               "%.1f instructions, %.1f without the cache\n",
               R.mainAccesses(), R.InstrsExecuted, R.accesses());
}

/// Which CTAs have registers in scratchpad.
static void printResidency(raw_ostream &OS, const KernelReport &K,
                           const ReportOptions &Options) {
  const char *Indent = "              ";
  OS << Indent;
  Result<EXPARSResidency> Resident = residencyOf(K, Options);
  if (!Resident) {
    OS << Resident.error().str() << "\n";
    return;
  }
  const EXPARSResidency &R = *Resident;
  if (!R.ctas()) {
    OS << "no CTA fits\n";
    return;
  }
  OS << "resident " << R.ctas() << (R.ctas() == 1 ? " CTA" : " CTAs");
  if (R.MixedCTAs)
    OS << ", " << R.MixedCTAs << " of them with R" << R.StartReg << " to R"
       << R.RegsPerThread - 1 << " in scratchpad";
  EXPARSUtilisation U = R.utilisation(*Options.Device);
  OS << "\n"
     << Indent
     << format("in use: %.1f%% of the registers, %.1f%% of the scratchpad, "
               "%.1f%% of both\n",
               100 * U.Registers, 100 * U.Scratchpad, 100 * U.Overall);
}

static void printEXPARS(raw_ostream &OS, const KernelReport &K,
                        const ReportOptions &Options) {
  if (!K.EXPARS)
    return;
  const EXPARSResult &R = *K.EXPARS;
  const char *Indent = "              ";
  OS << "  EXPARS      " << R.Bundles << " bundles for an operand cache of "
     << R.Cache.Bytes << " bytes, " << R.EmptyBundles << " of them empty\n"
     << Indent << "always in the register file: " << R.Kept << " of "
     << R.Registers << " registers";
  if (R.Kept != R.KeptByTau)
    OS << ", " << R.KeptByTau << " but for the operands of one instruction";
  auto Percent = [](double Part, double Whole) {
    return Whole ? 100 * Part / Whole : 0;
  };
  OS << "\n"
     << Indent
     << format("expected for each warp: %.1f PREFs of %.1f registers, in %.1f "
               "instructions\n",
               R.PrefsExecuted, R.BitsExecuted, R.InstrsExecuted)
     << Indent
     << format("%.1f%% of the references to registers may be to scratchpad\n",
               Percent(R.ScratchpadReferences, R.References))
     << Indent
     << format("vectors add %.1f%% to the code, %.1f%% with an instruction "
               "for each\n",
               Percent(R.EmbeddedBytes, R.CodeBytes),
               Percent(R.ExplicitBytes, R.CodeBytes));
  if (Options.Device)
    printResidency(OS, K, Options);
}

static void printBeforeShared(raw_ostream &OS, const BeforeShared &B) {
  OS << format("%.1f instructions expected", B.Expected);
  if (B.Least)
    OS << ", " << *B.Least << " at least";
}

static void printSharing(raw_ostream &OS, const KernelReport &K) {
  if (!K.Sharing)
    return;
  const SharingResult &R = *K.Sharing;
  const char *Indent = "              ";
  OS << "  sharing     ";
  if (R.PrivateRegs)
    OS << *R.PrivateRegs << " private and " << R.Registers - *R.PrivateRegs
       << " shared registers, in order " << registerOrderName(R.Order).data()
       << "\n"
       << Indent << "before the first shared one: ";
  else
    OS << "before the first access to shared memory: ";
  printBeforeShared(OS, R.Before);
  OS << format(", of %.1f", R.InstrsExecuted);
  if (R.PrivateRegs && R.Order != RegisterOrder::Declared) {
    OS << "\n" << Indent << "with the numbers before: ";
    printBeforeShared(OS, R.BeforeRenumbering);
  }
  OS << "\n"
     << Indent << "early releases: " << R.Releases << ", with " << R.EdgeBlocks
     << " blocks of their own\n";
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

void printReport(raw_ostream &OS, ArrayRef<KernelReport> Kernels,
                 const ReportOptions &Options) {
  ListSeparator Gap("\n");
  for (const KernelReport &K : Kernels) {
    OS << Gap;
    printHeader(OS, K, Options);
    printOccupancy(OS, K, Options);
    printRegMutex(OS, K);
    printLTRF(OS, K);
    printSHRF(OS, K);
    printEXPARS(OS, K, Options);
    printSharing(OS, K);
    bool HasLines = llvm::any_of(
        K.Points, [](const ReportPoint &P) { return !P.File.empty(); });
    if (HasLines)
      printSourceView(OS, K);
    else
      printInstructionView(OS, K);
  }
}

} // namespace regshare
