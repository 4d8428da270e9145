//===- SHRFCodeRules.cpp - Values in a cache that code manages ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A value is in the main register file, in a slot of the warp's register
/// cache, or in both, for each lane. There is one storage for both, with a note
/// of where the value is: WarpView::written() says that the main file has it.
/// What neither has any more is poisoned.
///
//===----------------------------------------------------------------------===//

#include "SHRFCode.h"

#include <bit>

namespace regshare::sim {

namespace {

/// A lane of a slot holds the row's value where the main register file may not.
struct CacheSlot {
  uint32_t Row = ~uint32_t(0);
  uint32_t Lanes = 0;
};

class Rules final : public WarpRules {
public:
  Rules(WarpView W, unsigned Slots) : WarpRules(W), Cache(Slots) {}

  std::optional<Violation> before(const Inst &I) override;
  void after(const Inst &I) override;
  void execute(const Inst &) override { lose(); }
  bool provides(const Inst &I, uint32_t Access) const override;
  std::string lostSince(uint32_t Access) const override;
  void lanesChange() override { lose(); }
  void parked() override { lose(); }
  /// A statement, or what ends a strand, loses all by itself.
  bool needsItsPlace(const Inst &Next) const override {
    return Next.Kind != InstKind::Statement && !SHRFCode::endsStrand(Next) &&
           std::ranges::any_of(Cache,
                               [](const CacheSlot &S) { return S.Lanes; });
  }

private:
  /// Only kernels have a register cache: its rows are those of their frame.
  static constexpr unsigned KernelFrame = 0;

  const OperandPlaces *placesOf(const Inst &I) const {
    return codeOf<SHRFCode>(W.function(), SHRFCodeFamily)->cachedOperands(I);
  }
  void lose();
  void lose(CacheSlot &S);
  void fill(const CachePlace &Place, uint32_t Lanes);

  std::vector<CacheSlot> Cache;
};

} // namespace

void Rules::lose(CacheSlot &S) {
  if (!S.Lanes)
    return;
  W.poison(KernelFrame, S.Row, S.Lanes & ~W.written(KernelFrame, S.Row));
  S.Lanes = 0;
}

void Rules::lose() {
  for (CacheSlot &S : Cache)
    lose(S);
}

/// Whether the cache has what \p I reads there.
std::optional<Violation> Rules::before(const Inst &I) {
  if (SHRFCode::endsStrand(I))
    lose();
  const OperandPlaces *Places = placesOf(I);
  if (!Places)
    return {};
  for (const CachePlace &P : Places->Read) {
    const CacheSlot &S = Cache[P.Slot];
    uint32_t Missing = W.executing() & ~(S.Row == P.Unit ? S.Lanes : 0);
    if (Missing)
      return Violation{"read of R" + std::to_string(P.Unit) + " from slot " +
                           std::to_string(P.Slot) +
                           " of the register cache, which does not hold it (" +
                           W.function().nameOf(P.Unit) + ")",
                       unsigned(std::countr_zero(Missing))};
  }
  return {};
}

/// Lanes that do not write keep what they have of the same register.
void Rules::fill(const CachePlace &Place, uint32_t Lanes) {
  CacheSlot &S = Cache[Place.Slot];
  if (S.Row != Place.Unit) {
    lose(S);
    S.Row = Place.Unit;
  }
  S.Lanes |= Lanes;
}

/// What \p I writes and fetches. Its results are noted as written to the main
/// file.
void Rules::after(const Inst &I) {
  const Function &Fn = W.function();
  uint32_t Lanes = W.executing();
  const uint32_t *Writes = Fn.Accesses.data() + I.FirstAccess + I.NumReads;
  for (CacheSlot &S : Cache)
    for (unsigned K = 0; K != I.NumWrites; ++K)
      if (S.Row == Writes[K])
        S.Lanes &= ~Lanes;
  const OperandPlaces *Places = placesOf(I);
  if (!Places)
    return;
  for (const CachePlace &P : Places->Fetch)
    fill(P, Lanes & W.written(KernelFrame, P.Unit));
  for (const CachePlace &P : Places->Both)
    fill(P, Lanes);
  for (const CachePlace &P : Places->Cache) {
    fill(P, Lanes);
    W.written(KernelFrame, P.Unit) &= ~Lanes;
  }
}

bool Rules::provides(const Inst &I, uint32_t Access) const {
  const OperandPlaces *Places = placesOf(I);
  return Places && std::ranges::any_of(Places->Read, [&](const CachePlace &P) {
           return P.Unit == Access;
         });
}

std::string Rules::lostSince(uint32_t Access) const {
  return Access < W.function().NumRows
             ? " to the main register file since the register cache had it"
             : "";
}

std::unique_ptr<WarpRules> SHRFCode::forWarp(WarpView W) const {
  return std::make_unique<Rules>(W, Slots);
}

} // namespace regshare::sim
