//===- Renumber.cpp - New numbers for registers ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Renumber.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

#include <bit>
#include <tuple>

using namespace llvm;

namespace regshare {

std::vector<unsigned> registerGranules(const MachineFunction &MF,
                                       const RegisterAssignment &Assignment) {
  std::vector<unsigned> Granules(Assignment.numUnits(), 1);
  auto Bind = [&](unsigned Unit, unsigned Size) {
    Size = std::bit_ceil(Size);
    unsigned First = Unit / Size * Size;
    for (unsigned I = First; I != First + Size && I < Granules.size(); ++I)
      Granules[I] = std::max(Granules[I], Size);
  };
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(MF);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      unsigned Elements = Opcodes.vectorElements(MI);
      for (unsigned I = 0; I != MI.getNumOperands(); ++I) {
        const MachineOperand &MO = MI.getOperand(I);
        if (!MO.isReg() || !MO.getReg().isVirtual())
          continue;
        ArchReg R = Assignment.lookup(MO.getReg());
        if (R.isValid() && !R.isPred())
          Bind(R.Index, R.units() * (I < Elements ? Elements : 1));
      }
      for (ArchReg Temp : Assignment.temps(MI))
        if (!Temp.isPred())
          Bind(Temp.Index, Temp.units());
    }
  return Granules;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

namespace {

/// Units that stay together in this order.
struct Group {
  std::vector<unsigned> Units;
  double Key = 0;
  unsigned Padding = 0; ///< Of Units those that do not exist.
};

/// Merges groups, two at a time, until all have the size of the largest.
class GroupOrder {
public:
  GroupOrder(const std::vector<double> &Keys,
             const std::vector<unsigned> &Granules, KeyOfBoth Combine);
  std::vector<unsigned> numbers();

private:
  void addGranules(unsigned Size);
  void sort();
  void mergePairs();

  const std::vector<double> &Keys;
  const std::vector<unsigned> &Granules;
  KeyOfBoth Combine;
  unsigned Largest;
  unsigned Places; ///< With padding: a multiple of Largest.
  std::vector<Group> Groups;
};

} // namespace

GroupOrder::GroupOrder(const std::vector<double> &Keys,
                       const std::vector<unsigned> &Granules, KeyOfBoth Combine)
    : Keys(Keys), Granules(Granules), Combine(Combine),
      Largest(Granules.empty() ? 1 : *llvm::max_element(Granules)),
      Places((Granules.size() + Largest - 1) / Largest * Largest) {}

/// Those of \p Size that are there from the start.
void GroupOrder::addGranules(unsigned Size) {
  for (unsigned First = 0; First < Places;) {
    unsigned Here = First < Granules.size() ? Granules[First] : 1;
    if (Here == Size) {
      Group G;
      for (unsigned Unit = First; Unit != First + Size; ++Unit) {
        G.Units.push_back(Unit);
        if (Unit < Keys.size())
          G.Key = Unit == First ? Keys[Unit] : Combine(G.Key, Keys[Unit]);
        else
          ++G.Padding;
      }
      Groups.push_back(std::move(G));
    }
    First += Here;
  }
}

/// What does not exist goes last, after all that does.
void GroupOrder::sort() {
  auto Key = [](const Group &G) {
    return std::tuple(G.Padding, G.Key, G.Units.front());
  };
  llvm::sort(Groups,
             [&](const Group &A, const Group &B) { return Key(A) < Key(B); });
}

void GroupOrder::mergePairs() {
  assert(Groups.size() % 2 == 0 && "larger groups would not be aligned");
  std::vector<Group> Merged;
  for (size_t I = 0; I != Groups.size(); I += 2) {
    Group &G = Merged.emplace_back(std::move(Groups[I]));
    const Group &Second = Groups[I + 1];
    llvm::append_range(G.Units, Second.Units);
    // What does not exist has no key, and stands second if in either.
    if (Second.Padding != Second.Units.size())
      G.Key = Combine(G.Key, Second.Key);
    G.Padding += Second.Padding;
  }
  Groups = std::move(Merged);
}

std::vector<unsigned> GroupOrder::numbers() {
  addGranules(1);
  sort();
  for (unsigned Size = 1; Size != Largest;) {
    mergePairs();
    Size *= 2;
    addGranules(Size);
    sort();
  }
  std::vector<unsigned> Numbers(Keys.size());
  unsigned Place = 0;
  for (const Group &G : Groups)
    for (unsigned Unit : G.Units) {
      assert((Unit < Numbers.size()) == (Place < Numbers.size()) &&
             "a number beyond the units");
      if (Unit < Numbers.size())
        Numbers[Unit] = Place;
      ++Place;
    }
  return Numbers;
}

std::vector<unsigned> orderGroups(const std::vector<double> &Keys,
                                  const std::vector<unsigned> &Granules,
                                  KeyOfBoth Combine) {
  return GroupOrder(Keys, Granules, Combine).numbers();
}

//===----------------------------------------------------------------------===//
// Renumbering
//===----------------------------------------------------------------------===//

RegisterAssignment renumberRegisters(MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const std::vector<unsigned> &Numbers) {
  auto Renumbered = [&](ArchReg R) {
    if (R.isValid() && !R.isPred())
      R.Index = Numbers[R.Index];
    return R;
  };
  for (unsigned Unit = 0; Unit != Assignment.reserved(); ++Unit)
    assert(Numbers[Unit] == Unit && "moves what hardware keeps for itself");
  RegisterAssignment New;
  New.reserve(Assignment.reserved());
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (ArchReg R = Assignment.lookup(VReg); R.isValid())
      New.assign(VReg, Renumbered(R));
  }
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      SmallVector<ArchReg, 4> Temps;
      for (ArchReg Temp : Assignment.temps(MI))
        Temps.push_back(Renumbered(Temp));
      if (!Temps.empty())
        New.setTemps(MI, Temps);
    }
  eraseStatements(MF, {"temps", "scratch"});
  unsigned CopiesRemoved = 0;
  return rewriteToArchitected(MF, New, CopiesRemoved);
}

} // namespace regshare
