//===- DeviceCompiler.h - Bitcode to annotated PTX -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The boundary to the compiler half, which is a library of its own that is
/// loaded when a program with bitcode launches its first kernel: programs that
/// need no compiler do not load LLVM.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_DEVICECOMPILER_H
#define REGSHARE_RUNTIME_DEVICECOMPILER_H

#include "regshare/Base/CodeForm.h"
#include "regshare/Base/Result.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Setting.h"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace regshare::cudart {

struct CompileRequest {
  std::string_view Bitcode; ///< Or PTX text,
  bool IsPTX = false;       ///< if this is set.
  std::string Name;         ///< For messages: the source file.
  std::string Target;       ///< sm_NN of the device.
  std::string Scheme;       ///< As schemeName has it.
  std::string Device;       ///< Name or file of the device.
  CodeForm Code = CodeForm::PTX;
  bool Schedule = true; ///< As in CompilerOptions.
  bool ControlCode = false;
  bool Reuse = true;
  /// Of a thread, 32-bit units; 0: as the device and the code allow.
  unsigned MaxRegisters = 0;
  bool SharedSpilling = false; ///< As in CompilerOptions.
  /// Of a launch, where the scheme's choices depend on it; 0: of no particular
  /// one.
  unsigned ThreadsPerCTA = 0;
  std::array<unsigned, 3> Block = {};
  unsigned DynamicSharedBytes = 0;
  SettingValues Settings; ///< As in CompilerOptions.
  /// A toolkit-shaped directory with device math; empty: look for one.
  std::string CudaPath;
};

struct CompiledCode {
  std::string PTX;
  /// The processor that the source was compiled for, as a number: 75 of sm_75.
  unsigned SourceProcessor = 0;
  /// Kernels that the PTX lacks because they cannot be compiled, and why.
  std::map<std::string, std::string> Refused;
};

/// Fails if no kernel can be compiled; otherwise those that can be are.
/// Compiles at -O0 if the kernels were, else at -O2, and native code at -O3.
/// Processors newer than the
/// device's are kept, since their code may need them.
Result<CompiledCode> compileDeviceCode(const CompileRequest &Request);

/// Unpacks \p Size bytes from a frame of the zstd format, with LLVM's means.
Result<std::string> unpackZstd(std::string_view Packed, size_t Size);

/// What the library exports, under the name below.
struct DeviceCompiler {
  Result<CompiledCode> (*Compile)(const CompileRequest &Request);
  Result<std::string> (*UnpackZstd)(std::string_view Packed, size_t Size);
  /// Loads the compiler halves of schemes from outside; to be called before
  /// anything is compiled. Fails where one is refused, or where that of \p
  /// Chosen is needed and not there.
  Result<void> (*LoadSchemes)(Scheme Chosen);
};
inline constexpr char CompilerSymbol[] = "RegShareDeviceCompiler";

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_DEVICECOMPILER_H
