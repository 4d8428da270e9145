//===- common/check.h - What the programs of the suite share -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Error checks, reproducible input, command-line sizes and the verdict.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_KERNELS_COMMON_CHECK_H
#define REGSHARE_KERNELS_COMMON_CHECK_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

/// Ends the program with a message if a call of the CUDA runtime fails.
#define CHECK_CUDA(Call)                                                       \
  do {                                                                         \
    cudaError_t Error = (Call);                                                \
    if (Error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #Call,       \
                   cudaGetErrorString(Error));                                 \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

/// Waits for the kernels launched so far and reports their errors.
inline void finishKernels() {
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
}

/// A device array of Count elements that frees itself.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t Count) : Count(Count) {
    CHECK_CUDA(cudaMalloc((void **)&Data, Count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T> &Host) : DeviceArray(Host.size()) {
    copyFrom(Host);
  }
  ~DeviceArray() { cudaFree(Data); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  void copyFrom(const std::vector<T> &Host) {
    CHECK_CUDA(cudaMemcpy(Data, Host.data(), Host.size() * sizeof(T),
                          cudaMemcpyHostToDevice));
  }
  std::vector<T> toHost() const {
    std::vector<T> Host(Count);
    CHECK_CUDA(cudaMemcpy(Host.data(), Data, Count * sizeof(T),
                          cudaMemcpyDeviceToHost));
    return Host;
  }
  void fillBytes(int Byte) {
    CHECK_CUDA(cudaMemset(Data, Byte, Count * sizeof(T)));
  }
  T *get() const { return Data; }
  size_t size() const { return Count; }

private:
  T *Data = nullptr;
  size_t Count;
};

/// Numbers that are the same on every machine, which rand() does not promise.
class Random {
public:
  explicit Random(unsigned long long Seed) : State(Seed) {}

  unsigned next() {
    State = State * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(State >> 33);
  }
  unsigned below(unsigned Bound) { return next() % Bound; }
  float uniform(float Low, float High) {
    return Low + (High - Low) * ((float)(next() & 0xffffff) / 16777216.0f);
  }

private:
  unsigned long long State;
};

/// The size given as argument \p Index, or \p Default if it is absent; anything
/// but a number from \p Min to \p Max ends the program.
inline int sizeArgument(int ArgC, char **ArgV, int Index, const char *Name,
                        int Default, int Min, int Max) {
  if (Index >= ArgC)
    return Default;
  char *End = nullptr;
  long Value = std::strtol(ArgV[Index], &End, 10);
  if (*End == '\0' && End != ArgV[Index] && Value >= Min && Value <= Max)
    return (int)Value;
  std::fprintf(stderr, "%s: %s must be a number from %d to %d, not '%s'\n",
               ArgV[0], Name, Min, Max, ArgV[Index]);
  std::exit(1);
}

inline int divideUp(int X, int Y) { return (X + Y - 1) / Y; }

/// Compares what the device computed with what the host computed. A value
/// passes if it is off by at most Absolute + Relative * |expected|.
class Verifier {
public:
  explicit Verifier(double Relative = 0.0, double Absolute = 0.0)
      : Relative(Relative), Absolute(Absolute) {}

  void compare(const char *What, size_t Index, double Actual, double Expected) {
    ++Compared;
    double Off = std::fabs(Actual - Expected);
    if (Off <= Absolute + Relative * std::fabs(Expected))
      return;
    if (Wrong++ == 0)
      std::fprintf(stderr, "%s[%zu] is %.9g, expected %.9g\n", What, Index,
                   Actual, Expected);
  }

  template <typename T>
  void compareAll(const char *What, const std::vector<T> &Actual,
                  const std::vector<T> &Expected) {
    for (size_t I = 0; I < Expected.size(); ++I)
      compare(What, I, (double)Actual[I], (double)Expected[I]);
  }

  /// Prints the verdict and returns the program's exit code.
  int report() const {
    if (Wrong == 0 && Compared > 0) {
      std::printf("PASSED\n");
      return 0;
    }
    std::printf("FAILED: %zu of %zu values are wrong\n", Wrong, Compared);
    return 1;
  }

private:
  double Relative;
  double Absolute;
  size_t Compared = 0;
  size_t Wrong = 0;
};

#endif // REGSHARE_KERNELS_COMMON_CHECK_H
