# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The micro-benchmark of each row of gpubenches.csv: a kernel of gpubenches.cu, how
it is launched, and what its cycles mean. Rows are of several parts; the device says
which."""

import dataclasses

from . import tu102

DEVICE = "a100"
KERNELS = "gpubenches.cu"
ROWS = "gpubenches.csv"
MIB = 1 << 20
# SMs of the parts that were measured, and figures that the device of this name has
# otherwise: a V100 with the clocks of its own.
PARTS = {
    "a100": (108, ""),
    "h100pcie": (114, ""),
    "h200": (132, ""),
    "gv100": (80, "core_clock_mhz=1380,timing.dram.clock_mhz=877"),
}


@dataclasses.dataclass(frozen=True)
class Benchmark(tu102.Benchmark):
    """`grid`: CTAs by the size, where they are what differs."""

    grid: object = None

    def ctas_of(self, size):
        return self.grid(size) if self.grid else self.ctas


def latency(kib, sizes):
    """The ring's elements are 64 bytes apart."""
    count = kib * 16
    return Benchmark("chase", 32, warps=32, sizes=sizes, is_steady=True,
        arguments=lambda size: [f"buf:u64*{count * 8}=0", count, 1, size])


def latencies():
    found = {}
    for kib in (15, 49, 95, 118, 130, 144, 160, 177, 196, 216, 239, 264, 321, 523, 1029,
        3579, 4333, 5245, 6348, 7684, 9299, 10230, 16482, 19946, 24136, 26551, 29207, 32129,
        38878, 42767, 47045, 51750, 56926, 62620, 75772, 125026):
        found[("latency", f"{kib}k")] = latency(kib, (16, 80))
    return found


def patterns():
    """Cycles that an SM takes for a warp's load of a CTA of 1,024 threads."""
    def of(kernel, number):
        kind = "f64" if kernel.endswith("f64") else "f32"
        return Benchmark(kernel, 8 * 32, warps=32, sizes=(16, 48),
            arguments=lambda size: [f"buf:{kind}*{1 << 18}=1", number, 0, size])

    found = {}
    for kind in ("f32", "f64"):
        for stride in (*range(10), 11, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64):
            found[(f"stride.{kind}", f"s{stride}")] = of(f"stride_{kind}", stride)
        for width in (1, 2, 4, 8, 16, 32, 64):
            found[(f"block.{kind}", f"w{width}")] = of(f"block_{kind}", width)
    return found


def caches(sms):
    """A CTA of 256 threads for each SM. A size is in words of a thread."""
    def of(kib, loads):
        rounds = kib // loads
        assert rounds * loads == kib
        laps = 1 if kib > 1024 else 2
        most = min(max(rounds * laps, 512 // loads), 160)
        return Benchmark(f"cache_{loads}", loads * sms, warps=8, ctas=sms,
            sizes=(max(1, most // 4), max(2, most)), measure="GB/s", bytes=8 * 128,
            arguments=lambda size: [f"buf:f32*{kib * 256}=1", rounds, rounds if kib < 512 else 0,
                size])

    return {
        ("cache", f"{kib}k"): of(kib, loads)
        for kib, loads in ((32, 32), (64, 32), (96, 32), (128, 32), (148, 37), (172, 43),
            (204, 34), (280, 35), (328, 41), (384, 32), (448, 32), (1152, 32), (3456, 32),
            (7584, 32), (19456, 32), (42656, 43))
    }


def l2s(sms):
    """A size is in CTAs of an SM, two of which are there at a time."""
    return {
        ("l2", f"{kib}k"): Benchmark("l2_read", 512 * 1024 * sms, warps=32,
            sizes=(2, 4) if kib < 40000 else (4, 6), measure="GB/s", bytes=1,
            grid=lambda size: size * sms,
            arguments=lambda size, kib=kib: [f"buf:f64*{(kib << 7) + 16}=1", kib // 512,
                0, 0])
        for kib in (2048, 5120, 8192, 10240, 15360, 19968, 25600, 30720, 33792, 36864,
            40448, 48128, 57856, 76288, 110080)
    }


# Elements, in units of 2^20: as many as an L2 of 50 MiB has room for have been written
# before what counts, and how many streams there are.
STREAMS = {
    "init": ((7, 9), 1),
    "read": ((1, 3), 1),
    "scale": ((4, 6), 2),
    "triad": ((3, 4), 3),
    "3pt": ((4, 6), 2),
    "5pt": ((4, 6), 2),
}


def streams():
    found = {}
    for name, (sizes, count) in STREAMS.items():
        for block in (32, 64, 128, 256, 512, 1024):
            found[(f"stream.{name}", f"b{block}")] = Benchmark(f"stream_{name}", MIB,
                warps=block // 32, sizes=sizes, measure="GB/s", bytes=8 * count,
                figures="max_ctas=2", grid=lambda size, block=block: size * MIB // block,
                arguments=lambda size: [*[f"buf:f64*{size * MIB + 8}=0"] * 3, size * MIB, 0])
    return found


@dataclasses.dataclass(frozen=True)
class Part:
    """The rows of one part, as tu102.py has those of another."""

    name: str
    ROWS = ROWS
    KERNELS = KERNELS

    @property
    def figures(self):
        return PARTS[self.name][1]

    def benchmarks(self):
        return benchmarks(PARTS[self.name][0])


def benchmarks(sms):
    return latencies() | patterns() | caches(sms) | l2s(sms) | streams()
