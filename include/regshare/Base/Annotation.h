//===- regshare/Base/Annotation.h - Pragmas of annotated PTX --*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Annotated PTX is ordinary PTX in which `.pragma "regshare.…";` statements
/// say which architected registers a kernel's PTX registers are. The grammar
/// is in docs/annotated-ptx.md; this is its only printer and parser.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_ANNOTATION_H
#define REGSHARE_BASE_ANNOTATION_H

#include "regshare/Base/ArchReg.h"
#include "regshare/Base/Result.h"
#include "regshare/Base/SchemeFacts.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regshare {

/// The version of the grammar, as `regshare.kernel` states it.
inline constexpr unsigned AnnotationVersion = 1;
/// Register maps are split so that no pragma string grows longer. A kernel's
/// descriptor is never split: it is as long as the kernel's name makes it.
inline constexpr unsigned MaxMapString = 200;
/// Most issue slots that an instruction takes.
inline constexpr unsigned MaxIssueSlots = 65535;

/// Uniform registers of a warp, 32 bits each: U0 to U62 (Jia et al.,
/// "Dissecting the NVidia Turing T4 GPU via Microbenchmarking", 2019,
/// section 2.4: 63 and one that is zero).
inline constexpr unsigned MaxUniformUnits = 63;
/// 3 for "U3"; nothing for what names no uniform register.
std::optional<unsigned> uniformUnit(std::string_view Name);

/// What native code says of itself once: `regshare.native`.
struct NativeFacts {
  unsigned Instructions = 0; ///< That hardware would have of it.
  /// Registers R0 on that are among the kernel's and hold nothing that PTX
  /// names: the program counter, the stack pointer.
  unsigned Reserved = 0;
};

/// What a kernel needs of an SM: `regshare.kernel`.
struct KernelDescriptor {
  std::string Kernel; ///< The name of its .entry.
  std::string Scheme; ///< By the name that parseScheme reads.
  std::string Target; ///< sm_NN that the code was compiled for.
  unsigned Regs = 0;  ///< 32-bit units a thread names: R0 to R<Regs-1>.
  unsigned Preds = 0; ///< Predicates a thread names: P0 to P<Preds-1>.
  unsigned Peak = 0;  ///< Most units live at once, for any lane of a warp.
  unsigned SharedBytes = 0; ///< Static shared memory of a CTA.
  unsigned LocalBytes = 0;  ///< Local memory of a thread.

  friend bool operator==(const KernelDescriptor &,
                         const KernelDescriptor &) = default;
};

/// A key of `regshare.kernel`; either Text or Number is set.
struct DescriptorField {
  const char *Key;
  const char *Help;
  std::string KernelDescriptor::*Text;
  unsigned KernelDescriptor::*Number;
};
/// In the order in which they are printed; all are required.
const std::vector<DescriptorField> &descriptorFields();

/// Which architected register a PTX register is. In `regshare.map` the names
/// start with '%' as in the text; in `regshare.temps` they are spelled as the
/// block's own `.reg` declares them.
struct RegisterMap {
  std::vector<std::pair<std::string, ArchReg>> Entries;
  /// Of native code: PTX registers that take none, because hardware has their
  /// values as constant operands, and because it never has them: whoever reads
  /// them is one instruction with whoever writes them.
  std::vector<std::string> Constants = {};
  std::vector<std::string> Folded = {};
  /// And those that all threads of a warp have in one uniform register, each
  /// with the first of its units.
  std::vector<std::pair<std::string, unsigned>> Uniform = {};

  /// Nothing if \p Name is not mapped. Linear: build an index for many.
  std::optional<ArchReg> find(std::string_view Name) const;
  friend bool operator==(const RegisterMap &, const RegisterMap &) = default;
};

/// One `regshare.…` string, split but not yet understood.
struct Statement {
  std::string Verb;     ///< "map"
  unsigned Version = 0; ///< 0 for a verb that states none.
  std::vector<std::pair<std::string, std::string>> Fields;
  unsigned Line = 0; ///< In the PTX text, from 1; 0 outside of one.

  friend bool operator==(const Statement &, const Statement &) = default;
};

/// A .entry or a .func with a body.
struct AnnotatedFunction {
  std::string Name;
  bool IsEntry = false;
  unsigned Line = 0; ///< Of its .entry or .func.
  /// Nothing in plain PTX, which has no statements either.
  std::optional<KernelDescriptor> Descriptor;
  std::optional<NativeFacts> Native;
  SchemeFacts Facts;                 ///< What its scheme's statements say once.
  RegisterMap Map;                   ///< All its `regshare.map` together.
  std::vector<Statement> Statements; ///< All, in the order of the text.
};

/// The statements to put at the head of a kernel's body, the descriptor first:
/// `.pragma "regshare.kernel v1 …";`, then `.pragma "regshare.map …";` as often
/// as the map needs.
std::vector<std::string> printPragmas(const KernelDescriptor &Kernel,
                                      const RegisterMap &Map);
/// `.pragma "regshare.native instructions=40 reserved=3";`, after the
/// descriptor.
std::string printNativePragma(const NativeFacts &Facts);
/// `.pragma "regshare.issue slots=4";` for the instruction that follows.
std::string printIssuePragma(unsigned Slots);
/// `.pragma "regshare.reuse slots=0,2";` for the instruction that follows. The
/// mask \p Slots names at least one operand slot (regshare/Base/Reuse.h).
std::string printReusePragma(unsigned Slots);
/// `.pragma "regshare.scratch regs=R9,R10";` for the instruction that follows.
/// \p Units ascend.
std::string printScratchPragma(std::span<const unsigned> Units);
/// `.pragma "regshare.temps p=P0 t=R9";` for the inline-PTX block that follows.
std::string printTempsPragma(const RegisterMap &Temps);

/// True for the contents of a pragma string that is RegShare's, well-formed or
/// not; other pragmas are ptxas's.
bool isStatement(std::string_view PragmaString);
/// True for verbs of statements that belong to no scheme.
bool isCommonVerb(std::string_view Verb);
/// True for verbs of what native code says of the instruction that comes next.
bool isOfInstruction(std::string_view Verb);
/// Splits the contents of a pragma string, without its quotes. Fails on an
/// unknown verb or version and on what is not `key=value`.
Result<Statement> parseStatement(std::string_view PragmaString);
/// Fails on a missing, unknown or repeated key, on what is not a number, on a
/// scheme parseScheme does not know, and if more is live than there is.
Result<KernelDescriptor> parseDescriptor(const Statement &D);
/// Reads a `native`. Fails on anything but a number of instructions and one of
/// reserved registers, and if \p K has fewer registers.
Result<NativeFacts> parseNative(const Statement &S, const KernelDescriptor &K);
/// Reads an `issue`. Fails on anything but a number up to MaxIssueSlots.
Result<unsigned> parseIssue(const Statement &S);
/// Reads a `reuse`. Fails on anything but operand slots that ascend.
Result<unsigned> parseReuse(const Statement &S);
/// Reads a `scratch`: units that ascend, all among those of \p K.
Result<std::vector<unsigned>> parseScratch(const Statement &S,
                                           const KernelDescriptor &K);
/// Reads a `map` or `temps`. Fails on what is not a register, on a PTX register
/// that is mapped twice.
Result<RegisterMap> parseMap(const Statement &D);

/// Reads the annotations of a whole PTX text; comments are skipped. On top of
/// the above fails if a statement is outside of a function or precedes its
/// descriptor, if the descriptor is repeated or names another kernel, and if a
/// mapped register is not among the descriptor's, and if code that is not
/// native has what only native code has. Diagnostics carry the line.
Result<std::vector<AnnotatedFunction>>
parseAnnotations(std::string_view PTXText);

} // namespace regshare

#endif // REGSHARE_BASE_ANNOTATION_H
