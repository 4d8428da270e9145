//===- nn.cu - Recognition of handwritten digits -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A small neural network that tells which digit an image shows: two layers of
/// convolutions, each of which halves the image, and two that are fully
/// connected. A CTA makes one map of one image; in the last two, one value.
///
/// usage: nn [IMAGES]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int Side = 29, Taps = 5, Window = Taps * Taps;
static constexpr int FirstMaps = 6, FirstSide = 13;
static constexpr int SecondMaps = 50, SecondSide = 5;
static constexpr int Hidden = 40, Digits = 10;
static constexpr int FirstSize = FirstMaps * FirstSide * FirstSide;
static constexpr int SecondSize = SecondMaps * SecondSide * SecondSide;

__device__ inline float activation(float X) {
  return 1.7159f * tanhf(0.66666667f * X);
}

/// Weights begin with that of a map's or value's bias, in all layers.
__global__ void executeFirstLayer(const float *Images, const float *Weights,
                                  float *First) {
  int Map = blockIdx.x, X = threadIdx.x, Y = threadIdx.y;
  const float *Image = Images + blockIdx.y * Side * Side;
  const float *W = Weights + Map * (1 + Window);
  float Sum = W[0];
  for (int I = 0; I < Window; ++I)
    Sum += W[1 + I] * Image[(2 * Y + I / Taps) * Side + 2 * X + I % Taps];
  First[blockIdx.y * FirstSize + (Map * FirstSide + Y) * FirstSide + X] =
      activation(Sum);
}

__global__ void executeSecondLayer(const float *First, const float *Weights,
                                   float *Second) {
  int Map = blockIdx.x, X = threadIdx.x, Y = threadIdx.y;
  const float *W = Weights + Map * (1 + FirstMaps * Window);
  float Sum = W[0];
#pragma unroll
  for (int I = 0; I < Window; ++I) {
    const float *From = First + blockIdx.y * FirstSize +
                        (2 * Y + I / Taps) * FirstSide + 2 * X + I % Taps;
#pragma unroll
    for (int M = 0; M < FirstMaps; ++M)
      Sum += W[1 + M * Window + I] * From[M * FirstSide * FirstSide];
  }
  Second[blockIdx.y * SecondSize + (Map * SecondSide + Y) * SecondSide + X] =
      activation(Sum);
}

/// One thread alone makes a value, as in the program that made NN known.
__device__ inline float connected(const float *Inputs, const float *W,
                                  int Count) {
  float Sum = W[0];
  for (int I = 0; I < Count; ++I)
    Sum += W[1 + I] * Inputs[I];
  return activation(Sum);
}

__global__ void executeThirdLayer(const float *Second, const float *Weights,
                                  float *Third) {
  Third[blockIdx.y * Hidden + blockIdx.x] =
      connected(Second + blockIdx.y * SecondSize,
                Weights + blockIdx.x * (1 + SecondSize), SecondSize);
}

__global__ void executeFourthLayer(const float *Third, const float *Weights,
                                   float *Fourth) {
  Fourth[blockIdx.y * Digits + blockIdx.x] = connected(
      Third + blockIdx.y * Hidden, Weights + blockIdx.x * (1 + Hidden), Hidden);
}

/// Weights of \p Count sums over \p Inputs values each.
static std::vector<float> randomWeights(Random &R, int Count, int Inputs) {
  std::vector<float> Weights(Count * (1 + Inputs));
  float Size = std::sqrt(3.0f / (float)Inputs);
  for (float &W : Weights)
    W = R.uniform(-Size, Size);
  return Weights;
}

static double hostActivation(double X) {
  return 1.7159 * std::tanh(0.66666667 * X);
}

/// A layer of convolutions, or with InSide 1 a fully connected one.
static std::vector<double> hostLayer(const std::vector<double> &From,
                                     const std::vector<float> &Weights,
                                     int InMaps, int InSide, int OutMaps,
                                     int OutSide) {
  int Width = InSide == 1 ? 1 : Taps, Inputs = InMaps * Width * Width;
  std::vector<double> Made;
  for (int Map = 0; Map < OutMaps; ++Map)
    for (int At = 0; At < OutSide * OutSide; ++At) {
      const float *W = &Weights[Map * (1 + Inputs)];
      double Sum = *W++;
      for (int M = 0; M < InMaps; ++M)
        for (int I = 0; I < Width * Width; ++I) {
          int X = 2 * (At % OutSide) + I % Width;
          int Y = 2 * (At / OutSide) + I / Width;
          Sum += *W++ * From[(M * InSide + Y) * InSide + X];
        }
      Made.push_back(hostActivation(Sum));
    }
  return Made;
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "IMAGES", 1, 1, 4096);
  Random R(21);
  std::vector<float> Images((size_t)Count * Side * Side);
  for (float &Pixel : Images)
    Pixel = R.uniform(-1.0f, 1.0f);
  std::vector<float> W1 = randomWeights(R, FirstMaps, Window),
                     W2 = randomWeights(R, SecondMaps, FirstMaps * Window),
                     W3 = randomWeights(R, Hidden, SecondSize),
                     W4 = randomWeights(R, Digits, Hidden);

  DeviceArray<float> DeviceImages(Images), D1(W1), D2(W2), D3(W3), D4(W4),
      First((size_t)Count * FirstSize), Second((size_t)Count * SecondSize),
      Third((size_t)Count * Hidden), Fourth((size_t)Count * Digits);
  executeFirstLayer<<<dim3(FirstMaps, Count), dim3(FirstSide, FirstSide)>>>(
      DeviceImages.get(), D1.get(), First.get());
  executeSecondLayer<<<dim3(SecondMaps, Count), dim3(SecondSide, SecondSide)>>>(
      First.get(), D2.get(), Second.get());
  executeThirdLayer<<<dim3(Hidden, Count), 1>>>(Second.get(), D3.get(),
                                                Third.get());
  executeFourthLayer<<<dim3(Digits, Count), 1>>>(Third.get(), D4.get(),
                                                 Fourth.get());
  finishKernels();

  Verifier V(1e-4, 1e-4);
  std::vector<float> Got = Fourth.toHost();
  for (int I = 0; I < Count; ++I) {
    auto Begin = Images.begin() + (size_t)I * Side * Side;
    std::vector<double> Values(Begin, Begin + Side * Side);
    Values = hostLayer(Values, W1, 1, Side, FirstMaps, FirstSide);
    Values =
        hostLayer(Values, W2, FirstMaps, FirstSide, SecondMaps, SecondSide);
    Values = hostLayer(Values, W3, SecondSize, 1, Hidden, 1);
    Values = hostLayer(Values, W4, Hidden, 1, Digits, 1);
    for (int D = 0; D < Digits; ++D)
      V.compare("digit", (size_t)I * Digits + D, Got[I * Digits + D],
                Values[D]);
  }
  return V.report();
}
