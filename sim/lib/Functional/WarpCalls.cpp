//===- WarpCalls.cpp - Calls, own functions, violations -*- C++ -*---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printf.h"
#include "Texture/TextureFetch.h"
#include "Warp.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>

namespace regshare::sim {

StepStatus Warp::call(const Inst &I) {
  StackEntry &Top = Stack.back();
  if (!C.Mask) {
    ++Top.Pc;
    return Top.Pc == Top.Reconverge ? afterStep() : StepStatus::Ran;
  }
  const CallSite &Site = Frames.back().Fn->Calls[I.Target];
  uint32_t Callee = Site.Callee, Mask = C.Mask;
  if (Callee == NoTarget) {
    unsigned First = std::countr_zero(Mask);
    const uint32_t *Row = C.row(I.Ops[0]);
    uint64_t Address = Row[First] | uint64_t(Row[First + WarpSize]) << 32;
    Callee = uint32_t((Address - FunctionBase) / FunctionStride);
    if (Address < FunctionBase || Callee >= L.P.Functions.size())
      return fail("indirect call of something that is not a function", First,
                  ErrorKind::InvalidCall);
    uint32_t Same = 0;
    for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
      unsigned Lane = std::countr_zero(Rest);
      if (Row[Lane] == Row[First])
        Same |= 1u << Lane;
    }
    if (Same != Top.Mask) {
      // The other lanes come back to this instruction for their own target.
      uint32_t Pc = Top.Pc, Others = Mask & ~Same;
      Top.Pc = Pc + 1;
      if (Others)
        Stack.push_back({Others, Pc, Pc + 1});
      Stack.push_back({Same, Pc, Pc + 1});
      Mask = Same;
    }
  }
  const Function &Fn = *L.P.Functions[Callee];
  ++Stack.back().Pc;
  if (Fn.Kind != DeviceCall::None) {
    C.Mask = Mask;
    StepStatus Status = builtin(Fn, Site);
    return Status == StepStatus::Ran &&
                   Stack.back().Pc == Stack.back().Reconverge
               ? afterStep()
               : Status;
  }
  if (Fn.Code.empty())
    return fail("call of '" + Fn.Name + "', which has no body",
                std::countr_zero(Mask));
  uint32_t CallerBase = Frames.back().LocalBase;
  if (Local.size() / WarpSize + Fn.LocalBytes > L.Options.MaxLocalBytes)
    return fail("stack overflow: local memory exceeds " +
                    std::to_string(L.Options.MaxLocalBytes) + " bytes a thread",
                std::countr_zero(Mask), ErrorKind::StackOverflow);
  pushFrame(Fn, &Site, Mask);
  copyParams(Site.Arguments, CallerBase, Fn.Params, C.FrameBase, Mask);
  return StepStatus::Ran;
}

/// The first free byte of each lane's stack, which grows upwards from the end
/// of what the frame has by itself.
std::array<uint32_t, WarpSize> &Warp::topsOfStack() {
  if (Tops.empty() || Tops.back().Frame + 1 != Frames.size()) {
    const Frame &F = Frames.back();
    Tops.push_back({Frames.size() - 1, {}});
    Tops.back().Tops.fill(F.LocalBase + F.Fn->LocalBytes);
  }
  return Tops.back().Tops;
}

StepStatus Warp::allocate(uint64_t Bytes, uint64_t Alignment, unsigned Lane,
                          uint64_t &Place) {
  const Frame &F = Frames.back();
  const uint64_t End = L.Kernel.LocalBytes + uint64_t(L.Config.StackBytes);
  uint32_t &Top = topsOfStack()[Lane];
  Place = (Top + Alignment - 1) & ~(Alignment - 1);
  if (Place > End || Bytes > End - Place)
    return fail("stack overflow: no room for " + std::to_string(Bytes) +
                    " bytes, " +
                    std::to_string(Top - F.LocalBase - F.Fn->LocalBytes) +
                    " of the " + std::to_string(L.Config.StackBytes) +
                    " of a thread's stack are in use; cudaDeviceSetLimit with "
                    "cudaLimitStackSize says how many there are",
                Lane, ErrorKind::StackOverflow);
  Top = uint32_t(Place + Bytes);
  if (Top > C.Local.Bytes) {
    Local.resize((size_t(Top) + 15) / 16 * 16 * WarpSize);
    bindFrame(F);
  }
  return StepStatus::Ran;
}

StepStatus Warp::restoreStack(uint64_t Place, unsigned Lane) {
  const Frame &F = Frames.back();
  uint64_t First = F.LocalBase + F.Fn->LocalBytes;
  uint32_t &Top = topsOfStack()[Lane];
  if (Place < First || Place > Top)
    return fail("stackrestore to byte " + std::to_string(Place) +
                    " of local memory: expected a place in the frame's stack, "
                    "which is from " +
                    std::to_string(First) + " to " + std::to_string(Top),
                Lane, ErrorKind::IllegalAddress);
  Top = uint32_t(Place);
  return StepStatus::Ran;
}

StepStatus Warp::stack(const Inst &I) {
  const bool IsWide = I.Size == 8;
  const uint32_t *From = C.row(I.Ops[1]);
  StepStatus Status = StepStatus::Ran;
  for (uint32_t Rest = C.Mask; Rest && Status == StepStatus::Ran;
       Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    auto Source = [&] {
      return From[Lane] | (IsWide ? uint64_t(From[Lane + WarpSize]) << 32 : 0);
    };
    uint64_t Result = 0;
    switch (StackOp(I.Imm)) {
    case StackOp::Restore:
      Status = restoreStack(Source(), Lane);
      continue;
    case StackOp::Allocate:
      Status = allocate(Source(), uint64_t(1) << I.Round, Lane, Result);
      break;
    case StackOp::Save:
      Result = topsOfStack()[Lane];
      break;
    }
    C.dest(I.Ops[0])[Lane] = uint32_t(Result);
    if (IsWide)
      C.dest(I.Ops[0])[Lane + WarpSize] = 0;
  }
  return Status;
}

uint64_t Warp::readParam(const ParamSlot &Slot, unsigned Lane) const {
  uint64_t Value = 0;
  for (unsigned W = 0; W * 4 < Slot.Size && W < 2; ++W) {
    uint32_t Word;
    std::memcpy(&Word,
                C.Local.Data +
                    size_t(C.FrameBase + Slot.Offset + 4 * W) * WarpSize +
                    4 * Lane,
                4);
    Value |= uint64_t(Word) << 32 * W;
  }
  return Value;
}

void Warp::writeParam(const ParamSlot &Slot, unsigned Lane, uint64_t Value) {
  for (unsigned W = 0; W * 4 < Slot.Size && W < 2; ++W) {
    auto Word = uint32_t(Value >> 32 * W);
    std::memcpy(C.Local.Data +
                    size_t(C.FrameBase + Slot.Offset + 4 * W) * WarpSize +
                    4 * Lane,
                &Word, 4);
  }
}

/// Calls \p Copy with the host's address of each piece of \p Size bytes of a
/// thread's shared or local memory, where the piece begins among them, and its
/// size. False if they do not all lie there, nothing if \p Address is in
/// neither.
template <typename CopyT>
static std::optional<bool> accessWindow(ExecContext &C, uint64_t Address,
                                        unsigned Lane, unsigned Size,
                                        CopyT Copy) {
  uint64_t Window = Address & ~(WindowSize - 1);
  uint64_t Offset = Address - Window;
  if (Window == LocalWindow) {
    if (Offset + Size > C.Local.Bytes)
      return false;
    for (unsigned K = 0; K != Size; ++K, ++Offset)
      Copy(C.Local.Data + Offset / 4 * 4 * WarpSize + Lane * 4 + Offset % 4, K,
           1);
    return true;
  }
  if (Window != SharedWindow)
    return std::nullopt;
  if (Offset + Size > C.SharedBytes)
    return false;
  Copy(C.Shared + Offset, 0, Size);
  return true;
}

/// Reads memory on behalf of a thread, through its windows.
bool Warp::readGeneric(uint64_t Address, unsigned Lane, void *To,
                       unsigned Size) {
  auto *Out = static_cast<uint8_t *>(To);
  auto Copy = [&](const uint8_t *Piece, unsigned At, unsigned Bytes) {
    std::memcpy(Out + At, Piece, Bytes);
  };
  if (std::optional<bool> Done = accessWindow(C, Address, Lane, Size, Copy))
    return *Done;
  return L.Memory.read(Address, To, Size);
}

/// The same for writing.
bool Warp::writeGeneric(uint64_t Address, unsigned Lane, const void *From,
                        unsigned Size) {
  const auto *In = static_cast<const uint8_t *>(From);
  auto Copy = [&](uint8_t *Piece, unsigned At, unsigned Bytes) {
    std::memcpy(Piece, In + At, Bytes);
  };
  if (std::optional<bool> Done = accessWindow(C, Address, Lane, Size, Copy))
    return *Done;
  return L.Memory.write(Address, From, Size);
}

bool Warp::readString(uint64_t Address, unsigned Lane, std::string &Out) {
  for (char Ch;; ++Address) {
    if (!readGeneric(Address, Lane, &Ch, 1))
      return false;
    if (!Ch)
      return true;
    Out += Ch;
  }
}

StepStatus Warp::printFormatted(const CallSite &Site) {
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    std::string Format, Text;
    if (!readString(readParam(Site.Arguments[0], Lane), Lane, Format))
      return fail("vprintf with a bad format address", Lane);
    uint64_t Arguments = readParam(Site.Arguments[1], Lane);
    int Count = formatDevicePrintf(
        Format, Arguments,
        [&](uint64_t Address, void *To, unsigned Size) {
          return readGeneric(Address, Lane, To, Size);
        },
        [&](uint64_t Address, std::string &Out) {
          return readString(Address, Lane, Out);
        },
        Text);
    if (Count < 0)
      return fail("vprintf with arguments that are not in memory", Lane);
    if (L.Options.Output)
      L.Options.Output(Text);
    else
      std::fwrite(Text.data(), 1, Text.size(), stdout);
    if (!Site.Results.empty())
      writeParam(Site.Results[0], Lane, uint64_t(Count));
  }
  return StepStatus::Ran;
}

StepStatus Warp::builtin(const Function &Fn, const CallSite &Site) {
  if (Fn.Kind == DeviceCall::Vprintf)
    return printFormatted(Site);
  if (Fn.Kind > DeviceCall::AssertFail)
    return callRuntime(Fn, Site);
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    uint64_t First = readParam(Site.Arguments[0], Lane);
    if (Fn.Kind == DeviceCall::Malloc) {
      uint64_t Address =
          First ? L.Memory.allocate(First, "device heap block") : 0;
      if (!Site.Results.empty())
        writeParam(Site.Results[0], Lane, Address);
    } else if (Fn.Kind == DeviceCall::Free) {
      if (First && !L.Memory.free(First))
        return fail("free() of an address that malloc() did not return, or "
                    "twice",
                    Lane);
    } else {
      std::string Message, File, Where;
      readString(First, Lane, Message);
      readString(readParam(Site.Arguments[1], Lane), Lane, File);
      readString(readParam(Site.Arguments[3], Lane), Lane, Where);
      return fail("assertion '" + Message + "' failed: " + File + ":" +
                      std::to_string(readParam(Site.Arguments[2], Lane)) +
                      ": " + Where,
                  Lane, ErrorKind::Assertion);
    }
  }
  return StepStatus::Ran;
}

std::string Warp::threadName(unsigned Lane) const {
  uint32_t T = Id * WarpSize + Lane;
  const Dim3 &B = L.Config.Block;
  return "(" + std::to_string(T % B.X) + "," + std::to_string(T / B.X % B.Y) +
         "," + std::to_string(T / B.X / B.Y) + ")";
}

std::string Warp::describePlace(const Program &P, const Function &Fn,
                                const Inst &I) {
  const ptx::Instruction &S = Fn.Syntax->Body[I.Source];
  std::string Source = P.Syntax.describeLocation(S.Location);
  return "PTX line " + std::to_string(S.Line) + ": '" + std::string(S.Text) +
         "'" + (Source.empty() ? "" : " (" + Source + ")");
}

std::string Warp::where() const {
  return Last ? describePlace(L.P, *LastFunction, *Last)
              : describePlace(L.P, L.Kernel, L.Kernel.Code[0]);
}

std::string Warp::whereNext() const {
  return describePlace(L.P, function(), function().Code[pc()]);
}

unsigned Warp::nextLine() const {
  return function().Syntax->Body[function().Code[pc()].Source].Line;
}

unsigned Warp::line() const {
  return Last ? LastFunction->Syntax->Body[Last->Source].Line : 0;
}

std::string Warp::describe(const std::string &Rule, const std::string &Lane,
                           const CodePlace &Place) const {
  Dim3 I = Owner.index();
  return Rule + "\n  kernel '" + L.Kernel.Name + "', CTA (" +
         std::to_string(I.X) + "," + std::to_string(I.Y) + "," +
         std::to_string(I.Z) + "), warp " + std::to_string(Id) + Lane +
         "\n  at " + describePlace(L.P, *Place.In, *Place.At);
}

/// Of the last instruction; \p Lane is text that follows the warp's number.
void Warp::report(const std::string &Rule, const std::string &Lane) {
  L.Error = describe(
      Rule, Lane, Last ? lastPlace() : CodePlace{&L.Kernel, &L.Kernel.Code[0]});
  L.ErrorLine = line();
}

StepStatus Warp::fail(const std::string &Rule, unsigned Lane, ErrorKind Kind) {
  L.KindOfError = Kind;
  report(Rule, ", lane " + std::to_string(Lane) + " (thread " +
                   threadName(Lane) + ")");
  return StepStatus::Failed;
}

void Warp::fail(const std::string &Rule, const CodePlace &Cause) {
  Last = Cause.At;
  LastFunction = Cause.In;
  report(Rule, "");
}

/// The guard, and what a folded guard is made of, is read by all lanes of the
/// entry, other operands by those the guard lets through.
StepStatus Warp::failUnwritten(const Inst &I, uint32_t Mask) {
  const Function &Fn = *Frames.back().Fn;
  WarpRules *Own = Fn.Rules ? &rulesOf(*Fn.Rules) : nullptr;
  unsigned GuardReads = 0, OwnReads = I.NumReads;
  if (I.Guard != PredTrue && I.NumReads)
    GuardReads =
        Fn.Accesses[I.FirstAccess] == Fn.NumRows + (I.Guard & ~PredNegated);
  if (I.Attention & AttendNative) {
    Mask = computeFolded(I);
    if (I.Guard != PredTrue && !GuardReads)
      OwnReads = nativeOf(I).OwnReads;
  }
  if (I.Attention & AttendBefore)
    if (std::optional<Violation> V = Own->unwritten(I))
      return fail(*V);
  for (unsigned K = 0; K != I.NumReads; ++K) {
    uint32_t Access = Fn.Accesses[I.FirstAccess + K];
    bool Guard = K < GuardReads || K >= OwnReads;
    uint32_t Bad = ~Written[Access] & (Guard ? Stack.back().Mask : Mask);
    if (!Bad || (Own && Own->provides(I, Access)))
      continue;
    if (Access >= Fn.firstUniform())
      return fail("read of a uniform register by a thread that was elsewhere "
                  "when it was written (" +
                      Fn.nameOf(Access) + ")",
                  std::countr_zero(Bad));
    bool Pred = Access >= Fn.NumRows;
    std::string Name = Pred ? "predicate" : "register";
    std::string Since = Own ? Own->lostSince(Access) : "";
    return fail("read of a " + Name + " that was never written" + Since + " (" +
                    Fn.nameOf(Access) + ")",
                std::countr_zero(Bad));
  }
  return StepStatus::Ran;
}

/// Of a fetch through a handle that is no texture's, or not one of its shape.
Warp::AccessFault Warp::explainTexture(const Inst &I) const {
  auto Op = TextureOp::unpack(I.Imm);
  std::string What = Op.IsSurface ? "surface access" : "texture fetch";
  std::string Rule =
      What + " through the handle " + std::to_string(C.F.Address);
  const TextureDescription *T = L.Memory.textures().find(C.F.Address);
  if (std::string Name = T ? "" : L.Memory.nameOf(C.F.Address); !Name.empty())
    return {What + " through " + Name + ", to which nothing is bound"};
  if (!T)
    return {Rule + ", which is no texture or surface object"};
  if (C.F.Kind == FaultKind::BeyondSurface)
    return {Rule + " is beyond the edge: there are " +
                std::to_string(T->Width * T->Format.bytes()) +
                " bytes in a row, " + std::to_string(T->Height) + " rows, " +
                std::to_string(T->Depth) + " slices",
            ErrorKind::IllegalAddress};
  auto NameOf = [](TextureShape Shape, bool IsSurface) {
    return "a " + std::string(textureShapeName(Shape)) +
           (IsSurface ? " surface" : " texture");
  };
  return {Rule + ", which is " + NameOf(T->Shape, T->IsSurface) +
          "; the instruction is for " + NameOf(Op.Shape, Op.IsSurface) +
          (Op.HasIndices ? " by indices" : " by coordinates")};
}

/// What is wrong with the access that has faulted.
Warp::AccessFault Warp::explainAccess(const Inst &I) const {
  const Fault &F = C.F;
  char Address[32];
  std::snprintf(Address, sizeof(Address), "0x%llx",
                static_cast<unsigned long long>(F.Address));
  unsigned Bytes = I.Op == OpClass::Matrix ? C.TexelBytes : I.Size * I.Count;
  bool Global = F.Where == Space::Global || F.Where == Space::Const;
  std::string Place(F.Where == Space::Param ? "parameter" : spaceName(F.Where));
  bool Writes = I.isCopy() ? F.Where == Space::Shared : I.IsStore;
  std::string Access = std::string(I.IsAtomic ? "atomic access to "
                                   : Writes   ? "write of "
                                              : "read of ") +
                       std::to_string(Bytes) +
                       (Bytes == 1 ? " byte at " : " bytes at ") + Address +
                       " in " + Place + " memory";
  switch (F.Kind) {
  case FaultKind::OutOfBounds: {
    uint32_t Size = F.Where == Space::Shared  ? C.SharedBytes
                    : F.Where == Space::Local ? C.Local.Bytes
                                              : C.ParamBytes;
    if (!Global)
      return {"out-of-bounds " + Access + ": there are " +
                  std::to_string(Size) + " bytes",
              ErrorKind::IllegalAddress};
    std::string Rule = L.Memory.isFreed(F.Address) ? "use of freed memory: "
                       : F.Address < 4096          ? "null pointer: "
                                                   : "out-of-bounds ";
    return {Rule + Access + ": " + L.Memory.explain(F.Address, Bytes),
            ErrorKind::IllegalAddress};
  }
  case FaultKind::Misaligned:
    return {"misaligned " + Access + ": the address has to be a multiple of " +
                std::to_string(Bytes),
            ErrorKind::MisalignedAddress};
  case FaultKind::ReadOnlyWrite:
    return {Access + ", which is read-only" +
                (Global ? ": " + L.Memory.nameOf(F.Address) : ""),
            ErrorKind::IllegalAddress};
  case FaultKind::NoTexture:
  case FaultKind::BeyondSurface:
    return explainTexture(I);
  default:
    if (LastFunction->Syntax->Body[I.Source].Text.find("mbarrier") !=
        std::string_view::npos)
      return {"there is no mbarrier at " + std::string(Address) +
              " in shared memory, or none that takes the count"};
    return {"unsupported " + Access};
  }
}

StepStatus Warp::failAccess(const Inst &I) {
  AccessFault Why = explainAccess(I);
  return fail(Why.Rule, C.F.Lane, Why.Kind);
}

} // namespace regshare::sim
