//===- DeviceLink.cpp - Device code of several sources --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLink.h"

#include "regshare/Frontend/TextureReferences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Frontend/Offloading/OffloadWrapper.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regshare {

namespace {
enum : uint32_t {
  Magic = 0x0B17C0DE,
  NativeMagic = 0x314E5352,
  HeaderSize = 32
};
constexpr char DeviceTriple[] = "nvptx64-nvidia-cuda";
} // namespace

std::string makeImage(StringRef PTX, StringRef Native) {
  std::string Image;
  raw_string_ostream OS(Image);
  support::endian::Writer Header(OS, endianness::little);
  uint32_t Size = uint32_t(alignTo(PTX.size(), 4));
  for (uint32_t Word :
       {uint32_t(Magic), 0u, uint32_t(HeaderSize), uint32_t(PTX.size()), 0u,
        uint32_t(NativeMagic), HeaderSize + Size, uint32_t(Native.size())})
    Header.write(Word);
  OS << PTX;
  OS.write_zeros(Size - PTX.size());
  OS << Native;
  return Image;
}

/// The bitcode of one form in an image; empty if it is none of ours.
static StringRef formOf(StringRef Image, bool IsNative) {
  auto WordAt = [&](unsigned N) {
    return support::endian::read32le(Image.data() + 4 * N);
  };
  if (Image.size() < HeaderSize || WordAt(0) != Magic ||
      WordAt(5) != NativeMagic)
    return "";
  return IsNative ? Image.substr(WordAt(6), WordAt(7))
                  : Image.substr(WordAt(2), WordAt(3));
}

std::string makeOffloadObject(StringRef Image, StringRef Arch) {
  object::OffloadBinary::OffloadingImage Entry;
  Entry.TheImageKind = object::IMG_Fatbinary;
  Entry.TheOffloadKind = object::OFK_Cuda;
  Entry.StringData["triple"] = DeviceTriple;
  Entry.StringData["arch"] = Arch;
  Entry.Image = MemoryBuffer::getMemBuffer(Image, "", false);
  return std::string(object::OffloadBinary::write(Entry).str());
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

/// clang gives a static variable that the host uses a name that no other source
/// has, but not where a kernel before that use reads it.
static void joinStatics(Module &M) {
  for (GlobalVariable &Declared : make_early_inc_range(M.globals())) {
    if (!Declared.isDeclaration())
      continue;
    std::string Start = (Declared.getName() + "__static__").str();
    for (GlobalVariable &Defined : M.globals())
      if (!Defined.isDeclaration() && Defined.getName().starts_with(Start)) {
        Declared.replaceAllUsesWith(&Defined);
        Declared.eraseFromParent();
        break;
      }
  }
}

/// The host's halves say which reference they mean by its name alone, which
/// clang does not make another one for each source. \p Statics has the names
/// that are taken.
static Error checkReferences(Module &M, StringSet<> &Statics) {
  for (const GlobalVariable *V : textureReferencesOf(M))
    if (V->hasLocalLinkage() && !Statics.insert(V->getName()).second)
      return createStringError(
          "the texture or surface reference '" + demangle(V->getName()) +
          "' is static in more than one source of relocatable device code; "
          "give them different names");
  return Error::success();
}

/// Device code of CUDA 11 could wait for the grids that it had launched.
static Error checkWaiting(const Module &M) {
  const Function *F = M.getFunction("cudaDeviceSynchronize");
  if (!F)
    return Error::success();
  for (const User *U : F->users())
    if (const auto *Call = dyn_cast<CallBase>(U))
      return createStringError(
          "'" + demangle(Call->getFunction()->getName()) +
          "' calls cudaDeviceSynchronize in device code, which CUDA 12 has "
          "removed: no kernel can wait for the grids that it has launched; "
          "cudaStreamTailLaunch is for those that come after them");
  return Error::success();
}

static Expected<std::string> linkForm(ArrayRef<StringRef> Images,
                                      bool IsNative) {
  LLVMContext Context;
  std::string Problem;
  Context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *Info, void *Into) {
        if (Info->getSeverity() != DS_Error)
          return;
        raw_string_ostream OS(*static_cast<std::string *>(Into));
        DiagnosticPrinterRawOStream Printer(OS);
        Info->print(Printer);
      },
      &Problem);
  std::unique_ptr<Module> Whole;
  StringSet<> Statics;
  for (StringRef Image : Images) {
    Expected<std::unique_ptr<Module>> M = parseBitcodeFile(
        MemoryBufferRef(formOf(Image, IsNative), "device code"), Context);
    if (!M)
      return M.takeError();
    joinStatics(**M);
    if (Error E = checkReferences(**M, Statics))
      return std::move(E);
    if (!Whole)
      Whole = std::move(*M);
    else if (Linker::linkModules(*Whole, std::move(*M)))
      return createStringError("device code does not link: " + Problem);
  }
  if (Error E = checkWaiting(*Whole))
    return std::move(E);
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(*Whole, OS, /*ShouldPreserveUseListOrder=*/true);
  return Bitcode;
}

/// The images in a file; those are nothing else than objects and archives.
static Error findImages(StringRef Path,
                        SmallVectorImpl<object::OffloadFile> &Found) {
  if (!sys::fs::is_regular_file(Path))
    return Error::success();
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  SmallVector<object::OffloadFile> Here;
  // What is neither is the linker's to refuse.
  if (Error E = object::extractOffloadBinaries(**Buffer, Here))
    consumeError(std::move(E));
  for (object::OffloadFile &File : Here)
    if (!formOf(File.getBinary()->getImage(), false).empty())
      Found.push_back(File.copy());
  return Error::success();
}

Expected<std::string> linkDeviceCode(ArrayRef<std::string> Files) {
  SmallVector<object::OffloadFile> Found;
  for (const std::string &Path : Files)
    if (Error E = findImages(Path, Found))
      return std::move(E);
  if (Found.empty())
    return std::string();
  SmallVector<StringRef> Images;
  for (object::OffloadFile &File : Found)
    Images.push_back(File.getBinary()->getImage());
  Expected<std::string> PTX = linkForm(Images, /*IsNative=*/false);
  if (!PTX)
    return PTX.takeError();
  Expected<std::string> Native = linkForm(Images, /*IsNative=*/true);
  if (!Native)
    return Native.takeError();
  std::string Image = makeImage(*PTX, *Native);
  LLVMContext Context;
  Module M("registration of device code", Context);
  Triple Host(sys::getDefaultTargetTriple());
  M.setTargetTriple(Host);
  M.setDataLayout(Host.computeDataLayout());
  if (Error E = offloading::wrapCudaBinary(
          M, Image, offloading::getOffloadEntryArray(M), "",
          /*EmitSurfacesAndTextures=*/true))
    return std::move(E);
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  return Bitcode;
}

} // namespace regshare
