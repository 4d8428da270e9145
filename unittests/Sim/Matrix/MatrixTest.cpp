//===- MatrixTest.cpp - Products of matrices ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random matrices, dealt out to lanes by the formulas of the PTX ISA as they
/// stand there, against products that the host computes.
///
//===----------------------------------------------------------------------===//

#include "../SimTest.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>
#include <functional>
#include <random>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

namespace {

/// A number as its bits, and how many bits it has.
struct Format {
  const char *Name;
  unsigned Bits;
  double (*Value)(uint64_t Bits);
  uint64_t (*Random)(std::mt19937 &R);
};

double halfValue(uint64_t B) {
  int Exponent = int(B >> 10 & 31);
  double Fraction = double(B & 1023) / 1024;
  double Magnitude = Exponent ? std::ldexp(1 + Fraction, Exponent - 15)
                              : std::ldexp(Fraction, -14);
  return B >> 15 & 1 ? -Magnitude : Magnitude;
}
double floatValue(uint64_t B) {
  return double(std::bit_cast<float>(uint32_t(B)));
}
template <unsigned Bits> double signedValue(uint64_t B) {
  return double(int64_t(B << (64 - Bits)) >> (64 - Bits));
}
double plainValue(uint64_t B) { return double(B); }

/// Of exponents near 1, so that sums have something to round.
uint64_t randomFloat(std::mt19937 &R) {
  return (R() & 0x807FFFFF) | uint64_t(120 + R() % 14) << 23;
}
template <unsigned Bits> uint64_t randomBits(std::mt19937 &R) {
  return R() & ((uint64_t(1) << Bits) - 1);
}

const Format F16 = {"f16", 16, halfValue, [](std::mt19937 &R) {
                      return (R() & 0x83FFu) | uint64_t(9 + R() % 12) << 10;
                    }};
const Format BF16 = {"bf16", 16, [](uint64_t B) { return floatValue(B << 16); },
                     [](std::mt19937 &R) { return randomFloat(R) >> 16; }};
const Format TF32 = {"tf32", 32, floatValue, [](std::mt19937 &R) {
                       return randomFloat(R) & ~uint64_t(0x1FFF);
                     }};
const Format F32 = {"f32", 32, floatValue, randomFloat};
const Format F64 = {"f64", 64,
                    [](uint64_t B) { return std::bit_cast<double>(B); },
                    [](std::mt19937 &R) {
                      return std::bit_cast<uint64_t>(
                          double(int32_t(R())) / 65536 + double(R()) * 1e-15);
                    }};
const Format S32 = {"s32", 32, signedValue<32>, [](std::mt19937 &R) {
                      return uint64_t(uint32_t(int(R() % 20000) - 10000));
                    }};
const Format S8 = {"s8", 8, signedValue<8>, randomBits<8>};
const Format U8 = {"u8", 8, plainValue, randomBits<8>};
const Format S4 = {"s4", 4, signedValue<4>, randomBits<4>};
const Format U4 = {"u4", 4, plainValue, randomBits<4>};
const Format B1 = {"b1", 1, plainValue, randomBits<1>};

struct Place {
  unsigned Row, Column;
};
/// Of element \p I of lane \p L, with the PTX ISA's names.
using PlaceOf = std::function<Place(unsigned L, unsigned I)>;

struct Form {
  std::string Text; ///< After "mma.sync.aligned.".
  unsigned M, N, K;
  Format D, A, B, C;
  PlaceOf OfA, OfB, OfC;
  bool IsXor = false;
};

unsigned group(unsigned L) { return L >> 2; }
unsigned inGroup(unsigned L) { return L % 4; }

/// "c0, c1 of row groupID, c2, c3 of row groupID + 8".
Place ofAccumulator(unsigned L, unsigned I) {
  return {group(L) + (I < 2 ? 0 : 8), inGroup(L) * 2 + (I & 1)};
}

// m16n8k8 of 16 bits.
Place ofA8(unsigned L, unsigned I) {
  return {I < 2 ? group(L) : group(L) + 8, inGroup(L) * 2 + (I & 1)};
}
Place ofB8(unsigned L, unsigned I) { return {inGroup(L) * 2 + I, group(L)}; }
// m16n8k16 of 16 bits.
Place ofA16(unsigned L, unsigned I) {
  bool Upper = I < 2 || (I >= 4 && I < 6);
  return {Upper ? group(L) : group(L) + 8,
          inGroup(L) * 2 + (I & 1) + (I >= 4 ? 8 : 0)};
}
Place ofB16(unsigned L, unsigned I) {
  return {inGroup(L) * 2 + (I & 1) + (I >= 2 ? 8 : 0), group(L)};
}
// m16n8k4 and m16n8k8 of tf32, and of f64, whose m8n8k4 is the former's half.
Place ofA4(unsigned L, unsigned I) {
  return {I == 0 ? group(L) : group(L) + 8, inGroup(L)};
}
Place ofB4(unsigned L, unsigned) { return {inGroup(L), group(L)}; }
Place ofA8T(unsigned L, unsigned I) {
  return {I % 2 == 0 ? group(L) : group(L) + 8,
          I < 2 ? inGroup(L) : inGroup(L) + 4};
}
Place ofB8T(unsigned L, unsigned I) {
  return {I ? inGroup(L) + 4 : inGroup(L), group(L)};
}
// m8n8k16, m16n8k16 and m16n8k32 of bytes.
Place ofA16B(unsigned L, unsigned I) {
  return {I < 4 ? group(L) : group(L) + 8, inGroup(L) * 4 + (I & 3)};
}
Place ofB16B(unsigned L, unsigned I) { return {inGroup(L) * 4 + I, group(L)}; }
Place ofA32B(unsigned L, unsigned I) {
  bool Upper = I < 4 || (I >= 8 && I < 12);
  return {Upper ? group(L) : group(L) + 8,
          inGroup(L) * 4 + (I & 3) + (I < 8 ? 0 : 16)};
}
Place ofB32B(unsigned L, unsigned I) {
  return {inGroup(L) * 4 + (I & 3) + (I < 4 ? 0 : 16), group(L)};
}
// m8n8k32, m16n8k32 and m16n8k64 of four bits.
Place ofA32N(unsigned L, unsigned I) {
  return {I < 8 ? group(L) : group(L) + 8, inGroup(L) * 8 + (I & 7)};
}
Place ofB32N(unsigned L, unsigned I) { return {inGroup(L) * 8 + I, group(L)}; }
Place ofA64N(unsigned L, unsigned I) {
  bool Upper = I < 8 || (I >= 16 && I < 24);
  return {Upper ? group(L) : group(L) + 8,
          inGroup(L) * 8 + (I & 7) + (I < 16 ? 0 : 32)};
}
Place ofB64N(unsigned L, unsigned I) {
  return {inGroup(L) * 8 + (I & 7) + (I < 8 ? 0 : 32), group(L)};
}
// m8n8k128, m16n8k128 and m16n8k256 of bits.
Place ofA128(unsigned L, unsigned I) {
  return {I < 32 ? group(L) : group(L) + 8, inGroup(L) * 32 + (I & 31)};
}
Place ofB128(unsigned L, unsigned I) { return {inGroup(L) * 32 + I, group(L)}; }
Place ofA256(unsigned L, unsigned I) {
  bool Upper = I < 32 || (I >= 64 && I < 96);
  return {Upper ? group(L) : group(L) + 8,
          inGroup(L) * 32 + (I & 31) + (I < 64 ? 0 : 128)};
}
Place ofB256(unsigned L, unsigned I) {
  return {inGroup(L) * 32 + (I & 31) + (I < 32 ? 0 : 128), group(L)};
}
std::vector<Form> floatForms() {
  return {
      {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, F32, F16, F16, F32, ofA8,
       ofB8, ofAccumulator},
      {"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 8, F16, F16, F16, F16, ofA8,
       ofB8, ofAccumulator},
      {"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, F32, F16, F16, F32, ofA16,
       ofB16, ofAccumulator},
      {"m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, F16, F16, F16, F16, ofA16,
       ofB16, ofAccumulator},
      {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 8, F32, BF16, BF16, F32,
       ofA8, ofB8, ofAccumulator},
      {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, F32, BF16, BF16, F32,
       ofA16, ofB16, ofAccumulator},
      {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, F32, TF32, TF32, F32,
       ofA4, ofB4, ofAccumulator},
      {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, F32, TF32, TF32, F32,
       ofA8T, ofB8T, ofAccumulator},
      {"m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, F64, F64, F64, F64, ofA4,
       ofB4, ofAccumulator},
      {"m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, F64, F64, F64, F64, ofA4,
       ofB4, ofAccumulator},
      {"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, 8, F64, F64, F64, F64, ofA8T,
       ofB8T, ofAccumulator},
  };
}

std::vector<Form> integerForms() {
  std::vector<Form> All = {
      {"m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, S32, S8, S8, S32, ofA16B,
       ofB16B, ofAccumulator},
      {"m16n8k16.row.col.s32.u8.s8.s32", 16, 8, 16, S32, U8, S8, S32, ofA16B,
       ofB16B, ofAccumulator},
      {"m16n8k32.row.col.s32.s8.u8.s32", 16, 8, 32, S32, S8, U8, S32, ofA32B,
       ofB32B, ofAccumulator},
      {"m8n8k32.row.col.s32.s4.u4.s32", 8, 8, 32, S32, S4, U4, S32, ofA32N,
       ofB32N, ofAccumulator},
      {"m16n8k32.row.col.s32.u4.s4.s32", 16, 8, 32, S32, U4, S4, S32, ofA32N,
       ofB32N, ofAccumulator},
      {"m16n8k64.row.col.s32.s4.s4.s32", 16, 8, 64, S32, S4, S4, S32, ofA64N,
       ofB64N, ofAccumulator},
      {"m8n8k128.row.col.s32.b1.b1.s32.and.popc", 8, 8, 128, S32, B1, B1, S32,
       ofA128, ofB128, ofAccumulator},
      {"m16n8k128.row.col.s32.b1.b1.s32.and.popc", 16, 8, 128, S32, B1, B1, S32,
       ofA128, ofB128, ofAccumulator},
      {"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 8, 256, S32, B1, B1, S32,
       ofA256, ofB256, ofAccumulator},
  };
  All.back().IsXor = true;
  return All;
}

std::vector<Form> forms() {
  std::vector<Form> All = floatForms();
  for (Form &Each : integerForms())
    All.push_back(std::move(Each));
  return All;
}

/// Rows of numbers as bits.
struct Matrix {
  unsigned Columns;
  std::vector<uint64_t> Bits;
  uint64_t &at(unsigned R, unsigned C) { return Bits[R * Columns + C]; }
};

Matrix randomMatrix(unsigned Rows, unsigned Columns, const Format &F,
                    std::mt19937 &R) {
  Matrix M{Columns, {}};
  for (unsigned N = 0; N != Rows * Columns; ++N)
    M.Bits.push_back(F.Random(R));
  return M;
}

unsigned wordsOf(unsigned Elements, const Format &F) {
  return Elements * F.Bits / 32;
}

/// The registers of all lanes: word after word, each of 32 lanes.
std::vector<uint32_t> deal(Matrix &M, unsigned Elements, const Format &F,
                           const PlaceOf &Of) {
  std::vector<uint32_t> Words(wordsOf(Elements, F) * 32);
  for (unsigned L = 0; L != 32; ++L)
    for (unsigned I = 0; I != Elements; ++I) {
      Place P = Of(L, I);
      uint64_t Bits = M.at(P.Row, P.Column);
      unsigned At = I * F.Bits;
      Words[At / 32 * 32 + L] |= uint32_t(Bits << At % 32);
      if (F.Bits == 64)
        Words[(At / 32 + 1) * 32 + L] = uint32_t(Bits >> 32);
    }
  return Words;
}

/// D as the rules have it.
double expected(const Form &F, Matrix &A, Matrix &B, Matrix &C, unsigned Row,
                unsigned Column) {
  double Start = F.C.Value(C.at(Row, Column)), Sum = 0;
  bool Fuses = F.A.Bits == 64;
  for (unsigned K = 0; K != F.K; ++K) {
    double X = F.A.Value(A.at(Row, K)), Y = F.B.Value(B.at(K, Column));
    if (Fuses)
      Start = std::fma(X, Y, Start);
    else
      Sum += F.IsXor ? double(X != Y) : X * Y;
  }
  return Fuses ? Start : Start + Sum;
}

/// Loads of \p Count registers named \p Name from the words at \p Address.
std::string loads(const char *Name, unsigned Words, bool Wide,
                  const std::string &Address) {
  std::string Text;
  for (unsigned W = 0; W != Words; ++W)
    Text += "ld.global.b32 %t" + std::to_string(W % 2) + ", [" + Address + "+" +
            std::to_string(W * 128) + "];\n" +
            (!Wide   ? "mov.b32 %" + std::string(Name) + std::to_string(W) +
                           ", %t" + std::to_string(W % 2) + ";\n"
             : W % 2 ? "mov.b64 %" + std::string(Name) + std::to_string(W / 2) +
                           ", {%t0, %t1};\n"
                     : "");
  return Text;
}

std::string list(const char *Name, unsigned Count) {
  std::string Text;
  for (unsigned N = 0; N != Count; ++N)
    Text += (N ? ", %" : "%") + std::string(Name) + std::to_string(N);
  return "{" + Text + "}";
}

/// One warp: A, B, C at the parameters, D at the last.
std::string kernelOf(const Form &F) {
  unsigned WA = wordsOf(F.M * F.K / 32, F.A), WB = wordsOf(F.K * F.N / 32, F.B);
  unsigned WC = wordsOf(F.M * F.N / 32, F.C), WD = wordsOf(F.M * F.N / 32, F.D);
  bool Wide = F.A.Bits == 64;
  unsigned Per = Wide ? 2 : 1;
  std::string Type = Wide ? ".b64" : ".b32";
  std::string Text =
      std::string(Header) +
      ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, "
      ".param .u64 pd)\n{\n.reg .b32 %t<4>;\n.reg .b64 %p<6>;\n.reg " +
      Type + " %a<16>;\n.reg " + Type + " %b<16>;\n.reg " + Type +
      " %c<16>;\n.reg " + Type +
      " %d<16>;\nmov.u32 %t2, %tid.x;\n"
      "mul.wide.u32 %p5, %t2, 4;\n";
  for (unsigned N = 0; N != 4; ++N)
    Text += "ld.param.u64 %p" + std::to_string(N) + ", [p" +
            std::string(1, char('a' + N)) + "];\nadd.s64 %p" +
            std::to_string(N) + ", %p" + std::to_string(N) + ", %p5;\n";
  Text += loads("a", WA, Wide, "%p0") + loads("b", WB, Wide, "%p1") +
          loads("c", WC, Wide, "%p2");
  Text += "mma.sync.aligned." + F.Text + " " + list("d", WD / Per) + ", " +
          list("a", WA / Per) + ", " + list("b", WB / Per) + ", " +
          list("c", WC / Per) + ";\n";
  for (unsigned W = 0; W != WD; ++W) {
    std::string D = "%d" + std::to_string(W / Per), To = D;
    if (Wide) {
      Text += "mov.b64 {%t0, %t1}, " + D + ";\n";
      To = W % 2 ? "%t1" : "%t0";
    }
    Text +=
        "st.global.b32 [%p3+" + std::to_string(W * 128) + "], " + To + ";\n";
  }
  return Text + "ret;\n}\n";
}

/// The bits of \p Value, rounded once.
uint64_t rounded(double Value, const Format &F) {
  if (F.Bits == 64)
    return std::bit_cast<uint64_t>(Value);
  if (F.Name == std::string("s32"))
    return uint32_t(int64_t(Value));
  if (F.Name == std::string("f32"))
    return std::bit_cast<uint32_t>(float(Value));
  return std::bit_cast<uint16_t>(_Float16(Value));
}

TEST(Matrix, ProductsOfAllForms) {
  std::mt19937 R(20);
  for (const Form &F : forms()) {
    SCOPED_TRACE(F.Text);
    TestProgram P(kernelOf(F));
    ASSERT_TRUE(P.P) << P.Error << kernelOf(F);
    for (unsigned Time = 0; Time != 4; ++Time) {
      Matrix A = randomMatrix(F.M, F.K, F.A, R);
      Matrix B = randomMatrix(F.K, F.N, F.B, R);
      Matrix C = randomMatrix(F.M, F.N, F.C, R);
      unsigned Elements = F.M * F.N / 32;
      unsigned Words = wordsOf(Elements, F.D) * 32;
      uint64_t To = P.Memory.allocate(Words * 4);
      ASSERT_TRUE(P.run("k", {1}, {32},
                        {P.upload(deal(A, F.M * F.K / 32, F.A, F.OfA)),
                         P.upload(deal(B, F.K * F.N / 32, F.B, F.OfB)),
                         P.upload(deal(C, Elements, F.C, F.OfC)), To}))
          << P.Error;
      Matrix D{F.N, std::vector<uint64_t>(F.M * F.N)};
      for (unsigned Row = 0; Row != F.M; ++Row)
        for (unsigned Column = 0; Column != F.N; ++Column)
          D.at(Row, Column) = rounded(expected(F, A, B, C, Row, Column), F.D);
      EXPECT_EQ(P.download<uint32_t>(To, Words), deal(D, Elements, F.D, F.OfC));
    }
  }
}

/// Four products of quad pairs: lanes 0 to 3 and 16 to 19 have the first.
TEST(Matrix, ProductsOfQuadPairs) {
  for (bool RowA : {true, false})
    for (bool RowB : {true, false}) {
      std::string Orders =
          std::string(RowA ? "row" : "col") + "." + (RowB ? "row" : "col");
      SCOPED_TRACE(Orders);
      Form F{"m8n8k4." + Orders + ".f32.f16.f16.f32",
             8,
             8,
             4,
             F32,
             F16,
             F16,
             F32,
             {},
             {},
             {}};
      // 2, 2, 8 and 8 registers.
      std::string Text =
          std::string(Header) +
          ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, "
          ".param .u64 pd)\n{\n.reg .b32 %t<4>;\n.reg .b64 %p<6>;\n"
          ".reg .b32 %a<4>;\n.reg .b32 %b<4>;\n.reg .b32 %c<8>;\n"
          ".reg .b32 %d<8>;\nmov.u32 %t2, %tid.x;\nmul.wide.u32 %p5, %t2, 4;\n";
      for (unsigned N = 0; N != 4; ++N)
        Text += "ld.param.u64 %p" + std::to_string(N) + ", [p" +
                std::string(1, char('a' + N)) + "];\nadd.s64 %p" +
                std::to_string(N) + ", %p" + std::to_string(N) + ", %p5;\n";
      Text += loads("a", 2, false, "%p0") + loads("b", 2, false, "%p1") +
              loads("c", 8, false, "%p2") + "mma.sync.aligned." + F.Text + " " +
              list("d", 8) + ", " + list("a", 2) + ", " + list("b", 2) + ", " +
              list("c", 8) + ";\n";
      for (unsigned W = 0; W != 8; ++W)
        Text += "st.global.b32 [%p3+" + std::to_string(W * 128) + "], %d" +
                std::to_string(W) + ";\n";
      Text += "ret;\n}\n";
      TestProgram P(Text);
      ASSERT_TRUE(P.P) << P.Error;
      std::mt19937 R(7);
      std::vector<uint32_t> A(2 * 32), B(2 * 32), C(8 * 32), Want(8 * 32);
      Matrix MA[4], MB[4], MC[4];
      for (unsigned Q = 0; Q != 4; ++Q) {
        MA[Q] = randomMatrix(8, 4, F16, R);
        MB[Q] = randomMatrix(4, 8, F16, R);
        MC[Q] = randomMatrix(8, 8, F32, R);
      }
      for (unsigned L = 0; L != 32; ++L) {
        unsigned Q = L % 16 / 4, Upper = L < 16 ? 0 : 4;
        for (unsigned I = 0; I != 4; ++I) {
          uint64_t X = RowA ? MA[Q].at(L % 4 + Upper, I)
                            : MA[Q].at(I % 4 + Upper, L % 4);
          uint64_t Y =
              RowB ? MB[Q].at(L % 4, I + Upper) : MB[Q].at(I, L % 4 + Upper);
          A[I / 2 * 32 + L] |= uint32_t(X << 16 * (I % 2));
          B[I / 2 * 32 + L] |= uint32_t(Y << 16 * (I % 2));
        }
        for (unsigned I = 0; I != 8; ++I) {
          unsigned X = (L & 1) + (I & 2);
          unsigned Row = L < 16 ? X : X + 4;
          unsigned Column = (I & 4) + (L & 2) + (I & 1);
          C[I * 32 + L] = uint32_t(MC[Q].at(Row, Column));
          Want[I * 32 + L] = uint32_t(
              rounded(expected(F, MA[Q], MB[Q], MC[Q], Row, Column), F32));
        }
      }
      uint64_t To = P.Memory.allocate(8 * 128);
      ASSERT_TRUE(
          P.run("k", {1}, {32}, {P.upload(A), P.upload(B), P.upload(C), To}))
          << P.Error;
      EXPECT_EQ(P.download<uint32_t>(To, 8 * 32), Want);
    }
}

/// ldmatrix reads rows of 16 bytes, whose addresses the lanes have.
std::vector<uint32_t> runRows(const std::string &Body) {
  return runWords("mov.u32 %r10, tile;\nmul.lo.u32 %r11, %r1, 16;\n"
                  "add.u32 %r12, %r10, %r11;\n"
                  // Half N of the tile is N.
                  "mul.lo.u32 %r13, %r1, 8;\n"
                  "mov.u32 %r14, 0;\nL:\nadd.u32 %r15, %r13, %r14;\n"
                  "cvt.u16.u32 %rs1, %r15;\nmul.lo.u32 %r16, %r14, 2;\n"
                  "add.u32 %r17, %r12, %r16;\nst.shared.u16 [%r17], %rs1;\n"
                  "add.u32 %r14, %r14, 1;\nsetp.lt.u32 %p1, %r14, 8;\n"
                  "@%p1 bra L;\nbar.sync 0;\n" +
                      Body + "\nst.global.u32 [%rd2], %r2;",
                  32, ".shared .align 16 .b8 tile[512];\n");
}

TEST(Matrix, Rows) {
  std::vector<uint32_t> Got = runRows(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r2, %r5}, [%r12];");
  std::vector<uint32_t> Across = runRows("ldmatrix.sync.aligned.m8n8.x2.trans."
                                         "shared.b16 {%r3, %r2}, [%r12];");
  std::vector<uint32_t> Moved =
      runRows("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r12];\n"
              "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r3;");
  std::vector<uint32_t> InPlace =
      runRows("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r12];\n"
              "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r2;");
  for (unsigned L = 0; L != 32; ++L) {
    unsigned Row = L / 4, Column = L % 4 * 2;
    uint32_t Half = 128 + Row * 8 + Column;
    EXPECT_EQ(Got[L], Half | (Half + 1) << 16) << L;
    Half = 64 + Column * 8 + Row;
    EXPECT_EQ(Across[L], Half | (Half + 8) << 16) << L;
    EXPECT_EQ(Moved[L], (Half - 64) | (Half - 56) << 16) << L;
    EXPECT_EQ(InPlace[L], Moved[L]) << L;
  }
}

TEST(Matrix, StoredRowsAreThoseLoaded) {
  std::vector<uint32_t> Got = runRows(
      "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r3, %r4}, [%r12];\n"
      "bar.sync 0;\n"
      "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r12], {%r4, %r3};\n"
      "bar.sync 0;\nld.shared.u32 %r2, [%r12];");
  // The matrices have changed places.
  for (unsigned L = 0; L != 16; ++L) {
    uint32_t Half = (L ^ 8) * 8;
    EXPECT_EQ(Got[L], Half | (Half + 1) << 16) << L;
  }
}

TEST(Matrix, ErrorsNameWhatIsWrong) {
  auto Error = [](const std::string &Body) {
    return runError(Body, 32, ".shared .align 16 .b8 tile[512];\n");
  };
  EXPECT_THAT(Error("mma.sync.aligned.m16n8k9.row.col.f32.f16.f16.f32 {%r2, "
                    "%r3, %r4, %r5}, {%r2, %r3}, {%r2}, {%r2, %r3, %r4, %r5};"),
              HasSubstr("no such shape for these types"));
  EXPECT_THAT(Error("mma.sync.aligned.m16n8k8.col.col.f32.f16.f16.f32 {%r2, "
                    "%r3, %r4, %r5}, {%r2, %r3}, {%r2}, {%r2, %r3, %r4, %r5};"),
              HasSubstr("is .row.col"));
  EXPECT_THAT(Error("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r2, "
                    "%r3, %r4}, {%r2, %r3}, {%r2}, {%r2, %r3, %r4, %r5};"),
              HasSubstr("a fragment has 4 registers, 3 are given"));
  EXPECT_THAT(Error("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                    "{%r2}, {%r2}, {%r2}, {%r2}, %r3, 0;"),
              HasSubstr("sparse matrices are not supported"));
  EXPECT_THAT(Error("wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r2}, [%rd1];"),
              HasSubstr("elements of less than a byte"));
  EXPECT_THAT(Error("mov.u32 %r2, tile;\nadd.u32 %r2, %r2, 4;\n"
                    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];"),
              HasSubstr("misaligned read of 16 bytes"));
  EXPECT_THAT(Error("add.s64 %rd3, %rd1, 128;\nwmma.load.c.sync.aligned.row."
                    "m8n8k4.global.f64 {%rd4, %rd5}, [%rd3];"),
              HasSubstr("out-of-bounds read of 8 bytes"));
  // Half of the warp does not come.
  EXPECT_THAT(Error("setp.lt.u32 %p1, %r1, 16;\n@!%p1 bra END;\n"
                    "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\nEND:\n"
                    "st.global.u32 [%rd2], %r1;"),
              HasSubstr("they wait elsewhere"));
}

} // namespace
