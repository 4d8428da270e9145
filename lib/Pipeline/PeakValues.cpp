//===- PeakValues.cpp - Who holds registers -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/PeakValues.h"

namespace regshare {

const char *keyOf(ComputeAgain A) {
  switch (A) {
  case ComputeAgain::Constant:
    return "constant";
  case ComputeAgain::Parameter:
    return "parameter";
  case ComputeAgain::SpecialRegister:
    return "special_register";
  case ComputeAgain::FromOthers:
    return "from_others";
  case ComputeAgain::SourcesGone:
    return "sources_gone";
  case ComputeAgain::Memory:
    return "memory";
  case ComputeAgain::SeveralPlaces:
    return "several_places";
  case ComputeAgain::Opaque:
    return "opaque";
  }
  return "";
}

std::string describe(const PeakValue &V) {
  switch (V.Again) {
  case ComputeAgain::Constant:
    return "yes: constant";
  case ComputeAgain::Parameter:
    return "yes: parameter";
  case ComputeAgain::SpecialRegister:
    return "yes: special register";
  case ComputeAgain::FromOthers:
    return "yes: from live values";
  case ComputeAgain::SourcesGone:
    return V.Cause.empty() ? "no: what it needs is gone"
                           : "no: needs " + V.Cause + " (gone)";
  case ComputeAgain::Memory:
    return "no: read from " + (V.Cause.empty() ? "" : V.Cause + " ") + "memory";
  case ComputeAgain::SeveralPlaces:
    return "no: set in several places";
  case ComputeAgain::Opaque:
    return "no: has other effects";
  }
  return "";
}

} // namespace regshare
