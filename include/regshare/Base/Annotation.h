//===- regshare/Base/Annotation.h - Pragmas of annotated PTX --*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Annotated PTX is ordinary PTX in which `.pragma "regshare.…";` statements
/// say which architected registers a kernel's PTX registers are. The grammar
/// is in docs/annotated-ptx.md; this is its only printer and parser.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_ANNOTATION_H
#define REGSHARE_BASE_ANNOTATION_H

#include "regshare/Base/ArchReg.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/Result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regshare {

/// The version of the grammar, as `regshare.kernel` states it.
inline constexpr unsigned AnnotationVersion = 1;
/// Register maps are split so that no pragma string grows longer. A kernel's
/// descriptor is never split: it is as long as the kernel's name makes it.
inline constexpr unsigned MaxMapString = 200;

/// What a kernel needs of an SM: `regshare.kernel`.
struct KernelDescriptor {
  std::string Kernel; ///< The name of its .entry.
  std::string Scheme; ///< By the name that parseScheme reads.
  std::string Target; ///< sm_NN that the code was compiled for.
  unsigned Regs = 0;  ///< 32-bit units a thread names: R0 to R<Regs-1>.
  unsigned Preds = 0; ///< Predicates a thread names: P0 to P<Preds-1>.
  unsigned Peak = 0;  ///< Most units live at once, for any lane of a warp.
  unsigned SharedBytes = 0; ///< Static shared memory of a CTA.
  unsigned LocalBytes = 0;  ///< Local memory of a thread.

  friend bool operator==(const KernelDescriptor &,
                         const KernelDescriptor &) = default;
};

/// A key of `regshare.kernel`; either Text or Number is set.
struct DescriptorField {
  const char *Key;
  const char *Help;
  std::string KernelDescriptor::*Text;
  unsigned KernelDescriptor::*Number;
};
/// In the order in which they are printed; all are required.
const std::vector<DescriptorField> &descriptorFields();

/// How RegMutex divides a thread's registers: `regshare.regmutex`. R0 to
/// R<Base-1> are the base set, the Extended ones behind them the extended set
/// (RegMutex §III). A kernel of that scheme without it has no extended set.
struct RegMutexSplit {
  unsigned Base = 0;     ///< |Bs|, 32-bit units.
  unsigned Extended = 0; ///< |Es|, 32-bit units.

  friend bool operator==(const RegMutexSplit &,
                         const RegMutexSplit &) = default;
};

/// Identifiers of intervals are less: one for each instruction of a kernel is
/// always enough.
inline constexpr unsigned MaxIntervals = 1u << 24;

/// How LTRF divides a kernel: `regshare.intervals`. Intervals 0 to Count-1 name
/// at most Registers 32-bit units each.
struct IntervalBounds {
  unsigned Count = 0;
  unsigned Registers = 0;

  friend bool operator==(const IntervalBounds &,
                         const IntervalBounds &) = default;
};

/// `regshare.prefetch`: what an interval's registers are.
struct PrefetchVector {
  unsigned Interval = 0;
  std::vector<unsigned> Units; ///< Ascending, not empty.

  friend bool operator==(const PrefetchVector &,
                         const PrefetchVector &) = default;
};

/// A register and its place in a warp's register cache.
struct CachePlace {
  unsigned Unit = 0; ///< 32-bit unit.
  unsigned Slot = 0;

  friend bool operator==(const CachePlace &, const CachePlace &) = default;
};

/// `regshare.operands`: which operands of the next instruction are in the
/// register cache. Each list ascends by unit; no slot stands twice.
struct OperandPlaces {
  std::vector<CachePlace> Read;  ///< Read from there.
  std::vector<CachePlace> Fetch; ///< Read from the main file, and put there.
  std::vector<CachePlace> Cache; ///< Written there alone.
  std::vector<CachePlace> Both;  ///< Written there and to the main file.

  bool isEmpty() const {
    return Read.empty() && Fetch.empty() && Cache.empty() && Both.empty();
  }
  friend bool operator==(const OperandPlaces &,
                         const OperandPlaces &) = default;
};

/// A list of OperandPlaces by its key in the statement.
struct OperandPlacesField {
  const char *Key;
  std::vector<CachePlace> OperandPlaces::*Places;
};
/// In the order in which they are printed.
inline constexpr OperandPlacesField OperandPlacesFields[] = {
    {"read", &OperandPlaces::Read},
    {"fetch", &OperandPlaces::Fetch},
    {"cache", &OperandPlaces::Cache},
    {"both", &OperandPlaces::Both}};

/// What EXPARS's bundles were made for: `regshare.bundles`.
struct BundleBounds {
  OperandCache Cache;
  /// R0 to R<Kept-1> are in the register file, whatever Start_Reg would be, and
  /// take no line of the operand cache. 32-bit units.
  unsigned Kept = 0;

  friend bool operator==(const BundleBounds &, const BundleBounds &) = default;
};

/// Which architected register a PTX register is. In `regshare.map` the names
/// start with '%' as in the text; in `regshare.temps` they are spelled as the
/// block's own `.reg` declares them.
struct RegisterMap {
  std::vector<std::pair<std::string, ArchReg>> Entries;

  /// Nothing if \p Name is not mapped. Linear: build an index for many.
  std::optional<ArchReg> find(std::string_view Name) const;
  friend bool operator==(const RegisterMap &, const RegisterMap &) = default;
};

/// One `regshare.…` string, split but not yet understood.
struct Directive {
  std::string Verb;     ///< "map"
  unsigned Version = 0; ///< 0 for a verb that states none.
  std::vector<std::pair<std::string, std::string>> Fields;
  unsigned Line = 0; ///< In the PTX text, from 1; 0 outside of one.

  friend bool operator==(const Directive &, const Directive &) = default;
};

/// A .entry or a .func with a body.
struct AnnotatedFunction {
  std::string Name;
  bool IsEntry = false;
  unsigned Line = 0; ///< Of its .entry or .func.
  /// Nothing in plain PTX, which has no directives either.
  std::optional<KernelDescriptor> Descriptor;
  std::optional<RegMutexSplit> Split;
  std::optional<IntervalBounds> Intervals;
  std::optional<unsigned> CacheSlots; ///< Of `regshare.cache`.
  std::optional<BundleBounds> Bundles;
  /// Register sharing: of R0 to R<PrivateRegs-1> a warp has its own.
  std::optional<unsigned> PrivateRegs;
  RegisterMap Map;                   ///< All its `regshare.map` together.
  std::vector<Directive> Directives; ///< All, in the order of the text.
};

/// The statements to put at the head of a kernel's body, the descriptor first:
/// `.pragma "regshare.kernel v1 …";`, then `.pragma "regshare.map …";` as often
/// as the map needs.
std::vector<std::string> printPragmas(const KernelDescriptor &Kernel,
                                      const RegisterMap &Map);
/// `.pragma "regshare.temps p=P0 t=R9";` for the inline-PTX block that follows.
std::string printTempsPragma(const RegisterMap &Temps);

/// `.pragma "regshare.regmutex base=18 extended=6";`
std::string printSplitPragma(const RegMutexSplit &Split);
/// `.pragma "regshare.acquire";`: the warp has its extended set from here on.
std::string printAcquirePragma();
/// `.pragma "regshare.release";`: the warp has no extended set from here on, or
/// under resource sharing no use for what it shares with another.
std::string printReleasePragma();
/// `.pragma "regshare.free regs=R3,R4";`: from here on no lane of the warp
/// needs what these \p Units hold. Ascending, not empty.
std::string printFreePragma(std::span<const unsigned> Units);

/// `.pragma "regshare.intervals count=7 registers=16";`
std::string printIntervalsPragma(const IntervalBounds &Bounds);
/// `.pragma "regshare.prefetch interval=2 regs=R0,R5";`: the warp's working set
/// is these \p Units from here on, and what follows in the text belongs to the
/// interval. Ascending, not empty.
std::string printPrefetchPragma(unsigned Interval,
                                std::span<const unsigned> Units);
/// `.pragma "regshare.interval id=2";`: what follows in the text belongs to the
/// interval; without id it names no registers.
std::string printIntervalPragma(std::optional<unsigned> Interval);
/// `.pragma "regshare.dead regs=R3,R4";`: the operands of the instruction
/// before that no lane of the warp needs any more. Ascending, not empty.
std::string printDeadPragma(std::span<const unsigned> Units);

/// `.pragma "regshare.cache slots=16";`: the places that a warp has in the
/// register cache are 0 to Slots-1.
std::string printCachePragma(unsigned Slots);
/// `.pragma "regshare.strand";`: a strand begins, and what the register cache
/// held is lost.
std::string printStrandPragma();
/// `.pragma "regshare.operands read=R3:0 cache=R5:1";`. \p P is not empty.
std::string printOperandsPragma(const OperandPlaces &P);

/// `.pragma "regshare.bundles cache=2048 kept=4";`: bytes of the operand cache,
/// and registers that stay in the register file.
std::string printBundlesPragma(const BundleBounds &Bounds);
/// `.pragma "regshare.pref regs=R16,R21";`: a bundle begins, of whose registers
/// these \p Units may be in scratchpad. Ascending; without any there is no
/// `regs`.
std::string printPrefPragma(std::span<const unsigned> Units);

/// `.pragma "regshare.sharing private=3";`: the registers from R3 on are shared
/// with the warp that this one is paired with (resource sharing §III-A).
std::string printSharingPragma(unsigned PrivateRegs);

/// True for the contents of a pragma string that is RegShare's, well-formed or
/// not; other pragmas are ptxas's.
bool isDirective(std::string_view PragmaString);
/// Splits the contents of a pragma string, without its quotes. Fails on an
/// unknown verb or version and on what is not `key=value`.
Result<Directive> parseDirective(std::string_view PragmaString);
/// Fails on a missing, unknown or repeated key, on what is not a number, on a
/// scheme parseScheme does not know, and if more is live than there is.
Result<KernelDescriptor> parseDescriptor(const Directive &D);
/// Reads a `map` or `temps`. Fails on what is not a register, on a PTX register
/// that is mapped twice.
Result<RegisterMap> parseMap(const Directive &D);

/// Fails unless both sets are given and neither is empty.
Result<RegMutexSplit> parseSplit(const Directive &D);
/// The units of a `regshare.free`. Fails unless they ascend.
Result<std::vector<unsigned>> parseFree(const Directive &D);
/// Checks a directive of a scheme (regmutex, acquire, release, free) against
/// the descriptor of its function and the split, if that has been read; a
/// `regshare.regmutex` sets \p Split.
Result<void> addSchemeDirective(const Directive &D, const KernelDescriptor &K,
                                std::optional<RegMutexSplit> &Split);

/// Each fails on a missing, unknown or repeated key and on what is no number in
/// range, or no ascending list of registers.
Result<IntervalBounds> parseIntervals(const Directive &D);
Result<PrefetchVector> parsePrefetch(const Directive &D);
/// Nothing where what follows names no registers.
Result<std::optional<unsigned>> parseInterval(const Directive &D);
Result<std::vector<unsigned>> parseDead(const Directive &D);
/// True for intervals, prefetch, interval and dead.
bool isIntervalDirective(std::string_view Verb);
/// addSchemeDirective for those: checks one against the descriptor of its
/// function and the bounds, if they have been read; a `regshare.intervals` sets
/// \p Bounds.
Result<void> addIntervalDirective(const Directive &D, const KernelDescriptor &K,
                                  std::optional<IntervalBounds> &Bounds);

/// The slots of a `regshare.cache`, at least one.
Result<unsigned> parseCache(const Directive &D);
/// Fails on an empty statement, a register that stands twice among sources or
/// among results, and a slot that stands twice.
Result<OperandPlaces> parseOperands(const Directive &D);
/// True for cache, strand and operands.
bool isCacheDirective(std::string_view Verb);
/// addSchemeDirective for those: checks one against the descriptor of its
/// function and the number of slots, if that has been read; a `regshare.cache`
/// sets \p Slots.
Result<void> addCacheDirective(const Directive &D, const KernelDescriptor &K,
                               std::optional<unsigned> &Slots);

/// Fails on a missing, unknown or repeated key and on what is no number in
/// range.
Result<BundleBounds> parseBundles(const Directive &D);
/// The units of a `regshare.pref`, which may be none. Fails unless they ascend.
Result<std::vector<unsigned>> parsePref(const Directive &D);
/// The first of \p Units, ascending, that takes the line of another one.
std::optional<unsigned> sharesLine(std::span<const unsigned> Units,
                                   const OperandCache &Cache);
/// True for bundles and pref.
bool isBundleDirective(std::string_view Verb);
/// addSchemeDirective for those: checks one against the descriptor of its
/// function and the bounds, if they have been read; a `regshare.bundles` sets
/// \p Bounds.
Result<void> addBundleDirective(const Directive &D, const KernelDescriptor &K,
                                std::optional<BundleBounds> &Bounds);

/// The registers of a `regshare.sharing`, which may be none.
Result<unsigned> parseSharing(const Directive &D);
/// True for sharing, and for release in code of either scheme that shares
/// resources of CTAs in pairs, as \p K says.
bool isSharingDirective(std::string_view Verb, const KernelDescriptor &K);
/// addSchemeDirective for those: checks one against the descriptor of its
/// function; a `regshare.sharing` sets \p PrivateRegs, and under register
/// sharing stands before any release.
Result<void> addSharingDirective(const Directive &D, const KernelDescriptor &K,
                                 std::optional<unsigned> &PrivateRegs);

/// Reads the annotations of a whole PTX text; comments are skipped. On top of
/// the above fails if a directive is outside of a function or precedes its
/// descriptor, if the descriptor is repeated or names another kernel, and if a
/// mapped register is not among the descriptor's. Diagnostics carry the line.
Result<std::vector<AnnotatedFunction>>
parseAnnotations(std::string_view PTXText);

} // namespace regshare

#endif // REGSHARE_BASE_ANNOTATION_H
