//===- MLIR.cpp - MLIR through mlir-opt and mlir-translate -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEnds.h"
#include "Toolchain.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/Target.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;
using namespace regshare;

/// What mlir-opt runs. The passes up to the debug scopes are those of MLIR's
/// gpu-lower-to-nvvm-pipeline for device code, without its removal of debug
/// information; gpu-module-to-binary then stops at LLVM bitcode.
static std::string pipeline(const InputOptions &Options,
                            const TargetChoice &Target) {
  std::string Text = "builtin.module(gpu-kernel-outlining,gpu.module("
                     "convert-nvgpu-to-nvvm,convert-vector-to-scf,"
                     "expand-strided-metadata,lower-affine,convert-scf-to-cf,"
                     "convert-gpu-to-nvvm,convert-nvvm-to-llvm,canonicalize,"
                     "cse,reconcile-unrealized-casts)";
  if (Options.LineTables)
    Text += ",ensure-debug-info-scope-on-llvm-func{emission-kind="
            "DebugDirectivesOnly}";
  Text += ",nvvm-attach-target{chip=" + Target.CPU +
          " features=" + Target.Features +
          " O=" + std::to_string(Options.OptLevel) +
          "},gpu-module-to-binary{format=llvm})";
  return Text;
}

/// Reads the escapes of an MLIR string literal (\n, \t, \", \\ and \XX) up to
/// its closing quote.
static std::string unescape(StringRef Literal) {
  std::string Bytes;
  for (size_t I = 0; I != Literal.size() && Literal[I] != '"'; ++I) {
    if (Literal[I] != '\\') {
      Bytes += Literal[I];
      continue;
    }
    char Escape = Literal[++I];
    if (Escape == 'n')
      Bytes += '\n';
    else if (Escape == 't')
      Bytes += '\t';
    else if (Escape == '"' || Escape == '\\')
      Bytes += Escape;
    else
      Bytes += char(hexFromNibbles(Escape, Literal[++I]));
  }
  return Bytes;
}

namespace {
/// One #gpu.object of a gpu.binary.
struct DeviceObject {
  StringRef Chip;
  StringRef Features;
  StringRef Literal; ///< Bitcode, from after its opening quote.
};
} // namespace

/// The value of `Key = "…"` in \p Text.
static StringRef quotedValue(StringRef Text, StringRef Key) {
  size_t At = Text.find((Key + " = \"").str());
  if (At == StringRef::npos)
    return {};
  return Text.drop_front(At + Key.size() + 4).take_until([](char C) {
    return C == '"';
  });
}

/// The objects of the gpu.binary operation that \p Line is.
static SmallVector<DeviceObject, 2> objectsIn(StringRef Line) {
  static constexpr StringLiteral Begin = "#gpu.object<";
  static constexpr StringLiteral Bitcode = "offload = \"";
  SmallVector<DeviceObject, 2> Objects;
  while (true) {
    size_t At = Line.find(Begin);
    if (At == StringRef::npos)
      return Objects;
    Line = Line.drop_front(At + Begin.size());
    size_t Body = Line.find(Bitcode);
    if (Body == StringRef::npos)
      return Objects;
    StringRef Target = Line.take_front(Body);
    Line = Line.drop_front(Body + Bitcode.size());
    Objects.push_back(
        {quotedValue(Target, "chip"), quotedValue(Target, "features"), Line});
    // An escaped quote is \22 or \", so the literal ends at a bare one.
    size_t End = 0;
    while (End < Line.size() && Line[End] != '"')
      End += Line[End] == '\\' ? 2 : 1;
    Line = Line.drop_front(std::min(End, Line.size()));
  }
}

/// The object for the processor the user named; else the first, which is for
/// a target that the module came with, or for ours if it had none.
static const DeviceObject *choose(ArrayRef<DeviceObject> Objects,
                                  StringRef CPU) {
  if (Objects.empty())
    return nullptr;
  if (CPU.empty())
    return &Objects.front();
  auto Ours = find_if(reverse(Objects),
                      [&](const DeviceObject &O) { return O.Chip == CPU; });
  return Ours == Objects.rend() ? nullptr : &*Ours;
}

static Expected<std::unique_ptr<Module>>
parseObject(const DeviceObject &Object, const InputOptions &Options,
            LLVMContext &Context) {
  std::string Bitcode = unescape(Object.Literal);
  Expected<std::unique_ptr<Module>> M =
      parseModule(MemoryBufferRef(Bitcode, Options.Path), Context);
  if (!M)
    return M.takeError();
  Expected<TargetChoice> Target = chooseTarget(Object.Chip, Object.Features);
  if (!Target)
    return Target.takeError();
  setTargetAttributes(**M, *Target);
  return M;
}

/// All device modules in what mlir-opt wrote, linked into one; null if it has
/// none.
static Expected<std::unique_ptr<Module>>
collectObjects(StringRef Text, const InputOptions &Options,
               LLVMContext &Context) {
  std::unique_ptr<Module> Whole;
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Line.ltrim().starts_with("gpu.binary @"))
      continue;
    SmallVector<DeviceObject, 2> Objects = objectsIn(Line);
    const DeviceObject *Object = choose(Objects, Options.CPU);
    if (!Object)
      continue;
    Expected<std::unique_ptr<Module>> Part =
        parseObject(*Object, Options, Context);
    if (!Part)
      return Part.takeError();
    if (!Whole)
      Whole = std::move(*Part);
    else if (Linker::linkModules(*Whole, std::move(*Part)))
      return inputError({Options.Path, 0, 0},
                        "its GPU modules cannot be linked into one");
  }
  return Whole;
}

Expected<std::unique_ptr<Module>>
regshare::lowerMLIR(const InputOptions &Options, LLVMContext &Context) {
  Expected<TargetChoice> Target =
      chooseTarget(namedCPU(Options), Options.Features);
  if (!Target)
    return Target.takeError();
  Expected<TemporaryFile> Lowered = TemporaryFile::create("mlir");
  if (!Lowered)
    return Lowered.takeError();
  // Locations are needed once more if the text goes on to mlir-translate.
  if (Error E = runTool("mlir-opt",
                        {"--mlir-print-debuginfo",
                         "--pass-pipeline=" + pipeline(Options, *Target),
                         Options.Path, "-o", Lowered->path()},
                        Options.Path, "lower"))
    return std::move(E);
  auto Text = MemoryBuffer::getFile(Lowered->path());
  if (!Text)
    return inputError("cannot read mlir-opt's output: " +
                      Text.getError().message());
  Expected<std::unique_ptr<Module>> Device =
      collectObjects((*Text)->getBuffer(), Options, Context);
  if (!Device || *Device)
    return Device;
  // A module of other dialects has nothing that mlir-translate could take.
  if (!(*Text)->getBuffer().contains("nvvm.kernel"))
    return inputError({Options.Path, 0, 0},
                      "no kernel: neither a gpu.module nor an llvm.func with "
                      "nvvm.kernel");

  Expected<TemporaryFile> IR = TemporaryFile::create("ll");
  if (!IR)
    return IR.takeError();
  if (Error E = runTool("mlir-translate",
                        {"--mlir-to-llvmir", Lowered->path(), "-o", IR->path()},
                        Options.Path, "translate"))
    return std::move(E);
  auto Buffer = MemoryBuffer::getFile(IR->path());
  if (!Buffer)
    return inputError("cannot read mlir-translate's output: " +
                      Buffer.getError().message());
  return parseModule(**Buffer, Context);
}
