//===- regshare/Pipeline/ReportCollector.h - Gather reports in a pipeline - -*-
// C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass that gathers a report on every kernel of a module.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_REPORTCOLLECTOR_H
#define REGSHARE_PIPELINE_REPORTCOLLECTOR_H

#include <memory>
#include <vector>

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace regshare {

struct KernelReport;
class ValueNames;

/// A machine function pass, to run on architected code, that appends to
/// \p Kernels, which outlives it.
llvm::FunctionPass *
createCollectReportPass(std::vector<KernelReport> &Kernels,
                        std::shared_ptr<const ValueNames> Names);

} // namespace regshare

#endif // REGSHARE_PIPELINE_REPORTCOLLECTOR_H
