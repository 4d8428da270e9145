//===- Constants.cpp - The constants of native code -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include <algorithm>

namespace regshare::sim {

/// Leaves an error in \p L if one is not there.
void computeConstants(LaunchState &L) {
  // Other kernels have other parameters.
  auto IsWanted = [&](const Function &F) {
    return !F.Constants.empty() && (!F.IsEntry || &F == &L.Kernel);
  };
  L.Stats.IsNative = L.Kernel.HardwareInstructions.has_value();
  if (std::ranges::none_of(L.P.Functions,
                           [&](const auto &F) { return IsWanted(*F); }))
    return;
  L.Constants = L.P.Constants;
  RowFile Specials;
  Specials.resize(NumSpecialRows);
  fillLaunchRows(L, Specials.data());
  ExecContext C;
  C.Bases[0] = C.Bases[1] = L.Constants.data();
  C.Bases[2] = Specials.data();
  C.Params = L.Config.Arguments.data();
  C.ParamBytes = uint32_t(L.Config.Arguments.size());
  C.Global = &L.Memory;
  C.Ranges = L.Ranges.data();
  C.Mask = C.Alive = FullMask;
  for (const auto &F : L.P.Functions)
    if (IsWanted(*F))
      for (const Inst &I : F->Constants) {
        I.Fn(C, I);
        if (C.F.Kind == FaultKind::None)
          continue;
        const ptx::Instruction &Text = F->Syntax->Body[I.Source];
        L.KindOfError = ErrorKind::IllegalAddress;
        L.ErrorLine = Text.Line;
        L.Error = "a constant of kernel '" + L.Kernel.Name +
                  "' is not in the constant bank\n  at PTX line " +
                  std::to_string(Text.Line) + ": '" + std::string(Text.Text) +
                  "'";
        return;
      }
}

} // namespace regshare::sim
