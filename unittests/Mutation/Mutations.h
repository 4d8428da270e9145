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

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare::mutation {

enum class Change {
  Drop,
  Earlier,   ///< Before the instruction that stands before it.
  Later,     ///< Behind the instruction that stands behind it.
  OtherSide, ///< To the start of another successor of a predecessor.
  Twice,
  DropRegister, ///< From the vector of a PREFETCH or PREF.
  AddRegister,  ///< To it.
  MarkDead,     ///< An operand that is not marked.
  DropPlace,    ///< Of an operand in the register cache.
  OtherSlot,    ///< In place of the one that it is said to be in.
  CacheAlone,   ///< A result that goes to both files.
  BlockBefore,  ///< To the end of a predecessor.
  FewerPrivate, ///< 1, 2, 4, … registers fewer are a warp's own,
  MorePrivate,  ///<   or one more.
  SwapNumbers,  ///< A private register and a shared one change numbers.
  /// No mutation: traps in its place, to see whether it is ever executed.
  Trap,
  /// No mutation: overwrites what a copy writes, to see whether that is read.
  Spoil,
};
const char *changeName(Change C);

/// What one mutation is about.
struct Subject {
  unsigned Index; ///< Among the function's subjects, in layout order.
  /// "acquire", "release", "free", "prefetch", "interval", "dead", "strand",
  /// "operands", "pref", "sharing", "copy", or "operand": an instruction with
  /// registers that can be marked dead.
  std::string What;
  std::string Where; ///< "bb.3: …", for people.
  /// Registers in the vector and not in it; operands that are not marked.
  unsigned Dropped = 0, Added = 0, Unmarked = 0;
  unsigned Places = 0, InBoth = 0; ///< Operands in the cache; results in both.
  unsigned Private = 0;            ///< Registers that are.
};

/// The statements and copies of \p MF that can be changed; with \p Operands
/// the operands that can be marked in place of copies.
std::vector<Subject> subjects(const llvm::MachineFunction &MF,
                              const RegisterAssignment &Assignment,
                              bool Operands);

/// A change to make.
struct Wish {
  unsigned Subject;
  Change C;
  bool Probe = false; ///< See change().
  unsigned Which = 0; ///< Of several registers or operands.
};

enum class Outcome {
  None, ///< There is nothing to change, as where it stands first already.
  Made,
  NoMatter, ///< Made: neither reads or writes what the other writes, of the
            ///< copy and what it moved past.
};
/// With What.Probe, of a copy, exaggerates: where the copy stood, and where it
/// matters where it stands now, a value that is not the copied one becomes
/// another. What still has no effect is not read where it is different.
Outcome change(llvm::MachineFunction &MF, const RegisterAssignment &Assignment,
               const Wish &What, bool Operands);

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_MUTATIONS_H
