//===- Compile.h - One source, two processors -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles the text of random kernels: clang for the host, clang's CUDA front
/// end and then either stock code generation or RegShare's pipeline for the
/// device.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_COMPILE_H
#define REGSHARE_UNITTESTS_FUZZ_COMPILE_H

#include "Launch.h"

#include "regshare/Base/CodeForm.h"
#include "regshare/Base/Scheme.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>

namespace regshare::fuzz {

/// How device code is made.
struct Variant {
  /// RegShare's annotated PTX on architected registers, or LLVM's own on
  /// virtual registers.
  bool Architected = false;
  unsigned OptLevel = 0;
  /// Of architected code; native code's front end has a part in it.
  CodeForm Code = CodeForm::PTX;
  /// Native code is put in another order, and says what it waits for.
  bool Scheduled = true;
  /// Of architected code.
  Scheme Applied = schemes::Baseline;
  /// Of the scheme, for the compiler and for the SM of timed runs.
  SettingValues Settings = {};
  /// RegShare reads the PTX that LLVM prints, instead of LLVM's IR.
  bool FromPTX = false;
  /// Of a thread of architected code at most; 0: as many as it takes.
  unsigned MaxRegs = 0;
  /// What is beyond them is spilled to shared memory first.
  bool SharedSpilling = false;

  /// For which clang's front end makes the IR.
  CodeForm frontEnd() const { return FromPTX ? CodeForm::PTX : Code; }

  /// "virtual-O2", "architected-O2", "native-O2", "unscheduled-O2" (native
  /// code in its own order), or scheme and settings, "foo:bar=8:baz=0.5-O2";
  /// on native code these are after "native-" or "unscheduled-". Before all of
  /// it "from-ptx-"; "max-regs=24" and "smem-spilling" are as settings are.
  std::string name() const;
  /// Reads what name() writes.
  static std::optional<Variant> parse(llvm::StringRef Name);
  bool operator==(const Variant &) const = default;
};

/// Those without a scheme at one level: two to be compared with each other and
/// the host.
std::vector<Variant> plainVariants(CodeForm Code, unsigned OptLevel);
/// Every variant without a scheme.
std::vector<Variant> allVariants(CodeForm Code = CodeForm::PTX);
/// \p Given with a value, from its range, for each setting of \p S that it
/// leaves open.
SettingValues randomSettings(Scheme S, uint64_t Seed, SettingValues Given = {});

/// An operation of the language that the host computes as if it were another:
/// what a wrong result looks like.
struct Swap {
  std::string From, To;
};

/// A folder of its own that disappears with this.
class ScratchFolder {
public:
  explicit ScratchFolder(const llvm::Twine &Prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  std::string path(const llvm::Twine &Name) const;

private:
  std::string Path;
};

/// The kernels as functions of this process, while it lives.
class HostLibrary {
public:
  /// \p Text is what kernels print. \p Swaps change what the host computes.
  static llvm::Expected<std::unique_ptr<HostLibrary>>
  compile(llvm::StringRef Text, llvm::ArrayRef<Swap> Swaps = {});
  ~HostLibrary();

  FuzzKernelFn find(const std::string &Name) const;

private:
  explicit HostLibrary(void *Handle) : Handle(Handle) {}
  void *Handle;
};

/// Text of a file that clang compiles for either side.
std::string sourceOf(llvm::ArrayRef<const Kernel *> Kernels);

/// Bitcode for the device, which \p V is to be made of; \p CPU is sm_NN.
llvm::Expected<std::string>
compileToBitcode(llvm::StringRef Source, const Variant &V, llvm::StringRef CPU);

/// PTX in the form that \p V asks for. \p Kernels are those of \p Bitcode, for
/// the extents of their CTAs.
llvm::Expected<std::string> generatePTX(llvm::StringRef Bitcode,
                                        const Variant &V,
                                        llvm::ArrayRef<const Kernel *> Kernels);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_COMPILE_H
