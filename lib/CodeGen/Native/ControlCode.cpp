//===- ControlCode.cpp - Code as dependences see it -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/ControlCode.h"

namespace regshare {

std::string nameOfAccess(Access A) {
  if (A < FirstPredicate)
    return "R" + std::to_string(A);
  if (A < FirstUniform)
    return "P" + std::to_string(A - FirstPredicate);
  if (A < FrameAddress)
    return "U" + std::to_string(A - FirstUniform);
  return "the address of local memory";
}

} // namespace regshare
