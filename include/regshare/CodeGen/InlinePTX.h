//===- regshare/CodeGen/InlinePTX.h - Registers declared in inline PTX - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An inline-PTX block can declare registers of its own with `.reg`. They are
/// no operands of the INLINEASM, and still need architected registers.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_INLINEPTX_H
#define REGSHARE_CODEGEN_INLINEPTX_H

#include "regshare/Base/ArchReg.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace regshare {

/// A register that an inline-PTX block declares.
struct InlinePTXTemp {
  std::string Name; ///< As the block spells it.
  RegKind Kind;
  /// Declared outside of any `{ }`: visible, and kept, to the end of the
  /// function.
  bool FunctionScope;
};

/// The registers that the PTX text \p Asm declares, in order; vectors and
/// `name<count>` forms are expanded to their elements. An error names a
/// declaration that cannot be read.
llvm::Expected<std::vector<InlinePTXTemp>>
parseInlinePTXTemps(llvm::StringRef Asm);

/// The statement that names the registers of a block's temporaries, to stand
/// before it: `.pragma "regshare.temps p=P0 t=R9";`.
std::string printTempsPragma(llvm::ArrayRef<InlinePTXTemp> Temps,
                             llvm::ArrayRef<ArchReg> Regs);

/// Reads what printTempsPragma writes: the registers in order; nothing if
/// \p Asm is not such a statement.
llvm::Expected<std::optional<std::vector<ArchReg>>>
parseTempsPragma(llvm::StringRef Asm);

/// Function attribute of code that was PTX: each of its instructions that is no
/// instruction of NVPTX's is an INLINEASM with the text of one (a call brings
/// the loads and stores of its parameters), all of whose registers are
/// operands. MIR keeps it.
inline constexpr llvm::StringLiteral CarriedPTXAttribute = "regshare-ptx";
/// The instruction that \p MI carries, from its name on, without guard; empty
/// if it carries none.
llvm::StringRef carriedPTX(const llvm::MachineInstr &MI);

/// The text of an INLINEASM instruction, empty for any other.
llvm::StringRef inlinePTXText(const llvm::MachineInstr &MI);
/// The instructions of inline PTX: what is no declaration, brace or label. They
/// point into \p Text.
std::vector<llvm::StringRef> inlinePTXInstructions(llvm::StringRef Text);
/// An INLINEASM instruction without instructions of PTX: it only keeps others
/// in order, or declares something.
bool isEmptyInlinePTX(const llvm::MachineInstr &MI);

} // namespace regshare

#endif // REGSHARE_CODEGEN_INLINEPTX_H
