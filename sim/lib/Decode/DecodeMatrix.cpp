//===- DecodeMatrix.cpp - Matrix instructions -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Matrix/MatrixOp.h"

#include <algorithm>

namespace regshare::sim {

namespace {
/// A shape, and the type of A and B that PTX has with it.
struct MatrixForm {
  MatrixShape Shape;
  enum Instruction : uint8_t { Mma, Wmma } Of;
  enum Factor : uint8_t {
    Half,
    BFloat,
    TFloat,
    Double,
    Byte,
    Nibble,
    Bit
  } Kind;
};
} // namespace

/// PTX ISA 9.0, "Matrix shape" of wmma, mma: those of sm_70 to sm_80, and of
/// sm_90 the larger ones of f64 but for m16n8k16.
static constexpr MatrixForm Forms[] = {
    {{16, 16, 16}, MatrixForm::Wmma, MatrixForm::Half},
    {{32, 8, 16}, MatrixForm::Wmma, MatrixForm::Half},
    {{8, 32, 16}, MatrixForm::Wmma, MatrixForm::Half},
    {{16, 16, 16}, MatrixForm::Wmma, MatrixForm::BFloat},
    {{32, 8, 16}, MatrixForm::Wmma, MatrixForm::BFloat},
    {{8, 32, 16}, MatrixForm::Wmma, MatrixForm::BFloat},
    {{16, 16, 8}, MatrixForm::Wmma, MatrixForm::TFloat},
    {{8, 8, 4}, MatrixForm::Wmma, MatrixForm::Double},
    {{16, 16, 16}, MatrixForm::Wmma, MatrixForm::Byte},
    {{32, 8, 16}, MatrixForm::Wmma, MatrixForm::Byte},
    {{8, 32, 16}, MatrixForm::Wmma, MatrixForm::Byte},
    {{8, 8, 32}, MatrixForm::Wmma, MatrixForm::Nibble},
    {{8, 8, 128}, MatrixForm::Wmma, MatrixForm::Bit},
    {{8, 8, 4}, MatrixForm::Mma, MatrixForm::Half},
    {{16, 8, 8}, MatrixForm::Mma, MatrixForm::Half},
    {{16, 8, 16}, MatrixForm::Mma, MatrixForm::Half},
    {{16, 8, 8}, MatrixForm::Mma, MatrixForm::BFloat},
    {{16, 8, 16}, MatrixForm::Mma, MatrixForm::BFloat},
    {{16, 8, 4}, MatrixForm::Mma, MatrixForm::TFloat},
    {{16, 8, 8}, MatrixForm::Mma, MatrixForm::TFloat},
    {{8, 8, 4}, MatrixForm::Mma, MatrixForm::Double},
    {{16, 8, 4}, MatrixForm::Mma, MatrixForm::Double},
    {{16, 8, 8}, MatrixForm::Mma, MatrixForm::Double},
    {{8, 8, 16}, MatrixForm::Mma, MatrixForm::Byte},
    {{16, 8, 16}, MatrixForm::Mma, MatrixForm::Byte},
    {{16, 8, 32}, MatrixForm::Mma, MatrixForm::Byte},
    {{8, 8, 32}, MatrixForm::Mma, MatrixForm::Nibble},
    {{16, 8, 32}, MatrixForm::Mma, MatrixForm::Nibble},
    {{16, 8, 64}, MatrixForm::Mma, MatrixForm::Nibble},
    {{8, 8, 128}, MatrixForm::Mma, MatrixForm::Bit},
    {{16, 8, 128}, MatrixForm::Mma, MatrixForm::Bit},
    {{16, 8, 256}, MatrixForm::Mma, MatrixForm::Bit},
};

/// Of an element of A or B; nothing for what only C and D can have.
static std::optional<MatrixForm::Factor> kindOf(MatrixType T) {
  switch (T) {
  case MatrixType::F16:
    return MatrixForm::Half;
  case MatrixType::BF16:
    return MatrixForm::BFloat;
  case MatrixType::TF32:
    return MatrixForm::TFloat;
  case MatrixType::F64:
    return MatrixForm::Double;
  case MatrixType::S8:
  case MatrixType::U8:
    return MatrixForm::Byte;
  case MatrixType::S4:
  case MatrixType::U4:
    return MatrixForm::Nibble;
  case MatrixType::B1:
    return MatrixForm::Bit;
  case MatrixType::F32:
  case MatrixType::S32:
    break;
  }
  return std::nullopt;
}

static bool isForm(const MatrixShape &S, MatrixForm::Instruction Of,
                   MatrixType A, MatrixType B) {
  return kindOf(A) && kindOf(A) == kindOf(B) &&
         std::ranges::any_of(Forms, [&](const MatrixForm &F) {
           return F.Shape == S && F.Of == Of && F.Kind == *kindOf(A);
         });
}

/// C and D of such factors. F16 alone has a choice.
static bool canAccumulate(MatrixType A, MatrixType C) {
  switch (*kindOf(A)) {
  case MatrixForm::Half:
    return C == MatrixType::F16 || C == MatrixType::F32;
  case MatrixForm::BFloat:
  case MatrixForm::TFloat:
    return C == MatrixType::F32;
  case MatrixForm::Double:
    return C == MatrixType::F64;
  default:
    return C == MatrixType::S32;
  }
}

bool FunctionDecoder::takeMatrixShape(MatrixShape &Shape) {
  for (size_t K = 0; K != Mods.size(); ++K)
    if (std::optional<MatrixShape> Found = parseMatrixShape(Mods[K])) {
      Shape = *Found;
      Mods.erase(Mods.begin() + K);
      return true;
    }
  return fail("a matrix instruction names a shape, such as .m16n8k16");
}

/// What a matrix instruction's modifiers have of types, in their order.
std::vector<MatrixType> FunctionDecoder::takeMatrixTypes() {
  std::vector<MatrixType> Types;
  std::erase_if(Mods, [&](std::string_view Mod) {
    std::optional<MatrixType> T = parseMatrixType(Mod);
    if (T)
      Types.push_back(*T);
    return T.has_value();
  });
  return Types;
}

/// All lanes of a warp execute it together.
bool FunctionDecoder::takeAligned() {
  if (!takeMod("sync"))
    return fail("a matrix instruction is for all threads of a warp: .sync");
  takeMod("aligned");
  I.MemberOp = AllMembers;
  return true;
}

/// Registers of an operand, which has \p Count or is one register. Those beyond
/// what the fragment needs repeat it: f16 of wmma.
bool FunctionDecoder::fragment(const ptx::Operand &O, unsigned Count,
                               bool IsResult, MatrixFragment &Fragment) {
  bool IsList = O.K == ptx::Operand::Vector;
  size_t Given = IsList ? O.Elements.size() : 1;
  if (Given != Count)
    return fail("a fragment has " + std::to_string(Count) + " registers, " +
                std::to_string(Given) + " are given");
  auto T = Fragment.Layout.Type == MatrixType::F64 ? ScalarType::B64
                                                   : ScalarType::B32;
  for (unsigned K = 0; K != Count; ++K) {
    const ptx::Operand &E = IsList ? O.Elements[K] : O;
    uint32_t Row = 0;
    if (!(IsResult ? dest(E, T, Row) : source(E, T, Row)))
      return false;
    Fragment.Rows.push_back(Row);
  }
  return true;
}

/// Of f16, A and B of wmma have eight registers whatever the shape.
static unsigned fragmentRegisters(const MatrixLayout &L, bool IsWmma) {
  bool IsFactor = L.Part != MatrixPart::C;
  return IsWmma && IsFactor && L.Type == MatrixType::F16 ? 8 : L.registers();
}

/// .row and .col of A and B, in this order.
bool FunctionDecoder::takeMatrixOrders(MatrixLayout &A, MatrixLayout &B) {
  std::vector<bool> Orders;
  std::erase_if(Mods, [&](std::string_view Mod) {
    bool IsOrder = Mod == "row" || Mod == "col";
    if (IsOrder)
      Orders.push_back(Mod == "row");
    return IsOrder;
  });
  if (Orders.size() != 2)
    return fail("a multiplication says .row or .col of A and of B");
  A.RowMajor = Orders[0];
  B.RowMajor = Orders[1];
  return true;
}

/// What the modifiers of mma and wmma.mma say, into the layouts.
bool FunctionDecoder::matrixForm(MatrixOp &Op, bool IsWmma) {
  MatrixShape Shape;
  if (!takeAligned() || !takeMatrixShape(Shape) ||
      !takeMatrixOrders(Op.A.Layout, Op.B.Layout))
    return false;
  std::vector<MatrixType> Types = takeMatrixTypes();
  // wmma of f16 names D and C alone.
  if (IsWmma && Types.size() == 2)
    Types = {Types[0], MatrixType::F16, MatrixType::F16, Types[1]};
  if (Types.size() != 4)
    return fail("a multiplication names the types of D, A, B and C");
  if (!isForm(Shape, IsWmma ? MatrixForm::Wmma : MatrixForm::Mma, Types[1],
              Types[2]) ||
      !canAccumulate(Types[1], Types[0]) || !canAccumulate(Types[1], Types[3]))
    return fail("no such shape for these types");
  bool Quads =
      !IsWmma && Shape == MatrixShape{8, 8, 4} && Types[1] == MatrixType::F16;
  if (!IsWmma && !Quads && (!Op.A.Layout.RowMajor || Op.B.Layout.RowMajor))
    return fail("a multiplication of this shape is .row.col");
  Op.Saturates = takeMod("satfinite");
  if (Types[1] == MatrixType::B1) {
    Op.Product = takeMod("xor")   ? MatrixProduct::Xor
                 : takeMod("and") ? MatrixProduct::And
                                  : MatrixProduct::Multiply;
    if (Op.Product == MatrixProduct::Multiply || !takeMod("popc"))
      return fail("a multiplication of .b1 is .xor.popc or .and.popc");
  }
  if (Types[1] == MatrixType::F64)
    takeMod("rn");
  MatrixFragment *Parts[] = {&Op.D, &Op.A, &Op.B, &Op.C};
  for (unsigned N = 0; N != 4; ++N) {
    MatrixLayout &L = Parts[N]->Layout;
    L.Part = N == 1 ? MatrixPart::A : N == 2 ? MatrixPart::B : MatrixPart::C;
    L.Shape = Shape;
    L.Type = Types[N];
    L.Quads = Quads;
  }
  return true;
}

/// mma and wmma.mma: d, a, b, c. The Function holds the MatrixOp.
bool FunctionDecoder::multiplyMatrices(bool IsWmma) {
  if (takeMod("sp") || takeMod("sp::ordered_metadata"))
    return fail("sparse matrices are not supported");
  auto Op = std::make_shared<MatrixOp>();
  if (!matrixForm(*Op, IsWmma) || !expectOps(4, 4))
    return false;
  MatrixFragment *Parts[] = {&Op->D, &Op->A, &Op->B, &Op->C};
  for (unsigned N = 0; N != 4; ++N) {
    Parts[N]->indexElements();
    if (!fragment(op(N), fragmentRegisters(Parts[N]->Layout, IsWmma), N == 0,
                  *Parts[N]))
      return false;
  }
  I.Unit = UnitClass::Tensor;
  I.Op = OpClass::Matrix;
  I.Imm = matrixToImm(Op.get());
  bool IsFloat = isFloatingPoint(Op->A.Layout.Type);
  F.Matrices.push_back(std::move(Op));
  return handler(IsFloat ? "mma.float" : "mma.integer");
}

bool FunctionDecoder::matrixMultiply() { return multiplyMatrices(false); }

bool FunctionDecoder::wmma() {
  if (takeMod("mma"))
    return multiplyMatrices(true);
  if (takeMod("load"))
    return moveMatrix(true);
  if (takeMod("store"))
    return moveMatrix(false);
  return fail("wmma is .load, .store or .mma");
}

void FunctionDecoder::accessesMatrix(const MatrixLayout &L, bool IsLoad) {
  I.Kind = InstKind::Memory;
  I.Unit = UnitClass::LoadStore;
  I.Op = OpClass::Matrix;
  I.Flags |= FlagTexture;
  (IsLoad ? I.IsLoad : I.IsStore) = true;
  I.Size = uint8_t(4 * wordsOf(L.Type));
  zeroFrom(0);
}

/// wmma.load.{a,b,c}.sync.LAYOUT.SHAPE{.SPACE}.TYPE r, [p]{, stride} and
/// wmma.store.d… [p], r{, stride}. Ops: r0 …, address, stride.
bool FunctionDecoder::moveMatrix(bool IsLoad) {
  MatrixLayout L;
  L.Part = takeMod("a")   ? MatrixPart::A
           : takeMod("b") ? MatrixPart::B
                          : MatrixPart::C;
  if (L.Part == MatrixPart::C && !takeMod(IsLoad ? "c" : "d"))
    return fail("a matrix is .a, .b, .c or .d");
  L.RowMajor = takeMod("row");
  if (!L.RowMajor && !takeMod("col"))
    return fail("a matrix in memory is .row or .col");
  if (!takeAligned() || !takeMatrixShape(L.Shape) || !expectOps(2, 3))
    return false;
  std::vector<MatrixType> Types = takeMatrixTypes();
  if (Types.size() != 1)
    return fail("a matrix has one type");
  L.Type = Types[0];
  // Of an accumulator, some factor goes with it.
  auto Fits = [&](MatrixType Factor) {
    return isForm(L.Shape, MatrixForm::Wmma, Factor, Factor) &&
           (L.Part == MatrixPart::C ? canAccumulate(Factor, L.Type)
                                    : Factor == L.Type);
  };
  bool IsKnown = false;
  for (unsigned T = 0; T <= unsigned(MatrixType::B1); ++T)
    IsKnown |= Fits(MatrixType(T));
  if (!IsKnown)
    return fail("no such shape for this type");
  bool LiesInK = L.RowMajor == (L.Part == MatrixPart::A);
  if (L.Part != MatrixPart::C && bitsOf(L.Type) < 8 && !LiesInK)
    return fail("elements of less than a byte are .row in A and .col in B");
  MatrixFragment Fragment{L, {}, {}};
  accessesMatrix(L, IsLoad);
  bool Ignored;
  if (!memoryMods(Ignored))
    return false;
  I.Count = uint8_t(fragmentRegisters(L, true));
  if (!addressOperand(op(IsLoad ? 1 : 0), I.Count))
    return false;
  if (I.Where != Space::Generic && I.Where != Space::Global &&
      I.Where != Space::Shared)
    return fail("matrices are in global or shared memory");
  if (!fragment(op(IsLoad ? 0 : 1), I.Count, IsLoad, Fragment))
    return false;
  std::ranges::copy(Fragment.Rows, I.Ops);
  auto Move = std::make_shared<MatrixMove>(L, I.Imm);
  I.Imm = matrixToImm(Move.get());
  I.Target = 1; // An operand after the address.
  F.Matrices.push_back(std::move(Move));
  unsigned Packed = L.RowMajor ? L.columns() : L.rows();
  I.Ops[I.Count + 1] = State.Pool.word(Packed);
  if (numOps() == 3 && !source(op(2), ScalarType::B32, I.Ops[I.Count + 1]))
    return false;
  return handler(IsLoad ? "wmma.load" : "wmma.store");
}

/// ldmatrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16 r, [p] and stmatrix with
/// the same, [p], r. Ops: r0 …, address.
bool FunctionDecoder::matrixRows() {
  bool IsLoad = S->Opcode == "ldmatrix";
  unsigned Count = takeMod("x4") ? 4 : takeMod("x2") ? 2 : 1;
  if (!takeAligned() || (Count == 1 && !takeMod("x1")))
    return fail("matrices are moved by one, two or four: .x1, .x2, .x4");
  if (!takeMod("m8n8") || !takeMod("b16"))
    return fail("only 8 by 8 matrices of .b16 are moved");
  MatrixLayout L{MatrixPart::A, {8, 8, 8}, MatrixType::F16, false, true};
  bool Transposes = takeMod("trans");
  accessesMatrix(L, IsLoad);
  bool Ignored;
  if (!memoryMods(Ignored) || !expectOps(2, 2))
    return false;
  I.Count = uint8_t(Count);
  if (!addressOperand(op(IsLoad ? 1 : 0), Count))
    return false;
  if (I.Where != Space::Generic && I.Where != Space::Shared)
    return fail("such matrices are in shared memory");
  MatrixFragment Fragment{L, {}, {}};
  if (!fragment(op(IsLoad ? 0 : 1), Count, IsLoad, Fragment))
    return false;
  std::ranges::copy(Fragment.Rows, I.Ops);
  I.Round = 1; // Moves rows.
  return handler(std::string(S->Opcode) + (Transposes ? ".trans" : ""));
}

/// movmatrix.sync.aligned.m8n8.trans.b16 d, a
bool FunctionDecoder::transposeMatrix() {
  if (!takeAligned() || !expectOps(2, 2))
    return false;
  if (!takeMod("m8n8") || !takeMod("trans") || !takeMod("b16"))
    return fail("movmatrix is .m8n8.trans.b16");
  I.Op = OpClass::Shuffle;
  return handler("movmatrix") && source(op(1), ScalarType::B32, I.Ops[1]) &&
         dest(op(0), ScalarType::B32, I.Ops[0]);
}

} // namespace regshare::sim
