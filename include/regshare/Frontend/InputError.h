//===- regshare/Frontend/InputError.h - An error with its place -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a user's input can be wrong about, with the place where known. The
/// text of an InputError is a complete diagnostic, as compilers print it:
/// "file:line:column: error: message".
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_INPUTERROR_H
#define REGSHARE_FRONTEND_INPUTERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class DebugLoc;
class DiagnosticInfo;
class SMDiagnostic;
} // namespace llvm

namespace regshare {

/// A place in a source file. Line and Column count from 1; 0 is "not known".
struct SourcePlace {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;

  /// The place \p Loc stands for; empty if \p Loc is.
  static SourcePlace of(const llvm::DebugLoc &Loc);

  bool isKnown() const { return Line != 0; }
  friend bool operator==(const SourcePlace &, const SourcePlace &) = default;
};

/// An error of the user's, as a complete diagnostic.
class InputError : public llvm::ErrorInfo<InputError> {
public:
  static char ID;

  /// \p Excerpt is shown below the message: the source line and its caret.
  InputError(SourcePlace Place, std::string Message, std::string Excerpt = {})
      : Place(std::move(Place)), Message(std::move(Message)),
        Excerpt(std::move(Excerpt)) {}

  const SourcePlace &place() const { return Place; }
  const std::string &text() const { return Message; }
  const std::string &excerpt() const { return Excerpt; }

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  SourcePlace Place;
  std::string Message;
  std::string Excerpt;
};

/// An InputError without a place.
llvm::Error inputError(const llvm::Twine &Message);
/// One with a place.
llvm::Error inputError(SourcePlace Place, const llvm::Twine &Message);
/// What an LLVM parser says, at the place it says.
llvm::Error inputError(const llvm::SMDiagnostic &Diag);

/// Prints every error in \p E on a line of its own and consumes it: an
/// InputError as it is, any other with "error: " before it.
void printErrors(llvm::Error E, llvm::raw_ostream &OS);

} // namespace regshare

#endif // REGSHARE_FRONTEND_INPUTERROR_H
