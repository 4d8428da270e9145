//===- PercentSignsTest.cpp - Tests of registers in inline PTX ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/LaunchSyntax.h"

#include "gtest/gtest.h"

#include <random>

using namespace regshare;

namespace {

struct Piece {
  const char *Source, *Doubled; ///< Doubled is null where nothing changes.
};

const Piece Pieces[] = {
    {R"y(asm("mov.u32 %0, %laneid;" : "=r"(x));)y",
     R"y(asm("mov.u32 %0, %%laneid;" : "=r"(x));)y"},
    {R"y(asm volatile ( "mov.u32 %0, %tid.x;" "add.u32 %0, %0, %ntid.y;" : "=r"(x)))y",
     R"y(asm volatile ( "mov.u32 %0, %%tid.x;" "add.u32 %0, %0, %%ntid.y;" : "=r"(x)))y"},
    {R"y(__asm__ __volatile__( // %smid
    "mov.u32 %0, %smid;" /* "%no" */ : "=r"(x) :: "memory"))y",
     R"y(__asm__ __volatile__( // %smid
    "mov.u32 %0, %%smid;" /* "%no" */ : "=r"(x) :: "memory"))y"},
    {R"y(asm(R"(mov.u64 %0, %clock64;)" : "=l"(t));)y",
     R"y(asm(R"(mov.u64 %0, %%clock64;)" : "=l"(t));)y"},
    {R"y(asm("mov.u32 %0, %_own;" :: "r"(x));)y",
     R"y(asm("mov.u32 %0, %%_own;" :: "r"(x));)y"},
    {R"y(asm("mov.u32 %0, %%laneid; mov.u32 %1, %pm0;" : "=r"(x), "=r"(y));)y",
     R"y(asm("mov.u32 %0, %%laneid; mov.u32 %1, %%pm0;" : "=r"(x), "=r"(y));)y"},
    // Without operands a sign is a sign.
    {R"y(asm("bar.sync %laneid;");)y", nullptr},
    {R"y(asm volatile("mov.u32 r, %laneid;"); y ? "a : %bc" : "d";)y", nullptr},
    // Modifiers of the host's, and operands with names.
    {R"y(asm("mov %k0, %w1; add %[sum], %c[one]" : "=r"(x));)y", nullptr},
    {R"y(asm("%%eax %%%%ebx %=" ::: "cc");)y", nullptr},
    // What is no asm, or none any more.
    {R"y(printf("%laneid %s %lld", a ? b : c);)y", nullptr},
    {R"y(// asm("%laneid" : "=r"(x));
)y",
     nullptr},
    {R"y(s = "asm(\"%laneid\" : )";)y", nullptr},
    {R"y(myasm("%laneid" : x);)y", nullptr},
    {R"y(int asm_(int), plasm(0), asms("%la" : 1);)y", nullptr},
    {R"y(register int r asm("%laneid");)y", nullptr},
    {R"y(asm)y", nullptr},
    {R"y(asm volatile("%laneid")y", nullptr},
    {R"y(x = 5;)y", nullptr},
};

std::string made(const std::string &Source) {
  return doublePercentSigns(Source).value_or("unchanged");
}

TEST(PercentSigns, NamesOfRegistersHaveTwo) {
  for (const Piece &P : Pieces)
    EXPECT_EQ(made(P.Source), P.Doubled ? P.Doubled : "unchanged") << P.Source;
}

/// Pieces do not touch each other, and a second time changes nothing.
TEST(PercentSigns, ManyInOneSource) {
  std::mt19937 Random(1);
  for (unsigned Case = 0; Case != 500; ++Case) {
    std::string Source, Expected;
    for (unsigned N = Random() % 12; N; --N) {
      const Piece &P = Pieces[Random() % std::size(Pieces)];
      if (std::string(P.Source).ends_with("laneid\""))
        continue; // what follows would be its operands
      Source += P.Source;
      Expected += P.Doubled ? P.Doubled : P.Source;
      const char *Between = Random() % 2 ? ";\n" : "\n}; ";
      Source += Between;
      Expected += Between;
    }
    EXPECT_EQ(made(Source), Source == Expected ? "unchanged" : Expected);
    EXPECT_EQ(made(Expected), "unchanged");
  }
}

/// Any part of a source is gone over to its end.
TEST(PercentSigns, PartsOfSources) {
  for (const Piece &P : Pieces)
    for (size_t Size = 0; Size != std::string(P.Source).size(); ++Size) {
      std::string Part(P.Source, Size);
      std::string Made = doublePercentSigns(Part).value_or(Part);
      EXPECT_GE(Made.size(), Part.size());
    }
}

} // namespace
