//===- PredicatedSides.h - Code around predicated sides ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where hardware executes the sides of a branch under a predicate, they and
/// the blocks around them are straight code to it. So what a side needs, or
/// what comes after it, can come before it, as in ptxas's code: the latency of
/// the next comparison passes while a side is executed.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_PREDICATEDSIDES_H
#define REGSHARE_LIB_TRANSFORMS_PREDICATEDSIDES_H

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

class NativeCosts;

/// The block by whose branch all control comes to \p MBB, if that is one of its
/// sides or where they meet, and hardware executes them under a predicate;
/// null otherwise. \p IsSide says which.
llvm::MachineBasicBlock *predicatedHead(llvm::MachineBasicBlock &MBB,
                                        NativeCosts &Costs, bool &IsSide);

/// The block where the sides of \p Head's branch meet, and to which nothing
/// else comes, if hardware executes them under a predicate; null otherwise.
llvm::MachineBasicBlock *meetingOfSides(llvm::MachineBasicBlock &Head,
                                        NativeCosts &Costs);

/// It is folded into nothing and has nothing folded into it, no statement, and
/// does nothing but compute one register.
bool isLoneComputation(const llvm::MachineInstr &MI);

/// Moves \p Guard, a comparison, from the block where predicated sides meet to
/// the end of the block before these, if it computes the same there. Whether it
/// has moved.
bool hoistGuard(llvm::MachineInstr &Guard, NativeCosts &Costs);

/// Does so once for what each block of \p MF branches by. \p MF is native and
/// has no PHIs.
void hoistGuards(llvm::MachineFunction &MF);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_PREDICATEDSIDES_H
