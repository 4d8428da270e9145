//===- Options.cpp - Options of the compiler half -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Options.h"

#include "regshare/Base/ArchReg.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace regshare {

namespace {
/// A number from 1 to \p Most.
template <unsigned Most> class CountParser : public cl::parser<unsigned> {
public:
  using cl::parser<unsigned>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Value, unsigned &Number) {
    if (!Value.getAsInteger(10, Number) && Number >= 1 && Number <= Most)
      return false;
    return O.error("a number from 1 to " + Twine(Most) + " is meant, not '" +
                   Value + "'");
  }
};
/// A size that an operand cache can have.
class OperandCacheParser : public cl::parser<unsigned> {
public:
  using cl::parser<unsigned>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Value, unsigned &Bytes) {
    if (Value.getAsInteger(10, Bytes))
      return O.error("a number of bytes is meant, not '" + Value + "'");
    Result<OperandCache> Cache = OperandCache::create(Bytes);
    return Cache ? false : O.error(Cache.error().Message);
  }
};
/// A share such as 0.8, in thousandths, as \p S reads it.
template <const Setting &S> class PerMilleParser : public cl::parser<unsigned> {
public:
  using cl::parser<unsigned>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Value, unsigned &PerMille) {
    Result<int64_t> Read = S.parse(Value);
    if (Read)
      PerMille = unsigned(*Read);
    return Read ? false : O.error(Read.error().Message);
  }
};
} // namespace

/// More than any register file or register cache is divided into.
static constexpr unsigned MaxBanks = 256;

cl::OptionCategory &optionCategory() {
  static cl::OptionCategory Category("RegShare options");
  return Category;
}

cl::opt<std::string> &schemeOption() {
  static cl::opt<std::string> Scheme(
      "regshare-scheme",
      cl::desc("Sharing system to apply (baseline assigns registers and "
               "annotates); in clang and llc, without it the code is analysed "
               "and left as it is"),
      cl::value_desc("name"), cl::cat(optionCategory()));
  return Scheme;
}

cl::opt<std::string> &deviceOption() {
  static cl::opt<std::string> Device(
      "regshare-device",
      cl::desc("Device whose register limits and occupancy count: a name such "
               "as gtx480, or a .yaml file; figures of it to change follow, "
               "as in gtx480,registers=16384"),
      cl::value_desc("name"), cl::cat(optionCategory()));
  return Device;
}

static cl::opt<unsigned>
    MaxRegs("regshare-max-regs",
            cl::desc("Registers per thread at most, in 32-bit units; beyond "
                     "it values are computed again or spilled to local memory"),
            cl::value_desc("n"), cl::cat(optionCategory()));

static cl::opt<bool> Rematerialize(
    "regshare-rematerialize",
    cl::desc("Compute constants and kernel parameters again at their uses "
             "where that lowers the peak of live registers (default on)"),
    cl::init(true), cl::cat(optionCategory()));

static cl::opt<unsigned> ExtendedSet(
    "regshare-es",
    cl::desc("RegMutex: registers of the extended set, instead of the number "
             "that promises most"),
    cl::value_desc("n"), cl::cat(optionCategory()));

static cl::opt<bool> PublishedPolicy(
    "regshare-published-policy",
    cl::desc("RegMutex: as many registers in the extended set as the published "
             "policy chooses, instead of the number that promises most"),
    cl::cat(optionCategory()));

static cl::opt<unsigned, false, CountParser<MaxArchUnits>> IntervalRegisters(
    "regshare-interval-registers",
    cl::desc("LTRF: registers that an interval names at most; SHRF: registers "
             "of a warp in the register cache; in 32-bit units (default 16)"),
    cl::init(DefaultIntervalRegisters), cl::value_desc("n"),
    cl::cat(optionCategory()));

static cl::opt<bool> PublishedIntervals(
    "regshare-published-intervals",
    cl::desc("LTRF: divide the code as the published algorithm does, instead "
             "of the way with the fewest prefetches expected"),
    cl::cat(optionCategory()));

static cl::opt<unsigned, false, CountParser<MaxBanks>> RenumberBanks(
    "regshare-renumber-banks",
    cl::desc("LTRF: give registers new numbers so that the registers of a "
             "prefetch are spread over this many banks (default: leave them)"),
    cl::value_desc("n"), cl::cat(optionCategory()));

static cl::opt<unsigned, false, OperandCacheParser> OperandCacheBytes(
    "regshare-operand-cache",
    cl::desc("EXPARS: size of the operand cache that bundles have to fit "
             "(default 2048)"),
    cl::init(OperandCache().Bytes), cl::value_desc("bytes"),
    cl::cat(optionCategory()));

static cl::opt<unsigned, false, PerMilleParser<settings::Tau>> TauPerMille(
    "regshare-tau",
    cl::desc("EXPARS: which part of a thread's registers may be in scratchpad "
             "(default 0.8)"),
    cl::init(DefaultTauPerMille), cl::value_desc("share"),
    cl::cat(optionCategory()));

static cl::opt<bool> ExpectedWeights(
    "regshare-expected-weights",
    cl::desc("EXPARS: number registers by how often they are expected to be "
             "referenced, instead of how often the code names them"),
    cl::cat(optionCategory()));

static cl::opt<unsigned, false, PerMilleParser<settings::PrivateShare>>
    PrivatePerMille(
        "regshare-private-share",
        cl::desc("Register and scratchpad sharing: t, which part of a thread's "
                 "registers, or of a CTA's shared memory, is its own; the rest "
                 "is shared with the paired CTA (default 0.1)"),
        cl::init(DefaultPrivatePerMille), cl::value_desc("share"),
        cl::cat(optionCategory()));

static cl::OptionEnumValue named(RegisterOrder Order, StringRef Help) {
  return {registerOrderName(Order), int(Order), Help};
}

static cl::opt<RegisterOrder>
    Order("regshare-register-order",
          cl::desc("Register sharing: which registers are a thread's own "
                   "(default first-use)"),
          cl::values(named(RegisterOrder::FirstUse,
                           "those that the code names first"),
                     named(RegisterOrder::Declared,
                           "those with the lowest numbers, as they are"),
                     named(RegisterOrder::Earliest,
                           "those that the fewest instructions lead to"),
                     named(RegisterOrder::Weight,
                           "those with which most instructions are "
                           "expected to run before a shared one")),
          cl::init(RegisterOrder::FirstUse), cl::cat(optionCategory()));

static cl::opt<bool> EarlyRelease(
    "regshare-early-release",
    cl::desc("Register and scratchpad sharing: say where a warp no longer "
             "needs what it shares, so that it is given back before the end"),
    cl::cat(optionCategory()));

static cl::opt<unsigned> ThreadsPerCTA(
    "regshare-threads",
    cl::desc("Threads of a CTA, where the choice of registers to share depends "
             "on the occupancy (default: the launch bounds', else 256)"),
    cl::value_desc("n"), cl::cat(optionCategory()));

static cl::opt<unsigned> DynamicSharedBytes(
    "regshare-dynamic-shared",
    cl::desc("Dynamic shared memory of a CTA, for the same choice"),
    cl::value_desc("bytes"), cl::cat(optionCategory()));

static cl::opt<std::string>
    Anchor("regshare-anchor",
           cl::desc("Machine pass to run after, instead of the one that the "
                    "placement table names for the optimisation level"),
           cl::value_desc("pass"), cl::Hidden, cl::cat(optionCategory()));

// Options exist from the moment the program, or the plugin, is loaded.
[[maybe_unused]] static auto &LoadedScheme = schemeOption();
[[maybe_unused]] static auto &LoadedDevice = deviceOption();

CompilerOptions compilerOptions() {
  CompilerOptions Options;
  Options.Scheme = schemeOption();
  Options.Device = deviceOption();
  Options.MaxRegs = MaxRegs;
  Options.Rematerialize = Rematerialize;
  Options.ExtendedSet = ExtendedSet;
  Options.PublishedPolicy = PublishedPolicy;
  Options.IntervalRegisters = IntervalRegisters;
  Options.PublishedIntervals = PublishedIntervals;
  Options.RenumberBanks = RenumberBanks;
  Options.OperandCacheBytes = OperandCacheBytes;
  Options.TauPerMille = TauPerMille;
  Options.ExpectedWeights = ExpectedWeights;
  Options.PrivatePerMille = PrivatePerMille;
  Options.Order = Order;
  Options.EarlyRelease = EarlyRelease;
  Options.ThreadsPerCTA = ThreadsPerCTA;
  Options.DynamicSharedBytes = DynamicSharedBytes;
  Options.Anchor = Anchor;
  return Options;
}

} // namespace regshare
