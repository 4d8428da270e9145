//===- NativeCode.h - Native annotated PTX in tests -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_NATIVE_NATIVECODE_H
#define REGSHARE_UNITTESTS_SIM_NATIVE_NATIVECODE_H

#include "AnnotatedTest.h"

namespace regshare::sim {

/// Declares `%<Stem>0` to `%<Stem><Count - 1>` and gives them \p Place.
inline std::string valuesAt(const std::string &Place, const std::string &Type,
                            const std::string &Stem, unsigned Count) {
  std::string Text =
      ".reg ." + Type + " %" + Stem + "<" + std::to_string(Count) + ">;\n";
  for (unsigned N = 0; N != Count; ++N)
    Text += pragma("map %" + Stem + std::to_string(N) + "=" + Place);
  return Text;
}

/// What makes a kernel native code. %fN and %gN are folded values of 32 and 64
/// bits, %qN folded predicates, %kN and %cN constants of 32 and 64 bits.
inline std::string nativeHead() {
  return pragma("native instructions=9 reserved=0") +
         valuesAt("F", "b32", "f", 9) + valuesAt("F", "b64", "g", 9) +
         valuesAt("F", "pred", "q", 4) + valuesAt("C", "b32", "k", 9) +
         valuesAt("C", "b64", "c", 9);
}

/// AnnotatedKernel of native code.
inline AnnotatedKernel nativeKernel(const char *Scheme = "baseline",
                                    unsigned Regs = 24) {
  return {Scheme, Regs, 0, 0, {}, nativeHead()};
}

/// A kernel whose scheme has \p Begin at its head.
inline AnnotatedKernel nativeKernel(AnnotatedKernel K) {
  K.Begin = nativeHead() + K.Begin;
  return K;
}

/// One with uniform registers: %uN of 32 bits in U0 to U3, %v of 64 in U4.
inline AnnotatedKernel uniformKernel() {
  AnnotatedKernel K = nativeKernel();
  K.Begin += ".reg .b32 %u<4>;\n.reg .b64 %v;\n" + pragma("map %v=U4");
  for (unsigned N = 0; N != 4; ++N)
    K.Begin += pragma("map %u" + std::to_string(N) + "=U" + std::to_string(N));
  return K;
}

inline std::string issueSlots(unsigned Count) {
  return pragma("issue slots=" + std::to_string(Count));
}

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_NATIVE_NATIVECODE_H
