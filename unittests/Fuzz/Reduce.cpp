//===- Reduce.cpp - Small reproducers -------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;

namespace regshare::fuzz {

/// The first failure of the kernel that is of \p F's kind.
static std::optional<Failure> failsLike(const Failure &F, const Kernel &K,
                                        const CheckOptions &Options) {
  Expected<CheckResult> R = check({&K}, Options);
  if (!R) {
    consumeError(R.takeError());
    return std::nullopt;
  }
  for (Failure &Other : R->Failures)
    if (Other.K == F.K)
      return std::move(Other);
  return std::nullopt;
}

/// Ids of a statement and all inside of it.
static void idsOf(const Statement &S, std::set<unsigned> &Ids) {
  Ids.insert(S.Id);
  for (const Statement &Inner : S.Body)
    idsOf(Inner, Ids);
}

static void collect(const std::vector<Statement> &List,
                    std::vector<std::set<unsigned>> &Sets) {
  for (const Statement &S : List) {
    idsOf(S, Sets.emplace_back());
    collect(S.Body, Sets);
  }
}

Kernel reduce(const Kernel &K, const Failure &F, CheckOptions Options,
              unsigned Seconds) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point End = Clock::now() + std::chrono::seconds(Seconds);
  if (F.K != Failure::BadKernel)
    Options.Variants = {F.V};
  std::vector<std::set<unsigned>> Sets;
  collect(K.Body, Sets);
  // The largest first.
  llvm::sort(Sets, [](const auto &A, const auto &B) {
    return std::make_pair(B.size(), *A.begin()) <
           std::make_pair(A.size(), *B.begin());
  });
  Kernel Best = K;
  for (bool Changed = true; Changed && Clock::now() < End;) {
    Changed = false;
    for (const std::set<unsigned> &Set : Sets) {
      if (Clock::now() >= End)
        break;
      if (Best.Deleted.count(*Set.begin()))
        continue;
      Kernel Smaller = Best;
      Smaller.Deleted.insert(Set.begin(), Set.end());
      if (failsLike(F, Smaller, Options)) {
        Best = std::move(Smaller);
        Changed = true;
      }
    }
  }
  return Best;
}

static Error writeFile(const Twine &Path, StringRef Text) {
  std::error_code EC;
  raw_fd_ostream OS(Path.str(), EC);
  if (EC)
    return createFileError(Path, EC);
  OS << Text;
  return Error::success();
}

Expected<std::string> writeReproducer(const Kernel &K, const Failure &F,
                                      const CheckOptions &Options,
                                      StringRef Folder) {
  std::string Path = (Folder + "/" + K.Name + "-" + F.V.name()).str();
  if (std::error_code EC = sys::fs::create_directories(Path))
    return createFileError(Path, EC);
  std::string Source = sourceOf({&K});
  if (Error E = writeFile(Path + "/kernel.cu", Source))
    return std::move(E);
  CheckOptions Again = Options;
  Again.Variants = {F.V};
  std::optional<Failure> Reduced = failsLike(F, K, Again);
  std::string What = "As generated:\n" + F.What;
  if (Reduced)
    What += "\nAs reduced:\n" + Reduced->What;
  if (Error E = writeFile(Path + "/failure.txt", What))
    return std::move(E);
  Expected<std::string> Bitcode = compileToBitcode(Source, F.V, Options.CPU);
  if (!Bitcode)
    return Bitcode.takeError();
  Expected<std::string> PTX = generatePTX(*Bitcode, F.V, {&K});
  if (!PTX)
    return PTX.takeError();
  if (Error E = writeFile(Path + "/kernel.ptx", *PTX))
    return std::move(E);
  return Path;
}

} // namespace regshare::fuzz
