//===- Handlers.cpp - Finds handlers by name -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecContext.h"

#include <cassert>
#include <cstdlib>
#include <unordered_map>

namespace regshare::sim {

#define DECLARE(NAMESPACE)                                                     \
  namespace NAMESPACE {                                                        \
  HandlerList intHandlers();                                                   \
  HandlerList bitHandlers();                                                   \
  HandlerList floatHandlers();                                                 \
  HandlerList halfHandlers();                                                  \
  HandlerList convertHandlers();                                               \
  HandlerList narrowHandlers();                                                \
  HandlerList memoryHandlers();                                                \
  HandlerList atomicHandlers();                                                \
  HandlerList warpHandlers();                                                  \
  HandlerList textureHandlers();                                               \
  HandlerList matrixHandlers();                                                \
  HandlerList matrixMemoryHandlers();                                          \
  HandlerList mbarrierHandlers();                                              \
  }
#define ALL(NAMESPACE)                                                         \
  {NAMESPACE::intHandlers(),     NAMESPACE::bitHandlers(),                     \
   NAMESPACE::floatHandlers(),   NAMESPACE::halfHandlers(),                    \
   NAMESPACE::convertHandlers(), NAMESPACE::narrowHandlers(),                  \
   NAMESPACE::memoryHandlers(),  NAMESPACE::atomicHandlers(),                  \
   NAMESPACE::warpHandlers(),    NAMESPACE::textureHandlers(),                 \
   NAMESPACE::matrixHandlers(),  NAMESPACE::matrixMemoryHandlers(),            \
   NAMESPACE::mbarrierHandlers()}

DECLARE(portable)
#ifdef REGSHARE_SIM_HAS_X86_LEVELS
DECLARE(v3)
DECLARE(v4)
#endif

using HandlerMap = std::unordered_map<std::string_view, Handler>;

static HandlerMap makeMap(std::initializer_list<HandlerList> Lists) {
  HandlerMap Map;
  for (const HandlerList &List : Lists)
    for (size_t I = 0; I != List.Count; ++I) {
      bool New = Map.emplace(List.Entries[I].Name, List.Entries[I].Fn).second;
      assert(New && "two handlers of one name");
      (void)New;
    }
  return Map;
}

#ifdef REGSHARE_SIM_HAS_X86_LEVELS
static bool hasLevel3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt");
}

static bool hasLevel4() {
  return hasLevel3() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#endif

/// REGSHARE_SIM_HANDLERS=portable keeps to the build for any processor, and =v3
/// to that for AVX2, so that they can be tested where there is a better one.
static HandlerMap chooseBuild() {
#ifdef REGSHARE_SIM_HAS_X86_LEVELS
  const char *Variable = std::getenv("REGSHARE_SIM_HANDLERS");
  std::string_view Most = Variable ? Variable : "";
  if (Most != "portable" && Most != "v3" && hasLevel4())
    return makeMap(ALL(v4));
  if (Most != "portable" && hasLevel3())
    return makeMap(ALL(v3));
#endif
  return makeMap(ALL(portable));
}

Handler findHandler(std::string_view Name) {
  static const HandlerMap Map = chooseBuild();
  auto It = Map.find(Name);
  return It == Map.end() ? nullptr : It->second;
}

} // namespace regshare::sim
