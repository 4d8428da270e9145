//===- InputError.cpp - An error with its place -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/InputError.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace regshare;

char InputError::ID;

SourcePlace SourcePlace::of(const DebugLoc &Loc) {
  if (!Loc)
    return {};
  auto *Scope = cast<DIScope>(Loc.getScope());
  return {Scope->getFilename().str(), Loc.getLine(), Loc.getCol()};
}

void InputError::log(raw_ostream &OS) const {
  if (!Place.File.empty()) {
    OS << Place.File << ':';
    if (Place.Line) {
      OS << Place.Line << ':';
      if (Place.Column)
        OS << Place.Column << ':';
    }
    OS << ' ';
  }
  OS << "error: " << Message;
  if (!Excerpt.empty())
    OS << '\n' << Excerpt;
}

std::error_code InputError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Error regshare::inputError(const Twine &Message) {
  return make_error<InputError>(SourcePlace(), Message.str());
}

Error regshare::inputError(SourcePlace Place, const Twine &Message) {
  return make_error<InputError>(std::move(Place), Message.str());
}

Error regshare::inputError(const SMDiagnostic &Diag) {
  SourcePlace Place{Diag.getFilename().str(), 0, 0};
  if (Diag.getLineNo() > 0) {
    Place.Line = Diag.getLineNo();
    Place.Column = Diag.getColumnNo() + 1;
  }
  std::string Excerpt;
  StringRef Line = Diag.getLineContents();
  if (Place.Line && !Line.empty()) {
    // Tabs stay tabs, so that the caret stands where the terminal puts it.
    std::string Caret;
    for (char C : Line.take_front(Place.Column - 1))
      Caret += C == '\t' ? '\t' : ' ';
    Excerpt = (Line + "\n" + Caret + "^").str();
  }
  StringRef Message = Diag.getMessage();
  Message.consume_front("error: ");
  return make_error<InputError>(std::move(Place), Message.str(),
                                std::move(Excerpt));
}

void regshare::printErrors(Error E, raw_ostream &OS) {
  handleAllErrors(
      std::move(E),
      [&](const InputError &Input) {
        Input.log(OS);
        OS << '\n';
      },
      [&](const ErrorInfoBase &Other) {
        OS << "error: " << Other.message() << '\n';
      });
}
