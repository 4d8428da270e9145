//===- DecodeCache.cpp - Operands in a register cache ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include <algorithm>
#include <span>

namespace regshare::sim {

/// SHRF: what the register cache holds is lost.
bool FunctionDecoder::strand() {
  I.Unit = UnitClass::None;
  I.Kind = InstKind::Strand;
  return true;
}

/// SHRF: where operands of what follows are: an instruction, or a { } with
/// several, which is how LLVM prints some of its own.
bool FunctionDecoder::beginOperands() {
  if (Places)
    return fail("the regshare.operands before it speaks of what follows, which "
                "has not come yet");
  Result<Statement> D = parseStatement(S->Text);
  Result<OperandPlaces> P =
      D ? parseOperands(*D) : tl::make_unexpected(D.error());
  if (!P)
    return fail(P.error().Message);
  Places = std::move(*P);
  PlacesFrom = S;
  PlacesTaken.clear();
  return true;
}

/// Ends what a `regshare.operands` speaks of, if that is over before the
/// instruction that comes next; null: the function is. Fails if the statement
/// named what is no operand.
bool FunctionDecoder::endOperands(const ptx::Instruction *Next) {
  if (!Places)
    return true;
  const ptx::Instruction *First = PlacesFrom + 1;
  bool IsOne = Next && First->Block == PlacesFrom->Block;
  bool IsOver =
      !Next || (Next != First && (IsOne || Next->Block == PlacesFrom->Block));
  if (!IsOver)
    return true;
  for (const OperandPlacesField &Field : OperandPlacesFields)
    for (const CachePlace &P : *Places.*Field.Places)
      if (std::ranges::find(PlacesTaken, &P) == PlacesTaken.end()) {
        S = PlacesFrom;
        return fail("R" + std::to_string(P.Unit) + " is no operand, as '" +
                    Field.Key + "' says, of what follows");
      }
  Places.reset();
  return true;
}

/// Whether \p O is a register that \p Row is of, or has one in it.
bool FunctionDecoder::namesRow(const ptx::Operand &O, uint32_t Row) const {
  if (O.K == ptx::Operand::Reg) {
    ScalarType T = Syntax.Registers[O.Index].Type;
    uint32_t First = Layout.Places[O.Index];
    return T != ScalarType::Pred && First != NoPlace && Row >= First &&
           Row < First + rowsOf(T);
  }
  return std::ranges::any_of(O.Elements, [&](const ptx::Operand &Element) {
    return namesRow(Element, Row);
  });
}

/// Takes those of \p All that \p IsMine tells to be the instruction's.
std::vector<CachePlace>
FunctionDecoder::placesAmong(const std::vector<CachePlace> &All,
                             const std::function<bool(uint32_t)> &IsMine) {
  std::vector<CachePlace> Found;
  for (const CachePlace &P : All)
    if (IsMine(P.Unit)) {
      Found.push_back(P);
      PlacesTaken.push_back(&P);
    }
  return Found;
}

/// Whether results of \p I may come when its strand is over.
static bool comesLate(const Inst &I) {
  return I.Kind == InstKind::Barrier || I.MemberOp ||
         (I.Kind == InstKind::Memory && I.IsLoad && I.Where != Space::Shared &&
          I.Where != Space::Param && I.Where != Space::Const);
}

/// Takes the instruction's part of a `regshare.operands`.
bool FunctionDecoder::takePlaces() {
  if (!F.Facts.get<CacheSlots>())
    return true;
  F.CachedOperandsOf.push_back(NoPlaces);
  if (!Places)
    return true;
  // A narrow store takes only a part of the register that it names.
  std::span Sources =
      std::span(S->Operands).subspan(I.IsStore || S->Operands.empty() ? 0 : 1);
  auto IsSource = [&](uint32_t Row) {
    return std::ranges::find(Reads, Row) != Reads.end() ||
           std::ranges::any_of(Sources,
                               [&](const auto &O) { return namesRow(O, Row); });
  };
  auto IsResult = [this](uint32_t Row) {
    return std::ranges::find(Writes, Row) != Writes.end();
  };
  OperandPlaces Mine;
  Mine.Read = placesAmong(Places->Read, IsSource);
  Mine.Fetch = placesAmong(Places->Fetch, IsSource);
  Mine.Cache = placesAmong(Places->Cache, IsResult);
  Mine.Both = placesAmong(Places->Both, IsResult);
  if (Mine.isEmpty())
    return true;
  if (comesLate(I) && !(Mine.Cache.empty() && Mine.Both.empty()))
    return fail("its result may come when the strand is over, too late for "
                "the register cache");
  F.CachedOperandsOf.back() = uint32_t(F.CachedOperands.size());
  F.CachedOperands.push_back(std::move(Mine));
  return true;
}

/// Results, operands that are there, and the ends of strands change it.
bool FunctionDecoder::changesCache(const Inst &Each, size_t Number) const {
  return F.Facts.get<CacheSlots>() &&
         (Each.NumWrites || F.CachedOperandsOf[Number] != NoPlaces ||
          Each.MemberOp || Each.Kind == InstKind::Barrier ||
          Each.Kind == InstKind::WarpBarrier || Each.Kind == InstKind::Call);
}

} // namespace regshare::sim
