//===- SharingReport.cpp - What reports say about CTAs in pairs -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Sharing/Sharing.h"

#include "llvm/Support/Format.h"

using namespace llvm;

namespace regshare {

static json::Object beforeSharedObject(const BeforeShared &B) {
  return json::Object{
      {"least", B.Least ? json::Value(*B.Least) : json::Value(nullptr)},
      {"expected", B.Expected}};
}

StringRef SharingResult::key() const { return "sharing"; }

json::Object SharingResult::toJSON(const ReportedLaunch &) const {
  json::Object Object{
      {"registers", Registers},
      {"instructions_before_shared", beforeSharedObject(Before)},
      {"instructions_per_warp", InstrsExecuted},
      {"releases", Releases},
      {"edge_blocks", EdgeBlocks}};
  if (PrivateRegs) {
    Object["private"] = *PrivateRegs;
    Object["shared"] = Registers - *PrivateRegs;
    Object["order"] = settings::Order.print(int64_t(Order));
    Object["before_renumbering"] = beforeSharedObject(BeforeRenumbering);
  }
  return Object;
}

static void printBeforeShared(raw_ostream &OS, const BeforeShared &B) {
  OS << format("%.1f instructions expected", B.Expected);
  if (B.Least)
    OS << ", " << *B.Least << " at least";
}

void SharingResult::print(raw_ostream &OS, const ReportedLaunch &) const {
  OS << "  sharing     ";
  if (PrivateRegs)
    OS << *PrivateRegs << " private and " << Registers - *PrivateRegs
       << " shared registers, in order "
       << settings::Order.print(int64_t(Order)) << "\n"
       << Indent << "before the first shared one: ";
  else
    OS << "before the first access to shared memory: ";
  printBeforeShared(OS, Before);
  OS << format(", of %.1f", InstrsExecuted);
  if (PrivateRegs && Order != RegisterOrder::Declared) {
    OS << "\n" << Indent << "with the numbers before: ";
    printBeforeShared(OS, BeforeRenumbering);
  }
  OS << "\n"
     << Indent << "early releases: " << Releases << ", with " << EdgeBlocks
     << " blocks of their own\n";
}

} // namespace regshare
