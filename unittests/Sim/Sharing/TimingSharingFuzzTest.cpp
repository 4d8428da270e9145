//===- TimingSharingFuzzTest.cpp - Random kernels in pairs of CTAs --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels without races, with shared memory, barriers, divergence, exits and
/// releases, under both kinds of sharing on small devices, with any t. They end
/// with the memory of the functional mode, and keep to the rules of the oracle.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "FuzzIterations.h"
#include "PairOracle.h"
#include "regshare/Base/Sharing/Sharing.h"

#include <random>

namespace regshare::sim {
namespace {

/// R0 and R1 are the address of the thread's word, R2 its number and R3 its
/// CTA's; R4 and R5 are for addresses and counts. The others are values. The
/// shared memory is in rows of a word for each thread.
class RandomKernel {
public:
  RandomKernel(unsigned Seed, unsigned Block, bool ForRegisters)
      : Random(Seed), Block(Block), Rows(1 + upTo(5)) {
    Kernel = {
        ForRegisters ? "register-sharing" : "scratchpad-sharing", PairRegs, 0,
        0, ".shared .align 16 .b8 words[" + std::to_string(bytes()) + "];\n"};
    unsigned Private = FirstValue + 1 + upTo(PairRegs - FirstValue - 2);
    if (ForRegisters)
      Kernel.Begin = pragma("sharing private=" + std::to_string(Private));
    // Without a reference there would be no shared memory.
    Text = "mov.u32 %r5, words;\n";
    write(FirstValue, "mov.u32 ", ", " + std::to_string(upTo(99)));
    for (unsigned N = 3 + upTo(6); N; --N)
      part();
    if (upTo(1))
      release(ForRegisters ? Private : unsigned(PairRegs));
    Text += "st.global.u32 [%rd0], " + any() + ";\n";
  }

  std::string text() const { return Kernel.around(Text); }
  unsigned bytes() const { return Rows * Block * 4; }
  bool hasReleases() const { return HasReleases; }

private:
  static constexpr unsigned FirstValue = 6;

  unsigned upTo(unsigned N) { return unsigned(Random() % (N + 1)); }
  static std::string reg(unsigned N) { return "%r" + std::to_string(N); }
  /// A value that all lanes have.
  std::string any() { return reg(Written[upTo(unsigned(Written.size()) - 1)]); }
  void write(unsigned To, const std::string &Opcode,
             const std::string &Operands) {
    Text += Opcode + reg(To) + Operands + ";\n";
    if (!Depth && std::ranges::find(Written, To) == Written.end())
      Written.push_back(To);
  }
  /// What lanes of one side alone write, others may not read.
  unsigned target() {
    return Depth ? Written[upTo(unsigned(Written.size()) - 1)]
                 : FirstValue + upTo(Last - FirstValue);
  }

  void compute() {
    const char *Opcodes[] = {"add.u32 ", "xor.b32 ", "mul.lo.u32 ", "min.u32 "};
    for (unsigned N = upTo(3) + 1; N; --N)
      write(target(), Opcodes[upTo(3)],
            ", " + any() + ", " + (upTo(2) ? any() : "%r2"));
  }
  /// R4 is the thread's word in a row, or that of another thread.
  void address(unsigned Other) {
    Text += "add.u32 %r4, %r2, " + std::to_string(Other) + ";\n" +
            "rem.u32 %r4, %r4, " + std::to_string(Block) +
            ";\nshl.b32 %r4, %r4, 2;\nmov.u32 %r5, words;\n"
            "add.u32 %r4, %r4, %r5;\n";
  }
  std::string inRow(unsigned Row) const {
    return "[%r4+" + std::to_string(Row * Block * 4) + "]";
  }
  /// The thread's own word.
  void own() {
    std::string At = inRow(upTo(Rows - 1));
    address(0);
    Text += "st.shared.u32 " + At + ", " + any() + ";\n";
    compute();
    address(0);
    write(target(), "ld.shared.u32 ", ", " + At);
  }
  /// Words of others, between barriers.
  void exchange() {
    unsigned Row = upTo(Rows - 1);
    address(0);
    if (upTo(3)) {
      Text += "st.shared.u32 " + inRow(Row) + ", " + any() + ";\n";
    } else {
      Text += "bar.sync 0;\nred.shared.add.u32 [words+" +
              std::to_string(Row * Block * 4) + "], " + any() + ";\n";
    }
    Text += "bar.sync 0;\n";
    address(upTo(Block));
    write(target(), "ld.shared.u32 ", ", " + inRow(Row));
    Text += "bar.sync 0;\n";
  }
  void global() {
    Text += "st.global.u32 [%rd0], " + any() + ";\n";
    compute();
    write(target(), "ld.global.u32 ", ", [%rd0]");
  }
  std::string label() { return "L" + std::to_string(Labels++); }
  void condition() {
    Text += "and.b32 %r5, %r2, " + std::to_string(1 + upTo(62)) +
            ";\nsetp.eq.u32 %p1, %r5, 0;\n";
  }
  /// Both sides may come to a barrier.
  void diverge() {
    std::string Else = label(), Join = label();
    bool Meets = !Depth && !upTo(2);
    const std::string Barrier = Meets ? "barrier.sync 0;\n" : "";
    condition();
    Text += "@%p1 bra " + Else + ";\n";
    ++Depth;
    inside();
    Text += Barrier + "bra " + Join + ";\n" + Else + ":\n";
    inside();
    Text += Barrier + Join + ":\n";
    --Depth;
  }
  /// As many rounds as the low bits of the thread's number say.
  void loop() {
    if (Depth)
      return compute();
    std::string Again = label(), Done = label();
    Text += "and.b32 %r3, %r2, " + std::to_string(1 + upTo(6)) + ";\n" + Again +
            ":\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra " + Done + ";\n";
    ++Depth;
    inside();
    --Depth;
    Text += "sub.u32 %r3, %r3, 1;\nbra " + Again + ";\n" + Done + ":\n";
  }
  void inside() {
    switch (upTo(4)) {
    case 0:
      return own();
    case 1:
      return global();
    case 2:
      return Depth > 1 ? compute() : diverge();
    default:
      return compute();
    }
  }
  void exitSome() {
    condition();
    Text += "st.global.u32 [%rd0], " + any() + ";\n@%p1 exit;\n";
  }
  void part() {
    switch (upTo(7)) {
    case 0:
    case 1:
      return exchange();
    case 2:
      return own();
    case 3:
      return diverge();
    case 4:
      return loop();
    case 5:
      return global();
    case 6:
      return upTo(2) ? compute() : exitSome();
    default:
      return compute();
    }
  }
  /// Nothing that is shared comes after it: registers below \p End.
  void release(unsigned End) {
    std::erase_if(Written, [&](unsigned N) { return N >= End; });
    Last = End - 1;
    Text += Release;
    HasReleases = true;
    for (unsigned N = upTo(20); N; --N)
      compute();
  }

  std::mt19937 Random;
  unsigned Block, Rows;
  AnnotatedKernel Kernel;
  std::string Text;
  std::vector<unsigned> Written;
  unsigned Last = PairRegs - 1, Depth = 0, Labels = 0;
  bool HasReleases = false;
};

/// A device with little of what is shared: for one CTA and up to four more.
DeviceDescription smallDevice(std::mt19937 &Random, SharedResource What,
                              unsigned Block, unsigned Bytes) {
  DeviceDescription D =
      deviceNamed(TimedPresets[Random() % std::size(TimedPresets)]);
  D.NumSMs = 1 + Random() % 3;
  D.MaxCTAs = 3 + Random() % 6;
  auto LittleMore = [&](unsigned Least, unsigned Unit) {
    return unsigned(Least + Random() % (4 * Least)) / Unit * Unit + Unit;
  };
  unsigned Parts = D.RegisterPartitions;
  unsigned Warps = (warpsPerCTA(D, Block) + Parts - 1) / Parts * Parts;
  if (What == SharedResource::Registers)
    D.Registers =
        LittleMore(Warps * regsPerWarp(D, PairRegs), WarpSize * Parts);
  else
    D.SharedMemory = LittleMore(Bytes + D.SharedReservedPerCTA, D.SharedUnit);
  return D;
}

class SharingFuzzTest : public testing::TestWithParam<SharedResource> {
protected:
  const SharedResource What = GetParam();
  uint64_t Pairs = 0, Locks = 0, Waits = 0;

  void runSeed(unsigned Seed) {
    std::mt19937 Random(Seed);
    constexpr unsigned Blocks[] = {17, 32, 64, 80, 96, 160};
    const PairLaunch L{unsigned(4 + Random() % 12), Blocks[Random() % 6]};
    bool ForRegisters = What == SharedResource::Registers;
    RandomKernel K(Seed, L.Block, ForRegisters);
    DeviceDescription D = smallDevice(Random, What, L.Block, K.bytes());
    TimingOptions Options;
    Options.Applied =
        ForRegisters ? schemes::RegisterSharing : schemes::ScratchpadSharing;
    Options.Scheduler = EveryScheduler[Random() % std::size(EveryScheduler)];
    // Small parts as often as large ones.
    unsigned Most = Random() % 2 ? 1000 : 300;
    Options.Settings.set(settings::PrivateShare, 1 + Random() % Most);
    Options.Settings.set(settings::DynamicWarps, Random() % 2);
    Options.RecordTimeline = true;
    SCOPED_TRACE(testing::Message()
                 << "seed " << Seed << " on " << D.Name << ", "
                 << Options.Scheduler << ", t "
                 << Options.Settings.get<unsigned>(settings::PrivateShare)
                 << "\n"
                 << K.text());
    PairRun R = runPairs(D, K.text(), Options, L);
    EXPECT_EQ(R.Out, expectedWords(K.text(), L));
    SharingResidency Layout = sharingResidency(
        What, D, {PairRegs, L.Block, K.bytes()},
        Options.Settings.get<unsigned>(settings::PrivateShare));
    PairOracle O = followPairs(
        What, Layout, R.Stats,
        ForRegisters && Options.Settings.get<unsigned>(settings::DynamicWarps),
        K.hasReleases());
    Pairs += Layout.Pairs > 0;
    Locks += O.Locks;
    Waits += O.Waits;
    if (Seed % 4)
      return;
    Options.EveryCycle = true;
    Options.Threads = 2;
    expectSamePairs(R.Stats, runPairs(D, K.text(), Options, L).Stats);
  }
};

TEST_P(SharingFuzzTest, RandomKernelsEndWithEqualMemory) {
  for (unsigned Seed = 0; Seed != test::randomCases(200) && !HasFailure();
       ++Seed)
    runSeed(Seed);
  // It is about something.
  EXPECT_GE(Pairs, test::atLeast(50));
  EXPECT_GE(Locks, test::atLeast(200));
  EXPECT_GE(Waits, test::atLeast(300));
}

INSTANTIATE_TEST_SUITE_P(Timing, SharingFuzzTest,
                         testing::Values(SharedResource::Registers,
                                         SharedResource::Scratchpad),
                         [](const auto &Info) {
                           return Info.param == SharedResource::Registers
                                      ? "Registers"
                                      : "Scratchpad";
                         });

} // namespace
} // namespace regshare::sim
