//===- DeviceRuntimeTest.cpp - Grids that threads launch -*- C++ -*--------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/DeviceRuntime.h"
#include "SimTest.h"

#include <cstring>
#include <gmock/gmock.h>

using namespace regshare;
using namespace regshare::sim;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Refuses grids that ask for 13 bytes of shared memory.
struct Recorder final : DeviceRuntime {
  static constexpr uint32_t Code = 69;
  std::vector<DeviceLaunch> Launches;
  uint32_t launch(DeviceLaunch L) override {
    if (L.Config.DynamicSharedBytes == 13)
      return Code;
    Launches.push_back(std::move(L));
    return 0;
  }
};

} // namespace

/// A child with parameters of 8, 1 and 4 bytes, and the device's functions
/// under clang's names and under nvcc's.
static const char *const Scope = R"(
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 s);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 k, .param .b64 b,
  .param .align 4 .b8 g[12], .param .align 4 .b8 t[12], .param .b32 s, .param .b64 q);
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 k,
  .param .align 4 .b8 g[12], .param .align 4 .b8 t[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 b, .param .b64 q);
.extern .func (.param .b32 r) __cudaCDP2GetLastError();
.extern .func (.param .b32 r) __cudaCDP2PeekAtLastError();
.extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags(.param .b64 p, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2StreamDestroy(.param .b64 q);
.visible .entry child(.param .u64 p, .param .u8 c, .param .u32 n) { ret; }
)";

/// Lane T's grid is (T+1, 2, 3), its CTAs have (32, T+1, 1) threads; %rd4 is
/// the kernel, %r4 the shared memory, %rd6 the stream.
static const char *const Shape = R"(
    .param .align 4 .b8 g[12]; .param .align 4 .b8 t[12];
    add.u32 %r2, %r1, 1;
    st.param.b32 [g], %r2; st.param.b32 [g+4], 2; st.param.b32 [g+8], 3;
    st.param.b32 [t], 32; st.param.b32 [t+4], %r2; st.param.b32 [t+8], 1;
    .param .b32 s; .param .b64 q;
    st.param.b32 [s], %r4; st.param.b64 [q], %rd6;
    .param .b64 k; st.param.b64 [k], %rd4;
)";

/// Fills the parameters in the buffer %rd3.
static const char *const Fill = R"(
    st.u64 [%rd3], %rd2; st.u8 [%rd3+8], %r1; st.u32 [%rd3+12], %r2;
)";

/// A launch by clang's code; its result is %r5.
static std::string launchAsClang(unsigned BufferBytes = 16,
                                 const std::string &Filling = Fill) {
  return "{ .param .b64 a; .param .b64 z; .param .b64 b; .param .b32 r;\n"
         "st.param.b64 [a], 64; st.param.b64 [z], " +
         std::to_string(BufferBytes) +
         ";\ncall.uni (b), cudaGetParameterBuffer, (a, z);\n"
         "ld.param.b64 %rd3, [b];" +
         Filling + Shape +
         ".param .b64 w; st.param.b64 [w], %rd3;\n"
         "call.uni (r), cudaLaunchDevice, (k, w, g, t, s, q);\n"
         "ld.param.b32 %r5, [r]; }\n";
}

/// The same by nvcc's.
static std::string launchAsNvcc() {
  return std::string("{ .param .b64 b; .param .b32 r;\n") + Shape +
         "call.uni (b), __cudaCDP2GetParameterBufferV2, (k, g, t, s);\n"
         "ld.param.b64 %rd3, [b];" +
         Fill +
         ".param .b64 w; st.param.b64 [w], %rd3;\n"
         "call.uni (r), __cudaCDP2LaunchDeviceV2, (w, q);\n"
         "ld.param.b32 %r5, [r]; }\n";
}

static std::string kernelAndStream(const char *Kernel, unsigned Stream,
                                   unsigned SharedBytes = 24) {
  return std::string("add.u32 %r2, %r1, 1; mov.u64 %rd4, ") + Kernel +
         "; mov.u64 %rd6, " + std::to_string(Stream) + "; mov.u32 %r4, " +
         std::to_string(SharedBytes) + ";\n";
}

namespace {
struct Parent : TestProgram {
  Recorder Seen;
  explicit Parent(const std::string &Body)
      : TestProgram(kernelAround(Body, Scope)) {
    Options.Device = &Seen;
    EXPECT_TRUE(P) << Error;
  }
};
} // namespace

/// Odd lanes of two CTAs launch.
static void checkLaunches(const std::string &Launch) {
  Parent M("and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;\n" +
           kernelAndStream("child", 3) + "@%p1 bra DONE;\n" + Launch +
           "DONE:\n");
  uint64_t Before = M.Memory.bytesInUse();
  uint64_t Out = M.Memory.allocate(256);
  ASSERT_TRUE(M.run("k", {2}, {6}, {Out})) << M.Error;
  ASSERT_EQ(M.Seen.Launches.size(), 6u);
  for (unsigned N = 0; N != 6; ++N) {
    const DeviceLaunch &L = M.Seen.Launches[N];
    const uint32_t Lane = N % 3 * 2 + 1;
    EXPECT_EQ(L.Kernel, M.P->findKernel("child"));
    EXPECT_EQ(L.Cta, N / 3);
    EXPECT_EQ(L.Stream, TailLaunchStream);
    const auto &[Grid, Block, Shared, Bytes, Stack, Workspace] = L.Config;
    EXPECT_THAT((std::array{Grid.X, Grid.Y, Grid.Z}),
                ElementsAre(Lane + 1, 2u, 3u));
    EXPECT_THAT((std::array{Block.X, Block.Y, Block.Z}),
                ElementsAre(32u, Lane + 1, 1u));
    EXPECT_EQ(Shared, 24u);
    EXPECT_EQ(Workspace, 0u);
    ASSERT_EQ(Bytes.size(), 16u);
    uint64_t Pointer;
    uint32_t Number;
    std::memcpy(&Pointer, Bytes.data(), 8);
    std::memcpy(&Number, Bytes.data() + 12, 4);
    EXPECT_EQ(Pointer, Out + 4 * Lane);
    EXPECT_EQ(Bytes[8], Lane);
    EXPECT_EQ(Number, Lane + 1);
  }
  EXPECT_TRUE(M.Memory.free(Out));
  EXPECT_EQ(M.Memory.bytesInUse(), Before);
}

TEST(SimDeviceRuntime, LanesLaunchAsClangHasThem) {
  checkLaunches(launchAsClang());
}

TEST(SimDeviceRuntime, LanesLaunchAsNvccHasThem) {
  checkLaunches(launchAsNvcc());
}

TEST(SimDeviceRuntime, EachThreadHasItsLastError) {
  // Lane 1 is refused. It alone has the code, until it asks for it.
  Parent M(kernelAndStream("child", 0, 12) + "add.u32 %r4, %r4, %r1;\n" +
           launchAsClang() + R"(
    { .param .b32 e; call.uni (e), __cudaCDP2PeekAtLastError, ();
      ld.param.b32 %r6, [e]; }
    { .param .b32 e; call.uni (e), __cudaCDP2GetLastError, ();
      ld.param.b32 %r7, [e]; }
    { .param .b32 e; call.uni (e), __cudaCDP2GetLastError, ();
      ld.param.b32 %r8, [e]; }
    mad.lo.u32 %r9, %r5, 1000, %r6; mad.lo.u32 %r9, %r9, 1000, %r7;
    add.u32 %r9, %r9, %r8; st.global.u32 [%rd2], %r9;
  )");
  uint64_t Out = M.upload(std::vector<uint32_t>(4));
  ASSERT_TRUE(M.run("k", {1}, {4}, {Out})) << M.Error;
  EXPECT_THAT(M.download<uint32_t>(Out, 4),
              ElementsAre(0u, 69'069'069u, 0u, 0u));
  EXPECT_EQ(M.Seen.Launches.size(), 3u);
}

TEST(SimDeviceRuntime, ANewCtaHasNoError) {
  Parent M(kernelAndStream("child", 0, 13) + R"(
    { .param .b32 e; call.uni (e), __cudaCDP2GetLastError, ();
      ld.param.b32 %r8, [e]; }
    mov.u32 %r9, %ctaid.x; mad.wide.u32 %rd5, %r9, 4, %rd2;
    st.global.u32 [%rd5], %r8;
  )" + launchAsClang());
  uint64_t Out = M.upload(std::vector<uint32_t>(3, 1));
  ASSERT_TRUE(M.run("k", {3}, {1}, {Out})) << M.Error;
  EXPECT_THAT(M.download<uint32_t>(Out, 3), ElementsAre(0u, 0u, 0u));
}

TEST(SimDeviceRuntime, WhatIsNoKernelIsTheRuntimesToRefuse) {
  Parent M(kernelAndStream("12345", 0) + launchAsClang());
  ASSERT_TRUE(M.run("k", {1}, {1}, {M.Memory.allocate(4)})) << M.Error;
  ASSERT_EQ(M.Seen.Launches.size(), 1u);
  EXPECT_EQ(M.Seen.Launches[0].Kernel, nullptr);
}

TEST(SimDeviceRuntime, FaultsOfBuffers) {
  auto ErrorOf = [](const std::string &Body) {
    Parent M(kernelAndStream("child", 0) + Body);
    EXPECT_FALSE(M.run("k", {1}, {1}, {M.Memory.allocate(4096)}));
    return M.Error;
  };
  EXPECT_THAT(ErrorOf(launchAsClang(8, "")),
              HasSubstr("launch of kernel 'child' with 8 bytes of parameters: "
                        "expected 16"));
  const std::string Again =
      "{ .param .b64 w; .param .b64 q; .param .b32 r; st.param.b64 [w], %rd3;\n"
      "st.param.b64 [q], 0; call.uni (r), __cudaCDP2LaunchDeviceV2, (w, q); }";
  EXPECT_THAT(ErrorOf(launchAsNvcc() + Again),
              HasSubstr("parameter buffer that cudaGetParameterBuffer has not "
                        "returned"));
  EXPECT_THAT(ErrorOf("add.u64 %rd3, %rd1, 1024;" + Again),
              HasSubstr("was used before, or that cudaGetParameterBuffer has "
                        "not returned"));
  EXPECT_THAT(ErrorOf("mov.u64 %rd3, 0;" + Again),
              HasSubstr("has not returned"));
}

TEST(SimDeviceRuntime, StreamsOfThreads) {
  // Of an even lane in its local memory, of an odd one in shared memory; lane 3
  // asks for a stream that blocks, which there is none of.
  Parent M(R"(
    .local .align 8 .b8 own[16]; .shared .align 8 .b8 all[40];
    mov.u64 %rd5, own; cvta.local.u64 %rd5, %rd5; add.u64 %rd5, %rd5, 8;
    mov.u64 %rd6, all; cvta.shared.u64 %rd6, %rd6;
    mad.wide.u32 %rd6, %r1, 8, %rd6;
    and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1;
    selp.b64 %rd5, %rd6, %rd5, %p1;
    setp.ne.u32 %p2, %r1, 3; selp.u32 %r3, 1, 0, %p2;
    mov.u64 %rd7, 5; st.u64 [%rd5], %rd7;
    { .param .b64 p; .param .b32 f; .param .b32 r;
      st.param.b64 [p], %rd5; st.param.b32 [f], %r3;
      call.uni (r), __cudaCDP2StreamCreateWithFlags, (p, f);
      ld.param.b32 %r4, [r]; }
    ld.u64 %rd7, [%rd5];
    { .param .b64 q; .param .b32 r; st.param.b64 [q], %rd7;
      call.uni (r), __cudaCDP2StreamDestroy, (q); ld.param.b32 %r5, [r]; }
    cvt.u32.u64 %r6, %rd7; mad.lo.u32 %r6, %r4, 1000, %r6;
    add.u32 %r6, %r6, %r5; st.global.u32 [%rd2], %r6;
  )");
  uint64_t Out = M.upload(std::vector<uint32_t>(4));
  ASSERT_TRUE(M.run("k", {1}, {4}, {Out})) << M.Error;
  EXPECT_THAT(M.download<uint32_t>(Out, 4),
              ElementsAre(256u, 256u, 256u, 1005u));
}

TEST(SimDeviceRuntime, BuffersAreOfParameters) {
  // None for more than a kernel may have, or for another alignment.
  Parent M(R"(
    { .param .b64 a; .param .b64 z; .param .b64 b;
      st.param.b64 [a], 64; st.param.b64 [z], 32768;
      call.uni (b), cudaGetParameterBuffer, (a, z); ld.param.b64 %rd3, [b]; }
    { .param .b64 a; .param .b64 z; .param .b64 b;
      st.param.b64 [a], 128; st.param.b64 [z], 8;
      call.uni (b), cudaGetParameterBuffer, (a, z); ld.param.b64 %rd4, [b]; }
    { .param .b64 a; .param .b64 z; .param .b64 b;
      st.param.b64 [a], 64; st.param.b64 [z], 8;
      call.uni (b), cudaGetParameterBuffer, (a, z); ld.param.b64 %rd5, [b]; }
    and.b64 %rd5, %rd5, 63;
    or.b64 %rd3, %rd3, %rd4; or.b64 %rd3, %rd3, %rd5;
    st.global.u64 [%rd1], %rd3;
  )");
  uint64_t Out = M.upload(std::vector<uint64_t>(1, 1));
  ASSERT_TRUE(M.run("k", {1}, {1}, {Out})) << M.Error;
  EXPECT_EQ(M.download<uint64_t>(Out, 1)[0], 0u);
}

TEST(SimDeviceRuntime, NeedsARuntimeAndItsParameters) {
  Parent M(kernelAndStream("child", 0) + launchAsClang());
  M.Options.Device = nullptr;
  EXPECT_FALSE(M.run("k", {1}, {1}, {M.Memory.allocate(4)}));
  EXPECT_THAT(M.Error, HasSubstr("kernels launch kernels only in a program "
                                 "that regshare-clang++ has built"));
  EXPECT_THAT(
      runError("{ .param .b32 a; st.param.b32 [a], 1;\n"
               "call.uni cudaGetParameterBuffer, (a); }",
               1, ".extern .func cudaGetParameterBuffer(.param .b32 a);\n"),
      HasSubstr("call of 'cudaGetParameterBuffer' with other parameters than "
                "the CUDA runtime's"));
}
