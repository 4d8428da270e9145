//===- SchemeModel.h - What a scheme decides before a launch ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The machine's half of a scheme: how many CTAs are resident, on which core,
/// and which SMs run them. There is one object for each scheme, without state.
/// A folder lists its own:
///
///     static const SchemeModelOf<FooScheme, FooModel> Foo; // SchemeModelOf.h
///     static const ModelFamily::Member Members[] = {{schemes::Foo, Foo}};
///     extern const ModelFamily FooModels;
///     const ModelFamily FooModels = {Members};
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SCHEMEMODEL_H
#define REGSHARE_SIM_SCHEMES_SCHEMEMODEL_H

#include "Scheme.h"
#include "regshare/Base/SchemeRegistry.h"
#include "regshare/Sim/Program.h"

#include <memory>
#include <string_view>
#include <vector>

namespace regshare::sim {

class Sm;
struct SmContext;

/// The code of a launch.
struct LaunchCode {
  std::string_view Scheme; ///< That the machine runs.
  const Program &P;
  const Function &Kernel;

  /// The kernel and all functions with code that it may call.
  std::vector<const Function *> reachable() const;
};

/// The hooks of a scheme that is a part of a composition.
struct HooksOfPart {
  std::unique_ptr<SchemeHooks> Hooks;
  bool HasResultBanks; ///< It overrides resultBanks().
};

/// What is not overridden is Baseline's.
class SchemeModel {
public:
  /// What the kernel and the functions that it may call say once. Fails if the
  /// code was not made for the scheme and cannot run under it.
  virtual Result<SchemeFacts> factsOf(const LaunchCode &Code) const;

  /// Fails if not even one CTA fits.
  virtual Result<Residency> residency(const DeviceDescription &D,
                                      const KernelNeeds &K,
                                      const SettingValues &Values) const;

  /// The core that a launch runs on, if it is not the device's own.
  virtual Result<CoreConfig> coreFor(const CoreConfig &C,
                                     const KernelNeeds &K) const;

  /// Whether warps have registers at hand only while they are active: then only
  /// the two-level scheduler will do.
  virtual bool needsActiveSets() const { return false; }

  /// 32-bit registers of an SM's register file.
  virtual uint64_t fileRegisters(const DeviceDescription &D,
                                 const SettingValues &Values) const;

  /// Whether the storage that the scheme adds to an SM is known.
  virtual bool countsStorage() const { return true; }

  /// The scheme's hooks by themselves, for an SM with those of another scheme.
  virtual HooksOfPart createHooks(const SchemeContext &C) const = 0;

  /// An SM with the pipeline for the device's organisation and the scheme.
  virtual std::unique_ptr<Sm> createSm(const SmContext &Context,
                                       unsigned Id) const = 0;

protected:
  ~SchemeModel() = default;
};

/// The models of the schemes of one folder, which Schemes.def names.
using ModelFamily = SchemeFamilyOf<SchemeModel>;

/// The model of a scheme, or null if it has none.
const SchemeModel *findModel(Scheme S);
/// For a loaded scheme. \p Model lives as long as the process. Fails if the
/// scheme has one, or nobody has described it.
Result<void> registerModel(Scheme S, const SchemeModel &Model);

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SCHEMEMODEL_H
