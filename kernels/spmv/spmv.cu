//===- spmv.cu - Sparse matrix times vector -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The product of a sparse matrix and a vector. The matrix is in jagged
/// diagonals: rows sorted by length, a warp's rows filled up to the longest of
/// them, and then the first entry of every row, the second, and so on. A thread
/// takes a row.
///
/// usage: spmv [ROWS [LENGTH]]    (mean number of entries in a row)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <numeric>
#include <utility>

static constexpr int Threads = 128, WarpSize = 32;
static constexpr int MaxWarps = 8192, MaxLength = 128;

/// How many entries the rows of a warp have, and where a diagonal begins.
__constant__ int WarpLengths[MaxWarps];
__constant__ int Diagonals[MaxLength];

__global__ void spmvKernel(const float *Entries, const int *Columns,
                           const int *Permutation, const float *Vector,
                           float *Product, int Rows) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  int Length = WarpLengths[Row / WarpSize];
  float Sum = 0.0f;
  for (int I = 0; I < Length; ++I) {
    int At = Diagonals[I] + Row;
    Sum += Entries[At] * Vector[Columns[At]];
  }
  Product[Permutation[Row]] = Sum;
}

struct Entry {
  int Column;
  float Value;
};

using Matrix = std::vector<std::vector<Entry>>;

/// Some rows are several times as long as the mean, most are shorter.
static Matrix makeMatrix(Random &R, int Rows, int Mean) {
  Matrix Made(Rows);
  for (auto &Row : Made) {
    int Length = (int)R.below(2 * Mean) * (int)R.below(2 * Mean) / Mean;
    for (int I = 0; I < std::min(Length, MaxLength); ++I)
      Row.push_back({(int)R.below(Rows), R.uniform(-1.0f, 1.0f)});
  }
  return Made;
}

/// A matrix in jagged diagonals.
struct Jagged {
  std::vector<float> Entries;
  std::vector<int> Columns, Permutation, WarpLengths, Diagonals;

  explicit Jagged(const Matrix &M) : Permutation(M.size()) {
    std::iota(Permutation.begin(), Permutation.end(), 0);
    std::sort(Permutation.begin(), Permutation.end(), [&](int A, int B) {
      return std::make_pair(M[B].size(), A) < std::make_pair(M[A].size(), B);
    });
    int Rows = (int)M.size();
    // The first row of a warp is its longest.
    for (int Row = 0; Row < Rows; Row += WarpSize)
      WarpLengths.push_back((int)M[Permutation[Row]].size());
    for (int I = 0; I < WarpLengths[0]; ++I) {
      Diagonals.push_back((int)Entries.size());
      for (int Row = 0; Row < Rows && WarpLengths[Row / WarpSize] > I; ++Row) {
        const auto &Source = M[Permutation[Row]];
        bool Filling = I >= (int)Source.size();
        Entries.push_back(Filling ? 0.0f : Source[I].Value);
        Columns.push_back(Filling ? 0 : Source[I].Column);
      }
    }
  }
};

int main(int ArgC, char **ArgV) {
  int Rows = sizeArgument(ArgC, ArgV, 1, "ROWS", 6000, 1, MaxWarps * WarpSize);
  int Mean = sizeArgument(ArgC, ArgV, 2, "LENGTH", 12, 1, MaxLength);
  Random R(28);
  Matrix M = makeMatrix(R, Rows, Mean);
  if (M[0].empty())
    M[0].push_back({0, 1.0f}); // not an empty matrix
  Jagged J(M);
  std::vector<float> Vector(Rows);
  for (float &V : Vector)
    V = R.uniform(-1.0f, 1.0f);

  CHECK_CUDA(cudaMemcpyToSymbol(WarpLengths, J.WarpLengths.data(),
                                J.WarpLengths.size() * sizeof(int)));
  CHECK_CUDA(cudaMemcpyToSymbol(Diagonals, J.Diagonals.data(),
                                J.Diagonals.size() * sizeof(int)));
  DeviceArray<float> Entries(J.Entries), DeviceVector(Vector), Product(Rows);
  DeviceArray<int> Columns(J.Columns), Permutation(J.Permutation);
  spmvKernel<<<divideUp(Rows, Threads), Threads>>>(
      Entries.get(), Columns.get(), Permutation.get(), DeviceVector.get(),
      Product.get(), Rows);
  finishKernels();

  Verifier V(1e-4, 1e-5);
  std::vector<float> Got = Product.toHost();
  for (int Row = 0; Row < Rows; ++Row) {
    double Sum = 0.0;
    for (const Entry &E : M[Row])
      Sum += (double)E.Value * Vector[E.Column];
    V.compare("product", Row, Got[Row], Sum);
  }
  return V.report();
}
