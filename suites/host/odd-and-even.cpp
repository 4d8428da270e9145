//===- odd-and-even.cpp - What binaryPartitionCG should print -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts and sums the odd and the even ones among the numbers that the sample
/// draws from the C library.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>

int main() {
  const int Size = 1024 * 100;
  int Odds = 0, Sums[2] = {};
  for (int I = 0; I != Size; ++I) {
    int Value = std::rand() % 50;
    Odds += Value % 2;
    Sums[Value % 2] += Value;
  }
  std::printf("Array size = %d Num of Odds = %d Sum of Odds = %d Sum of Evens "
              "%d\n",
              Size, Odds, Sums[1], Sums[0]);
}
