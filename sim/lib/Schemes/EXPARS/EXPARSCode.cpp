//===- EXPARSCode.cpp - Code in bundles -----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EXPARSCode.h"

#include "Timing/Core/CoreConfig.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"

#include <bit>

namespace regshare::sim {

namespace {

class Rules final : public WarpRules {
public:
  using WarpRules::WarpRules;

  std::optional<Violation> before(const Inst &I) override;
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F);

  bool decode(const Statement &S, const ptx::Instruction &,
              DecodedStatement &Out) override;
  bool comesTo(const ptx::Instruction *Next) override;
  bool decoded(const DecodedInst &) override {
    Code->GroupOf.push_back(Bundle);
    return true;
  }
  std::shared_ptr<const CodeRules> take() override { return std::move(Code); }

private:
  const ptx::Function &Syntax;
  std::shared_ptr<EXPARSCode> Code;
  std::vector<bool> IsTarget; ///< By ptx::Instruction, of some branch.
  uint32_t Bundle = NoGroup;  ///< Of what follows.
};

} // namespace

/// The first register that \p I names and the PREF of its bundle does not.
std::optional<Violation> Rules::before(const Inst &I) {
  const Function &Fn = W.function();
  const auto &Code = *codeOf<EXPARSCode>(Fn, EXPARSCodeFamily);
  uint32_t Id = Code.GroupOf[size_t(&I - Fn.Code.data())];
  std::string Kept = Code.Kept
                         ? "R0 to R" + std::to_string(Code.Kept - 1) + " are"
                         : "none is";
  return Violation{"use of a register that may be in scratchpad and that " +
                       std::string(Id == NoGroup ? "no bundle brings"
                                                 : "its bundle does not "
                                                   "bring") +
                       " (" + Fn.nameOf(*Code.firstMissing(I)) + "); " + Kept +
                       " always in the register file",
                   unsigned(std::countr_zero(W.lanes()))};
}

Decoder::Decoder(const Function &F)
    : Syntax(*F.Syntax), Code(std::make_shared<EXPARSCode>(F)),
      IsTarget(Syntax.branchTargets()) {}

/// A bundle stays within a block. Branches inside of inline PTX end none: to
/// LLVM that is one instruction.
bool Decoder::comesTo(const ptx::Instruction *Next) {
  if (Next && !Next->Block && IsTarget[size_t(Next - Syntax.Body.data())])
    Bundle = NoGroup;
  return true;
}

/// A bundle begins.
bool Decoder::decode(const Statement &S, const ptx::Instruction &,
                     DecodedStatement &Out) {
  Result<std::vector<unsigned>> Units = parsePref(S);
  if (!Units)
    return fail(Units.error().Message);
  Bundle = uint32_t(Code->Brought.size());
  Code->Brought.push_back(std::move(*Units));
  Out.Number = EXPARSCode::Pref;
  return true;
}

EXPARSCode::EXPARSCode(const Function &F) : GroupedCode(EXPARSCodeFamily, F) {
  Kept = F.Facts.get<BundleBounds>()->Kept;
}

std::unique_ptr<WarpRules> EXPARSCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W);
}

/// Whether a warp may wait for others after an instruction. A block of inline
/// PTX is in one bundle, and may have barriers and loops in it.
static bool mayWaitAfter(const Inst &I, size_t Number) {
  switch (I.Kind) {
  case InstKind::Branch:
    return I.Target <= Number;
  case InstKind::IndexedBranch:
  case InstKind::Barrier:
  case InstKind::Call:
  case InstKind::Return:
  case InstKind::Exit:
    return true;
  default:
    return false;
  }
}

void EXPARSCode::noteGroups(std::span<IssueInfo> Insts) const {
  for (size_t N = 0; N != Insts.size(); ++N) {
    IssueInfo &Info = Insts[N];
    bool IsLast = N + 1 == Insts.size();
    // A branch names no register, and needs no line where it is on its own.
    if (F.Code[N].Kind != InstKind::Branch)
      Info.Group = GroupOf[N];
    Info.EndsGroup =
        IsLast || GroupOf[N] != GroupOf[N + 1] || mayWaitAfter(F.Code[N], N);
  }
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return F.Facts.get<BundleBounds>() ? std::make_unique<Decoder>(F) : nullptr;
}

static const SchemeDescription *const Schemes[] = {&schemes::EXPARS};
const CodeFamily EXPARSCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
