//===- SharingReleaseTest.cpp - What is given back early ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/Sharing/SharingStatements.h"

#include <gmock/gmock.h>

using namespace regshare::sim;

namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

const std::string Store = "st.global.u32 [%rd0], %r6;\n";

/// R0 to R7 are private.
AnnotatedKernel registers(unsigned Private = 8) {
  return {"register-sharing",
          12,
          0,
          0,
          {},
          pragma("sharing private=" + std::to_string(Private))};
}

/// With 128 bytes of shared memory.
AnnotatedKernel scratchpad() {
  return {"scratchpad-sharing", 12, 0, 0, ".shared .align 4 .b8 s[128];\n"};
}

TEST(SharingRelease, NothingIsSharedAfterIt) {
  EXPECT_THAT(launchWords(registers(), "mov.u32 %r8, 7;\n"
                                       "add.u32 %r6, %r8, 1;\n" +
                                           Release + Store + Release),
              Each(8u));
  EXPECT_THAT(launchWords(scratchpad(), "st.shared.u32 [s], 5;\n"
                                        "ld.shared.u32 %r6, [s];\n" +
                                            Release + Store),
              Each(5u));
}

TEST(SharingRelease, NamingASharedRegister) {
  EXPECT_THAT(
      launchError(registers(),
                  "mov.u32 %r8, 7;\n" + Release + "mov.u32 %r6, %r8;\n"),
      AllOf(HasSubstr("use of a shared register after a release (R8: %r8"),
            HasSubstr("from R8 on are shared with the paired CTA"),
            HasSubstr("kernel 'k', CTA (0,0,0), warp 0"), HasSubstr("PTX line"),
            HasSubstr("'mov.u32 %r6, %r8'")));
  EXPECT_THAT(launchError(registers(), Release + "mov.u32 %r8, 7;\n"),
              HasSubstr("after a release (R8"));
  EXPECT_THAT(launchError(registers(7), Release + "mov.u64 %rd3, 64;\n"),
              HasSubstr("after a release (R7"));
  // No lane executes it, but the warp's row is named.
  EXPECT_THAT(launchError(registers(), Release + "setp.gt.u32 %p1, %r2, 99;\n"
                                                 "@%p1 mov.u32 %r11, 7;\n"),
              HasSubstr("after a release (R11"));
  // As an address.
  EXPECT_THAT(launchError(registers(), "mov.u64 %rd4, 64;\n" + Release +
                                           "ld.global.u32 %r6, [%rd4];\n"),
              HasSubstr("after a release (R8"));
}

/// Half of the warp releases while the other half is still to come.
TEST(SharingRelease, LanesThatWait) {
  const std::string Body = "mov.u32 %r8, 7;\nsetp.lt.u32 %p1, %r2, 16;\n"
                           "@%p1 bra L;\n" +
                           Release + "bra M;\nL:\nmov.u32 %r6, %r8;\nM:\n" +
                           Store;
  EXPECT_THAT(launchError(registers(), Body), HasSubstr("after a release (R8"));
}

TEST(SharingRelease, AccessingSharedMemory) {
  for (const char *Access :
       {"st.shared.u32 [s], 5;\n", "ld.shared.u32 %r6, [s];\n",
        "atom.shared.add.u32 %r6, [s], 1;\n",
        "mov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\n"
        "st.u32 [%rd4], 5;\n"})
    EXPECT_THAT(launchError(scratchpad(), Release + Access),
                AllOf(HasSubstr("access to shared memory after a release"),
                      HasSubstr("kernel 'k', CTA (0,0,0), warp 0"),
                      HasSubstr("PTX line")))
        << Access;
}

/// Other memory, and lanes that do not access, are no business of a release's.
TEST(SharingRelease, OtherMemory) {
  EXPECT_THAT(launchWords(scratchpad(), "mov.u32 %r6, 3;\n" + Release +
                                            "setp.gt.u32 %p1, %r2, 99;\n"
                                            "@%p1 st.shared.u32 [s], 5;\n"
                                            "st.u32 [%rd0], %r6;\n"),
              Each(3u));
}

/// Like an acquire it is an instruction; the code's head is not.
TEST(SharingRelease, TakesAnIssueSlot) {
  auto Instructions = [](const AnnotatedKernel &K, const std::string &Body) {
    TestProgram T(K.around(Body));
    uint64_t Out = T.upload(std::vector<uint32_t>(32));
    EXPECT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
    return T.Stats.WarpInstructions;
  };
  uint64_t Plain = Instructions(scratchpad(), "mov.u32 %r6, 1;\n" + Store);
  EXPECT_EQ(Instructions(registers(), "mov.u32 %r6, 1;\n" + Store), Plain);
  EXPECT_EQ(Instructions(registers(), "mov.u32 %r6, 1;\n" + Store + Release),
            Plain + 1);
}

TEST(SharingRelease, FunctionKnowsWhatIsPrivate) {
  TestProgram T(registers(5).around(Store));
  ASSERT_TRUE(T.P) << T.Error;
  const Function *K = T.P->findKernel("k");
  ASSERT_TRUE(K->Facts.get<regshare::PrivateRegisters>());
  EXPECT_EQ(K->Facts.get<regshare::PrivateRegisters>()->Registers, 5u);
  EXPECT_EQ(K->Scheme, "register-sharing");
  TestProgram S(scratchpad().around(Store));
  ASSERT_TRUE(S.P) << S.Error;
  EXPECT_TRUE(S.P->findKernel("k")->Facts.isEmpty());
  EXPECT_EQ(S.P->findKernel("k")->Scheme, "scratchpad-sharing");
}

} // namespace
