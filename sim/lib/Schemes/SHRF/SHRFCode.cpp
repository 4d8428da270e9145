//===- SHRFCode.cpp - Code that manages a register cache ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SHRFCode.h"

#include "Timing/Core/CoreConfig.h"
#include "regshare/Base/SHRF/SHRF.h"

#include <functional>

namespace regshare::sim {

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F)
      : F(F), Code(std::make_shared<SHRFCode>(F)) {}

  bool decode(const Statement &S, const ptx::Instruction &Syntax,
              DecodedStatement &Out) override;
  bool comesTo(const ptx::Instruction *Next) override;
  bool decoded(const DecodedInst &D) override;
  std::shared_ptr<const CodeRules> take() override { return std::move(Code); }

private:
  bool namesRow(const ptx::Operand &O, uint32_t Row) const;
  bool namesSource(const DecodedInst &D, uint32_t Row) const;
  std::vector<CachePlace>
  placesAmong(const std::vector<CachePlace> &All,
              const std::function<bool(uint32_t)> &IsMine);

  const Function &F;
  std::shared_ptr<SHRFCode> Code;
  /// Of the `regshare.operands` that speaks of what comes next, or of its { };
  /// with the statement, and the places that instructions had so far.
  std::optional<OperandPlaces> Places;
  const ptx::Instruction *From = nullptr;
  std::vector<const CachePlace *> Taken;
};

} // namespace

bool Decoder::decode(const Statement &S, const ptx::Instruction &Syntax,
                     DecodedStatement &Out) {
  if (S.Verb == "strand") {
    Out.Number = SHRFCode::Strand;
    return true;
  }
  // Where operands of what follows are: of an instruction, or of a { } with
  // several, which is how LLVM prints some of its own.
  if (Places)
    return fail("the regshare.operands before it speaks of what follows, which "
                "has not come yet");
  Result<OperandPlaces> P = parseOperands(S);
  if (!P)
    return fail(P.error().Message);
  Places = std::move(*P);
  From = &Syntax;
  Taken.clear();
  return true;
}

/// Ends what a `regshare.operands` speaks of, if that is over before \p Next.
/// Fails if the statement named what is no operand.
bool Decoder::comesTo(const ptx::Instruction *Next) {
  if (!Places)
    return true;
  const ptx::Instruction *First = From + 1;
  bool IsOne = Next && First->Block == From->Block;
  bool IsOver =
      !Next || (Next != First && (IsOne || Next->Block == From->Block));
  if (!IsOver)
    return true;
  for (const OperandPlacesField &Field : OperandPlacesFields)
    for (const CachePlace &P : *Places.*Field.Places)
      if (std::ranges::find(Taken, &P) == Taken.end())
        return fail("R" + std::to_string(P.Unit) + " is no operand, as '" +
                        Field.Key + "' says, of what follows",
                    From);
  Places.reset();
  return true;
}

/// Whether \p O is a register that \p Row is of, or has one in it.
bool Decoder::namesRow(const ptx::Operand &O, uint32_t Row) const {
  if (O.K == ptx::Operand::Reg) {
    ScalarType T = F.Syntax->Registers[size_t(O.Index)].Type;
    uint32_t First = F.Places[size_t(O.Index)];
    return T != ScalarType::Pred && First != NoPlace && Row >= First &&
           Row < First + rowsOf(T);
  }
  return std::ranges::any_of(O.Elements, [&](const ptx::Operand &Element) {
    return namesRow(Element, Row);
  });
}

/// Also of a register of which only a part is read, as by a narrow store.
bool Decoder::namesSource(const DecodedInst &D, uint32_t Row) const {
  for (unsigned Before = 0; Before <= D.NumFolded; ++Before) {
    std::span<const ptx::Operand> Sources((D.Syntax - Before)->Operands);
    if ((Before || !D.I.IsStore) && !Sources.empty())
      Sources = Sources.subspan(1);
    if (std::ranges::any_of(Sources,
                            [&](const auto &O) { return namesRow(O, Row); }))
      return true;
  }
  return false;
}

/// Takes those of \p All that \p IsMine tells to be the instruction's.
std::vector<CachePlace>
Decoder::placesAmong(const std::vector<CachePlace> &All,
                     const std::function<bool(uint32_t)> &IsMine) {
  std::vector<CachePlace> Found;
  for (const CachePlace &P : All)
    if (IsMine(P.Unit)) {
      Found.push_back(P);
      Taken.push_back(&P);
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
bool Decoder::decoded(const DecodedInst &D) {
  Code->GroupOf.push_back(NoGroup);
  if (!Places)
    return true;
  auto IsSource = [&](uint32_t Row) {
    return std::ranges::find(D.Reads, Row) != D.Reads.end() ||
           namesSource(D, Row);
  };
  auto IsResult = [&](uint32_t Row) {
    return std::ranges::find(D.Writes, Row) != D.Writes.end();
  };
  OperandPlaces Mine;
  Mine.Read = placesAmong(Places->Read, IsSource);
  Mine.Fetch = placesAmong(Places->Fetch, IsSource);
  Mine.Cache = placesAmong(Places->Cache, IsResult);
  Mine.Both = placesAmong(Places->Both, IsResult);
  if (Mine.isEmpty())
    return true;
  if (comesLate(D.I) && !(Mine.Cache.empty() && Mine.Both.empty()))
    return fail("its result may come when the strand is over, too late for "
                "the register cache");
  Code->GroupOf.back() = uint32_t(Code->Operands.size());
  Code->Operands.push_back(std::move(Mine));
  return true;
}

//===----------------------------------------------------------------------===//
// What the code says
//===----------------------------------------------------------------------===//

SHRFCode::SHRFCode(const Function &F)
    : CodeRules(SHRFCodeFamily, F), Slots(F.Facts.get<CacheSlots>()->Slots) {}

bool SHRFCode::endsStrand(const Inst &I) {
  return I.MemberOp || I.Kind == InstKind::Barrier ||
         I.Kind == InstKind::WarpBarrier || I.Kind == InstKind::Call;
}

/// Results, operands that are in the register cache, and the ends of strands
/// change what is there.
uint8_t SHRFCode::attentionTo(size_t Number) const {
  const Inst &I = F.Code[Number];
  bool IsCached = GroupOf[Number] != NoGroup;
  return uint8_t((IsCached || endsStrand(I) ? AttendBefore : 0) |
                 (IsCached || I.NumWrites ? AttendAfter : 0));
}

void SHRFCode::noteGroups(std::span<IssueInfo> Insts) const {
  for (size_t N = 0; N != Insts.size(); ++N)
    Insts[N].Group = GroupOf[N];
}

uint32_t SHRFCode::addGroups(std::any &All) const {
  return appendGroups(All, Operands);
}

static Result<std::unique_ptr<StatementDecoder>> decoder(const Function &F) {
  if (!F.Facts.get<CacheSlots>())
    return nullptr;
  if (!F.IsEntry)
    return regshare::fail("function '" + F.Name +
                          "' has a register cache, which only kernels have");
  return std::make_unique<Decoder>(F);
}

static const SchemeDescription *const Schemes[] = {&schemes::SHRF};
const CodeFamily SHRFCodeFamily = {Schemes, decoder};

} // namespace regshare::sim
