//===- Result.cpp - A value or a diagnostic -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Result.h"

namespace regshare {

std::string_view errorKindName(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::Unsupported:
    return "unsupported";
  case ErrorKind::BadInput:
    return "bad-input";
  case ErrorKind::NotForDevice:
    return "not-for-device";
  case ErrorKind::NotForScheme:
    return "not-for-scheme";
  case ErrorKind::DoesNotFit:
    return "does-not-fit";
  case ErrorKind::IllegalAddress:
    return "illegal-address";
  case ErrorKind::MisalignedAddress:
    return "misaligned-address";
  case ErrorKind::Assertion:
    return "assertion";
  case ErrorKind::Trap:
    return "trap";
  case ErrorKind::StackOverflow:
    return "stack-overflow";
  case ErrorKind::InvalidCall:
    return "invalid-call";
  case ErrorKind::KernelFault:
    return "kernel-fault";
  case ErrorKind::Deadlock:
    return "deadlock";
  case ErrorKind::Livelock:
    return "livelock";
  case ErrorKind::Limit:
    return "limit";
  case ErrorKind::Other:
    break;
  }
  return "other";
}

std::string Diagnostic::str() const {
  std::string Out;
  if (!File.empty()) {
    Out += File + ":";
    if (Line) {
      Out += std::to_string(Line) + ":";
      if (Column)
        Out += std::to_string(Column) + ":";
    }
    Out += " ";
  } else if (Line) {
    Out += "line " + std::to_string(Line) + ": ";
  }
  return Out + Message;
}

} // namespace regshare
