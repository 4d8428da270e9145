//===- regshare/Base/Scheme.h - Register-file schemes -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A register-file scheme is described once, here for what needs neither LLVM
/// nor the SM: its name, settings and statements. Everything that lists schemes
/// derives its list from the descriptions. The compiler's half is in
/// regshare/Transforms/SchemeCompiler.h, the SM's in Schemes/SchemeModel.h.
///
/// The schemes of this repository are lines of Schemes.def; others are loaded
/// (regshare/Base/SchemeLibrary.h). Two that decide different things of an SM
/// can be composed: "foo+bar" is a scheme as well (docs/composition.md).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEME_H
#define REGSHARE_BASE_SCHEME_H

#include "regshare/Base/Result.h"
#include "regshare/Base/SchemeFacts.h"
#include "regshare/Base/Setting.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regshare {

struct DeviceDescription;
struct KernelDescriptor;
struct KernelResources;
struct Statement;

/// A statement that code of a scheme has: `.pragma "regshare.<Verb> …";`.
struct StatementKind {
  /// Where in the code a statement stands.
  enum Position : uint8_t {
    Head,     ///< Once, in the first block: what a kernel says once.
    Anywhere, ///< In the code it speaks of.
    After     ///< Right after the instruction that it speaks of.
  };

  /// What the SM makes of a statement. Those of one verb are the same under all
  /// schemes that have it.
  enum Execution : uint8_t {
    Unexecuted,  ///< Nothing: it only describes the code around it.
    Decoded,     ///< It is read where it stands, and becomes no instruction.
    SteppedOver, ///< An instruction that takes no issue slot.
    Issued       ///< An instruction that takes an issue slot.
  };

  std::string_view Verb;
  Position Place;
  Execution Runs;
  std::string_view Help; ///< What it says, in a line.
  /// Checks the statement against the descriptor of its function and what has
  /// been said before, and adds to that. Fails on what is malformed.
  Result<void> (*Add)(const Statement &S, const KernelDescriptor &K,
                      SchemeFacts &Facts);

  /// Whether its place among the instructions matters to the SM.
  constexpr bool isExecuted() const { return Runs != Unexecuted; }
};

/// A scheme is known by where its description is, so that there are no copies.
struct NotCopied {
  constexpr NotCopied() = default;
  NotCopied(const NotCopied &) = delete;
};

/// What a kernel says once, as reports of runs show it.
struct ShownFacts {
  /// A word of at most 13 letters, the same whatever the kernel says, and no
  /// field that reports have already.
  std::string_view Key;
  std::string Text; ///< For people: the rest of the line.
  /// For JSON, by name, a word; empty where there is nothing to say.
  std::vector<std::pair<std::string_view, int64_t>> Figures;
};

/// What of an SM a scheme may decide.
enum class Domain : uint8_t {
  Rows,       ///< Which rows of the register file a warp has.
  Operands,   ///< Where operands are read and results are written.
  Scratchpad, ///< Which scratchpad a CTA has.
  Values,     ///< Where in code registers lose what they hold.
  Waiting     ///< Whom a warp waits for where its code does not say so.
};

/// What a scheme decides, and how: a clause in the present tense that completes
/// a sentence whose subject is the scheme, as errors do.
struct Claim {
  Domain What;
  std::string_view How;
};

/// A scheme, as everybody knows it.
struct SchemeDescription {
  std::string_view Name;    ///< In lower case, with hyphens.
  std::string_view Summary; ///< A line for lists and legends.
  std::string_view Page;    ///< Of docs/, without ".md"; empty: not there.
  std::span<const StatementKind> Statements = {};
  std::span<const Setting *const> Settings = {};
  /// The statement that every kernel of the scheme has; empty: none.
  std::string_view Required = {};
  /// Whether what the compiler makes of a kernel depends on the shape of its
  /// launch, so that programs compile it for each shape. Null: it does not.
  bool (*DependsOnLaunch)(const SettingValues &Values) = nullptr;
  /// CTAs of a kernel that an SM holds, 0 if not even one fits, where no SM is
  /// simulated. Null: as many as without the scheme.
  unsigned (*ResidentCTAs)(const DeviceDescription &D, const KernelResources &K,
                           const SchemeFacts &Facts,
                           const SettingValues &Values) = nullptr;
  NotCopied Only = {};

  /// What a kernel's facts come to, for reports of runs. Null: they say
  /// nothing.
  ShownFacts (*Show)(const SchemeFacts &Facts) = nullptr;

  /// The first register of another kind than those before it, where a kernel
  /// with these facts has one, else 0: whoever gives registers new numbers
  /// keeps each on its side. Null: numbers say nothing.
  unsigned (*Border)(const SchemeFacts &Facts) = nullptr;

  /// What it decides. Two schemes with claims are composed unless they decide
  /// the same; one without claims is no part of a composition.
  std::span<const Claim> Claims = {};
  /// Changes the device to the one that the scheme beside it in a composition
  /// may count on. Null: the device as it is.
  void (*Widen)(DeviceDescription &D, const KernelResources &K,
                const SettingValues &Values) = nullptr;
  /// Of a composition: the schemes that it consists of, in the order in which
  /// their passes run. Whatever is a function above is null then and asked of
  /// the parts, as Scheme does.
  std::span<const SchemeDescription *const> Parts = {};

  const StatementKind *findStatement(std::string_view Verb) const;
  const Setting *findSetting(std::string_view Name) const;
};

/// One of the schemes that are known; a reference to its description.
class Scheme {
public:
  /// Baseline.
  Scheme();
  constexpr Scheme(const SchemeDescription &Description)
      : Description(&Description) {}

  std::string_view name() const { return Description->Name; }
  const SchemeDescription *operator->() const { return Description; }
  const SchemeDescription &operator*() const { return *Description; }
  friend bool operator==(Scheme A, Scheme B) {
    return A.Description == B.Description;
  }

  bool isComposed() const { return !Description->Parts.empty(); }
  /// Those of a composition, in the order in which their passes run; else the
  /// scheme itself.
  std::span<const SchemeDescription *const> parts() const {
    return isComposed() ? Description->Parts : std::span(&Description, 1);
  }
  /// Whether it is \p Part or has it as a part.
  bool includes(Scheme Part) const;
  /// The part that \p What is claimed by; null: none.
  const SchemeDescription *claimantOf(Domain What) const;
  /// The part that statements of that verb belong to; null: none.
  const SchemeDescription *ownerOf(std::string_view Verb) const;

  /// What DependsOnLaunch, ResidentCTAs and Show say of a scheme, or of all
  /// parts.
  bool dependsOnLaunch(const SettingValues &Values) const;
  unsigned residentCTAs(const DeviceDescription &D, const KernelResources &K,
                        const SchemeFacts &Facts,
                        const SettingValues &Values) const;
  /// With an empty key where there is nothing to show. Fails on what reports
  /// cannot have (checkShown in regshare/Base/SchemeChecks.h).
  Result<ShownFacts> show(const SchemeFacts &Facts) const;
  /// What Border says of the scheme, or of the first part that has one.
  unsigned border(const SchemeFacts &Facts) const;
  /// The device that \p Part of the scheme may count on.
  DeviceDescription deviceFor(const SchemeDescription &Part,
                              DeviceDescription D, const KernelResources &K,
                              const SettingValues &Values) const;

private:
  const SchemeDescription *Description;
};

/// The schemes of one folder, which Schemes.def names.
struct SchemeFamily {
  std::span<const SchemeDescription *const> Members;
};

/// All: those of Schemes.def in its order, then loaded ones.
std::vector<Scheme> allSchemes();
/// All pairs that can be composed.
std::vector<Scheme> allCompositions();
/// Fails on an unknown name, with the nearest one and all, and on "foo+bar"
/// where the two cannot be composed, with the reason.
Result<Scheme> parseScheme(std::string_view Name);
/// Makes a scheme known. Fails if its name is taken, if one of its settings has
/// the name of another one, and if the SM makes something else of one of its
/// statements than of another scheme's with that verb. \p Description lives as
/// long as the process.
Result<void> registerScheme(const SchemeDescription &Description);

/// The settings of all schemes, each once, in the order of the schemes.
std::vector<const Setting *> allSettings();
/// The schemes that have it.
std::vector<Scheme> schemesWith(const Setting &S);
/// "scheme foo", "schemes foo, bar".
std::string schemeNames(std::span<const Scheme> Schemes);
/// The setting's help for lists, after the names of the schemes that have it:
/// "foo: …, 0 or 1". Its default is not in it.
std::string settingHelp(const Setting &S);
/// The verbs of all schemes' statements, each once.
std::vector<std::string_view> allVerbs();
/// What the SM makes of statements of that verb; nothing: no scheme has them.
std::optional<StatementKind::Execution> executionOf(std::string_view Verb);
/// Whether their place among the instructions matters to the SM.
bool isExecutedVerb(std::string_view Verb);
/// Checks a statement against its function's descriptor, whose scheme has to
/// have such a statement, and adds to \p Facts what it says once.
Result<void> addStatement(const Statement &S, const KernelDescriptor &K,
                          SchemeFacts &Facts);

namespace schemes {
extern const SchemeDescription Baseline, Ideal;
} // namespace schemes

} // namespace regshare

#endif // REGSHARE_BASE_SCHEME_H
