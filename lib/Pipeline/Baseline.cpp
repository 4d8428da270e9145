//===- Baseline.cpp - A report of before ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/ReportLimits.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;

namespace regshare {

static bool readCount(const json::Object &From, StringRef Key, unsigned &To) {
  std::optional<int64_t> N = From.getInteger(Key);
  if (!N || *N < 0)
    return false;
  To = unsigned(*N);
  return true;
}

/// Empty, or the key that is missing.
static StringRef readKernel(const json::Object &From, BaselineKernel &To) {
  for (auto [Key, Count] : {std::pair("registers", &To.Registers),
                            {"spilled", &To.Spilled},
                            {"instructions", &To.Instructions}})
    if (!readCount(From, Key, *Count))
      return Key;
  if (const json::Object *O = From.getObject("occupancy")) {
    unsigned Warps = 0;
    if (!readCount(*O, "warps", Warps))
      return "occupancy.warps";
    To.Warps = Warps;
    To.Device = O->getString("device").value_or("").str();
  }
  const json::Array *Points = From.getArray("points");
  if (!Points)
    return "points";
  for (const json::Value &Value : *Points) {
    const json::Object *P = Value.getAsObject();
    unsigned Line = 0, Live = 0;
    std::optional<StringRef> File = P ? P->getString("file") : std::nullopt;
    if (!File || !readCount(*P, "line", Line) || !readCount(*P, "live", Live))
      continue;
    unsigned &Most = To.Lines[{sys::path::filename(*File).str(), Line}];
    Most = std::max(Most, Live);
  }
  return "";
}

Expected<Baseline> readBaseline(StringRef Path) {
  auto Fails = [&](const Twine &Why) {
    return createStringError(Path + ": " + Why);
  };
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (std::error_code EC = Buffer.getError())
    return createFileError(Path, EC);
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root)
    return Fails("expected a report that --emit=json wrote: " +
                 toString(Root.takeError()));
  const json::Object *Top = Root->getAsObject();
  const json::Array *Kernels = Top ? Top->getArray("kernels") : nullptr;
  if (!Kernels || Top->getInteger("version") != 1)
    return Fails("expected a report that --emit=json wrote, with version 1 and "
                 "kernels");
  Baseline Result;
  Result.Path = Path.str();
  for (const json::Value &Value : *Kernels) {
    const json::Object *K = Value.getAsObject();
    std::optional<StringRef> Name = K ? K->getString("name") : std::nullopt;
    if (!Name)
      return Fails("a kernel has no name");
    if (StringRef Missing = readKernel(*K, Result.Kernels[*Name]);
        !Missing.empty())
      return Fails("kernel '" + *Name + "' has no " + Missing);
  }
  return Result;
}

static void printChange(raw_ostream &OS, StringRef What, unsigned Old,
                        unsigned New, bool &Any) {
  if (Old == New)
    return;
  Any = true;
  OS << "    " << What << format(" %u -> %u (%+d)\n", Old, New, int(New - Old));
}

/// Lines whose most demanding instruction needs more or fewer registers. A line
/// that has been moved counts as another one.
static void printLines(raw_ostream &OS, const KernelReport &K,
                       const BaselineKernel &B, bool &Any) {
  std::map<std::pair<std::string, unsigned>, unsigned> Now;
  for (const ReportPoint &P : K.Points)
    if (!P.File.empty()) {
      unsigned &Most = Now[{sys::path::filename(P.File).str(), P.Line}];
      Most = std::max(Most, P.Live);
    }
  for (const auto &[Place, Live] : Now)
    if (auto It = B.Lines.find(Place); It != B.Lines.end())
      printChange(OS,
                  "live at " + Place.first + ":" + std::to_string(Place.second),
                  It->second, Live, Any);
}

void printChanges(raw_ostream &OS, ArrayRef<KernelReport> Kernels,
                  const ReportOptions &Options, const Baseline &Before) {
  std::set<StringRef> Gone;
  for (const auto &Entry : Before.Kernels)
    Gone.insert(Entry.first());
  OS << "\nsince " << Before.Path << "\n";
  for (const KernelReport &K : Kernels) {
    Gone.erase(K.Name);
    OS << "  " << K.Demangled;
    auto Found = Before.Kernels.find(K.Name);
    if (Found == Before.Kernels.end()) {
      OS << ": new\n";
      continue;
    }
    OS << "\n";
    const BaselineKernel &B = Found->second;
    bool Any = false;
    printChange(OS, "registers", B.Registers, K.Stats.Units, Any);
    printChange(OS, "spilled values", B.Spilled, K.Stats.Spilled, Any);
    if (B.Warps && Options.Device && Options.Device->Name == B.Device)
      printChange(OS, "warps on an SM", *B.Warps,
                  occupancy(*Options.Device, resourcesOf(K, Options)).Warps,
                  Any);
    printChange(OS, "instructions", B.Instructions, K.Instructions, Any);
    printLines(OS, K, B, Any);
    if (!Any)
      OS << "    nothing has changed\n";
  }
  for (StringRef Name : Gone)
    OS << "  " << Name << ": gone\n";
}

} // namespace regshare
