//===- DriverModules.cpp - Modules and kernels of the driver --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "API/KernelFacts.h"
#include "Driver.h"

#include "vector_types.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

/// Its address is what the kernel is registered under.
struct CUfunc_st {
  std::string Name;
};

struct CUmod_st {
  regshare::cudart::FatBinaryWrapper Wrapper = {};
  regshare::cudart::Module *Code = nullptr;
  std::string Image; ///< The program may give its own back after loading.
  std::vector<std::unique_ptr<CUfunc_st>> Functions;
};

/// What cuLinkComplete delivers is the one PTX text that was added.
struct CUlinkState_st {
  std::string Text;
};

using namespace regshare;
using namespace regshare::cudart;

static std::vector<std::unique_ptr<CUmod_st>> &modules() {
  // Never destroyed: kernels are registered under addresses in it.
  static auto *Modules = new std::vector<std::unique_ptr<CUmod_st>>;
  return *Modules;
}

/// Runs \p Body(Runtime &, CUmod_st &) for a module that is loaded.
template <typename Fn> static CUresult moduleCall(CUmodule Module, Fn &&Body) {
  return driverCall([&] {
    return apiCall([&](Runtime &R) {
      bool IsKnown = std::ranges::any_of(
          modules(), [&](auto &M) { return M.get() == Module; });
      return IsKnown ? Body(R, *Module) : cudaErrorInvalidResourceHandle;
    });
  });
}

static cudaError_t loadImage(Runtime &R, CUmodule *Module, const void *Image) {
  if (!Module || !Image || !*static_cast<const char *>(Image))
    return cudaErrorInvalidValue;
  auto New = std::make_unique<CUmod_st>();
  const auto *Wrapper = static_cast<const FatBinaryWrapper *>(Image);
  New->Image = copyOfImage(Image);
  New->Wrapper.Image = New->Image.empty() ? Wrapper->Image : New->Image.data();
  New->Code = ModuleTable::get().add(&New->Wrapper);
  if (cudaError_t Error = R.load(*New->Code); Error != cudaSuccess) {
    ModuleTable::get().remove(New->Code);
    return Error;
  }
  *Module = New.get();
  modules().push_back(std::move(New));
  return cudaSuccess;
}

/// Whole, with a zero after it; nothing if there is no such file.
static std::optional<std::string> readFile(const char *Name) {
  std::ifstream File(Name, std::ios::binary);
  std::ostringstream Text;
  Text << File.rdbuf();
  if (!File)
    return std::nullopt;
  return Text.str();
}

CUresult cuModuleLoadData(CUmodule *Module, const void *Image) {
  return driverCall([&] {
    return apiCall([&](Runtime &R) { return loadImage(R, Module, Image); });
  });
}

CUresult cuModuleLoad(CUmodule *Module, const char *File) {
  if (!File)
    return CUDA_ERROR_INVALID_VALUE;
  std::optional<std::string> Text = readFile(File);
  if (!Text)
    return CUDA_ERROR_FILE_NOT_FOUND;
  return cuModuleLoadData(Module, Text->c_str());
}

/// Our compiler writes no logs: their buffers become empty.
static void emptyLogs(unsigned NumOptions, const CUjit_option *Options,
                      void **Values) {
  for (unsigned N = 0; N != NumOptions; ++N) {
    bool IsLog = Options[N] == CU_JIT_INFO_LOG_BUFFER ||
                 Options[N] == CU_JIT_ERROR_LOG_BUFFER;
    bool IsSize = Options[N] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
                  Options[N] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
    if (IsLog && Values[N])
      *static_cast<char *>(Values[N]) = 0;
    if (IsSize)
      Values[N] = nullptr;
  }
}

CUresult cuModuleLoadDataEx(CUmodule *Module, const void *Image,
                            unsigned int NumOptions, CUjit_option *Options,
                            void **Values) {
  if (NumOptions && (!Options || !Values))
    return CUDA_ERROR_INVALID_VALUE;
  emptyLogs(NumOptions, Options, Values);
  return cuModuleLoadData(Module, Image);
}

CUresult cuModuleLoadFatBinary(CUmodule *Module, const void *Image) {
  return cuModuleLoadData(Module, Image);
}

CUresult cuModuleUnload(CUmodule Module) {
  return moduleCall(Module, [&](Runtime &R, CUmod_st &M) {
    R.synchronize();
    // A device that was reset has none of them.
    if (const auto &Program = M.Code->Code.Program)
      for (const auto &[Name, Symbol] : Program->Symbols)
        R.Memory->free(Symbol.Address);
    ModuleTable::get().remove(M.Code);
    std::erase_if(modules(), [&](auto &Each) { return Each.get() == Module; });
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunction(CUfunction *Function, CUmodule Module,
                             const char *Name) {
  return moduleCall(Module, [&](Runtime &R, CUmod_st &M) {
    if (!Function || !Name)
      return cudaErrorInvalidValue;
    // A device that was reset has forgotten the code.
    if (cudaError_t Error = R.load(*M.Code); Error != cudaSuccess)
      return Error;
    for (auto &Known : M.Functions)
      if (Known->Name == Name) {
        *Function = Known.get();
        return cudaSuccess;
      }
    bool IsRefused = M.Code->Code.Refused.count(Name) != 0;
    if (!IsRefused && !M.Code->Code.Program->findKernel(Name))
      return cudaErrorSymbolNotFound;
    M.Functions.push_back(std::make_unique<CUfunc_st>(CUfunc_st{Name}));
    *Function = M.Functions.back().get();
    ModuleTable::get().addKernel(M.Code, *Function, Name);
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunctionCount(unsigned int *Count, CUmodule Module) {
  return moduleCall(Module, [&](Runtime &R, CUmod_st &M) {
    if (!Count)
      return cudaErrorInvalidValue;
    cudaError_t Error = R.load(*M.Code);
    if (Error == cudaSuccess)
      *Count = unsigned(M.Code->Code.Program->kernelNames().size());
    return Error;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction *Functions, unsigned int Count,
                                    CUmodule Module) {
  std::vector<std::string> Names;
  CUresult Error = moduleCall(Module, [&](Runtime &R, CUmod_st &M) {
    cudaError_t Loaded = R.load(*M.Code);
    if (Loaded == cudaSuccess)
      Names = M.Code->Code.Program->kernelNames();
    return Functions ? Loaded : cudaErrorInvalidValue;
  });
  Names.resize(std::min(Names.size(), size_t(Count)));
  for (const std::string &Name : Names)
    if (Error == CUDA_SUCCESS)
      Error = cuModuleGetFunction(Functions++, Module, Name.c_str());
  return Error;
}

CUresult cuFuncGetModule(CUmodule *Module, CUfunction Function) {
  return driverCall([&] {
    return apiCall([&](Runtime &) {
      if (!Module)
        return cudaErrorInvalidValue;
      for (auto &M : modules())
        for (auto &F : M->Functions)
          if (F.get() == Function) {
            *Module = M.get();
            return cudaSuccess;
          }
      return cudaErrorInvalidResourceHandle;
    });
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr *Address, size_t *Bytes, CUmodule Module,
                           const char *Name) {
  return moduleCall(Module, [&](Runtime &R, CUmod_st &M) {
    if (!Name)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = R.load(*M.Code); Error != cudaSuccess)
      return Error;
    auto &Symbols = M.Code->Code.Program->Symbols;
    auto It = Symbols.find(Name);
    if (It == Symbols.end())
      return cudaErrorSymbolNotFound;
    if (Address)
      *Address = It->second.Address;
    if (Bytes)
      *Bytes = It->second.Size;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Linking: of one text
//===----------------------------------------------------------------------===//

CUresult cuLinkCreate(unsigned int NumOptions, CUjit_option *Options,
                      void **Values, CUlinkState *State) {
  if (!State || (NumOptions && (!Options || !Values)))
    return CUDA_ERROR_INVALID_VALUE;
  emptyLogs(NumOptions, Options, Values);
  *State = new CUlinkState_st;
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState State, CUjitInputType Type, void *Data,
                       size_t Size, const char *, unsigned int, CUjit_option *,
                       void **) {
  if (!State || !Data)
    return CUDA_ERROR_INVALID_VALUE;
  if (Type != CU_JIT_INPUT_PTX || !State->Text.empty()) {
    printError("cuLinkAddData takes one PTX text; machine code and several "
               "texts are not supported",
               ErrorKind::Unsupported);
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  State->Text.assign(static_cast<const char *>(Data), Size);
  return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState State, CUjitInputType Type, const char *File,
                       unsigned int NumOptions, CUjit_option *Options,
                       void **Values) {
  if (!File)
    return CUDA_ERROR_INVALID_VALUE;
  std::optional<std::string> Text = readFile(File);
  if (!Text)
    return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData(State, Type, Text->data(), Text->size(), File,
                       NumOptions, Options, Values);
}

CUresult cuLinkComplete(CUlinkState State, void **Image, size_t *Size) {
  if (!State || !Image || State->Text.empty())
    return CUDA_ERROR_INVALID_VALUE;
  *Image = State->Text.data();
  if (Size)
    *Size = State->Text.size() + 1;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState State) {
  delete State;
  return State ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

CUresult cuFuncGetAttribute(int *Value, CUfunction_attribute Attribute,
                            CUfunction Function) {
  if (!Value)
    return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes All = {};
  CUresult Error =
      driverCall([&] { return cudaFuncGetAttributes(&All, Function); });
  if (Error != CUDA_SUCCESS)
    return Error;
  switch (Attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *Value = All.maxThreadsPerBlock;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *Value = int(All.sharedSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *Value = int(All.constSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *Value = int(All.localSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *Value = All.numRegs;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *Value = All.ptxVersion;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *Value = All.binaryVersion;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    *Value = All.cacheModeCA;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *Value = All.maxDynamicSharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *Value = All.preferredShmemCarveout;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction Function, CUfunction_attribute Attribute,
                            int Value) {
  // The runtime has the same numbers for those that can be set.
  return driverCall([&] {
    return cudaFuncSetAttribute(Function, cudaFuncAttribute(Attribute), Value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction Function, CUfunc_cache Config) {
  return driverCall(
      [&] { return cudaFuncSetCacheConfig(Function, cudaFuncCache(Config)); });
}

CUresult cuFuncGetName(const char **Name, CUfunction Function) {
  return driverCall([&] { return cudaFuncGetName(Name, Function); });
}

CUresult cuFuncGetParamInfo(CUfunction Function, size_t Index, size_t *Offset,
                            size_t *Bytes) {
  return driverCall(
      [&] { return cudaFuncGetParamInfo(Function, Index, Offset, Bytes); });
}

cudaError_t regshare::cudart::unpackExtra(Runtime &R, CUfunction Function,
                                          void **Extra,
                                          std::vector<void *> &Arguments) {
  Kernel *K = ModuleTable::get().findKernel(Function);
  if (!K)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = R.load(*K->Owner); Error != cudaSuccess)
    return Error;
  char *Buffer = nullptr;
  size_t Size = 0;
  for (; *Extra != CU_LAUNCH_PARAM_END; Extra += 2) {
    if (*Extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      Buffer = static_cast<char *>(Extra[1]);
    else if (*Extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      Size = *static_cast<size_t *>(Extra[1]);
    else
      return cudaErrorInvalidValue;
  }
  const sim::Function *Code = K->Owner->Code.Program->findKernel(K->Name);
  if (!Code)
    return cudaSuccess; // The launch says why.
  for (const sim::ParamSlot &Slot : Code->Params) {
    if (!Buffer || Slot.Offset + Slot.Size > Size)
      return cudaErrorInvalidValue;
    Arguments.push_back(Buffer + Slot.Offset);
  }
  return cudaSuccess;
}

CUresult cuLaunchKernel(CUfunction Function, unsigned int GridX,
                        unsigned int GridY, unsigned int GridZ,
                        unsigned int BlockX, unsigned int BlockY,
                        unsigned int BlockZ, unsigned int SharedBytes,
                        CUstream Stream, void **Parameters, void **Extra) {
  return driverCall([&] {
    std::vector<void *> Arguments;
    if (Extra) {
      if (Parameters)
        return cudaErrorInvalidValue;
      cudaError_t Error = apiCall([&](Runtime &R) {
        return unpackExtra(R, Function, Extra, Arguments);
      });
      if (Error != cudaSuccess)
        return Error;
      Parameters = Arguments.data();
    }
    return cudaLaunchKernel(Function, {GridX, GridY, GridZ},
                            {BlockX, BlockY, BlockZ}, Parameters, SharedBytes,
                            Stream);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction Function, unsigned int GridX,
                                   unsigned int GridY, unsigned int GridZ,
                                   unsigned int BlockX, unsigned int BlockY,
                                   unsigned int BlockZ,
                                   unsigned int SharedBytes, CUstream Stream,
                                   void **Parameters) {
  return driverCall([&] {
    return cudaLaunchCooperativeKernel(Function, {GridX, GridY, GridZ},
                                       {BlockX, BlockY, BlockZ}, Parameters,
                                       SharedBytes, Stream);
  });
}

CUresult cuLaunchHostFunc(CUstream Stream, CUhostFn Function, void *UserData) {
  return driverCall(
      [&] { return cudaLaunchHostFunc(Stream, Function, UserData); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *NumBlocks,
                                                     CUfunction Function,
                                                     int BlockSize,
                                                     size_t DynamicShared) {
  return driverCall([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        NumBlocks, Function, BlockSize, DynamicShared);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *NumBlocks, CUfunction Function, int BlockSize, size_t DynamicShared,
    unsigned int Flags) {
  return driverCall([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        NumBlocks, Function, BlockSize, DynamicShared, Flags);
  });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes,
                                                 CUfunction Function,
                                                 int NumBlocks, int BlockSize) {
  return driverCall([&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(Bytes, Function, NumBlocks,
                                                     BlockSize);
  });
}

/// The largest of the block sizes, in whole warps, with which most threads are
/// resident, and the CTAs of such a size that the device holds.
CUresult cuOccupancyMaxPotentialBlockSize(int *MinGridSize, int *BlockSize,
                                          CUfunction Function,
                                          CUoccupancyB2DSize SharedOf,
                                          size_t DynamicShared, int Limit) {
  if (!MinGridSize || !BlockSize)
    return CUDA_ERROR_INVALID_VALUE;
  int Most = 0, SMs = 0, Best = 0;
  CUresult Error = cuFuncGetAttribute(
      &Most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, Function);
  if (Error != CUDA_SUCCESS)
    return Error;
  if (Limit > 0)
    Most = std::min(Most, Limit);
  cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0);
  for (int Size = (Most + 31) / 32 * 32; Size > 0; Size -= 32) {
    int Threads = std::min(Size, Most), CTAs = 0;
    size_t Shared = SharedOf ? SharedOf(Threads) : DynamicShared;
    Error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&CTAs, Function,
                                                        Threads, Shared);
    if (Error != CUDA_SUCCESS)
      return Error;
    if (CTAs * Threads <= Best)
      continue;
    Best = CTAs * Threads;
    *BlockSize = Threads;
    *MinGridSize = CTAs * SMs;
  }
  return Best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *MinGridSize, int *BlockSize, CUfunction Function,
    CUoccupancyB2DSize SharedOf, size_t DynamicShared, int Limit,
    unsigned int Flags) {
  if (Flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxPotentialBlockSize(MinGridSize, BlockSize, Function,
                                          SharedOf, DynamicShared, Limit);
}
