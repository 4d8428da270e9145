//===- TargetTest.cpp - Which GPU to compile for -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/Target.h"

#include "ParseIR.h"

#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace regshare;

namespace {

std::string messageOf(Expected<TargetChoice> Choice) {
  return Choice ? "" : toString(Choice.takeError());
}

/// The PTX of an empty kernel; the .version and .target lines are in it.
std::string emptyKernel(TargetMachine &TM) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      parseIR(Context, "define ptx_kernel void @k() {\n ret void\n}\n");
  M->setTargetTriple(TM.getTargetTriple());
  M->setDataLayout(TM.createDataLayout());
  SmallString<512> PTX;
  raw_svector_ostream OS(PTX);
  legacy::PassManager PM;
  EXPECT_FALSE(
      TM.addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::AssemblyFile));
  PM.run(*M);
  return std::string(PTX);
}

TEST(Target, DefaultIsTuring) {
  Expected<TargetChoice> Choice = chooseTarget("", "");
  ASSERT_TRUE(bool(Choice));
  EXPECT_EQ("sm_75", Choice->CPU);
  EXPECT_EQ("+ptx88", Choice->Features);
}

TEST(Target, NewProcessorsBringTheirPTXVersion) {
  Expected<TargetChoice> Choice = chooseTarget("sm_110", "");
  ASSERT_TRUE(bool(Choice));
  EXPECT_EQ("+ptx90", Choice->Features);
}

TEST(Target, UnknownProcessor) {
  EXPECT_TRUE(StringRef(messageOf(chooseTarget("sm_99", "")))
                  .starts_with("error: unknown target processor 'sm_99'; "
                               "known are sm_"));
}

TEST(Target, UnknownFeatures) {
  EXPECT_EQ("error: unknown target feature 'avx2'",
            messageOf(chooseTarget("", "+avx2")));
  EXPECT_EQ("error: target feature 'ptx80' starts with neither '+' nor '-'",
            messageOf(chooseTarget("", "ptx80")));
  EXPECT_EQ("error: the processor is not a feature: say -mcpu=sm_90",
            messageOf(chooseTarget("", "+sm_90")));
}

/// Our table of PTX versions against what LLVM itself falls back on when no
/// version is asked for, which is the least it accepts.
TEST(Target, MinimumPTXVersionIsThatOfLLVM) {
  initializeTarget();
  std::string Error;
  Triple TT(DefaultTriple);
  const llvm::Target *NVPTX = TargetRegistry::lookupTarget(TT, Error);
  ASSERT_TRUE(NVPTX) << Error;
  std::unique_ptr<MCSubtargetInfo> STI(
      NVPTX->createMCSubtargetInfo(TT, DefaultCPU, ""));
  for (const SubtargetSubTypeKV &Processor :
       STI->getAllProcessorDescriptions()) {
    StringRef CPU = Processor.Key;
    std::unique_ptr<TargetMachine> TM(
        NVPTX->createTargetMachine(TT, CPU, "", TargetOptions(), std::nullopt));
    std::string PTX = emptyKernel(*TM);
    auto [Major, Rest] = StringRef(PTX).split(".version ").second.split('.');
    unsigned Least = 10 * (Major.front() - '0') + (Rest.front() - '0');
    std::string Feature = "+ptx" + std::to_string(Least);
    EXPECT_EQ("", messageOf(chooseTarget(CPU, Feature))) << CPU.str();

    unsigned Below = 0;
    for (const SubtargetFeatureKV &F : STI->getAllProcessorFeatures()) {
      StringRef Name = F.Key;
      unsigned Version;
      if (Name.consume_front("ptx") && !Name.getAsInteger(10, Version) &&
          Version < Least)
        Below = std::max(Below, Version);
    }
    if (Below)
      EXPECT_NE("",
                messageOf(chooseTarget(CPU, "+ptx" + std::to_string(Below))))
          << CPU.str();
  }
}

/// No processor that LLVM lists makes code generation abort.
TEST(Target, EveryProcessorCompiles) {
  std::string Error;
  Triple TT(DefaultTriple);
  initializeTarget();
  const llvm::Target *NVPTX = TargetRegistry::lookupTarget(TT, Error);
  std::unique_ptr<MCSubtargetInfo> STI(
      NVPTX->createMCSubtargetInfo(TT, DefaultCPU, ""));
  for (const SubtargetSubTypeKV &Processor :
       STI->getAllProcessorDescriptions()) {
    Expected<TargetChoice> Choice = chooseTarget(Processor.Key, "");
    ASSERT_TRUE(bool(Choice)) << Processor.Key;
    std::string PTX = emptyKernel(*createTargetMachine(*Choice, 2));
    EXPECT_NE(std::string::npos,
              PTX.find(std::string(".target ") + Processor.Key))
        << PTX;
  }
}

TEST(Target, CommandLineWinsOverAttributes) {
  LLVMContext Context;
  std::unique_ptr<Module> M = parseIR(
      Context, "define ptx_kernel void @k() \"target-cpu\"=\"sm_80\" "
               "\"target-features\"=\"+ptx82,+sm_80\" {\n ret void\n}\n");
  Expected<TargetChoice> Own = chooseTarget(*M, "", "");
  ASSERT_TRUE(bool(Own));
  EXPECT_EQ("sm_80", Own->CPU);
  EXPECT_EQ("+ptx82", Own->Features);
  Expected<TargetChoice> Given = chooseTarget(*M, "sm_90", "");
  ASSERT_TRUE(bool(Given));
  EXPECT_EQ("sm_90", Given->CPU);
  EXPECT_EQ("+ptx88", Given->Features);

  setTargetAttributes(*M, *Given);
  Expected<TargetChoice> Again = chooseTarget(*M, "", "");
  ASSERT_TRUE(bool(Again));
  EXPECT_EQ(Given->CPU, Again->CPU);
  EXPECT_EQ(Given->Features, Again->Features);
}

TEST(Target, DisagreeingKernelsAreNamed) {
  LLVMContext Context;
  std::unique_ptr<Module> M = parseIR(
      Context,
      "define ptx_kernel void @a() \"target-cpu\"=\"sm_80\" {\n ret void\n}\n"
      "define ptx_kernel void @b() \"target-cpu\"=\"sm_90\" {\n ret void\n}\n");
  EXPECT_EQ("<string>: error: kernels disagree about the target: 'a' says "
            "target-cpu \"sm_80\", 'b' says \"sm_90\"; name one with -mcpu",
            messageOf(chooseTarget(*M, "", "")));
  EXPECT_EQ("", messageOf(chooseTarget(*M, "sm_75", "")));
}

TEST(Target, Triples) {
  for (const char *Good : {"nvptx64-nvidia-cuda", "nvptx64", "nvptx64--"})
    EXPECT_FALSE(bool(checkTriple(Triple(Good)))) << Good;
  for (const char *Bad : {"x86_64-pc-linux-gnu", "amdgcn-amd-amdhsa",
                          "nvptx-nvidia-cuda", "nvptx64-nvidia-nvcl"})
    EXPECT_EQ(std::string("error: unsupported target triple '") + Bad +
                  "': kernels are compiled for nvptx64-nvidia-cuda",
              toString(checkTriple(Triple(Bad))));
}

} // namespace
