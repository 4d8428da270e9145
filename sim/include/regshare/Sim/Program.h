//===- regshare/Sim/Program.h - Decoded programs -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function as the SM executes it: a flat stream of decoded instructions
/// whose operands are rows of registers. A row is one 32-bit architected
/// register of a warp: 32 lanes, 128 bytes. A b64 value takes two rows (low,
/// high), so that each row can be held, moved and poisoned on its own.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_PROGRAM_H
#define REGSHARE_SIM_PROGRAM_H

#include "regshare/Base/Control.h"
#include "regshare/Base/DeviceCalls.h"
#include "regshare/Base/Result.h"
#include "regshare/Base/SchemeFacts.h"
#include "regshare/Sim/PTX.h"
#include "regshare/Sim/Types.h"

#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace regshare::sim {

class CodeRules;
struct ExecContext;
struct Inst;
class GlobalMemory;

/// Executes one instruction for the lanes of ExecContext::Mask.
using Handler = void (*)(ExecContext &, const Inst &);

/// Names a row of 32 lanes: of the warp's registers, of the program's
/// constants, or of the warp's special registers.
using RowRef = uint32_t;
inline constexpr RowRef ConstRow = 1u << 30;
inline constexpr RowRef SpecialRow = 2u << 30;
/// A copy of a register, for an access that is carried out later.
inline constexpr RowRef OperandRow = 3u << 30;
inline constexpr RowRef RowIndexMask = ConstRow - 1;

/// Rows begin where a host's vectors do.
template <typename T> struct RowAllocator {
  /// As the library's containers name it.
  using value_type = T;
  static constexpr std::align_val_t Alignment{64};
  RowAllocator() = default;
  template <typename U> RowAllocator(const RowAllocator<U> &) {}
  T *allocate(size_t Count) {
    return static_cast<T *>(::operator new(Count * sizeof(T), Alignment));
  }
  void deallocate(T *P, size_t) { ::operator delete(P, Alignment); }
  bool operator==(const RowAllocator &) const = default;
};
/// Words of rows, one row after the other.
using RowWords = std::vector<uint32_t, RowAllocator<uint32_t>>;

/// Names a predicate; the top bit negates it. Predicate 0 is constant false.
using PredRef = uint32_t;
inline constexpr PredRef PredNegated = 1u << 31;
inline constexpr PredRef PredTrue = PredNegated;
inline constexpr PredRef PredFalse = 0;

/// Rows of the special registers of a warp, in SpecialRow.
enum class SpecialReg : uint8_t {
  TidX,
  TidY,
  TidZ,
  NTidX,
  NTidY,
  NTidZ,
  CtaIdX,
  CtaIdY,
  CtaIdZ,
  NCtaIdX,
  NCtaIdY,
  NCtaIdZ,
  LaneId,
  WarpId,
  NWarpId,
  SmId,
  NSmId,
  GridIdLo,
  GridIdHi,
  LaneMaskEq,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskGt,
  LaneMaskGe,
  DynamicSharedSize,
  TotalSharedSize,
  DynamicSharedBase, ///< Followed by its upper half, which is zero.
  DynamicSharedBaseHi,
  ReservedShared0, ///< Shared memory that CUDA's own headers use.
  ReservedShared1,
  ReservedSharedEnd,
  ReservedSharedSize,
  GridWorkspaceHi, ///< The address of what a grid's barrier needs.
  GridWorkspaceLo,
  One,  ///< Cluster dimensions: a cluster of one CTA.
  Zero, ///< Cluster positions, and the constant 0.
  Count,
};
inline constexpr unsigned NumSpecialRows = unsigned(SpecialReg::Count);

/// Which part of the SM's code executes an instruction.
enum class InstKind : uint8_t {
  Compute, ///< Fn computes registers from registers.
  Memory,  ///< Fn accesses memory; leaves lane addresses in the context.
  Branch,
  IndexedBranch,
  Call,
  Return,
  Exit,
  Barrier,
  WarpBarrier,
  Trap,
  Stack,     ///< Computes from, or sets, the top of a thread's stack (StackOp).
  Define,    ///< Marks registers as defined; takes no time.
  Statement, ///< A scheme's own, which its CodeRules know.
};

/// What an instruction needs besides its kind (Inst::Attention).
enum Attention : uint8_t {
  AttendMembers = 1 << 0, ///< It is warp-synchronous.
  AttendBefore = 1 << 1,  ///< The code's rules may forbid it, or follow it
  AttendAfter = 1 << 2,   ///<   once its results are noted as written.
  AttendNoSlot = 1 << 3,  ///< It is a statement that takes no issue slot.
  AttendNative = 1 << 4,  ///< Function::Native has more to say of it.
};

/// Which pipe executes the instruction.
enum class UnitClass : uint8_t {
  None, ///< Control and other instructions without a result.
  Int,
  Float,
  Double,
  Half,
  Special, ///< The SFU.
  LoadStore,
  Control,
  Tensor, ///< The tensor core.
};

/// Latency class within a unit.
enum class OpClass : uint8_t {
  Simple,
  Multiply,
  MultiplyAdd,
  Divide,
  Shuffle,
  Matrix, ///< What works on fragments of matrices.
};

/// What a barrier instruction does (Inst::Imm).
enum class BarrierOp : uint8_t { Sync, Arrive, Popc, And, Or };

/// What alloca, stacksave and stackrestore do (Inst::Imm).
enum class StackOp : uint8_t { Allocate, Save, Restore };

/// Operations on packed bytes and half-words.
enum class VideoOp : uint8_t { Add, Sub, Average, Min, Max, AbsDiff, Set };

/// Rounding modes in the order of PTX: nearest even, towards zero, down, up.
enum Rounding : uint8_t { RN, RZ, RM, RP };

/// Modifiers that handlers look at while executing.
enum InstFlags : uint16_t {
  FlagFtz = 1 << 0,
  FlagSat = 1 << 1,
  FlagRelu = 1 << 2,
  FlagNaN = 1 << 3,
  FlagCarryIn = 1 << 4,
  FlagCarryOut = 1 << 5,
  FlagConstBase = 1 << 6, ///< The address is an immediate alone.
  /// A lane accesses more than one place: a fetch, of which Imm has the
  /// TextureOp, or a matrix.
  FlagTexture = 1 << 7,
  FlagSignedA = 1 << 8,
  FlagSignedB = 1 << 9,
  FlagAligned = 1 << 10,
  FlagVolatile = 1 << 11,  ///< .volatile, .relaxed, .acquire and the like
  FlagAbs = 1 << 12,       ///< .xorsign.abs
  FlagAddress32 = 1 << 13, ///< The address register has 32 bits.
  FlagWide = 1 << 14,      ///< The register is wider than the value: extend.
  FlagCacheL2 = 1 << 15,   ///< .cg: not kept in the L1.
};

inline constexpr unsigned MaxOps = 10;
/// Registers that an instruction reads at most, but for those that multiply
/// matrices.
inline constexpr unsigned MaxReadRows = 16;
inline constexpr unsigned MaxMatrixReadRows = 24;
/// Inst::MemberOp of an instruction for which all lanes of the warp come.
inline constexpr uint8_t AllMembers = UINT8_MAX;

/// An instruction, decoded.
struct Inst {
  Handler Fn = nullptr;
  /// Destinations, then sources, as the handler wants them.
  uint32_t Ops[MaxOps] = {};
  /// Address offset, or an immediate of the operation; of a Statement, how many
  /// registers it names.
  int64_t Imm = 0;
  PredRef Guard = PredTrue;
  uint32_t Target = 0; ///< Branch target; function number of a call.
  uint32_t Reconverge = 0;
  /// Into Function::Accesses: reads, then writes; of a Statement, rows.
  uint32_t FirstAccess = 0;
  uint16_t NumReads = 0, NumWrites = 0;
  uint16_t Flags = 0;
  /// From it on, so many instructions follow each other with nothing to decide
  /// between them: no branch, guard or check; 0 if it is not one of these.
  uint16_t Run = 0;
  /// It reads or writes a register that Function::WrittenAtStart leaves open.
  bool IsTracked = true;
  InstKind Kind = InstKind::Compute;
  UnitClass Unit = UnitClass::Int;
  OpClass Op = OpClass::Simple;
  Space Where = Space::Generic;
  uint8_t Round = RN;
  uint8_t Size = 0;  ///< Bytes of one element of a memory access.
  uint8_t Count = 1; ///< Elements of a vector access.
  bool IsLoad = false, IsStore = false, IsAtomic = false;
  /// Operand with the member mask of a warp-synchronous instruction, or
  /// AllMembers; 0: none.
  uint8_t MemberOp = 0;
  uint8_t Attention = 0;
  uint8_t Statement = 0; ///< Which one: a number of the scheme's, from 1 on.
  uint32_t Source = 0;   ///< Index into ptx::Function::Body.

  /// Round of a cp.async: copies Size bytes, as many of them as an operand
  /// says, or a block of any size, after which it tells a barrier.
  static constexpr uint8_t CopiesAll = 0, CopiesSome = 1, CopiesBlock = 2;
  /// It has a pipe that computes.
  bool computes() const {
    return Kind == InstKind::Compute || Kind == InstKind::Stack;
  }
  /// cp.async: of global memory to shared memory.
  bool isCopy() const { return IsLoad && IsStore && !IsAtomic; }
  bool isBulkCopy() const { return isCopy() && Round == CopiesBlock; }
};

/// The operand slots that an instruction of native code reads its registers in,
/// and those that the register-file cache keeps (regshare/Base/Reuse.h).
struct ReadSlots {
  static constexpr unsigned MaxReads = 16, None = 3;
  uint32_t Bits = ~uint32_t(0); ///< Two bits a read: its slot, or None.
  uint8_t Kept = 0;             ///< A mask of slots.

  unsigned slot(unsigned Read) const {
    return Read < MaxReads ? Bits >> 2 * Read & 3 : None;
  }
  void set(unsigned Read, unsigned Slot) {
    Bits = (Bits & ~(3u << 2 * Read)) | Slot << 2 * Read;
  }
};

/// What native code says of an instruction (docs/annotated-ptx.md): it is the
/// consumer of a group, or an instruction alone.
struct NativeInst {
  /// Into Function::Folded: instructions that are executed before it and are
  /// one with it.
  uint32_t FirstFolded = 0;
  uint16_t NumFolded = 0;
  uint16_t OwnReads = 0;   ///< Of its reads, those before the folded ones'.
  uint16_t NumScratch = 0; ///< Of its writes, the last: poison after it.
  uint16_t Slots = 1;      ///< Issue slots that it takes; 0: hardware has none.
  bool WritesUniform = false; ///< Its results are in uniform registers.
  ControlBits Says;           ///< Of its dependences.
  ReadSlots Operands;         ///< Of the register-file cache.

  bool isPlain() const {
    return !NumFolded && !NumScratch && Slots == 1 && !WritesUniform;
  }
};

inline constexpr uint32_t NoTarget = ~uint32_t(0);

/// Of an instruction that belongs to none of the groups into which a scheme
/// divides the code.
inline constexpr uint32_t NoGroup = ~uint32_t(0);

/// The place of a register that has none.
inline constexpr uint32_t NoPlace = ~uint32_t(0);

/// A place in local memory, in bytes from the frame's start.
struct ParamSlot {
  uint32_t Offset = 0, Size = 0, Align = 1;
};

/// What a call copies between the frames.
struct CallSite {
  uint32_t Callee = NoTarget; ///< NoTarget: through Ops[0], a function address.
  std::vector<ParamSlot> Arguments, Results; ///< In the caller's frame.
};

/// A function, decoded.
struct Function {
  std::string Name;
  const ptx::Function *Syntax = nullptr;
  bool IsEntry = false;
  bool IsArchitected = false; ///< Rows are architected registers.
  /// Functions that the SM provides have no code.
  DeviceCall Kind = DeviceCall::None;
  std::vector<Inst> Code;
  /// Rows and predicates that instructions read and write; predicates count
  /// from NumRows, and uniform registers after them.
  std::vector<uint32_t> Accesses;
  /// Of native code: instructions that hardware would have of it.
  std::optional<unsigned> HardwareInstructions;
  std::vector<NativeInst> Native; ///< By instruction; empty if not native.
  /// It says of its dependences what the SM has to know.
  bool HasControl = false;
  bool HasReuse = false;    ///< Some instruction keeps operands.
  std::vector<Inst> Folded; ///< Of all groups.
  /// What defines the constants of native code, in an order in which it can be
  /// executed. Results are rows of Program::Constants.
  std::vector<Inst> Constants;
  std::vector<std::vector<uint32_t>> BranchTables;
  std::vector<CallSite> Calls;
  /// What Inst::Imm of matrix instructions points to.
  std::vector<std::shared_ptr<const void>> Matrices;
  uint32_t NumRows = 0;
  uint32_t NumPreds = 1;
  /// Of native code: uniform registers that it names, from U0 on. Their values
  /// are in rows beyond those of a thread's registers.
  uint32_t NumUniform = 0;
  /// 32-bit registers a thread needs: those of the descriptor, or storage for
  /// every PTX register. NumRows has room for the decoder's own as well, and
  /// for folded values.
  uint32_t RegsPerThread = 0;
  /// The name of the scheme that its code was made for; empty if the code names
  /// no architected registers.
  std::string Scheme;
  SchemeFacts Facts; ///< What the code's statements say once.
  /// What the statements say that are executed; null for code without them.
  std::shared_ptr<const CodeRules> Rules;
  /// Stands for operands that no instruction writes: their values do not matter
  /// to the program.
  uint32_t AlwaysWritten = 0;
  /// By entry of Accesses, a mask of lanes: all where every read is known to
  /// come after a write, so that it need not be checked; none otherwise.
  std::vector<uint32_t> WrittenAtStart;
  /// It, or what it calls, may go round until another CTA has written
  /// something: a loop has an atomic with a result, a volatile or ordered load,
  /// or a fence, or cannot be told to have none.
  bool WaitsForOthers = false;
  std::vector<ParamSlot> Params, Returns;
  uint32_t ParamBytes = 0;  ///< Of a kernel's arguments.
  uint32_t LocalBytes = 0;  ///< Local memory of one frame, per thread.
  uint32_t SharedBytes = 0; ///< Static shared memory.
  std::vector<uint32_t>
      Places; ///< By PTX register, a row, predicate or NoPlace.

  /// How Accesses names uniform registers, from this on.
  uint32_t firstUniform() const { return NumRows + NumPreds; }
  uint32_t numAccesses() const { return firstUniform() + NumUniform; }
  /// By PTX register, the first of its uniform registers, or NoPlace; empty if
  /// there are none.
  std::vector<uint32_t> UniformUnits;

  /// The PTX registers that live in a row or predicate (an entry of Accesses).
  std::string nameOf(uint32_t Access) const;
  /// Of what \p I, an instruction of Code, writes, the registers that hold its
  /// results: the first so many. The others are scratch.
  unsigned numResults(const Inst &I) const {
    return I.Attention & AttendNative
               ? I.NumWrites - Native[size_t(&I - Code.data())].NumScratch
               : I.NumWrites;
  }
};

/// Addresses of functions: the base, plus FunctionStride for each.
inline constexpr uint64_t FunctionBase = uint64_t(0x40) << 24;
inline constexpr uint64_t FunctionStride = 16;

/// A decoded module, bound to the memory that holds its variables.
class Program {
public:
  const Function *findKernel(std::string_view Name) const;
  std::vector<std::string> kernelNames() const;
  /// Some function has instructions that keep operands.
  bool hasReuse() const;

  ptx::Module Syntax;
  std::vector<std::unique_ptr<Function>> Functions;
  /// Constant rows that instructions name with ConstRow. Those that native code
  /// defines get their values when a kernel starts (Function::Constants).
  RowWords Constants;
  /// By name, kernels that cannot be used, and why; no kernel is found by them
  /// (DecodeOptions::GoOn).
  std::map<std::string, std::string> Refused;
  /// Device addresses of .global and .const variables.
  struct Symbol {
    uint64_t Address = 0;
    uint64_t Size = 0;
    Space Where = Space::Global;
  };
  std::unordered_map<std::string, Symbol> Symbols;
  /// Shared memory of a CTA beyond the program's own, for the code that asks
  /// for it by %reserved_smem_offset_….
  uint32_t ReservedSharedBytes = 0;
  /// Whether the code asks for LaunchConfig::GridWorkspace.
  bool ReadsGridWorkspace = false;
  /// From one on, and of no other program of this process, even at the same
  /// address later.
  const uint64_t Number = nextNumber();

private:
  static uint64_t nextNumber();
};

/// How a module is decoded.
struct DecodeOptions {
  /// Execute on the architected registers of the annotations, if the text has
  /// a register map; otherwise every PTX register has storage of its own.
  bool UseRegisterMap = true;
  /// The same code compiled in another way: both have one set of variables in
  /// memory, and code addresses mean the same in both. Fails if the functions
  /// or variables are not the same.
  const Program *VariantOf = nullptr;
  /// By name, addresses of variables that are in the memory already, with the
  /// values that they are to have.
  std::map<std::string, uint64_t> Placed;
  /// Code that is wrong or not supported keeps only the kernels from being used
  /// that it is in or that may come to it, unless those are all.
  bool GoOn = false;
};

/// Parses and decodes \p Text and allocates its variables in \p Memory, which
/// has to outlive the program. Fails with the line of what is wrong or not
/// supported.
Result<std::unique_ptr<Program>> loadProgram(std::string Text,
                                             std::string FileName,
                                             GlobalMemory &Memory,
                                             DecodeOptions Options = {});

} // namespace regshare::sim

#endif // REGSHARE_SIM_PROGRAM_H
