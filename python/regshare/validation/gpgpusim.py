# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of the kernel suite on GPGPU-Sim 4.2 (gpgpusim.csv), which ran the PTX that
RegShare runs, on its GTX 480 cut to two SMs and one DRAM channel, with a cold L2
for each launch."""

import csv
import dataclasses
import functools
import math
import pathlib
import shlex
import statistics
import subprocess

from .. import runs
from ..suite import work
from ..sweep import SUITE
from ..toolchain import ToolError, last_line
from . import table

DEVICE = "gpgpusim-gtx480"
ARCHITECTURE = "sm_75"
ROWS = pathlib.Path(__file__).with_name("gpgpusim.csv")
# Two of 15 SMs with their share of the six channels' bandwidth: of 924 MHz, 6 x 2 / 15.
PART = ("sms=2", "timing.dram.channels=1", "timing.dram.clock_mhz=739")
# GPGPU-Sim's option is about constants as well (shader.cc, constant_cycle).
PERFECT = ("timing.core.icache.mshrs=0", "timing.constant.miss_latency=1")
# What GPGPU-Sim's figures were for some of the rows, as changes of ours.
VARIANTS = {
    "as it is": (),
    "perfect instruction cache": PERFECT,
    "perfect instruction cache, 32-byte DRAM bursts":
        (*PERFECT, "timing.dram.burst_cycles=1", "timing.dram.ccd=1",
            "timing.dram.write_burst_bytes=32"),
}


@dataclasses.dataclass
class Launch:
    """A row: a launch of a program on a machine."""

    program: str
    arguments: str
    number: int  # of the program's launches
    kernel: str
    registers: int
    variant: str
    theirs: float  # cycles
    ours: float | None = None
    why: str = ""

    @property
    def run(self):
        return self.program, self.arguments, self.registers, self.variant

    @property
    def name(self):
        return f"{self.program}: {self.kernel}"

    @property
    def ratio(self):
        return self.ours / self.theirs


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return [
            Launch(r["program"], r["arguments"], int(r["launch"]), r["kernel"],
                int(r["registers"]), r["variant"], float(r["cycles"]))
            for r in csv.DictReader(file)
        ]


def fill_in(launches, report):
    """Gives rows of one run its cycles."""
    found = report["launches"]
    for row in launches:
        if row.number >= len(found):
            row.why = f"the program made {len(found)} launches"
        elif row.kernel not in found[row.number]["name"]:
            row.why = f"launch {row.number} is of '{found[row.number]['name']}'"
        elif not found[row.number].get("stats"):
            row.why = "not timed"
        else:
            row.ours = found[row.number]["stats"]["cycles"]


class Programs:
    """Builds programs of the kernel suite, and runs them on a device."""

    def __init__(self, tools, device, source, out):
        self.tools, self.device = tools, device
        self.source = pathlib.Path(source) if source else SUITE
        if not (self.source / "common" / "check.h").is_file():
            raise ToolError(f"'{self.source}' is not the kernel suite: it has no "
                "'common/check.h'; --source=FOLDER says where the folder 'kernels' of "
                "RegShare's source is")
        self.out = pathlib.Path(out).absolute()
        self.out.mkdir(parents=True, exist_ok=True)

    @functools.cache
    def build(self, program):
        executable = self.out / program
        done = subprocess.run([*self.tools.compiler, "-O2", f"--cuda-gpu-arch={ARCHITECTURE}",
            str(self.source / program / f"{program}.cu"), "-o", str(executable)],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise work.NotBuilt(work.first_error(done.stderr))
        return executable

    def run(self, launches):
        """Fills in those of one run."""
        first = launches[0]
        changes = (*PART, f"registers={first.registers}", *VARIANTS[first.variant])
        runner = runs.Runner(self.build(first.program), shlex.split(first.arguments),
            self.tools.run_prefix, None, self.out)
        ended = runner.run(REGSHARE_DEVICE=",".join((self.device, *changes)),
            REGSHARE_TIMING="1", REGSHARE_COLD_L2="1", REGSHARE_CODE="ptx")
        verdict = runs.judge(ended)
        if verdict.outcome == "finished":
            fill_in(launches, ended.report)
            return
        for row in launches:
            row.why = f"{verdict.outcome}: {verdict.why}"


def measure(rows, programs, jobs):
    for name in dict.fromkeys(row.program for row in rows):
        try:
            programs.build(name)
        except work.NotBuilt as error:
            raise ToolError(f"{name} is not built: {error}") from None
    of_run = {}
    for row in rows:
        of_run.setdefault(row.run, []).append(row)
    calls = [(run[0], functools.partial(programs.run, launches))
        for run, launches in of_run.items()]
    table.run_all(calls, jobs)


HEADER = (f"{'launch':36} {'registers':>9} {'GPGPU-Sim':>9} {'RegShare':>9} {'ratio':>6}"
    "  variant")


def line_of(row):
    text = f"{row.name:33} {row.number:2} {row.registers:9} {row.theirs:9.0f} "
    if row.ours is None:
        return f"{text}{'-':>9} {'-':>6}  {row.why}"
    return f"{text}{row.ours:9.0f} {row.ratio:6.2f}  {row.variant}"


def summary(rows):
    good = [row for row in rows if row.ours]
    error = statistics.fmean(abs(row.ratio - 1) for row in good) if good else math.nan
    r = table.correlation([row.theirs for row in good], [row.ours for row in good])
    if good:
        mean = statistics.geometric_mean(row.ratio for row in good)
        yield f"geometric mean of the ratios {mean:.3f}"
    yield f"mape {100 * error:.1f}% r {r:.3f} rows {len(good)}"


def validate(args, tools):
    """Prints the table; the last line is about the rows that have a value."""
    rows = [row for row in read_rows() if row.name.startswith(args.rows)]
    if not rows:
        raise ToolError(f"no launch of gpgpusim begins with '{args.rows}'")
    out = args.out or "gpgpusim-validation"
    measure(rows, Programs(tools, args.device or DEVICE, args.source, out), args.jobs)
    table.show(HEADER, rows, line_of, summary)
    return all(row.ours is not None for row in rows)
