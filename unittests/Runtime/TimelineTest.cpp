//===- TimelineTest.cpp - When work would run on the device ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "cuda_runtime_api.h"

#include "gtest/gtest.h"

using namespace regshare::cudart;

TEST(Timeline, KernelsOfOneStreamFollowEachOther) {
  Timeline T;
  Stream *A = T.create(cudaStreamNonBlocking, 0);
  Timeline::Interval First = T.run(*A, Engine::SMs, 2);
  Timeline::Interval Second = T.run(*A, Engine::SMs, 3);
  EXPECT_EQ(First.Begin, 0);
  EXPECT_EQ(First.End, 2);
  EXPECT_EQ(Second.Begin, 2);
  EXPECT_EQ(T.end(), 5);
}

TEST(Timeline, EnginesWorkAtTheSameTime) {
  Timeline T;
  Stream *A = T.create(cudaStreamNonBlocking, 0);
  Stream *B = T.create(cudaStreamNonBlocking, 0);
  Stream *C = T.create(cudaStreamNonBlocking, 0);
  T.run(*A, Engine::SMs, 4);
  EXPECT_EQ(T.run(*B, Engine::ToDevice, 1).Begin, 0);
  EXPECT_EQ(T.run(*C, Engine::ToHost, 1).Begin, 0);
  // One after the other on an engine, whatever their streams.
  EXPECT_EQ(T.run(*C, Engine::ToDevice, 1).Begin, 1);
  EXPECT_EQ(T.run(*B, Engine::SMs, 1).Begin, 4);
}

TEST(Timeline, LegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  Timeline T;
  Stream *Blocking = T.create(cudaStreamDefault, 0);
  Stream *Free = T.create(cudaStreamNonBlocking, 0);
  T.run(*Blocking, Engine::ToDevice, 2);
  T.run(*Free, Engine::ToHost, 5);
  EXPECT_EQ(T.run(T.legacyStream(), Engine::SMs, 1).Begin, 2);
  EXPECT_EQ(T.run(*Blocking, Engine::ToDevice, 1).Begin, 3);
  EXPECT_EQ(T.readyTime(*Free), 5);
}

TEST(Timeline, NothingBeginsBeforeTheHostIssuesIt) {
  Timeline T;
  Stream *A = T.create(cudaStreamNonBlocking, 0);
  Stream *B = T.create(cudaStreamNonBlocking, 0);
  T.run(*A, Engine::SMs, 7);
  T.advanceHost(T.readyTime(*A));
  EXPECT_EQ(T.run(*B, Engine::ToHost, 1).Begin, 7);
  T.advanceHost(1); // Time does not go back.
  EXPECT_EQ(T.run(*B, Engine::ToDevice, 1).Begin, 8);
  T.waitUntil(*A, 20);
  EXPECT_EQ(T.run(*A, Engine::SMs, 1).Begin, 20);
}

TEST(Timeline, HandlesNameStreams) {
  Timeline T;
  EXPECT_EQ(T.find(nullptr), &T.legacyStream());
  EXPECT_EQ(T.find(cudaStreamLegacy), &T.legacyStream());
  EXPECT_EQ(T.find(cudaStreamPerThread), &T.perThreadStream());
  Stream *A = T.create(cudaStreamDefault, 0);
  EXPECT_EQ(T.find(A), A);
  T.destroy(A);
  EXPECT_EQ(T.find(A), nullptr);
}
