# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The micro-benchmark of each row of tu102.csv: a kernel of tu102.cu, how it is
launched, and what its cycles mean."""

import dataclasses

DEVICE = "rtx6000"
KERNELS = "tu102.cu"
ROWS = "tu102.csv"
WARP = 32
MIB = 1 << 20
# Cycles from an integer addition to the address of a memory instruction, and from
# a floating-point addition to another.
ADDRESS = 6
ADDITION = 4


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """`kernel` is run with both `sizes`; what the larger one takes more, for each
    repetition more, is the time of one."""

    kernel: str
    operations: int = 128  # of a warp, in a repetition
    warps: int = 1  # of a CTA
    ctas: int = 1
    sizes: tuple = (4, 12)
    arguments: object = None  # of the kernel, from the size
    measure: str = "cycles"
    bytes: int = 0  # of a warp's operation, for bandwidths
    figures: str = ""  # of the device, changed for it
    less: float = 0  # cycles of what the kernel's operation has besides
    is_steady: bool = True  # more repetitions do the same again

    def ctas_of(self, size):
        return self.ctas

    def words(self, size):
        """Of the kernel's arguments."""
        return self.arguments(size) if self.arguments else floats(size)

    def value(self, cycles, clock_ghz):
        """In the row's unit, of the cycles that the two sizes take."""
        more = cycles[1] - cycles[0]
        work = (self.sizes[1] - self.sizes[0]) * self.operations
        if self.measure == "cycles":
            return more / work - self.less
        if self.measure == "ns":
            return more / work / clock_ghz
        if self.measure == "rate":
            return work * self.warps / more
        if self.measure == "bytes":
            return work * self.warps * self.bytes / more
        return work * self.bytes * clock_ghz / more  # "GB/s", of the device


@dataclasses.dataclass(frozen=True)
class Difference:
    """What one row takes more than another."""

    of: tuple
    less: tuple


def floats(size):
    return ["buf:f32*16384=1", "1.0", "1.0", size]


def doubles(size):
    return ["buf:f64*8192=1", "1.0", "1.0", size]


def words(a=1, b=1, fill=1):
    return lambda size: [f"buf:u32*16384={fill}", a, b, size]


def ring(size_bytes, step, warm=0):
    """A pointer chase; the first `warm` repetitions are the same in both runs."""
    return lambda size: [f"buf:u64*{size_bytes // 8 + 64}=0", size_bytes, step, warm, size]


def chase(kernel, size_bytes, step, measure="ns", laps=0):
    """`laps`: times that all of the ring's pointers have been read before, for what is
    kept in a cache that the ring fills slowly."""
    return Benchmark(kernel, 8, warps=32, sizes=(64, 192), measure=measure,
        is_steady=laps > 0,
        arguments=ring(size_bytes, step, laps * (size_bytes // 8) // 8))


def pair(name, arguments, warps, variant="", count=1, prefix="alu"):
    """Rows of latency and throughput. `count`: operations that the row counts in one
    of the kernel's."""
    return {
        (f"{prefix}.{name}.lat", ""): Benchmark(f"{name}_lat", arguments=arguments),
        (f"{prefix}.{name}.tput", variant): Benchmark(f"{name}_tput", 128 * count,
            warps=warps, arguments=arguments, measure="rate"),
    }


def arithmetic():
    found = {}
    for name, arguments, warps in (
        ("fadd", floats, 32), ("fmul", floats, 32), ("ffma", floats, 8),
        ("dadd", doubles, 32), ("dfma", doubles, 32), ("imad", words(), 8),
        ("lop3", words(), 8), ("shf", words(), 8), ("prmt", words(), 32),
        ("popc", words(), 16), ("flo", words(), 16), ("hfma2", words(), 32),
    ):
        found |= pair(name, arguments, warps, f"w{warps}")
    found |= pair("ex2", floats, 32, "w32", prefix="sfu.mufu")
    for name in ("lg2", "rsq", "sin", "cos"):
        found |= pair(name, floats, 16, "w16", prefix="sfu.mufu")
    found |= pair("rcp_fadd", floats, 16, "w16", prefix="sfu.mufu")
    found = {(row.replace("rcp_fadd", "rcp_fadd_pair"), v): b for (row, v), b in found.items()}
    for kind in ("u8", "s8"):
        found[("alu.idp4a.lat", kind)] = Benchmark(f"idp4a_{kind}_lat", arguments=words())
        found[("alu.idp4a.tput", f"w8_{kind}")] = Benchmark(
            f"idp4a_{kind}_tput", warps=8, arguments=words(), measure="rate")
    division = words(1, 3, 1000003)
    found[("alu.idiv.u32.lat", "")] = Benchmark("idiv_lat", arguments=division)
    found[("alu.idiv.u32.tput", "w32")] = Benchmark("idiv_tput", warps=32,
        sizes=(2, 4), arguments=division, measure="rate")
    return found | pairs()


def pairs():
    """Chains of two instructions, and what follows for one of them."""
    found = {
        ("alu.iadd3_lop3.lat", "pair"): Benchmark("iadd3_lop3_lat", arguments=words()),
        ("alu.isetp_sel.lat", "pair"): Benchmark("isetp_sel_lat", arguments=words()),
        ("alu.fsetp_sel.lat", "pair"): Benchmark("fsetp_sel_lat"),
        ("alu.sel.lat", ""): Benchmark("sel_lat", arguments=words()),
        ("alu.fsel.lat", ""): Benchmark("fsel_lat"),
        ("cvt.i2f_f2i.lat", "roundtrip_pair"): Benchmark("i2f_f2i_lat", 256,
            arguments=words()),
        ("cvt.f2f.lat", "roundtrip_pair"): Benchmark("f2f_lat", 256),
        ("cvt.i2f_f2i.lat", "roundtrip_pair_derived"): Benchmark("i2f_f2i_fadd_lat", 256,
            less=ADDITION / 2),
        ("cvt.f2f.lat", "roundtrip_pair_derived"): Benchmark("f2f_fadd_lat", 256,
            less=ADDITION / 2),
    }
    for row, variant, kernel, warps, arguments in (
        ("alu.iadd3", "w32_mixpair", "iadd3_lop3", 32, words()),
        ("alu.isetp", "w32_pair", "isetp_sel", 32, words()),
        ("alu.sel", "w32", "isetp_sel", 32, words()),
        ("alu.fsetp", "w32_pair", "fsetp_sel", 32, floats),
        ("cvt.i2f_f2i", "w16_pair", "i2f_f2i", 16, words()),
        ("cvt.f2f", "w32_pair", "f2f", 32, floats),
    ):
        found[(f"{row}.tput", variant)] = Benchmark(f"{kernel}_tput", 256, warps=warps,
            arguments=arguments, measure="rate")
    for row, of, less in (
        ("alu.iadd3.lat", ("alu.iadd3_lop3.lat", "pair"), ("alu.lop3.lat", "")),
        ("alu.isetp.lat", ("alu.isetp_sel.lat", "pair"), ("alu.sel.lat", "")),
        ("alu.fsetp.lat", ("alu.fsetp_sel.lat", "pair"), ("alu.fsel.lat", "")),
    ):
        found[(row, "derived")] = Difference(of, less)
    return found


def control():
    found = {("branch.predicated", ""): divergent(1)}
    for ways in (1, 2, 4, 32):
        found[("branch.divergent", f"{ways}way")] = divergent(ways)
    for warps in (1, 2, 4, 6, 8, 16, 32):
        found[("sync.bar.lat", f"w{warps}")] = Benchmark("barrier", warps=warps,
            arguments=words())
    found[("sync.bar.tput", "2blk_w6")] = Benchmark("barrier", warps=6, ctas=2,
        arguments=words(), figures="sms=1")
    found[("sync.shfl.lat", "idx")] = Benchmark("shfl_idx_lat", arguments=words())
    found[("sync.shfl.tput", "w4_idx")] = Benchmark("shfl_idx_tput", warps=4,
        arguments=words(), measure="rate")
    found[("sync.vote.lat", "ballot")] = Benchmark("ballot_lat", arguments=words())
    found[("sync.vote.tput", "w8_ballot")] = Benchmark("ballot_tput", warps=8,
        arguments=words(), measure="rate")
    for kib in (1, 4, 16, 32, 64, 128):
        found[("mem.icache.lat", f"body{kib}k")] = Benchmark(f"straight_{64 * kib}",
            64 * kib, sizes=(2, 4))
    return found


def divergent(ways):
    return Benchmark(f"divergent_{ways}", 16)


def on_chip():
    """Shared memory, constants, the L1."""
    found = {("mem.smem.lat", "broadcast"): Benchmark("smem_lat", arguments=words(0))}
    for ways in (1, 2, 4, 8, 16, 32):
        found[("mem.smem.lat", f"conflict{ways}")] = Benchmark("smem_lat",
            arguments=words(ways))
    for variant, warps, size in (("w8_f32", 8, 4), ("w4_f64", 4, 8)):
        found[("mem.smem.bw", variant)] = Benchmark(f"smem_{variant[3:]}", warps=warps,
            arguments=words(), measure="bytes", bytes=WARP * size)
    for variant, warps, size in (("w16_f32", 16, 4), ("w32_f64", 32, 8)):
        found[("mem.l1.bw", variant)] = Benchmark(f"l1_stream{8 * size}", warps=warps,
            arguments=words(), measure="bytes", bytes=WARP * size, operations=32)
    found[("mem.const.cbank.lat", "")] = Benchmark("constant_lat",
        arguments=words(0), less=ADDRESS)
    found[("mem.l1.lat", "l1hit")] = chase("chase", 8 << 10, 136, "cycles")
    found[("mem.tex.lat", "ldg_ci")] = chase("chase_nc", 8 << 10, 136, "cycles")
    for carve, kernel in ((0, "chase"), (32, "chase"), (64, "chase_beside")):
        for kib in (16, 24, 32, 48, 64, 96):
            found[("mem.l1.carveout", f"carve{carve}_fp{kib}k")] = chase(kernel,
                kib << 10, 136, "cycles", laps=2)
    for stride in (8, 16, 32, 64, 128):
        found[("mem.l1.line", f"stride{stride}")] = chase("chase", 256 << 10, stride,
            "cycles")
    for variant, kernel in (("default", "chase"), ("ldcg", "chase_cg"), ("ldcs", "chase_cs")):
        found[("mem.ldg.policy.lat", variant)] = chase(kernel, 2 * MIB, 136)
        found[("mem.ldg.policy.lat", f"{variant}_l1fit")] = chase(kernel, 16 << 10, 136,
            laps=2)
    return found


def beyond():
    """The L2, DRAM, atomics."""
    found = {("mem.l2.lat", "fp4096k"): chase("chase", 4 * MIB, 136)}
    for kib in (8, 32, 64, 128, 1024, 5120, 8192, 32768):
        found[("mem.pchase.lat", f"fp{kib}k")] = chase("chase", kib << 10, 136,
            laps=2 if kib <= 64 else 0)
    found[("mem.dram.lat", "fp262144k")] = chase("chase", 32 * MIB, 136)
    for mib in (16, 32, 64, 128, 256, 512):
        found[("mem.tlb.lat", f"reach{mib}m")] = chase("chase_cg", mib * MIB, 2 * MIB + 128)
    for lanes in (1, 2, 4, 8, 16, 32):
        variant = f"contention{lanes}" if lanes > 1 else ""
        found[("atomics.global.add.lat", variant)] = Benchmark("atomic_global_lat", 8,
            arguments=words(lanes))
        found[("atomics.global.add.redsvc", variant)] = Benchmark("atomic_global_red",
            arguments=words(lanes))
        found[("atomics.shared.add.lat", variant)] = Benchmark("atomic_shared_lat",
            arguments=words(lanes))
    found[("atomics.global.add.tput", "w1")] = Benchmark("atomic_global_red",
        arguments=words(1), measure="rate")
    found[("atomics.shared.add.tput", "w4")] = Benchmark("atomic_shared_tput", warps=4,
        arguments=words(), measure="rate")
    found[("atomics.shared.cas.lat", "")] = Benchmark("atomic_shared_cas", arguments=words())
    return found | bandwidths()


def bandwidths():
    """Of the device. A size is a number of threads' accesses, in thousands of warps."""
    def stream(kernel, bytes_each):
        return Benchmark(kernel, 1024, warps=8, ctas=576, sizes=(32, 64), measure="GB/s",
            bytes=WARP * bytes_each,
            arguments=lambda size: [f"buf:f32*{64 * 1024 * WARP * 4}=0",
                size * 1024 * WARP, 1, 1])

    found = {}
    for variant in ("read", "write", "copy"):
        found[("mem.dram.bw", variant)] = stream(f"dram_{variant}", 16)
    found[("mem.stg.dram.bw", "")] = stream("dram_write_tiles", 16)
    found[("mem.stg.policy.tput", "default")] = stream("dram_write", 16)
    for variant in ("wb", "wt", "cg", "cs"):
        found[("mem.stg.policy.tput", variant)] = stream(f"dram_write_{variant}", 16)
    # 32 warps of an SM, which load 16 times in a repetition.
    for stride in (1, 4, 18, 32, 128):
        found[("mem.ldg.u8.stride.tput", f"stride{stride}")] = Benchmark("u8_stride",
            288 * 8 * 16, warps=8, ctas=288, sizes=(1, 2), measure="GB/s", bytes=WARP,
            arguments=lambda size, stride=stride: [
                f"buf:u8*{128 * MIB}=0", 128 * MIB, stride, size])
    return found


def benchmarks():
    """By row and variant."""
    return arithmetic() | control() | on_chip() | beyond()
