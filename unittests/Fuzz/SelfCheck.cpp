//===- SelfCheck.cpp - Does the comparison notice mistakes? ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelfCheck.h"

#include "Check.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare::fuzz {

/// As if the decoder or a handler took the first for the second.
static const Swap DeviceMistakes[] = {
    // Integers.
    {"add.s32", "sub.s32"},
    {"add.s64", "sub.s64"},
    {"mul.lo.s32", "mul.hi.s32"},
    {"mul.hi.u32", "mul.hi.s32"},
    {"mul.wide.u32", "mul.wide.s32"},
    {"mad.lo.s32", "mad.hi.s32"},
    {"div.s32", "div.u32"},
    {"rem.u32", "rem.s32"},
    {"div.u64", "div.s64"},
    {"min.s32", "min.u32"},
    {"sad.s32", "sad.u32"},
    {"add.sat.s32", "add.s32"},
    {"addc.u32", "add.u32"},
    // Bits.
    {"xor.b32", "or.b32"},
    {"and.b64", "or.b64"},
    {"shr.s32", "shr.u32"},
    {"shr.u64", "shr.s64"},
    {"shf.l.wrap", "shf.l.clamp"},
    {"bfe.s32", "bfe.u32"},
    {"prmt.b32.f4e", "prmt.b32.b4e"},
    {"popc.b64 ", "clz.b64 "},
    {"bfind.s32", "bfind.u32"},
    {"dp4a.s32.s32", "dp4a.u32.s32"},
    {"vmax2.s32.s32.s32", "vmin2.s32.s32.s32"},
    // Comparisons and choices.
    {"setp.lt.s32", "setp.le.s32"},
    {"setp.gt.u32", "setp.gt.s32"},
    {"setp.lt.f32", "setp.ltu.f32"},
    {"setp.ne.b64", "setp.eq.b64"},
    {"and.pred", "or.pred"},
    // Floating point.
    {"add.rn.f32", "add.rz.f32"},
    {"fma.rn.f32", "fma.rm.f32"},
    {"div.rn.f32", "div.rz.f32"},
    {"add.rn.ftz.f32", "add.rn.f32"},
    {"mul.rn.f64", "mul.rp.f64"},
    {"sqrt.rn.f64", "sqrt.rz.f64"},
    {"add.rn.f16", "sub.rn.f16"},
    {"min.f32", "min.NaN.f32"},
    // Conversions.
    {"cvt.rzi.s32.f32", "cvt.rni.s32.f32"},
    {"cvt.rn.f32.s32", "cvt.rz.f32.s32"},
    {"cvt.rn.f32.f64", "cvt.rz.f32.f64"},
    {"cvt.rn.f16.f32", "cvt.rz.f16.f32"},
    {"cvt.s64.s32", "cvt.u64.u32"},
    {"cvt.s32.s8", "cvt.u32.u8"},
    {"cvt.sat.u8.s32", "cvt.u8.s32"},
    // Memory.
    {"ld.global.s8", "ld.global.u8"},
    {"ld.s16", "ld.u16"},
    {"st.shared.b32", "st.local.b32"},
    {"atom.inc.u32", "atom.dec.u32"},
    {"red.min.s32", "red.max.s32"},
    {".cas.b32", ".exch.b32"},
    // Threads.
    {"shfl.sync.up", "shfl.sync.down"},
    {"vote.sync.any", "vote.sync.all"},
    {"bar.red.and.pred", "bar.red.or.pred"},
    {"%laneid", "%warpid"},
    {"%tid.x", "%ctaid.x"},
};

/// As if the host's description of the language, or the device's way to it,
/// were wrong.
static const Swap HostMistakes[] = {
    {"fz_shfl_xor", "fz_shfl_up"},    {"fz_red_or32", "fz_red_and32"},
    {"fz_lanemask_lt", "fz_lane"},    {"fz_cvt_s8_wide", "fz_cvt_u16_wide"},
    {"fz_match_any", "fz_match_all"},
};

/// Prints a line and says whether the mistake was noticed.
static bool judge(const char *Side, const Swap &S, const CheckResult &R) {
  std::string Verdict = "NOT NOTICED";
  if (!R.Failures.empty()) {
    const Failure &F = R.Failures.front();
    Verdict = formatv("{0} in run {1}: {2}, {3}",
                      F.K == Failure::Mismatch ? "mismatch" : "error", R.Runs,
                      F.Which->Name, F.V.name());
  } else if (!R.Runs) {
    Verdict = "NOT IN ANY KERNEL";
  }
  outs() << formatv("{0,-8} {1,-20} as {2,-20} {3}\n", Side, S.From, S.To,
                    Verdict);
  outs().flush();
  return !R.Failures.empty();
}

/// Small modules, so that most mistakes are noticed before many are loaded.
static constexpr unsigned KernelsOfModule = 10;

static Error prepare(const std::vector<Kernel> &Kernels,
                     std::vector<std::unique_ptr<Comparison>> &Modules) {
  CheckOptions Options;
  Options.Variants = {{true, 1}, {false, 0}};
  for (size_t First = 0; First < Kernels.size(); First += KernelsOfModule) {
    std::vector<const Kernel *> Pointers;
    for (size_t N = First;
         N != std::min(First + KernelsOfModule, Kernels.size()); ++N)
      Pointers.push_back(&Kernels[N]);
    auto C = Comparison::prepare(Pointers, Options);
    if (!C)
      return C.takeError();
    if (CheckResult R = (*C)->run(); !R.Failures.empty())
      return createStringError("without mistakes: " + R.Failures.front().What);
    Modules.push_back(std::move(*C));
  }
  return Error::success();
}

/// Whether any module notices what \p Run does to it.
template <typename Fn>
static bool isNoticed(const char *Side, const Swap &S,
                      ArrayRef<std::unique_ptr<Comparison>> Modules, Fn Run) {
  uint64_t Runs = 0;
  CheckResult R;
  for (const auto &M : Modules) {
    R = Run(*M);
    Runs += R.Runs;
    if (!R.Failures.empty())
      break;
  }
  R.Runs = Runs;
  return judge(Side, S, R);
}

bool selfCheck(uint64_t Seed, unsigned NumKernels) {
  std::vector<Kernel> Kernels;
  for (uint64_t S = Seed; S != Seed + NumKernels; ++S)
    Kernels.push_back(generateKernel(S));
  std::vector<std::unique_ptr<Comparison>> Modules;
  if (Error E = prepare(Kernels, Modules)) {
    errs() << toString(std::move(E)) << "\n";
    return false;
  }
  unsigned Noticed = 0;
  for (const Swap &S : DeviceMistakes)
    Noticed += isNoticed("device", S, Modules,
                         [&](Comparison &C) { return C.run({S}); });
  for (const Swap &S : HostMistakes)
    Noticed += isNoticed("host", S, Modules, [&](Comparison &C) {
      cantFail(C.swapOnHost({S}));
      return C.run();
    });
  size_t All = std::size(DeviceMistakes) + std::size(HostMistakes);
  outs() << formatv("{0} of {1} mistakes noticed\n", Noticed, All);
  return Noticed == All;
}

} // namespace regshare::fuzz
