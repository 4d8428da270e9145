//===- RegisterLayout.cpp - Places of PTX registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Statements.h"

#include <map>
#include <tuple>

namespace regshare::sim {

RegisterLayout layoutVirtual(const ptx::Function &F) {
  RegisterLayout L;
  for (const ptx::Register &R : F.Registers) {
    if (R.Type == ScalarType::Pred) {
      L.Places.push_back(L.NumPreds++);
    } else {
      L.Places.push_back(L.NumRows);
      L.NumRows += rowsOf(R.Type);
    }
  }
  L.RegsPerThread = L.NumRows;
  return L;
}

bool hasRegisterMap(const ptx::Function &F) {
  for (const ptx::Pragma &P : F.Pragmas)
    if (isStatement(P.Text))
      return true;
  return false;
}

namespace {

/// The maps of a function: its own, and by pragma those of inline PTX.
struct FunctionMaps {
  KernelDescriptor Kernel;
  SchemeFacts Facts;
  std::map<std::string, ArchReg, std::less<>> Registers;
  std::map<size_t, RegisterMap> Temps;
  std::map<std::string, NativePlace, std::less<>> Values; ///< No registers.
  std::optional<unsigned> HardwareInstructions;
  std::vector<NativeStatements> Native;
  /// The first statement that only native code has.
  unsigned FirstNative = 0;
};

} // namespace

/// `regshare.issue` and `regshare.scratch`: what they say of one instruction.
static Result<void> readBefore(FunctionMaps &Maps, const Statement &D,
                               const ptx::Pragma &P) {
  if (Maps.Native.empty() || Maps.Native.back().Before != P.Before)
    Maps.Native.push_back({P.Before, P.Line, {}, {}});
  NativeStatements &Said = Maps.Native.back();
  if (D.Verb == "issue") {
    Result<unsigned> Slots = parseIssue(D);
    if (!Slots)
      return fail(Slots.error());
    if (Said.Slots || !Said.Scratch.empty())
      return failAt(D, "stands once before an instruction, and before "
                       "regshare.scratch");
    Said.Slots = *Slots;
    return {};
  }
  Result<std::vector<unsigned>> Scratch = parseScratch(D, Maps.Kernel);
  if (!Scratch)
    return fail(Scratch.error());
  if (!Said.Scratch.empty())
    return failAt(D, "stands once before an instruction");
  Said.Scratch = std::move(*Scratch);
  return {};
}

static Result<void> readNative(FunctionMaps &Maps, const Statement &D,
                               const ptx::Pragma &P) {
  if (D.Verb != "native") {
    if (!Maps.FirstNative)
      Maps.FirstNative = P.Line;
    return readBefore(Maps, D, P);
  }
  Result<unsigned> Instructions = parseNative(D);
  if (!Instructions)
    return fail(Instructions.error());
  if (Maps.HardwareInstructions)
    return failAt(D, "a function says it once");
  Maps.HardwareInstructions = *Instructions;
  return {};
}

static void addMap(FunctionMaps &Maps, const RegisterMap &Map, unsigned Line) {
  Maps.Registers.insert(Map.Entries.begin(), Map.Entries.end());
  for (const std::string &Name : Map.Constants)
    Maps.Values.emplace(Name, NativePlace::Constant);
  for (const std::string &Name : Map.Folded)
    Maps.Values.emplace(Name, NativePlace::Folded);
  if (!Maps.Values.empty() && !Maps.FirstNative)
    Maps.FirstNative = Line;
}

static Result<FunctionMaps> readMaps(const ptx::Function &F) {
  FunctionMaps Maps;
  for (size_t N = 0; N != F.Pragmas.size(); ++N) {
    const ptx::Pragma &P = F.Pragmas[N];
    if (!isStatement(P.Text))
      continue;
    auto At = [&](Diagnostic D) {
      D.Line = P.Line;
      return fail(std::move(D));
    };
    Result<Statement> D = parseStatement(P.Text);
    if (!D)
      return At(D.error());
    if (D->Verb == "kernel") {
      Result<KernelDescriptor> Kernel = parseDescriptor(*D);
      if (!Kernel)
        return At(Kernel.error());
      Maps.Kernel = *Kernel;
    } else if (D->Verb == "map" || D->Verb == "temps") {
      Result<RegisterMap> Map = parseMap(*D);
      if (!Map)
        return At(Map.error());
      if (D->Verb == "temps")
        Maps.Temps[N] = std::move(*Map);
      else
        addMap(Maps, *Map, P.Line);
    } else if (D->Verb == "native" || D->Verb == "issue" ||
               D->Verb == "scratch") {
      if (Result<void> Ok = readNative(Maps, *D, P); !Ok)
        return At(Ok.error());
    } else {
      Result<void> Ok = addStatement(*D, Maps.Kernel, Maps.Facts);
      if (!Ok)
        return At(Ok.error());
    }
  }
  if (Maps.FirstNative && !Maps.HardwareInstructions)
    return fail(Diagnostic{"places C and F, regshare.issue and "
                           "regshare.scratch are native code's: it says "
                           "regshare.native",
                           {},
                           Maps.FirstNative,
                           0});
  return Maps;
}

/// The register of \p R: a block's own registers are in the last
/// `regshare.temps` before their declaration.
static std::optional<ArchReg> lookUp(const FunctionMaps &Maps,
                                     const ptx::Register &R) {
  if (R.InBlock) {
    auto It = Maps.Temps.lower_bound(R.PragmasBefore);
    if (It == Maps.Temps.begin())
      return std::nullopt;
    return std::prev(It)->second.find(R.Name);
  }
  auto It = Maps.Registers.find(R.Name);
  if (It == Maps.Registers.end())
    return std::nullopt;
  return It->second;
}

/// LLVM's names for the address of a function's local memory, which is known
/// when the thread starts and takes no architected register.
static bool holdsFrameAddress(const ptx::Register &R) {
  return R.Name == "%SP" || R.Name == "%SPL";
}

Result<RegisterLayout> layoutArchitected(const ptx::Function &F) {
  Result<FunctionMaps> Maps = readMaps(F);
  if (!Maps)
    return tl::make_unexpected(Maps.error());
  RegisterLayout L;
  L.NumRows = L.RegsPerThread = Maps->Kernel.Regs;
  L.NumPreds = 1 + Maps->Kernel.Preds;
  L.Scheme = Maps->Kernel.Scheme;
  L.Facts = Maps->Facts;
  if (Maps->HardwareInstructions) {
    L.Native = {*Maps->HardwareInstructions, {}, std::move(Maps->Native)};
    L.Native->PlaceOf.resize(F.Registers.size());
  }
  for (const ptx::Register &R : F.Registers) {
    if (auto It = Maps->Values.find(R.Name);
        It != Maps->Values.end() && !R.InBlock) {
      if (It->second == NativePlace::Constant && R.Type == ScalarType::Pred)
        return fail("predicate '" + R.Name + "' of '" + F.Name +
                    "' is no constant operand");
      L.Native->PlaceOf[L.Places.size()] = It->second;
      L.Places.push_back(NoPlace);
      continue;
    }
    std::optional<ArchReg> Reg = lookUp(*Maps, R);
    if (!Reg && holdsFrameAddress(R)) {
      L.Places.push_back(L.NumRows);
      L.NumRows += rowsOf(R.Type);
      continue;
    }
    if (!Reg) {
      // Only an error if an instruction names it.
      L.Places.push_back(NoPlace);
      continue;
    }
    bool Pred = R.Type == ScalarType::Pred;
    if (Pred != Reg->isPred() || Reg->units() < rowsOf(R.Type))
      return fail("register '" + R.Name + "' of '" + F.Name +
                  "' does not fit in " + Reg->name());
    uint32_t End = Reg->Index + (Pred ? 1 : Reg->units());
    if (End > (Pred ? Maps->Kernel.Preds : Maps->Kernel.Regs))
      return fail("register '" + R.Name + "' of '" + F.Name + "' is in " +
                  Reg->name() + ", beyond what the kernel's descriptor names");
    // Predicate 0 is the constant.
    L.Places.push_back(Reg->Index + (Pred ? 1 : 0));
  }
  if (L.Native)
    std::tie(L.NumRows, L.NumPreds) =
        placeFolded(F, *L.Native, L.NumRows, L.NumPreds, L.Places);
  return L;
}

} // namespace regshare::sim
