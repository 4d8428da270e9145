//===- FaultCodeTest.cpp - CUDA's codes for faults ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launcher.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::cudart;

TEST(FaultCode, FollowsFromTheKind) {
  EXPECT_EQ(classifyFault(ErrorKind::IllegalAddress), cudaErrorIllegalAddress);
  EXPECT_EQ(classifyFault(ErrorKind::MisalignedAddress),
            cudaErrorMisalignedAddress);
  EXPECT_EQ(classifyFault(ErrorKind::Assertion), cudaErrorAssert);
  EXPECT_EQ(classifyFault(ErrorKind::StackOverflow),
            cudaErrorHardwareStackError);
  EXPECT_EQ(classifyFault(ErrorKind::InvalidCall), cudaErrorInvalidPc);
  for (ErrorKind Endless :
       {ErrorKind::Deadlock, ErrorKind::Livelock, ErrorKind::Limit})
    EXPECT_EQ(classifyFault(Endless), cudaErrorLaunchTimeout);
  for (ErrorKind Any :
       {ErrorKind::Trap, ErrorKind::KernelFault, ErrorKind::NotForScheme,
        ErrorKind::NotForDevice, ErrorKind::Other})
    EXPECT_EQ(classifyFault(Any), cudaErrorLaunchFailure);
}
