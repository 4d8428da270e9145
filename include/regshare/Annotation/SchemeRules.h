//===- regshare/Annotation/SchemeRules.h - What a scheme proves -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the verifier has to know of a scheme: the rules that its annotations
/// keep. They stand on the analyses and on the statements, never on the passes
/// that place these.
///
/// A folder of Schemes.def that has a compiler (SchemeCompiler.h) defines its
/// rules as
///
///     extern const RulesFamily FooRules;
///     const RulesFamily FooRules = {Members};
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_SCHEMERULES_H
#define REGSHARE_ANNOTATION_SCHEMERULES_H

#include "regshare/Annotation/Verifier.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/SchemeRegistry.h"

namespace regshare {

struct VerifierRun;

/// What annotations of a scheme have to keep; each scheme has a subclass.
class SchemeRules {
public:
  /// What a statement breaks that the scheme does not take.
  struct Refusal {
    AnnotationRule Rule = rules::Statement;
    /// It can be read all the same, and is one of VerifierRun::Statements.
    bool IsRead = false;
  };

  /// Of \p S, which addStatement() refuses where the function has said \p Facts
  /// so far, or which is not in the first block and ought to be.
  virtual Refusal refusalOf(const Statement &S,
                            const SchemeFacts &Facts) const {
    return {};
  }
  /// Reports what breaks a rule in a function of the scheme. It has the
  /// statement that the scheme requires, if any.
  virtual void verify(VerifierRun &Run) const = 0;

protected:
  ~SchemeRules() = default;
};

/// The rules of one folder's schemes.
using RulesFamily = SchemeFamilyOf<SchemeRules>;

/// Null: the scheme's statements are well-formed, and that is all. A
/// composition has none; code of it keeps the rules of its parts.
const SchemeRules *rulesOf(Scheme S);
/// For a loaded scheme. \p Rules live as long as the process. Fails if the
/// scheme has some, or nobody has described it.
Result<void> registerSchemeRules(Scheme S, const SchemeRules &Rules);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_SCHEMERULES_H
