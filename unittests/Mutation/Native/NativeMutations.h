//===- NativeMutations.h - Wrong folds and wrong orders -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Small mistakes in architected native code: in groups, in the places of
/// values without a register, and in the order of groups.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVEMUTATIONS_H
#define REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVEMUTATIONS_H

#include "SchemeTrial.h"

#include <string>
#include <vector>

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare::mutation {

enum class NativeChange {
  DropMember,      ///< Of a group.
  ChangeSource,    ///< Overwrites a member's source before its reader.
  StatementInside, ///< A statement between a member and its reader.
  OtherSource,     ///< A member reads another register.
  MemberAway,      ///< To before the group that stands before its own.
  FoldedToRegister,
  FoldedToConstant,
  ConstantToFolded,
  RegisterToFolded,
  RegisterToUniform, ///< Of what reads registers of threads.
  Swap,              ///< Two neighbours, each a group or an instruction alone.
  StoreLater,        ///< To after a load from where it stores.
  StoreOverStore,    ///< To after another store there.
  LoadEarlier,       ///< To before a store to where it loads from.
  AfterBarrier,      ///< A store, from before the barrier.
  BeforeBarrier,     ///< A load, from after it.
};
inline constexpr unsigned NumNativeChanges =
    unsigned(NativeChange::BeforeBarrier) + 1;

const char *nameOf(NativeChange C);

/// One mistake, and where.
struct NativeSubject {
  NativeChange C;
  unsigned Block, Unit; ///< The group or instruction, among those of its block.
  unsigned Which;       ///< Member or other group, as the change has it.
  std::string Where;    ///< "bb.3: …", for people.
};

/// All of \p MF, in layout order.
std::vector<NativeSubject> nativeSubjects(llvm::MachineFunction &MF);

/// Made, or NoMatter if the two that changed places neither read nor write what
/// the other writes.
Outcome change(llvm::MachineFunction &MF, const NativeSubject &S);

/// Traps where the mistake would be.
void trapAt(llvm::MachineFunction &MF, const NativeSubject &S);
/// Gives the results of what the mistake is about, and of what it is moved
/// over, another value; what is stored, too.
void spoilAt(llvm::MachineFunction &MF, const NativeSubject &S);

/// Makes what would be read wrongly another value unless it is the right one:
/// what then has no effect reads the same either way. False where that cannot
/// be said in code.
bool exaggerateAt(llvm::MachineFunction &MF, const NativeSubject &S);

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVEMUTATIONS_H
