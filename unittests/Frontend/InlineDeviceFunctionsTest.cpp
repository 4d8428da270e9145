//===- InlineDeviceFunctionsTest.cpp - Kernels without calls -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/InlineDeviceFunctions.h"

#include "ParseIR.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace regshare;

namespace {

class InlineDeviceFunctions : public testing::TestWithParam<unsigned> {
protected:
  /// Inlines; returns the error's text, empty on success.
  std::string inlineIn(StringRef Text) {
    M = parseIR(Context, Text);
    if (!M)
      return "no module";
    std::string Message =
        toString(inlineDeviceFunctions(*M, /*OptLevel=*/GetParam()));
    EXPECT_FALSE(verifyModule(*M, &errs()));
    return Message;
  }

  unsigned numCalls(StringRef Function) {
    return count_if(instructions(*M->getFunction(Function)),
                    [](const Instruction &I) {
                      auto *Call = dyn_cast<CallBase>(&I);
                      return Call && !Call->isInlineAsm() &&
                             !Call->getCalledFunction()->isIntrinsic();
                    });
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
};

INSTANTIATE_TEST_SUITE_P(OptLevels, InlineDeviceFunctions,
                         testing::Values(0u, 1u, 2u, 3u));

TEST_P(InlineDeviceFunctions, InlinesThroughTwoLevelsWhateverNoinlineSays) {
  EXPECT_EQ("", inlineIn(R"(
    define i32 @inner(i32 %x) noinline optnone {
      %y = mul i32 %x, %x
      ret i32 %y
    }
    define i32 @outer(i32 %x) noinline {
      %a = call i32 @inner(i32 %x) noinline
      %b = call i32 @inner(i32 %a)
      ret i32 %b
    }
    define ptx_kernel void @k(ptr %p, i32 %x) noinline optnone {
      %y = call i32 @outer(i32 %x)
      store i32 %y, ptr %p
      ret void
    })"));
  EXPECT_EQ(0u, numCalls("k"));
  EXPECT_EQ(nullptr, M->getFunction("outer"));
  EXPECT_EQ(nullptr, M->getFunction("inner"));
}

TEST_P(InlineDeviceFunctions, SharedCalleeGoesIntoEachKernel) {
  EXPECT_EQ("", inlineIn(R"(
    define void @set(ptr %p) {
      store i32 1, ptr %p
      ret void
    }
    define ptx_kernel void @k(ptr %p) {
      call void @set(ptr %p)
      ret void
    }
    define ptx_kernel void @l(ptr %p) {
      call void @set(ptr %p)
      ret void
    })"));
  EXPECT_EQ(0u, numCalls("k"));
  EXPECT_EQ(0u, numCalls("l"));
}

TEST_P(InlineDeviceFunctions, FollowsAliases) {
  EXPECT_EQ("", inlineIn(R"(
    @other = alias void (ptr), ptr @set
    define void @set(ptr %p) {
      store i32 1, ptr %p
      ret void
    }
    define ptx_kernel void @k(ptr %p) {
      call void @other(ptr %p)
      ret void
    })"));
  EXPECT_EQ(0u, numCalls("k"));
}

TEST_P(InlineDeviceFunctions, KernelWithoutCallsStaysAsItIs) {
  StringRef Text = R"(
    define ptx_kernel void @k(ptr %p) {
      %a = add i32 1, 2
      store i32 %a, ptr %p
      ret void
    })";
  EXPECT_EQ("", inlineIn(Text));
  std::string Before, After;
  raw_string_ostream(Before) << *parseIR(Context, Text)->getFunction("k");
  raw_string_ostream(After) << *M->getFunction("k");
  EXPECT_EQ(Before, After);
}

/// How often \p Text is in the inline PTX of a function.
unsigned numInlinePTX(const Function &F, StringRef Text) {
  return count_if(instructions(F), [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    return Asm && Asm->getAsmString().contains(Text);
  });
}

TEST_P(InlineDeviceFunctions, RecursionBecomesALoopWithAStack) {
  EXPECT_EQ("", inlineIn(R"(
    define i32 @f(i32 %n) {
      %c = icmp slt i32 %n, 2
      br i1 %c, label %base, label %more
    base:
      ret i32 %n
    more:
      %n1 = sub i32 %n, 1
      %a = call i32 @f(i32 %n1)
      %n2 = sub i32 %n, 2
      %b = call i32 @f(i32 %n2)
      %s = mul i32 %a, %b
      ret i32 %s
    }
    define ptx_kernel void @k(ptr %p, i32 %x, i32 %y) {
      %a = call i32 @f(i32 %x)
      %b = call i32 @f(i32 %y)
      %s = add i32 %a, %b
      store i32 %s, ptr %p
      ret void
    })"));
  EXPECT_EQ(nullptr, M->getFunction("f"));
  const Function &K = *M->getFunction("k");
  // A body for each call from outside, which pushes nothing; two calls inside.
  EXPECT_EQ(2, count_if(instructions(K), [](const Instruction &I) {
              return I.getOpcode() == Instruction::Mul;
            }));
  EXPECT_EQ(4u, numInlinePTX(K, "alloca.u64"));
  EXPECT_EQ(4u, numInlinePTX(K, "stackrestore.u64"));
  EXPECT_EQ(6u, numInlinePTX(K, "mov.b32"));
}

TEST_P(InlineDeviceFunctions, FunctionsThatCallEachOtherBecomeOneLoop) {
  EXPECT_EQ("", inlineIn(R"(
    define i32 @entry(i32 %n) {
      %a = call i32 @f(i32 %n)
      ret i32 %a
    }
    define i32 @f(i32 %n) {
      %c = icmp slt i32 %n, 2
      br i1 %c, label %base, label %more
    base:
      ret i32 %n
    more:
      %a = call i32 @g(i32 %n)
      %s = mul i32 %a, %n
      ret i32 %s
    }
    define i32 @g(i32 %n) {
      %n1 = sub i32 %n, 1
      %a = call i32 @f(i32 %n1)
      %s = xor i32 %a, %n1
      ret i32 %s
    }
    define ptx_kernel void @k(ptr %p, i32 %x) {
      %a = call i32 @entry(i32 %x)
      store i32 %a, ptr %p
      ret void
    })"));
  EXPECT_EQ(2u, numInlinePTX(*M->getFunction("k"), "alloca.u64"));
  for (const char *Name : {"entry", "f", "g"})
    EXPECT_EQ(nullptr, M->getFunction(Name)) << Name;
}

// There is one copy for each call that has not returned.
TEST_P(InlineDeviceFunctions, VariablesOfRecursiveFunctionsAreOnTheStack) {
  EXPECT_EQ("", inlineIn(R"(
    declare void @llvm.lifetime.start.p0(ptr)
    define void @f(ptr byval([3 x i32]) %in, i32 %n) {
      %own = alloca [40 x i8], align 16
      call void @llvm.lifetime.start.p0(ptr %own)
      %c = icmp eq i32 %n, 0
      br i1 %c, label %base, label %more
    base:
      ret void
    more:
      store volatile i32 %n, ptr %in
      store volatile i32 %n, ptr %own
      %n1 = sub i32 %n, 1
      call void @f(ptr byval([3 x i32]) %own, i32 %n1)
      %x = load volatile i32, ptr %own
      ret void
    }
    define ptx_kernel void @k(ptr %p, i32 %x) {
      call void @f(ptr byval([3 x i32]) %p, i32 %x)
      ret void
    })"));
  const Function &K = *M->getFunction("k");
  // Above -O0 the outermost call may have a body of its own.
  EXPECT_LE(1u, numInlinePTX(K, "alloca.u64 $0, 48, 16;"));
  EXPECT_LE(3u, numInlinePTX(K, "alloca.u64"));
  EXPECT_TRUE(none_of(instructions(K),
                      [](const Instruction &I) { return isa<AllocaInst>(I); }));
}

TEST_P(InlineDeviceFunctions, UnreachableRecursionIsNoError) {
  EXPECT_EQ("", inlineIn(R"(
    define void @f() {
      call void @f()
      ret void
    }
    define ptx_kernel void @k() {
      ret void
    })"));
}

/// Those of its type that something points to, and a trap.
TEST_P(InlineDeviceFunctions, PointersReachWhatHasAnAddress) {
  EXPECT_EQ("", inlineIn(R"(
    @table = addrspace(1) global [2 x ptr] [ptr @one, ptr @two]
    @other = addrspace(1) global ptr @wide
    define i32 @one(i32 %x) {
      ret i32 111
    }
    define i32 @two(i32 %x) {
      %y = mul i32 %x, 222
      ret i32 %y
    }
    define i32 @nobody(i32 %x) {
      ret i32 333
    }
    define i64 @wide(i64 %x) {
      ret i64 444
    }
    define ptx_kernel void @k(ptr %f, ptr %to) {
      %r = call i32 %f(i32 5)
      store i32 %r, ptr %to
      ret void
    })"));
  EXPECT_EQ(numCalls("k"), 0u);
  std::string Text;
  raw_string_ostream(Text) << *M->getFunction("k");
  for (const char *Has : {"icmp eq ptr %f, @one", "icmp eq ptr %f, @two",
                          " 111", "asm sideeffect \"trap;\""})
    EXPECT_NE(Text.find(Has), std::string::npos) << Has << Text;
  EXPECT_EQ(Text.find("333"), std::string::npos);
  EXPECT_EQ(Text.find("@wide"), std::string::npos);
}

TEST_P(InlineDeviceFunctions, PointersThatReachTheirCallerAreARecursion) {
  EXPECT_EQ("", inlineIn(R"(
    @table = addrspace(1) global [1 x ptr] [ptr @again]
    define void @again(ptr %p) {
      %f = load ptr, ptr %p
      %c = icmp eq ptr %f, null
      br i1 %c, label %end, label %more
    more:
      call void %f(ptr %f)
      br label %end
    end:
      ret void
    }
    define ptx_kernel void @k(ptr %f, ptr %p) {
      call void %f(ptr %p)
      ret void
    })"));
  EXPECT_LE(1u, numInlinePTX(*M->getFunction("k"), "alloca.u64"));
}

TEST_P(InlineDeviceFunctions, IndirectCallHasItsPlace) {
  EXPECT_EQ("app.cu:7:3: error: indirect call in kernel 'k': the function it "
            "reaches is not known when registers are assigned",
            inlineIn(R"(
    define ptx_kernel void @k(ptr %f) !dbg !4 {
      call void %f(), !dbg !6
      ret void, !dbg !6
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1,
                                 emissionKind: DebugDirectivesOnly)
    !1 = !DIFile(filename: "app.cu", directory: "")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "k", file: !1, line: 6, unit: !0,
                                spFlags: DISPFlagDefinition, type: !5)
    !5 = !DISubroutineType(types: !{})
    !6 = !DILocation(line: 7, column: 3, scope: !4)
    )"));
}

TEST_P(InlineDeviceFunctions, PointerThatBecomesKnownIsInlined) {
  EXPECT_EQ("", inlineIn(R"(
    define void @set(ptr %p) {
      store i32 1, ptr %p
      ret void
    }
    define void @apply(ptr %f, ptr %p) {
      %slot = alloca ptr
      store ptr %f, ptr %slot
      %g = load ptr, ptr %slot
      call void %g(ptr %p)
      ret void
    }
    define ptx_kernel void @k(ptr %p) {
      call void @apply(ptr @set, ptr %p)
      ret void
    })"));
  EXPECT_EQ(0u, numCalls("k"));
}

TEST_P(InlineDeviceFunctions, TableOfFunctionsThatNobodyCallsIsKept) {
  EXPECT_EQ("", inlineIn(R"(
    @table = global [1 x ptr] [ptr @set]
    define void @set(ptr %p) {
      store i32 1, ptr %p
      ret void
    }
    define ptx_kernel void @k(ptr %p) {
      call void @set(ptr %p)
      ret void
    })"));
  EXPECT_EQ(0u, numCalls("k"));
  EXPECT_NE(nullptr, M->getFunction("set"));
}

TEST_P(InlineDeviceFunctions, DeviceRuntimeStaysACall) {
  EXPECT_EQ("", inlineIn(R"(
    declare i32 @vprintf(ptr, ptr)
    declare ptr @malloc(i64)
    define ptx_kernel void @k(ptr %p) {
      %n = call i32 @vprintf(ptr %p, ptr null)
      %m = call ptr @malloc(i64 8)
      store ptr %m, ptr %p
      ret void
    })"));
  EXPECT_EQ(2u, numCalls("k"));
}

TEST_P(InlineDeviceFunctions, UndefinedFunctionIsNamed) {
  EXPECT_EQ("<string>: error: kernel 'k' calls 'missing', which the module "
            "does not define",
            inlineIn(R"(
    declare void @missing()
    define void @f() {
      call void @missing()
      ret void
    }
    define ptx_kernel void @k() {
      call void @f()
      ret void
    })"));
}

TEST_P(InlineDeviceFunctions, KernelCannotBeCalled) {
  std::string Message = inlineIn(R"(
    define ptx_kernel void @l() {
      ret void
    }
    define void @f() {
      call ptx_kernel void @l()
      ret void
    }
    define ptx_kernel void @k() {
      call void @f()
      ret void
    })");
  EXPECT_NE(std::string::npos,
            Message.find("device function 'f', called from kernel 'k' calls "
                         "kernel 'l'"))
      << Message;
}

TEST_P(InlineDeviceFunctions, VariadicFunctionsAreInlined) {
  EXPECT_EQ("", inlineIn(R"(
    target triple = "nvptx64-nvidia-cuda"
    define i32 @first(i32 %n, ...) {
      %ap = alloca ptr
      call void @llvm.va_start.p0(ptr %ap)
      %v = va_arg ptr %ap, i32
      call void @llvm.va_end.p0(ptr %ap)
      ret i32 %v
    }
    define ptx_kernel void @k(ptr %p, i32 %x) {
      %v = call i32 (i32, ...) @first(i32 1, i32 %x)
      store i32 %v, ptr %p
      ret void
    })"));
  EXPECT_EQ(0u, numCalls("k"));
}

TEST(Kernels, AnnotationsOfOldModulesMakeKernels) {
  LLVMContext Context;
  std::unique_ptr<Module> M = parseIR(Context, R"(
    target triple = "nvptx64-nvidia-cuda"
    define void @old() {
      ret void
    }
    define ptx_kernel void @new() {
      ret void
    }
    define void @device() {
      ret void
    }
    !nvvm.annotations = !{!0}
    !0 = !{ptr @old, !"kernel", i32 1}
    )");
  ASSERT_TRUE(M);
  SmallVector<Function *, 4> Kernels = kernelsOf(*M);
  ASSERT_EQ(2u, Kernels.size());
  EXPECT_EQ("old", Kernels[0]->getName());
  EXPECT_EQ("new", Kernels[1]->getName());
}

} // namespace
