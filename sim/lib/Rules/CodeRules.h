//===- CodeRules.h - Code with a scheme's statements ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functional half of a scheme: what executed statements
/// (StatementKind::isExecuted) mean to the code that they are in and to a warp
/// that runs it. A scheme with such statements has
///
///   a StatementDecoder  that reads a function's statements while the function
///                       is decoded,
///   CodeRules           with what they say, for each such function,
///   WarpRules           with what a warp may do there, for each such warp,
///
/// and a CodeFamily that makes the first. A scheme without has none of these.
/// Instructions that nobody attends to (Inst::Attention) cost nothing.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_RULES_CODERULES_H
#define REGSHARE_SIM_RULES_CODERULES_H

#include "Rules/WarpView.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Sim/Program.h"

#include <algorithm>
#include <any>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace regshare::sim {

class StatementDecoder;
struct IssueInfo;

/// A rule of a scheme that a warp has broken, and the first lane that did.
struct Violation {
  std::string Rule;
  unsigned Lane = 0;
};

/// Schemes whose statements mean the same, so that code of each of them runs
/// under the others.
struct CodeFamily {
  std::span<const SchemeDescription *const> Schemes;
  /// A decoder for \p F, whose Facts and registers are known and whose code is
  /// yet to be decoded; null if it has no statements to decode. Fails on a
  /// function that cannot be code of the schemes.
  Result<std::unique_ptr<StatementDecoder>> (*Decoder)(const Function &F);
};

/// For loaded schemes. \p Family lives as long as the process. Fails if one of
/// its schemes has a family, or nobody has described it.
Result<void> registerCode(const CodeFamily &Family);
/// The family of the scheme of that name; null if its code has no statements.
const CodeFamily *findCode(std::string_view Name);
/// That of a composition (Schemes/ComposedCode.h).
const CodeFamily *composedCode(Scheme S);

/// What a warp has, and what it may do, in code of a family.
class WarpRules {
public:
  explicit WarpRules(WarpView W) : W(W) {}
  virtual ~WarpRules();

  /// Of an instruction with AttendBefore: whether the warp may execute it.
  virtual std::optional<Violation> before(const Inst &I);
  /// The same, asked because a source was never written: of what the rules
  /// forbid, what explains that.
  virtual std::optional<Violation> unwritten(const Inst &I);
  /// What the warp has to wait for before it executes \p I, an instruction with
  /// AttendBefore; empty: nothing. Asked before each attempt, where there is no
  /// timing: with timing the scheme's hooks have warps wait.
  virtual std::string mustWait(const Inst &I);
  /// Of an instruction with AttendAfter: its results are noted as written, for
  /// the lanes that execute it.
  virtual void after(const Inst &I);
  /// Of an InstKind::Statement.
  virtual void execute(const Inst &I);

  /// Whether \p I takes the source \p Access, which nobody has written, from
  /// somewhere else.
  virtual bool provides(const Inst &I, uint32_t Access) const;
  /// Why the source \p Access may have lost its value: " since …", or nothing.
  virtual std::string lostSince(uint32_t Access) const;
  /// Of a warp that is to wait for others of its CTA. Only asked if
  /// LaunchOptions::CheckHolding.
  virtual std::optional<Violation> waits();
  /// Lanes went apart, or came to run that had waited on another side of a
  /// branch.
  virtual void lanesChange();
  /// The values of a load have come.
  virtual void arrived(const PendingAccess &Late);
  /// Others take the warp's place among the active ones.
  virtual void parked();
  /// Whether that would lose values that the warp, of which \p Next comes
  /// next, may read.
  virtual bool needsItsPlace(const Inst &Next) const;
  /// What of this decides how the warp goes on: for finding livelocks.
  virtual uint64_t state() const;

protected:
  WarpView W;
};

/// What the statements of a function say. Constant once the function is
/// decoded.
class CodeRules {
public:
  CodeRules(const CodeFamily &Family, const Function &F)
      : F(F), Family(Family) {}
  virtual ~CodeRules();

  const CodeFamily &family() const { return Family; }
  /// What of this concerns schemes of the family \p Running: all, or of a
  /// composition's code a part. Null: nothing.
  const CodeRules *under(const CodeFamily *Running) const {
    return &Family == Running ? this : partUnder(Running);
  }
  /// For a warp that comes to code of the family, which is this.
  virtual std::unique_ptr<WarpRules> forWarp(WarpView W) const = 0;

  /// Whether the rules want to know of the instruction when it executes:
  /// AttendBefore and AttendAfter.
  virtual uint8_t attentionTo(size_t Number) const;

  //===--------------------------------------------------------------------===//
  // For the timing of the code, under the schemes of the family
  //===--------------------------------------------------------------------===//

  /// What IssueInfo::Statement is of the statement \p Number under schemes of
  /// the family \p Running; nothing: it is no statement of theirs.
  virtual std::optional<uint8_t> statementUnder(const CodeFamily *Running,
                                                size_t Number) const;
  /// The registers whose results \p Statement waits for. Also under other
  /// schemes.
  virtual std::vector<uint32_t> awaitedBy(const Inst &Statement) const;
  /// Fills IssueInfo::Group and IssueInfo::EndsGroup of all instructions.
  virtual void noteGroups(std::span<IssueInfo> Insts) const;
  /// Adds the groups of the function to those of the program, and returns the
  /// number of the first. \p All is empty, or of the family's own type.
  virtual uint32_t addGroups(std::any &All) const;

protected:
  virtual const CodeRules *partUnder(const CodeFamily *) const {
    return nullptr;
  }

  const Function &F;

private:
  const CodeFamily &Family;
};

/// What the statements of \p F say to schemes of \p Family, whose rules are a
/// \p CodeT; null: nothing.
template <typename CodeT>
const CodeT *codeOf(const Function &F, const CodeFamily &Family) {
  return F.Rules ? static_cast<const CodeT *>(F.Rules->under(&Family))
                 : nullptr;
}

/// The first register or predicate that \p I, of \p F, names and that is
/// \p Wanted.
template <typename Predicate>
std::optional<uint32_t> firstNamed(const Function &F, const Inst &I,
                                   Predicate Wanted) {
  const uint32_t *First = F.Accesses.data() + I.FirstAccess;
  const uint32_t *End = First + I.NumReads + I.NumWrites;
  const uint32_t *Found = std::find_if(First, End, Wanted);
  return Found == End ? std::nullopt : std::optional(*Found);
}

/// The registers that a statement says are dead (DecodedStatement::Dead).
inline std::span<const uint32_t> deadRegisters(const Function &F,
                                               const Inst &Statement) {
  return std::span(F.Accesses)
      .subspan(Statement.FirstAccess, size_t(Statement.Imm));
}

/// Appends \p More to a table of groups; returns the number of the first.
template <typename Group>
uint32_t appendGroups(std::any &All, const std::vector<Group> &More) {
  if (!All.has_value())
    All.emplace<std::vector<Group>>();
  auto &Groups = *std::any_cast<std::vector<Group>>(&All);
  auto First = uint32_t(Groups.size());
  Groups.insert(Groups.end(), More.begin(), More.end());
  return First;
}

/// What an executed statement becomes.
struct DecodedStatement {
  /// A number of the scheme's own, from 1 on; 0 for a statement that becomes no
  /// instruction (StatementKind::Decoded).
  uint8_t Number = 0;
  /// Registers whose values no lane of the warp needs any more.
  std::vector<unsigned> Dead;
};

/// An instruction that has been decoded, without its place in the function.
struct DecodedInst {
  const Inst &I;
  const ptx::Instruction *Syntax;          ///< Null for the return at the end.
  std::span<const uint32_t> Reads, Writes; ///< As in Function::Accesses.
  /// Of native code: as many instructions right before Syntax are part of it.
  unsigned NumFolded = 0;
};

/// Reads the statements of a function, in the order of its text. Members that
/// return a bool return false once an error is recorded.
class StatementDecoder {
public:
  virtual ~StatementDecoder();

  /// A statement has been reached.
  virtual bool decode(const Statement &S, const ptx::Instruction &Syntax,
                      DecodedStatement &Out) = 0;
  /// The text goes on with \p Next, an instruction or statement; null: the
  /// function is over.
  virtual bool comesTo(const ptx::Instruction *Next);
  /// An instruction has been decoded, or a statement that has become one.
  virtual bool decoded(const DecodedInst &D);
  /// All has been decoded. Null if no rules follow from it.
  virtual std::shared_ptr<const CodeRules> take() = 0;

  struct Failure {
    std::string Message;
    /// Null: the instruction that is being decoded.
    const ptx::Instruction *At = nullptr;
  };
  const Failure &failure() const { return Error; }

protected:
  bool fail(std::string Message, const ptx::Instruction *At = nullptr) {
    Error = {std::move(Message), At};
    return false;
  }

private:
  Failure Error;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_RULES_CODERULES_H
