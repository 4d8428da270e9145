//===- CodeRules.cpp - Code with a scheme's statements --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRules.h"

#include "regshare/Base/SchemeRegistry.h"

namespace regshare::sim {

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

#define REGSHARE_SCHEMES(Folder) extern const CodeFamily Folder##CodeFamily;
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#include "regshare/Base/Schemes.def"

namespace {

class CodeRegistry : public SchemeRegistry<CodeFamily> {
public:
  CodeRegistry() : SchemeRegistry("a code family", {}) {
#define REGSHARE_SCHEMES(Folder) addBuiltIn(Folder##CodeFamily);
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#include "regshare/Base/Schemes.def"
  }

private:
  void addBuiltIn(const CodeFamily &Family) {
    for (const SchemeDescription *Member : Family.Schemes)
      SchemeRegistry::addBuiltIn(*Member, Family);
  }
};

} // namespace

static CodeRegistry &registry() {
  static CodeRegistry All;
  return All;
}

const CodeFamily *findCode(std::string_view Name) {
  if (Name.find('+') != Name.npos) {
    Result<Scheme> S = parseScheme(Name);
    return S ? composedCode(*S) : nullptr;
  }
  for (const auto &Each : registry().entries())
    if (Each.Of.name() == Name)
      return Each.Value;
  return nullptr;
}

Result<void> registerCode(const CodeFamily &Family) {
  for (const SchemeDescription *Member : Family.Schemes)
    if (Result<void> Ok = registry().add(*Member, Family); !Ok)
      return Ok;
  return {};
}

//===----------------------------------------------------------------------===//
// What schemes do not have to say
//===----------------------------------------------------------------------===//

WarpRules::~WarpRules() = default;

std::optional<Violation> WarpRules::before(const Inst &) { return {}; }
std::optional<Violation> WarpRules::unwritten(const Inst &) { return {}; }
std::string WarpRules::mustWait(const Inst &) { return {}; }
void WarpRules::after(const Inst &) {}
void WarpRules::execute(const Inst &) {}
bool WarpRules::provides(const Inst &, uint32_t) const { return false; }
std::string WarpRules::lostSince(uint32_t) const { return {}; }
std::optional<Violation> WarpRules::waits() { return {}; }
void WarpRules::lanesChange() {}
void WarpRules::arrived(const PendingAccess &) {}
void WarpRules::parked() {}
bool WarpRules::needsItsPlace(const Inst &) const { return false; }
uint64_t WarpRules::state() const { return 0; }

CodeRules::~CodeRules() = default;

uint8_t CodeRules::attentionTo(size_t) const { return 0; }
std::optional<uint8_t> CodeRules::statementUnder(const CodeFamily *Running,
                                                 size_t Number) const {
  if (&Family != Running)
    return std::nullopt;
  return F.Code[Number].Statement;
}
std::vector<uint32_t> CodeRules::awaitedBy(const Inst &) const { return {}; }
void CodeRules::noteGroups(std::span<IssueInfo>) const {}
uint32_t CodeRules::addGroups(std::any &) const { return 0; }

StatementDecoder::~StatementDecoder() = default;

bool StatementDecoder::comesTo(const ptx::Instruction *) { return true; }
bool StatementDecoder::decoded(const DecodedInst &) { return true; }

} // namespace regshare::sim
