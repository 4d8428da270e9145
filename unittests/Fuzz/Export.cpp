//===- Export.cpp - Random kernels for other machines ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Export.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace regshare::fuzz {

namespace {

/// One launch as JSON; contents of buffers go to another file.
class LaunchWriter {
public:
  LaunchWriter(json::OStream &J, raw_pwrite_stream &Contents)
      : J(J), Contents(Contents) {}
  void write(const ExportedLaunch &E);

private:
  void buffer(ArrayRef<u32> Before, ArrayRef<u32> After);
  uint64_t append(ArrayRef<u32> Words);

  json::OStream &J;
  raw_pwrite_stream &Contents;
};

} // namespace

/// Where in the file they are.
uint64_t LaunchWriter::append(ArrayRef<u32> Words) {
  uint64_t At = Contents.tell();
  Contents.write(reinterpret_cast<const char *>(Words.data()),
                 Words.size() * sizeof(u32));
  return At;
}

void LaunchWriter::buffer(ArrayRef<u32> Before, ArrayRef<u32> After) {
  J.object([&] {
    uint64_t At = append(Before);
    J.attribute("buffer", Before.size() * sizeof(u32));
    J.attribute("before", At);
    J.attribute("after", Before == After ? At : append(After));
  });
}

/// The parameters as bytes, with zeros between them.
static std::string bytesOf(const FuzzParams &Given) {
  FuzzParams P;
  std::memset(static_cast<void *>(&P), 0, sizeof(P));
  P.B = Given.B;
  P.T = Given.T;
  P.U = Given.U;
  P.F = Given.F;
  P.Q = Given.Q;
  P.D = Given.D;
  llvm::copy(Given.C, P.C);
  llvm::copy(Given.H, P.H);
  return {reinterpret_cast<const char *>(&P), sizeof(P)};
}

void LaunchWriter::write(const ExportedLaunch &E) {
  const Launch &L = *E.Launch;
  const Image Before = L.before();
  J.object([&] {
    J.attribute("kernel", L.Name);
    J.attribute("grid", json::Array{L.Grid, 1, 1});
    J.attribute("block", json::Array{L.BlockX, L.BlockY, 1});
    J.attribute("shared", 0);
    J.attributeArray("arguments", [&] {
      buffer(L.In, L.In);
      buffer(Before.Out, E.After->Out);
      buffer(Before.Acc, E.After->Acc);
      J.object([&] { J.attribute("bytes", toHex(bytesOf(L.P), true)); });
    });
  });
}

Error exportModule(StringRef Folder, StringRef Stem, StringRef PTX,
                   ArrayRef<ExportedLaunch> Launches) {
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return createFileError(Folder, EC);
  std::string Base = (Folder + "/" + Stem).str();
  std::error_code EC;
  auto Opened = [&](const char *Extension) {
    return std::make_unique<raw_fd_ostream>(Base + Extension, EC);
  };
  auto Code = Opened(".ptx");
  if (EC)
    return createFileError(Base + ".ptx", EC);
  *Code << PTX;
  auto Contents = Opened(".bin");
  if (EC)
    return createFileError(Base + ".bin", EC);
  auto Index = Opened(".json");
  if (EC)
    return createFileError(Base + ".json", EC);
  json::OStream J(*Index);
  J.array([&] {
    LaunchWriter Writer(J, *Contents);
    for (const ExportedLaunch &E : Launches)
      Writer.write(E);
  });
  return Error::success();
}

} // namespace regshare::fuzz
