//===- RegMutexScheme.cpp - Extended sets that warps acquire --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexScheme.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include <bit>
#include <numeric>

namespace regshare::sim {

std::string inRegs(const RegMutexSplit &S) {
  return std::to_string(S.Base) + " base and " + std::to_string(S.Extended) +
         " extended registers a thread";
}

/// The bank of each physical row. Where all warps share the banks, rows are
/// skewed by one bank after each round, so that base sets of a multiple of the
/// banks do not lie on top of each other; with sets of 16 registers in 16 banks
/// that is where Baseline has them.
static std::vector<uint8_t> banksOf(const SchemeContext &C,
                                    unsigned Partition) {
  bool Skewed = C.Core.Organisation == OperandOrganisation::Collectors;
  std::vector<uint8_t> Banks(partitionRows(C.Device));
  for (unsigned Row = 0; Row != Banks.size(); ++Row) {
    unsigned Skew = Skewed ? Row / C.Core.Banks + Partition : 0;
    Banks[Row] = uint8_t((Row + Skew) % C.Core.Banks);
  }
  return Banks;
}

template <typename PoolT>
ExtendedSetScheme<PoolT>::ExtendedSetScheme(const SchemeContext &C)
    : SchemeHooks(C), Partitions(C.Device.RegisterPartitions) {
  Stats.StorageBits = regMutexStorage(PoolT::Kind, C.Device).total();
  const auto *Asked = C.Needs.Facts.get<RegMutexSplit>();
  if (!Asked)
    return;
  const auto &Sections = C.Resident.Layout.get<SectionCounts>()->OfPartition;
  for (unsigned P = 0; P != Partitions; ++P)
    BankOf.push_back(banksOf(C, P));
  Split = *Asked;
  EndRow = Split.Base + Split.Extended;
  for (unsigned P = 0; P != Partitions; ++P)
    Pools.emplace_back(
        PartitionShape{warpsInPartition(C.Device, C.Resident.Limits.Warps, P),
                       Sections[P], Split});
  for (unsigned Slot = 0; Slot != RowsOf.size(); ++Slot)
    if (Pools[Slot % Partitions].isBeyond(Slot / Partitions))
      HasBase &= ~(uint64_t(1) << Slot);
  Stats.Unit = "SRP section";
  Stats.Holds = "holds extended set";
  Stats.Capacity = std::accumulate(Sections.begin(), Sections.end(), 0u);
  Stats.RowsOfUnit = Split.Extended;
}

/// A partition may have a free slot and no base set for it, where slots are not
/// taken from the lowest on.
template <typename PoolT>
std::optional<unsigned>
ExtendedSetScheme<PoolT>::slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot, unsigned Index) const {
  uint64_t Usable = Free & HasBase;
  if (!Usable)
    return std::nullopt;
  if (!RotatingSchedulers)
    return std::countr_zero(Usable);
  return evenSlot(Usable, ~Free, Mine, RotatingSchedulers, ~0u,
                  CtaSlot + Index);
}

template <typename PoolT>
void ExtendedSetScheme<PoolT>::resident(const WarpRef &W) {
  if (Pools.empty())
    return;
  RowsOf[W.Slot].Base = poolOf(W).baseRow(numberOf(W));
  if (poolOf(W).isBeyond(numberOf(W)))
    violate("the register file overflows: warp slot " + std::to_string(W.Slot) +
            " has no room for " + inRegs(Split));
}

template <typename PoolT>
void ExtendedSetScheme<PoolT>::take(const WarpRef &W) {
  if (holds(W))
    return;
  PoolT &Pool = poolOf(W);
  unsigned Section = *Pool.sectionFor(numberOf(W));
  Pool.take(numberOf(W), Section);
  RowsOf[W.Slot].Extended = Pool.extendedRow(Section);
  Holding |= uint64_t(1) << W.Slot;
  ++Stats.Successes;
  ++Stats.Taken;
  Stats.PeakInUse = std::max(Stats.PeakInUse, inUse());
  violate(Pool.inconsistency());
}

/// Those that wait for a section of the partition try again.
template <typename PoolT>
void ExtendedSetScheme<PoolT>::giveBack(const WarpRef &W) {
  if (!holds(W))
    return;
  poolOf(W).giveBack(numberOf(W));
  Holding &= ~(uint64_t(1) << W.Slot);
  ++Stats.Returned;
  for (uint64_t Rest = Waiting; Rest; Rest &= Rest - 1) {
    unsigned Slot = std::countr_zero(Rest);
    if (Slot % Partitions == W.Slot % Partitions &&
        poolOf(W).sectionFor(Slot / Partitions))
      Woken |= uint64_t(1) << Slot;
  }
  Waiting &= ~Woken;
  violate(poolOf(W).inconsistency());
}

template <typename PoolT>
HeldBackBy ExtendedSetScheme<PoolT>::heldBackBy(const WarpRef &W) const {
  uint64_t Numbers = Pools[W.Slot % Partitions].holders(numberOf(W));
  uint64_t InSlots = 0;
  for (; Numbers; Numbers &= Numbers - 1)
    InSlots |=
        uint64_t(1) << (unsigned(std::countr_zero(Numbers)) * Partitions +
                        W.Slot % Partitions);
  return {"an SRP section", InSlots};
}

template <typename PoolT> unsigned ExtendedSetScheme<PoolT>::inUse() const {
  unsigned Sum = 0;
  for (const PoolT &Pool : Pools)
    Sum += Pool.inUse();
  return Sum;
}

template class ExtendedSetScheme<SharedPool>;
template class ExtendedSetScheme<PairedPool>;

} // namespace regshare::sim
