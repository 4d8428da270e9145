# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of our suites' programs on an H200 (h200-programs.csv), which Nsight
Compute has measured: the same launches of the same programs and inputs on the whole
chip, timed with a cold L2, as the profiler had it."""

import csv
import pathlib
import statistics

from ..suite import description
from ..toolchain import ToolError
from . import profiled, table

DEVICE = "h200"
ROWS = pathlib.Path(__file__).with_name("h200-programs.csv")
COUNTERS = ("cycles", "dram_reads", "dram_writes", "l2_reads", "l2_writes", "shared_accesses",
    "instructions", "registers")
# Of the GPU alone: the cycles that the busiest SM had a warp in, and the clock.
OTHERS = ("active", "clock_mhz")
MEANS = ("cycles", "instructions", "registers")
# The GPU's L2 keeps what a short launch stores, so that its DRAM writes next to nothing.
MEDIANS = ("dram_reads", "l2_reads", "l2_writes", "shared_accesses", "instructions", "registers")
# Shorter launches are mostly what a launch takes by itself.
LONG = 10_000  # cycles of the GPU
# The device's figures of a launch are of this one's counters: it is no prediction.
INPUT = ("parboil", "ComputePhiMag_GPU")


class Kernel(profiled.Kernel):
    @property
    def label(self):
        return f"{self.suite}/{self.program}, {self.name}"

    @property
    def is_input(self):
        return (self.suite, self.name) == INPUT

    @property
    def is_long(self):
        return self.hardware["cycles"] >= LONG

    def of(self, counter):
        """Of registers, as few as there are, each counts."""
        if counter == "registers":
            return self.ours[counter] / self.hardware[counter]
        return super().of(counter)


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return [
            Kernel(r["suite"], r["program"], r["input"], r["kernel"], r["launches"],
                {c: float(r[c]) for c in (*COUNTERS, *OTHERS)})
            for r in csv.DictReader(file)
        ]


def sectors_of_a_burst(stats):
    """The DRAM of the part moves more than a sector at a time."""
    bursts = stats["memory"]["dram_reads"] + stats["memory"]["dram_writes"]
    moved = stats["rates"]["dram_bytes_per_s"] * stats["seconds"]
    return moved / bursts / profiled.SECTOR if bursts else 1


def counters_of(stats):
    """What the profiler counts, of a timed launch."""
    counters, sectors = profiled.memory_counters(stats), sectors_of_a_burst(stats)
    return counters | {
        "dram_reads": sectors * counters["dram_reads"],
        "dram_writes": sectors * counters["dram_writes"],
        # A division, for one, is several instructions of the hardware's.
        "instructions": stats["issue_slots"]["uses"]["issued"],
        "registers": stats["registers_per_thread"],
    }


HEADER = (f"{'kernel':52} {'GPU':>9} {'RegShare':>9} {'cycles':>6} {'dram r':>6} {'dram w':>6}"
    f" {'l2 r':>6} {'l2 w':>6} {'shared':>6} {'instr':>6} {'regs':>7}")


def line_of(row):
    text = f"{row.label:52} {row.hardware['cycles']:9.0f}"
    if row.ours:
        cells = " ".join(profiled.cell(row.of(c)) for c in COUNTERS[:-1])
        registers = f"{row.ours['registers']:.0f}/{row.hardware['registers']:.0f}"
        text += f" {row.ours['cycles']:9.0f} {cells} {registers:>7}"
        text += "  (input)" * row.is_input
    return f"{text}  {row.why}".rstrip()


def beside(rows):
    """What elapses of a launch on the GPU while no warp is on the busiest SM."""
    return statistics.median(r.hardware["cycles"] - r.hardware["active"] for r in rows)


def means(rows):
    """Geometric, of the ratios."""
    found = {c: [x for x in (row.of(c) for row in rows) if x] for c in MEANS}
    return ", ".join(f"{c} {statistics.geometric_mean(xs):.3f}" for c, xs in found.items() if xs)


def summary(rows):
    good = [row for row in profiled.good(rows) if not row.is_input]
    if not good:
        yield profiled.error_of_cycles(good)
        return
    long = [row for row in good if row.is_long]
    medians = ", ".join(
        f"{c.replace('_', ' ')} {profiled.off_in_the_median(good, c):.1f}%" for c in MEDIANS)
    yield f"off in the median: {medians}"
    yield f"cycles of the GPU without a warp on its busiest SM, in the median: {beside(good):.0f}"
    yield f"geometric means of ratios: {means(good)}"
    if long:
        yield f"from {LONG} cycles on: {means(long)}; {profiled.error_of_cycles(long)}"
    yield profiled.error_of_cycles(good)


def folder_of(suite, sources):
    """The first source that has the suite, or where the suite's own programs are. Raises
    ToolError with where to get it if it is in none."""
    why = None
    for source in [*sources, None]:
        try:
            return suite.folder(source if suite.source else None)
        except ToolError as error:
            why = why or error
    raise why


def programs_of(names, args, tools):
    """By suite; and why there are none of the others."""
    found, missing = {}, {}
    for name in names:
        suite, _ = description.find(name)
        try:
            folder = folder_of(suite, args.sources)
        except ToolError as error:
            missing[name] = error
            continue
        out = pathlib.Path(args.out or "h200-programs-validation") / name
        found[name] = profiled.Programs(tools, suite, folder, args.device or DEVICE, out,
            counters_of)
    return found, missing


def validate(args, tools):
    """Prints the table; the last line is about the verified kernels. A suite that no
    source has is named, and has none."""
    rows = [row for row in read_rows() if f"{row.suite}/{row.program}".startswith(args.rows)]
    if not rows:
        raise ToolError(f"no program of h200-programs begins with '{args.rows}'")
    names = dict.fromkeys(row.suite for row in rows)
    programs, missing = programs_of(names, args, tools)
    if not programs:
        raise next(iter(missing.values()))
    for row in rows:
        row.why = f"left out: {missing[row.suite]}" if row.suite in missing else ""
    profiled.measure([row for row in rows if row.suite in programs], programs, args.jobs)
    table.show(HEADER, rows, line_of, summary)
    return any(row.ours is not None for row in rows)
