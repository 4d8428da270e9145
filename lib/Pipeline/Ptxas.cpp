//===- Ptxas.cpp - What ptxas makes of PTX --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/Ptxas.h"

#include "regshare/CodeGen/SharedSpilling.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace regshare {

static constexpr StringRef InCUDA = "/usr/local/cuda/bin/ptxas";
static constexpr unsigned WordBytes = 16;
/// A kernel that does nothing, so that the last word of its code is padding.
static constexpr StringRef Empty = "regshare_padding";

std::string findPtxas(StringRef Given) {
  const char *FromEnvironment = std::getenv("REGSHARE_PTXAS");
  if (Given.empty() && FromEnvironment)
    Given = FromEnvironment;
  if (!Given.empty())
    return Given == "none" ? "" : Given.str();
  if (ErrorOr<std::string> OnPath = sys::findProgramByName("ptxas"))
    return *OnPath;
  return sys::fs::can_execute(InCUDA) ? InCUDA.str() : "";
}

/// \p PTX with one more kernel.
static std::string withEmptyKernel(StringRef PTX) {
  size_t At = PTX.find('\n', PTX.find(".address_size"));
  return (PTX.take_front(At) + "\n.visible .entry " + Empty + "() { ret; }" +
          PTX.drop_front(At))
      .str();
}

/// The number after a directive that stands at the begin of \p Line; 0 if it is
/// another line.
static unsigned numberAfter(StringRef Directive, StringRef Line) {
  unsigned N = 0;
  if (!Line.consume_front(Directive) || !Line.starts_with(" ") ||
      Line.trim().consumeInteger(10, N))
    return 0;
  return N;
}

/// \p PTX in which kernels that bound their CTAs have the bound on registers
/// too: ptxas has -maxrregcount for all others alone.
static std::string withBound(StringRef PTX, unsigned MaxRegs) {
  std::string Text;
  raw_string_ostream OS(Text);
  bool HasBounds = false, HasMaxRegs = false;
  for (StringRef Line : split(PTX, '\n')) {
    unsigned Own = numberAfter(".maxnreg", Line);
    HasMaxRegs |= Own != 0;
    HasBounds |= Line.starts_with(".maxntid") || Line.starts_with(".reqntid");
    if (Line.starts_with("{")) {
      if (HasBounds && !HasMaxRegs)
        OS << ".maxnreg " << MaxRegs << '\n';
      HasBounds = HasMaxRegs = false;
    }
    if (Own > MaxRegs)
      OS << ".maxnreg " << MaxRegs << '\n';
    else
      OS << Line << '\n';
  }
  return Text;
}

/// \p PTX as one of a version that has the pragma for shared spilling; newer
/// versions take what older ones do.
static std::string withNewerVersion(StringRef PTX) {
  static constexpr StringRef Version = ".version ";
  constexpr double First = 8.7;
  size_t At = PTX.find(Version);
  double Its = First;
  if (At == StringRef::npos ||
      PTX.drop_front(At + Version.size())
          .split('\n')
          .first.trim()
          .getAsDouble(Its) ||
      Its >= First)
    return PTX.str();
  return (PTX.take_front(At) + Version + "8.7\n" +
          PTX.drop_front(At).split('\n').second)
      .str();
}

/// The kernels of \p PTX that have the pragma for shared spilling.
static StringSet<> kernelsWithPragma(StringRef PTX) {
  static constexpr StringRef Entry = ".entry ";
  StringSet<> Found;
  for (size_t At = PTX.find(Entry); At != StringRef::npos;) {
    size_t Next = PTX.find(Entry, At + Entry.size());
    StringRef Kernel = PTX.slice(At + Entry.size(), Next);
    if (Kernel.contains(SharedSpillingPragma))
      Found.insert(Kernel.take_until([](char C) { return C == '('; }).trim());
    At = Next;
  }
  return Found;
}

/// What ptxas -v says of each kernel.
static void readLog(StringRef Log, const StringSet<> &WithPragma,
                    StringMap<PtxasKernel> &Kernels) {
  PtxasKernel *Kernel = nullptr;
  StringRef Name;
  for (StringRef Line : split(Log, '\n')) {
    auto NumberBefore = [&](StringRef Text) {
      StringRef Before = Line.take_front(Line.find(Text)).rtrim();
      unsigned N = 0;
      to_integer(Before.drop_front(Before.find_last_of(' ') + 1), N);
      return N;
    };
    if (Line.contains("Compiling entry function '")) {
      Name = Line.split('\'').second.split('\'').first;
      Kernel = &Kernels[Name];
    }
    if (!Kernel)
      continue;
    if (Line.contains("bytes spill stores")) {
      Kernel->SpillStores = NumberBefore(" bytes spill stores");
      Kernel->SpillLoads = NumberBefore(" bytes spill loads");
    }
    if (Line.contains("Used ")) {
      Kernel->Registers = NumberBefore(" registers");
      if (WithPragma.contains(Name))
        Kernel->SharedBytes =
            Line.contains(" bytes smem") ? NumberBefore(" bytes smem") : 0;
      Kernel = nullptr;
    }
  }
}

/// Counts the instructions of each kernel in a cubin. A branch to itself
/// follows the last, and then padding.
static Error readCode(StringRef Path, StringMap<PtxasKernel> &Kernels) {
  auto Buffer = MemoryBuffer::getFile(Path, false, false);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  auto File = object::ObjectFile::createELFObjectFile(**Buffer);
  if (!File)
    return File.takeError();
  StringMap<StringRef> Code;
  for (const object::SectionRef &Section : (*File)->sections()) {
    Expected<StringRef> Name = Section.getName();
    Expected<StringRef> Contents = Section.getContents();
    if (!Name || !Contents)
      return joinErrors(Name ? Error::success() : Name.takeError(),
                        Contents ? Error::success() : Contents.takeError());
    if (Name->consume_front(".text."))
      Code[*Name] = *Contents;
  }
  StringRef Padding = Code.lookup(Empty).take_back(WordBytes);
  for (auto &Entry : Kernels) {
    StringRef Words = Code.lookup(Entry.first());
    while (!Padding.empty() && Words.consume_back(Padding)) {
    }
    Entry.second.Instructions =
        std::max<size_t>(Words.size() / WordBytes, 1) - 1;
  }
  return Error::success();
}

Expected<StringMap<PtxasKernel>> runPtxas(StringRef Ptxas, StringRef PTX,
                                          StringRef Arch, unsigned MaxRegs) {
  SmallString<64> Input, Output, Log;
  for (auto [Path, Suffix] :
       {std::pair{&Input, "ptx"}, {&Output, "cubin"}, {&Log, "log"}})
    if (std::error_code EC =
            sys::fs::createTemporaryFile("regshare", Suffix, *Path))
      return createFileError(*Path, EC);
  StringSet<> WithPragma = kernelsWithPragma(PTX);
  std::string Text = MaxRegs ? withBound(PTX, MaxRegs) : PTX.str();
  FileRemover RemoveInput(Input), RemoveOutput(Output), RemoveLog(Log);
  std::error_code EC;
  raw_fd_ostream(Input, EC)
      << withEmptyKernel(WithPragma.empty() ? Text : withNewerVersion(Text));
  if (EC)
    return createFileError(Input, EC);
  std::string ArchOption = ("-arch=" + Arch).str();
  std::string BoundOption = "-maxrregcount=" + std::to_string(MaxRegs);
  SmallVector<StringRef, 8> Command = {Ptxas, "-w", "-v",  ArchOption,
                                       Input, "-o", Output};
  if (MaxRegs)
    Command.push_back(BoundOption);
  std::optional<StringRef> Redirects[] = {StringRef(), Log.str(), Log.str()};
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Ptxas, Command,
                          /*Env=*/std::nullopt, Redirects, /*SecondsToWait=*/0,
                          /*MemoryLimit=*/0, &Problem);
  auto Said = MemoryBuffer::getFile(Log, /*IsText=*/true);
  StringRef Words = Said ? (*Said)->getBuffer() : "";
  if (Status != 0)
    return createStringError(
        Problem.empty() ? Words.ltrim().split('\n').first.str() : Problem);
  StringMap<PtxasKernel> Kernels;
  readLog(Words, WithPragma, Kernels);
  if (Error E = readCode(Output, Kernels))
    return std::move(E);
  Kernels.erase(Empty);
  return Kernels;
}

} // namespace regshare
