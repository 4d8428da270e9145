//===- MarkedModel.cpp - An SM that marks mean nothing to -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules/CodeRules.h"
#include "Schemes/SchemeModelOf.h"

namespace regshare {

namespace schemes {
extern const SchemeDescription Marked;
} // namespace schemes

namespace sim {

namespace {
class MarkedScheme final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
};
} // namespace

static const SchemeModelOf<MarkedScheme> Marked;
static const ModelFamily::Member Members[] = {{schemes::Marked, Marked}};
extern const ModelFamily MarkedModels;
const ModelFamily MarkedModels = {Members};

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &) {
  return nullptr;
}

static const SchemeDescription *const Schemes[] = {&schemes::Marked};
extern const CodeFamily MarkedCodeFamily;
const CodeFamily MarkedCodeFamily = {Schemes, decoder};

} // namespace sim
} // namespace regshare
