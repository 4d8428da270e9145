//===- nw.cu - Global alignment of two sequences -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Needleman and Wunsch's alignment scores. Blocks on one antidiagonal are
/// independent, so there is a launch for each antidiagonal of blocks; within a
/// block the threads sweep its antidiagonals in shared memory.
///
/// usage: nw [LENGTH [PENALTY]]    (LENGTH is a multiple of 16)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int Tile = 16;
static constexpr int Alphabet = 24;

/// Scores and Similarity have Stride columns and rows; row and column 0 hold
/// the scores of gaps alone.
__global__ void alignKernel(int *Scores, const int *Similarity, int Stride,
                            int Penalty, int Diagonal, int FirstBlock) {
  __shared__ int Score[Tile + 1][Tile + 1];
  __shared__ int Similar[Tile][Tile];
  int T = threadIdx.x;
  int BlockX = FirstBlock + blockIdx.x, BlockY = Diagonal - BlockX;
  int Corner = BlockY * Tile * Stride + BlockX * Tile;

  for (int Row = 0; Row < Tile; ++Row)
    Similar[Row][T] = Similarity[Corner + (Row + 1) * Stride + T + 1];
  if (T == 0)
    Score[0][0] = Scores[Corner];
  Score[T + 1][0] = Scores[Corner + (T + 1) * Stride];
  Score[0][T + 1] = Scores[Corner + T + 1];
  __syncthreads();

  for (int Step = 0; Step < 2 * Tile - 1; ++Step) {
    int X = T + 1, Y = Step - T + 1;
    if (Y >= 1 && Y <= Tile) {
      int Match = Score[Y - 1][X - 1] + Similar[Y - 1][X - 1];
      int Gap = max(Score[Y][X - 1], Score[Y - 1][X]) - Penalty;
      Score[Y][X] = max(Match, Gap);
    }
    __syncthreads();
  }
  for (int Row = 1; Row <= Tile; ++Row)
    Scores[Corner + Row * Stride + T + 1] = Score[Row][T + 1];
}

int main(int ArgC, char **ArgV) {
  int Length = sizeArgument(ArgC, ArgV, 1, "LENGTH", 256, Tile, 16384);
  int Penalty = sizeArgument(ArgC, ArgV, 2, "PENALTY", 10, 0, 1000);
  if (Length % Tile != 0) {
    std::fprintf(stderr, "LENGTH must be a multiple of %d\n", Tile);
    return 1;
  }
  Random R(9);
  int Substitution[Alphabet][Alphabet];
  for (int I = 0; I < Alphabet; ++I)
    for (int J = 0; J <= I; ++J)
      Substitution[I][J] = Substitution[J][I] =
          I == J ? 4 + (int)R.below(8) : (int)R.below(8) - 5;
  int Stride = Length + 1;
  std::vector<int> A(Stride), B(Stride), Similarity(Stride * Stride),
      Scores(Stride * Stride);
  for (int I = 1; I <= Length; ++I) {
    A[I] = (int)R.below(Alphabet);
    B[I] = (int)R.below(Alphabet);
    Scores[I] = Scores[I * Stride] = -I * Penalty;
  }
  for (int Y = 1; Y <= Length; ++Y)
    for (int X = 1; X <= Length; ++X)
      Similarity[Y * Stride + X] = Substitution[A[Y]][B[X]];

  DeviceArray<int> DeviceScores(Scores), DeviceSimilarity(Similarity);
  int Blocks = Length / Tile;
  for (int Diagonal = 0; Diagonal < 2 * Blocks - 1; ++Diagonal) {
    int First = std::max(0, Diagonal - Blocks + 1);
    int Last = std::min(Diagonal, Blocks - 1);
    alignKernel<<<Last - First + 1, Tile>>>(DeviceScores.get(),
                                            DeviceSimilarity.get(), Stride,
                                            Penalty, Diagonal, First);
  }
  finishKernels();

  for (int Y = 1; Y <= Length; ++Y)
    for (int X = 1; X <= Length; ++X) {
      int *Here = &Scores[Y * Stride + X];
      *Here = std::max(Here[-Stride - 1] + Similarity[Y * Stride + X],
                       std::max(Here[-1], Here[-Stride]) - Penalty);
    }
  Verifier V;
  V.compareAll("score", DeviceScores.toHost(), Scores);
  return V.report();
}
