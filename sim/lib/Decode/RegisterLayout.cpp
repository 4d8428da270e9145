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

#include <map>

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
};

} // namespace

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
        Maps.Registers.insert(Map->Entries.begin(), Map->Entries.end());
    } else {
      Result<void> Ok = addStatement(*D, Maps.Kernel, Maps.Facts);
      if (!Ok)
        return At(Ok.error());
    }
  }
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
  for (const ptx::Register &R : F.Registers) {
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
  return L;
}

} // namespace regshare::sim
