//===- Simulation.cpp - One kernel on the SM ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Simulation.h"

#include "BufferRequests.h"

#include "regshare/Sim/GridBarrier.h"

#include <charconv>
#include <cstring>

using namespace regshare;
using namespace regshare::sim;

/// Threads of a CTA where neither the user nor the kernel says.
static constexpr uint32_t DefaultThreads = 256;

static Result<std::vector<Argument>>
parseArguments(const std::vector<std::string> &Texts) {
  std::vector<Argument> Arguments;
  for (size_t K = 0; K != Texts.size(); ++K) {
    Result<Argument> A = parseArgument(Texts[K]);
    if (!A)
      return fail("argument " + std::to_string(K) + ": " + A.error().Message);
    Arguments.push_back(std::move(*A));
  }
  return Arguments;
}

static Result<BoundArguments> bindArguments(const Function &Kernel,
                                            std::vector<Argument> Arguments,
                                            GlobalMemory &Memory) {
  BoundArguments B;
  B.Addresses.resize(Arguments.size());
  for (size_t K = 0; K != Arguments.size(); ++K) {
    const Argument &A = Arguments[K];
    if (A.K != Argument::Buffer && A.K != Argument::Freed)
      continue;
    B.Addresses[K] = Memory.allocate(
        A.Bytes.size(), "buffer (argument " + std::to_string(K) + ")");
    if (!B.Addresses[K])
      return fail("argument " + std::to_string(K) + ", '" + A.Text +
                  "': " + std::to_string(A.Bytes.size()) +
                  " bytes are more than the device has left: " +
                  std::to_string(Memory.capacity() - Memory.bytesInUse()));
    Memory.write(B.Addresses[K], A.Bytes.data(), A.Bytes.size());
  }
  // Only now: the addresses must not become another argument's.
  for (size_t K = 0; K != Arguments.size(); ++K)
    if (Arguments[K].K == Argument::Freed)
      Memory.free(B.Addresses[K]);
  B.Bytes.resize(Kernel.ParamBytes);
  for (size_t K = 0; K != Arguments.size(); ++K) {
    const Argument &A = Arguments[K];
    uint64_t Address = B.Addresses[K];
    if (A.K == Argument::Reference)
      Address = B.Addresses[A.Target] + uint64_t(A.Offset);
    std::memcpy(B.Bytes.data() + Kernel.Params[K].Offset,
                A.isAddress() ? static_cast<const void *>(&Address)
                              : A.Bytes.data(),
                Kernel.Params[K].Size);
  }
  B.Arguments = std::move(Arguments);
  return B;
}

Result<Dim3> regshare::parseDim3(std::string_view Text, std::string_view What) {
  Dim3 D;
  const char *At = Text.data(), *End = At + Text.size();
  bool Good = true;
  for (uint32_t *Extent : {&D.X, &D.Y, &D.Z}) {
    auto [Rest, Status] = std::from_chars(At, End, *Extent);
    Good = Status == std::errc() && *Extent;
    At = Rest;
    if (!Good || At == End || *At != ',')
      break;
    ++At;
  }
  if (!Good || At != End)
    return fail(std::string(What) +
                ": expected X, X,Y or X,Y,Z, each 1 or "
                "more, got '" +
                std::string(Text) + "'");
  return D;
}

static Dim3 blockOf(const Function &Kernel, const SimulationRequest &Request) {
  if (Request.Block)
    return *Request.Block;
  if (Kernel.Syntax->ReqThreads.X)
    return Kernel.Syntax->ReqThreads;
  if (Kernel.Syntax->MaxThreads.X)
    return Kernel.Syntax->MaxThreads;
  return {DefaultThreads};
}

/// Prints and checks come before files: a run that fails leaves none.
static Result<void> lookAtBuffers(const BufferRequests &Requests,
                                  const BoundArguments &B,
                                  const GlobalMemory &Memory,
                                  SimulationResult &R) {
  for (const BufferRequest &Print : Requests.Prints) {
    Result<BufferContents> Contents = showBuffer(B, Memory, Print);
    if (!Contents)
      return tl::make_unexpected(Contents.error());
    R.Prints.push_back(std::move(*Contents));
  }
  for (const BufferRequest &Check : Requests.Checks)
    if (Result<void> Ok = checkBuffer(B, Memory, Check); !Ok)
      return Ok;
  for (const BufferRequest &Write : Requests.Writes)
    if (Result<void> Ok = writeBuffer(B, Memory, Write); !Ok)
      return Ok;
  return {};
}

Result<SimulationResult> regshare::simulate(const Program &P,
                                            GlobalMemory &Memory,
                                            const SimulationRequest &Request) {
  const Function *Kernel = P.findKernel(Request.Kernel);
  if (!Kernel)
    return fail("no kernel '" + Request.Kernel + "'");
  Result<std::vector<Argument>> Arguments = parseArguments(Request.Arguments);
  if (!Arguments)
    return tl::make_unexpected(Arguments.error());
  if (Result<void> Ok = fitArguments(*Kernel, *Arguments); !Ok)
    return tl::make_unexpected(Ok.error());
  Result<BufferRequests> Requests = parseRequests(Request, *Arguments);
  if (!Requests)
    return tl::make_unexpected(Requests.error());
  Result<std::unique_ptr<Launcher>> Machine = Launcher::create(Request.Machine);
  if (!Machine)
    return tl::make_unexpected(Machine.error());
  Result<BoundArguments> B =
      bindArguments(*Kernel, std::move(*Arguments), Memory);
  if (!B)
    return tl::make_unexpected(B.error());

  SimulationResult R;
  R.Kernel = Request.Kernel;
  R.Config = {Request.Grid, blockOf(*Kernel, Request),
              Request.DynamicSharedBytes, B->Bytes};
  GridBarrier Barrier(P, Memory);
  while (R.Launches.size() != Request.Launches) {
    Barrier.prepare(R.Config, /*IsCooperative=*/true);
    Result<LaunchOutcome> Outcome =
        (*Machine)->run(P, Memory, *Kernel, R.Config);
    if (!Outcome)
      return tl::make_unexpected(Outcome.error());
    R.Launches.push_back(std::move(*Outcome));
  }
  if (Result<void> Ok = lookAtBuffers(*Requests, *B, Memory, R); !Ok)
    return tl::make_unexpected(Ok.error());
  return R;
}
