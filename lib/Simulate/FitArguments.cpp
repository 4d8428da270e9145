//===- FitArguments.cpp - Arguments against parameters --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Arguments.h"
#include "regshare/Simulate/Elements.h"

#include <cstdlib>
#include <cxxabi.h>

using namespace regshare;
using namespace regshare::sim;

/// An array of bytes: a struct, a vector or a half, all passed by value.
static bool isAggregate(const ptx::Variable &P) {
  return P.Type == ScalarType::B8 && P.Size != 1;
}

/// "fill(int, int*)" for a C++ kernel, else empty.
static std::string prototypeOf(const std::string &Name) {
  int Status = 0;
  char *Text = abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status);
  std::string Prototype = Text ? Text : "";
  std::free(Text);
  return Prototype;
}

/// ".param .u64 k_param_0", as the kernel declares it.
static std::string declarationOf(const ptx::Variable &P) {
  std::string Text = ".param ." + std::string(typeName(P.Type)) + " " + P.Name;
  return isAggregate(P) ? Text + "[" + std::to_string(P.Size) + "]" : Text;
}

/// Why \p A cannot be the value of \p P; empty if it can.
static std::string mismatch(const ptx::Variable &P, const Argument &A) {
  bool IsPointer = A.isAddress();
  uint64_t Size = IsPointer ? 8 : A.Bytes.size();
  if (Size != P.Size)
    return std::to_string(Size) + (Size == 1 ? " byte" : " bytes") + " for " +
           std::to_string(P.Size);
  auto IsUntyped = [](ScalarType T) {
    return T >= ScalarType::B8 && T <= ScalarType::B128;
  };
  if (A.K == Argument::Raw || IsUntyped(A.Type) || IsUntyped(P.Type))
    return {};
  bool Floating = A.K == Argument::Scalar && isFloat(A.Type);
  if (Floating == isFloat(P.Type))
    return {};
  return Floating    ? "a floating-point number for an integer"
         : IsPointer ? "an address for a floating-point number"
                     : "an integer for a floating-point number";
}

static Result<void> checkReference(const std::vector<Argument> &Arguments,
                                   const Argument &A) {
  std::string Target = std::to_string(A.Target);
  if (A.Target >= Arguments.size())
    return fail("there is no argument " + Target);
  if (Arguments[A.Target].K != Argument::Buffer)
    return fail("argument " + Target + " is no buffer");
  return {};
}

/// "no arguments", "1 argument", "2 arguments".
static std::string countOf(size_t Count) {
  return (Count ? std::to_string(Count) : "no") + " argument" +
         (Count == 1 ? "" : "s");
}

/// PTX declares integers without a sign, in most compilers' hands: take both.
static ScalarType typeForNumber(ScalarType Declared) {
  switch (Declared) {
  case ScalarType::U8:
    return ScalarType::B8;
  case ScalarType::U16:
    return ScalarType::B16;
  case ScalarType::U32:
    return ScalarType::B32;
  case ScalarType::U64:
    return ScalarType::B64;
  default:
    return Declared;
  }
}

/// Reads a number without a type as \p P wants it.
static Result<void> fitNumber(const ptx::Variable &P, Argument &A) {
  if (isAggregate(P))
    return fail("the parameter is a struct or a 16-bit float: say its type "
                "(f16:" +
                A.Text + ") or its bytes (hex:…)");
  A.Type = typeForNumber(P.Type);
  Result<uint64_t> Bits = parseElement(A.Type, A.Text);
  if (!Bits)
    return tl::make_unexpected(Bits.error());
  A.K = Argument::Scalar;
  for (unsigned K = 0; K != sizeOf(A.Type); ++K)
    A.Bytes.push_back(uint8_t(*Bits >> 8 * K));
  return {};
}

Result<void> regshare::fitArguments(const Function &Kernel,
                                    std::vector<Argument> &Arguments) {
  const std::vector<ptx::Variable> &Params = Kernel.Syntax->Params;
  std::string Name = "kernel '" + Kernel.Name + "'";
  if (Arguments.size() != Params.size()) {
    std::string Signature = prototypeOf(Kernel.Name);
    if (!Signature.empty())
      Signature.insert(0, "\n  ");
    for (const ptx::Variable &P : Params)
      Signature += "\n  " + declarationOf(P);
    return fail(Name + " takes " + countOf(Params.size()) + ", " +
                countOf(Arguments.size()) +
                (Arguments.size() == 1 ? " was" : " were") + " given" +
                (Params.empty() ? "" : "; it declares:") + Signature);
  }
  for (size_t K = 0; K != Params.size(); ++K) {
    Argument &A = Arguments[K];
    std::string Which =
        "argument " + std::to_string(K) + ", '" + A.Text + "': ";
    if (A.K == Argument::Number)
      if (Result<void> Ok = fitNumber(Params[K], A); !Ok)
        return fail(Which + Ok.error().Message + "; " + Name + " declares '" +
                    declarationOf(Params[K]) + "'");
    if (std::string Why = mismatch(Params[K], A); !Why.empty())
      return fail(Which + Why + "; " + Name + " declares '" +
                  declarationOf(Params[K]) + "'");
    if (A.K != Argument::Reference)
      continue;
    if (Result<void> Ok = checkReference(Arguments, A); !Ok)
      return fail(Which + Ok.error().Message);
  }
  return {};
}
