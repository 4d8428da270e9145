//===- DecodeControl.cpp - Control flow, barriers and the rule table -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "Exec/ClusterBarrier.h"
#include "PostDominators.h"

#include <bit>

namespace regshare::sim {

static constexpr uint64_t MaxStackAlignment = 1 << 23; // As the PTX ISA has it.

bool FunctionDecoder::branch() {
  takeMod("uni");
  I.Kind = InstKind::Branch;
  I.Unit = UnitClass::Control;
  if (!expectOps(1, 1))
    return false;
  if (op(0).K != ptx::Operand::Label)
    return fail("label '" + std::string(op(0).Name) + "' is not defined");
  I.Target = uint32_t(op(0).Index);
  return true;
}

bool FunctionDecoder::indexedBranch() {
  takeMod("idx");
  takeMod("uni");
  I.Kind = InstKind::IndexedBranch;
  I.Unit = UnitClass::Control;
  if (!expectOps(2, 2))
    return false;
  for (const ptx::TargetTable &T : Syntax.Tables)
    if (T.Name == op(1).Name) {
      I.Target = uint32_t(F.BranchTables.size());
      F.BranchTables.push_back(T.Targets);
      return source(op(0), ScalarType::U32, I.Ops[0]);
    }
  return fail("branch targets '" + std::string(op(1).Name) +
              "' are not defined");
}

bool FunctionDecoder::callArguments(const ptx::Operand &O,
                                    std::vector<ParamSlot> &Slots) {
  for (const ptx::Operand &E : O.Elements) {
    if (E.K != ptx::Operand::Symbol || E.Index < 0)
      return fail("call arguments are .param variables");
    const ptx::Variable &V = Syntax.Locals[E.Index];
    Slots.push_back({LocalOffsets[E.Index], uint32_t(V.Size), V.Align});
  }
  return true;
}

bool FunctionDecoder::call() {
  takeMod("uni");
  I.Kind = InstKind::Call;
  I.Unit = UnitClass::Control;
  I.Target = uint32_t(F.Calls.size());
  CallSite Site;
  unsigned K = 0;
  if (K < numOps() && op(K).K == ptx::Operand::List &&
      !callArguments(op(K++), Site.Results))
    return false;
  if (K == numOps())
    return fail("call names no function");
  const ptx::Operand &Callee = op(K++);
  if (K < numOps() && op(K).K == ptx::Operand::List &&
      !callArguments(op(K), Site.Arguments))
    return false;
  if (Callee.K == ptx::Operand::Reg) {
    if (!source(Callee, ScalarType::U64, I.Ops[0]))
      return false;
  } else {
    auto It = State.FunctionNumbers.find(Callee.Name);
    if (It == State.FunctionNumbers.end())
      return fail("function '" + std::string(Callee.Name) +
                  "' is not declared");
    Site.Callee = It->second;
    const ptx::Function *Target = State.P.Functions[Site.Callee]->Syntax;
    if (Target->Params.size() != Site.Arguments.size() ||
        Target->Returns.size() < Site.Results.size())
      return fail("wrong number of arguments or results in a call");
  }
  F.Calls.push_back(std::move(Site));
  return true;
}

bool FunctionDecoder::control() {
  I.Unit = UnitClass::Control;
  takeMod("uni");
  I.Kind = S->Opcode == "ret"    ? InstKind::Return
           : S->Opcode == "exit" ? InstKind::Exit
                                 : InstKind::Trap;
  return expectOps(0, 0);
}

/// Instructions that only concern time or ordering.
bool FunctionDecoder::ignored() {
  I.Unit = UnitClass::None;
  Mods.clear();
  // A barrier of nobody: where there is no timing, others have their turn.
  if (S->Opcode == "nanosleep")
    I.Kind = InstKind::WarpBarrier;
  return handler("nop");
}

/// setmaxnreg.{inc,dec}.sync.aligned.u32 count. Nothing happens but under the
/// scheme of that name, which finds the count in Imm.
bool FunctionDecoder::registerCount() {
  I.Unit = UnitClass::None;
  if (takeMod("inc") == takeMod("dec") || !takeMod("sync") ||
      !takeMod("aligned") || !takeMod("u32"))
    return fail("expected setmaxnreg.inc or .dec with .sync.aligned.u32");
  if (S->Guard >= 0)
    return fail("all threads of a warp execute setmaxnreg: it has no guard");
  if (!expectOps(1, 1))
    return false;
  if (op(0).K != ptx::Operand::Int)
    return fail("the count of registers is an immediate");
  I.Imm = op(0).Value;
  return handler("nop");
}

/// alloca.type ptr, size{, align}; stacksave.type d; stackrestore.type a. A
/// Size of 4 or 8 bytes has the address; Round is the alignment's logarithm.
/// Ops: destination, source.
bool FunctionDecoder::stack() {
  I.Kind = InstKind::Stack;
  ScalarType T = takeMod("u32") ? ScalarType::U32 : ScalarType::U64;
  if (T == ScalarType::U64 && !takeMod("u64"))
    return fail("expected " + std::string(S->Opcode) + ".u32 or .u64");
  I.Size = uint8_t(sizeOf(T));
  if (S->Opcode == "stacksave") {
    I.Imm = int64_t(StackOp::Save);
    return expectOps(1, 1) && dest(op(0), T, I.Ops[0]);
  }
  if (S->Opcode == "stackrestore") {
    I.Imm = int64_t(StackOp::Restore);
    return expectOps(1, 1) && source(op(0), T, I.Ops[1]);
  }
  I.Imm = int64_t(StackOp::Allocate);
  if (!expectOps(2, 3))
    return false;
  uint64_t Alignment = 8;
  if (numOps() == 3) {
    Alignment = op(2).K == ptx::Operand::Int ? uint64_t(op(2).Value) : 0;
    if (!std::has_single_bit(Alignment) || Alignment > MaxStackAlignment)
      return fail("alloca aligns to a power of two, at most " +
                  std::to_string(MaxStackAlignment));
  }
  I.Round = uint8_t(std::countr_zero(Alignment));
  return dest(op(0), T, I.Ops[0]) && source(op(1), T, I.Ops[1]);
}

/// Ops: barrier, count (Zero when absent, see Count), predicate, result.
/// Imm is a BarrierOp.
bool FunctionDecoder::barrierOperands(unsigned First) {
  zeroFrom(0);
  I.Ops[2] = PredFalse;
  if (First < numOps() && !source(op(First), ScalarType::U32, I.Ops[0]))
    return false;
  unsigned Left = numOps() > First + 1 ? numOps() - First - 1 : 0;
  bool HasPred = I.Imm >= int64_t(BarrierOp::Popc);
  I.Count = Left > HasPred;
  if (I.Count && !source(op(First + 1), ScalarType::U32, I.Ops[1]))
    return false;
  if (Left != unsigned(I.Count) + HasPred)
    return fail("wrong number of operands");
  return !HasPred || predSource(op(numOps() - 1), I.Ops[2]);
}

bool FunctionDecoder::barrier() {
  if (takeMod("warp"))
    return warpBarrier();
  if (takeMod("cluster"))
    return clusterBarrier();
  takeMod("cta");
  I.Kind = InstKind::Barrier;
  I.Unit = UnitClass::Control;
  if (takeMod("aligned") || S->Opcode == "bar")
    I.Flags |= FlagAligned;
  if (takeMod("sync")) {
    I.Imm = int64_t(BarrierOp::Sync);
    return barrierOperands(0);
  }
  if (takeMod("arrive")) {
    I.Imm = int64_t(BarrierOp::Arrive);
    return barrierOperands(0) &&
           (I.Count || fail("bar.arrive needs a thread count"));
  }
  if (!takeMod("red"))
    return fail("unknown kind of barrier");
  I.Imm = int64_t(takeMod("popc")  ? BarrierOp::Popc
                  : takeMod("and") ? BarrierOp::And
                                   : BarrierOp::Or);
  takeMod("or");
  takeMod("u32");
  takeMod("pred");
  if (!expectOps(3, 4) || !barrierOperands(1))
    return false;
  return I.Imm == int64_t(BarrierOp::Popc)
             ? dest(op(0), ScalarType::U32, I.Ops[3])
             : predDest(op(0), I.Ops[3]);
}

/// Every CTA is a cluster, so what this orders is the CTA's own. Accesses are
/// seen in the order of execution, whatever the barrier says of memory.
bool FunctionDecoder::clusterBarrier() {
  I.Kind = InstKind::Barrier;
  I.Unit = UnitClass::Control;
  if (takeMod("aligned"))
    I.Flags |= FlagAligned;
  bool Arrives = takeMod("arrive");
  if (Arrives)
    takeMod("release") || takeMod("relaxed");
  else if (takeMod("wait"))
    takeMod("acquire");
  else
    return fail("unknown kind of barrier");
  I.Round = RoundOfCluster;
  I.Imm = int64_t(Arrives ? BarrierOp::Arrive : BarrierOp::Sync);
  return expectOps(0, 0) && barrierOperands(0);
}

bool FunctionDecoder::warpBarrier() {
  takeMod("sync");
  I.Kind = InstKind::WarpBarrier;
  I.Unit = UnitClass::Control;
  I.MemberOp = 1;
  return expectOps(1, 1) && source(op(0), ScalarType::B32, I.Ops[1]);
}

/// The register holds some value from here on, says LLVM.
bool FunctionDecoder::implicitDef() {
  const ptx::Operand &O = op(0);
  ScalarType T = Syntax.Registers[O.Index].Type;
  uint32_t Ignored;
  I.Unit = UnitClass::None;
  I.Kind = InstKind::Define;
  return T == ScalarType::Pred ? predDest(O, Ignored) : dest(O, T, Ignored);
}

void FunctionDecoder::computeReconvergence() {
  std::vector<uint32_t> Join = immediatePostDominators(F);
  for (size_t N = 0; N != F.Code.size(); ++N) {
    Inst &B = F.Code[N];
    if (B.Kind == InstKind::Branch || B.Kind == InstKind::IndexedBranch)
      B.Reconverge = Join[N];
    else if (B.Kind == InstKind::Call)
      B.Reconverge = uint32_t(N) + 1;
  }
}

const std::unordered_map<std::string_view, FunctionDecoder::Rule> &
FunctionDecoder::rules() { // NOLINT(readability-function-size): a table
  using D = FunctionDecoder;
  static const std::unordered_map<std::string_view, Rule> Map = {
      {"add", &D::arithmetic},
      {"sub", &D::arithmetic},
      {"mul", &D::arithmetic},
      {"mad", &D::arithmetic},
      {"mul24", &D::arithmetic},
      {"mad24", &D::arithmetic},
      {"div", &D::arithmetic},
      {"rem", &D::arithmetic},
      {"min", &D::arithmetic},
      {"max", &D::arithmetic},
      {"neg", &D::arithmetic},
      {"abs", &D::arithmetic},
      {"sad", &D::arithmetic},
      {"fma", &D::arithmetic},
      {"rcp", &D::arithmetic},
      {"sqrt", &D::arithmetic},
      {"rsqrt", &D::arithmetic},
      {"sin", &D::arithmetic},
      {"cos", &D::arithmetic},
      {"lg2", &D::arithmetic},
      {"ex2", &D::arithmetic},
      {"tanh", &D::arithmetic},
      {"addc", &D::carry},
      {"subc", &D::carry},
      {"madc", &D::carry},
      {"and", &D::bitwise},
      {"or", &D::bitwise},
      {"xor", &D::bitwise},
      {"not", &D::bitwise},
      {"cnot", &D::bitwise},
      {"shl", &D::shift},
      {"shr", &D::shift},
      {"popc", &D::countBits},
      {"clz", &D::countBits},
      {"brev", &D::countBits},
      {"bfind", &D::countBits},
      {"bfe", &D::bitField},
      {"bfi", &D::bitField},
      {"fns", &D::bitField},
      {"bmsk", &D::bitMask},
      {"szext", &D::bitMask},
      {"shf", &D::funnel},
      {"prmt", &D::permute},
      {"lop3", &D::lop3},
      {"dp4a", &D::dotProduct},
      {"dp2a", &D::dotProduct},
      {"selp", &D::selp},
      {"slct", &D::slct},
      {"setp", &D::setp},
      {"set", &D::set},
      {"testp", &D::testp},
      {"copysign", &D::copySign},
      {"mov", &D::mov},
      {"cvt", &D::cvt},
      {"cvta", &D::cvta},
      {"isspacep", &D::isspacep},
      {"mapa", &D::mapa},
      {"getctarank", &D::getctarank},
      {"ld", &D::load},
      {"ldu", &D::load},
      {"st", &D::store},
      {"atom", &D::atomic},
      {"red", &D::atomic},
      {"cp", &D::cpAsync},
      {"tex", &D::texture},
      {"tld4", &D::texture},
      {"suld", &D::surface},
      {"sust", &D::surface},
      {"mbarrier", &D::mbarrier},
      {"mma", &D::matrixMultiply},
      {"wmma", &D::wmma},
      {"ldmatrix", &D::matrixRows},
      {"stmatrix", &D::matrixRows},
      {"movmatrix", &D::transposeMatrix},
      {"shfl", &D::shuffle},
      {"vote", &D::vote},
      {"match", &D::match},
      {"redux", &D::redux},
      {"vadd2", &D::video},
      {"vadd4", &D::video},
      {"vsub2", &D::video},
      {"vsub4", &D::video},
      {"vavrg2", &D::video},
      {"vavrg4", &D::video},
      {"vmin2", &D::video},
      {"vmin4", &D::video},
      {"vmax2", &D::video},
      {"vmax4", &D::video},
      {"vabsdiff2", &D::video},
      {"vabsdiff4", &D::video},
      {"vset2", &D::video},
      {"vset4", &D::video},
      {"activemask", &D::activeMask},
      {"elect", &D::elect},
      {"bar", &D::barrier},
      {"barrier", &D::barrier},
      {"bra", &D::branch},
      {"brx", &D::indexedBranch},
      {"call", &D::call},
      {"ret", &D::control},
      {"exit", &D::control},
      {"trap", &D::control},
      {"brkpt", &D::control},
      {"membar", &D::ignored},
      {"fence", &D::ignored},
      {"nanosleep", &D::ignored},
      {"prefetch", &D::ignored},
      {"prefetchu", &D::ignored},
      {"applypriority", &D::ignored},
      {"discard", &D::ignored},
      {"createpolicy", &D::cachePolicy},
      {"pmevent", &D::ignored},
      {"griddepcontrol", &D::ignored},
      {"setmaxnreg", &D::registerCount},
      {"alloca", &D::stack},
      {"stacksave", &D::stack},
      {"stackrestore", &D::stack},
      {"implicit-def", &D::implicitDef}};
  return Map;
}

} // namespace regshare::sim
