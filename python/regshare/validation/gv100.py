# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that AccelWattch measured on a GV100 (gv100.csv): the programs of the
suite accelwattch run with their published inputs, the measured launches timed with
a cold L2, as the profiler had it."""

import csv
import pathlib

from ..suite import description
from ..toolchain import ToolError
from . import profiled, table

DEVICE = "gv100"
SUITE = "accelwattch"
ROWS = pathlib.Path(__file__).with_name("gv100.csv")
# The GPU's arithmetic instructions are estimated from how long pipes were active, which
# gen_hw_perf_csv.py beside the measurements adds up: FMA and ALU, two cycles an
# instruction, and FP64, four cycles, which "shared", the port of FP64, FP16 and tensor
# cores, counts again. So one of double precision stands there as (4 + 4) / 2.
AS_DOUBLE = 4

COUNTERS = ("cycles", "dram_reads", "dram_writes", "l2_reads", "l2_writes", "shared_accesses",
    "arithmetic")


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return [
            profiled.Kernel(SUITE, r["program"], "published", r["kernel"], r["launches"],
                {c: float(r[c] or 0) for c in COUNTERS})
            for r in csv.DictReader(file)
        ]


def counters_of(stats):
    """What the profiler counts, of a timed launch."""
    pipes = stats["pipes"]
    arithmetic = pipes["main"] + pipes["integer"] + AS_DOUBLE * pipes["double"]
    return profiled.memory_counters(stats) | {"arithmetic": arithmetic}


HEADER = (f"{'kernel':34} {'GPU':>9} {'RegShare':>9} {'cycles':>6} {'dram r':>6} {'dram w':>6}"
    f" {'l2 r':>6} {'l2 w':>6} {'shared':>6} {'arith':>6}")


def line_of(row):
    text = f"{row.name:34} {row.hardware['cycles']:9.0f}"
    if row.ours:
        cells = " ".join(profiled.cell(row.of(c)) for c in COUNTERS)
        text += f" {row.ours['cycles']:9.0f} {cells}"
    return f"{text}  {row.why}".rstrip()


def summary(rows):
    good = profiled.good(rows)
    medians = ", ".join(
        f"{c.replace('_', ' ')} {profiled.off_in_the_median(good, c):.1f}%"
        for c in COUNTERS[1:-1])
    yield f"off in the median: {medians}"
    factor = profiled.off_by_a_factor(good, "arithmetic")
    yield f"arithmetic instructions off by a factor of {factor:.2f} in the geometric mean"
    yield profiled.error_of_cycles(good)


def validate(args, tools):
    """Prints the table; the last line is about the verified kernels."""
    rows = [row for row in read_rows() if row.name.startswith(args.rows)]
    if not rows:
        raise ToolError(f"no kernel of gv100 begins with '{args.rows}'")
    suite, _ = description.find(SUITE)
    programs = profiled.Programs(tools, suite, suite.folder(args.source),
        args.device or DEVICE, args.out or "gv100-validation", counters_of)
    profiled.measure(rows, {SUITE: programs}, args.jobs)
    table.show(HEADER, rows, line_of, summary)
    return any(row.ours is not None for row in rows)
