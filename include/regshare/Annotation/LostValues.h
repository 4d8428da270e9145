//===- LostValues.h - Values that were given back -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which registers may have been given back since the running lanes wrote
/// them: a forward dataflow of what is lost, and by whom. A lane loses what
/// lanes give back that it runs with, and what lanes of other sides of a branch
/// give back while it waits for them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_LOSTVALUES_H
#define REGSHARE_ANNOTATION_LOSTVALUES_H

#include "regshare/Annotation/WarpFlow.h"

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace regshare {

/// What statements give back, of all lanes of the warp.
using GivenBack = llvm::DenseMap<const llvm::MachineInstr *, RegSet>;

/// What becomes of the values of lanes at a barrier, before it opens, when
/// others give their registers back.
enum class AtBarriers : uint8_t {
  Kept, ///< Nothing: no lane comes there with any, or giving back does nothing.
  Lost,
};

/// The registers that may be lost, at every point of a function.
class LostValues {
public:
  LostValues(const WarpFlow &Flow, const RegisterAssignment &Assignment,
             const GivenBack &Given, AtBarriers Waiting);

  /// Calls \p F(node, instruction, units) for each that reads units which may
  /// be lost.
  void
  forEachBadRead(llvm::function_ref<void(unsigned, const llvm::MachineInstr &,
                                         const RegSet &)>
                     F) const;

  /// An example of how \p Unit is lost when \p Node, which reads it, starts or
  /// comes to read it: what gives it back, and the blocks from there.
  struct Example {
    const llvm::MachineInstr *Culprit = nullptr;
    /// The lanes that read it wait on another side meanwhile.
    bool WhileWaiting = false;
    std::string Path;
  };
  Example explain(unsigned Node, const llvm::MachineInstr &Read,
                  unsigned Unit) const;

private:
  RegSet givenIn(unsigned Node) const;
  void injectLosses();
  void injectLossesAtBarriers();
  RegSet after(unsigned Node) const;
  const llvm::MachineInstr *lastGiver(unsigned Node, unsigned Unit,
                                      const llvm::MachineInstr *Until,
                                      bool &Written) const;
  const llvm::MachineInstr *giverIn(unsigned Node, unsigned Unit) const;
  const llvm::MachineInstr *giverOnOtherSide(unsigned Node,
                                             unsigned Unit) const;

  const WarpFlow &Flow;
  const RegisterAssignment &Assignment;
  const GivenBack &Given;
  // By node:
  std::vector<RegSet> In;
  std::vector<RegSet> Injected; ///< Lost while its lanes waited to start it.
  std::vector<llvm::SmallVector<unsigned, 2>> Preds;
};

} // namespace regshare

#endif // REGSHARE_ANNOTATION_LOSTVALUES_H
