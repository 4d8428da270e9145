//===- CoreConfig.cpp - Timing of an SM's core ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreConfig.h"

#include "Matrix/MatrixOp.h"

#include "Config/ConfigTable.h"
#include "Modern/ModernClasses.h"
#include "Rules/CodeRules.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace regshare::sim {

static constexpr TimingField<CoreConfig> Fields[] = {
    {"core.schedulers", "warp schedulers of an SM", &CoreConfig::Schedulers, 1,
     8},
    {"core.active_warps", "warps of an SM that a two-level scheduler keeps",
     &CoreConfig::ActiveWarps, 1, 64},
    {"core.register_banks", "register banks of an SM, or of a sub-core",
     &CoreConfig::Banks, 1, 32},
    {"core.cache_registers", "registers of an active warp in a register cache",
     &CoreConfig::CacheRows, 1, 255},
    {"core.cache_lookup",
     "cycles in which a register is looked up in a register cache",
     &CoreConfig::CacheLookUp, 0, 16},
    {"core.bank_read_ports", "reads of a bank in a cycle",
     &CoreConfig::ReadPorts, 1, 4},
    {"core.branch", "cycles from a branch to the warp's next instruction",
     &CoreConfig::BranchCycles, 1, 64},
    {"core.memory_back",
     "cycles from the load/store unit to the write of the register",
     &CoreConfig::MemoryBack, 1, 64},
};

/// A modern core has others in their place (ModernConfig.cpp).
static constexpr TimingField<CoreConfig> OlderFields[] = {
    {"core.bank_read_latency", "cycles from a bank's grant to the operand",
     &CoreConfig::ReadLatency, 0, 256},
    {"core.write_backs", "results written in a cycle", &CoreConfig::WriteBacks,
     1, 16},
    {"core.front", "cycles from the operands to the begin of execution",
     &CoreConfig::FrontCycles, 0, 32},
    {"core.back", "cycles from a result to its write into the register file",
     &CoreConfig::BackCycles, 1, 32},
};

/// Of devices that say something of it.
static constexpr TimingField<CoreConfig> GivenFields[] = {
    {"core.launch", "optional: cycles from a launch until its first CTAs start",
     &CoreConfig::LaunchCycles, 1, 1u << 20},
    {"core.cta_launch",
     "optional: cycles from a CTA's end until the warps of the one that takes "
     "its place start",
     &CoreConfig::CtaCycles, 1, 1024},
    {"core.latency.redux",
     "optional: modern: cycles of redux.sync (those of special)",
     &CoreConfig::ReduxLatency, 1, 900},
    {"core.latency.match",
     "optional: modern: cycles of match.sync (those of special)",
     &CoreConfig::MatchLatency, 1, 900},
    {"core.interval.int.high",
     "optional: modern: cycles of the pipe that a multiplication takes whose "
     "result is the upper half (as others)",
     &CoreConfig::HighInterval, 1, 900},
    {"core.tensor.latency",
     "optional: cycles from the last in which a product of matrices takes its "
     "pipe until the result",
     &CoreConfig::TensorLatency, 1, 900},
    {"core.tensor.half",
     "optional: multiplications of 16-bit floating point in matrices, of a "
     "sub-core in a cycle",
     &CoreConfig::TensorHalf, 2, 1u << 16},
    {"core.tensor.byte", "optional: the same of 8-bit integers",
     &CoreConfig::TensorByte, 1, 1u << 16},
    {"core.tensor.double", "optional: the same of double precision",
     &CoreConfig::TensorDouble, 1, 1u << 16},
};

namespace {
struct OpRow {
  const char *Name;
  OpTiming *(*Of)(CoreConfig &);
  /// A modern core knows it from the classes of writer and reader.
  bool IsFixed = false;
};
} // namespace

/// Figures come in pairs: core.latency.NAME and core.interval.NAME.
static constexpr OpRow Ops[] = {
    {"int.simple", [](CoreConfig &C) { return &C.Int[0]; }, true},
    {"int.multiply", [](CoreConfig &C) { return &C.Int[1]; }, true},
    {"int.mad", [](CoreConfig &C) { return &C.Int[2]; }, true},
    {"int.divide", [](CoreConfig &C) { return &C.Int[3]; }},
    {"int.shuffle", [](CoreConfig &C) { return &C.Int[4]; }},
    {"float.simple", [](CoreConfig &C) { return &C.Float[0]; }, true},
    {"float.multiply", [](CoreConfig &C) { return &C.Float[1]; }, true},
    {"float.mad", [](CoreConfig &C) { return &C.Float[2]; }, true},
    {"float.divide", [](CoreConfig &C) { return &C.Float[3]; }},
    {"double.simple", [](CoreConfig &C) { return &C.Double[0]; }},
    {"double.multiply", [](CoreConfig &C) { return &C.Double[1]; }},
    {"double.mad", [](CoreConfig &C) { return &C.Double[2]; }},
    {"double.divide", [](CoreConfig &C) { return &C.Double[3]; }},
    {"special", [](CoreConfig &C) { return &C.Special; }},
};

static constexpr std::pair<const char *, UnitClass> UnitRows[] = {
    {"core.unit.int", UnitClass::Int},
    {"core.unit.float", UnitClass::Float},
    {"core.unit.half", UnitClass::Half},
    {"core.unit.double", UnitClass::Double},
    {"core.unit.special", UnitClass::Special},
};

static std::string pipeKey(unsigned P, const char *What) {
  return std::string("core.") + What + "." + PipeNames[P];
}

static Result<void> readOps(const DeviceDescription &D, CoreConfig &C) {
  for (const OpRow &Row : Ops) {
    std::string Name = Row.Name;
    Result<unsigned> Latency = 1;
    if (!Row.IsFixed || C.Organisation != OperandOrganisation::Modern)
      Latency = readFigure(D, "core.latency." + Name, 1, 900);
    if (!Latency)
      return tl::make_unexpected(Latency.error());
    Result<unsigned> Interval = readFigure(D, "core.interval." + Name, 1, 900);
    if (!Interval)
      return tl::make_unexpected(Interval.error());
    *Row.Of(C) = {*Latency, *Interval};
  }
  return {};
}

static Result<void> readPipes(const DeviceDescription &D, CoreConfig &C) {
  bool Collectors = C.Organisation == OperandOrganisation::Collectors;
  for (unsigned P = 0; P != NumPipes; ++P) {
    PipeConfig &Config = C.Pipes[P];
    // Every kernel loads its parameters.
    unsigned Least = Pipe(P) == Pipe::Memory ? 1 : 0;
    Result<unsigned> Count = readFigure(D, pipeKey(P, "pipes"), Least, 8);
    if (!Count)
      return tl::make_unexpected(Count.error());
    Config.Count = *Count;
    if (!Config.Count)
      continue;
    bool IsModern = C.Organisation == OperandOrganisation::Modern;
    if (Collectors || (Pipe(P) == Pipe::Memory && !IsModern)) {
      Result<unsigned> Latch = readFigure(D, pipeKey(P, "latch"), 1, 8);
      if (!Latch)
        return tl::make_unexpected(Latch.error());
      Config.Latch = *Latch;
    }
    if (Collectors) {
      Result<unsigned> Units = readFigure(D, pipeKey(P, "collectors"), 1, 16);
      if (!Units)
        return tl::make_unexpected(Units.error());
      Config.Collectors = *Units;
    }
  }
  for (auto [Key, Unit] : UnitRows) {
    Result<unsigned> P = readChoice(D, Key, PipeNames);
    if (!P)
      return tl::make_unexpected(P.error());
    if (!C.Pipes[*P].Count)
      return fail(Diagnostic{std::string("'timing.") + Key + "' names pipe '" +
                                 PipeNames[*P] + "', of which there is none",
                             D.File, 0, 0});
    C.PipeOf[unsigned(Unit)] = Pipe(*P);
  }
  C.PipeOf[unsigned(UnitClass::Tensor)] = C.PipeOf[unsigned(UnitClass::Half)];
  C.PipeOf[unsigned(UnitClass::LoadStore)] = Pipe::Memory;
  C.PipeOf[unsigned(UnitClass::None)] = Pipe::None;
  C.PipeOf[unsigned(UnitClass::Control)] = Pipe::None;
  return {};
}

/// All figures of the instruction cache or none.
static Result<void> readFetch(const DeviceDescription &D, CoreConfig &C) {
  if (std::ranges::none_of(fetchStageFields(),
                           [&D](const auto &F) { return hasFigure(D, F.Key); }))
    return {};
  FetchStageConfig Fetch;
  if (Result<void> R =
          readFigures<FetchStageConfig>(D, fetchStageFields(), Fetch);
      !R)
    return R;
  if (!std::has_single_bit(Fetch.Sets))
    return fail(Diagnostic{"device '" + D.Name +
                               "': 'core.icache.sets' must be a power of two",
                           D.File, 0, 0});
  C.Fetch = Fetch;
  return {};
}

/// What only the device's organisation has.
static Result<void> readOwn(const DeviceDescription &D, CoreConfig &C) {
  if (C.Organisation != OperandOrganisation::Modern) {
    if (Result<void> R = readFetch(D, C); !R)
      return R;
    return readFigures<CoreConfig>(D, OlderFields, C);
  }
  Result<ModernConfig> Modern = readModernConfig(D);
  if (!Modern)
    return tl::make_unexpected(Modern.error());
  C.Modern = *Modern;
  C.ReadLatency = C.Modern.ReadCycles - 1;
  C.WriteBacks = 32; // One result to a bank; SmModern.h sees to that.
  return {};
}

Result<CoreConfig> readCoreConfig(const DeviceDescription &D) {
  CoreConfig C;
  Result<unsigned> Organisation =
      readChoice(D, "core.organisation", OrganisationNames);
  if (!Organisation)
    return tl::make_unexpected(Organisation.error());
  C.Organisation = OperandOrganisation(*Organisation);
  Result<unsigned> Policy = readChoice(D, "core.scheduler", SchedulerNames);
  if (!Policy)
    return tl::make_unexpected(Policy.error());
  C.Policy = SchedulerPolicy(*Policy);
  if (Result<void> R = readFigures<CoreConfig>(D, Fields, C); !R)
    return tl::make_unexpected(R.error());
  if (Result<void> R = readGiven<CoreConfig>(D, GivenFields, C); !R)
    return tl::make_unexpected(R.error());
  if (Result<void> R = readOwn(D, C); !R)
    return tl::make_unexpected(R.error());
  C.MainBanks = C.Banks;
  unsigned OwnCycles = 1 + C.ReadLatency;
  C.RegisterCycles = unsigned(std::lround(OwnCycles * D.RegisterFile.Latency));
  C.RegisterDelay = C.RegisterCycles - OwnCycles;
  if (Result<void> R = readOps(D, C); !R)
    return tl::make_unexpected(R.error());
  if (Result<void> R = readPipes(D, C); !R)
    return tl::make_unexpected(R.error());
  return C;
}

std::vector<TimingFigureHelp> coreFigures() {
  std::vector<TimingFigureHelp> All = {
      {"core.organisation", "collectors, sub-cores or modern"},
      {"core.scheduler",
       "lrr, gto, two-level, ltlws-lrr, ltlws-gto, owf or cggty"}};
  for (const auto &F : Fields)
    All.push_back({F.Key, F.Help});
  for (const auto &F : GivenFields)
    All.push_back({F.Key, F.Help});
  for (const auto &F : OlderFields)
    All.push_back({F.Key, F.Help});
  for (const auto &F : fetchStageFields())
    All.push_back({F.Key, F.Help});
  for (const auto &F : modernFields())
    All.push_back({F.Key, F.Help});
  for (const auto &F : givenModernFields())
    All.push_back({F.Key, F.Help});
  for (const auto &F : fetchFields())
    All.push_back({F.Key, F.Help});
  for (const auto &F : givenFetchFields())
    All.push_back({F.Key, F.Help});
  All.push_back({DoubleKey, "modern: who has a double-precision unit, sub-core "
                            "or sm"});
  All.push_back({DependencesKey,
                 "optional: modern: what a warp waits for, the scoreboard or, "
                 "where code has them, control statements (control)"});
  All.push_back({PlacementKey,
                 "optional: modern: the slot that a warp takes, the lowest "
                 "that is free or, rotated, one of the sub-core with the "
                 "fewest warps, where CTAs begin with another each (lowest)"});
  for (const OpRow &Row : Ops) {
    std::string Name = Row.Name;
    All.push_back({"core.latency." + Name,
                   "cycles from the begin of execution to the result"});
    All.push_back({"core.interval." + Name,
                   "cycles between the begins of two in one pipe"});
  }
  static constexpr std::pair<const char *, const char *> PipeRows[] = {
      {"pipes", "instructions that begin in a cycle, of the SM or a sub-core"},
      {"collectors", "operand collectors in front of the pipe"},
      {"latch", "instructions between issue and operand collectors"}};
  for (unsigned P = 0; P != NumPipes; ++P)
    for (auto [What, Help] : PipeRows)
      All.push_back({pipeKey(P, What), Help});
  for (auto [Key, Unit] : UnitRows)
    All.push_back({Key, "the pipe of such instructions"});
  return All;
}

Result<SchedulerPolicy> parseScheduler(std::string_view Name) {
  for (unsigned N = 0; N != std::size(SchedulerNames); ++N)
    if (Name == SchedulerNames[N])
      return SchedulerPolicy(N);
  std::string Known;
  for (const char *Each : SchedulerNames)
    Known += (Known.empty() ? "" : ", ") + std::string(Each);
  return fail("unknown scheduler '" + std::string(Name) + "'; known: " + Known,
              ErrorKind::BadInput);
}

/// Multiplications of such a type in a cycle; 0 where the device says nothing.
/// Shorter integers are as fast as their bits say (NVIDIA's white papers), and
/// tf32 half as fast as f16.
static unsigned tensorRate(MatrixType T, const CoreConfig &C) {
  switch (T) {
  case MatrixType::F16:
  case MatrixType::BF16:
    return C.TensorHalf;
  case MatrixType::TF32:
    return C.TensorHalf / 2;
  case MatrixType::F64:
    return C.TensorDouble;
  default:
    return C.TensorByte * (8 / bitsOf(T));
  }
}

/// Of a product, on a part without figures for its type.
static constexpr unsigned MostTensorCycles = 1024;

/// Of a product of matrices.
static OpTiming tensorTiming(const Inst &I, const CoreConfig &C) {
  const auto &Op = matrixOf<MatrixOp>(I);
  MatrixType T = Op.A.Layout.Type;
  unsigned Rate = tensorRate(T, C);
  const OpTiming &Lanes = (T == MatrixType::F64 ? C.Double : C.Float)[2];
  unsigned Cycles = Rate ? std::max(1u, Op.multiplications() / Rate)
                         : Op.multiplications() / WarpSize * Lanes.Interval;
  // As far as the event wheel reaches, with the longest latency.
  Cycles = std::min(Cycles, MostTensorCycles);
  return {(Rate ? C.TensorLatency : Lanes.Latency) + Cycles, Cycles};
}

static OpTiming timingOf(const Inst &I, const CoreConfig &C) {
  switch (I.Unit) {
  case UnitClass::Tensor:
    return tensorTiming(I, C);
  case UnitClass::Int:
    return C.Int[unsigned(I.Op)];
  case UnitClass::Float:
  case UnitClass::Half:
    return C.Float[std::min(unsigned(I.Op), unsigned(OpClass::Divide))];
  case UnitClass::Double:
    return C.Double[std::min(unsigned(I.Op), unsigned(OpClass::Divide))];
  case UnitClass::Special:
    return C.Special;
  case UnitClass::None:
  case UnitClass::LoadStore:
  case UnitClass::Control:
    break;
  }
  return {1, 1};
}

static LaneClass lanesOf(const Inst &I) {
  bool Multiplies = I.Op == OpClass::Multiply || I.Op == OpClass::MultiplyAdd;
  switch (I.Unit) {
  case UnitClass::Int:
    return I.Op == OpClass::Divide ? LaneClass::Divide
           : Multiplies            ? LaneClass::IntegerMultiply
                                   : LaneClass::Integer;
  case UnitClass::Tensor:
    return LaneClass::FloatMultiply;
  case UnitClass::Float:
  case UnitClass::Half:
    return I.Op == OpClass::Divide ? LaneClass::Divide
           : Multiplies            ? LaneClass::FloatMultiply
                                   : LaneClass::Float;
  case UnitClass::Double:
    return I.Op == OpClass::Divide ? LaneClass::Divide : LaneClass::Double;
  case UnitClass::Special:
    return LaneClass::Special;
  case UnitClass::None:
  case UnitClass::LoadStore:
  case UnitClass::Control:
    break;
  }
  return LaneClass::Integer;
}

static bool isFence(const Function &F, const Inst &I) {
  const std::string_view Opcode = F.Syntax->Body[I.Source].Opcode;
  return Opcode == "membar" || Opcode == "fence" || Opcode == "cp";
}

/// Calls of printf, malloc and the like, and of what is not known.
static bool callsSystem(const Program &P, const Function &F, const Inst &I) {
  uint32_t Callee = F.Calls[I.Target].Callee;
  return Callee == NoTarget || P.Functions[Callee]->Kind != DeviceCall::None;
}

static IssueInfo describe(const Program &P, const Function &F, const Inst &I,
                          const CoreConfig &Config) {
  IssueInfo Info;
  OpTiming T = timingOf(I, Config);
  Info.Latency = uint16_t(T.Latency);
  Info.Interval = uint16_t(T.Interval);
  Info.Lanes = lanesOf(I);
  Info.IsWarpSync = I.MemberOp != 0;
  switch (I.Kind) {
  case InstKind::Compute:
  case InstKind::Stack:
    Info.Target = Config.PipeOf[unsigned(I.Unit)];
    Info.IsFence = Info.Target == Pipe::None && isFence(F, I);
    break;
  case InstKind::Memory:
    Info.Target = Pipe::Memory;
    Info.IsLongLoad = I.IsLoad && I.Where != Space::Shared &&
                      I.Where != Space::Param && I.Where != Space::Const;
    Info.LeavesSm = I.Where != Space::Shared && I.Where != Space::Param &&
                    I.Where != Space::Const;
    break;
  case InstKind::Call:
  case InstKind::Return:
    Info.IsReturn = I.Kind == InstKind::Return;
    Info.Settles = !Info.IsReturn && callsSystem(P, F, I);
    Info.Drains = true;
    Info.IsControl = true;
    break;
  case InstKind::Branch:
  case InstKind::IndexedBranch:
    Info.IsControl = true;
    break;
  case InstKind::Statement:
    Info.TakesNoSlot = I.Attention & AttendNoSlot;
    break;
  case InstKind::Barrier:
  case InstKind::Exit:
  case InstKind::WarpBarrier:
  case InstKind::Trap:
    break;
  case InstKind::Define:
    Info.IsDefine = true;
    break;
  }
  Info.IsSpecial = Info.Drains || Info.IsFence || Info.TakesNoSlot;
  return Info;
}

/// What native code says of the instruction.
static void noteNative(IssueInfo &Info, const Inst &I, const NativeInst &Of,
                       const CoreConfig &Config) {
  Info.Slots = Of.Slots;
  Info.Says = Of.Says;
  if (!Of.Slots)
    Info.Target = Pipe::None;
  if (Of.Slots <= 1)
    return;
  Info.EndsSequence = Info.IsControl || I.Kind == InstKind::Barrier ||
                      I.Kind == InstKind::Exit || I.Kind == InstKind::Trap;
  if (I.Op != OpClass::Divide)
    return;
  // The device's figures are those of a whole division. What is a sequence of
  // instructions consists of multiply-additions.
  Inst OfSequence = I;
  OfSequence.Op = OpClass::MultiplyAdd;
  OpTiming T = timingOf(OfSequence, Config);
  Info.Latency = uint16_t(T.Latency);
  Info.Interval = uint16_t(T.Interval);
}

static uint8_t endRow(const Function &F, const Inst &I) {
  static constexpr unsigned Most = UINT8_MAX;
  if (I.Kind == InstKind::Call)
    return Most;
  unsigned End = 0;
  const uint32_t *Accesses = F.Accesses.data() + I.FirstAccess;
  for (unsigned K = 0; K != unsigned(I.NumReads + I.NumWrites); ++K)
    if (Accesses[K] < F.RegsPerThread)
      End = std::max(End, Accesses[K] + 1);
  return uint8_t(End && !F.IsEntry ? Most : std::min(End, Most));
}

/// The statements of the function under the running scheme.
static void noteStatements(const Function &F, FunctionTiming &T,
                           const CodeFamily *Running) {
  for (size_t N = 0; N != T.Insts.size(); ++N)
    if (F.Code[N].Kind == InstKind::Statement)
      T.Insts[N].Statement =
          F.Rules->statementUnder(Running, N).value_or(OtherStatement);
  if (const CodeRules *Own = F.Rules->under(Running))
    Own->noteGroups(T.Insts);
}

/// Whether a core's warps wait as the function says. What was compiled for
/// another architecture knows other latencies.
static bool obeysControl(const Program &P, const Function &F,
                         const CoreConfig &Config) {
  if (!F.HasControl || !Config.Modern.ObeysControl ||
      Config.Organisation != OperandOrganisation::Modern)
    return false;
  Result<FixedLatencies> Own = FixedLatencies::get(P.Syntax.Target);
  return Own && *Own == Config.Modern.Latencies;
}

/// The slots of the reads, each of which counts once.
static ReadSlots operandsOf(const NativeInst &Of, const uint32_t *Reads,
                            const Inst &I) {
  ReadSlots Slots;
  Slots.Kept = Of.Operands.Kept;
  unsigned Count = 0;
  for (unsigned K = 0; K != std::min<unsigned>(I.NumReads, ReadSlots::MaxReads);
       ++K)
    if (std::find(Reads, Reads + K, Reads[K]) == Reads + K)
      Slots.set(Count++, Of.Operands.slot(K));
  return Slots;
}

FunctionTiming computeTiming(const Program &P, const Function &F,
                             const CoreConfig &Config,
                             const CodeFamily *Running) {
  FunctionTiming T;
  T.Insts.reserve(F.Code.size());
  std::vector<size_t> First;
  bool HasReuse = P.hasReuse() && !F.Native.empty() &&
                  Config.Organisation == OperandOrganisation::Modern;
  for (const Inst &I : F.Code) {
    IssueInfo Info = describe(P, F, I, Config);
    if (!F.Native.empty())
      noteNative(Info, I, F.Native[T.Insts.size()], Config);
    if (Config.Organisation == OperandOrganisation::Modern)
      describeModern(Info, F, I, Config);
    Info.EndRow = endRow(F, I);
    Info.Registers = uint8_t(std::min<uint32_t>(F.RegsPerThread, UINT8_MAX));
    Info.IsForeign = !F.IsEntry;
    First.push_back(T.Accesses.size());
    auto Append = [&](const uint32_t *Begin, unsigned Count) {
      size_t From = T.Accesses.size();
      for (unsigned K = 0; K != Count; ++K)
        if (std::find(T.Accesses.begin() + From, T.Accesses.end(), Begin[K]) ==
            T.Accesses.end())
          T.Accesses.push_back(Begin[K]);
      return uint16_t(T.Accesses.size() - From);
    };
    const uint32_t *Accesses = F.Accesses.data() + I.FirstAccess;
    if (HasReuse)
      T.Operands.push_back(operandsOf(F.Native[T.Insts.size()], Accesses, I));
    if (I.Kind == InstKind::Statement) {
      std::vector<uint32_t> Rows = F.Rules->awaitedBy(I);
      if (std::erase_if(Rows, [&](uint32_t R) { return R >= F.numAccesses(); }))
        T.Error = "scheme '" + F.Scheme +
                  "': its CodeRules::awaitedBy() names a register beyond the " +
                  std::to_string(F.RegsPerThread) + " of '" + F.Name +
                  "' for '" + std::string(F.Syntax->Body[I.Source].Text) + "'";
      Info.NumReads = Append(Rows.data(), unsigned(Rows.size()));
    } else {
      Info.NumReads = Append(Accesses, I.NumReads);
      Info.NumWrites = Append(Accesses + I.NumReads, I.NumWrites);
    }
    T.Insts.push_back(Info);
  }
  for (size_t N = 0; N != T.Insts.size(); ++N)
    T.Insts[N].Accesses = T.Accesses.data() + First[N];
  if (F.Rules)
    noteStatements(F, T, Running);
  T.Predicated = findPredicatedBranches(F, T);
  T.HasControl = obeysControl(P, F, Config);
  return T;
}

} // namespace regshare::sim
