# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that AccelWattch measured on a GV100 (gv100.csv): the programs of the
suite accelwattch run with their published inputs, the measured launches timed with
a cold L2, as the profiler had it."""

import csv
import dataclasses
import functools
import math
import pathlib
import statistics
import tempfile

from .. import records, runs
from ..suite import description, work
from ..toolchain import ToolError
from . import table

DEVICE = "gv100"
SUITE = "accelwattch"
ROWS = pathlib.Path(__file__).with_name("gv100.csv")
SECTOR = 32  # bytes
# The GPU's arithmetic instructions are estimated from how long pipes were active, which
# gen_hw_perf_csv.py beside the measurements adds up: FMA and ALU, two cycles an
# instruction, and FP64, four cycles, which "shared", the port of FP64, FP16 and tensor
# cores, counts again. So one of double precision stands there as (4 + 4) / 2.
AS_DOUBLE = 4


def ratio(ours, hardware):
    """Ours over the hardware's, or None where that is about nothing."""
    return ours / hardware if hardware >= 1000 else None


@dataclasses.dataclass
class Kernel:
    """A row: a kernel's mean launch on the GPU, and on RegShare."""

    program: str
    name: str
    launches: str  # that are timed, as REGSHARE_LAUNCHES has them
    hardware: dict  # by counter, of a launch
    ours: dict | None = None
    why: str = ""  # there is nothing of ours, or it is not verified

    @property
    def wanted(self):
        return f"{self.name}:{self.launches}"

    @property
    def cycles(self):
        return self.ours["cycles"] / self.hardware["cycles"]

    def of(self, counter):
        return ratio(self.ours[counter], self.hardware[counter])


COUNTERS = ("cycles", "dram_reads", "dram_writes", "l2_reads", "l2_writes", "shared_accesses",
    "arithmetic")


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return [
            Kernel(r["program"], r["kernel"], r["launches"], {c: float(r[c] or 0) for c in COUNTERS})
            for r in csv.DictReader(file)
        ]


def counters_of(stats):
    """What the profiler counts, of a timed launch."""
    memory, load_store, pipes = stats["memory"], stats["load_store"], stats["pipes"]
    return {
        "cycles": stats["cycles"],
        "dram_reads": memory["dram_reads"],
        "dram_writes": memory["dram_writes"],
        "l2_reads": memory["bytes_to_sms"] / SECTOR,
        "l2_writes": memory["bytes_to_memory"] / SECTOR,
        "shared_accesses": load_store["shared_passes"],
        "arithmetic": pipes["main"] + pipes["integer"] + AS_DOUBLE * pipes["double"],
    }


def mean_launch(report, name):
    """The means over the timed launches of a kernel, or None."""
    found = [
        counters_of(launch["stats"])
        for launch in report["launches"]
        if launch.get("stats")
        and records.without_parameters(launch["name"]).split(" ")[-1] == name
    ]
    if not found:
        return None
    return {counter: statistics.fmean(f[counter] for f in found) for counter in COUNTERS}


class Programs:
    """Runs the suite's programs on a device."""

    def __init__(self, tools, device, source, out):
        self.suite, _ = description.find(SUITE)
        self.place = work.Workplace(tools, self.suite, self.suite.folder(source),
            pathlib.Path(out))
        self.place.out.mkdir(parents=True, exist_ok=True)
        self.device = device

    def run(self, name, kernels):
        """Fills in those of one program."""
        program = self.suite.programs.get(name)
        if not program or program.left_out:
            why = program.left_out if program else f"{SUITE} has no program '{name}'"
            return self.fail(kernels, f"left out: {why}")
        given = program.inputs["published"]
        try:
            executable = self.place.build(program)
        except work.NotBuilt as error:
            return self.fail(kernels, f"not built: {error}")
        try:
            reference = self.place.reference(program, given)
        except ToolError as error:
            return self.fail(kernels, f"not proven: {error}")
        with tempfile.TemporaryDirectory(dir=self.place.out) as top:
            folder = self.place.fresh(pathlib.Path(top).absolute() / "run", program, given)
            runner = runs.Runner(executable, self.place.resolved(given.arguments),
                self.place.tools.run_prefix, None, folder)
            ended = runner.run(REGSHARE_DEVICE=self.device, REGSHARE_TIMING="1",
                REGSHARE_COLD_L2="1", REGSHARE_LAUNCHES=",".join(k.wanted for k in kernels))
            asked = work.Run(program, given, self.device, "baseline", {}, True)
            outcome, why = work.verdict(self.place, asked, ended, folder, reference)
        if not ended.report:
            return self.fail(kernels, f"{outcome}: {why}")
        for kernel in kernels:
            kernel.ours = mean_launch(ended.report, kernel.name)
            kernel.why = "" if outcome == "verified" else f"{outcome}: {why}"
            if not kernel.ours:
                kernel.why = kernel.why or "not launched"

    @staticmethod
    def fail(kernels, why):
        for kernel in kernels:
            kernel.why = why


def measure(rows, programs, jobs):
    of_program = {}
    for row in rows:
        of_program.setdefault(row.program, []).append(row)
    calls = [(name, functools.partial(programs.run, name, kernels))
        for name, kernels in of_program.items()]
    table.run_all(calls, jobs)


HEADER = (f"{'kernel':34} {'GPU':>9} {'RegShare':>9} {'cycles':>6} {'dram r':>6} {'dram w':>6}"
    f" {'l2 r':>6} {'l2 w':>6} {'shared':>6} {'arith':>6}")


def cell(value):
    return f"{'-' if value is None else format(value, '.2f'):>6}"


def line_of(row):
    text = f"{row.name:34} {row.hardware['cycles']:9.0f}"
    if row.ours:
        text += f" {row.ours['cycles']:9.0f} " + " ".join(cell(row.of(c)) for c in COUNTERS)
    return f"{text}  {row.why}".rstrip()


def off_in_the_median(rows, counter):
    """In percent, over the kernels of which the GPU has counted some."""
    found = [abs(x - 1) for x in (row.of(counter) for row in rows) if x is not None]
    return 100 * statistics.median(found) if found else 0.0


def summary(rows):
    good = [row for row in rows if row.ours and not row.why]
    medians = ", ".join(f"{c.replace('_', ' ')} {off_in_the_median(good, c):.1f}%"
        for c in COUNTERS[1:-1])
    yield f"off in the median: {medians}"
    factors = [abs(math.log(x)) for x in (row.of("arithmetic") for row in good) if x]
    factor = math.exp(statistics.fmean(factors)) if factors else math.nan
    yield f"arithmetic instructions off by a factor of {factor:.2f} in the geometric mean"
    error = statistics.fmean(abs(row.cycles - 1) for row in good) if good else math.nan
    r = table.correlation([row.hardware["cycles"] for row in good], [row.ours["cycles"] for row in good])
    yield f"mape {100 * error:.1f}% r {r:.3f} kernels {len(good)}"


def validate(args, tools):
    """Prints the table; the last line is about the verified kernels."""
    rows = [row for row in read_rows() if row.name.startswith(args.rows)]
    if not rows:
        raise ToolError(f"no kernel of gv100 begins with '{args.rows}'")
    out = args.out or "gv100-validation"
    measure(rows, Programs(tools, args.device or DEVICE, args.source, out), args.jobs)
    table.show(HEADER, rows, line_of, summary)
    return any(row.ours is not None for row in rows)
