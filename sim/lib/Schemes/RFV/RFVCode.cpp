//===- RFVCode.cpp - Code that frees registers ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/DeadRegisters.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RFV/RFVStatements.h"

namespace regshare::sim {

extern const CodeFamily RFVCodeFamily;

namespace {

class RFVCode final : public CodeRules {
public:
  enum Statement : uint8_t { Free = 1 };

  explicit RFVCode(const Function &F) : CodeRules(RFVCodeFamily, F) {}

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override {
    return std::make_unique<DeadRegisterRules>(W);
  }
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : F(F) {}

  bool decode(const Statement &S, const ptx::Instruction &,
              DecodedStatement &Out) override {
    Result<std::vector<unsigned>> Units = parseFree(S);
    if (!Units)
      return fail(Units.error().Message);
    Out = {RFVCode::Free, std::move(*Units)};
    Frees = true;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return Frees ? std::make_shared<RFVCode>(F) : nullptr;
  }

private:
  const Function &F;
  bool Frees = false;
};

} // namespace

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  return std::make_unique<Decoder>(F);
}

static const SchemeDescription *const Schemes[] = {&schemes::RFV};
const CodeFamily RFVCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
