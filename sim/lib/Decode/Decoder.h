//===- Decoder.h - From syntax to decoded instructions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DECODE_DECODER_H
#define REGSHARE_SIM_DECODE_DECODER_H

#include "Exec/ExecContext.h"
#include "NativeDecoder.h"
#include "Rules/CodeRules.h"

#include <unordered_map>

namespace regshare::sim {

struct MatrixFragment;
struct MatrixLayout;
struct MatrixOp;
struct MatrixShape;
enum class MatrixType : uint8_t;
struct TextureOp;

/// The constants of a program: rows with the same word in every lane.
class ConstantPool {
public:
  RowRef word(uint32_t Value);
  RowRef pair(uint64_t Value);
  /// Rows whose values are known when a kernel starts.
  RowRef reserve(unsigned Rows);
  RowWords take() { return std::move(Words); }

private:
  RowRef append(uint32_t Value);
  RowWords Words;
  std::unordered_map<uint32_t, RowRef> Single;
  std::unordered_map<uint64_t, RowRef> Pairs;
};

/// Where each PTX register of a function lives.
struct RegisterLayout {
  std::vector<uint32_t> Places; ///< Row or predicate, by register.
  uint32_t NumRows = 0;
  uint32_t NumPreds = 1;
  uint32_t RegsPerThread = 0; ///< Rows that count as a thread's registers.
  std::string Scheme;         ///< As in Function, as the facts are.
  SchemeFacts Facts;
  uint32_t SharedBytes = 0;           ///< As the descriptor has it,
  unsigned DescriptorLine = 0;        ///< which is here; 0: there is none.
  std::optional<NativeLayout> Native; ///< Of native code.
};

/// Gives every PTX register storage of its own.
RegisterLayout layoutVirtual(const ptx::Function &F);
/// True if \p F carries annotations.
bool hasRegisterMap(const ptx::Function &F);
/// Rows are the architected registers that the annotations name. Fails on bad
/// annotations.
Result<RegisterLayout> layoutArchitected(const ptx::Function &F);

/// What functions of a module share while they are decoded.
struct DecodeState {
  Program &P;
  ConstantPool Pool;
  std::unordered_map<std::string_view, uint32_t> FunctionNumbers;
  /// Shared variables of the module's scope, by offset; extern ones are not
  /// in here.
  std::unordered_map<std::string_view, uint32_t> SharedOffsets;
  std::unordered_map<std::string_view, const ptx::Variable *> ExternShared;
};

/// Decodes one function. Decoding functions return false once an error is
/// recorded.
class FunctionDecoder {
public:
  FunctionDecoder(DecodeState &State, const ptx::Function &Syntax, Function &F,
                  RegisterLayout Layout);
  /// Fills F.Code.
  bool run();
  Diagnostic takeError() { return std::move(Error); }

private:
  using Rule = bool (FunctionDecoder::*)();
  static const std::unordered_map<std::string_view, Rule> &rules();

  bool fail(const std::string &Message);
  bool failStatement();
  void placeConstants();
  bool decodeAll();
  bool decodeOne();
  bool decodeStatement();
  bool decodeGuard();
  bool comesTo(const ptx::Instruction *Next);
  bool finishNative();
  bool failNative();
  bool checkProgress();
  bool finish();
  void layoutLocals();
  void markUndefined();
  bool markAttention();
  void computeReconvergence();

  static bool isAnnotation(const ptx::Instruction &I) {
    return I.Opcode.starts_with("regshare.");
  }

  // Operands. Each records what it reads or writes.
  const ptx::Operand &op(unsigned N) const { return S->Operands[N]; }
  /// Without the operands that say only how to cache.
  unsigned numOps() const {
    return unsigned(S->Operands.size()) - NumCacheOperands;
  }
  bool expectOps(unsigned Min, unsigned Max);
  bool source(const ptx::Operand &O, ScalarType T, uint32_t &Out);
  bool constant(const ptx::Operand &O, ScalarType T, uint32_t &Out);
  bool special(const ptx::Operand &O, ScalarType T, uint32_t &Out);
  bool predSource(const ptx::Operand &O, uint32_t &Out);
  bool dest(const ptx::Operand &O, ScalarType T, uint32_t &Out);
  bool predDest(const ptx::Operand &O, uint32_t &Out);
  bool addressOperand(const ptx::Operand &O, unsigned Slot);
  bool symbolAddress(const ptx::Operand &O, Space &Where, uint64_t &Address);
  bool isPlaced(int32_t Reg);
  bool reads(int32_t Reg, uint32_t First, unsigned Count);
  bool writes(int32_t Reg, uint32_t First, unsigned Count);
  bool isExternShared(const ptx::Operand &O) const;
  bool handler(const std::string &Name);
  bool sources(unsigned FirstOp, unsigned Count, ScalarType T);
  void zeroFrom(unsigned Slot);

  // Modifiers.
  bool takeMod(std::string_view Name);
  bool takeType(ScalarType &T);
  bool takeCacheHint();
  void takeRounding();
  bool noModsLeft();

  // Rules, by group.
  bool arithmetic();
  bool intArithmetic(std::string Name, ScalarType T, unsigned N);
  bool floatArithmetic(std::string Name, ScalarType T, unsigned N);
  bool carry();
  bool bitwise();
  bool shift();
  bool countBits();
  bool bitField();
  bool bitMask();
  bool funnel();
  bool permute();
  bool lop3();
  bool dotProduct();
  bool selp();
  bool slct();
  bool setp();
  bool set();
  bool comparison(ScalarType T, unsigned FirstSource);
  bool video();
  bool testp();
  bool copySign();
  bool mov();
  bool movVector();
  bool movSymbol();
  bool cvt();
  bool cvtTF32();
  bool cvtPair8();
  bool cvtPack();
  bool cvta();
  bool isspacep();
  bool mapa();
  bool getctarank();
  bool load();
  bool store();
  bool memoryMods(bool &Vector);
  bool vectorAtomic(const std::string &Operation, ScalarType T);
  bool wideAtomic(const std::string &Operation);
  bool atomic();
  bool cpAsync();
  bool bulkCopy();
  bool copyOperands();
  bool texture();
  bool surface();
  bool takeTextureShape(TextureOp &Op);
  bool textureForm(TextureOp &Op);
  bool textureCoordinates(const TextureOp &Op, const ptx::Operand &A);
  bool matrixMultiply();
  bool multiplyMatrices(bool IsWmma);
  bool wmma();
  bool moveMatrix(bool IsLoad);
  bool matrixRows();
  bool transposeMatrix();
  bool takeAligned();
  bool takeMatrixShape(MatrixShape &Shape);
  std::vector<MatrixType> takeMatrixTypes();
  bool takeMatrixOrders(MatrixLayout &A, MatrixLayout &B);
  bool matrixForm(MatrixOp &Op, bool IsWmma);
  bool fragment(const ptx::Operand &O, unsigned Count, bool IsResult,
                MatrixFragment &Fragment);
  void accessesMatrix(const MatrixLayout &L, bool IsLoad);
  bool registerCount();
  bool stack();
  bool mbarrier();
  bool accessesMbarrier(const ptx::Operand &Address, bool Changes);
  bool arriveAtMbarrier(bool Drops);
  bool testMbarrier();
  bool shuffle();
  bool vote();
  bool match();
  bool redux();
  bool activeMask();
  bool elect();
  bool barrier();
  bool barrierOperands(unsigned First);
  bool clusterBarrier();
  bool warpBarrier();
  bool branch();
  bool indexedBranch();
  bool call();
  bool callArguments(const ptx::Operand &O, std::vector<ParamSlot> &Slots);
  bool control();
  bool ignored();
  bool cachePolicy();
  bool implicitDef();

  DecodeState &State;
  const ptx::Function &Syntax;
  Function &F;
  RegisterLayout Layout;
  Diagnostic Error;

  // The instruction being decoded.
  const ptx::Instruction *S = nullptr;
  Inst I;
  std::vector<std::string_view> Mods;
  unsigned NumCacheOperands = 0;
  std::vector<uint32_t> Reads, Writes;
  std::vector<int32_t> ReadRegs; ///< The PTX register of each read.
  std::vector<unsigned> Dead;    ///< That a statement names.
  NativeInst OfNative;

  /// Places in F.Accesses and the PTX registers that are read there.
  std::vector<std::pair<size_t, int32_t>> ReadsOf;

  /// What reads the scheme's statements; null where there are none.
  std::unique_ptr<StatementDecoder> Statements;
  std::optional<NativeDecoder> Native; ///< Of native code.
  std::vector<uint32_t> LocalOffsets;  ///< Of Syntax.Locals.
  std::vector<bool> Written;           ///< By register.
  std::vector<uint32_t> StartOf;       ///< Inst of each ptx::Instruction.
  uint32_t ScratchRow = 0, ScratchPred = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_DECODE_DECODER_H
