//===- FatBinaryTest.cpp - Reading what programs embed --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"
#include "ImageBuilder.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::cudart;
using regshare::test::ImageBuilder;

static Result<std::string> noZstd(std::string_view, size_t) {
  return fail("no zstd here");
}

static Result<DeviceImage> read(const std::string &Image) {
  return readImage(Image.data(), CodeForm::PTX, noZstd);
}

static std::string errorOf(const std::string &Image) {
  Result<DeviceImage> R = read(Image);
  return R ? "no error" : R.error().Message;
}

/// A module with \p Functions functions.
static std::string bitcode(unsigned Functions) {
  llvm::LLVMContext Context;
  llvm::Module M("module", Context);
  for (unsigned N = 0; N != Functions; ++N) {
    auto *F = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(Context), false),
        llvm::Function::ExternalLinkage, "f" + std::to_string(N), M);
    llvm::IRBuilder<>(llvm::BasicBlock::Create(Context, "", F)).CreateRetVoid();
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::WriteBitcodeToFile(M, OS);
  return Text;
}

/// Whatever the linker puts after the bitcode, its end is found.
TEST(FatBinary, BitcodeEndsWhereItEnds) {
  for (unsigned Functions : {0u, 1u, 7u, 300u}) {
    std::string Bitcode = bitcode(Functions);
    for (const std::string &Behind :
         {std::string(16, '\0'), std::string(16, '\xff'),
          std::string("an ordinary string"), bitcode(2)}) {
      // Objects start at their alignment.
      Result<DeviceImage> R = read(Bitcode + Behind);
      ASSERT_TRUE(R);
      EXPECT_EQ(R->K, DeviceImage::Bitcode);
      EXPECT_EQ(R->Contents, Bitcode) << Functions;
    }
  }
}

TEST(FatBinary, WrapperSaysItsSize) {
  std::string Bitcode = bitcode(1);
  uint32_t Header[5] = {0x0B17C0DE, 0, sizeof(Header), uint32_t(Bitcode.size()),
                        0};
  std::string Image(reinterpret_cast<char *>(Header), sizeof(Header));
  Result<DeviceImage> R = read(Image + Bitcode + "BC\xC0\xDE");
  ASSERT_TRUE(R);
  EXPECT_EQ(R->K, DeviceImage::Bitcode);
  EXPECT_EQ(R->Contents, Bitcode);
}

/// A wrapper whose header has more than LLVM's says where native code is.
TEST(FatBinary, WrapperHasTwoForms) {
  std::string Bitcode = bitcode(1), Native = bitcode(2);
  uint32_t Header[8] = {0x0B17C0DE,
                        0,
                        sizeof(Header),
                        uint32_t(Bitcode.size()),
                        0,
                        0x314E5352,
                        uint32_t(sizeof(Header) + Bitcode.size()),
                        uint32_t(Native.size())};
  std::string Image(reinterpret_cast<char *>(Header), sizeof(Header));
  Image += Bitcode + Native;
  for (CodeForm Form : {CodeForm::PTX, CodeForm::Native}) {
    Result<DeviceImage> R = readImage(Image.data(), Form, noZstd);
    ASSERT_TRUE(R);
    EXPECT_EQ(R->Form, Form);
    EXPECT_EQ(R->Contents, Form == CodeForm::PTX ? Bitcode : Native);
  }
  // One form has to do where there is one. A bitstream alone does not say where
  // it ends, but by what follows.
  std::string Alone = Bitcode + std::string(8, '\0');
  Result<DeviceImage> R = readImage(Alone.data(), CodeForm::Native, noZstd);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Form, CodeForm::PTX);
}

TEST(FatBinary, NewestAnnotatedPTXWins) {
  ImageBuilder Plain;
  Plain.add(ImageBuilder::Cubin, 90, "machine code");
  Plain.add(ImageBuilder::PTX, 70, "older");
  Plain.add(ImageBuilder::PTX, 80, "newer");
  Result<DeviceImage> R = read(Plain.image());
  ASSERT_TRUE(R);
  EXPECT_EQ(R->K, DeviceImage::PTX);
  EXPECT_EQ(R->Contents, "newer");
  ImageBuilder Annotated;
  Annotated.add(ImageBuilder::PTX, 70, "regshare.kernel");
  Annotated.add(ImageBuilder::PTX, 80, "newer");
  R = read(Annotated.image());
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Contents, "regshare.kernel");
}

/// Literals, an overlapping copy, and a length that needs another byte.
TEST(FatBinary, UnpacksLZ4) {
  // "ab", then 4 + 15 + 3 bytes from 2 back, then "end" as the last literals.
  std::string Packed("\x2f"
                     "ab\x02\x00\x03\x30"
                     "end",
                     10);
  std::string Expected;
  for (unsigned N = 0; N != 12; ++N)
    Expected += "ab";
  Expected += "end";
  ImageBuilder B;
  B.add(ImageBuilder::PTX, 75, Packed, ImageBuilder::LZ4, Expected.size());
  Result<DeviceImage> R = read(B.image());
  ASSERT_TRUE(R) << R.error().Message;
  EXPECT_EQ(R->Contents, Expected);
  for (size_t Size : {Expected.size() - 1, Expected.size() + 1}) {
    ImageBuilder Wrong;
    Wrong.add(ImageBuilder::PTX, 75, Packed, ImageBuilder::LZ4, Size);
    EXPECT_EQ(errorOf(Wrong.image()), "its compressed PTX is damaged");
  }
}

TEST(FatBinary, ZstdGoesToTheUnpacker) {
  ImageBuilder B;
  B.add(ImageBuilder::PTX, 75, "packed", ImageBuilder::Zstd, 5);
  EXPECT_EQ(errorOf(B.image()),
            "its compressed PTX cannot be read: no zstd here");
  std::string Image = B.image();
  Result<DeviceImage> R = readImage(
      Image.data(), CodeForm::PTX, [](std::string_view Packed, size_t Size) {
        return Result<std::string>(std::string(Packed) + std::to_string(Size));
      });
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Contents, "packed5");
}

TEST(FatBinary, TellsWhatIsOfNoUse) {
  ImageBuilder B;
  B.add(ImageBuilder::Cubin, 75, "machine code");
  EXPECT_NE(errorOf(B.image()).find("machine code for GPUs and no PTX"),
            std::string::npos);
  EXPECT_EQ(errorOf("\x7f"
                    "ELF and so on"),
            "it is machine code for a GPU; RegShare takes PTX");
  EXPECT_EQ(errorOf("?ELF and so on"),
            "it is neither PTX nor LLVM bitcode nor a fat binary");
}
