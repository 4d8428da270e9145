//===- Symbols.cpp - Variables as calls of the API name them --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"

#include <algorithm>
#include <sys/uio.h>
#include <unistd.h>

namespace regshare::cudart {

/// In characters; names are shorter.
static constexpr size_t LongestName = 4096;

/// The string at \p Text, which may point to anything: empty where there is no
/// memory, or no end of a string. The operating system copies it, for which
/// memory that cannot be read is an error and no signal.
static std::string stringAt(const void *Text) {
  const size_t Page = sysconf(_SC_PAGESIZE);
  std::string Name;
  auto Address = reinterpret_cast<uint64_t>(Text);
  while (Name.size() < LongestName) {
    char Buffer[256];
    // A copy that reaches into a page that is not there fails as a whole.
    size_t Size = std::min(sizeof(Buffer), Page - Address % Page);
    iovec To = {Buffer, Size}, From = {reinterpret_cast<void *>(Address), Size};
    if (process_vm_readv(getpid(), &To, 1, &From, 1, 0) != ssize_t(Size))
      return "";
    char *End = std::find(Buffer, Buffer + Size, '\0');
    Name.append(Buffer, End);
    if (End != Buffer + Size)
      return Name;
    Address += Size;
  }
  return "";
}

/// What lenient mode takes for the string at \p Symbol, of the addresses that
/// \p Named finds for a name.
template <typename Fn>
static cudaError_t findByName(Runtime &R, const void *Symbol, Fn Named,
                              cudaError_t Unknown, cudaError_t Ambiguous,
                              const void *&Host) {
  std::string Name = R.Config.Lenient ? stringAt(Symbol) : "";
  if (Name.empty())
    return Unknown;
  std::vector<const void *> Found = Named(Name);
  if (Found.size() != 1)
    return Found.empty() ? Unknown : Ambiguous;
  Host = Found.front();
  R.Log.passed().add({"", "variable named by a string", "'" + Name + "'",
                      "a call names the device's variable '" + Name +
                          "' by a string, which CUDA has refused since "
                          "version 5; it takes the variable",
                      1});
  R.Log.warnOfPassed();
  return cudaSuccess;
}

cudaError_t findVariable(Runtime &R, const void *Symbol, Variable *&Found) {
  ModuleTable &Table = ModuleTable::get();
  Found = Table.findVariable(Symbol);
  if (Found)
    return cudaSuccess;
  const void *Host = nullptr;
  cudaError_t Error = findByName(
      R, Symbol, [&](const std::string &N) { return Table.variablesNamed(N); },
      cudaErrorInvalidSymbol, cudaErrorDuplicateVariableName, Host);
  if (Error == cudaSuccess)
    Found = Table.findVariable(Host);
  return Error;
}

cudaError_t findReference(Runtime &R, const void *Symbol, bool IsSurface,
                          const void *&Host) {
  ModuleTable &Table = ModuleTable::get();
  Reference *Ref = Table.findReference(Symbol);
  Host = Symbol;
  if (Ref && Ref->IsSurface == IsSurface)
    return cudaSuccess;
  return findByName(
      R, Symbol,
      [&](const std::string &N) { return Table.referencesNamed(N, IsSurface); },
      IsSurface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture,
      IsSurface ? cudaErrorDuplicateSurfaceName : cudaErrorDuplicateTextureName,
      Host);
}

} // namespace regshare::cudart
