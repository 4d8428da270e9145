//===- Scheme.h - Where a scheme plugs into the SM --------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scheme meets the SM at five points and nowhere else. It is a class that
/// overrides hooks of SchemeHooks, below; the SM is compiled for each, so that
/// a point that does nothing costs nothing.
///
///   1. residency   how many CTAs an SM holds, and where registers live
///   2. issue gate  may this warp issue this instruction now; if not, the warp
///                  waits until the scheme wakes it
///   3. operands    which structure serves each operand, at what cost
///   4. events      a warp becomes resident, is activated, issues, is parked,
///                  popped, finished; its results land, its registers die
///   5. priority    whom the scheduler prefers
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SCHEME_H
#define REGSHARE_SIM_SCHEMES_SCHEME_H

#include "Timing/Core/OperandPaths.h"
#include "Timing/Memory/ScratchpadPort.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Sim/Timing.h"

#include <any>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace regshare::sim {

/// A resident warp, as a scheme sees it.
struct WarpRef {
  unsigned Slot = 0;    ///< Of the SM.
  unsigned CtaSlot = 0; ///< Of the SM.
  unsigned Index = 0;   ///< In its CTA.
};

/// Why the scheme holds a warp back.
struct HeldBackBy {
  const char *Wants = ""; ///< "an SRP section".
  uint64_t Holders = 0;   ///< Slots of warps that have what it could get.
};

/// What a kernel asks for.
struct KernelNeeds {
  KernelResources Resources;
  SchemeFacts Facts = {};           ///< As SchemeModel::factsOf() has them.
  bool WaitsForOthers = false;      ///< As in Function.
  uint64_t GridCTAs = ~uint64_t(0); ///< Of the launch.
};

/// How a kernel's CTAs lie in an SM.
struct Residency {
  Occupancy Limits;   ///< Limits.CTAs are resident.
  SchemeFacts Layout; ///< What the scheme's model tells its SMs.
  /// CTAs whose last warps may be resident at the same time; 0: Limits.CTAs.
  unsigned MostCtas = 0;
};

/// What a scheme knows when a kernel begins.
struct SchemeContext {
  const DeviceDescription &Device;
  const CoreConfig &Core;
  const KernelNeeds &Needs;
  const Residency &Resident;
  const SettingValues &Values;
  /// ProgramTiming::Groups; null: there are none.
  const std::any *Groups = nullptr;
  unsigned SharedLatency = 0; ///< Cycles until shared memory has answered.

  /// The groups of instructions that the scheme's CodeRules have added.
  template <typename Group> std::span<const Group> groups() const {
    if (!Groups || !Groups->has_value())
      return {};
    return *std::any_cast<std::vector<Group>>(Groups);
  }
};

/// The slots whose warps have their registers in a partition.
uint64_t slotsOfPartition(unsigned Partition, unsigned NumPartitions);
/// A free slot for a warp: in the partition with the fewest of \p Mine, its
/// CTA's, of these in the one with the fewest \p Busy, of equal ones in the
/// first from \p First on, cyclically, the lowest. None in partitions with
/// \p Most busy ones.
std::optional<unsigned> evenSlot(uint64_t Free, uint64_t Busy, uint64_t Mine,
                                 unsigned NumPartitions, unsigned Most,
                                 unsigned First = 0);

/// The most banks of operands, as masks name them.
inline constexpr unsigned MaxBanks = 32;

/// The core with a register cache whose places have room for \p Rows registers;
/// where they have to be larger than the device's own, there are fewer active
/// warps. Fails if there are fewer than schedulers.
Result<CoreConfig> withCachePlaces(const CoreConfig &C, unsigned Rows);
/// The core with the banks of a register cache after those of the main register
/// file. Fails if that leaves no number for them.
Result<CoreConfig> withCacheBanks(const CoreConfig &C);

/// What the SM asks of its scheme, and tells it. Each hook is virtual, so that
/// one with a wrong name or signature does not compile where it is marked
/// `override`, and each scheme is a final class that the SM holds by value, so
/// that none is called through a table: one that is not overridden costs
/// nothing. A base of several schemes marks hooks that it calls itself `final`.
///
/// What the hooks do here is Baseline: every warp has all of its registers for
/// as long as it lives.
class SchemeHooks {
public:
  explicit SchemeHooks(const SchemeContext &C)
      : Banks(C.Core.Banks), Delay(uint16_t(C.Core.RegisterDelay)),
        RotatingSchedulers(C.Core.Modern.RotatesCtas ? C.Core.Schedulers : 0) {}
  virtual ~SchemeHooks() = default;

  //===--------------------------------------------------------------------===//
  // Residency
  //===--------------------------------------------------------------------===//

  /// The slot that the warp \p Index of the CTA in \p CtaSlot takes, if one
  /// has room for its registers; if none has, it is asked for again when warps
  /// have ended. \p Free is not empty; \p Mine are those of the CTA's warps
  /// before it that have not ended.
  virtual std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                          unsigned CtaSlot,
                                          unsigned Index) const {
    if (!RotatingSchedulers)
      return std::countr_zero(Free);
    return evenSlot(Free, ~Free, Mine, RotatingSchedulers, ~0u,
                    CtaSlot + Index);
  }

  /// Warps of another CTA that could become resident now; while there is one,
  /// the CTA does, and the others follow. \p Free as above.
  virtual unsigned warpsThatFit(uint64_t /*Free*/) const { return ~0u; }

  /// No CTA becomes resident while there are as many.
  virtual unsigned ctaLimit() const { return ~0u; }

  //===--------------------------------------------------------------------===//
  // Issue gate
  //===--------------------------------------------------------------------===//

  /// Asked once for a warp that a scheduler has picked; true: it issues. After
  /// a refusal the warp waits, and is asked again once it was among
  /// takeWoken(), or in the cycle readyAt(); in the next cycle at the earliest.
  virtual bool mayIssue(const WarpRef &, const IssueInfo &) { return true; }
  /// A mask of refused warps that may ask again; taken after each event.
  virtual uint64_t takeWoken() { return 0; }
  /// When a refused warp asks again without having been woken: after the cycle
  /// of the last tick().
  virtual Cycle readyAt(const WarpRef &) const { return Never; }
  /// Whether a refused warp may lose its place among the active ones. The same
  /// for as long as the scheme lives.
  virtual bool refusedMayLeave() const { return true; }
  /// Those of \p Refused, a mask, that may.
  virtual uint64_t mayLeave(uint64_t Refused) const {
    return refusedMayLeave() ? Refused : 0;
  }
  /// Why the warp was refused.
  virtual HeldBackBy heldBackBy(const WarpRef &) const { return {}; }
  /// The warp holds what it, or another of its CTA, had to acquire.
  virtual bool holds(const WarpRef &) const { return false; }

  /// In a composition, whether the warp has what others may wait for once it
  /// has issued the instruction, until it gives that back. Then the other
  /// scheme is asked mayHold() first.
  virtual bool beginsToHold(const WarpRef &, const IssueInfo &) const {
    return false;
  }
  /// Whether this scheme will refuse the warp nothing while it has what others
  /// wait for, so that they never wait for each other; if not, the warp waits
  /// as after mayIssue().
  virtual bool mayHold(const WarpRef &) { return true; }
  /// It has begun to, and this scheme keeps its word.
  virtual void begunToHold(const WarpRef &) {}

  //===--------------------------------------------------------------------===//
  // Rows behind a register cache, in a composition
  //===--------------------------------------------------------------------===//

  /// Of the scheme that decides which rows a warp has: the registers from here
  /// on have none now, so that nobody fetches them or writes them back.
  virtual unsigned endOfRows(const WarpRef &) const { return ~0u; }
  /// Whether some registers of the warp lose their rows once it has issued the
  /// instruction. Then the other scheme is asked mayGiveRowsBack() first.
  virtual bool givesRowsBack(const WarpRef &, const IssueInfo &) const {
    return false;
  }
  /// Tells the scheme that decides where operands are, once and before anything
  /// else happens, which one decides about the rows of the main register file:
  /// \p File says by endOfRows() which registers have a row, and by read() in
  /// which bank it is. It lives as long as this scheme.
  virtual void backedBy(const SchemeHooks & /*File*/) {}
  /// Whether nothing of the warp's is on its way to the file; if something is,
  /// the warp waits as after mayIssue().
  virtual bool mayGiveRowsBack(const WarpRef &) { return true; }
  /// The registers from endOfRows() on have lost their rows and their values.
  virtual void gaveRowsBack(const WarpRef &) {}

  /// Whether the scheme wants to know what of its CTA's scratchpad an
  /// instruction reaches. Then it is told before mayIssue(), and again when the
  /// access has been executed.
  virtual bool wantsReach(const WarpRef &, const IssueInfo &) const {
    return false;
  }
  /// \p End: up to there, in bytes from its begin; 0: nothing.
  virtual void willReach(const WarpRef &, uint32_t /*End*/) {}
  virtual void hasReached(const WarpRef &, uint32_t /*End*/) {}

  //===--------------------------------------------------------------------===//
  // Operands and results
  //===--------------------------------------------------------------------===//

  /// The bank of a register; \p Row is its architected number. GPGPU-Sim 4.2:
  /// registers and warps are spread over the banks.
  virtual OperandPlace read(const WarpRef &W, unsigned Row) const {
    return {uint8_t((Row + W.Slot) % Banks), Delay};
  }
  /// The bank that takes a result. Where it is not overridden, it is read()'s.
  virtual OperandPlace write(const WarpRef &W, unsigned Row) const {
    return read(W, Row);
  }
  /// Whether a result is written to a bank that operands are read from.
  virtual bool writesCache(const WarpRef &, unsigned /*Row*/) const {
    return true;
  }
  /// The banks, a mask, that take the results of an instruction when they land.
  /// To be overridden where the places of results depend on each other; then
  /// write() and writesCache() are not asked. What is written beyond
  /// \p NumRows are predicates.
  virtual uint32_t resultBanks(const WarpRef &, const IssueInfo &,
                               unsigned /*NumRows*/) const {
    return 0;
  }
  /// The operands of an instruction have been mapped by read(); what it takes
  /// to find all of them is added here.
  virtual void located(OperandRequest &) const {}
  /// A mask of banks that the scheme's own transfers take in the cycle of the
  /// last tick(); neither results nor operands do.
  virtual uint32_t takenBanks() const { return 0; }

  //===--------------------------------------------------------------------===//
  // Events
  //===--------------------------------------------------------------------===//

  /// Which SM it is; before anything else happens.
  virtual void runsOn(unsigned /*SmId*/, unsigned /*NumSms*/) {}
  /// The scratchpad that the scheme's own transfers go through.
  virtual void connect(ScratchpadPort &) {}
  /// Begins each cycle that is simulated.
  virtual void tick(Cycle) {}
  /// The next cycle after \p Now with work that no event of the SM's begins.
  virtual Cycle nextWork(Cycle /*Now*/) const { return Never; }

  virtual void resident(const WarpRef &) {}
  virtual void activated(const WarpRef &) {}
  virtual void parked(const WarpRef &) {}
  /// It has issued its last instruction.
  virtual void exited(const WarpRef &) {}
  virtual void finished(const WarpRef &) {}
  /// Lanes came to run that had waited on another side of a branch.
  virtual void divergentPop(const WarpRef &) {}
  /// The warp comes to a statement that takes no issue slot.
  virtual void steppedOver(const WarpRef &, const IssueInfo &) {}
  /// The instruction was executed; its operands are mapped after this.
  virtual void issued(const WarpRef &, const IssueInfo &) {}
  /// It was sent to the registers; collected() and landed() will follow.
  virtual void started(const WarpRef &, const IssueInfo &) {}
  /// All of its operands have been read.
  virtual void collected(const WarpRef &, const IssueInfo &) {}
  /// Its results are being written.
  virtual void landed(const WarpRef &, const IssueInfo &) {}
  /// A statement says that a register is dead. \p OnItsWay: an instruction that
  /// has issued will write it yet.
  virtual void freed(const WarpRef &, unsigned /*Row*/, bool /*OnItsWay*/) {}

  /// The period, in core cycles, after which compareStalls() is called; 0:
  /// never. The same for as long as the scheme lives.
  virtual Cycle comparisonPeriod() const { return 0; }
  /// How many issue slots with resident warps the SM has lost in that time, and
  /// SM 0 beside it.
  virtual void compareStalls(uint64_t /*Stalls*/, uint64_t /*OfFirst*/) {}

  //===--------------------------------------------------------------------===//
  // Priority
  //===--------------------------------------------------------------------===//

  /// The warps among \p Candidates that the scheduler chooses from; not empty.
  virtual uint64_t preferred(uint64_t Candidates) const { return Candidates; }

  //===--------------------------------------------------------------------===//
  // What happened
  //===--------------------------------------------------------------------===//

  virtual PoolStats stats() const { return {}; }
  /// Units of PoolStats.
  virtual unsigned inUse() const { return 0; }
  virtual RegisterCacheStats cacheStats() const { return {}; }
  virtual OperandCacheStats operandCacheStats() const { return {}; }
  /// What the scheme counts besides: the same keys in the same order each time.
  virtual std::vector<SchemeCounter> counters() const { return {}; }

  /// Whether code says which operands are in the register cache. Then a warp
  /// loses what it has there when it is parked. The same for as long as the
  /// scheme lives.
  virtual bool codeManagesCache() const { return false; }

  /// Which rule of the scheme has been broken first; empty: none. It is asked
  /// for after each call of a hook that may find one: the gate and events.
  virtual const std::string &violation() const { return Violation; }

protected:
  /// Keeps what was found first.
  void violate(std::string Rule) {
    if (Violation.empty())
      Violation = std::move(Rule);
  }

  unsigned Banks;
  uint16_t Delay; ///< Of a register file that is slower than the device's own.
  unsigned RotatingSchedulers; ///< 0: the lowest free slot is a warp's.

private:
  std::string Violation;
};

/// The class that a pointer to a member belongs to.
template <typename Member> struct ClassOfMember;
/// The same, found by its form.
template <typename Type, typename Class> struct ClassOfMember<Type Class::*> {
  using Is = Class; ///< Where the member was declared.
};
/// Whether a scheme has a hook of its own:
///
///     Overrides<decltype(&SchemeT::mayIssue)>
template <typename Hook>
inline constexpr bool Overrides =
    !std::is_same_v<typename ClassOfMember<Hook>::Is, SchemeHooks>;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SCHEME_H
