//===- SharedObjectsTest.cpp - Constructors in shared memory --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/SharedObjects.h"

#include "gmock/gmock.h"

using namespace regshare;

namespace {

std::string changed(const std::string &Source, const std::string &Name) {
  size_t At = Source.find(" " + Name) + 1;
  unsigned Line = 1, Column = 1;
  for (char C : Source.substr(0, At)) {
    Column = C == '\n' ? 1 : Column + 1;
    Line += C == '\n';
  }
  std::vector<SharedObject> Objects(2, {"a.cu", Line, Column});
  return leaveUnconstructed(Source, Objects).value_or("none");
}

TEST(SharedObjects, DeclarationsBecomeStorageAndReference) {
  EXPECT_EQ(changed("void f() {\n  __shared__ A<1, 2> a; g(a); }", "a;"),
            "void f() {\n  __shared__ regshare_unconstructed< A<1, 2> > "
            "a_unconstructed; auto &a = a_unconstructed.Value; g(a); }");
  EXPECT_EQ(changed("__shared__ alignas(16) static n::B b[4][N + 1];", "b["),
            "__shared__ alignas(16) static regshare_unconstructed< n::B "
            "[4][N + 1]> b_unconstructed; auto &b = b_unconstructed.Value;");
  EXPECT_EQ(changed("__shared__ A\n  a;", "a;"),
            "__shared__ regshare_unconstructed< A\n  > a_unconstructed; auto "
            "&a = a_unconstructed.Value;");
}

TEST(SharedObjects, WhatIsNotSimpleStays) {
  EXPECT_EQ(changed("__shared__ A a, b;", "a,"), "none");
  EXPECT_EQ(changed("__shared__ A a{1};", "a{"), "none");
  EXPECT_EQ(changed("__shared__ A a = 1;", "a "), "none");
  EXPECT_EQ(changed("__shared__ struct { A x; } a;", "a;"), "none");
  EXPECT_EQ(changed("A a;", "a;"), "none");
  EXPECT_EQ(changed("__shared__ A a", "a"), "none");
  EXPECT_FALSE(leaveUnconstructed("__shared__ A a;", {{"a.cu", 9, 3}}));
}

TEST(SharedObjects, MessagesOfClangName) {
  auto Objects = sharedObjectsIn(
      "\033[1m/x/a b.cu:3:80: \033[0m\033[0;1;31merror: \033[0m\033[1m"
      "initialization is not supported for __shared__ variables\033[0m\n"
      "a.cu:7:2: error: something else\n"
      "c:/a.cuh:12:5: error: initialization is not supported for __shared__ "
      "variables\n");
  ASSERT_EQ(Objects.size(), 2u);
  EXPECT_EQ(Objects[0].File, "/x/a b.cu");
  EXPECT_EQ(Objects[0].Line, 3u);
  EXPECT_EQ(Objects[0].Column, 80u);
  EXPECT_EQ(Objects[1].File, "c:/a.cuh");
  EXPECT_EQ(Objects[1].Line, 12u);
}

TEST(SharedObjects, TypesThatMayHaveConstructors) {
  for (const char *Plain :
       {"__shared__ float x[4];", "__shared__ volatile unsigned int x;",
        "__shared__ float4 x;", "extern __shared__ A x[];",
        "__shared__ __align__(16) int2 x;", "__shared__ extern float x[];",
        "int shared;"})
    EXPECT_FALSE(mayHaveSharedObjects(Plain)) << Plain;
  for (const char *Object :
       {"__shared__ cuda::barrier<x> b;", "__shared__ T t[N];",
        "__shared__ int a; __shared__ alignas(8) B b;",
        "__shared__ typename B::TempStorage s;"})
    EXPECT_TRUE(mayHaveSharedObjects(Object)) << Object;
}

} // namespace
