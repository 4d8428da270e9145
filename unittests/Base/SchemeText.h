//===- SchemeText.h - PTX with a scheme's statements ----------*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_BASE_SCHEMETEXT_H
#define REGSHARE_UNITTESTS_BASE_SCHEMETEXT_H

#include "regshare/Base/Annotation.h"

#include <string>

namespace regshare::test {

/// A kernel of \p Scheme with 24 registers and \p Body after its descriptor,
/// which is line 2.
inline Result<std::vector<AnnotatedFunction>>
readKernel(const std::string &Scheme, const std::string &Body) {
  return parseAnnotations(".entry k() {\n.pragma \"regshare.kernel v1 name=k "
                          "scheme=" +
                          Scheme +
                          " regs=24 preds=1 peak=24 shared=0 local=0 "
                          "target=sm_75\";\n" +
                          Body + "}\n");
}

/// What is wrong with such a kernel, or "none".
inline std::string errorOf(const std::string &Scheme, const std::string &Body) {
  Result<std::vector<AnnotatedFunction>> Read = readKernel(Scheme, Body);
  return Read ? "none" : Read.error().str();
}

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_BASE_SCHEMETEXT_H
