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

#include <algorithm>
#include <map>
#include <set>
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
  unsigned KernelLine = 0; ///< Of its descriptor; 0: there is none yet.
  SchemeFacts Facts;
  std::map<std::string, ArchReg, std::less<>> Registers;
  std::map<size_t, RegisterMap> Temps;
  std::map<std::string, NativePlace, std::less<>> Values; ///< No registers.
  std::map<std::string, unsigned, std::less<>> Uniform;   ///< First units.
  /// Of each mapped register: its place as the map has it, and the line.
  std::map<std::string, std::pair<std::string, unsigned>, std::less<>> Said;
  std::optional<NativeFacts> SaysNative;
  std::vector<NativeStatements> Native;
  /// The first statement that only native code has.
  unsigned FirstNative = 0;
};

} // namespace

/// A statement of one instruction.
static Result<void> readBefore(FunctionMaps &Maps, const Statement &D,
                               const ptx::Pragma &P) {
  if (Maps.Native.empty() || Maps.Native.back().Before != P.Before)
    Maps.Native.push_back({P.Before, P.Line});
  NativeStatements &Said = Maps.Native.back();
  if (D.Verb == "control") {
    Result<Control> C = parseControl(D);
    if (!C)
      return fail(C.error());
    if (Said.Says || Said.Reuse || Said.Slots || !Said.Scratch.empty())
      return failAt(D, "stands once before an instruction, and before "
                       "regshare.reuse, regshare.issue and regshare.scratch");
    Said.Says = *C;
    return {};
  }
  if (D.Verb == "reuse") {
    Result<unsigned> Slots = parseReuse(D);
    if (!Slots)
      return fail(Slots.error());
    if (Said.Reuse || Said.Slots || !Said.Scratch.empty())
      return failAt(D, "stands once before an instruction, and before "
                       "regshare.issue and regshare.scratch");
    Said.Reuse = *Slots;
    return {};
  }
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
  Result<NativeFacts> Facts = parseNative(D, Maps.Kernel);
  if (!Facts)
    return fail(Facts.error());
  if (Maps.SaysNative)
    return failAt(D, "a function says it once");
  Maps.SaysNative = *Facts;
  return {};
}

/// A register has one place.
static Result<void> sayOnce(FunctionMaps &Maps, const Statement &D,
                            unsigned Line) {
  for (const auto &[Name, Place] : D.Fields) {
    auto [It, IsNew] = Maps.Said.try_emplace(Name, Place, Line);
    if (!IsNew)
      return failAt(D, "expected each register once, found " + Name + "=" +
                           Place + " after " + Name + "=" + It->second.first +
                           " in line " + std::to_string(It->second.second));
  }
  return {};
}

static void addMap(FunctionMaps &Maps, const RegisterMap &Map, unsigned Line) {
  Maps.Registers.insert(Map.Entries.begin(), Map.Entries.end());
  for (const std::string &Name : Map.Constants)
    Maps.Values.emplace(Name, NativePlace::Constant);
  for (const std::string &Name : Map.Folded)
    Maps.Values.emplace(Name, NativePlace::Folded);
  for (const auto &[Name, Unit] : Map.Uniform) {
    Maps.Values.emplace(Name, NativePlace::Uniform);
    Maps.Uniform.emplace(Name, Unit);
  }
  if (!Maps.Values.empty() && !Maps.FirstNative)
    Maps.FirstNative = Line;
}

static uint64_t localBytes(const ptx::Function &F) {
  uint64_t Bytes = 0;
  for (const ptx::Variable &V : F.Locals)
    if (V.Where == Space::Local)
      Bytes += V.Size;
  return Bytes;
}

/// The descriptor of \p F: one, of this function, before all else.
static Result<void> readDescriptor(FunctionMaps &Maps, const Statement &D,
                                   const ptx::Function &F,
                                   const ptx::Pragma &P) {
  Result<KernelDescriptor> Kernel = parseDescriptor(D);
  if (!Kernel)
    return fail(Kernel.error());
  if (Maps.KernelLine)
    return failAt(D, "expected one descriptor of '" + F.Name +
                         "', found another after that in line " +
                         std::to_string(Maps.KernelLine));
  if (Kernel->Kernel != F.Name)
    return failAt(D, "expected name=" + F.Name +
                         ", that of the function, "
                         "found name=" +
                         Kernel->Kernel);
  auto IsCode = [](const ptx::Instruction &I) {
    return I.Opcode != "implicit-def";
  };
  auto End = F.Body.begin() + P.Before;
  if (auto First = std::find_if(F.Body.begin(), End, IsCode); First != End)
    return failAt(D, "expected before all instructions, found after that in "
                     "line " +
                         std::to_string(First->Line));
  if (Kernel->LocalBytes != localBytes(F))
    return failAt(D, "expected local=" + std::to_string(localBytes(F)) +
                         ", what the function declares, found local=" +
                         std::to_string(Kernel->LocalBytes));
  Maps.Kernel = *Kernel;
  Maps.KernelLine = P.Line;
  return {};
}

static Result<void> readMap(FunctionMaps &Maps, const Statement &D,
                            const ptx::Pragma &P, size_t Number) {
  Result<RegisterMap> Map = parseMap(D);
  if (!Map)
    return fail(Map.error());
  if (D.Verb == "temps") {
    Maps.Temps[Number] = std::move(*Map);
    return {};
  }
  if (Result<void> Ok = sayOnce(Maps, D, P.Line); !Ok)
    return Ok;
  addMap(Maps, *Map, P.Line);
  return {};
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
    if (D->Verb != "kernel" && !Maps.KernelLine)
      return At({"regshare." + D->Verb +
                     ": expected regshare.kernel, a function's first "
                     "statement, before it",
                 {},
                 0,
                 0});
    if (D->Verb == "kernel") {
      if (Result<void> Ok = readDescriptor(Maps, *D, F, P); !Ok)
        return At(Ok.error());
    } else if (D->Verb == "map" || D->Verb == "temps") {
      if (Result<void> Ok = readMap(Maps, *D, P, N); !Ok)
        return At(Ok.error());
    } else if (D->Verb == "native" || isOfInstruction(D->Verb)) {
      if (Result<void> Ok = readNative(Maps, *D, P); !Ok)
        return At(Ok.error());
    } else {
      Result<void> Ok = addStatement(*D, Maps.Kernel, Maps.Facts);
      if (!Ok)
        return At(Ok.error());
    }
  }
  if (Maps.FirstNative && !Maps.SaysNative)
    return fail(Diagnostic{
        "places C, F and U, regshare.control, "
        "regshare.reuse, regshare.issue and regshare.scratch are native "
        "code's: it says "
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

/// A map speaks of registers that the function has.
static Result<void> allDeclared(const FunctionMaps &Maps,
                                const ptx::Function &F) {
  std::set<std::string_view> Declared;
  for (const ptx::Register &R : F.Registers)
    Declared.insert(R.Name);
  for (const auto &[Name, Said] : Maps.Said)
    if (!Declared.count(Name))
      return fail(Diagnostic{"regshare.map: " + Name + "=" + Said.first +
                                 ": expected a register of '" + F.Name +
                                 "', found none of that name",
                             {},
                             Said.second,
                             0});
  return {};
}

/// Whether \p Reg, its place in the map, suits \p R and the kernel.
static Result<void> checkPlace(const FunctionMaps &Maps, const ptx::Function &F,
                               const ptx::Register &R, ArchReg Reg) {
  bool Pred = R.Type == ScalarType::Pred;
  auto Refuse = [&](const std::string &Why) {
    unsigned Line =
        R.InBlock ? Maps.KernelLine : Maps.Said.find(R.Name)->second.second;
    return fail(Diagnostic{
        "register '" + R.Name + "' of '" + F.Name + "' " + Why, {}, Line, 0});
  };
  if (Pred != Reg.isPred() || (!Pred && Reg.units() != rowsOf(R.Type)))
    return Refuse(
        "does not fit in " + Reg.name() + ": expected " +
        (Pred ? "a predicate"
              : std::to_string(rowsOf(R.Type)) + " units of a register"));
  if (!Pred && Maps.SaysNative && Reg.Index < Maps.SaysNative->Reserved)
    return Refuse("is in " + Reg.name() + ", which regshare.native reserves");
  uint32_t End = Reg.Index + (Pred ? 1 : Reg.units());
  if (End > (Pred ? Maps.Kernel.Preds : Maps.Kernel.Regs))
    return Refuse("is in " + Reg.name() +
                  ", beyond what the kernel's descriptor names");
  return {};
}

/// Gives \p R, register \p Number of \p F, its uniform registers from \p Unit
/// on. Several may have the same; a pair is aligned as others are.
static Result<void> addUniform(const ptx::Function &F, const ptx::Register &R,
                               size_t Number, unsigned Unit,
                               NativeLayout &Native) {
  unsigned Units = rowsOf(R.Type);
  if (R.Type == ScalarType::Pred || Units > 2 || Unit % Units ||
      Unit + Units > MaxUniformUnits)
    return fail("register '" + R.Name + "' of '" + F.Name +
                "' does not fit in U" + std::to_string(Unit) +
                ": expected one of 32 bits, or of 64 at an even number");
  Native.UniformUnits.resize(F.Registers.size(), NoPlace);
  Native.UniformUnits[Number] = Unit;
  Native.NumUniform = std::max(Native.NumUniform, Unit + Units);
  return {};
}

/// Uniform registers are rows beyond a thread's.
static void placeUniform(RegisterLayout &L) {
  for (size_t R = 0; R != L.Native->UniformUnits.size(); ++R)
    if (uint32_t Unit = L.Native->UniformUnits[R]; Unit != NoPlace)
      L.Places[R] = L.NumRows + Unit;
  L.NumRows += L.Native->NumUniform;
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
  L.SharedBytes = Maps->Kernel.SharedBytes;
  L.DescriptorLine = Maps->KernelLine;
  if (Maps->SaysNative) {
    L.Native = {Maps->SaysNative->Instructions, {}, std::move(Maps->Native)};
    L.Native->PlaceOf.resize(F.Registers.size());
  }
  for (const ptx::Register &R : F.Registers) {
    if (auto It = Maps->Values.find(R.Name);
        It != Maps->Values.end() && !R.InBlock) {
      if (It->second == NativePlace::Constant && R.Type == ScalarType::Pred)
        return fail("predicate '" + R.Name + "' of '" + F.Name +
                    "' is no constant operand");
      if (auto U = Maps->Uniform.find(R.Name); U != Maps->Uniform.end())
        if (Result<void> Ok =
                addUniform(F, R, L.Places.size(), U->second, *L.Native);
            !Ok)
          return tl::make_unexpected(Ok.error());
      L.Native->PlaceOf[L.Places.size()] = It->second;
      L.Places.push_back(NoPlace);
      continue;
    }
    std::optional<ArchReg> Reg = lookUp(*Maps, R);
    if (!Reg && L.Native && F.IsEntry && R.Name == "%SPL") {
      // The same for all threads.
      L.Native->PlaceOf[L.Places.size()] = NativePlace::Constant;
      L.Places.push_back(NoPlace);
      continue;
    }
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
    if (Result<void> Ok = checkPlace(*Maps, F, R, *Reg); !Ok)
      return tl::make_unexpected(Ok.error());
    // Predicate 0 is the constant.
    L.Places.push_back(Reg->Index + (Reg->isPred() ? 1 : 0));
  }
  if (Result<void> Ok = allDeclared(*Maps, F); !Ok)
    return tl::make_unexpected(Ok.error());
  if (L.Native) {
    placeUniform(L);
    std::tie(L.NumRows, L.NumPreds) =
        placeFolded(F, *L.Native, L.NumRows, L.NumPreds, L.Places);
  }
  return L;
}

} // namespace regshare::sim
