//===- regshare/Base/Annotation.h - The annotated-PTX grammar - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Annotated PTX: ordinary PTX whose `.pragma "regshare.…"` statements carry
/// the kernel descriptor, the registers and what the sharing systems add. The
/// one parser and the one printer of that grammar; docs/annotated-ptx.md
/// describes it for other tools.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_ANNOTATION_H
#define REGSHARE_BASE_ANNOTATION_H

#include "regshare/Base/ArchReg.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regshare {

/// Grammar version that is written, and the only one that is read.
inline constexpr unsigned AnnotationVersion = 1;

/// One annotation: `regshare.<Verb> [word…] [key=value…]`.
struct Directive {
  std::string Verb;
  std::vector<std::pair<std::string, std::string>> Fields;
  unsigned Line = 0; ///< In the PTX; 0 if it came from elsewhere.

  /// The value of \p Key, or null.
  const std::string *find(std::string_view Key) const;
};

/// What an SM has to know of a kernel before it launches it.
struct KernelDescriptor {
  std::string Kernel;
  std::string Scheme;
  std::string Target;
  unsigned Regs = 0;        ///< 32-bit units per thread.
  unsigned Preds = 0;       ///< Predicates per thread.
  unsigned Peak = 0;        ///< Most units live at once.
  unsigned SharedBytes = 0; ///< Static, per CTA.
  unsigned LocalBytes = 0;  ///< Per thread.

  friend bool operator==(const KernelDescriptor &,
                         const KernelDescriptor &) = default;
};

/// PTX registers (`%r1`) and the architected registers that hold them.
using RegisterMap = std::vector<std::pair<std::string, ArchReg>>;

/// Everything the annotations of one kernel say.
struct KernelAnnotations {
  KernelDescriptor Descriptor;
  RegisterMap Registers;
  /// Registers of the temporaries of inline PTX, one entry a block.
  struct Temps {
    unsigned Line;
    RegisterMap Registers;
  };
  std::vector<Temps> InlineTemps;
};

/// `.pragma "…";`, without a line end.
std::string printPragma(const Directive &D);

Directive toDirective(const KernelDescriptor &D);
/// A map as directives of \p Verb, "map" or "temps", none longer than
/// MaxPragmaLength; at least one.
std::vector<Directive> toDirectives(const RegisterMap &Map,
                                    std::string_view Verb);
inline constexpr size_t MaxPragmaLength = 200;

/// Reads the text between the quotes of a pragma. Nothing if it is not
/// RegShare's ("nounroll"); fails if it is but cannot be read.
Result<std::optional<Directive>> parseDirective(std::string_view Text);
Result<KernelDescriptor> parseKernelDescriptor(const Directive &D);
Result<RegisterMap> parseRegisterMap(const Directive &D);

/// Reads the annotations of every kernel (`.entry`) of a PTX text that has any.
/// Errors carry the line.
Result<std::vector<KernelAnnotations>> parseAnnotations(std::string_view PTX);

} // namespace regshare

#endif // REGSHARE_BASE_ANNOTATION_H
