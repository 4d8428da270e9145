//===- SchemeTrial.h - How a scheme is put on trial -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What mutation testing has to know of a scheme: how its code is made, and the
/// mistakes that only its statements can have. A folder of Schemes.def that has
/// a compiler defines its trials as
///
///     extern const TrialFamily FooTrials;
///     const TrialFamily FooTrials = {Members};
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_SCHEMETRIAL_H
#define REGSHARE_UNITTESTS_MUTATION_SCHEMETRIAL_H

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/StringRef.h"

#include <span>
#include <string>
#include <vector>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace regshare::mutation {

enum class Outcome {
  None, ///< There is nothing to change, as where it stands first already.
  Made,
  NoMatter, ///< Made: neither reads or writes what the other writes, of the
            ///< copy and what it moved past.
};

/// A mistake that not every statement can have.
struct OwnChange {
  const char *Name;   ///< "drop a register".
  const char *Reason; ///< Why code can be right with it.
  /// In how many ways it can be made at \p MI.
  unsigned (*Ways)(const llvm::MachineInstr &MI,
                   const RegisterAssignment &Assignment);
  /// Makes it in one of them.
  Outcome (*Make)(llvm::MachineInstr &MI, const RegisterAssignment &Assignment,
                  unsigned Which);
};

class SchemeTrial {
public:
  /// What code is compiled with. \p Size is whatever the scheme makes of it; 0
  /// is its own choice.
  virtual SettingValues settings(unsigned Size) const = 0;
  /// For random kernel \p Seed.
  virtual unsigned randomSize(uint64_t Seed) const = 0;
  /// One after the other.
  virtual std::vector<unsigned> programSizes() const = 0;
  /// Settings that programs run with, where others would make them depend on
  /// more than the mutant.
  virtual SettingValues programSettings() const { return {}; }
  /// Of the device that they run on: ",sms=1".
  virtual std::string programDevice() const { return {}; }

  /// Whether there is a model of a warp that does what the statements say
  /// (MachineWarp.h).
  virtual bool isModelled() const { return true; }
  virtual std::span<const OwnChange> ownChanges() const { return {}; }
  /// Whether statements are also moved to the end of a predecessor.
  virtual bool triesBlockBefore() const { return false; }
  /// Why code can be right without a statement of this verb.
  virtual const char *reasonWithout(llvm::StringRef Verb) const {
    return "proved sound: only kept longer";
  }

protected:
  ~SchemeTrial() = default;
};

/// The trials of one folder's schemes.
struct TrialFamily {
  struct Member {
    const SchemeDescription &Description;
    const SchemeTrial &Trial;
  };
  std::span<const Member> Members;
};

/// Of a scheme with statements. Ends the program if there is none.
const SchemeTrial &trialOf(Scheme S);

/// What a well-formed statement says.
Statement statementOf(const llvm::MachineInstr &MI);
/// Puts \p Pragma in its place.
Outcome replaceStatement(llvm::MachineInstr &MI, const std::string &Pragma);

/// Changes to the vector of the registers that a statement fetches: the same
/// for all schemes with such a one.
template <typename Access> struct VectorChanges {
  /// Units that it could have and has not.
  static std::vector<unsigned> absent(const std::vector<unsigned> &Vector,
                                      const RegisterAssignment &Assignment) {
    std::vector<unsigned> Units;
    for (unsigned Unit = 0; Unit != Assignment.numUnits(); ++Unit)
      if (std::find(Vector.begin(), Vector.end(), Unit) == Vector.end())
        Units.push_back(Unit);
    return Units;
  }
  static unsigned waysToDrop(const llvm::MachineInstr &MI,
                             const RegisterAssignment &) {
    auto Vector = Access::read(MI);
    return Vector ? Vector->size() : 0;
  }
  static Outcome drop(llvm::MachineInstr &MI, const RegisterAssignment &,
                      unsigned Which) {
    std::vector<unsigned> Units = *Access::read(MI);
    Units.erase(Units.begin() + Which);
    return Access::write(MI, Units);
  }
  /// One register is like another.
  static unsigned waysToAdd(const llvm::MachineInstr &MI,
                            const RegisterAssignment &Assignment) {
    auto Vector = Access::read(MI);
    return Vector && !absent(*Vector, Assignment).empty();
  }
  static Outcome add(llvm::MachineInstr &MI,
                     const RegisterAssignment &Assignment, unsigned) {
    std::vector<unsigned> Units = *Access::read(MI);
    std::vector<unsigned> Others = absent(Units, Assignment);
    Units.push_back(Others[Units.size() % Others.size()]);
    std::sort(Units.begin(), Units.end());
    return Access::write(MI, Units);
  }
  static constexpr OwnChange Drop = {
      "drop a register",
      "proved sound: nothing in the interval or bundle names it", waysToDrop,
      drop};
  static constexpr OwnChange Add = {
      "add a register", "fetched though nothing names it", waysToAdd, add};
};

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_SCHEMETRIAL_H
