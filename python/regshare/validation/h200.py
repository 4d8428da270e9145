# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The micro-benchmarks of h200.csv and h100.csv: those of tu102.py and gpubenches.py that mean
something on an H200, and more of its own (h200.cu). The rows were measured by
`regshare-validate h200 --on-gpu`."""

import dataclasses

from . import gpubenches, tu102
from .tu102 import MIB, WARP, Benchmark, chase, doubles, floats, words

DEVICE = "h200"
# By device; another one is compared with the H200.
ROWS = {"h200": "h200.csv", "h100": "h100.csv"}
SMS = 132
# Rows of tu102.py about a TU102 alone: its carve-outs, and data that an H200's L2 holds.
NOT_HERE = ("mem.l1.carveout", "mem.ldg.u8.stride.tput", "sync.bar.tput")
# Rows from which figures of the device may be taken, besides those from which rtx6000's and
# a100's were; said before any was measured.
INPUTS = (
    ("sync.shfl.lat", "idx"), ("branch.divergent", "32way"), ("sync.bar.lat", "w1"),
    ("sync.bar.lat", "w32"), ("mem.const.cbank.lat", ""), ("mem.icache.lat", "body128k"),
    ("alu.popc.lat", ""), ("sfu.mufu.ex2.lat", ""), ("cvt.i2f_f2i.lat", "roundtrip_pair"),
    ("alu.dadd.lat", ""), ("alu.dadd.tput", "w32"), ("atomics.global.add.lat", ""),
    ("atomics.shared.add.lat", ""), ("mma.f16.lat", ""), ("mma.f16.tput", "w4"),
    ("more.redux.lat", ""), ("mem.dram.bw", "read"),
)


@dataclasses.dataclass(frozen=True)
class Part:
    """The benchmarks of one source of kernels."""

    KERNELS: str
    found: dict

    def benchmarks(self):
        return self.found


def of_tu102():
    """Benchmarks of the DRAM's bandwidth have more data than the L2 holds. Their sizes count
    512 KiB: 1,024 accesses of a warp, of 16 bytes a lane."""
    found = {k: b for k, b in tu102.benchmarks().items() if k[0] not in NOT_HERE}
    for key, b in found.items():
        if isinstance(b, Benchmark) and b.kernel.startswith("dram_"):
            found[key] = dataclasses.replace(b, ctas=8 * SMS, sizes=(256, 384),
                arguments=lambda size: [f"buf:f32*{size * 1024 * WARP * 4}=0",
                    size * 1024 * WARP, 1, 1])
        # Short code ends before the lines after it have come, which hides rounds of it.
        if isinstance(b, Benchmark) and b.kernel in ("straight_64", "straight_256"):
            found[key] = dataclasses.replace(b, sizes=(64, 192))
    found[("mem.dram.lat", "fp131072k")] = chase("chase", 128 * MIB, 136)
    del found[("mem.dram.lat", "fp262144k")]
    # An H200's L1 has room for this ring, a TU102's has not.
    found[("mem.pchase.lat", "fp128k")] = chase("chase", 128 << 10, 136, laps=2)
    return found


def arithmetic():
    found = {}
    for name, arguments in (("mul_hi", words()), ("fdiv", floats),
        ("fsqrt", floats), ("ddiv", doubles), ("bf16", words()), ("tanh", floats),
        ("redux", words())):
        found[(f"more.{name}.lat", "")] = Benchmark(f"{name}_lat", arguments=arguments)
        found[(f"more.{name}.tput", "w32")] = Benchmark(f"{name}_tput", warps=32,
            arguments=arguments, measure="rate")
    for name, arguments in (("imnmx", words()), ("fmnmx", floats), ("brev", words()),
        ("sqrt", floats)):
        found[(f"more.{name}.tput", "w32_pair")] = Benchmark(f"{name}_tput", 256, warps=32,
            arguments=arguments, measure="rate")
    for name, arguments in (("d2f", doubles), ("match", words())):
        found[(f"more.{name}.lat", "")] = Benchmark(f"{name}_lat", arguments=arguments)
    for name, arguments in (("imnmx", words()), ("fmnmx", floats), ("brev", words()),
        ("sqrt", floats)):
        found[(f"more.{name}.lat", "pair")] = Benchmark(f"{name}_lat", arguments=arguments)
    for name in ("fma_lop3", "fma_imad", "fma_popc", "fma_half", "fma_shfl", "mufu_lop3"):
        for warps in (8, 32):
            found[(f"mixed.{name}", f"w{warps}")] = Benchmark(f"mixed_{name}", warps=warps,
                measure="rate")
    return found


def tensor():
    found = {("mma.f16.lat", ""): Benchmark("mma_lat", 32, arguments=words())}
    for warps in (4, 8, 16):
        found[("mma.f16.tput", f"w{warps}")] = Benchmark("mma_tput", 32, warps=warps,
            arguments=words(), measure="rate")
    return found


def on_chip():
    found = {}
    for bits in (64, 128):
        for ways in (1, 2, 4):
            found[(f"smem.lat{bits}", f"x{ways}")] = Benchmark(f"smem_lat{bits}",
                arguments=words(ways * bits // 32))
        found[(f"l1.lat{bits}", "")] = Benchmark(f"l1_lat{bits}", arguments=words())
    for bits in (32, 64, 128):
        for warps in (1, 4, 16, 32):
            for variant, apart in (("", 1), ("_broadcast", 0)):
                found[(f"smem.stream{bits}", f"w{warps}{variant}")] = Benchmark(
                    f"smem_stream{bits}", warps=warps, arguments=words(apart), measure="rate")
    for apart in (1, 2, 8, 32):
        found[("smem.store", f"w32_x{apart}")] = Benchmark("smem_store", warps=32,
            arguments=words(apart), measure="rate")
    for warps in (4, 32):
        found[("l1.stream128", f"w{warps}")] = Benchmark("l1_stream128", 32, warps=warps,
            arguments=words(0, 0), measure="rate")
    found[("local.lat", "pair")] = Benchmark("local_lat", arguments=words(0, 0))
    for count in (4, 16, 32, 64):
        found[("local.load", f"w32_x{count}")] = Benchmark(f"local_load_{count}", count, warps=32,
            sizes=(16, 48), arguments=words(0, 0), measure="rate")
    for count in (4, 16, 32):
        found[("local.spill", f"w32_x{count}")] = Benchmark(f"local_spill_{count}", count,
            warps=32, sizes=(16, 48), arguments=words(), measure="rate")
    for warps in (1, 4, 8):
        found[("mbarrier.lat", f"w{warps}")] = Benchmark("mbarrier_lat", 8, warps=warps,
            arguments=words())
    for bins in (1, 32, 256, 4096):
        found[("histogram.shared", f"w32_bins{bins}")] = Benchmark("histogram_shared", 8,
            warps=32, arguments=words(bins), measure="rate")
    return found


def chip():
    """What the whole chip does: a rate is of an SM."""
    found = {}

    def of(row, variant, kernel, arguments):
        found[(row, variant)] = Benchmark(kernel, 8, warps=16, ctas=SMS, arguments=arguments,
            measure="rate")

    def buffer(number, size=1 << 22):
        return lambda n: [f"buf:u32*{size}=0", number, 1, n]

    for variant, apart in (("one", 0), ("warp", 32)):
        of("atomic.chip", variant, "atomic_same", buffer(apart))
    for variant, apart in (("lanes", 1), ("sectors", 8)):
        of("atomic.chip", variant, "atomic_lanes", buffer(apart))
    for bins in (256, 65536):
        of("histogram.global", f"bins{bins}", "histogram_global", buffer(bins))
    return found


def memory():
    found = {}

    def moved(row, variant, kernel, arguments, operations, bytes_each):
        found[(row, variant)] = Benchmark(kernel, operations, warps=32, ctas=2 * SMS,
            sizes=(1, 3), arguments=arguments, measure="GB/s", bytes=bytes_each)

    for mib in (16, 128):
        for kernel in ("gather", "scatter"):
            moved(kernel, f"{mib}m", kernel,
                lambda n, mib=mib: [f"buf:u32*{mib * MIB // 4}=0", mib * MIB // 4 - 1, 1, n],
                2 * SMS * 32 * 16, WARP * 32)
    found[("mem.dram.bw", "read_32bit")] = Benchmark("read_4", 1024, warps=32, ctas=2 * SMS,
        sizes=(1024, 1536), measure="GB/s", bytes=WARP * 4,
        arguments=lambda size: [f"buf:u32*{size * 1024 * WARP}=0", size * 1024 * WARP, 1, 1])
    return found


PARTS = (
    Part("tu102.cu", of_tu102()),
    Part("gpubenches.cu", gpubenches.benchmarks(SMS)),
    Part("h200.cu", arithmetic() | tensor() | on_chip() | chip() | memory()),
)
