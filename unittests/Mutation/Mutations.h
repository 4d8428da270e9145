//===- Mutations.h - Small mistakes in annotated code -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The mistakes that annotated machine code is tried with: each statement of a
/// scheme, and each copy, is dropped, moved or written twice.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_MUTATIONS_H
#define REGSHARE_UNITTESTS_MUTATION_MUTATIONS_H

#include "SchemeTrial.h"

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/Register.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MachineFunction;
class MachineInstr;
class TargetInstrInfo;
} // namespace llvm

namespace regshare::mutation {

enum class Change {
  Drop,
  Earlier,   ///< Before the instruction that stands before it.
  Later,     ///< After the instruction that stands after it.
  OtherSide, ///< To the start of another successor of a predecessor.
  Twice,
  BlockBefore, ///< To the end of a predecessor.
  Own,         ///< Wish::Own, of its scheme.
  /// No mutation: traps in its place, to see whether it is ever executed.
  Trap,
  /// No mutation: overwrites what a copy writes, to see whether that is read.
  Spoil,
};

/// What one mutation is about.
struct Subject {
  unsigned Index; ///< Among the function's subjects, in layout order.
  /// A verb, "copy", or "instruction", to which the scheme's own changes can be
  /// made and no others.
  std::string What;
  std::string Where;   ///< "bb.3: …", for people.
  bool CanMove = true; ///< A statement that a kernel has once cannot.
  std::vector<unsigned> Ways = {}; ///< Of each of the scheme's own changes.
};

/// What of \p MF can be changed: statements of \p S, and copies if there is no
/// model of a warp for it.
std::vector<Subject> subjects(const llvm::MachineFunction &MF,
                              const RegisterAssignment &Assignment, Scheme S);

/// A change to make.
struct Wish {
  unsigned Subject;
  Change C;
  bool Probe = false; ///< See change().
  /// If C is that: one of the scheme's own, and in which of its ways.
  const OwnChange *Own = nullptr;
  unsigned Which = 0;

  const char *name() const;
};

/// With What.Probe, of a copy, exaggerates: where the copy stood, and where it
/// matters where it stands now, a value that is not the copied one becomes
/// another. What still has no effect is not read where it is different.
Outcome change(llvm::MachineFunction &MF, const RegisterAssignment &Assignment,
               const Wish &What, Scheme S);

/// The opcode that the target calls so, if there is one.
std::optional<unsigned> opcodeNamed(const llvm::TargetInstrInfo &TII,
                                    llvm::StringRef Name);

/// Before \p Where: \p R gets a value of its own unless it has that of \p
/// Other, a register like it; \p Pred is free. False if that cannot be said in
/// code: of predicates, and without a free one.
bool insertProbe(llvm::MachineBasicBlock &MBB,
                 llvm::MachineBasicBlock::iterator Where, llvm::Register R,
                 llvm::Register Other, llvm::Register Pred);
/// A predicate that nothing in \p MBB names and no value lives in; none if
/// there is none.
llvm::Register freePredicate(const llvm::MachineBasicBlock &MBB,
                             const RegisterAssignment &Assignment);

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_MUTATIONS_H
