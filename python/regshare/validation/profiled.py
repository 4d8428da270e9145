# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of suites' programs that a profiler has measured on a GPU, its caches flushed
before each launch: the same launches on RegShare, timed with a cold L2, and the ratios
of cycles and counters."""

import dataclasses
import functools
import math
import pathlib
import statistics
import tempfile

from .. import records, runs
from ..suite import work
from ..toolchain import ToolError
from . import table

SECTOR = 32  # bytes
FEW = 1000  # of what is counted: a ratio to less says nothing


def ratio(ours, hardware):
    """Ours over the hardware's, or None where that is about nothing."""
    return ours / hardware if hardware >= FEW else None


@dataclasses.dataclass
class Kernel:
    """A row: a kernel's mean launch on the GPU, and on RegShare."""

    suite: str
    program: str
    input: str
    name: str
    launches: str  # that are timed, as REGSHARE_LAUNCHES has them
    hardware: dict  # by counter, of a launch
    ours: dict | None = None
    why: str = ""  # there is nothing of ours, or it is not verified

    @property
    def run(self):
        return self.suite, self.program, self.input

    @property
    def wanted(self):
        return f"{self.name}:{self.launches}"

    @property
    def cycles(self):
        return self.ours["cycles"] / self.hardware["cycles"]

    def of(self, counter):
        return ratio(self.ours[counter], self.hardware[counter])


def memory_counters(stats):
    """What profilers count on any part, of a timed launch."""
    memory, load_store = stats["memory"], stats["load_store"]
    return {
        "cycles": stats["cycles"],
        "dram_reads": memory["dram_reads"],
        "dram_writes": memory["dram_writes"],
        "l2_reads": memory["bytes_to_sms"] / SECTOR,
        "l2_writes": memory["bytes_to_memory"] / SECTOR,
        "shared_accesses": load_store["shared_passes"],
    }


def name_of(launch):
    """`space::kernel<128, 8>`: a launch's kernel without parameters and what it returns.
    Blanks in brackets belong to the name."""
    name, depth = records.without_parameters(launch["name"]), 0
    for place in reversed(range(len(name))):
        depth += {">": 1, ")": 1, "<": -1, "(": -1}.get(name[place], 0)
        if depth == 0 and name[place] == " ":
            return name[place + 1 :]
    return name


def mean_launch(report, name, counters_of):
    """The means over the timed launches of a kernel, or None."""
    found = [
        counters_of(launch["stats"])
        for launch in report["launches"]
        if launch.get("stats") and name_of(launch) == name
    ]
    if not found:
        return None
    return {counter: statistics.fmean(f[counter] for f in found) for counter in found[0]}


class Programs:
    """Runs a suite's programs on a device."""

    def __init__(self, tools, suite, folder, device, out, counters_of):
        self.suite, self.device, self.counters_of = suite, device, counters_of
        self.place = work.Workplace(tools, suite, folder, pathlib.Path(out))
        self.place.out.mkdir(parents=True, exist_ok=True)

    def run(self, name, given, kernels):
        """Fills in those of one program, on an input."""
        program = self.suite.programs.get(name)
        if not program or program.left_out:
            why = program.left_out if program else f"{self.suite.name} has no program '{name}'"
            return fail(kernels, f"left out: {why}")
        given = program.inputs[given]
        try:
            executable = self.place.build(program, given)
        except work.NotBuilt as error:
            return fail(kernels, f"not built: {error}")
        try:
            reference = self.place.reference(program, given)
        except ToolError as error:
            return fail(kernels, f"not proven: {error}")
        ended, outcome, why = self.time(executable, program, given, kernels, reference)
        if not ended.report:
            return fail(kernels, f"{outcome}: {why}")
        for kernel in kernels:
            kernel.ours = mean_launch(ended.report, kernel.name, self.counters_of)
            kernel.why = "" if outcome == "verified" else f"{outcome}: {why}"
            if not kernel.ours:
                kernel.why = kernel.why or "not launched"

    def time(self, executable, program, given, kernels, reference):
        """How the run ended, the outcome, and the reason."""
        with tempfile.TemporaryDirectory(dir=self.place.out) as top:
            folder = self.place.fresh(pathlib.Path(top).absolute() / "run", program, given)
            runner = runs.Runner(executable, self.place.resolved(given.arguments),
                self.place.tools.run_prefix, None, folder, work.PRINTED)
            settings = runs.LENIENT if program.lenient else {}
            ended = runner.run(REGSHARE_DEVICE=self.device, REGSHARE_TIMING="1",
                REGSHARE_COLD_L2="1", REGSHARE_LAUNCHES=",".join(k.wanted for k in kernels),
                **settings)
            asked = work.Run(program, given, self.device, "baseline", {}, True)
            return ended, *work.verdict(self.place, asked, ended, folder, reference)


def fail(kernels, why):
    for kernel in kernels:
        kernel.why = why


def measure(rows, programs, jobs):
    """`programs`: the Programs by suite."""
    of_run = {}
    for row in rows:
        of_run.setdefault(row.run, []).append(row)
    calls = [(name, functools.partial(programs[suite].run, name, given, kernels))
        for (suite, name, given), kernels in of_run.items()]
    table.run_all(calls, jobs)


def good(rows):
    """Those that count."""
    return [row for row in rows if row.ours and not row.why]


def cell(value):
    return f"{'-' if value is None else format(value, '.2f'):>6}"


def off_in_the_median(rows, counter):
    """In percent, over the kernels of which the GPU has counted some."""
    found = [abs(x - 1) for x in (row.of(counter) for row in rows) if x is not None]
    return 100 * statistics.median(found) if found else 0.0


def off_by_a_factor(rows, counter):
    """The geometric mean, over the same."""
    factors = [abs(math.log(x)) for x in (row.of(counter) for row in rows) if x]
    return math.exp(statistics.fmean(factors)) if factors else math.nan


def error_of_cycles(rows):
    """The mean absolute error, the correlation of logarithms, and of how many kernels."""
    error = statistics.fmean(abs(row.cycles - 1) for row in rows) if rows else math.nan
    r = table.correlation([row.hardware["cycles"] for row in rows],
        [row.ours["cycles"] for row in rows])
    return f"mape {100 * error:.1f}% r {r:.3f} kernels {len(rows)}"
