//===- SchemeTrial.cpp - How schemes are put on trial ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace regshare::mutation {

#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) extern const TrialFamily Folder##Trials;
#include "regshare/Base/Schemes.def"

const SchemeTrial &trialOf(Scheme S) {
  std::span<const TrialFamily::Member> Families[] = {
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) Folder##Trials.Members,
#include "regshare/Base/Schemes.def"
  };
  for (std::span<const TrialFamily::Member> Members : Families)
    for (const TrialFamily::Member &M : Members)
      if (Scheme(M.Description) == S)
        return M.Trial;
  report_fatal_error("mutation testing knows nothing of scheme " +
                     Twine(S.name()));
}

Statement statementOf(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).split('"').second.rsplit('"').first;
  return *parseStatement({Text.data(), Text.size()});
}

Outcome replaceStatement(MachineInstr &MI, const std::string &Pragma) {
  insertStatement(*MI.getParent(), MI.getIterator(), Pragma);
  MI.eraseFromParent();
  return Outcome::Made;
}

} // namespace regshare::mutation
