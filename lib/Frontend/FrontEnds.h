//===- FrontEnds.h - Languages that other programs read for us -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_FRONTENDS_H
#define REGSHARE_LIB_FRONTEND_FRONTENDS_H

#include "regshare/Frontend/Input.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace regshare {

/// The processor to compile for, where the input itself does not name one.
inline llvm::StringRef namedCPU(const InputOptions &Options) {
  return Options.CPU.empty() ? Options.FallbackCPU : Options.CPU;
}

/// Parses LLVM IR or bitcode. A module without a data layout gets NVPTX's.
llvm::Expected<std::unique_ptr<llvm::Module>>
parseModule(llvm::MemoryBufferRef Buffer, llvm::LLVMContext &Context);

/// An unset layout gets NVPTX's before instructions are read, since some
/// default alignments come from it.
std::optional<std::string> dataLayoutFor(llvm::StringRef TT,
                                         llvm::StringRef Layout);

/// Reads the IR of a MIR file; LoadedInput::parseMachineFunctions the rest.
llvm::Error parseMachineIR(std::unique_ptr<llvm::MemoryBuffer> Buffer,
                           LoadedInput &Input);

/// Reads PTX without annotations; LoadedInput::parseMachineFunctions makes the
/// code.
llvm::Error parsePTX(const llvm::MemoryBuffer &Buffer, LoadedInput &Input);
llvm::Error makePTXFunctions(LoadedInput &Input, llvm::MachineModuleInfo &MMI);

/// Has LLVM verify the function, and makes one line of what it prints.
llvm::Error checkMachineCode(const llvm::MachineFunction &MF);

/// Compiles the device side of a CUDA program with clang.
llvm::Expected<std::unique_ptr<llvm::Module>>
compileCuda(const InputOptions &Options, llvm::LLVMContext &Context);

/// Lowers MLIR in three forms: gpu.module operations (of the gpu dialect with
/// arith, scf, memref and so on, or already of nvvm and llvm), gpu.launch in
/// host code, and plain llvm-dialect modules with nvvm.kernel functions. Host
/// code beside gpu.module is left alone.
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerMLIR(const InputOptions &Options, llvm::LLVMContext &Context);

/// Turns the math intrinsics that NVPTX has no instructions for, and would
/// abort on, into calls of libdevice: llvm.exp.f32 into __nv_expf. Vectors go
/// element by element, half precision through single.
void lowerMathIntrinsics(llvm::Module &M);

/// Links in the libdevice functions that \p M calls and does not define. MLIR,
/// and IR written by hand, call device math without bringing it.
llvm::Error linkLibdevice(const InputOptions &Options, llvm::Module &M);

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_FRONTENDS_H
