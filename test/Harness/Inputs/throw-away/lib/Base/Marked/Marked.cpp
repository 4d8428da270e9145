//===- Marked.cpp - A scheme with a statement that only tests have --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Statements.h"

namespace regshare {

static Result<void> add(const Statement &, const KernelDescriptor &,
                        SchemeFacts &) {
  return {};
}

static constexpr StatementKind Statements[] = {{"marked", StatementKind::Head,
                                                StatementKind::Unexecuted,
                                                "a pass has been here", add}};

namespace schemes {
extern const SchemeDescription Marked;
const SchemeDescription Marked = {
    .Name = "marked",
    .Summary = "a scheme with a compiler that only tests have",
    .Page = "marked",
    .Statements = Statements,
    .Required = "marked"};
} // namespace schemes

static const SchemeDescription *const Members[] = {&schemes::Marked};
extern const SchemeFamily MarkedFamily;
const SchemeFamily MarkedFamily = {Members};

} // namespace regshare
