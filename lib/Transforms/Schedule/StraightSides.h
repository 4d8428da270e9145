//===- StraightSides.h - Predicated sides as straight code ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where hardware executes the sides of a branch under a predicate, ptxas
/// orders them and the code around them as one block: the load of the next side
/// is under way before this one's has come. PTX text has guards for that,
/// LLVM's instructions have none. So the sides become straight code for the
/// scheduler, and afterwards each stretch of instructions with one guard is a
/// side again, with a branch around it that hardware does not have (reverse
/// if-conversion: Warter, Mahlke, Hwu, Rau, PLDI 1993).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SCHEDULE_STRAIGHTSIDES_H
#define REGSHARE_LIB_TRANSFORMS_SCHEDULE_STRAIGHTSIDES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/IR/DebugLoc.h"

#include <optional>
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

struct LiveValues;

class StraightSides {
public:
  /// \p Live is of \p MF, which is native and has no PHIs.
  StraightSides(llvm::MachineFunction &MF, const LiveValues &Live);

  /// Joins each block that ends in a branch with predicated sides, the sides
  /// and the block where they meet. An instruction of a side reads its guard
  /// then, and what it overwrites for some threads only. Whether there was one.
  bool straighten();

  /// Makes blocks of what has guards now, in whatever order.
  void branchAround();

private:
  struct Guard {
    llvm::Register Predicate;
    bool IfTrue;
    llvm::DebugLoc Branch;
    bool isOpposite(const Guard &Other) const {
      return Predicate == Other.Predicate && IfTrue != Other.IfTrue;
    }
    bool operator==(const Guard &Other) const {
      return Predicate == Other.Predicate && IfTrue == Other.IfTrue;
    }
  };
  struct Guarded {
    Guard By;
    unsigned Operands; ///< Of the instruction itself.
  };
  /// Instructions that stand together, with one guard or with none.
  struct Stretch {
    std::optional<Guard> By;
    std::vector<llvm::MachineInstr *> Code;
  };
  /// Null where there is none.
  struct Sides {
    llvm::MachineBasicBlock *Side = nullptr, *Else = nullptr,
                            *Meeting = nullptr;
  };
  using Registers = llvm::DenseSet<llvm::Register>;

  void join(llvm::MachineBasicBlock &Head, llvm::MachineBasicBlock &Meeting);
  void append(llvm::MachineBasicBlock &Head, llvm::MachineBasicBlock &Side,
              const Guard &By, const Registers &Kept);
  std::vector<Stretch> stretchesOf(llvm::MachineBasicBlock &MBB);
  static void joinStretches(llvm::MachineBasicBlock &MBB,
                            std::vector<Stretch> &Code);
  std::vector<Registers> undefinedBefore(const llvm::MachineBasicBlock &MBB,
                                         llvm::ArrayRef<Stretch> Code);
  llvm::MachineBasicBlock *newBlock(llvm::MachineBasicBlock &Before,
                                    const Stretch &S);
  void branch(llvm::MachineBasicBlock &Head, const Guard &By, const Sides &To);
  void split(llvm::MachineBasicBlock &MBB, llvm::ArrayRef<Stretch> Code);

  llvm::MachineFunction &MF;
  llvm::DenseMap<const llvm::MachineBasicBlock *, Registers> LiveOut;
  llvm::DenseMap<const llvm::MachineInstr *, Guarded> Guards;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SCHEDULE_STRAIGHTSIDES_H
