//===- Copies.cpp - Moving bytes between host and device -*- C++ -*--------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include "DeviceFacts.h"
#include "Symbols.h"
#include "Texture/Arrays.h"

#include <cstring>

namespace regshare::cudart {

static uint64_t addressOf(const Region &R) {
  return reinterpret_cast<uint64_t>(R.Start);
}

/// Bytes from the first to the last that the region touches.
static uint64_t spanOf(const Region &R, const Extent &E) {
  size_t Rows = (E.Depth - 1) * R.LayerRows + E.Height;
  return (Rows - 1) * R.Pitch + E.Width;
}

/// The device can reach all of the region.
static bool isOnDevice(Runtime &R, const Region &Where, const Extent &E) {
  uint64_t Begin = addressOf(Where);
  const auto *Range = R.Memory->find(Begin);
  return Range && Range->contains(Begin, Begin + spanOf(Where, E));
}

/// The host can reach the region, as far as one knows: it is not the device's
/// own memory, live or freed.
static bool isOnHost(Runtime &R, const Region &Where) {
  if (auto *Found = R.findAllocation(Where.Start))
    return Found->second.Type != cudaMemoryTypeDevice;
  return Where.Start && !R.Memory->isDeviceAddress(addressOf(Where));
}

static bool isUsable(Runtime &R, const Region &Where, const Extent &E,
                     bool Device) {
  return Device ? isOnDevice(R, Where, E) : isOnHost(R, Where);
}

static cudaError_t checkRegion(const Region &Where, const Extent &E) {
  bool Rows = E.Height > 1 || E.Depth > 1;
  return Rows && Where.Pitch < E.Width ? cudaErrorInvalidPitchValue
                                       : cudaSuccess;
}

/// Where the storage of \p Where is in this process.
static uint8_t *storage(Runtime &R, const Region &Where) {
  uint64_t Address = addressOf(Where);
  const auto *Range = R.Memory->find(Address);
  return Range ? Range->host(Address) : reinterpret_cast<uint8_t *>(Address);
}

template <typename Fn>
static void forEachRow(const Extent &E, const Region &Where, Fn &&Body) {
  for (size_t Z = 0; Z != E.Depth; ++Z)
    for (size_t Y = 0; Y != E.Height; ++Y)
      Body(Z, Y, (Z * Where.LayerRows + Y) * Where.Pitch);
}

/// Bytes a second between host and device, each way: PCI Express 3.0, 16 lanes
/// of 8 GT/s, 128 of 130 bits are data.
static constexpr double LinkBandwidth = 16 * 8e9 / 8 * 128 / 130;

/// Puts a copy or fill into simulated time. On the device every byte is read
/// and written at the peak of its memory, and takes no time if that is unknown.
static void takeTime(Runtime &R, Stream &S, Engine Direction, bool IsFill,
                     uint64_t Bytes) {
  CopyRecord Record;
  Record.Direction = Direction;
  Record.IsFill = IsFill;
  Record.Bytes = Bytes;
  double Seconds = 0;
  if (Record.Direction != Engine::OnDevice) {
    Seconds = double(Record.Bytes) / LinkBandwidth;
  } else if (double Bandwidth =
                 DeviceFacts::of(R.Config.Device, *R.Memory).memoryBandwidth();
             Bandwidth > 0) {
    Seconds = double(Record.Bytes) * (Record.IsFill ? 1 : 2) / Bandwidth;
  }
  Record.Stream = S.Number;
  Record.When = R.Clock.run(S, Record.Direction, Seconds);
  R.Log.add(Record);
}

cudaError_t copyRegion(Runtime &R, Stream &S, const Region &To,
                       const Region &From, const Extent &E,
                       cudaMemcpyKind Kind) {
  if (Kind < cudaMemcpyHostToHost || Kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (E.empty())
    return cudaSuccess;
  for (const Region *Side : {&To, &From})
    if (cudaError_t Error = checkRegion(*Side, E); Error != cudaSuccess)
      return Error;
  bool ToDevice =
      Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
  bool FromDevice =
      Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
  if (Kind == cudaMemcpyDefault) {
    ToDevice = !isOnHost(R, To);
    FromDevice = !isOnHost(R, From);
  }
  if (!isUsable(R, To, E, ToDevice) || !isUsable(R, From, E, FromDevice))
    return cudaErrorInvalidValue;
  uint8_t *Target = storage(R, To);
  const uint8_t *Source = storage(R, From);
  forEachRow(E, To, [&](size_t Z, size_t Y, size_t Offset) {
    std::memmove(Target + Offset,
                 Source + (Z * From.LayerRows + Y) * From.Pitch, E.Width);
  });
  if (ToDevice || FromDevice)
    takeTime(R, S,
             !FromDevice ? Engine::ToDevice
             : !ToDevice ? Engine::ToHost
                         : Engine::OnDevice,
             /*IsFill=*/false, E.bytes());
  return cudaSuccess;
}

cudaError_t fillRegion(Runtime &R, Stream &S, const Region &To, const Extent &E,
                       int Value) {
  if (E.empty())
    return cudaSuccess;
  if (cudaError_t Error = checkRegion(To, E); Error != cudaSuccess)
    return Error;
  if (!isOnDevice(R, To, E))
    return cudaErrorInvalidValue;
  uint8_t *Target = storage(R, To);
  forEachRow(E, To, [&](size_t, size_t, size_t Offset) {
    std::memset(Target + Offset, Value, E.Width);
  });
  takeTime(R, S, Engine::OnDevice, /*IsFill=*/true, E.bytes());
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// The general form, in which graphs keep copies and fills
//===----------------------------------------------------------------------===//

/// Bytes of an element of the arrays in the copy, 1 if there is none; 0 if one
/// is no array.
static size_t elementBytes(Runtime &R, const cudaMemcpy3DParms &P) {
  size_t Bytes = 1;
  for (cudaArray_t Array : {P.srcArray, P.dstArray})
    if (Array)
      Bytes = R.Arrays.count(Array) ? Array->Format.bytes() : 0;
  return Bytes;
}

/// One side of a copy: an array, whose positions are in texels, or memory.
static Result<Region> sideOf(Runtime &R, cudaArray_t Array,
                             const cudaPitchedPtr &Ptr, const cudaPos &Pos,
                             const Extent &E) {
  if (Array)
    return regionOf(R, Array, {Pos.x, Pos.y, Pos.z}, E);
  size_t Row = Pos.z * Ptr.ysize + Pos.y;
  return Region{static_cast<char *>(Ptr.ptr) + Row * Ptr.pitch + Pos.x,
                Ptr.pitch, Ptr.ysize};
}

cudaError_t copy(Runtime &R, Stream &S, const cudaMemcpy3DParms &P) {
  size_t Bytes = elementBytes(R, P);
  Extent E{P.extent.width * Bytes, P.extent.height, P.extent.depth};
  Result<Region> To = sideOf(R, P.dstArray, P.dstPtr, P.dstPos, E);
  Result<Region> From = sideOf(R, P.srcArray, P.srcPtr, P.srcPos, E);
  if (!Bytes || !To || !From)
    return cudaErrorInvalidValue;
  return copyRegion(R, S, *To, *From, E, P.kind);
}

cudaError_t checkCopy(Runtime &R, const cudaMemcpy3DParms &P) {
  if (P.kind < cudaMemcpyHostToHost || P.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  size_t Bytes = elementBytes(R, P);
  if (!Bytes)
    return cudaErrorInvalidValue;
  Extent E{P.extent.width * Bytes, P.extent.height, P.extent.depth};
  if (E.empty())
    return cudaSuccess;
  auto CheckSide = [&](cudaArray_t Array, const cudaPitchedPtr &Ptr) {
    if (!Array == !Ptr.ptr)
      return cudaErrorInvalidValue;
    return Array ? cudaSuccess
                 : checkRegion({Ptr.ptr, Ptr.pitch, Ptr.ysize}, E);
  };
  cudaError_t Error = CheckSide(P.srcArray, P.srcPtr);
  return Error == cudaSuccess ? CheckSide(P.dstArray, P.dstPtr) : Error;
}

CopySides sidesOf(Runtime &R, const cudaMemcpy3DParms &P) {
  bool ToHost = !P.dstArray && (P.kind == cudaMemcpyDefault
                                    ? isOnHost(R, {P.dstPtr.ptr, 0, 1})
                                    : P.kind == cudaMemcpyHostToHost ||
                                          P.kind == cudaMemcpyDeviceToHost);
  bool FromHost = !P.srcArray && (P.kind == cudaMemcpyDefault
                                      ? isOnHost(R, {P.srcPtr.ptr, 0, 1})
                                      : P.kind == cudaMemcpyHostToHost ||
                                            P.kind == cudaMemcpyHostToDevice);
  return {!ToHost, !FromHost, P.dstArray != nullptr, P.srcArray != nullptr};
}

cudaError_t checkFill(const cudaMemsetParams &P) {
  bool IsElement =
      P.elementSize == 1 || P.elementSize == 2 || P.elementSize == 4;
  if (!IsElement || !P.dst || reinterpret_cast<uint64_t>(P.dst) % P.elementSize)
    return cudaErrorInvalidValue;
  if (P.height > 1 && P.pitch < P.width * P.elementSize)
    return cudaErrorInvalidPitchValue;
  return cudaSuccess;
}

cudaError_t fill(Runtime &R, Stream &S, const cudaMemsetParams &P) {
  Region To{P.dst, P.pitch, P.height};
  Extent E{P.width * P.elementSize, P.height};
  // As a fill of bytes in time and checks.
  cudaError_t Error = fillRegion(R, S, To, E, int(P.value & 0xff));
  if (Error != cudaSuccess || P.elementSize == 1 || E.empty())
    return Error;
  uint8_t *Target = storage(R, To);
  forEachRow(E, To, [&](size_t, size_t, size_t Offset) {
    for (size_t At = 0; At != E.Width; At += P.elementSize)
      std::memcpy(Target + Offset + At, &P.value, P.elementSize);
  });
  return cudaSuccess;
}

static cudaMemcpy3DParms rowsCopy(const cudaPitchedPtr &To,
                                  const cudaPitchedPtr &From,
                                  const cudaExtent &E, cudaMemcpyKind Kind) {
  cudaMemcpy3DParms P = {};
  P.srcPtr = From;
  P.dstPtr = To;
  P.extent = E;
  P.kind = Kind;
  return P;
}

cudaMemcpy3DParms flatCopy(void *To, const void *From, size_t Size,
                           cudaMemcpyKind Kind) {
  return rowsCopy({To, Size, Size, 1},
                  {const_cast<void *>(From), Size, Size, 1}, {Size, 1, 1},
                  Kind);
}

static cudaError_t copyCall(const cudaMemcpy3DParms &P, cudaStream_t Handle,
                            bool HostWaits) {
  return streamCall(Handle, HostWaits, [&](Runtime &R, Stream &S) {
    return issue(R, S, CopyWork{P});
  });
}

static cudaError_t copy3D(const cudaMemcpy3DParms *P, cudaStream_t Handle,
                          bool HostWaits) {
  return streamCall(Handle, HostWaits, [&](Runtime &R, Stream &S) {
    return P ? issue(R, S, CopyWork{*P}) : cudaErrorInvalidValue;
  });
}

/// Rows of bytes in layers, which a node of a graph does not have: it is one
/// fill where the layers follow each other, else one for each of them.
static void captureFill(Runtime &R, const Stream &S, const Region &To,
                        const Extent &E, int Value) {
  bool IsDense = E.Depth == 1 || E.Height == To.LayerRows;
  size_t Layers = IsDense ? 1 : E.Depth;
  size_t Rows = IsDense ? E.Height * E.Depth : E.Height;
  auto *Start = static_cast<char *>(const_cast<void *>(To.Start));
  for (size_t Z = 0; Z != Layers; ++Z)
    R.Captures.add(S, FillWork{{Start + Z * To.LayerRows * To.Pitch, To.Pitch,
                                unsigned(Value) & 0xff, 1, E.Width, Rows}});
}

static cudaError_t fillCall(const Region &To, const Extent &E, int Value,
                            cudaStream_t Handle) {
  return streamCall(Handle, /*HostWaits=*/false, [&](Runtime &R, Stream &S) {
    if (!R.Captures.isCapturing(S))
      return fillRegion(R, S, To, E, Value);
    if (E.empty())
      return cudaSuccess;
    if (cudaError_t Error = checkRegion(To, E); Error != cudaSuccess)
      return Error;
    captureFill(R, S, To, E, Value);
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Where the device keeps the variable.
static cudaError_t locate(Runtime &R, const void *Symbol, uint64_t &Address,
                          size_t &Size) {
  Variable *V = nullptr;
  if (cudaError_t Error = findVariable(R, Symbol, V); Error != cudaSuccess)
    return Error;
  if (cudaError_t Error = R.load(*V->Owner); Error != cudaSuccess)
    return Error;
  auto It = V->Owner->Code.Program->Symbols.find(V->Name);
  if (It == V->Owner->Code.Program->Symbols.end())
    return cudaErrorInvalidSymbol;
  Address = It->second.Address;
  Size = It->second.Size;
  return cudaSuccess;
}

cudaError_t symbolCopy(Runtime &R, const void *Symbol, const void *Other,
                       size_t Size, size_t Offset, cudaMemcpyKind Kind,
                       bool ToSymbol, cudaMemcpy3DParms &P) {
  uint64_t Address = 0;
  size_t Whole = 0;
  if (cudaError_t Error = locate(R, Symbol, Address, Whole);
      Error != cudaSuccess)
    return Error;
  auto Wrong = ToSymbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
  if (Kind == Wrong || Kind == cudaMemcpyHostToHost)
    return cudaErrorInvalidMemcpyDirection;
  if (Offset > Whole || Size > Whole - Offset)
    return cudaErrorInvalidValue;
  auto *There = reinterpret_cast<void *>(Address + Offset);
  auto *Here = const_cast<void *>(Other);
  P = ToSymbol ? flatCopy(There, Here, Size, Kind)
               : flatCopy(Here, There, Size, Kind);
  return cudaSuccess;
}

static cudaError_t symbolCall(const void *Symbol, const void *Other,
                              size_t Size, size_t Offset, cudaMemcpyKind Kind,
                              cudaStream_t Handle, bool ToSymbol,
                              bool HostWaits) {
  return streamCall(Handle, HostWaits, [&](Runtime &R, Stream &S) {
    cudaMemcpy3DParms P;
    cudaError_t Error =
        symbolCopy(R, Symbol, Other, Size, Offset, Kind, ToSymbol, P);
    return Error == cudaSuccess ? issue(R, S, CopyWork{P}) : Error;
  });
}

} // namespace regshare::cudart

using namespace regshare::cudart;

cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Size,
                       enum cudaMemcpyKind Kind) {
  return copyCall(flatCopy(Dst, Src, Size, Kind), nullptr, true);
}

cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Size,
                            enum cudaMemcpyKind Kind, cudaStream_t Stream) {
  return copyCall(flatCopy(Dst, Src, Size, Kind), Stream, false);
}

cudaError_t cudaMemcpyPeer(void *Dst, int DstDevice, const void *Src,
                           int SrcDevice, size_t Size) {
  if (DstDevice || SrcDevice)
    return recordError(cudaErrorInvalidDevice);
  return cudaMemcpy(Dst, Src, Size, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *Dst, int DstDevice, const void *Src,
                                int SrcDevice, size_t Size,
                                cudaStream_t Stream) {
  if (DstDevice || SrcDevice)
    return recordError(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(Dst, Src, Size, cudaMemcpyDeviceToDevice, Stream);
}

cudaError_t cudaMemcpy2D(void *Dst, size_t DstPitch, const void *Src,
                         size_t SrcPitch, size_t Width, size_t Height,
                         enum cudaMemcpyKind Kind) {
  return copyCall(rowsCopy({Dst, DstPitch, Width, Height},
                           {const_cast<void *>(Src), SrcPitch, Width, Height},
                           {Width, Height, 1}, Kind),
                  nullptr, true);
}

cudaError_t cudaMemcpy2DAsync(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              enum cudaMemcpyKind Kind, cudaStream_t Stream) {
  return copyCall(rowsCopy({Dst, DstPitch, Width, Height},
                           {const_cast<void *>(Src), SrcPitch, Width, Height},
                           {Width, Height, 1}, Kind),
                  Stream, false);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *Parms) {
  return copy3D(Parms, nullptr, true);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *Parms,
                              cudaStream_t Stream) {
  return copy3D(Parms, Stream, false);
}

cudaError_t cudaMemset(void *Ptr, int Value, size_t Size) {
  return fillCall({Ptr, 0, 1}, {Size}, Value, nullptr);
}

cudaError_t cudaMemsetAsync(void *Ptr, int Value, size_t Size,
                            cudaStream_t Stream) {
  return fillCall({Ptr, 0, 1}, {Size}, Value, Stream);
}

cudaError_t cudaMemset2D(void *Ptr, size_t Pitch, int Value, size_t Width,
                         size_t Height) {
  return fillCall({Ptr, Pitch}, {Width, Height}, Value, nullptr);
}

cudaError_t cudaMemset2DAsync(void *Ptr, size_t Pitch, int Value, size_t Width,
                              size_t Height, cudaStream_t Stream) {
  return fillCall({Ptr, Pitch}, {Width, Height}, Value, Stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr Ptr, int Value,
                         struct cudaExtent E) {
  return fillCall({Ptr.ptr, Ptr.pitch, Ptr.ysize}, {E.width, E.height, E.depth},
                  Value, nullptr);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr Ptr, int Value,
                              struct cudaExtent E, cudaStream_t Stream) {
  return fillCall({Ptr.ptr, Ptr.pitch, Ptr.ysize}, {E.width, E.height, E.depth},
                  Value, Stream);
}

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *Src, size_t Size,
                               size_t Offset, enum cudaMemcpyKind Kind) {
  return symbolCall(Symbol, Src, Size, Offset, Kind, nullptr, true, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *Src,
                                    size_t Size, size_t Offset,
                                    enum cudaMemcpyKind Kind,
                                    cudaStream_t Stream) {
  return symbolCall(Symbol, Src, Size, Offset, Kind, Stream, true, false);
}

cudaError_t cudaMemcpyFromSymbol(void *Dst, const void *Symbol, size_t Size,
                                 size_t Offset, enum cudaMemcpyKind Kind) {
  return symbolCall(Symbol, Dst, Size, Offset, Kind, nullptr, false, true);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *Dst, const void *Symbol,
                                      size_t Size, size_t Offset,
                                      enum cudaMemcpyKind Kind,
                                      cudaStream_t Stream) {
  return symbolCall(Symbol, Dst, Size, Offset, Kind, Stream, false, false);
}

cudaError_t cudaGetSymbolAddress(void **DevicePtr, const void *Symbol) {
  return apiCall([&](Runtime &R) {
    if (!DevicePtr)
      return cudaErrorInvalidValue;
    uint64_t Address = 0;
    size_t Size = 0;
    cudaError_t Error = locate(R, Symbol, Address, Size);
    if (Error == cudaSuccess)
      *DevicePtr = reinterpret_cast<void *>(Address);
    return Error;
  });
}

cudaError_t cudaGetSymbolSize(size_t *Size, const void *Symbol) {
  return apiCall([&](Runtime &R) {
    if (!Size)
      return cudaErrorInvalidValue;
    uint64_t Address = 0;
    return locate(R, Symbol, Address, *Size);
  });
}
