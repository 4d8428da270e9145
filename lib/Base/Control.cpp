//===- Control.cpp - Control of dependences -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Control.h"

#include "regshare/Base/Statements.h"

#include <cassert>

namespace regshare {

std::string printControlPragma(const Control &C) {
  assert(!C.isDefault() && "nothing to say");
  std::string Text = "control";
  if (C.Serial)
    return statement(Text + " serial=" + std::to_string(C.Serial));
  if (C.Stall != 1)
    Text += " stall=" + std::to_string(C.Stall);
  if (C.Write)
    Text += " write=" + std::to_string(*C.Write);
  if (C.Read)
    Text += " read=" + std::to_string(*C.Read);
  if (C.Wait)
    Text += " wait=" + printMask(C.Wait);
  return statement(Text);
}

static Result<void> readField(const Statement &S, const std::string &Key,
                              const std::string &Value, Control &C) {
  auto Number = [&](unsigned Least, unsigned Most) {
    return parseNumber(S, Key, Value, Least, Most);
  };
  Result<unsigned> N = 0;
  if (Key == "stall") {
    if ((N = Number(1, MaxStall)))
      C.Stall = *N;
  } else if (Key == "write" || Key == "read") {
    if ((N = Number(0, NumDependenceCounters - 1)))
      (Key == "write" ? C.Write : C.Read) = *N;
  } else if (Key == "wait") {
    if ((N = parseMask(S, Key, Value, NumDependenceCounters - 1)))
      C.Wait = *N;
  } else if (Key == "serial") {
    if ((N = Number(1, MaxIssueSlots)))
      C.Serial = *N;
  } else {
    return failAt(S, "unknown key '" + Key +
                         "'; known: stall, write, read, wait, serial");
  }
  return N ? Result<void>() : fail(N.error());
}

Result<Control> parseControl(const Statement &S) {
  Control C;
  for (size_t N = 0; N != S.Fields.size(); ++N) {
    const auto &[Key, Value] = S.Fields[N];
    for (size_t K = 0; K != N; ++K)
      if (S.Fields[K].first == Key)
        return failAt(S, "'" + Key + "' is given twice");
    if (Result<void> R = readField(S, Key, Value, C); !R)
      return fail(R.error());
  }
  if (C.isDefault())
    return failAt(S, "expected something other than stall=1, which holds "
                     "without a statement");
  if (C.Serial && S.Fields.size() != 1)
    return failAt(S, "'serial' stands alone");
  return C;
}

} // namespace regshare
