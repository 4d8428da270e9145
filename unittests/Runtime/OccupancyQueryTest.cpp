//===- OccupancyQueryTest.cpp - cudaOccupancy… against the base library ---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A process has one device, and reads the environment once: every device is
/// asked in a process of its own.
///
//===----------------------------------------------------------------------===//

#include "ImageBuilder.h"

#include "FatBinary.h"

#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"

#include "cuda_runtime_api.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>

using namespace regshare;
using regshare::test::ImageBuilder;

extern "C" {
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int,
                            void *, void *, void *, void *, int *);
}

namespace {

struct Shape {
  unsigned Regs, Shared;
};

constexpr Shape Shapes[] = {{1, 0},     {16, 0},    {20, 0},    {21, 0},
                            {32, 0},    {33, 0},    {63, 0},    {24, 1000},
                            {24, 6144}, {8, 16384}, {40, 40000}};
constexpr unsigned NumShapes = std::size(Shapes);
/// The addresses that stand for the kernels.
char Stubs[NumShapes];

/// Kernels without annotations, of which ptxas would choose the registers.
constexpr unsigned PlainRegs = 202, PlainBound = 384;
char OpenStub, BoundedStub;

} // namespace

static std::string kernelText(const std::string &Name, const Shape &S) {
  std::string Text = ".visible .entry " + Name + "()\n{\n";
  if (S.Shared)
    Text += ".shared .align 4 .b8 data[" + std::to_string(S.Shared) + "];\n";
  Text += ".pragma \"regshare.kernel v1 name=" + Name +
          " scheme=baseline regs=" + std::to_string(S.Regs) +
          " preds=0 peak=0 shared=" + std::to_string(S.Shared) +
          " local=0 target=sm_75\";\nret;\n}\n";
  return Text;
}

static std::string plainText(const std::string &Name, const char *Bounds) {
  std::string Text = ".visible .entry " + Name + "()\n" + Bounds + "{\n";
  Text += ".reg .b32 %r<" + std::to_string(PlainRegs) + ">;\n";
  for (unsigned N = 0; N != PlainRegs; ++N)
    Text += "mov.b32 %r" + std::to_string(N) + ", 0;\n";
  return Text + "ret;\n}\n";
}

static void registerKernels() {
  std::string Text = ".version 8.0\n.target sm_75\n.address_size 64\n";
  for (unsigned N = 0; N != NumShapes; ++N)
    Text += kernelText("k" + std::to_string(N), Shapes[N]);
  Text += plainText("open", "") + plainText("bounded", ".maxntid 96, 4\n");
  ImageBuilder B;
  B.add(ImageBuilder::PTX, 75, Text);
  static std::string Image = B.image();
  static cudart::FatBinaryWrapper Wrapper = {0x466243b1, 1, Image.data(),
                                             nullptr};
  void **Module = __cudaRegisterFatBinary(&Wrapper);
  __cudaRegisterFunction(Module, &OpenStub, nullptr, "open", -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFunction(Module, &BoundedStub, nullptr, "bounded", -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  static std::string Names[NumShapes];
  for (unsigned N = 0; N != NumShapes; ++N) {
    Names[N] = "k" + std::to_string(N);
    __cudaRegisterFunction(Module, &Stubs[N], nullptr, Names[N].c_str(), -1,
                           nullptr, nullptr, nullptr, nullptr, nullptr);
  }
}

/// Of a CTA: the dynamic part begins at a multiple of 16 bytes.
static unsigned sharedBytes(unsigned Static, size_t Dynamic) {
  return Dynamic ? (Static + 15) / 16 * 16 + unsigned(Dynamic) : Static;
}

static void checkLaunches(const DeviceDescription &D, unsigned N) {
  for (unsigned Threads : {1u, 32u, 33u, 64u, 192u, 256u, 512u, 1000u, 1024u})
    for (size_t Dynamic : {0, 100, 5000, 20000}) {
      int Answer = -1;
      ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &Answer, &Stubs[N], int(Threads), Dynamic),
                cudaSuccess);
      unsigned Shared = sharedBytes(Shapes[N].Shared, Dynamic);
      unsigned Expected =
          Shared > D.MaxSharedPerCTA || Shapes[N].Regs > D.MaxRegsPerThread
              ? 0
              : occupancy(D, {Shapes[N].Regs, Threads, Shared}).CTAs;
      EXPECT_EQ(unsigned(Answer), Expected)
          << D.Name << ": " << Shapes[N].Regs << " registers, " << Threads
          << " threads, " << Shared << " bytes";
    }
}

/// What one may have, and one byte more.
static void checkAvailableShared(const DeviceDescription &D, unsigned N) {
  size_t Bytes = 0;
  int CTAs = 0;
  ASSERT_EQ(
      cudaOccupancyAvailableDynamicSMemPerBlock(&Bytes, &Stubs[N], 1, 128),
      cudaSuccess);
  EXPECT_EQ(Bytes, D.MaxSharedPerCTA - (Shapes[N].Shared + 15) / 16 * 16);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&CTAs, &Stubs[N], 128, 0);
  ASSERT_EQ(
      cudaOccupancyAvailableDynamicSMemPerBlock(&Bytes, &Stubs[N], CTAs, 128),
      cudaSuccess);
  int With = 0, Beyond = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&With, &Stubs[N], 128, Bytes);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Beyond, &Stubs[N], 128,
                                                Bytes + 1);
  EXPECT_GE(With, CTAs);
  EXPECT_LT(Beyond, CTAs);
}

static void checkAttributes(const DeviceDescription &D, unsigned N) {
  cudaFuncAttributes A;
  ASSERT_EQ(cudaFuncGetAttributes(&A, &Stubs[N]), cudaSuccess);
  EXPECT_EQ(unsigned(A.numRegs), Shapes[N].Regs);
  EXPECT_EQ(A.sharedSizeBytes, Shapes[N].Shared);
  auto Fits = [&](unsigned Threads) {
    return occupancy(D, {Shapes[N].Regs, Threads, 0}).CTAs > 0;
  };
  unsigned Most = unsigned(A.maxThreadsPerBlock);
  EXPECT_TRUE(Fits(Most));
  EXPECT_TRUE(Most == D.MaxThreadsPerCTA || !Fits(Most + D.WarpSize));
  // Asking for more shared memory allows it.
  unsigned Room = D.MaxSharedPerCTA - (Shapes[N].Shared + 15) / 16 * 16;
  EXPECT_EQ(cudaFuncSetAttribute(&Stubs[N],
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 int(Room) + 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&Stubs[N],
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 int(Room)),
            cudaSuccess);
  ASSERT_EQ(cudaFuncGetAttributes(&A, &Stubs[N]), cudaSuccess);
  EXPECT_EQ(unsigned(A.maxDynamicSharedSizeBytes), Room);
  EXPECT_EQ(
      cudaLaunchKernel(&Stubs[N], {1, 1, 1}, {1, 1, 1}, nullptr, Room, nullptr),
      cudaSuccess);
}

/// Plain PTX with more registers than there may be.
static void checkPlain(const DeviceDescription &D) {
  cudaFuncAttributes Open, Bounded;
  ASSERT_EQ(cudaFuncGetAttributes(&Open, &OpenStub), cudaSuccess);
  ASSERT_EQ(cudaFuncGetAttributes(&Bounded, &BoundedStub), cudaSuccess);
  EXPECT_EQ(unsigned(Open.numRegs), std::min(PlainRegs, D.MaxRegsPerThread));
  unsigned Most = 0;
  for (unsigned Regs = 1; Regs <= unsigned(Open.numRegs); ++Regs)
    if (occupancy(D, {Regs, PlainBound, 0}).CTAs)
      Most = Regs;
  EXPECT_EQ(unsigned(Bounded.numRegs), Most) << D.Name;
  EXPECT_EQ(unsigned(Bounded.maxThreadsPerBlock), PlainBound);
  EXPECT_EQ(cudaLaunchKernel(&BoundedStub, {1, 1, 1}, {96, 4, 1}, nullptr, 0,
                             nullptr),
            cudaSuccess);
}

/// Never returns.
static void askDevice(const std::string &Name) {
  setenv("REGSHARE_DEVICE", Name.c_str(), 1);
  setenv("REGSHARE_TIMING", "0", 1);
  Result<DeviceDescription> D = loadDevice(Name);
  registerKernels();
  if (D)
    checkPlain(*D);
  for (unsigned N = 0; D && N != NumShapes; ++N) {
    checkLaunches(*D, N);
    if (Shapes[N].Shared > D->MaxSharedPerCTA)
      continue;
    checkAvailableShared(*D, N);
    checkAttributes(*D, N);
  }
  // Not exit(): nothing of the parent's is to be torn down.
  std::fflush(nullptr);
  _exit(!D || testing::Test::HasFailure() ? 1 : 0);
}

class OccupancyQuery : public testing::TestWithParam<const char *> {};

TEST_P(OccupancyQuery, AgreesWithTheBaseLibrary) {
  EXPECT_EXIT(askDevice(GetParam()), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Devices, OccupancyQuery,
                         testing::Values("gtx480", "gpgpusim-fermi",
                                         "ltrf-maxwell", "maxwell", "ampere",
                                         "hopper"));
