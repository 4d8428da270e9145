//===- regshare/Annotation/VerifyFold.h - Proves folds sound - -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves that native code is what hardware can execute in one piece: values
/// without a register are where native code may have them. It does not know how
/// regshare-fold made them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_VERIFYFOLD_H
#define REGSHARE_ANNOTATION_VERIFYFOLD_H

#include <string>
#include <vector>

namespace llvm {
class MachineFunction;
class MachineInstr;
class PassRegistry;
} // namespace llvm

namespace regshare {

/// Something that hardware cannot execute, and where.
struct FoldViolation {
  const llvm::MachineInstr *MI; ///< Where.
  std::string What;

  /// "bb.3: …, at: …".
  std::string str() const;
};

/// All violations, in layout order. Code that is not native has none unless it
/// has values without a register.
std::vector<FoldViolation> verifyFold(const llvm::MachineFunction &MF);

} // namespace regshare

namespace llvm {
/// regshare-verify-fold: reports every violation as an error.
void initializeVerifyFoldPassPass(PassRegistry &);
} // namespace llvm

#endif // REGSHARE_ANNOTATION_VERIFYFOLD_H
