//===- mri-q.cu - Matrix Q of an image reconstruction -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The matrix Q that calibrates the reconstruction of magnetic resonance images
/// from samples on a non-Cartesian trajectory: for each voxel, the sum over all
/// samples of their magnitude times a complex exponential. Samples pass through
/// constant memory in batches.
///
/// usage: mri-q [VOXELS [SAMPLES]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int BatchSize = 64;
static constexpr int PhiThreads = 128, QThreads = 256;

struct Sample {
  float KX, KY, KZ, Magnitude;
};

__constant__ Sample Batch[BatchSize];

__global__ void magnitudeKernel(const float *Real, const float *Imaginary,
                                float *Magnitude, int NumSamples) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < NumSamples)
    Magnitude[I] = Real[I] * Real[I] + Imaginary[I] * Imaginary[I];
}

__global__ void qKernel(const float *X, const float *Y, const float *Z,
                        float *QReal, float *QImaginary, int NumVoxels,
                        int NumInBatch) {
  int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Voxel >= NumVoxels)
    return;
  float MyX = X[Voxel], MyY = Y[Voxel], MyZ = Z[Voxel];
  float Real = QReal[Voxel], Imaginary = QImaginary[Voxel];
  for (int I = 0; I < NumInBatch; ++I) {
    float Angle = 6.2831853f *
                  (Batch[I].KX * MyX + Batch[I].KY * MyY + Batch[I].KZ * MyZ);
    float Sine, Cosine;
    sincosf(Angle, &Sine, &Cosine);
    Real += Batch[I].Magnitude * Cosine;
    Imaginary += Batch[I].Magnitude * Sine;
  }
  QReal[Voxel] = Real;
  QImaginary[Voxel] = Imaginary;
}

static std::vector<float> randomVector(Random &R, int Count, float Low,
                                       float High) {
  std::vector<float> Values(Count);
  for (float &V : Values)
    V = R.uniform(Low, High);
  return Values;
}

int main(int ArgC, char **ArgV) {
  int Voxels = sizeArgument(ArgC, ArgV, 1, "VOXELS", 512, 1, 1 << 22);
  int Samples = sizeArgument(ArgC, ArgV, 2, "SAMPLES", 96, 1, 1 << 16);
  Random R(5);
  std::vector<float> X = randomVector(R, Voxels, -0.5f, 0.5f),
                     Y = randomVector(R, Voxels, -0.5f, 0.5f),
                     Z = randomVector(R, Voxels, -0.5f, 0.5f),
                     KX = randomVector(R, Samples, -8.0f, 8.0f),
                     KY = randomVector(R, Samples, -8.0f, 8.0f),
                     KZ = randomVector(R, Samples, -8.0f, 8.0f),
                     Real = randomVector(R, Samples, -1.0f, 1.0f),
                     Imaginary = randomVector(R, Samples, -1.0f, 1.0f);

  DeviceArray<float> DeviceReal(Real), DeviceImaginary(Imaginary),
      DeviceMagnitude(Samples);
  magnitudeKernel<<<divideUp(Samples, PhiThreads), PhiThreads>>>(
      DeviceReal.get(), DeviceImaginary.get(), DeviceMagnitude.get(), Samples);
  finishKernels();
  std::vector<float> Magnitude = DeviceMagnitude.toHost();

  DeviceArray<float> DeviceX(X), DeviceY(Y), DeviceZ(Z), QReal(Voxels),
      QImaginary(Voxels);
  QReal.fillBytes(0);
  QImaginary.fillBytes(0);
  for (int First = 0; First < Samples; First += BatchSize) {
    int Count = Samples - First < BatchSize ? Samples - First : BatchSize;
    std::vector<Sample> Host(Count);
    for (int I = 0; I < Count; ++I)
      Host[I] = {KX[First + I], KY[First + I], KZ[First + I],
                 Magnitude[First + I]};
    CHECK_CUDA(cudaMemcpyToSymbol(Batch, Host.data(), Count * sizeof(Sample)));
    qKernel<<<divideUp(Voxels, QThreads), QThreads>>>(
        DeviceX.get(), DeviceY.get(), DeviceZ.get(), QReal.get(),
        QImaginary.get(), Voxels, Count);
    finishKernels();
  }

  Verifier V(1e-4, 1e-5 * Samples);
  std::vector<float> GotReal = QReal.toHost(),
                     GotImaginary = QImaginary.toHost();
  for (int I = 0; I < Voxels; ++I) {
    double SumReal = 0.0, SumImaginary = 0.0;
    for (int K = 0; K < Samples; ++K) {
      double Angle =
          6.283185307179586 *
          ((double)KX[K] * X[I] + (double)KY[K] * Y[I] + (double)KZ[K] * Z[I]);
      double Weight =
          (double)Real[K] * Real[K] + (double)Imaginary[K] * Imaginary[K];
      SumReal += Weight * std::cos(Angle);
      SumImaginary += Weight * std::sin(Angle);
    }
    V.compare("real", I, GotReal[I], SumReal);
    V.compare("imaginary", I, GotImaginary[I], SumImaginary);
  }
  return V.report();
}
