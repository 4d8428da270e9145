//===- DecodeStatement.cpp - Statements of schemes ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

namespace regshare::sim {

bool FunctionDecoder::failStatement() {
  const StatementDecoder::Failure &Why = Statements->failure();
  if (Why.At)
    S = Why.At;
  return fail(Why.Message);
}

/// Why a scheme's decoder cannot have made \p Out of a statement that the SM
/// makes \p Runs of; empty: it can.
static std::string doubtAbout(const DecodedStatement &Out,
                              StatementKind::Execution Runs,
                              const Function &F) {
  bool IsInstruction = Runs != StatementKind::Decoded;
  if (IsInstruction != (Out.Number != 0))
    return IsInstruction
               ? "number 0 of a statement that is an instruction by its "
                 "description; expected one from 1 on"
               : "number " + std::to_string(Out.Number) +
                     " of a statement that becomes no instruction by its "
                     "description; expected 0";
  for (unsigned Row : Out.Dead)
    if (Row >= F.RegsPerThread)
      return "that R" + std::to_string(Row) + " is dead; the function has " +
             std::to_string(F.RegsPerThread) + " registers";
  return "";
}

/// A statement of a scheme, which its decoder understands.
bool FunctionDecoder::decodeStatement() {
  Result<Statement> Parsed = parseStatement(S->Text);
  if (!Parsed)
    return fail(Parsed.error().Message);
  if (!Statements)
    return fail("the SM does not execute statements of scheme '" + F.Scheme +
                "'");
  DecodedStatement Decoded;
  if (!Statements->decode(*Parsed, *S, Decoded))
    return failStatement();
  StatementKind::Execution Runs = *executionOf(Parsed->Verb);
  if (std::string Doubt = doubtAbout(Decoded, Runs, F); !Doubt.empty())
    return fail("scheme '" + F.Scheme +
                "': its StatementDecoder::decode() says " + Doubt);
  if (!Decoded.Number)
    return true;
  I = Inst();
  I.Source = uint32_t(S - Syntax.Body.data());
  I.Kind = InstKind::Statement;
  I.Unit = UnitClass::None;
  I.Statement = Decoded.Number;
  I.Attention = Runs == StatementKind::SteppedOver ? AttendNoSlot : 0;
  I.Imm = int64_t(Decoded.Dead.size());
  Dead = std::move(Decoded.Dead);
  return finish();
}

} // namespace regshare::sim
